// Acts on several people, by the mouse, by the keyboard alone and by a finger: from both sides, and who is left out is said.

import assert from 'node:assert/strict';

import { bar, notice, undo } from './bars.mjs';
import { touchScreen } from './finger.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

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
    assert.match(await dialog.innerText(), /2 people will be muted\.[^]*Not possible for 1:/);
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
    await goTo(ben, '.chat-group-members__undo button');
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

scene('Ben bans all whom he has selected but those he may not, and takes all of it back', async ({ viewer }) => {
  const [ben, eve] = [await viewer('ben', { query: '?selectionMode=multiple' }), await viewer('eve')];
  for (const uid of ['ada', 'ben', 'cy', 'dee']) await ben.part(`s-${uid}`).click();
  await ben.part('selection').getByRole('button', { name: 'Ban' }).click();
  const dialog = ben.part('dialog');
  await dialog.waitFor();
  assert.match(await dialog.innerText(), /2 people will be banned\./);
  const parts = dialog.locator('.chat-group-members__preview details');
  assert.deepEqual(await parts.locator('summary').allInnerTexts(), ['2 people will be banned.', 'Role above yours', 'Yourself']);
  await dialog.getByText('Not possible for 2:').waitFor();
  await parts.first().locator('summary').click();
  assert.deepEqual(await parts.first().getByRole('listitem').allInnerTexts(), ['Cy Marlowe', 'Dee Ferreira']);
  await ben.confirm();
  for (const uid of ['cy', 'dee']) await eve.gone(uid);
  assert.match(await bar(ben).innerText(), /2 people were banned\./);
  await undo(ben).click();
  for (const uid of ['cy', 'dee']) await eve.there(uid);
  await sameAsFresh(ben);
  await sameAsFresh(eve);
});

for (const [where, query] of [
  ['', ''],
  [', also where the host hides errors', '&hideError=true'],
])
  scene(`whoever changed while Ben read the names is left out of the ban, and the list says who${where}`, async ({ viewer, actor }) => {
    const ben = await viewer('ben', { query: `?selectionMode=multiple${query}` });
    for (const uid of ['dee', 'eve']) await ben.part(`s-${uid}`).click();
    await ben.part('selection').getByRole('button', { name: 'Ban' }).click();
    await ben.part('dialog').waitFor();
    await actor('ada').ban('dee', { reason: 'threats' });
    await ben.confirm();
    const alert = ben.root.getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.innerText(), /Not possible for 1:\s+Changed in the meantime[^]*Dee Ferreira/);
    assert.match(await bar(ben).innerText(), /1 person was banned\./);
    await undo(ben).click();
    await alert.waitFor({ state: 'detached' });
    await ben.until(([x, hidden]) => document.getElementById(`${x}-error`).hidden === hidden, [ben.x, Boolean(query)]);
    await sameAsFresh(ben);
  });

scene('before many are banned it is said how many have left, that there are notes, and who they all are by name', async ({ viewer, actor }) => {
  const ben = await viewer('ben', { query: '?selectionMode=multiple' });
  await actor('cy').ask('POST', '/members/eve/notes', { text: 'Shouts.' });
  for (const uid of ['ada', 'dee', 'eve']) await ben.part(`s-${uid}`).click();
  // They leave after the last look that Ben had at the list: what they are is asked of the service.
  await ben.page.evaluate(
    (x) => document.getElementById(`${x}-selection`).addEventListener('formdata', ({ formData }) => formData.append('uid', 'eve')),
    ben.x,
  );
  await actor('eve').leave();
  await ben.page.locator(`#${ben.x}-count`, { hasText: '2 selected' }).waitFor();
  await ben.part('selection').getByRole('button', { name: 'Ban' }).click();
  const dialog = ben.part('dialog');
  await dialog.waitFor();
  const parts = dialog.locator('.chat-group-members__preview details');
  assert.deepEqual(await parts.locator('summary').allInnerTexts(), [
    '2 people will be banned.',
    '1 of them is not a member any more.',
    'Role above yours',
    'Notes: 1',
  ]);
  for (const [nth, names] of [
    [0, ['Dee Ferreira', 'Eve Sørensen']],
    [1, ['Eve Sørensen']],
    [2, ['Ada Lindqvist']],
    [3, ['Eve Sørensen 1']],
  ]) {
    await parts.nth(nth).locator('summary').click();
    assert.deepEqual(await parts.nth(nth).getByRole('listitem').allInnerTexts(), names);
  }
});
