// Notes of the team about somebody: written and removed in a dialog or on a page, and seen by nobody else.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

scene(
  'notes: Ben writes one where he is, by the keyboard; Ada reads it when she is about to ban, and Dee and Eve see nothing of it',
  async ({ viewer, actor }) => {
    const [ada, ben, dee, eve] = [await viewer('ada'), await viewer('ben'), await viewer('dee'), await viewer('eve')];
    const messages = () => Promise.all([dee, eve].map((viewer) => viewer.page.content()));
    // Who opens a page comes online, and each page hears of it in its own time.
    for (const viewer of [dee, eve])
      for (const uid of ['ada', 'ben', 'dee', 'eve']) await viewer.row(uid).and(viewer.page.locator('[data-status=online]')).waitFor({ state: 'attached' });
    const before = await messages();
    await ben.menu('dee');
    await ben.press(ben.part('menu').locator('[data-action=notes]'), 'Enter');
    const dialog = ben.part('dialog');
    await dialog.getByText('No notes yet').waitFor();
    assert.match(await dialog.ariaSnapshot(), /heading "Notes about Dee Ferreira"/);
    const text = dialog.getByRole('textbox', { name: 'Note' });
    await ben.until(() => document.activeElement.name === 'text');
    await ben.page.keyboard.type('Asked twice to stop.');
    await ben.page.keyboard.press('Enter');
    await ben.page.keyboard.type('Promised to.');
    await ben.press(dialog.getByRole('button', { name: 'Add note' }), 'Enter');
    const note = dialog.getByRole('listitem');
    await note.filter({ hasText: /Asked twice to stop\.\s+Promised to\./ }).waitFor();
    assert.match(await note.innerText(), /Ben Okafor, /);
    // The focus is on what is said of it, and the dialog stays.
    await ben.until(
      () =>
        document.activeElement.textContent === 'Your note about \u2068Dee Ferreira\u2069 was added.' ||
        document.activeElement.textContent === 'Your note about Dee Ferreira was added.',
    );
    assert.equal(await text.inputValue(), '');
    const [told] = await ben.heard('note-added');
    assert.deepEqual([told.member.uid, told.by.uid], ['dee', 'ben']);
    await ada.until(() => window.heard.some((event) => event.name === 'note-added'));
    await ada.dialog('dee', 'ban');
    await ada.part('dialog').getByText('Notes: 1').click();
    await ada.part('dialog').getByText('Asked twice to stop.').waitFor();
    await ada.page.keyboard.press('Escape');
    await ada.closed();
    await actor('cy').scope('eve', 'participant');
    assert.deepEqual(await messages(), before);
    for (const other of [dee, eve]) assert.deepEqual(await other.heard('note-added'), []);
    await ben.press(note.getByRole('button', { name: 'Remove' }), 'Enter');
    await dialog.getByText('No notes yet').waitFor();
    await ben.page.keyboard.press('Escape');
    await ben.closed();
    await sameAsFresh(ben);
  },
);

scene(
  'a note that is refused says so in the dialog, and what was written is still there',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    await ben.menu('dee');
    await ben.part('menu').locator('[data-action=notes]').click();
    const dialog = ben.part('dialog');
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Too late.');
    await actor('ada').scope('dee', 'admin');
    await dialog.getByRole('button', { name: 'Add note' }).click();
    await dialog.getByRole('alert').waitFor();
    assert.equal(await dialog.getByRole('textbox', { name: 'Note' }).inputValue(), 'Too late.');
  },
  { complaints: /403 \(Forbidden\)/ },
);

for (const javaScriptEnabled of [true, false]) {
  scene(
    `${javaScriptEnabled ? 'With' : 'Without'} JavaScript Cy writes a note on the page of somebody who was banned, and Ben removes it`,
    async ({ viewer, actor }) => {
      await actor('ben').ban('dee');
      const [cy, ben] = [await viewer('cy', { javaScriptEnabled }), await viewer('ben', { javaScriptEnabled })];
      for (const viewer of [cy, ben]) {
        await viewer.page.goto(viewer.page.url().replace(/\/members.*/, '/bans'));
        await viewer.page.locator('[data-uid=dee]').getByRole('link', { name: 'Notes' }).click();
        await viewer.page.getByRole('heading', { name: 'Notes about Dee Ferreira' }).waitFor();
      }
      await cy.page.getByLabel('Note', { exact: true }).fill('Came back under another name.');
      await cy.page.getByRole('button', { name: 'Add note' }).click();
      await cy.page.getByText('Your note about Dee Ferreira was added.').waitFor();
      await cy.page.getByRole('listitem').filter({ hasText: 'Came back under another name.' }).waitFor();
      await ben.page.reload();
      await ben.page.getByRole('button', { name: 'Remove' }).click();
      await ben.page.getByText('The note about Dee Ferreira was removed.').waitFor();
      await ben.page.getByText('No notes yet').waitFor();
    },
  );
}
