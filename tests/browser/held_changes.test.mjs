// Changes wait behind a pill while one points at the list, and are then placed around what one looks at, which stays.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { topOf, waits } from './held.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

scene('whoever presses the pill goes on in the list', async ({ viewer, actor }) => {
  const ada = await viewer('ada');
  await ada.row('cy').hover();
  await actor('ada').scope('dee', 'admin');
  await waits(ada);
  await ada.part('held').click();
  await ada.until((id) => document.activeElement.closest(`#${id}-list`), ada.x);
  assert.deepEqual((await ada.uids()).slice(0, 4), ['ada', 'ben', 'dee', 'cy']);
});

scene('whoever presses the pill, after which nobody is left, has the focus at the component', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { query: '?searchKeyword=dee' });
  await eve.row('dee').focus();
  await actor('ada').kick('dee');
  await waits(eve);
  await eve.part('held').press('Enter');
  await eve.gone('dee');
  assert.equal(await eve.focused(), eve.x);
});

scene('what changes a viewer’s rights moves nothing under the pointer', async ({ viewer, actor }) => {
  const eve = await viewer('eve');
  await eve.row('dee').hover();
  const top = await topOf(eve, 'dee');
  await actor('ada').scope('eve', 'admin');
  await eve.button('dee').waitFor();
  assert.equal(await topOf(eve, 'dee'), top);
});

scene('after half a minute changes are placed around the row under the pointer, which stays', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { live: false });
  await eve.page.clock.install();
  await eve.page.reload();
  await eve.live('on');
  await eve.scrollTo(400);
  const held = (await eve.uids())[14];
  await eve.row(held).hover();
  const top = await topOf(eve, held);
  await actor('ada').scope('p00', 'admin');
  await waits(eve);
  await eve.page.clock.runFor(31_000);
  await eve.part('held').waitFor({ state: 'hidden' });
  assert.equal(await topOf(eve, held), top);
  assert.equal((await eve.uids())[2], 'p00');
});

scene('when almost everybody is gone, whoever is looked at stays', async ({ viewer, server, guid }) => {
  const eve = await viewer('eve');
  await eve.scrollTo(400);
  await eve.away();
  const seen = await eve.page.evaluate((id) => {
    const edge = document.querySelector(`#${id} .chat-group-members__scroll`).getBoundingClientRect().top;
    return [...document.querySelectorAll(`#${id}-list > [data-uid]`)].find((row) => row.getBoundingClientRect().top >= edge - 1).dataset.uid;
  }, eve.x);
  const top = await topOf(eve, seen);
  const rest = people().filter(({ uid }) => uid === seen || uid === 'eve' || uid === 'zoe');
  await server.host('PUT', `/groups/${guid}/members`, { owner: 'ada', members: rest.map(({ uid, name }) => ({ uid, name })) });
  await eve.gone('cy');
  assert.equal(await topOf(eve, seen), top);
  await eve.scrollTo(0);
  await sameAsFresh(eve);
});

scene('whoever leaves above the pointer leaves their space there, until the pointer leaves too', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { live: false });
  await eve.page.clock.install();
  await eve.page.reload();
  await eve.live('on');
  await eve.row('dee').hover();
  const top = await topOf(eve, 'dee');
  await actor('ada').kick('cy');
  await waits(eve);
  await eve.page.clock.runFor(31_000);
  await eve.gone('cy');
  assert.equal(await topOf(eve, 'dee'), top);
  await eve.away();
  await eve.until(([id, top]) => document.querySelector(`#${id}-m-dee`).getBoundingClientRect().top < top, [eve.x, top]);
  await sameAsFresh(eve);
});

scene('whoever leaves at the end of the range leaves their space till one scrolls, and what one looks at stays', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { query: '?limit=100' });
  while (await eve.further());
  await eve.scrollTo(1e6);
  await eve.away();
  const [other, last] = (await eve.uids()).slice(-2);
  const top = await topOf(eve, other);
  await actor('ada').kick(last);
  await eve.gone(last);
  assert.equal(await topOf(eve, other), top);
  await eve.scrollTo(0);
  await eve.until((id) => !document.getElementById(`${id}-list`).style.marginBlockEnd, eve.x);
  await eve.scrollTo(1e6);
  assert.ok((await topOf(eve, other)) > top, 'nothing empty is left');
  await sameAsFresh(eve);
});

