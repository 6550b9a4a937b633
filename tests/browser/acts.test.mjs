// Acting on members through menu and dialog, while somebody else watches.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const ALL = people().length;

/** The heading's number, once it is so. */
const headingSays = (viewer, scope, count) => viewer.page.locator(`#${viewer.x}-h-${scope} span`, { hasText: new RegExp(`^${count}$`) }).waitFor();

scene('Ben kicks Dee by the mouse; Eve sees her go, and every number with her', async ({ viewer }) => {
  const [ben, eve] = [await viewer('ben'), await viewer('eve')];
  await ben.dialog('dee', 'kick');
  assert.match(await ben.part('dialog').innerText(), /Dee Ferreira/);
  await ben.confirm();
  await ben.gone('dee');
  await eve.gone('dee');
  for (const one of [ben, eve]) {
    await headingSays(one, 'participant', ALL - 4);
    assert.match(await one.part('totals').innerText(), new RegExp(`${ALL - 1}`));
    assert.equal(await one.root.getAttribute('data-count'), String(ALL - 1));
    const [told, ...more] = await one.heard('member-kicked');
    assert.equal(told.member.uid, 'dee');
    assert.equal(told.by?.uid, one === ben ? 'ben' : undefined, 'who did it is for the team');
    assert.deepEqual(more, [], 'each hears of it once');
  }
});

scene('Cy bans Dee with a reason for a day, by the keyboard alone; focus comes back to the list', async ({ viewer }) => {
  const [cy, ada] = [await viewer('cy', { query: '?searchKeyword=e' }), await viewer('ada')];
  const keys = cy.page.keyboard;
  await cy.page.locator(`#${cy.x}-f-online`).focus();
  for (let i = 0; (await cy.focused()) !== `${cy.x}-m-dee`; i++) {
    assert.ok(i < 20, 'Tab enters the list, arrows reach the row');
    await keys.press(i ? 'ArrowDown' : 'Tab');
  }
  await keys.press('Alt+Enter');
  const focusedAct = (act) => cy.until((act) => document.activeElement?.dataset.action === act, act);
  await focusedAct('scope');
  await keys.press('Escape');
  await cy.focusOn('m-dee');
  await keys.press('Alt+Enter');
  await focusedAct('scope');
  const acts = await cy
    .part('menu')
    .locator('[data-action]')
    .evaluateAll((links) => links.map((link) => link.dataset.action));
  for (let i = 0; i < acts.indexOf('ban'); i++) await keys.press('ArrowDown');
  await focusedAct('ban');
  await keys.press('Enter');
  await cy.until(() => document.activeElement?.name === 'reason');
  await keys.type('spam & “worse”');
  await keys.press('Tab');
  await cy.until(() => document.activeElement?.name === 'message');
  await keys.press('Tab');
  await cy.until(() => document.activeElement?.name === 'until');
  await keys.press('ArrowUp');
  await keys.press('ArrowUp');
  assert.equal(await cy.page.evaluate(() => document.activeElement.value), '86400');
  await keys.press('Tab');
  await keys.press('Tab');
  await keys.press('Tab');
  await focusedAct('ban');
  await keys.press('Enter');
  await cy.closed();
  await cy.gone('dee');
  await cy.until((x) => document.activeElement?.id.startsWith(`${x}-m-`), cy.x);
  await ada.gone('dee');
  await ada.part('bans').click();
  const ban = ada.page.locator('.chat-group-members__ban[data-uid="dee"]');
  assert.match(await ban.innerText(), /spam & “worse”[^]*Cy Marlowe/);
});

scene('Escape and Cancel close the dialog and nothing has happened', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'ban');
  await ben.page.keyboard.press('Escape');
  await ben.closed();
  await ben.focusOn('a-dee');
  await ben.dialog('dee', 'kick');
  await ben.part('dialog').getByText('Cancel').click();
  await ben.closed();
  await ben.focusOn('a-dee');
  const { data } = await actor('ada').members('?searchKeyword=dee');
  assert.equal(data[0].uid, 'dee');
});

