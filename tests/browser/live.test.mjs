// What happens elsewhere arrives at the right place, and never moves what somebody is doing.

import assert from 'node:assert/strict';

import { fewPeople, people } from './cast.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

scene('who joins, is renamed or promoted stands where a fresh page would show them', async ({ viewer, actor, server, guid }) => {
  const eve = await viewer('eve');
  await actor('aaron', 'Aaron Aaltonen').join();
  await eve.there('aaron');
  await sameAsFresh(eve);
  const uids = await eve.uids();
  assert.ok(uids.indexOf('cy') < uids.indexOf('aaron') && uids.indexOf('aaron') < uids.indexOf('dee'), 'among the participants, by name');
  assert.equal(await eve.page.$eval('.chat-group-members__scroll', (box) => box.scrollTop), 0, 'at the very top whoever comes pushes the others down');
  await actor('zed', 'Zygmunt Żuraw').join();
  await eve.page.locator(`#${eve.x}[data-count="${people().length + 2}"]`).waitFor();
  assert.equal(await eve.row('zed').count(), 0, 'beyond the loaded window');
  await sameAsFresh(eve);
  await actor('ada').scope('p00', 'admin');
  await eve.page.locator(`#${eve.x}-m-p00[data-scope="admin"]`).waitFor();
  await sameAsFresh(eve);
  await server.import(guid, [{ uid: 'aaron', name: 'Aaronson the Younger', scope: 'moderator' }]);
  await eve.page.locator(`#${eve.x}-m-aaron[data-scope="moderator"]`, { hasText: 'Aaronson the Younger' }).waitFor();
  await sameAsFresh(eve);
  await actor('aaron').leave();
  await eve.gone('aaron');
  await actor('aaron', 'Mid Name').join();
  await eve.page.locator(`#${eve.x}[data-count="${people().length + 2}"]`).waitFor();
  await sameAsFresh(eve);
});

scene('who starts to match the search appears at the right place, who stops disappears, and no one else', async ({ viewer, actor, server, guid }) => {
  const eve = await viewer('eve', { query: '?searchKeyword=brandt' });
  const cy = await viewer('cy', { query: '?scopes=moderator' });
  assert.equal(await eve.rows.count(), 12);
  await actor('new', 'Dora Brandt').join();
  await eve.there('new');
  await sameAsFresh(eve);
  await actor('other', 'Dora Elsewhere').join();
  await server.import(guid, [
    { uid: 'p03', name: 'Zelda Brandtner', scope: 'participant' },
    { uid: 'p10', name: 'Iris Married', scope: 'participant' },
  ]);
  await eve.gone('p10');
  await eve.there('p03');
  await sameAsFresh(eve);
  assert.equal(await eve.row('other').count(), 0);
  await actor('ben').scope('p03', 'moderator');
  await cy.there('p03');
  await sameAsFresh(cy);
  await actor('ben').scope('p03', 'participant');
  await cy.gone('p03');
  assert.deepEqual(await cy.order(), ['# moderator 1', 'cy']);
  await sameAsFresh(eve);
});

scene('a live change loses neither scroll position, typed search, focus nor the loaded window', async ({ viewer, actor }) => {
  const eve = await viewer('eve');
  await eve.further();
  await eve.part('q').focus();
  await eve.scrollTo(900);
  const looks = () =>
    eve.page.evaluate((x) => {
      const box = document.querySelector('.chat-group-members__scroll');
      const { top } = box.getBoundingClientRect();
      const first = [...box.querySelectorAll('[data-uid]')].find((row) => row.getBoundingClientRect().top > top + 40);
      return {
        uid: first.dataset.uid,
        y: Math.round(first.getBoundingClientRect().top),
        focus: document.activeElement.id,
        next: document.getElementById(`${x}-next`).dataset.order,
      };
    }, eve.x);
  const before = await looks();
  for (const [uid, name] of [
    ['aa1', 'Aaa One'],
    ['aa2', 'Aaa Two'],
  ])
    await actor(uid, name).join();
  await actor('ada').kick('cy');
  await actor('ada').scope('ben', 'moderator');
  await eve.there('aa2');
  await eve.gone('cy');
  await eve.page.locator(`#${eve.x}-m-ben[data-scope="moderator"]`).waitFor();
  assert.deepEqual(await looks(), before);
  await sameAsFresh(eve);
});

scene('an open menu and an open dialog stay open and filled while others change the list', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.menu('eve');
  await actor('aaron', 'Aaron Aaltonen').join();
  await ben.page.locator(`#${ben.x}[data-count="${people().length + 1}"]`).waitFor();
  assert.equal(await ben.part('menu').isVisible(), true);
  await ben.part('menu').locator('[data-action="ban"]').click();
  const reason = ben.part('dialog').locator('[name=reason]');
  await reason.fill('half a sent');
  await actor('ada').kick('cy');
  await ben.page.locator(`#${ben.x}[data-count="${people().length}"]`).waitFor({ state: 'attached' });
  await reason.pressSequentially('ence');
  assert.equal(await reason.inputValue(), 'half a sentence');
  await ben.confirm();
  await ben.away();
  await ben.gone('eve');
  await ben.gone('cy');
  await sameAsFresh(ben);
});

scene('the menu of somebody who is kicked meanwhile closes', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.menu('dee');
  await actor('ada').kick('dee');
  await ben.part('menu').waitFor({ state: 'hidden' });
  await ben.focusOn('a-dee');
  await ben.away();
  await ben.part('q').focus();
  await ben.gone('dee');
  await sameAsFresh(ben);
});