scene(
  'selected people alone hold nothing back',
  async ({ viewer, actor }) => {
    const eve = await viewer('eve', { query: '?selectionMode=multiple' });
    await eve.part('s-cy').check({ force: true });
    await eve.page.evaluate(() => document.activeElement.blur());
    await eve.away();
    await actor('ada').scope('dee', 'admin');
    await eve.page.locator(`#${eve.x}-m-dee[data-scope="admin"]`).waitFor();
    await eve.until((id) => document.querySelector(`#${id}-list > [data-uid="dee"]`).previousElementSibling.dataset.uid === 'ben', eve.x);
  },
  { members: people() },
);

/** More than messages can tell: the list is fetched anew. */
const crowd = () => Array.from({ length: 700 }, (_, i) => ({ uid: `c${i}`, name: `Crowd ${i}`, scope: 'participant', joinedAt: 1_694_000_000 }));

const latecomers = () => crowd().map((one) => ({ ...one, uid: `late-${one.uid}`, name: `${one.name} late` }));

scene('a list that is fetched anew keeps the row with the focus, also while the pointer is on another', async ({ viewer, actor, server, guid }) => {
  const ada = await viewer('ada', { live: false });
  await ada.page.clock.install();
  await ada.page.reload();
  await ada.live('on');
  await ada.button('dee').focus();
  await ada.row('cy').hover();
  await server.import(guid, crowd());
  await waits(ada);
  await actor('ben').kick('dee');
  await ada.row('dee').and(ada.page.locator('.chat-group-members__row--leaving')).waitFor();
  const asked = ada.page.waitForResponse(/part=rows/).then((answer) => answer.finished());
  await ada.page.clock.runFor(31_000);
  await asked;
  await ada.live('on');
  await ada.focusOn('a-dee');
  await ada.page.evaluate(() => document.activeElement.blur());
  await ada.away();
  await ada.gone('dee');
  await sameAsFresh(ada);
});

scene(
  'whoever has the focus far from the pointer keeps it, and is not said to leave, when the held list is fetched anew',
  async ({ viewer, server, guid }) => {
    const ada = await viewer('ada', { query: '?limit=100', live: false });
    await ada.page.clock.install();
    await ada.page.reload();
    await ada.live('on');
    for (let i = 0; i < 2; i++) await ada.further();
    await ada.button('cy').focus();
    await ada.row('c190').scrollIntoViewIfNeeded();
    await ada.row('c190').hover();
    const fetched = () => ada.page.waitForResponse(/part=rows/).then((answer) => answer.finished());
    const painted = fetched();
    await server.import(guid, latecomers());
    await painted;
    await waits(ada);
    const forced = fetched();
    await ada.page.clock.runFor(31_000);
    await forced;
    await ada.root.locator('[data-uid^=late]').first().waitFor({ state: 'attached' });
    await ada.live('on');
    await ada.focusOn('a-cy');
    assert.equal(await ada.root.locator('.chat-group-members__row--leaving').count(), 0);
  },
  { members: [...people(), ...crowd()] },
);

scene(
  'rights that were taken away go from every loaded row, also far from the pointer that holds the list',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben', { query: '?limit=100' });
    for (let i = 0; i < 2; i++) await ben.further();
    await ben.scrollTo(0);
    await ben.row('cy').hover();
    await ben.button('c190').waitFor({ state: 'attached' });
    await actor('ada').scope('ben', 'participant');
    await waits(ben);
    await ben.live('on');
    await ben.until((id) => !document.querySelector(`#${id}-list > [data-acts]`), ben.x);
  },
  { members: [...people(), ...crowd()] },
);

const host = ({ uid, name, scope }) => ({ uid, name, scope });

for (const [what, synced] of [
  ['makes somebody an admin', (one) => (one.uid === 'dee' ? [{ ...one, scope: 'admin' }] : [one])],
  ['takes somebody away', (one) => (one.uid === 'dee' ? [] : [one])],
]) {
  scene(`a sync of many that ${what} reaches the rows under a hand: an open menu without an act left closes`, async ({ viewer, server, guid }) => {
    const cy = await viewer('cy');
    await cy.menu('dee');
    await server.host('PUT', `/groups/${guid}/members`, { owner: 'ada', members: [...people().flatMap(synced), ...latecomers()].map(host) });
    await cy.part('menu').waitFor({ state: 'hidden' });
    await cy.until((id) => !document.querySelector(`#${id}-m-dee [aria-haspopup]:not([aria-disabled])`), cy.x);
    await cy.away();
    await cy.page.evaluate(() => document.activeElement.blur());
    await sameAsFresh(cy);
  });
}

