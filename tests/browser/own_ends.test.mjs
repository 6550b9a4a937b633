// An end of one's own: a number of hours, or a day with which a mute, a ban or a role ends.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

/** Opens the fields for an end that is none of those offered. */
const another = (form) => form.getByText('Another end').click();
/** The date in UTC so many days from now, as a field for a date has it. */
const dayIn = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** How the end of a day is written: with the date that was chosen. */
const endOf = (day) => `${new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))}, 11:59`;

scene('Ben mutes Dee until the end of a day: what he chose last counts, and both read until when', async ({ viewer }) => {
  const [ben, dee] = [await viewer('ben'), await viewer('dee')];
  await ben.dialog('dee', 'mute');
  const form = ben.part('dialog').locator('form');
  await another(form);
  const [hours, day] = [form.getByLabel('Number of hours'), form.getByLabel('Or until the end of a day (UTC)')];
  const offered = () => form.locator('[name=until]:checked').count();
  await day.fill(dayIn(2));
  assert.equal(await offered(), 0, 'a day is none of what is offered');
  await hours.fill('5');
  assert.equal(await day.inputValue(), '');
  await form.locator('[name=until][value="3600"]').check({ force: true });
  assert.equal(await hours.inputValue(), '');
  await day.fill(dayIn(3));
  await day.fill('');
  assert.equal(await offered(), 1, 'without a day, what was offered at first');
  await day.fill(dayIn(3));
  await ben.confirm();
  await dee.root.locator('.chat-group-members__notice', { hasText: `until ${endOf(dayIn(3))}` }).waitFor();
  await ben
    .row('dee')
    .getByText(`Muted until ${endOf(dayIn(3))}`)
    .waitFor();
  await sameAsFresh(ben);
});

scene('a day that is over cannot be sent, and the dialog stays', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'mute');
  const day = ben.part('dialog').locator('[name=day]');
  await another(ben.part('dialog'));
  await day.fill(dayIn(-2));
  // Closed, it opens again: the browser says why where the field is.
  await another(ben.part('dialog'));
  await ben.part('dialog').locator('button[data-action]').click();
  assert.equal(await day.evaluate((field) => field.validity.rangeUnderflow), true);
  assert.ok(await day.evaluate((field) => field === document.activeElement && field.checkVisibility()));
  await ben.page.locator(`#${ben.x}-dialog[open]`).waitFor();
  const { data } = await (await actor('ada').ask('GET', '/mutes')).json();
  assert.deepEqual(data, []);
});

scene('on a small phone, the fields for another end come into sight above the buttons', async ({ viewer }) => {
  const ben = await viewer('ben', { viewport: { width: 320, height: 560 } });
  await ben.dialog('dee', 'mute');
  const form = ben.part('dialog').locator('form');
  const [day, buttons] = [form.locator('[name=day]'), form.locator('.chat-group-members__buttons')];
  await another(form);
  await ben.until(
    ([day, buttons]) => day.getBoundingClientRect().bottom <= buttons.getBoundingClientRect().top + 1,
    await Promise.all([day, buttons].map((one) => one.elementHandle())),
  );
});

scene('Ada makes Eve a moderator until Friday: the badge says so to both', async ({ viewer }) => {
  const [ada, eve] = [await viewer('ada'), await viewer('eve')];
  const friday = dayIn(4);
  await ada.dialog('eve', 'scope');
  const form = ada.part('dialog').locator('form').first();
  await form.locator('[name=scope][value=moderator]').check({ force: true });
  await another(form);
  await form.locator('[name=day]').fill(friday);
  assert.equal(await form.locator('select').inputValue(), '');
  assert.equal(await form.locator('select').evaluate((select) => select.selectedIndex), -1);
  await ada.confirm();
  await eve.page.locator(`#${eve.x}[data-scope=moderator]`).waitFor();
  for (const one of [ada, eve]) {
    await one
      .row('eve')
      .getByText(`Until ${endOf(friday)}`)
      .waitFor();
  }
  // Saved as it is, the role keeps its end.
  await ada.dialog('eve', 'scope');
  assert.match(await form.locator('select option:checked').innerText(), new RegExp(`Until ${endOf(friday)}`));
  await ada.confirm();
  await ada
    .row('eve')
    .getByText(`Until ${endOf(friday)}`)
    .waitFor();
  await sameAsFresh(eve);
});

scene('without JavaScript Ben mutes Dee until the end of a day, and the list of the muted says until when', async ({ viewer }) => {
  const ben = await viewer('ben', { javaScriptEnabled: false });
  await ben.page.goto(ben.page.url().replace('/members', '/members/dee'));
  const form = ben.page.locator('form', { has: ben.page.locator('[data-action=mute]') });
  await another(form);
  await form.locator('[name=day]').fill(dayIn(3));
  await form.locator('[data-action=mute]').click();
  assert.match(await ben.page.locator('[role=status]').first().innerText(), /Dee Ferreira was muted\./);
  await ben.page.goto(ben.page.url().replace(/\/members.*/, '/mutes'));
  await ben.page
    .locator('[data-uid=dee]')
    .getByText(`Until ${endOf(dayIn(3))}`)
    .waitFor();
});

scene('Ben writes five hours, and then chooses “Until lifted”: that is what counts', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'ban');
  const form = ben.part('dialog').locator('form');
  await form.getByText('Another end').click();
  await form.locator('[name=hours]').fill('5');
  assert.equal(await form.locator('[name=until]:checked').count(), 0, 'a number of hours is none of those that are offered');
  await form.locator('[name=until][value=""]').check({ force: true });
  assert.equal(await form.locator('[name=hours]').inputValue(), '');
  await ben.confirm();
  const { data } = await (await actor('ada').ask('GET', '/bans')).json();
  assert.deepEqual(
    data.map(({ uid, until }) => [uid, until]),
    [['dee', null]],
  );
});
