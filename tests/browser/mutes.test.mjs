// An hour of silence: whoever is muted reads why and until when, and nobody else sees it.

import assert from 'node:assert/strict';

import { notice } from './bars.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

scene('an hour of silence: Dee reads what she is told and until when, Eve sees nothing, and lifting it is seen at once', async ({ viewer }) => {
  const [ben, dee, eve] = [await viewer('ben'), await viewer('dee'), await viewer('eve')];
  const before = await eve.row('dee').innerText();
  await ben.dialog('dee', 'mute');
  const dialog = ben.part('dialog');
  await dialog.locator('[name=until][value="3600"]').check({ force: true });
  await dialog.locator('[name=message]').fill('An hour of quiet, please.');
  await ben.confirm();
  await notice(dee).getByText('An hour of quiet, please.').waitFor();
  assert.equal(await notice(dee).getAttribute('role'), 'status', 'it is read out when it comes');
  assert.match(await notice(dee).innerText(), /You cannot write in this group until/);
  await ben
    .row('dee')
    .getByText(/Muted until/)
    .waitFor();
  await dee
    .row('dee')
    .getByText(/Muted until/)
    .waitFor();
  await dee.page.reload();
  await dee.live('on');
  assert.match(await notice(dee).innerText(), /An hour of quiet, please\./);
  assert.equal(await eve.row('dee').innerText(), before);
  await sameAsFresh(ben);
  await sameAsFresh(eve);
  await ben.dialog('dee', 'unmute');
  await ben.confirm();
  await notice(dee).waitFor({ state: 'detached' });
  await ben
    .row('dee')
    .getByText(/Muted until/)
    .waitFor({ state: 'detached' });
  await sameAsFresh(dee);
});

scene('without JavaScript Ben mutes Dee for two hours, and the list of the muted lifts it', async ({ viewer }) => {
  const ben = await viewer('ben', { javaScriptEnabled: false });
  await ben.page.goto(ben.page.url().replace('/members', '/members/dee'));
  const form = ben.page.locator('form', { has: ben.page.locator('[data-action=mute]') });
  await form.getByText('Another end').click();
  await form.locator('[name=hours]').fill('2');
  await form.locator('[data-action=mute]').click();
  assert.match(await ben.page.locator('[role=status]').first().innerText(), /Dee Ferreira was muted\./);
  await ben.page.goto(ben.page.url().replace(/\/members.*/, '/mutes'));
  assert.match(await ben.page.locator('[data-uid=dee]').innerText(), /Dee Ferreira/);
  await ben.page.locator('[data-uid=dee] [data-action=unmute]').click();
  assert.match(await ben.page.locator('main').innerText(), /Dee Ferreira can write again\.[^]*No one is muted/);
});

scene('somebody who is muted and looks at who is online has a list that is live, and asks no more than others', async ({ viewer, actor }) => {
  await actor('ada').ask('PUT', '/mutes/dee', { until: 3600, message: 'Hush.' });
  const dee = await viewer('dee', { query: '?filter=online' });
  await notice(dee).waitFor();
  await dee.page.evaluate(() => performance.clearResourceTimings());
  await actor('ada').kick('eve');
  await dee.until(() => window.heard.some((event) => event.name === 'member-kicked'));
  const asked = await dee.page.evaluate(() => performance.getEntriesByType('resource').length);
  assert.ok(asked < 5, `${asked} requests`);
  await dee.live('on');
});
