// On small screens and in narrow panels: a role with an end, a dialog in a low window and in large letters, words in what a finger presses.

import assert from 'node:assert/strict';

import { bar, notice, undo } from './bars.mjs';
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
  await ben.part('count').getByText('selected').waitFor();
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

/** Whether all of it is in the window. */
const isInWindow = (locator) =>
  locator.evaluate((one) => {
    const { top, bottom, height } = one.getBoundingClientRect();
    return height > 0 && top >= -1 && bottom <= innerHeight + 1;
  });

for (const [width, height] of [
  [844, 390],
  [320, 256],
]) {
  scene(
    `at ${width} by ${height} pixels, far down the list, one sees how an act went, that the list is not live, and what one was told`,
    async (it) => {
      const road = await it.proxy();
      const ben = await it.viewer('ben', { ...touchScreen, base: road.base, viewport: { width, height } });
      await ben.page.evaluate(() => scrollTo(0, 900));
      const uid = await ben.page.evaluate((list) => {
        const row = [...document.querySelectorAll(`#${list} > [data-acts~="kick"]`)].find((row) => row.getBoundingClientRect().top > 60);
        return row.dataset.uid;
      }, `${ben.x}-list`);
      await ben.dialog(uid, 'kick');
      await ben.confirm();
      await ben.gone(uid);
      assert.ok(await isInWindow(bar(ben)), 'the bar that undoes');
      await undo(ben).click();
      await ben.there(uid);
      await bar(ben).waitFor({ state: 'detached' });
      await it.actor('ada').mute('ben', { until: '3600', message: 'A quiet hour, please.' });
      await notice(ben).waitFor();
      assert.ok(await isInWindow(notice(ben)), 'what one was told');
      road.down = true;
      road.cut();
      await ben.live('reconnecting');
      await ben.page.locator('.chat-group-members__live').waitFor({ state: 'visible' });
      assert.ok(await isInWindow(ben.page.locator('.chat-group-members__live')), 'that it is not live');
      await ben.button(uid).click();
      await ben.page.locator('.chat-group-members__error').waitFor();
      assert.ok(await isInWindow(ben.page.locator('.chat-group-members__error')), 'that something went wrong');
    },
    { complaints: /ERR_/ },
  );

  scene(`at ${width} by ${height} pixels the acts on all who are selected are in the window, wherever the list is`, async ({ viewer }) => {
    const ben = await viewer('ben', { query: '?selectionMode=multiple', viewport: { width, height } });
    await ben.part('s-dee').check();
    await ben.part('selection').locator('[value="ban"]').waitFor();
    for (const far of [0, 1_200]) {
      await ben.page.evaluate((far) => scrollTo(0, far), far);
      const { y, height: its } = await ben.part('selection').boundingBox();
      assert.ok(y >= 0 && y + its <= height + 1, `from ${y} to ${y + its}`);
    }
    await ben.page.locator(`#${ben.x}-list [tabindex="0"]`).first().focus();
    await ben.page.keyboard.press('Tab');
    await ben.until((id) => document.activeElement.closest(`#${id}-selection`), ben.x);
    assert.ok(await isInWindow(ben.page.locator(':focus')), 'what Tab leads to');
  });
}

scene('on a phone a tap beside the menu closes it, and presses nothing that it covers', async ({ viewer }) => {
  const ben = await viewer('ben', touchScreen);
  const filter = await ben.root.locator('.chat-group-members__filters a[data-filter="admins"]').boundingBox();
  for (const { x, y } of [filter, { x: 5, y: 5 }]) {
    await ben.menu('dee');
    await ben.page.touchscreen.tap(x + 10, y + 10);
    await ben.page.locator(`#${ben.x}-menu:not(:popover-open)`).waitFor({ state: 'attached' });
  }
  await ben.there('eve');
  assert.equal(await ben.root.locator('.chat-group-members__filters [aria-current]').getAttribute('data-filter'), '');
  await ben.menu('dee');
  await ben.part('menu').locator('[data-action="kick"]').tap();
  await ben.part('dialog').locator('form').waitFor();
});

scene('whoever turns the phone, and turns it back, goes on reading where they were', async ({ viewer }) => {
  const ben = await viewer('ben', touchScreen);
  await ben.scrollTo(1_500);
  const seen = await ben.page.evaluate(() => document.elementFromPoint(180, 330).closest('[data-uid]').dataset.uid);
  // The place is stored shortly after the last scroll.
  await ben.page.waitForFunction(() => history.state?.order);
  const { width, height } = ben.page.viewportSize();
  for (const size of [
    { width: height, height: width },
    { width, height },
  ]) {
    await ben.page.setViewportSize(size);
    await ben.page.waitForFunction((width) => innerWidth === width, size.width);
    assert.ok(await isInWindow(ben.row(seen)), `${seen} at ${size.width} by ${size.height}`);
  }
});
