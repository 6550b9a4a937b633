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

scene('by the keyboard the bar is reached, and the focus goes to whoever came back', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await undo(ben).focus();
  await ben.page.keyboard.press('Enter');
  await ben.there('dee');
  await bar(ben).waitFor({ state: 'detached' });
  await ben.focusOn('m-dee');
});

/** Ben has kicked Dee so long ago that the bar of it has this time left, milliseconds. */
async function kickedAWhileAgo(ben, left) {
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await bar(ben).waitFor();
  await ben.page.evaluate((left) => {
    const key = Object.keys(sessionStorage).find((key) => key.includes(':undo:'));
    sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(sessionStorage.getItem(key)), ends: Date.now() + left }));
  }, left);
  await ben.page.reload();
  await ben.live('on');
  await bar(ben).waitFor();
}

scene('when the time of a bar is over, no row moves under the pointer', async ({ viewer }) => {
  const ben = await viewer('ben');
  await kickedAWhileAgo(ben, 4_000);
  await ben.scrollTo(600);
  const row = ben.row((await ben.uids())[15]);
  await row.hover();
  const { y } = await row.boundingBox();
  await bar(ben).waitFor({ state: 'detached' });
  assert.ok(Math.abs((await row.boundingBox()).y - y) < 1);
});

scene('when the time of a bar is over near the top, what one reads stays, and the space above goes with the next move of the mouse', async ({ viewer }) => {
  const ben = await viewer('ben');
  await kickedAWhileAgo(ben, 3_000);
  await ben.page.mouse.move(1, 1);
  await ben.scrollTo(30);
  const row = ben.row((await ben.uids())[3]);
  const { y } = await row.boundingBox();
  await bar(ben).waitFor({ state: 'detached' });
  // The event of the script's own scroll has been, too.
  await ben.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.ok(Math.abs((await row.boundingBox()).y - y) < 1, `${(await row.boundingBox()).y - y} px`);
  await ben.part('title').hover();
  await ben.until((id) => !parseFloat(document.getElementById(id).style.marginBlockStart), `${ben.x}-list`);
});

for (const [header, place] of [
  ['', '-title'],
  ['&hideHeader=true', ''],
]) {
  scene(`after the last of a list is gone the focus stays in the component${header && ' without a header'}, and comes back with them`, async ({ viewer }) => {
    const ben = await viewer('ben', { query: `?searchKeyword=ferreira${header}` });
    assert.deepEqual(await ben.uids(), ['dee']);
    await ben.row('dee').focus();
    await ben.page.keyboard.press('Alt+Enter');
    await ben.press(ben.part('menu').locator('[data-action="kick"]'), 'Enter');
    await ben.press(ben.part('dialog').locator('button[data-action]'), 'Enter');
    await ben.closed();
    await ben.gone('dee');
    await ben.until((id) => document.activeElement.id === id, `${ben.x}${place}`);
    await ben.press(undo(ben), 'Enter');
    await ben.focusOn('m-dee');
  });
}

scene('without anybody to go to, the focus of a bar whose time is over stays in the component', async ({ viewer }) => {
  const ben = await viewer('ben', { query: '?searchKeyword=ferreira' });
  await ben.page.clock.install();
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await undo(ben).focus();
  await ben.page.clock.runFor(31_000);
  await bar(ben).waitFor({ state: 'detached' });
  await ben.focusOn('title');
});

scene('the status line offers to undo only as long as the bar does', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.page.clock.install();
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await ben.part('say').getByText('Dee Ferreira was removed from the group. Undo').waitFor({ state: 'attached' });
  await ben.page.clock.runFor(31_000);
  await bar(ben).waitFor({ state: 'detached' });
  assert.equal(await ben.part('say').textContent(), '');
  await ben.dialog('cy', 'scope');
  await ben.part('dialog').locator('[value=participant]').check({ force: true });
  await ben.confirm();
  await ben.part('say').getByText(/Undo$/).waitFor({ state: 'attached' });
  await actor('ada').scope('cy', 'admin');
  await bar(ben).waitFor({ state: 'detached' });
  assert.doesNotMatch(await ben.part('say').textContent(), /Undo/);
});

