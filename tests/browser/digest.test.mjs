// What a screen reader hears of others: one line now and then, and never about oneself.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { scene, stage } from './support.mjs';

stage();

/** Every line that was spoken, from now on, in the order of time, once there are at least so many. */
async function listen(viewer) {
  await viewer.page.evaluate((x) => {
    window.lines = [];
    const line = document.getElementById(`${x}-say`);
    new MutationObserver(() => line.textContent && window.lines.push(line.textContent)).observe(line, { childList: true });
  }, viewer.x);
  return async (count = 0) => {
    await viewer.until((count) => window.lines.length >= count, count);
    return viewer.page.evaluate(() => window.lines);
  };
}

/** Somebody whose clock goes only when told. */
async function patient(viewer, uid, options) {
  const one = await viewer(uid, options);
  await one.page.clock.install();
  // Less than a stream may be silent: a word from the server, just before, would be taken for one long ago.
  await one.page.clock.pauseAt(Date.now() + 20_000);
  await one.away();
  return one;
}

const events = (viewer, count) => viewer.until((count) => window.heard.filter(({ name }) => name.startsWith('member')).length >= count, count);

scene('what others did is summed up in one line every five seconds', async ({ viewer, actor }) => {
  const eve = await patient(viewer, 'eve');
  const lines = await listen(eve);
  for (const [uid, name] of [
    ['n1', 'Nora'],
    ['n2', 'Nils'],
    ['n3', 'Nick'],
  ])
    await actor(uid, name).join();
  await actor('dee').leave();
  await actor('ada').scope('cy', 'admin');
  await events(eve, 4);
  await eve.page.locator(`#${eve.x}-m-cy[data-scope="admin"]`).waitFor();
  await eve.page.clock.runFor(4_900);
  assert.deepEqual(await lines(), [], 'not at once');
  await eve.page.clock.runFor(200);
  assert.deepEqual(await lines(1), ['3 joined, 1 left, Cy Marlowe is now admin']);
  await actor('ben').kick('n1');
  await actor('ben').ban('n2');
  await eve.until(() => window.heard.some(({ name, detail }) => name === 'member-banned' && detail.member.uid === 'n2'));
  await eve.page.clock.runFor(4_900);
  assert.equal((await lines()).length, 1, 'nor soon after');
  await eve.page.clock.runFor(200);
  assert.deepEqual((await lines(2)).slice(1), ['2 were removed']);
  await eve.page.clock.runFor(60_000);
  assert.equal((await lines()).length, 2, 'nothing new, nothing said');
});

scene('of one’s own acts only the way back is told, and nobody’s coming online is', async ({ viewer, actor }) => {
  const ben = await patient(viewer, 'ben');
  const lines = await listen(ben);
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await actor('ben').kick('eve');
  await ben.until(() => window.heard.some(({ name, detail }) => name === 'member-kicked' && detail.member.uid === 'eve'));
  await viewer('cy');
  await ben.page.locator(`#${ben.x}-m-cy[data-status="online"]`).waitFor({ state: 'attached' });
  await ben.page.clock.runFor(10_000);
  assert.deepEqual(await lines(), ['Dee Ferreira was removed from the group. Undo']);
});

scene('somebody who changes twice is told once, many only as a number, a new owner as such', async ({ viewer, actor }) => {
  const eve = await patient(viewer, 'eve');
  const lines = await listen(eve);
  await actor('ada').scope('dee', 'moderator');
  await actor('ada').scope('dee', 'admin');
  await actor('ada').transfer('ben');
  await eve.page.locator(`#${eve.x}-m-ben[data-scope="owner"]`).waitFor({ state: 'attached' });
  await eve.page.clock.runFor(5_100);
  assert.deepEqual(await lines(1), ['Dee Ferreira is now admin, Ben Okafor is now the owner']);
  for (const uid of ['p00', 'p01', 'p02', 'p03']) await actor('ben').scope(uid, 'moderator');
  await eve.page.locator(`#${eve.x}-m-p03[data-scope="moderator"]`).waitFor({ state: 'attached' });
  await eve.page.clock.runFor(5_100);
  assert.deepEqual((await lines(2)).slice(1), ['4 roles changed']);
});

