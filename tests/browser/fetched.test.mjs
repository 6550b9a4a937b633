// Menus, dialogs and selecting come when somebody first needs them: what if they come late, or not at all.

import assert from 'node:assert/strict';

import { bar, undo } from './bars.mjs';
import { scene, stage } from './support.mjs';

stage();

const SCRIPT = /chat-group-members-acts\.\w+\.js/;
const STAFF = /chat-group-members-staff\.\w+\.js/;
const complaints = /502 \(Bad Gateway\)|dynamically imported module/;
const multiple = { query: '?selectionMode=multiple' };

const moment = (viewer) => viewer.page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
/** By keys: the list is one stop, and arrows lead from row to row. Letters would ask for the script themselves. */
async function goToOwnRow(eve) {
  await eve.page.locator('.chat-group-members__row[tabindex="0"]').focus();
  while ((await eve.focused()) !== `${eve.x}-m-eve`) await eve.page.keyboard.press('ArrowDown');
}

const ticked = (viewer) => viewer.page.locator('.chat-group-members__select:checked').evaluateAll((boxes) => boxes.map(({ value }) => value));

scene('whoever only reads loads nothing to act with; whoever looks after others has it before the first press', async ({ viewer }) => {
  const asked = (viewer) =>
    viewer.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => /acts\./.test(name)),
    );
  const [ben, eve] = [await viewer('ben'), await viewer('eve')];
  await ben.until(() => performance.getEntriesByType('resource').some(({ name }) => /acts\..*js/.test(name)));
  assert.deepEqual(await asked(eve), []);
  await eve.menu('eve');
  assert.equal((await asked(eve)).length, 2);
});

scene(
  'a first press that cannot fetch the menus says so where it was made, and tries again',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base });
    const address = eve.page.url();
    road.broken = SCRIPT;
    await eve.button('eve').click();
    const alert = eve.part('error').getByRole('alert');
    await alert.waitFor();
    assert.equal(eve.page.url(), address);
    road.broken = null;
    await alert.getByRole('button').click();
    await eve.page.locator(':popover-open').waitFor();
    await alert.waitFor({ state: 'detached' });
  },
  { complaints },
);

scene(
  'without the script of staff Ben has his menus, and a kick is done; once it can be fetched the next one has its bar',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    road.broken = STAFF;
    const ben = await viewer('ben', { base: road.base });
    await ben.dialog('dee', 'kick');
    await ben.confirm();
    await ben.gone('dee');
    assert.equal(await bar(ben).count(), 0);
    road.broken = null;
    await ben.search('Eve');
    await ben.there('eve');
    await road.until(() => road.asked.filter((line) => STAFF.test(line)).length > 1);
    await ben.dialog('eve', 'kick');
    await ben.confirm();
    await undo(ben).click();
    await ben.there('eve');
  },
  { complaints },
);

scene('Ben does not wait for a script of staff that never arrives: his menu opens', async ({ viewer, proxy }) => {
  const road = await proxy();
  const hanging = road.gate(STAFF);
  const ben = await viewer('ben', { base: road.base });
  await hanging.arrived;
  await ben.button('dee').click();
  await ben.page.locator(':popover-open').waitFor();
  hanging.open();
});

scene('a first press whose menus never arrive says so, and opens them with the next try once they have', async ({ viewer, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const hanging = road.gate(SCRIPT);
  await eve.button('eve').click();
  await hanging.arrived;
  const alert = eve.part('error').getByRole('alert');
  await alert.waitFor();
  assert.equal(await eve.button('eve').getAttribute('aria-busy'), null);
  hanging.open();
  await alert.getByRole('button').click();
  await eve.page.locator(':popover-open').waitFor();
});

scene('a menu asked for by key does not open once one has gone on, and its button says that it is awaited', async ({ viewer, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const slow = road.gate(SCRIPT);
  await goToOwnRow(eve);
  await eve.page.keyboard.press('Alt+Enter');
  await slow.arrived;
  assert.equal(await eve.button('eve').getAttribute('aria-busy'), 'true');
  await eve.page.keyboard.press('ArrowUp');
  slow.open();
  await eve.until((id) => !document.getElementById(id).querySelector('[aria-busy]'), `${eve.x}-list`);
  await moment(eve);
  assert.equal(await eve.page.locator(':popover-open').count(), 0);
  const menu = road.gate(/part=menu/);
  await goToOwnRow(eve);
  await eve.page.keyboard.press('Alt+Enter');
  await menu.arrived;
  await eve.part('q').focus();
  menu.open();
  await eve.until((id) => !document.getElementById(id).querySelector('[aria-busy]'), `${eve.x}-list`);
  await moment(eve);
  assert.equal(await eve.page.locator(':popover-open').count(), 0);
  assert.equal(await eve.part('q').evaluate((box) => box === document.activeElement), true);
});

scene('who is ticked before selecting has come stays selected through a search', async ({ viewer, proxy }) => {
  const road = await proxy();
  const slow = road.gate(SCRIPT);
  const eve = await viewer('eve', { base: road.base, ...multiple });
  await slow.arrived;
  await eve.row('ben').locator('.chat-group-members__select').check();
  await eve.part('q').fill('dee');
  const answered = eve.page.waitForResponse(/part=view/);
  await answered;
  slow.open();
  await eve.gone('ben');
  await eve.until((id) => document.getElementById(id).textContent === '1 selected', `${eve.x}-count`);
  await eve.part('q').fill('');
  await eve.there('ben');
  assert.deepEqual(await ticked(eve), ['ben']);
});

scene(
  'a selection that cannot be looked after says so, and what was ticked counts once it can',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    road.broken = SCRIPT;
    const eve = await viewer('eve', { base: road.base, ...multiple });
    const alert = eve.part('error').getByRole('alert');
    await alert.waitFor();
    await eve.row('ben').locator('.chat-group-members__select').check();
    road.broken = null;
    await alert.getByRole('button').click();
    await eve.until((id) => document.getElementById(id).textContent === '1 selected', `${eve.x}-count`);
    assert.equal(await alert.count(), 0);
  },
  { complaints },
);

scene(
  'on a phone, an act whose dialog does not come says so where Ben is looking',
  async ({ viewer }) => {
    const ben = await viewer('ben', { viewport: { width: 390, height: 760 }, hasTouch: true });
    await ben.menu('dee');
    await ben.page.route('**/*part=dialog*', (route) => route.abort());
    await ben.part('menu').locator('[data-action="kick"]').click();
    const alert = ben.part('error').getByRole('alert');
    await alert.waitFor();
    assert.ok(
      await alert.evaluate((alert) => {
        const { left, top, width, height } = alert.getBoundingClientRect();
        return alert.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      }),
    );
  },
  { complaints: /Failed to fetch|net::ERR_FAILED/ },
);