scene('the bar has a name, and says in which time; what it says is counted down only to the eye', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  const form = ben.root.getByRole('form', { name: 'Undo', exact: true });
  await form.getByText('Dee Ferreira was removed from the group.').waitFor();
  assert.match(await form.ariaSnapshot(), /^- form "Undo":(?!.*\d)/s);
});

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

scene('whoever is at the bar before the browser has told that the dialog is closed stays there', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.page.evaluate((id) => {
    const dialog = document.getElementById(`${id}-dialog`);
    const { close } = dialog;
    dialog.close = () => {
      close.call(dialog);
      document.querySelector('[data-action="undo"]').focus();
    };
  }, ben.x);
  await ben.confirm();
  await ben.until((id) => !document.getElementById(`${id}-dialog`).firstChild, ben.x);
  assert.equal(await undo(ben).evaluate((button) => button === document.activeElement), true);
});

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

scene('Ben bans all whom he has selected but those he may not, and takes all of it back', async ({ viewer }) => {
  const [ben, eve] = [await viewer('ben', { query: '?selectionMode=multiple' }), await viewer('eve')];
  for (const uid of ['ada', 'ben', 'cy', 'dee']) await ben.part(`s-${uid}`).click();
  await ben.part('selection').getByRole('button', { name: 'Ban' }).click();
  const dialog = ben.part('dialog');
  await dialog.waitFor();
  assert.match(await dialog.innerText(), /Affected: 2/);
  const parts = dialog.locator('.chat-group-members__preview details');
  assert.deepEqual(await parts.locator('summary').allInnerTexts(), [
    'Affected: 2',
    'You can only do this to people below you, and their role is above yours: owner.',
    'This is you.',
  ]);
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

scene('whoever changed while Ben read the names is left out of the ban, and the list says who', async ({ viewer, actor }) => {
  const ben = await viewer('ben', { query: '?selectionMode=multiple' });
  for (const uid of ['dee', 'eve']) await ben.part(`s-${uid}`).click();
  await ben.part('selection').getByRole('button', { name: 'Ban' }).click();
  await ben.part('dialog').waitFor();
  await actor('ada').ban('dee', { reason: 'threats' });
  await ben.confirm();
  const alert = ben.root.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), /Not possible for 1:\s+This has changed since it was shown\.[^]*Dee Ferreira/);
  assert.match(await bar(ben).innerText(), /1 person was banned\./);
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
    'Affected: 2',
    '1 of them is not a member any more.',
    'You can only do this to people below you, and their role is above yours: owner.',
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

scene('the bar is there again, with the seconds that are left, after the page is loaded anew; without time left it is not', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await bar(ben).waitFor();
  await ben.page.reload();
  await bar(ben)
    .getByText(/Dee Ferreira was removed/)
    .waitFor();
  assert.ok(Number.parseInt(await bar(ben).locator('small').innerText(), 10) <= 30);
  await undo(ben).click();
  await ben.there('dee');
  await bar(ben).waitFor({ state: 'detached' });
  await ben.page.reload();
  await ben.live('on');
  await ben.menu('dee');
  assert.equal(await bar(ben).count(), 0, 'what was undone is not offered again');
  await ben.page.keyboard.press('Escape');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await bar(ben).waitFor();
  await ben.page.clock.install({ time: Date.now() + 60_000 });
  await ben.page.reload();
  await ben.live('on');
  await ben.menu('eve');
  assert.equal(await bar(ben).count(), 0);
});

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

scene('without JavaScript the page after a kick has the button, and the selection asks first', async ({ viewer }) => {
  const ben = await viewer('ben', { query: '?selectionMode=multiple', javaScriptEnabled: false });
  await ben.page.locator('input[value=dee]').check();
  await ben.page.locator('button[value=kick]').click();
  assert.match(await ben.page.locator('main').innerText(), /Affected: 1/);
  await ben.page.locator('[data-action=kick]').click();
  assert.match(await ben.page.locator('[role=status]').first().innerText(), /1 person was removed from the group\.\s+\d+s\s+Undo/);
  await ben.page.getByRole('button', { name: 'Undo' }).click();
  await ben.page.locator('#cgm-den-m-dee, [data-uid=dee]').first().waitFor();
});
