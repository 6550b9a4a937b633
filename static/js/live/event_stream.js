// The format of server-sent events.

/**
 * Yields the fields of each message, parsed by the HTML standard's rules for event streams; calls `alive` for each chunk.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @param {() => void} alive
 */
export async function* messagesIn(body, alive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  /** @type {Record<string, string>} */
  let message = {};
  try {
    for (let chunk; !(chunk = await reader.read()).done; ) {
      alive();
      // A carriage return at the end of a chunk may be the first half of a CRLF.
      const lines = (rest + chunk.value).split(/\r\n|\n|\r(?!$)/);
      rest = /** @type {string} */ (lines.pop());
      for (const line of lines) {
        const [, field, value] = /** @type {RegExpMatchArray} */ (line.match(/([^:]*):? ?(.*)/s));
        if (!line) {
          yield message;
          message = {};
        } else if (field === 'data' && 'data' in message) message.data += `\n${value}`;
        else message[field] = value;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
