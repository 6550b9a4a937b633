// The address of our own page says what is on the screen: whoever opens it sees the same, live.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const query = (viewer) => Object.fromEntries(new URL(viewer.page.url()).searchParams);
const menuOf = (viewer, uid) => viewer.page.locator(`#${viewer.x}-menu:popover-open`, { hasText: people().find((person) => person.uid === uid).name });

/** Whether the row is where the person looks: inside the list's own box. */
const inSight = (viewer, uid) =>
  viewer.page.evaluate(
    ([row, list]) => {
      const [one, box] = [document.getElementById(row), document.querySelector(list)].map((element) => element.getBoundingClientRect());
      return one.top >= box.top && one.bottom <= Math.min(box.bottom, innerHeight);
    },
    [`${viewer.x}-m-${uid}`, `#${viewer.x} .chat-group-members__scroll`],
  );

scene('the address names the member whose menu is open, beside what is searched, and forgets them when it closes', async ({ viewer }) => {
  const ben = await viewer('ben', { query: '?searchKeyword=ee' });
  await ben.menu('dee');
  assert.deepEqual(query(ben), { searchKeyword: 'ee', member: 'dee' });
  await ben.page.keyboard.press('Escape');
  await ben.part('menu').waitFor({ state: 'hidden' });
  await ben.until(() => location.search === '?searchKeyword=ee');
  await ben.dialog('dee', 'kick');
  await ben.page.keyboard.press('Escape');
  await ben.closed();
  assert.deepEqual(query(ben), { searchKeyword: 'ee' }, 'also after a dialog');
  assert.equal(await ben.page.evaluate(() => history.length), 2, 'nothing to go back through');
});

scene('whoever opens the address of somebody far down sees them with their menu, and the list is live', async ({ viewer, actor }) => {
  const { data } = await actor('ben').members('?limit=100');
  const far = data[80].uid;
  const ben = await viewer('ben');
  while (!(await ben.row(far).count())) await ben.further();
  await ben.menu(far);
  const address = new URL(ben.page.url());
  const ada = await viewer('ada', { query: address.search });
  await menuOf(ada, far).waitFor();
  assert.ok(await inSight(ada, far));
  assert.ok((await ada.rows.count()) < people().length && (await ada.row('ada').count()) === 0, 'and only who is around them');
  assert.equal(query(ada).member, far);
  assert.equal(await ada.page.evaluate(() => document.activeElement.closest('[popover]')?.id), `${ada.x}-menu`, 'ready for the keyboard');
  await actor('ada').kick('dee');
  await ada.page.keyboard.press('Escape');
  await ada.focusOn(`a-${far}`);
  await ada.part('q').focus();
  await ada.away();
  while (await ada.further());
  while (await ada.part('previous').count()) {
    await ada.scrollTo(0);
    await ada.until(() => new Promise((done) => setTimeout(() => done(true), 100)));
  }
  assert.equal(await ada.rows.count(), people().length - 1, 'and it goes on from there, either way');
  await sameAsFresh(ada);
});

scene('an address is opened with search, filter and member together', async ({ viewer }) => {
  await viewer('elo');
  const ben = await viewer('ben', { query: '?searchKeyword=e&filter=online&member=elo' });
  await menuOf(ben, 'elo').waitFor();
  assert.deepEqual(await ben.uids(), ['ben', 'elo']);
  assert.equal(await ben.part('q').inputValue(), 'e');
  assert.equal(await ben.part('f-online').getAttribute('aria-current'), 'true');
  assert.deepEqual(query(ben), { searchKeyword: 'e', filter: 'online', member: 'elo' });
});

scene(
  'a filter whose answer comes after Dee was put out and has joined again leaves the address to the list that is there',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const dee = await viewer('dee', { base: road.base });
    await dee.page.evaluate((id) => (window.former = document.getElementById(id)), dee.x);
    const answer = road.gate(/filter=online/);
    await dee.part('f-online').click();
    await answer.arrived;
    await actor('ada').kick('dee');
    await dee.page.locator('.chat-group-members--ended').waitFor();
    await actor('dee').join();
    await dee.there('ada');
    answer.open();
    await dee.until(() => /filter=online/.test(window.former.querySelector('[data-query]').dataset.query));
    assert.deepEqual(query(dee), {});
    await sameAsFresh(dee);
  },
);

scene('Dee, who was put out with a menu open and has joined again, has no menu open, and no address that names one', async ({ viewer, actor }) => {
  const dee = await viewer('dee', { query: '?explain=true' });
  await dee.menu('ben');
  assert.deepEqual(query(dee), { explain: 'true', member: 'ben' });
  await actor('ada').kick('dee');
  await dee.page.locator('.chat-group-members--ended').waitFor();
  await actor('dee').join();
  await dee.live('on');
  await dee.until(() => !location.search.includes('member'));
  assert.equal(await dee.page.locator(':popover-open').count(), 0);
});

scene('who may do nothing to them sees the member all the same', async ({ viewer, actor }) => {
  const { data } = await actor('eve').members('?limit=100');
  const eve = await viewer('eve', { query: `?member=${data[60].uid}` });
  await eve.until((id) => document.getElementById(id), `${eve.x}-m-${data[60].uid}`);
  assert.ok(await inSight(eve, data[60].uid));
  assert.equal(await eve.part('menu').isVisible(), false);
});

scene('a member who is not in the view, or of whom nobody knows, is left out of account', async ({ viewer }) => {
  for (const [search, uid] of [
    ['?member=nobody', 'cy'],
    ['?member=%22%5D%20x%3E', 'cy'],
    ['?searchKeyword=brandt&member=dee', 'p10'],
  ]) {
    const ben = await viewer('ben', { query: search });
    assert.equal(await ben.part('menu').isVisible(), false, search);
    await ben.menu(uid);
    assert.equal(query(ben).member, uid, search);
    await ben.page.close();
  }
});

scene('without JavaScript the page has the member in it', async ({ viewer, actor }) => {
  const { data } = await actor('ben').members('?limit=100');
  const ben = await viewer('ben', { query: `?member=${data[70].uid}`, javaScriptEnabled: false });
  assert.ok((await ben.uids()).includes(data[70].uid));
  for (const name of ['Earlier in the list', 'More members']) assert.equal(await ben.page.getByRole('link', { name }).count(), 1, name);
});

scene("on a host's page the address is the host's", async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const answer = await actor('ben').ask('GET', '/members', undefined, { Accept: '*/*' });
  road.pages.set(
    '/host?member=eve',
    `<!doctype html><html lang="en"><head><title>A chat</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/static/css-variables.css"><script src="/static/chat-group-members.js" defer></script></head><body style="height: 600px">${await answer.text()}</body></html>`,
  );
  const ben = await viewer('ben', { base: road.base, path: '/host?member=eve' });
  await ben.menu('dee');
  assert.deepEqual(query(ben), { member: 'eve' });
});