scene('Ben makes Dee a moderator: she moves for everybody, and gets menus without a reload', async ({ viewer, actor }) => {
  const [ben, dee, ada] = [await viewer('ben'), await viewer('dee'), await viewer('ada')];
  assert.equal(await dee.page.locator('[data-acts]').count(), 0);
  await dee.part('q').pressSequentially('a');
  await dee.until((id) => document.getElementById(id).dataset.query.includes('searchKeyword=a'), `${dee.x}-view`);
  await dee.further();
  await dee.scrollTo(700);
  const before = await dee.page.evaluate((x) => {
    window.kept = document.getElementById(`${x}-m-p10`);
    const box = document.querySelector('.chat-group-members__scroll');
    return { top: box.scrollTop, rows: document.querySelectorAll('[data-uid]').length };
  }, dee.x);
  await ben.dialog('dee', 'scope');
  await ben.part('dialog').locator('[value="moderator"]').check();
  await ben.confirm();
  await dee.page.locator(`#${dee.x}[data-scope="moderator"]`).waitFor();
  await dee.page.locator('[data-acts~="kick"]').first().waitFor({ state: 'attached' });
  await dee.part('bans').waitFor();
  const now = await dee.page.evaluate((x) => {
    const box = document.querySelector('.chat-group-members__scroll');
    return {
      top: box.scrollTop,
      rows: document.querySelectorAll('[data-uid]').length,
      same: window.kept === document.getElementById(`${x}-m-p10`),
      typed: document.getElementById(`${x}-q`).value,
    };
  }, dee.x);
  assert.equal(now.typed, 'a');
  assert.equal(now.same, true, 'rows keep their nodes');
  assert.equal(now.rows, before.rows, 'the loaded window stays');
  assert.ok(Math.abs(now.top - before.top) < 2, `scroll ${before.top} → ${now.top}`);
  assert.equal(await dee.focused(), `${dee.x}-q`);
  for (const one of [ben, ada]) {
    await headingSays(one, 'moderator', 2);
    const order = await one.order();
    assert.equal(order.indexOf('dee') - order.indexOf('cy'), 1, 'Dee after Cy, by name');
  }
  await dee.dialog('p10', 'kick');
  await dee.confirm();
  await dee.gone('p10');
  await actor('ben').scope('dee', 'participant');
  await dee.page.locator(`#${dee.x}[data-scope="participant"]`).waitFor();
  await dee.until(() => !document.querySelector('[data-acts]'));
  assert.equal(await dee.part('bans').count(), 0);
});

scene('Ada hands the group to Ben: he is first, she is an admin, and both can do what they now may', async ({ viewer }) => {
  const [ada, ben, eve] = [await viewer('ada'), await viewer('ben'), await viewer('eve')];
  await ada.dialog('ben', 'transfer');
  await ada.confirm();
  for (const one of [ada, ben, eve]) {
    await one.page.locator(`#${one.x}-m-ben[data-scope="owner"]`).waitFor();
    await one.page.locator(`#${one.x}-m-ada[data-scope="admin"]`).waitFor();
    await one.away();
    await one.until((x) => document.querySelector(`#${x}-list > [data-uid]`).dataset.uid === 'ben', one.x);
    assert.deepEqual((await one.order()).slice(0, 4), ['# owner 1', 'ben', '# admin 1', 'ada']);
  }
  await ada.page.locator(`#${ada.x}[data-scope="admin"]`).waitFor();
  await ben.page.locator(`#${ben.x}[data-scope="owner"]`).waitFor();
  await ben.page.locator(`#${ben.x}-m-ada[data-acts~="transfer"]`).waitFor();
  assert.equal(await ada.row('ben').getAttribute('data-acts'), null);
});

for (const first of ['refusal', 'component']) {
  scene(
    `a refusal is read in the dialog when the component comes anew around it, the ${first} first`,
    async ({ viewer, actor, proxy }) => {
      const road = await proxy();
      const ben = await viewer('ben', { base: road.base });
      await ben.dialog('dee', 'kick');
      const gates = { component: road.gate(/part=component/), refusal: road.gate(/members\/dee\?/) };
      await actor('ada').scope('ben', 'participant');
      await gates.component.arrived;
      await ben.part('dialog').locator('button[data-action]').click();
      await gates.refusal.arrived;
      const alert = ben.part('dialog').locator('[role="alert"]');
      const steps = { refusal: alert, component: ben.page.locator(`#${ben.x}[data-scope="participant"]`) };
      for (const what of [first, first === 'refusal' ? 'component' : 'refusal']) {
        gates[what].open();
        await steps[what].waitFor();
      }
      await ben.live('on');
      await alert.waitFor();
      await ben.page.keyboard.press('Escape');
      await ben.closed();
      await ben.page.locator(`#${ben.x} > .chat-group-members__error-place:empty`).waitFor({ state: 'attached' });
      await sameAsFresh(ben);
    },
    { complaints: /403|htmx/ },
  );
}

scene('Eve leaves by her own menu; the list says that she is out, and Ada sees her go', async ({ viewer }) => {
  const [eve, ada] = [await viewer('eve', { query: '?searchKeyword=eve' }), await viewer('ada')];
  await eve.dialog('eve', 'leave');
  await eve.part('dialog').locator('button[data-action="leave"]').click();
  await eve.page.locator('.chat-group-members--ended').waitFor();
  await ada.gone('eve');
  assert.match(await eve.root.innerText(), /You have left .*Join again/s);
  await eve.until(() => document.activeElement.matches('.chat-group-members--ended'));
  await eve.page.keyboard.press('Tab');
  assert.equal(await eve.page.evaluate(() => document.activeElement.textContent), 'Join again');
});

