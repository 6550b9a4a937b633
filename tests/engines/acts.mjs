// Menus and dialogs, by the pointer.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';

/** Where two things are: [left, top, right, bottom] each. */
const boxes = (viewer, ...selectors) =>
  viewer.ask(
    (selectors) =>
      selectors.map((selector) => {
        const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
        return [left, top, right, bottom];
      }),
    selectors,
  );

/** The open menu ends where the button of its person does, right below or above it; where the menu is. */
export async function besideButton(viewer, uid) {
  const [menu, button] = await boxes(viewer, viewer.part('menu'), viewer.button(uid));
  assert.ok(Math.abs(menu[2] - button[2]) < 2, `ends where the button ends: ${menu} ${button}`);
  // Four pixels from it; a font that comes late moves the row by two.
  const gaps = [menu[1] - button[3], button[1] - menu[3]];
  assert.ok(
    gaps.some((gap) => gap >= 0 && gap < 8),
    `below or above it: ${menu} ${button}`,
  );
  return menu;
}

export function acts(scene) {
  scene('the menu opens beside its button and in the window; Escape, a press outside and a second press close it', async ({ viewer }) => {
    const ben = await viewer('ben');
    // The first menu may be placed before its font has come, which makes it higher.
    await ben.menu('dee');
    await ben.press('Escape');
    await ben.hidden(ben.part('menu'));
    await ben.menu('dee');
    const menu = await besideButton(ben, 'dee');
    assert.ok(menu[0] >= 0 && menu[1] >= 0 && menu[2] <= 520 && menu[3] <= 760, `${menu}`);
    assert.deepEqual(
      await ben.ask((selector) => [...document.querySelectorAll(`${selector} [data-action]`)].map(({ dataset }) => dataset.action), ben.part('menu')),
      ['scope', 'notes', 'mute', 'kick', 'ban'],
    );
    await ben.press('Escape');
    await ben.hidden(ben.part('menu'));
    await ben.focusIn('dee');
    await ben.menu('dee');
    await ben.click(ben.button('dee'));
    await ben.hidden(ben.part('menu'));
    await ben.menu('dee');
    await ben.click(ben.part('title'));
    await ben.hidden(ben.part('menu'));
    await ben.away();
    await sameAsFresh(ben);
  });

  scene(
    'a first press that cannot fetch the menus says so, and they open with the next try once they can be had',
    async ({ viewer, road }) => {
      road.broken = /chat-group-members-acts\.\w+\.js/;
      const eve = await viewer('eve');
      const again = `${eve.part('error')} button`;
      await eve.click(eve.button('eve'));
      await eve.shown(again);
      road.broken = null;
      await eve.activate(again);
      await eve.shown(`${eve.part('menu')} [data-action]`);
    },
    { complaints: /dynamically imported module|Importing a module script failed/ },
  );

  scene('Ben bans Dee: the dialog is modal, can be left by Escape, and says what was done', async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    await ben.dialog('dee', 'ban');
    assert.equal(await ben.ask((selector) => document.querySelector(selector).matches(':modal'), ben.part('dialog')), true);
    assert.equal(await ben.ask(() => document.activeElement.name), 'reason', 'the first field that can be seen has the focus');
    await ben.press('Escape');
    await ben.hidden(ben.part('dialog'));
    await ben.focusIn('dee');
    assert.equal((await actor('ben').members('?searchKeyword=dee')).data.length, 1, 'nothing has happened');
    await ben.dialog('dee', 'ban');
    await ben.click(`${ben.part('dialog')} textarea`);
    await ben.press('tramples the beds');
    await ben.click(`${ben.part('dialog')} [name="until"][value="3600"] + span`);
    await ben.confirm();
    await ben.gone(ben.row('dee'));
    assert.ok(await ben.ask((selector) => document.querySelector(selector).contains(document.activeElement), ben.part('list')), 'the focus stays in the list');
    await ben.away();
    await sameAsFresh(ben);
    const answer = await actor('ben').ask('GET', '/bans');
    const [ban] = (await answer.json()).data;
    assert.equal(ban.reason, 'tramples the beds');
    assert.ok(ban.until, 'for an hour');
  });

  scene('Ada makes Dee a moderator: the row goes to its section, and the focus with it', async ({ viewer }) => {
    const ada = await viewer('ada');
    await ada.dialog('dee', 'scope');
    await ada.click(`${ada.part('dialog')} [value="moderator"] + span`);
    await ada.confirm();
    await ada.there(`${ada.row('dee')}[data-scope="moderator"]`);
    await ada.until(
      (x) =>
        [...document.querySelectorAll(`#${x} [data-uid][data-order]`)]
          .slice(0, 4)
          .map(({ dataset }) => dataset.uid)
          .join() === 'ada,ben,cy,dee',
      ada.x,
    );
    await ada.focusIn('dee');
    await ada.away();
    await sameAsFresh(ada);
  });

  scene('selected people are counted, outlive a search, and are sent', async ({ viewer }) => {
    const eve = await viewer('eve', { query: '?selectionMode=multiple' });
    await eve.click(eve.part('s-cy'));
    await eve.search('ferreira');
    await eve.shows('dee');
    await eve.click(eve.part('s-dee'));
    await eve.says(eve.part('count'), '2 selected');
    await eve.search('');
    await eve.there(eve.row('ada'));
    assert.deepEqual(
      await eve.ask(
        (x) => [...document.querySelectorAll(`#${x} [data-uid]`)].filter((row) => row.querySelector('input').checked).map(({ dataset }) => dataset.uid),
        eve.x,
      ),
      ['cy', 'dee'],
    );
    await eve.click(`${eve.part('selection')} button:not([type="reset"])`);
    await eve.until(() => document.readyState === 'complete' && location.pathname.endsWith('/selection'));
    assert.match(await eve.text('main'), /Cy Marlowe.*Dee Ferreira/);
  });
}
