// Undoing what was done: it is as before for both sides, unless something else has happened since.

import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';

import { bar, undo } from './bars.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

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

scene(
  'what the service cannot undo now can be tried again',
  async ({ viewer, server }) => {
    const ben = await viewer('ben');
    await ben.dialog('dee', 'kick');
    await ben.confirm();
    await bar(ben).waitFor();
    const [file, away] = ['test.db', 'away.db'].map((name) => join(server.folder, name));
    await rename(file, away); // acts are refused with 503 until it is back
    await undo(ben).click();
    await ben.part('error').getByRole('alert').waitFor();
    await rename(away, file);
    await undo(ben).click();
    await ben.there('dee');
    await bar(ben).waitFor({ state: 'detached' });
  },
  { complaints: /503/ },
);

scene(
  'the bar stays, with the focus in it, when a component is fetched anew with another role of its viewer and when the list is searched',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    await ben.dialog('dee', 'kick');
    await ben.confirm();
    await undo(ben).focus();
    await actor('ada').scope('ben', 'moderator');
    await ben.page.locator(`#${ben.x}[data-scope="moderator"]`).waitFor();
    await ben.live('on');
    assert.equal(await undo(ben).evaluate((button) => button === document.activeElement), true);
    await ben.search('brandt');
    await undo(ben).click();
    await bar(ben).waitFor({ state: 'detached' });
    await ben.search('');
    await ben.there('dee');
    await sameAsFresh(ben);
  },
);

scene('whoever is no staff any more has no bar', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await undo(ben).focus();
  await actor('ada').scope('ben', 'participant');
  await ben.page.locator(`#${ben.x}[data-scope="participant"]`).waitFor();
  await bar(ben).waitFor({ state: 'detached' });
  await ben.until((id) => document.getElementById(id).contains(document.activeElement), ben.x);
});

scene('the bar goes with what overtakes its act, and stays with what does not', async ({ viewer, actor, server }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'scope');
  await ben.part('dialog').locator('[value=moderator]').check({ force: true });
  await ben.confirm();
  await bar(ben).waitFor();
  await server.host('PUT', '/users/dee', { name: 'Dee Renamed' });
  await ben.row('dee').getByText('Dee Renamed').waitFor();
  await actor('ada').kick('cy');
  // The focus is in the list: what leaves it waits there.
  await ben.page.locator(`#${ben.x}-m-cy.chat-group-members__row--leaving`).waitFor();
  assert.equal(await bar(ben).count(), 1);
  await actor('ada').scope('dee', 'admin');
  await ben.page.locator(`#${ben.x}-m-dee[data-scope="admin"]`).waitFor();
  await bar(ben).waitFor({ state: 'detached' });
});

scene('of two acts the bar is that of the last, also when the dialog of the first was left before its answer came', async ({ viewer }) => {
  const ben = await viewer('ben');
  let release;
  const released = new Promise((done) => {
    release = done;
  });
  await ben.page.route(
    (url) => url.pathname.endsWith('/members/dee'),
    async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    },
  );
  await ben.dialog('dee', 'kick');
  await ben.part('dialog').locator('button[data-action]').click();
  await ben.gone('dee');
  await ben.page.keyboard.press('Escape');
  await ben.closed();
  await ben.dialog('eve', 'kick');
  await ben.confirm();
  const text = bar(ben).getByText('Eve Sørensen was removed');
  await text.waitFor();
  const late = ben.page.waitForResponse((answer) => answer.url().includes('/members/dee') && answer.request().method() === 'POST');
  release();
  await late;
  // What the late answer brings is on the screen when what comes after it is.
  await ben.search('sørensen');
  await ben.search('');
  await ben.there('cy');
  assert.equal(await text.count(), 1);
  await undo(ben).click();
  await ben.there('eve');
  assert.equal(await ben.row('dee').count(), 0);
});

scene(
  'what somebody else has changed since is left alone, and Ben reads so',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    await ben.dialog('dee', 'scope');
    await ben.part('dialog').locator('[value=moderator]').check({ force: true });
    await ben.confirm();
    await bar(ben).waitFor();
    // While the press is on its way.
    await ben.page.route('**/undo*', async (route) => {
      await actor('ada').scope('dee', 'admin');
      await ben.page.locator(`#${ben.x}-m-dee[data-scope="admin"]`).waitFor();
      await route.continue();
    });
    await undo(ben).click();
    await ben.part('error').getByText('Something has happened to them since').waitFor();
    await bar(ben).waitFor({ state: 'detached' });
    assert.equal(await ben.row('dee').getAttribute('data-scope'), 'admin');
  },
  { complaints: /409 \(Conflict\)/ },
);

scene('the bar stays when Ben himself takes another role', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await bar(ben).waitFor();
  await ben.dialog('ben', 'scope');
  await ben.part('dialog').locator('[value=moderator]').check({ force: true });
  await ben.confirm();
  await ben.page.locator(`#${ben.x}[data-scope="moderator"]`).waitFor();
  await ben.live('on');
  await undo(ben).click();
  await ben.there('dee');
});

scene('whoever was put out and is back by an undo has the focus in the list again, if it was there', async ({ viewer }) => {
  const [ben, dee] = [await viewer('ben'), await viewer('dee')];
  await dee.root.locator('.chat-group-members__list [tabindex="0"]').focus();
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await dee.page.locator('.chat-group-members--ended').waitFor();
  await undo(ben).click();
  await dee.live('on');
  await dee.until((id) => document.getElementById(id).contains(document.activeElement), dee.x);
});
