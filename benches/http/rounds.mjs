// Interleaved rounds: everybody has a short turn (A B C A B C …), so that whatever else the machine does meets all alike.

/** Plays a warm-up round and so many that count. A contestant is `[name, play]`; `play` answers figures by name. */
export async function interleave(contestants, rounds, keep, say = () => {}) {
  for (let round = 0; round <= rounds; round++) {
    for (const [name, play] of contestants) {
      say(`round ${round} of ${rounds}: ${name}`);
      const figures = await play(round);
      if (round > 0) for (const [figure, value] of Object.entries(figures)) keep(`${name}.${figure}`, value);
    }
  }
}
