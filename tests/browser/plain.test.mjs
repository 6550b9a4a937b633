// Without JavaScript everything works by links and forms, and each page says what came of it.

import assert from 'node:assert/strict';

import { scene, stage } from './support.mjs';

stage();

const plain = { javaScriptEnabled: false };

/** From the list to the page of a member. */
async function visit(viewer, uid) {
  await viewer.page.locator(`[data-uid="${uid}"] a`).click();
  await viewer.page.locator('h1').waitFor();
}

/** The form of an act on a member's page. */
const form = (viewer, act) => viewer.page.locator('form', { has: viewer.page.locator(`button[data-action="${act}"]`) });

scene('the bar that undoes what was done on the page of a member looks like a bar', async ({ viewer }) => {
  const ben = await viewer('ben', plain);
  await visit(ben, 'dee');
  await form(ben, 'kick').locator('button').click();
  await ben.root.waitFor();
  const bar = ben.page.locator('.chat-group-members__undo');
  assert.equal(await bar.evaluate((bar) => getComputedStyle(bar).display), 'flex');
});

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
  await ban.locator('[name=reason]').fill('tore out the <roses>');
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

scene('Ben changes the role of Dee; Ada hands over the group', async ({ viewer, actor }) => {
  const [ben, ada] = [await viewer('ben', plain), await viewer('ada', plain)];
  await visit(ben, 'dee');
  await form(ben, 'scope').locator('[value="moderator"]').check();
  await form(ben, 'scope').locator('button').click();
  await ben.page.locator('[data-uid="dee"][data-scope="moderator"]').waitFor();
  assert.match(await ben.page.getByRole('status').first().innerText(), /another role/);
  await visit(ada, 'ben');
  await form(ada, 'transfer').locator('button').click();
  await ada.page.locator('[data-uid="ben"][data-scope="owner"]').waitFor();
  assert.match(await ada.page.getByRole('status').first().innerText(), /owns the group/);
  const { data } = await actor('eve').members('?scopes=owner');
  assert.deepEqual(
    data.map(({ uid }) => uid),
    ['ben'],
  );
});

scene(
  'Eve leaves by her own page, and joins again from the face of the group',
  async ({ viewer, guid, server }) => {
    const eve = await viewer('eve', { ...plain, query: '?searchKeyword=sørensen' });
    await visit(eve, 'eve');
    await form(eve, 'leave').locator('button').click();
    assert.match(await eve.page.getByRole('status').innerText(), /^You have left /);
    assert.equal(new URL(eve.page.url()).pathname, `/groups/${guid}`);
    await eve.page.goto(`${server.base}/groups/${guid}/members`);
    assert.match(await eve.page.locator('form').innerText(), /You are not in this group\. Everybody may join\./);
    await eve.page.getByRole('button', { name: 'Join' }).click();
    await eve.root.waitFor();
    assert.match(await eve.page.getByRole('status').first().innerText(), /You are a member now/);
  },
  { complaints: /404 \(Not Found\)/ },
);

for (const javaScriptEnabled of [false, true]) {
  const how = javaScriptEnabled ? 'with our script' : 'without a script';
  scene(
    `a wrong password is said beside its field, which has the focus, ${how}`,
    async ({ viewer, actor, guid, server }) => {
      await server.host('PUT', `/groups/${guid}`, { type: 'password', password: 'sesame' });
      await actor('dee').leave();
      const dee = await viewer('dee', { javaScriptEnabled, path: `/groups/${guid}?return=/groups/${guid}/members?filter=admins`, live: false });
      const password = dee.page.locator('[name="password"]');
      await password.fill('opensesame');
      await dee.page.getByRole('button', { name: 'Join' }).click();
      const alert = dee.page.getByRole('alert');
      assert.equal(await alert.innerText(), "That is not the group's password.");
      assert.equal(await password.evaluate((field) => field === document.activeElement), true);
      const [below, above] = [await alert.boundingBox(), await password.boundingBox()];
      assert.ok(below.y >= above.y + above.height && below.y - above.y < 100, 'just below it');
      await password.fill('sesame');
      await password.press('Enter');
      await dee.root.waitFor();
      assert.equal(new URL(dee.page.url()).searchParams.get('filter'), 'admins', 'the way back is not lost');
    },
    { complaints: /403 \(Forbidden\)/ },
  );
}

scene('a selection leads back to the list with the boxes ticked', async ({ viewer }) => {
  const eve = await viewer('eve', { ...plain, query: '?selectionMode=multiple&limit=40&lang=en-US' });
  const uids = await eve.uids();
  const proceed = () => eve.page.getByRole('button', { name: 'Continue' }).click();
  for (const uid of [uids[1], uids[35]]) await eve.part(`s-${uid}`).check();
  await proceed();
  await eve.page.getByRole('button', { name: 'Change the selection' }).click();
  for (const uid of [uids[1], uids[35]]) assert.equal(await eve.part(`s-${uid}`).isChecked(), true, uid);
  await eve.part(`s-${uids[1]}`).uncheck();
  await proceed();
  assert.match(await eve.page.locator('main').innerText(), /1 selected/);
  await eve.page.getByRole('button', { name: 'Change the selection' }).click();
  await eve.page.getByRole('link', { name: 'Clear selection' }).click();
  assert.equal(await eve.page.locator('[name="uid"]:checked').count(), 0);
  assert.match(eve.page.url(), /limit=40/);
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
    await ben.page
      .getByRole('link', { name: /back|members/i })
      .first()
      .click();
    await ben.root.waitFor();
  },
  { complaints: /403 \(Forbidden\)/ },
);

scene('without JavaScript all who match are selected by one press, whether on this page or not, and banned by another', async ({ viewer, actor }) => {
  const ben = await viewer('ben', { query: '?selectionMode=multiple&searchKeyword=brandt&limit=5', javaScriptEnabled: false });
  const found = Number(await ben.root.getAttribute('data-count'));
  assert.ok(found > 5, `${found}`);
  await ben.page.getByRole('button', { name: 'Select all that match' }).click();
  assert.equal(await ben.page.locator('input[name=uid]:checked').count(), found);
  await ben.page.locator('button[value=ban]').click();
  await ben.page.locator('[data-action=ban]').click();
  const { data } = await (await actor('ada').ask('GET', '/bans')).json();
  assert.equal(data.length, found);
});

scene('without JavaScript the page after a kick has the button, and the selection asks first', async ({ viewer }) => {
  const ben = await viewer('ben', { query: '?selectionMode=multiple', javaScriptEnabled: false });
  await ben.page.locator('input[value=dee]').check();
  await ben.page.locator('button[value=kick]').click();
  await ben.page.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await ben.page.locator('input[value=dee]').isChecked(), true);
  await ben.page.locator('button[value=kick]').click();
  assert.match(await ben.page.locator('main').innerText(), /1 person will be removed from the group\./);
  await ben.page.locator('[data-action=kick]').click();
  assert.match(await ben.page.locator('[role=status]').first().innerText(), /1 person was removed from the group\.\s+\d+s\s+Undo/);
  await ben.page.getByRole('button', { name: 'Undo' }).click();
  await ben.page.locator('#cgm-den-m-dee, [data-uid=dee]').first().waitFor();
});