scene('whoever is in the list when they are put out is at what it says then; whoever is elsewhere stays there', async ({ viewer, actor }) => {
  const dee = await viewer('dee');
  const eve = await viewer('eve');
  await dee.part('q').focus();
  await eve.page.evaluate(() => document.body.prepend(Object.assign(document.createElement('textarea'), { id: 'message' })));
  await eve.page.locator('#message').focus();
  await actor('ben').kick('dee');
  await actor('ben').kick('eve');
  for (const one of [dee, eve]) await one.page.locator('.chat-group-members--ended').waitFor();
  await dee.until(() => document.activeElement.matches('.chat-group-members--ended'));
  assert.equal(await eve.page.evaluate(() => document.activeElement.id), 'message');
});

scene('a kicked viewer sees the reason in place of the list, and nothing later arrives', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const dee = await viewer('dee', { base: road.base });
  await actor('ben').kick('dee');
  await dee.page.locator('.chat-group-members--ended [role="alert"]').waitFor();
  assert.match(await dee.root.innerText(), /You were removed from this group/);
  assert.equal(await dee.root.getAttribute('data-live'), 'off');
  assert.equal(await dee.page.locator('[data-uid]').count(), 0);
  const asked = road.asked.length;
  const eve = await viewer('eve');
  await actor('ben').kick('cy');
  await eve.gone('cy');
  await actor('dee', 'Dee Again').join();
  await eve.page.locator(`#${eve.x}[data-count="${ALL - 1}"]`).waitFor();
  assert.equal(await dee.page.locator('[data-uid]').count(), 0);
  assert.equal(road.asked.length, asked, 'the page asks for nothing any more');
});

scene('a banned viewer is told of the ban', async ({ viewer, actor }) => {
  const dee = await viewer('dee');
  await actor('cy').ban('dee', { reason: 'spam' });
  await dee.page.locator('.chat-group-members--ended').waitFor();
  assert.match(await dee.root.innerText(), /You are banned from this group.*unless it is lifted/s);
});

scene(
  'an act that is refused says why inside the dialog, and the dialog stays usable',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    await ben.dialog('cy', 'kick');
    await actor('ada').transfer('cy');
    await ben.page.locator(`#${ben.x}-m-cy[data-scope="owner"]`).waitFor({ state: 'attached' });
    await ben.part('dialog').locator('button[data-action="kick"]').click();
    const alert = ben.part('dialog').locator('[role="alert"]');
    await alert.waitFor();
    assert.equal(await alert.getAttribute('data-code'), 'ERR_GROUP_NO_CLEARANCE');
    const [{ code }] = await ben.heard('error');
    assert.equal(code, 'ERR_GROUP_NO_CLEARANCE');
    assert.equal(await ben.part('dialog').locator('button[data-action="kick"]').isEnabled(), true);
    await ben.page.keyboard.press('Escape');
    await ben.closed();
    // With its dialog: the event comes a moment after the dialog is closed.
    await alert.waitFor({ state: 'detached' });
    await ben.page.locator('[role="alert"]').waitFor({ state: 'detached' });
  },
  { complaints: /403 \(Forbidden\)/ },
);

scene(
  'a race that Ben loses: his screen is put right, says who was faster and when, and the focus is never lost',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const ben = await viewer('ben', { base: road.base });
    await ben.dialog('dee', 'kick');
    const gate = road.gate(/\/events/);
    road.cut();
    await ben.live('reconnecting');
    await actor('ada').scope('dee', 'admin');
    assert.equal(await ben.row('dee').getAttribute('data-scope'), 'participant', 'Ben has not heard of it');
    await ben.press(ben.part('dialog').locator('button[data-action="kick"]'), 'Enter');
    const alert = ben.part('dialog').getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.innerText(), /people below you[^]*Ada Lindqvist made Dee Ferreira admin[^]*\d:\d\d/);
    const row = ben.page.locator(`#${ben.x}-m-dee[data-scope="admin"]`);
    await row.waitFor({ state: 'attached' });
    assert.equal(await row.getAttribute('data-acts'), null, 'with the acts that are left: none');
    assert.equal(await ben.page.evaluate(() => document.activeElement.dataset.action), 'kick', 'where Ben is');
    const [told] = await ben.heard('error');
    assert.equal(told.code, 'ERR_GROUP_NO_CLEARANCE');
    assert.match(told.details, /Ada Lindqvist made Dee Ferreira admin/);
    await ben.page.keyboard.press('Escape');
    await ben.closed();
    await ben.focusOn('m-dee'); // Dee has no button any more: her row has it
    gate.open();
    await ben.live('on');
    await ben.part('q').focus();
    await ben.away();
    await sameAsFresh(ben);
  },
  { complaints: /403 \(Forbidden\)|net::ERR_|htmx/ },
);

