// An operator's templates on screen: rows of one's own are as live as ours, menus work by mouse, by
// keyboard and without JavaScript, and a changed template changes the open page.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import { fewPeople, people } from './cast.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

const folder = mkdtempSync(join(tmpdir(), 'cgm-views-'));
const put = (name, text) => writeFileSync(join(folder, `${name}.html`), text);
const CARD = '<b class="card">{{ member.name }}</b>\n\n<i>{{ member.scope }}, {{ member.status }}{% if own %}, that is you{% endif %}</i>';

put('card', CARD);
put('head', '<h2 class="head">{{ group.name }}: {{ group.membersCount }}</h2>{{ totals }}');
put('none', 'nobody called {{ search }}');
put('wait', '<em class="wait">one moment</em>');
put('menu', "{{ option('message', 'Message ' ~ member.name) }}\n{{ link('/groups/' ~ group.guid ~ '?of=' ~ member.uid, 'Profile') }}\n{{ acts() }}");
put('oops', '<em>{{ title }}</em> {{ detail }}');
put('reload', '<b>before</b>');

stage(() => ({ CGM_VIEWS: folder }));
after(() => rmSync(folder, { recursive: true, force: true }));

const listen = (viewer) =>
  viewer.page.evaluate(() => {
    window.chosen = [];
    for (const name of ['option', 'item-click', 'error']) {
      document.addEventListener(`chat-group-members:${name}`, ({ detail }) => window.chosen.push({ name, ...detail }));
    }
  });
const chosen = (viewer) => viewer.page.evaluate(() => window.chosen);

scene('rows and a header of one’s own stay live, find their place, and are what a fresh page has', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { query: '?itemView=card&headerView=head' });
  await eve.away();
  assert.match(await eve.row('ben').innerText(), /Ben Okafor\s+admin, offline/);
  await eve
    .row('eve')
    .filter({ hasText: /online, that is you/ })
    .waitFor();
  await actor('ada').scope('p10', 'moderator');
  await eve.page.locator(`#${eve.x}-m-p10[data-scope="moderator"]`).waitFor();
  const order = await eve.order();
  assert.ok(order.indexOf('p10') > order.indexOf('# moderator 2') && order.indexOf('p10') < order.findIndex((item) => item.startsWith('# participant')));
  assert.match(await eve.row('p10').innerText(), /moderator, offline/);
  await actor('ada').kick('p11');
  await eve.page.locator('.head', { hasText: `: ${people().length - 1}` }).waitFor();
  const ben = await viewer('ben');
  await eve.page.locator(`#${eve.x}-m-ben`, { hasText: 'admin, online' }).waitFor();
  await eve.further();
  await sameAsFresh(eve);
  await ben.context.close();
});

scene(
  'a screen that was away says statuses as they are now',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base, query: '?itemView=card' });
    road.down = true;
    road.cut();
    await viewer('cy');
    assert.match(await eve.row('cy').innerText(), /moderator, offline/);
    road.down = false;
    await eve.page.locator(`#${eve.x}-m-cy`, { hasText: 'moderator, online' }).waitFor();
    await eve.away();
    await sameAsFresh(eve);
  },
  { complaints: /ERR_|Failed to (load|fetch)/ },
);

scene(
  'an option raises an event with its member, by mouse and by keyboard',
  async ({ viewer }) => {
    const eve = await viewer('eve', { query: '?itemView=card&options=menu&groupBy=none' });
    await listen(eve);
    await eve.menu('ben');
    await eve.part('menu').locator('[data-option="message"]').click();
    await eve.focusOn('a-ben');
    await eve.button('ada').focus();
    await eve.page.keyboard.press('Enter');
    await eve.until(() => document.activeElement?.dataset.option === 'message');
    await eve.page.keyboard.press('ArrowDown');
    await eve.until(() => document.activeElement?.textContent === 'Profile');
    await eve.page.keyboard.press('ArrowUp');
    await eve.page.keyboard.press('Enter');
    await eve.focusOn('a-ada');
    const [ada, ben] = people();
    const told = (await chosen(eve)).map(({ name, id, member: { status, ...member } }) => [name, id, member]);
    const member = ({ uid, name, scope, joinedAt }) => ({ uid, name, scope, avatar: null, joinedAt });
    assert.deepEqual(
      told,
      [ben, ada].map((one) => ['option', 'message', member(one)]),
    );
  },
  { members: fewPeople() },
);

