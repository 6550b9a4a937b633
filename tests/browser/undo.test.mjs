// Undoing what was done, and acting on many at once: from both sides.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const bar = (viewer) => viewer.root.locator('.chat-group-members__undo');
const undo = (viewer) => bar(viewer).getByRole('button', { name: 'Undo' });

scene('Ben bans Dee, and undoes it; Eve sees her go and come back to her place', async ({ viewer }) => {
  const [ben, eve] = [await viewer('ben'), await viewer('eve')];
  const before = await eve.uids();
  await ben.dialog('dee', 'ban');
  await ben.confirm();
  await eve.gone('dee');
  await bar(ben).waitFor();
  assert.match(await bar(ben).innerText(), /Dee Ferreira was banned\.\s*\d+s?\s*Undo/);
  assert.match(await ben.part('say').innerText(), /Dee Ferreira was banned\. Undo/);
  assert.equal(await bar(eve).count(), 0, 'only whoever did it is asked');
  await undo(ben).click();
  await eve.there('dee');
  await ben.there('dee');
  await bar(ben).waitFor({ state: 'detached' });
  await ben.part('say').getByText('What was done to Dee Ferreira has been undone.').waitFor({ state: 'attached' });
  assert.deepEqual(await eve.uids(), before);
  await sameAsFresh(ben);
  await sameAsFresh(eve);
});

scene(
  'what did not arrive can be tried again',
  async ({ viewer }) => {
    const ben = await viewer('ben');
    await ben.dialog('dee', 'kick');
    await ben.confirm();
    await ben.page.route('**/undo*', (route) => route.abort(), { times: 1 });
    await undo(ben).click();
    await ben.part('error').getByRole('alert').waitFor();
    await undo(ben).click();
    await ben.there('dee');
    await bar(ben).waitFor({ state: 'detached' });
  },
  { complaints: /Failed to fetch|net::ERR_FAILED/ },
);

scene('by the keyboard the bar is reached, and the focus comes back to the list', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await undo(ben).focus();
  await ben.page.keyboard.press('Enter');
  await ben.there('dee');
  await ben.until((x) => document.getElementById(`${x}-list`).contains(document.activeElement), ben.x);
});

scene(
  'what somebody else has changed since is left alone, and Ben reads so',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    await ben.dialog('dee', 'scope');
    await ben.part('dialog').locator('[value=moderator]').check({ force: true });
    await ben.confirm();
    await bar(ben).waitFor();
    await actor('ada').scope('dee', 'admin');
    await ben.page.locator(`#${ben.x}-m-dee[data-scope="admin"]`).waitFor();
    await undo(ben).click();
    await ben.part('error').getByText('Something has happened to them since').waitFor();
    await bar(ben).waitFor({ state: 'detached' });
    assert.equal(await ben.row('dee').getAttribute('data-scope'), 'admin');
  },
  { complaints: /409 \(Conflict\)/ },
);

scene('Ben bans all whom he has selected but those he may not, and takes all of it back', async ({ viewer }) => {
  const [ben, eve] = [await viewer('ben', { query: '?selectionMode=multiple' }), await viewer('eve')];
  for (const uid of ['ada', 'ben', 'cy', 'dee']) await ben.part(`s-${uid}`).click();
  await ben.part('selection').getByRole('button', { name: 'Ban' }).click();
  const dialog = ben.part('dialog');
  await dialog.waitFor();
  assert.match(await dialog.innerText(), /People it will be done to: 2/);
  const cannot = dialog.locator('details');
  assert.deepEqual(
    (await cannot.locator('summary').allInnerTexts()).map((text) => text.split(':')[0]),
    ['Not possible for 1', 'Not possible for 1'],
  );
  assert.match(await cannot.last().locator('summary').innerText(), /This is you\./);
  await ben.confirm();
  for (const uid of ['cy', 'dee']) await eve.gone(uid);
  assert.match(await bar(ben).innerText(), /Ban Done for: 2/);
  await undo(ben).click();
  for (const uid of ['cy', 'dee']) await eve.there(uid);
  await sameAsFresh(ben);
  await sameAsFresh(eve);
});

scene('everybody who matches a search is selected without being loaded; Eve, who is no staff, has no such buttons', async ({ viewer }) => {
  const query = { query: '?selectionMode=multiple&limit=5' };
  const [ben, eve] = [await viewer('ben', query), await viewer('eve', query)];
  await ben.search('brandt');
  const found = Number(await ben.root.getAttribute('data-count'));
  await ben.part(`s-${(await ben.uids())[0]}`).click();
  await ben.part('selection').getByRole('button', { name: 'Select all that match' }).click();
  await ben.page.locator(`#${ben.x}-count`, { hasText: `${found} selected` }).waitFor();
  assert.equal(await eve.part('selection').locator('[name=act], [data-select-all]').count(), 0);
});

scene('without JavaScript the page after a kick has the button, and the selection asks first', async ({ viewer }) => {
  const ben = await viewer('ben', { query: '?selectionMode=multiple', javaScriptEnabled: false });
  await ben.page.locator('input[value=dee]').check();
  await ben.page.locator('button[value=kick]').click();
  assert.match(await ben.page.locator('main').innerText(), /People it will be done to: 1/);
  await ben.page.locator('[data-action=kick]').click();
  assert.match(await ben.page.locator('[role=status]').first().innerText(), /Done for: 1/);
  await ben.page.getByRole('button', { name: 'Undo' }).click();
  await ben.page.locator('#cgm-den-m-dee, [data-uid=dee]').first().waitFor();
});