scene('a bulk sync says its numbers', async ({ viewer, server, guid }) => {
  const eve = await patient(viewer, 'eve');
  const lines = await listen(eve);
  const some = (count, from) => Array.from({ length: count }, (_, i) => ({ uid: `s${from + i}`, name: `Aa ${from + i}`, scope: 'participant' }));
  const all = people().length;
  const says = (count) => eve.page.locator(`#${eve.x}[data-count="${count}"]`).waitFor({ state: 'attached' });
  await server.import(guid, [...some(3, 0), { uid: 'dee', name: 'Dee Ferreira', scope: 'moderator' }]);
  await says(all + 3);
  await eve.page.clock.runFor(5_100);
  assert.deepEqual(await lines(1), ['3 joined, 1 role changed']);
  await server.import(guid, some(1_200, 10));
  await says(all + 1_203);
  await eve.page.clock.runFor(5_100);
  assert.deepEqual((await lines(2)).slice(1), ['1,200 joined']);
});

scene('the line is in the language of the list', async ({ viewer, actor }) => {
  const eve = await patient(viewer, 'eve', { query: '?lang=ru' });
  const lines = await listen(eve);
  const left = (uid) => eve.until((uid) => window.heard.some(({ name, detail }) => name === 'member-left' && detail.member.uid === uid), uid);
  for (const [uid, name] of [
    ['n1', 'Nora'],
    ['n2', 'Nils'],
  ])
    await actor(uid, name).join();
  await actor('dee').leave();
  await left('dee');
  await eve.page.clock.runFor(5_100);
  assert.deepEqual(await lines(1), ['2 человека вступили, 1 человек вышел']);
});

scene('a search or a filter says how many it has found, not how many there are, and shows it', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { query: '?groupBy=none' });
  await listen(eve);
  // The digest of what others did speaks in between.
  const said = (line) => eve.until((line) => window.lines.splice(0).includes(line), line);
  assert.equal(await eve.part('found').count(), 0, 'everybody is not found');
  await eve.search('brandt');
  await said('12 found');
  assert.equal(await eve.part('found').innerText(), '12 found');
  assert.equal(await eve.root.getAttribute('data-count'), '12');
  await eve.part('f-moderators').click();
  await said('No one matches “brandt”');
  assert.equal(await eve.part('found').isVisible(), false, 'the empty list says so itself');
  await eve.away();
  await eve.part('q').focus();
  await actor('ada').scope('p10', 'moderator');
  await eve.there('p10');
  await eve.part('found').getByText('1 found').waitFor();
  await eve.search('');
  await said('2 found');
  await eve.part('f-all').click();
  await eve.part('found').waitFor({ state: 'detached' });
  // Whoever looked on in other scenes may still be there.
  await eve.until((count) => window.lines.splice(0).some((line) => line.startsWith(`${count} `)), people().length);
});

for (const [lang, one, two] of [
  ['de', '1 gefunden', '2 gefunden'],
  ['ru', 'Найден 1 человек', 'Найдено 2 человека'],
  ['ar', 'نتيجة واحدة', 'نتيجتان'],
]) {
  scene(`how many were found is said in the forms of the language: ${lang}`, async ({ viewer, actor }) => {
    const eve = await viewer('eve', { query: `?lang=${lang}&groupBy=none&filter=moderators` });
    await eve.away();
    assert.equal(await eve.part('found').innerText(), one, 'in the first byte');
    await actor('ada').scope('dee', 'moderator');
    await eve.there('dee');
    await eve.part('found').getByText(two).waitFor();
  });
}

scene('a ban of somebody who was no member, or was banned already, takes nobody away', async ({ viewer, actor }) => {
  const eve = await patient(viewer, 'eve');
  const lines = await listen(eve);
  await actor('ben').ban('stranger', {});
  await actor('ben').ban('stranger', { reason: 'spam' });
  await actor('ben').ban('dee', {});
  await eve.until(() => window.heard.some(({ name, detail }) => name === 'member-banned' && detail.member?.uid === 'dee'));
  await eve.page.clock.runFor(5_100);
  assert.deepEqual(await lines(1), ['1 was removed']);
});