scene(
  'acts among options open their dialog as ever, and a link leads on',
  async ({ viewer }) => {
    const ben = await viewer('ben', { query: '?options=menu' });
    await ben.dialog('dee', 'kick');
    await ben.confirm();
    await ben.gone('dee');
    await ben.menu('eve');
    await ben.part('menu').getByText('Profile').click();
    await ben.page.waitForURL(/groups\/g\d+\?of=eve$/);
  },
  { members: fewPeople() },
);

scene(
  'without JavaScript a link option leads on, and options that need a script are not shown',
  async ({ viewer }) => {
    const eve = await viewer('eve', { javaScriptEnabled: false, query: '?options=menu' });
    await eve.page.locator('[data-uid="ben"] a').click();
    await eve.page.locator('h1', { hasText: 'Ben Okafor' }).waitFor();
    assert.equal(await eve.page.getByText('Message Ben').count(), 0);
    await eve.page.getByRole('link', { name: 'Profile' }).click();
    await eve.page.waitForURL(/groups\/g\d+\?of=ben$/);
  },
  { members: fewPeople() },
);

scene('a search shows what the templates say while it is on its way, and when nobody is found', async ({ viewer }) => {
  const eve = await viewer('eve', { query: '?emptyView=none&loadingView=wait' });
  const wait = eve.page.locator('.wait');
  assert.equal(await wait.isVisible(), false);
  let answer;
  await eve.page.route(/part=view/, async (route) => {
    await new Promise((done) => (answer = done));
    await route.continue();
  });
  await eve.part('q').fill('nobody');
  await wait.waitFor();
  answer();
  await eve.part('empty').getByText('nobody called nobody').waitFor();
  assert.equal(await eve.part('say').innerText(), 'nobody called nobody');
  assert.equal(await wait.isVisible(), false);
});

scene(
  'a refusal is said in the template’s words, and the event has ours',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben', { query: '?errorView=oops' });
    await listen(ben);
    await ben.dialog('cy', 'kick');
    await actor('ada').transfer('cy');
    await ben.page.locator(`#${ben.x}-m-cy[data-scope="owner"]`).waitFor({ state: 'attached' });
    await ben.part('dialog').locator('button[data-action="kick"]').click();
    await ben.part('dialog').locator('[role="alert"] em').waitFor();
    const [error] = await chosen(ben);
    assert.equal(error.code, 'ERR_GROUP_NO_CLEARANCE');
    assert.equal(error.message, 'Not allowed');
    assert.ok(error.details.length > 10, error.details);
  },
  { members: fewPeople(), complaints: /403 \(Forbidden\)/ },
);

scene(
  'a changed template changes the open page',
  async ({ viewer }) => {
    const eve = await viewer('eve', { query: '?trailingView=reload' });
    const shown = (text) => eve.page.locator(`#${eve.x}-m-ben b`, { hasText: text }).waitFor();
    await shown('before');
    await eve.page.evaluate((x) => (window.kept = document.getElementById(`${x}-m-ben`)), eve.x);
    put('reload', '<b>afterwards</b>');
    await shown('afterwards');
    assert.ok(await eve.page.evaluate((x) => window.kept === document.getElementById(`${x}-m-ben`), eve.x), 'rows keep their nodes');
    await eve.away();
    await sameAsFresh(eve);
  },
  { members: fewPeople() },
);
