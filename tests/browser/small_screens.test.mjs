// On small screens and in narrow panels: a role with an end, a dialog in a low window and in large letters, words in what a finger presses.

import assert from 'node:assert/strict';

import { touchScreen } from './finger.mjs';
import { scene, stage } from './support.mjs';

stage();

/** Whether the badge is below the name, and the name, of two short words, in one line. */
const nameIsRead = (row) =>
  row.evaluate((row) => {
    const [name, badge] = ['.chat-group-members__name', 'small[data-until]'].map((part) => row.querySelector(part).getBoundingClientRect());
    return { isBelow: badge.top >= name.bottom - 1, isOneLine: name.height < 30 };
  });

for (const width of [320, 340, 420]) {
  scene(`at ${width} px the end of a role leaves the name its room, in the list and on the person's page`, async ({ viewer, actor, server, guid }) => {
    await actor('ada').scope('cy', 'participant');
    await actor('ada').scope('cy', 'moderator', { until: '86400' });
    const ben = await viewer('ben', { query: '?selectionMode=multiple', viewport: { width, height: 640 } });
    await ben.there('cy');
    assert.deepEqual(await nameIsRead(ben.row('cy')), { isBelow: true, isOneLine: true });
    await ben.page.goto(`${server.base}/groups/${guid}/members/cy`);
    const row = ben.page.locator('.chat-page__card [data-uid="cy"]');
    await row.waitFor();
    assert.deepEqual(await nameIsRead(row), { isBelow: true, isOneLine: true });
  });
}

scene('in a window as low as at a zoom of 400 % a dialog scrolls as a whole, and has the window for itself', async ({ viewer }) => {
  const ben = await viewer('ben', { viewport: { width: 320, height: 200 } });
  await ben.dialog('dee', 'ban');
  const dialog = ben.part('dialog');
  const { room, buttons } = await dialog.evaluate((dialog) => ({
    room: dialog.clientHeight,
    buttons: dialog.querySelector('footer').getBoundingClientRect().top - dialog.getBoundingClientRect().bottom,
  }));
  assert.ok(room >= 190, `${room} px`);
  assert.ok(buttons > 0, 'the buttons are at the end of the form');
  for (const name of ['reason', 'message']) {
    const field = dialog.locator(`[name=${name}]`);
    await field.focus();
    const isSeen = await field.evaluate((field) => {
      const { left, top, bottom } = field.getBoundingClientRect();
      return [top + 2, bottom - 2].every((y) => document.elementFromPoint(left + 20, y) === field);
    });
    assert.ok(isSeen, `all of ${name} is seen`);
  }
  await dialog.evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight));
  const heading = await dialog.evaluate((dialog) => dialog.querySelector('h2').getBoundingClientRect().bottom - dialog.getBoundingClientRect().top);
  assert.ok(heading <= 0, 'the heading has gone with it');
  await ben.confirm();
  await ben.gone('dee');
});

/** What is higher or lower in its button than its middle, by how many pixels. */
const offCentre = (viewer, selector) =>
  viewer.page.locator(selector).evaluateAll((all) =>
    all
      .map((one) => {
        const words = document.createRange();
        words.selectNodeContents(one);
        const [box, text] = [one, words].map((part) => part.getBoundingClientRect());
        return [one.textContent.trim(), (text.top + text.bottom - box.top - box.bottom) / 2];
      })
      .filter(([, pixels]) => Math.abs(pixels) > 1.5),
  );

scene('what a finger presses has its words in the middle: in a menu, in a dialog, in the bar of a selection', async ({ viewer }) => {
  const ben = await viewer('ben', { ...touchScreen, query: '?selectionMode=multiple' });
  await ben.menu('dee');
  const { height } = await ben.part('menu').locator('[data-action]').first().boundingBox();
  assert.ok(height >= 44, 'higher than its words');
  assert.deepEqual(await offCentre(ben, `#${ben.x}-menu [data-action]`), []);
  await ben.page.keyboard.press('Escape');
  await ben.dialog('dee', 'kick');
  assert.deepEqual(await offCentre(ben, `#${ben.x}-dialog footer > *`), []);
  await ben.page.keyboard.press('Escape');
  await ben.closed();
  await ben.part('selection').locator('[data-select-all]').waitFor();
  assert.deepEqual(await offCentre(ben, `#${ben.x}-selection button`), []);
});

scene('in letters of twice the size, the field with the focus is not below the buttons of a dialog', async ({ viewer }) => {
  const ben = await viewer('ben', { viewport: { width: 320, height: 640 } });
  await ben.page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  await ben.dialog('dee', 'mute');
  const form = ben.part('dialog').locator('form');
  await form.getByText('Another end').click();
  const buttons = await form.locator('.chat-group-members__buttons').boundingBox();
  for (const name of ['reason', 'message', 'hours', 'day']) {
    const field = form.locator(`[name=${name}]`);
    await field.focus();
    const { y, height } = await field.boundingBox();
    assert.ok(y + height <= buttons.y + 1, `${name} ends at ${y + height}, the buttons begin at ${buttons.y}`);
  }
});
