// The reader of streams in static/js/live/event_stream.js, beside a parser that is not ours: whatever comes, cut wherever the network
// cuts it, both read the same messages. `node tests/fuzz/stream.mjs SECONDS [SEED]`

import { isDeepStrictEqual } from 'node:util';

import { createParser } from 'eventsource-parser';

import { messagesIn } from '../../static/js/live/event_stream.js';
import { Dice } from '../storms/dice.mjs';

/** What streams are made of, and what is easily mistaken for it. */
const PIECES = [
  ...['data', 'event', 'id', 'retry', ':', ': ', ' ', '\n', '\n', '\n\n', '\r', '\r\n', '\r\r', '\u2028', '\u2029', '\u0085', '\ufeff'],
  ...['data: one', 'data:  two', 'event: x', 'id: 1.2', 'id:', 'data', 'nonsense: 1', 'Zoë', 'さくら', '👩🏽‍🚀', '', 'a', '0'],
];

/**
 * A stream of some pieces, and where it is cut, in bytes. A comment ends it: a carriage return at the very end may be half of a line
 * end, and ours waits for what comes.
 */
function draw(dice) {
  const text = Array.from({ length: dice.below(40) }, () => dice.one(PIECES)).join('');
  const bytes = new TextEncoder().encode(`${text}:\n`);
  const cuts = Array.from({ length: dice.below(8) }, () => dice.below(bytes.length + 1)).sort((one, other) => one - other);
  const edges = [0, ...cuts, bytes.length];
  return { bytes, pieces: edges.slice(1).map((end, at) => bytes.slice(edges[at], end)) };
}

/** What a message says to whoever listens; one without data is none. */
const said = ({ event, data, id }) => ({ event: event || undefined, data, id });

async function ours(pieces) {
  const body = new ReadableStream({
    start(stream) {
      for (const piece of pieces) stream.enqueue(piece);
      stream.close();
    },
  });
  const all = [];
  for await (const message of messagesIn(body, () => {})) if ('data' in message) all.push(said(message));
  return all;
}

function theirs(bytes) {
  const all = [];
  const parser = createParser({ onEvent: (message) => all.push(said(message)) });
  // It takes the mark of byte order away by itself.
  parser.feed(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  return all;
}

const [seconds = 60, seed = Date.now() % 1e9] = process.argv.slice(2).map(Number);
const dice = new Dice(seed);
const end = performance.now() + seconds * 1000;
let tried = 0;
for (; performance.now() < end; tried++) {
  const { bytes, pieces } = draw(dice);
  const [one, other] = [await ours(pieces), theirs(bytes)];
  if (isDeepStrictEqual(one, other)) continue;
  console.log(`seed ${seed}, stream ${tried}: ${JSON.stringify(pieces.map((piece) => new TextDecoder().decode(piece)))}`);
  console.log('ours  ', JSON.stringify(one));
  console.log('theirs', JSON.stringify(other));
  process.exit(1);
}
console.log(`${tried} streams, seed ${seed}`);
