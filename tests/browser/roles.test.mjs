// A role until Friday, one that ends by itself, and one that is lost: whoever has it sees so, and reads why.

import assert from 'node:assert/strict';

import { bar, notice } from './bars.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

scene('a role until Friday: the badge says until when, and one button ends it early', async ({ viewer }) => {
  const [ada, eve] = [await viewer('ada'), await viewer('eve')];
  await ada.dialog('eve', 'scope');
  await ada.part('dialog').locator('[name=scope][value=moderator]').check({ force: true });
  await ada.part('dialog').locator('[name=until]').selectOption('604800');
  await ada.part('dialog').locator('[name=message]').fill('Thank you for helping out.');
  await ada.confirm();
  await eve.page.locator(`#${eve.x}[data-scope=moderator]`).waitFor();
  await ada
    .row('eve')
    .getByText(/Until /)
    .waitFor();
  await eve
    .row('eve')
    .getByText(/Until /)
    .waitFor();
  await sameAsFresh(eve);
  await ada.dialog('eve', 'scope');
  await ada.part('dialog').getByRole('button', { name: 'End it now' }).click();
  await ada.closed();
  await eve.page.locator(`#${eve.x}[data-scope=participant]`).waitFor();
  await ada
    .row('eve')
    .getByText(/Until /)
    .waitFor({ state: 'detached' });
  await sameAsFresh(ada);
  await sameAsFresh(eve);
});

for (const how of ['by themselves', 'with others']) {
  scene(`Cy, demoted ${how}, reads why on the screen that he is looking at, and also when he loads it anew`, async ({ viewer }) => {
    const [ada, cy] = [await viewer('ada', { query: '?selectionMode=multiple' }), await viewer('cy', { query: '?status=online' })];
    const dialog = ada.part('dialog');
    if (how === 'by themselves') await ada.dialog('cy', 'scope');
    else {
      for (const uid of ['cy', 'ben']) await ada.part(`s-${uid}`).click();
      await ada.part('selection').getByRole('button', { name: 'Change role' }).click();
      await dialog.waitFor();
    }
    await dialog.locator('[name=scope][value=participant]').check({ force: true });
    await dialog.locator('[name=message]').fill('You were away for long.');
    await ada.confirm();
    await cy.page.locator(`#${cy.x}[data-scope=participant]`).waitFor();
    await notice(cy).getByText('The team says: You were away for long.').waitFor();
    assert.equal(await notice(cy).getAttribute('role'), 'status', 'it is read out when it comes');
    await cy.live('on');
    await cy.page.reload();
    await cy.live('on');
    await notice(cy).getByText('You were away for long.').waitFor();
    // A list that comes and goes with statuses has no reason to ask again and again.
    await cy.page.evaluate(() => performance.clearResourceTimings());
    await bar(ada).getByRole('button', { name: 'Undo' }).click();
    await cy.page.locator(`#${cy.x}[data-scope=moderator]`).waitFor();
    await notice(cy).waitFor({ state: 'detached' });
    assert.ok((await cy.page.evaluate(() => performance.getEntriesByType('resource').length)) < 12);
  });
}

scene('a role that ends by itself: Eve has its buttons until then, and nobody does anything for her to lose them', async ({ viewer, actor }) => {
  const [ada, eve] = [await viewer('ada'), await viewer('eve')];
  await actor('ada').scope('eve', 'moderator', { until: 3 });
  await eve.page.locator(`#${eve.x}[data-scope=moderator]`).waitFor();
  await eve.page.locator(`#${eve.x}-m-dee[data-acts]`).waitFor();
  await ada
    .row('eve')
    .getByText(/Until /)
    .waitFor();
  await eve.page.locator(`#${eve.x}[data-scope=participant]`).waitFor();
  await ada
    .row('eve')
    .getByText(/Until /)
    .waitFor({ state: 'detached' });
  assert.equal(await eve.page.locator('[data-acts]').count(), 0);
  await sameAsFresh(ada);
  await sameAsFresh(eve);
});

scene('whoever writes into a dialog goes on writing there when their own rights change', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'scope');
  const field = ben.part('dialog').locator('[name=message]');
  await field.pressSequentially('Thank you ');
  await actor('ada').scope('ben', 'moderator');
  await ben.page.locator(`#${ben.x}[data-scope=moderator]`).waitFor();
  await ben.page.keyboard.type('for helping out.');
  assert.equal(await field.inputValue(), 'Thank you for helping out.');
});