scene(
  'whoever is at the link behind which there are more is there too once the list has been fetched anew',
  async ({ viewer, server, guid, proxy }) => {
    const road = await proxy();
    road.broken = /cursor=/;
    const ada = await viewer('ada', { live: false, base: road.base });
    await ada.page.clock.install();
    await ada.page.reload();
    await ada.live('on');
    await ada.part('next').locator('a').focus();
    await server.import(guid, crowd());
    await waits(ada);
    const asked = ada.page.waitForResponse(/part=rows.*until=/).then((answer) => answer.finished());
    await ada.page.clock.runFor(31_000);
    await asked;
    await ada.part('held').waitFor({ state: 'hidden' });
    await ada.live('on');
    await ada.until((id) => document.activeElement.closest(`#${id}-next`), ada.x);
  },
  { complaints: /502|htmx/ },
);

scene('how many there are in a section stays right above rows that wait after the list was fetched anew', async ({ viewer, actor, server, guid }) => {
  const eve = await viewer('eve');
  const heading = eve.heading('participant');
  await eve.row('cy').hover();
  await server.import(guid, crowd());
  await waits(eve);
  // Other rights: the component is fetched anew, and no row is moved.
  await actor('ada').scope('eve', 'moderator');
  await heading.filter({ hasText: '801' }).waitFor();
  await eve.live('on');
  await viewer('dee');
  await eve.row('dee').and(eve.page.locator('[data-status="online"]')).waitFor();
  assert.match(await heading.innerText(), /801$/);
  await eve.away();
  await sameAsFresh(eve);
});

scene('whoever is put out under the pointer and comes back stands in order, though somebody was renamed around them', async ({ viewer, server, guid }) => {
  const eve = await viewer('eve', { live: false });
  await eve.page.clock.install();
  await eve.page.reload();
  await eve.live('on');
  await eve.scrollTo(400);
  const uids = await eve.uids();
  const held = uids[14];
  const before = uids.slice(6, 14);
  await eve.row(held).hover();
  const names = new Map(people().map(({ uid, name }) => [uid, name]));
  for (const [index, uid] of before.entries()) names.set(uid, `${names.get(held)} ${9 - index}`);
  const all = people().map(({ uid, scope }) => ({ uid, scope, name: names.get(uid) }));
  await server.host('PUT', `/groups/${guid}/members`, { owner: 'ada', members: [...all.filter(({ uid }) => uid !== held), ...latecomers()].map(host) });
  await waits(eve);
  await eve.page.clock.runFor(31_000);
  await eve.until(([id, first, last]) => document.querySelector(`#${id}-m-${last} ~ #${id}-m-${first}`), [eve.x, before[0], before.at(-1)]);
  const named = [held, ...before.toReversed()];
  assert.deepEqual(
    (await eve.uids()).filter((uid) => named.includes(uid)),
    named,
  );
  await server.host('POST', `/groups/${guid}/members`, { participants: [held] });
  await eve.away();
  await sameAsFresh(eve);
});

scene(
  'of two who are put out, the one under the pointer and the one with the focus both stay when the list is fetched anew',
  async ({ viewer, server, guid }) => {
    const ada = await viewer('ada', { live: false });
    await ada.page.clock.install();
    await ada.page.reload();
    await ada.live('on');
    const [focused, pointed, ...others] = (await ada.uids()).slice(4);
    await ada.button(focused).focus();
    await ada.row(pointed).hover();
    const left = people().filter(({ uid }) => ![focused, pointed].includes(uid));
    await server.host('PUT', `/groups/${guid}/members`, { owner: 'ada', members: [...left, ...latecomers()].map(host) });
    await waits(ada);
    await ada.page.clock.runFor(31_000);
    await ada.root.locator('[data-uid^=late]').first().waitFor({ state: 'attached' });
    assert.deepEqual(
      (await ada.uids()).filter((uid) => [focused, pointed, others[0]].includes(uid)),
      [focused, pointed, others[0]],
    );
    await ada.focusOn(`a-${focused}`);
    await ada.button(focused).blur();
    await ada.away();
    await sameAsFresh(ada);
  },
);
