// In any width, at any zoom and with large letters: nothing is cut off, and everything can be hit.

import assert from 'node:assert/strict';

import { host, MISSING_PICTURE, moderated, overlapping, tooWide } from './looks.mjs';
import { scene, stage } from './support.mjs';

stage();

/** What can be pressed and is smaller than `least` in one direction. */
const tooSmall = (viewer, least) =>
  viewer.page.evaluate((least) => {
    const pressed = [...document.querySelectorAll('.chat-group-members :is(a[href], button, textarea, input:not([type="hidden"])), .chat-page__back a')];
    return (
      pressed
        // A press anywhere on a row ticks its box.
        .map((one) => one.closest('.chat-group-members__select')?.closest('li') ?? (one.type === 'radio' ? one.closest('label') : one))
        .filter((one) => one.checkVisibility() && !one.matches('.chat-group-members__say *'))
        .map((one) => [one, one.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < least || height < least)
        .map(([one, { width, height }]) => `${one.className || one.localName} ${one.textContent.trim()}: ${width} × ${height}`)
    );
  }, least);

/** Brings the viewer through list, menu, dialogs, the bar that undoes, nothing found and pages, and asks the same everywhere. */
async function everywhere(ben, server, guid, ask) {
  await ben.root.locator('.chat-group-members__notice').waitFor();
  await ask('list');
  await ben.menu('cy');
  await ask('menu');
  await ben.page.keyboard.press('Escape');
  for (const act of ['ban', 'mute', 'notes']) {
    await ben.dialog('cy', act);
    await ben.openParts();
    await ask(`dialog: ${act}`);
    await ben.page.keyboard.press('Escape');
    await ben.closed();
  }
  await ben.dialog('dee', 'unmute');
  await ben.confirm();
  await ben.root.locator('.chat-group-members__undo').waitFor();
  await ask('the bar that undoes');
  await ben.root.getByRole('button', { name: 'Undo' }).click();
  await ben.root.locator('.chat-group-members__undo').waitFor({ state: 'detached' });
  await ben.search('nobody at all');
  await ask('nothing found');
  for (const path of ['bans', 'mutes', 'members/dee', 'members/cy/notes']) {
    await ben.page.goto(`${server.base}/groups/${guid}/${path}`);
    await ask(path);
  }
  await ben.page.goto(`${server.base}/groups/${guid}/members?selectionMode=multiple`);
  await ben.live('on');
  for (const uid of ['ada', 'cy']) {
    // By the keyboard, which scrolls it out from below the bar that lies over the end of a low window.
    await ben.part(`s-${uid}`).focus();
    await ben.page.keyboard.press('Space');
    assert.equal(await ben.part(`s-${uid}`).isChecked(), true);
  }
  await ben.part('selection').locator('[value="mute"]').click();
  await ben.page.locator(`#${ben.x}-dialog[open] form`).waitFor();
  await ben.openParts();
  await ask('dialog of many');
}

const SIZES = [
  { name: '280 px', viewport: { width: 280, height: 700 } },
  { name: 'a zoom of 400 %', viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
];

for (const { name, ...context } of SIZES) {
  scene(
    `nothing is cut off or scrolls sideways, and everything can be hit: ${name}`,
    async ({ viewer, actor, server, guid }) => {
      await moderated(actor);
      const ben = await viewer('ben', context);
      assert.ok((await ben.rows.count()) >= 8);
      await everywhere(ben, server, guid, async (state) => {
        assert.deepEqual(await tooWide(ben), [], state);
        assert.deepEqual(await overlapping(ben), [], state);
        assert.deepEqual(await tooSmall(ben, 24), [], state);
      });
    },
    MISSING_PICTURE,
  );
}

scene(
  'a finger finds targets of 44 px, and fields that a phone does not zoom into',
  async ({ viewer, actor, server, guid }) => {
    await moderated(actor);
    const ben = await viewer('ben', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    await everywhere(ben, server, guid, async (state) => {
      assert.deepEqual(await tooSmall(ben, 44), [], state);
      const sizes = await ben.page.$$eval('input[type="search"], textarea', (fields) => fields.map((field) => parseFloat(getComputedStyle(field).fontSize)));
      assert.ok(
        sizes.every((size) => size >= 16),
        `${state}: ${sizes}`,
      );
    });
    await ben.page.goto(`${server.base}/groups/${guid}/members`);
    const { height } = await ben.button('cy').boundingBox();
    assert.equal(height, 44);
  },
  MISSING_PICTURE,
);

scene(
  'a million members fit into the head, in the narrowest panel',
  async ({ viewer }) => {
    const ben = await viewer('ben', { viewport: { width: 280, height: 500 } });
    await ben.page.$eval(`#${ben.x}-totals [data-members]`, (count) => (count.textContent = '1,000,000'));
    await ben.page.$eval(`#${ben.x}-totals [data-online]`, (count) => (count.textContent = '234,567'));
    assert.deepEqual(await tooWide(ben), []);
  },
  MISSING_PICTURE,
);

scene(
  'letters of twice the size make the list larger, and break nothing',
  async (scene) => {
    const ben = await host(scene, { before: 'html { font-size: 200% }', viewport: { width: 420, height: 700 } });
    const size = await ben
      .row('dee')
      .locator('.chat-group-members__name')
      .evaluate((name) => getComputedStyle(name).fontSize);
    assert.equal(size, '30px');
    assert.deepEqual(await tooWide(ben), []);
    assert.deepEqual(await overlapping(ben), []);
    await ben.dialog('cy', 'ban');
    assert.deepEqual(await tooWide(ben), []);
  },
  MISSING_PICTURE,
);

scene(
  'the width that counts is the own one: the role below the name in a narrow panel, beside it in a wider, and rows one below the other in any',
  async (scene) => {
    const ben = await host(scene, { viewport: { width: 1280, height: 720 } });
    const panel = (width) => ben.root.evaluate((root, width) => (root.parentElement.style.inlineSize = `${width}px`), width);
    const badge = ben.row('cy').locator('small');
    const beside = async () => (await ben.row('dee').boundingBox()).y === (await ben.row('html').boundingBox()).y;
    const below = async () => (await badge.boundingBox()).y > (await ben.row('cy').locator('p').boundingBox()).y;
    await panel(280);
    assert.equal(await below(), true);
    await panel(360);
    assert.equal(await below(), false);
    assert.equal(await beside(), false);
    await panel(1200);
    assert.equal(await below(), false);
    // In columns, whoever joins would move everybody behind them sideways.
    assert.equal(await beside(), false);
  },
);
