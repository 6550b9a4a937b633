// For people who set how they want to see: light or dark, forced colours, more contrast, less motion, on paper.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { at, host, MISSING_PICTURE, moderated, overlapping, THEMES, tooWide } from './looks.mjs';
import { scene, stage } from './support.mjs';

stage();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Words that cannot be read against what lies behind them. */
async function unreadable(viewer) {
  const debug = await viewer.context.newCDPSession(viewer.page);
  await debug.send('Runtime.evaluate', { expression: AXE });
  await debug.detach();
  return viewer.page.evaluate(async () => {
    const { violations, passes } = await window.axe.run(document, { runOnly: ['color-contrast'] });
    if (!passes.length) return ['nothing was looked at'];
    return violations.flatMap(({ nodes }) => nodes.map(({ target, any }) => `${target} ${any[0]?.message}`));
  });
}

for (const colorScheme of ['light', 'dark']) {
  for (const theme of ['', ...THEMES]) {
    scene(`words stand out from their ground: ${theme || 'as it comes'}, ${colorScheme}`, async (scene) => {
      const before = theme && readFileSync(at(`examples/themes/${theme}.css`), 'utf8');
      await moderated(scene.actor);
      const query = `?explain=true${theme === 'terminal' ? '&theme=dark' : ''}`;
      const ben = await host(scene, { before, query, room: theme, colorScheme, frame: 'block-size: 700px; inline-size: 420px' });
      assert.deepEqual(await unreadable(ben), [], 'list');
      await ben.row('dee').hover();
      assert.deepEqual(await unreadable(ben), [], 'a row under the pointer');
      await ben.menu('ada');
      assert.deepEqual(await unreadable(ben), [], 'what is not possible');
      await ben.page.keyboard.press('Escape');
      await ben.dialog('cy', 'ban');
      await ben.openParts();
      assert.deepEqual(await unreadable(ben), [], 'dialog');
      await ben.page.keyboard.press('Escape');
      await ben.closed();
      await ben.dialog('cy', 'notes');
      assert.deepEqual(await unreadable(ben), [], 'notes');
      await ben.page.keyboard.press('Escape');
      await ben.closed();
      await ben.dialog('dee', 'unmute');
      await ben.confirm();
      await ben.root.locator('.chat-group-members__undo').waitFor();
      assert.deepEqual(await unreadable(ben), [], 'the bar that undoes');
      assert.deepEqual(await tooWide(ben), []);
      assert.deepEqual(await overlapping(ben), []);
    });
  }
}

scene(
  'with forced colours, status is a shape, focus is a ring, and what cannot be done is grey',
  async (scene) => {
    const ben = await host(scene, { forcedColors: 'active', query: '?explain=true' });
    const shapes = await ben.page.evaluate(() => {
      const shape = (status) => {
        const row = document.querySelector('.chat-group-members__row');
        row.dataset.status = status;
        const { backgroundColor, backgroundImage, borderTopWidth } = getComputedStyle(row.querySelector('b > i'), '::before');
        return [backgroundColor, backgroundImage, borderTopWidth].join(' ');
      };
      return ['online', 'away', 'offline'].map(shape);
    });
    assert.equal(new Set(shapes).size, 3, shapes.join('\n'));
    assert.ok(
      shapes.every((shape) => shape.endsWith('1.5px') || shape.endsWith('1px')),
      shapes.join('\n'),
    );
    await ben.page.keyboard.press('Tab');
    const ring = await ben.page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      return `${outlineStyle} ${outlineWidth}`;
    });
    assert.equal(ring, 'solid 2px');
    const dots = await ben.button('cy').evaluate((button) => getComputedStyle(button, '::before').content);
    assert.equal(dots, '"•••"', 'the button is not only a background, which forced colours take away');
    await ben.menu('ada');
    const [can, cannot] = await ben.page.evaluate(() => {
      const colourOf = (text) => Object.assign(document.body.appendChild(document.createElement('i')), { style: `color: ${text}` });
      return [getComputedStyle(colourOf('GrayText')).color, getComputedStyle(document.querySelector('[aria-disabled="true"]')).color];
    });
    assert.equal(can, cannot);
  },
  MISSING_PICTURE,
);

scene('who asks for more contrast gets quiet words as loud as the others', async (scene) => {
  const ben = await host(scene, { contrast: 'more' });
  const colours = await ben
    .row('cy')
    .evaluate((row) => ['.chat-group-members__name', 'p', 'small'].map((part) => getComputedStyle(row.querySelector(part)).color));
  assert.equal(new Set(colours).size, 1, colours.join());
});

scene('who asks for less motion gets none', async (scene) => {
  for (const [reducedMotion, expected] of [
    ['reduce', 'none 0s'],
    ['no-preference', 'chat-group-members-rise 0.14s'],
  ]) {
    const ben = await host(scene, { reducedMotion });
    await ben.menu('cy');
    const motion = await ben.part('menu').evaluate((menu) => `${getComputedStyle(menu).animationName} ${getComputedStyle(menu).animationDuration}`);
    assert.equal(motion, expected);
  }
});

scene(
  'on paper stands the whole loaded list, and nothing to press',
  async ({ viewer }) => {
    const ben = await viewer('ben', { query: '?limit=100&selectionMode=multiple' });
    await ben.page.emulateMedia({ media: 'print' });
    const { hidden, cut } = await ben.page.evaluate(() => {
      const scroll = document.querySelector('.chat-group-members__scroll');
      const last = [...document.querySelectorAll('.chat-group-members__row')].at(-1).getBoundingClientRect();
      return { hidden: scroll.scrollHeight - scroll.clientHeight, cut: last.bottom + scrollY - document.documentElement.scrollHeight };
    });
    assert.ok(hidden <= 1 && cut <= 1, `${hidden} px below the edge of the list, ${cut} px below that of the page`);
    const pressed = ben.page.locator('.chat-group-members :is(a[href], button, input)');
    const seen = [];
    for (const one of await pressed.all()) if (await one.isVisible()) seen.push(await one.innerText());
    assert.deepEqual(seen, ['More members'], 'but for the word that says that there are more');
    const pages = (await ben.page.pdf()).toString('latin1').match(/\/Type\s*\/Page\b/g).length;
    assert.ok(pages >= 3, `a hundred people on ${pages} pages`);
  },
  { complaints: /none\.png/ },
);
