// The format of server-sent events, as the HTML standard has it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { messagesIn } from '../../static/js/live/event_stream.js';

/** The messages in a stream that comes in these pieces. */
async function messages(...pieces) {
  const body = new ReadableStream({
    start(stream) {
      for (const piece of pieces) stream.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      stream.close();
    },
  });
  const all = [];
  for await (const message of messagesIn(body, () => {})) all.push(message);
  return all;
}

test('a message ends with an empty line, and what is left of an unfinished one is nothing', async () => {
  assert.deepEqual(await messages('id: 1\ndata: one\n\ndata: two\n'), [{ id: '1', data: 'one' }]);
});

test('lines of data belong together, and one space after the colon is none of theirs', async () => {
  assert.deepEqual(await messages('data: one\ndata:two\ndata:  three\n\n'), [{ data: 'one\ntwo\n three' }]);
});

test('a line may end in three ways, and its end may come in two pieces', async () => {
  assert.deepEqual(await messages('data: one\r', '\n\r', '\ndata: two\r\rdata: three\n\n'), [{ data: 'one' }, { data: 'two' }, { data: 'three' }]);
});

test('a letter may come in two pieces', async () => {
  const bytes = new TextEncoder().encode('data: é\n\n');
  assert.deepEqual(await messages(bytes.slice(0, 7), bytes.slice(7)), [{ data: 'é' }]);
});

test('U+2028 ends no line', async () => {
  assert.deepEqual(await messages('data: one\u2028two\n\n'), [{ data: 'one\u2028two' }]);
});

test('whatever comes, a comment too, is a sign of life', async () => {
  let signs = 0;
  const body = new Blob([': still here\n\n']).stream();
  for await (const _ of messagesIn(body, () => (signs += 1)));
  assert.equal(signs, 1);
});