scene('under a pointer the list holds still, counts the changes, and lets go when the pointer leaves', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { query: '?limit=100' });
  await eve.row('dee').hover();
  const before = await eve.order();
  await actor('aaron', 'Aaron Aaltonen').join();
  await actor('ben').kick('p00');
  await actor('ada').scope('dee', 'moderator');
  await eve.page.locator(`#${eve.x}-m-dee[data-scope="moderator"]`).waitFor();
  await eve.page.locator(`#${eve.x}-held`, { hasText: '3 changes' }).waitFor();
  const still = (order) => order.filter((item) => !item.startsWith('#'));
  assert.deepEqual(still(await eve.order()), still(before), 'painted where it is, moved nowhere');
  assert.match(await eve.row('p00').getAttribute('class'), /--leaving/);
  await eve.away();
  await eve.there('aaron');
  await eve.gone('p00');
  assert.equal(await eve.part('held').isVisible(), false);
  await sameAsFresh(eve);
});

scene('a click on the pill lets go at once', async ({ viewer, actor }) => {
  const eve = await viewer('eve');
  await eve.row('dee').hover();
  await actor('aaron', 'Aaron Aaltonen').join();
  await eve.part('held').waitFor();
  assert.match(await eve.part('held').innerText(), /1 change/);
  assert.equal(await eve.row('aaron').count(), 0);
  await eve.part('held').click();
  await eve.there('aaron');
  await eve.part('held').waitFor({ state: 'hidden' });
  await sameAsFresh(eve);
});

scene('focus in a row holds the list still, until it goes elsewhere', async ({ viewer, actor }) => {
  const ada = await viewer('ada', { query: '?limit=100' });
  await ada.button('dee').focus();
  await actor('ben').kick('dee');
  await ada.page.locator(`#${ada.x}-held`).waitFor();
  assert.equal(await ada.focused(), `${ada.x}-a-dee`);
  await ada.part('held').click();
  await ada.gone('dee');
  await sameAsFresh(ada);
});

scene(
  'an empty section has no heading; its first member brings it, its last takes it away',
  async ({ viewer, actor }) => {
    const eve = await viewer('eve');
    await actor('ada').scope('cy', 'participant');
    await eve.heading('moderator').waitFor({ state: 'detached' });
    assert.deepEqual(await eve.order(), ['# owner 1', 'ada', '# admin 1', 'ben', '# participant 3', 'cy', 'dee', 'eve']);
    await actor('ada').scope('eve', 'moderator');
    await eve.heading('moderator').waitFor();
    assert.deepEqual(await eve.order(), ['# owner 1', 'ada', '# admin 1', 'ben', '# moderator 1', 'eve', '# participant 2', 'cy', 'dee']);
    await sameAsFresh(eve);
  },
  { members: fewPeople() },
);

scene('who comes online is shown so, in words and in the number', async ({ viewer }) => {
  const eve = await viewer('eve');
  await eve.page.locator(`#${eve.x}-m-eve[data-status="online"]`).waitFor();
  await sameAsFresh(eve);
  const online = async () => Number((await eve.part('totals').innerText()).match(/(\d+) online/)[1]);
  const before = await online();
  assert.equal(await eve.row('elo').getAttribute('data-status'), 'offline');
  await viewer('elo');
  await eve.page.locator(`#${eve.x}-m-elo[data-status="online"]`).waitFor();
  assert.equal(await eve.row('elo').locator('b > i').textContent(), 'Online');
  await sameAsFresh(eve);
  assert.equal(await online(), before + 1);
});

scene('the page that was asked for before a change does not bring back who is gone', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const { data } = await actor('eve').members('?limit=100');
  const [loaded, coming] = [data[20].uid, data[45].uid];
  const gate = road.gate(/part=rows/);
  await eve.scrollTo(1e6);
  await gate.arrived;
  await actor('ben').kick(loaded);
  await actor('ben').kick(coming);
  await eve.until(() => window.heard.filter(({ name }) => name === 'member-kicked').length === 2);
  gate.open();
  await eve.there(data[44].uid);
  await eve.gone(loaded);
  await eve.gone(coming);
  await sameAsFresh(eve);
});

const crowd = Array.from({ length: 520 }, (_, n) => ({ uid: `crowd${n}`, name: `Aaron ${1000 + n}`, scope: 'participant', joinedAt: 1_694_123_400 }));

scene(
  'where hundreds are there, whoever comes and goes is told by a word, and their row stays the same',
  async ({ viewer, server }) => {
    const say = (some, status) => Promise.all(some.map(({ uid }) => server.host('PUT', `/users/${uid}`, { status })));
    await say(crowd.slice(1), 'online');
    const eve = await viewer('eve');
    await eve.page.locator(`#${eve.x}-m-crowd1[data-status="online"]`).waitFor();
    const node = await eve.row('crowd1').elementHandle();
    await say(crowd.slice(0, 1), 'online');
    await say(crowd.slice(1, 4), 'offline');
    await eve.page.locator(`#${eve.x}-m-crowd0[data-status="online"]`).waitFor();
    await eve.page.locator(`#${eve.x}-m-crowd1[data-status="away"]`).waitFor();
    assert.equal(await eve.row('crowd1').locator('b > i').textContent(), 'Away');
    assert.ok(await eve.row('crowd1').evaluate((row, before) => row === before, node));
    await sameAsFresh(eve);
    const ben = await viewer('ben');
    await ben.page.locator(`#${ben.x}-m-crowd1[data-status="away"]`).waitFor();
    await sameAsFresh(ben);
  },
  { members: [...fewPeople(), ...crowd] },
);