scene('a button whose right ends while it has the focus hands the focus on', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.button('cy').focus();
  await actor('ada').transfer('cy');
  await ben.page.locator(`#${ben.x}-m-cy[data-scope="owner"]`).waitFor();
  assert.equal(await ben.focused(), `${ben.x}-m-cy`, 'the row keeps it');
});

scene(
  'whose own rights end while a dialog is open is told why inside the dialog',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    await ben.dialog('dee', 'ban');
    await actor('ada').scope('ben', 'participant');
    await ben.page.locator(`#${ben.x}[data-scope="participant"][data-live="on"]`).waitFor();
    await ben.part('dialog').locator('button[data-action="ban"]').click();
    const alert = ben.part('dialog').locator('[role="alert"]');
    await alert.waitFor();
    assert.equal(await alert.getAttribute('data-code'), 'ERR_GROUP_NO_CLEARANCE');
    await ben.page.keyboard.press('Escape');
    await ben.closed();
  },
  { complaints: /403 \(Forbidden\)/ },
);

scene('the form of an act is let go of once the next one is open', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'mute');
  await ben.page.evaluate((id) => (window.form = new WeakRef(document.querySelector(`#${id} form`))), `${ben.x}-dialog`);
  await ben.press(ben.part('dialog').locator('button[data-action]'), 'Enter');
  await ben.closed();
  await ben.dialog('cy', 'kick');
  await ben.page.requestGC();
  assert.equal(await ben.page.evaluate(() => window.form.deref()?.outerHTML), undefined);
});

const LOST = /ERR_|Failed to fetch|409 \(Conflict\)/;

/**
 * Ben does this to Dee, and the answer never arrives: his dialog, with its button. The road is down for a moment, because a browser
 * sends a request again by itself whose kept connection breaks.
 */
async function actAndLoseTheAnswer({ viewer, proxy }, act) {
  const road = await proxy();
  const ben = await viewer('ben', { base: road.base });
  await ben.dialog('dee', act);
  const lost = road.gate(/\/(members|bans|mutes)\/dee\?/);
  const dialog = ben.part('dialog');
  const button = dialog.locator('button[data-action]');
  await button.click();
  await lost.arrived;
  lost.forget();
  road.down = true;
  road.cut();
  await dialog.locator('[role="alert"]').waitFor();
  road.down = false;
  return { ben, dialog, button };
}

for (const [act, isDone] of [
  ['kick', (ben, uid) => ben.gone(uid)],
  ['ban', (ben, uid) => ben.gone(uid)],
  ['mute', (ben, uid) => ben.row(uid).locator('[data-muted]').waitFor()],
]) {
  scene(
    `an act whose answer is lost is the same act when it is pressed again, and can be undone: ${act}`,
    async (it) => {
      const { ben, button } = await actAndLoseTheAnswer(it, act);
      await ben.live('on');
      await isDone(ben, 'dee');
      await button.click();
      await ben.closed();
      assert.equal(await ben.page.locator('.chat-group-members__error').count(), 0);
      await ben.page.locator('.chat-group-members__undo button').click();
      if (act === 'mute') await ben.row('dee').locator('[data-muted]').waitFor({ state: 'detached' });
      else await ben.there('dee');
      await sameAsFresh(ben);
    },
    { complaints: LOST },
  );
}

scene(
  'another reason after a lost answer is another act',
  async (it) => {
    const { ben, dialog, button } = await actAndLoseTheAnswer(it, 'mute');
    await dialog.locator('[name="reason"]').fill('Shouting, twice.');
    await button.click();
    await dialog.locator('[data-code]').waitFor();
    assert.equal(await ben.page.locator('[name="reason"]').inputValue(), 'Shouting, twice.', 'nothing typed is lost');
  },
  { complaints: LOST },
);

scene('while an act is being sent its button keeps the focus, and a second press sends nothing', async ({ viewer, proxy }) => {
  const road = await proxy();
  const ben = await viewer('ben', { base: road.base });
  await ben.dialog('dee', 'kick');
  const slow = road.gate(/\/members\/dee\?/);
  const button = ben.part('dialog').locator('button[data-action]');
  await button.focus();
  await ben.page.keyboard.press('Enter');
  await slow.arrived;
  assert.equal(await button.evaluate((button) => button === document.activeElement), true);
  assert.equal(await ben.part('dialog').locator('form').getAttribute('aria-busy'), 'true');
  await ben.page.keyboard.press('Enter');
  await button.click();
  slow.open();
  await ben.closed();
  await ben.gone('dee');
  assert.equal(road.asked.filter((asked) => /^POST .*\/members\/dee/.test(asked)).length, 1);
});
