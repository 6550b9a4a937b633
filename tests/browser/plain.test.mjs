// Without JavaScript everything works by links and forms, and each page says what came of it.

import assert from 'node:assert/strict';

import { scene, stage } from './support.mjs';

stage();

const plain = { javaScriptEnabled: false };

/** From the list to the page of a member. */
async function visit(viewer, uid) {
  await viewer.button(uid).click();
  await viewer.page.locator('h1').waitFor();
}

/** The form of an act on a member's page. */
const form = (viewer, act) => viewer.page.locator('form', { has: viewer.page.locator(`button[data-action="${act}"]`) });

scene('Ben finds Dee, opens her page and kicks her; the list says so', async ({ viewer, actor }) => {
  const ben = await viewer('ben', plain);
  await ben.part('q').fill('ferreira');
  await ben.page.getByRole('button', { name: 'Search' }).click();
  assert.deepEqual(await ben.uids(), ['dee']);
  await visit(ben, 'dee');
  assert.match(await ben.page.locator('h1').innerText(), /Dee Ferreira/);
  await form(ben, 'kick').locator('button').click();
  await ben.root.waitFor();
  assert.match(await ben.page.getByRole('status').first().innerText(), /Dee Ferreira was removed from the group/);
  const { meta } = await actor('ben').members('?searchKeyword=ferreira');
  assert.equal(meta.count, 0);
});

scene('Cy bans Dee for a week with a reason, finds her among the banned and lifts the ban', async ({ viewer, actor, guid }) => {
  const cy = await viewer('cy', plain);
  await visit(cy, 'dee');
  const ban = form(cy, 'ban');
  await ban.locator('textarea').fill('tore out the <roses>');
  await ban.locator('[value="604800"]').check();
  await ban.locator('button').click();
  await cy.root.waitFor();
  assert.match(await cy.page.getByRole('status').first().innerText(), /Dee Ferreira was banned/);
  await cy.part('bans').click();
  const entry = cy.page.locator('[data-uid="dee"]');
  assert.match(await entry.innerText(), /Dee Ferreira[^]*tore out the <roses>[^]*Cy Marlowe/);
  await cy.page.getByRole('searchbox').fill('nobody');
  await cy.page.getByRole('button', { name: 'Search' }).click();
  assert.match(await cy.page.locator('main').innerText(), /No one matches/);
  await cy.page.goBack();
  await entry.locator('button[data-action="unban"]').click();
  await cy.page.getByText('No one is banned').waitFor();
  assert.equal(new URL(cy.page.url()).pathname, `/groups/${guid}/bans`);
  await actor('dee').join();
});

scene('Ben changes the scope of Dee; Ada hands over the group', async ({ viewer, actor }) => {
  const [ben, ada] = [await viewer('ben', plain), await viewer('ada', plain)];
  await visit(ben, 'dee');
  await form(ben, 'scope').locator('[value="moderator"]').check();
  await form(ben, 'scope').locator('button').click();
  await ben.page.locator(`#${ben.x}-m-dee[data-scope="moderator"]`).waitFor();
  assert.match(await ben.page.getByRole('status').first().innerText(), /scope/);
  await visit(ada, 'ben');
  await form(ada, 'transfer').locator('button').click();
  await ada.page.locator(`#${ada.x}-m-ben[data-scope="owner"]`).waitFor();
  assert.match(await ada.page.getByRole('status').first().innerText(), /owns the group/);
  const { data } = await actor('eve').members('?scopes=owner');
  assert.deepEqual(data.map(({ uid }) => uid), ['ben']);
});

scene('Eve leaves by her own page, and joins again from the face of the group', async ({ viewer, guid, server }) => {
  const eve = await viewer('eve', { ...plain, query: '?searchKeyword=sørensen' });
  await visit(eve, 'eve');
  await form(eve, 'leave').locator('button').click();
  await eve.page.waitForLoadState();
  assert.doesNotMatch(await eve.page.locator('body').innerText(), /not found|wrong/i, 'leaving is no error');
  await eve.page.goto(`${server.base}/groups/${guid}`);
  await eve.page.getByRole('button', { name: 'Join' }).click();
  await eve.root.waitFor();
  assert.match(await eve.page.getByRole('status').first().innerText(), /You are a member now/);
});

scene('the owner who wants to leave reads that the group must be handed over first', async ({ viewer }) => {
  const ada = await viewer('ada', plain);
  await visit(ada, 'ada');
  assert.match(await ada.page.locator('main').innerText(), /(transfer|hand|owner)/i);
  assert.equal(await form(ada, 'leave').count(), 0);
});

scene(
  'a form that comes too late shows a page that says why, with a way back',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben', plain);
    await visit(ben, 'cy');
    await actor('ada').transfer('cy');
    await form(ben, 'kick').locator('button').click();
    await ben.page.locator('[data-code="ERR_GROUP_NO_CLEARANCE"]').waitFor();
    await ben.page.getByRole('link', { name: /back|members/i }).first().click();
    await ben.root.waitFor();
  },
  { complaints: /403 \(Forbidden\)/ },
);
