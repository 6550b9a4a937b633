// What the benchmark reads out of lists, and whom it lists: the same people as the Rust benchmark.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { csv, joinedAtOf, nameOf, scopeOf, uidOf } from '../../benches/http/people.mjs';
import { interleave } from '../../benches/http/rounds.mjs';
import { overheads, people } from '../../benches/http/rows.mjs';

const ROW =
  '<li class="chat-group-members__row" data-uid="u7" data-scope="admin" data-status="offline" data-joined-at="1600000003" data-order="1K.u7"><b data-hue="9" data-of="JB"><i>Offline</i></b><div><span class="chat-group-members__name"><bdi>Jo &#38; &#60;b&#62;</bdi></span></div></li>\n';

test('people are read out of rows in their order, as they are called', () => {
  const found = people(`<li class="chat-group-members__heading" data-order="1"></li>${ROW}${ROW.replaceAll('u7', 'u8')}`);
  assert.deepEqual(
    found.map(({ uid }) => uid),
    ['u7', 'u8'],
  );
  assert.deepEqual(found[0], { uid: 'u7', scope: 'admin', joinedAt: 1_600_000_003, order: '1K.u7', hue: 9, initials: 'JB', name: 'Jo & <b>' });
});

test('the bytes of a row do not count who it is about', () => {
  assert.deepEqual(overheads(ROW), [Buffer.byteLength(ROW) - 'u7'.length - 'Jo & <b>'.length - '1K.u7'.length]);
  const picture = ROW.replace('<b data-hue="9" data-of="JB">', '<b data-hue="9" data-of="JB"><img src="https://example.org/a.png" alt="">');
  assert.equal(overheads(picture)[0] - overheads(ROW)[0], '<img src="" alt="">'.length);
});

test('the benchmark lists an owner, 64 admins and participants, always the same', () => {
  assert.deepEqual([0, 1, 64, 65].map(scopeOf), ['owner', 'admin', 'admin', 'participant']);
  assert.equal(uidOf(42), 'u0000042');
  assert.equal(nameOf(5), nameOf(5));
  assert.ok(nameOf(1).endsWith('ツキノワグマ'));
  assert.ok(joinedAtOf(9) >= 1_600_000_000);
  const [head, first] = [...csv(3)].join('').split('\n');
  assert.equal(head, 'uid,name,scope,avatar,joinedAt');
  assert.equal(first, `u0000000,${nameOf(0)},owner,,${joinedAtOf(0)}`);
});

test('rounds are interleaved, and the first one only warms up', async () => {
  const turns = [];
  const kept = [];
  const contestant = (name) => [name, async (round) => turns.push(`${name}${round}`) && { rate: round }];
  await interleave([contestant('a'), contestant('b')], 2, (name, value) => kept.push([name, value]));
  assert.deepEqual(turns, ['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
  assert.deepEqual(kept, [
    ['a.rate', 1],
    ['b.rate', 1],
    ['a.rate', 2],
    ['b.rate', 2],
  ]);
});
