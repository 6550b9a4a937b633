// Acts on several people, by the keyboard alone and by a finger: from both sides.

import assert from 'node:assert/strict';

import { touchScreen } from './finger.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const bar = (viewer) => viewer.root.locator('.chat-group-members__undo');
const notice = (viewer) => viewer.root.locator('.chat-group-members__notice');
const press = async (viewer, ...keys) => {
  for (const key of keys) await viewer.page.keyboard.press(key);
};
/** Waits until so many are selected; with none, until selecting works. */
const selected = (viewer, count) => viewer.page.locator(`#${viewer.x}-count`, { hasText: `${count} selected` }).waitFor();
/** So long that what is typed begins anew. */
const pause = async (viewer) => viewer.until((since) => performance.now() - since > 500, await viewer.page.evaluate(() => performance.now()));

/** More stops of the Tab key than the page, or a dialog, has: a field for a date has several. */
const MOST_STOPS = 30;

/** From stop to stop until the focus is on what matches. It is lost at none of them. */
async function goTo(viewer, selector, key = 'Tab') {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    const [isThere, isLost] = await viewer.page.evaluate(
      (selector) => [document.activeElement.matches(selector), document.activeElement === document.body],
      selector,
    );
    if (isThere) return;
    assert.ok(!isLost || !stops, `the focus is lost on the way to ${selector}`);
    await press(viewer, key);
  }
  assert.fail(`${key} does not lead to ${selector}`);
}

scene(
  'by the keyboard alone Ben selects three, reads whom he cannot mute, mutes the others for an hour, and takes it back; Dee reads why',
  async ({ viewer }) => {
    const [ben, dee] = [await viewer('ben', { query: '?selectionMode=multiple' }), await viewer('dee')];
    await selected(ben, 0);
    await goTo(ben, `#${ben.x}-m-ada`);
    await press(ben, 'Space', 'ArrowDown', 'ArrowDown');
    await ben.focusOn('m-cy');
    await press(ben, 'Space');
    await selected(ben, 2);
    await ben.page.keyboard.type('dee');
    await ben.focusOn('m-dee');
    await pause(ben);
    await press(ben, 'Space');
    await selected(ben, 3);

    await goTo(ben, `#${ben.x}-selection [value="mute"]`);
    await press(ben, 'Enter');
    const dialog = ben.part('dialog');
    await dialog.locator('form').waitFor();
    await ben.until((x) => document.getElementById(`${x}-dialog`).contains(document.activeElement), ben.x);
    assert.match(await dialog.innerText(), /Affected: 2[^]*Not possible for 1:/);
    await goTo(ben, 'details:last-of-type > summary');
    await press(ben, 'Enter');
    await dialog.getByRole('listitem').filter({ hasText: 'Ada Lindqvist' }).waitFor();
    await goTo(ben, '[name="message"]');
    await ben.page.keyboard.type('An hour of quiet, please.');
    await goTo(ben, '[name="until"]');
    await press(ben, 'ArrowRight');
    assert.equal(await dialog.locator('[name="until"]:checked').getAttribute('value'), '3600');
    await goTo(ben, 'button[data-action="mute"]');
    await press(ben, 'Enter');
    await ben.closed();

    for (const uid of ['cy', 'dee']) await ben.row(uid).getByText('Muted until').waitFor();
    await notice(dee).getByText('An hour of quiet, please.').waitFor();
    // What the bar says is heard as well, and the focus is where it was in the list.
    await ben.part('say').getByText('2 people were muted.').waitFor({ state: 'attached' });
    await ben.focusOn('m-dee');
    await goTo(ben, '.chat-group-members__undo button', 'Shift+Tab');
    await press(ben, 'Enter');
    await bar(ben).waitFor({ state: 'detached' });
    for (const uid of ['cy', 'dee']) await ben.row(uid).getByText('Muted until').waitFor({ state: 'detached' });
    await notice(dee).waitFor({ state: 'detached' });
    await ben.until((x) => document.getElementById(x).contains(document.activeElement), ben.x);
    await sameAsFresh(ben);
    await sameAsFresh(dee);
  },
);

scene('Escape leaves the dialog of several people by the keyboard: nothing is done, and they are still selected', async ({ viewer, actor }) => {
  const ben = await viewer('ben', { query: '?selectionMode=multiple' });
  await selected(ben, 0);
  await goTo(ben, `#${ben.x}-m-ada`);
  await press(ben, 'ArrowDown', 'ArrowDown', 'Space');
  await selected(ben, 1);
  await goTo(ben, `#${ben.x}-selection [value="ban"]`);
  await press(ben, 'Enter');
  await ben.part('dialog').locator('form').waitFor();
  await ben.until((x) => document.getElementById(`${x}-dialog`).contains(document.activeElement), ben.x);
  await press(ben, 'Escape');
  await ben.closed();
  await ben.focusOn('m-cy');
  await selected(ben, 1);
  const { data } = await (await actor('ada').ask('GET', '/bans')).json();
  assert.deepEqual(data, []);
});

scene('by a finger Ben finds all acts in the bar of a phone, kicks two whom he has selected, and takes it back; Eve sees both', async ({ viewer }) => {
  const [ben, eve] = [await viewer('ben', { ...touchScreen, query: '?selectionMode=multiple' }), await viewer('eve')];
  const before = await eve.uids();
  await selected(ben, 0);
  for (const uid of ['cy', 'dee']) await ben.row(uid).locator('p').tap();
  await selected(ben, 2);

  const acts = await ben.part('selection').locator('[name="act"]').all();
  assert.equal(acts.length, 4);
  for (const act of acts) {
    const { x, y, width, height } = await act.boundingBox();
    const { viewport } = touchScreen;
    assert.ok(x >= 0 && x + width <= viewport.width && y + height <= viewport.height, `${await act.innerText()} is in sight`);
  }

  await ben.part('selection').locator('[value="kick"]').tap();
  const dialog = ben.part('dialog');
  await dialog.locator('form').waitFor();
  await dialog.locator('summary').first().tap();
  await dialog.getByRole('listitem').first().waitFor();
  assert.deepEqual(await dialog.getByRole('listitem').allInnerTexts(), ['Cy Marlowe', 'Dee Ferreira']);
  await dialog.locator('button[data-action="kick"]').tap();
  await ben.closed();
  for (const uid of ['cy', 'dee']) await eve.gone(uid);

  await bar(ben).getByRole('button', { name: 'Undo' }).tap();
  await bar(ben).waitFor({ state: 'detached' });
  for (const uid of ['cy', 'dee']) await eve.there(uid);
  assert.deepEqual(await eve.uids(), before);
  await ben.focusOn('m-cy');
  await sameAsFresh(ben);
  await sameAsFresh(eve);
});
