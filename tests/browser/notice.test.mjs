// What our own pages say after an act of a plain form: it stays true for as long as it is there.

import assert from 'node:assert/strict';

import { bar } from './bars.mjs';
import { scene, stage } from './support.mjs';

stage();

const noticeOf = ({ page }) => page.locator('main > .chat-group-members__notice');

/** The time that the notice says is left. */
const left = ({ page }) => page.evaluate(() => document.querySelector('main > .chat-group-members__notice small')?.textContent);

/** Ben kicks Dee on her page, and is led to the list that says so. */
async function kickDee(viewer, guid) {
  const ben = await viewer('ben', { path: `/groups/${guid}/members/dee`, live: false });
  await ben.page.locator('main section button[data-action="kick"]').click();
  await ben.page.waitForURL(/done=kick/);
  await ben.live('on');
  await noticeOf(ben)
    .getByText(/Dee Ferreira was removed/)
    .waitFor();
  return ben;
}

scene('its seconds run, and it goes when Dee comes back by herself', async ({ viewer, actor, guid }) => {
  const ben = await kickDee(viewer, guid);
  await ben.until((first) => document.querySelector('main > .chat-group-members__notice small').textContent !== first, await left(ben));
  await actor('dee').join();
  await noticeOf(ben).waitFor({ state: 'detached' });
});

scene('the next act has the only bar', async ({ viewer, guid }) => {
  const ben = await kickDee(viewer, guid);
  await ben.dialog('eve', 'kick');
  await ben.confirm();
  await bar(ben).waitFor();
  await noticeOf(ben).waitFor({ state: 'detached' });
});

scene('whoever has joined and is banned reads of the ban alone, and has the focus there', async ({ viewer, actor, guid }) => {
  await actor('dee').leave();
  await actor('dee').join();
  const dee = await viewer('dee', { path: `/groups/${guid}/members?done=join&uid=dee` });
  await noticeOf(dee).waitFor();
  await dee.until(() => document.activeElement.matches('.chat-group-members__notice'));
  await actor('ada').ban('dee', {});
  await dee.page.getByText('You are banned from this group').waitFor();
  await noticeOf(dee).waitFor({ state: 'detached' });
  await dee.until((x) => document.getElementById(x).contains(document.activeElement), dee.x);
});

scene('back at a page that says what was done since undone, nothing is said, and the page is as it is now', async ({ viewer, actor, guid }) => {
  await actor('ada').ban('dee', {});
  const ben = await viewer('ben', { path: `/groups/${guid}/bans`, live: false });
  await ben.page.locator('form[action*="/bans/dee"] button').click();
  await ben.page.waitForURL(/done=unban/);
  await noticeOf(ben).locator('[data-action="undo"]').click();
  await ben.page.waitForURL(/done=undo/);
  await ben.page.goBack();
  await ben.page.locator('form[action*="/bans/dee"]').waitFor();
  assert.equal(await noticeOf(ben).count(), 0);
});

scene('after an act on her page the list has its notice alone, and no older bar', async ({ viewer, guid }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await bar(ben).waitFor();
  await ben.page.goto(new URL(`/groups/${guid}/members/eve`, ben.page.url()).href);
  await ben.page.locator('main section button[data-action="kick"]').click();
  await ben.page.waitForURL(/done=kick/);
  await ben.live('on');
  // With the menu the script of acts is there, which brings back what was stored; then the notice is looked after once more.
  await ben.menu('cy');
  await ben.until((first) => document.querySelector('main > .chat-group-members__notice small')?.textContent !== first, await left(ben));
  await noticeOf(ben)
    .getByText(/was removed/)
    .waitFor();
  assert.equal(await bar(ben).count(), 0);
});
