// How it looks: in any width, at any zoom, under any host's styles, with any host's variables, and
// for people who set their own colours.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { people } from './cast.mjs';
import { scene, stage } from './support.mjs';

stage();

const at = (path) => new URL(`../../${path}`, import.meta.url);
const STYLES = ['static/css-variables.css', 'static/page.css', ...readdirSync(at('static/css')).map((name) => `static/css/${name}`)];
/** The source without its comments. */
const source = (path) => readFileSync(at(path), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const THEMES = ['terminal', 'hearth', 'gazette'];

/** The cast with somebody of every scope, a name that never ends, and a picture that does not come. */
const crowd = () =>
  people().map((member) => {
    if (member.uid === 'long') return { ...member, scope: 'moderator' };
    return member.uid === 'zoe' ? { ...member, scope: 'admin', avatar: 'https://127.0.0.1:1/none.png' } : member;
  });

/** A picture that does not come is not our complaint. */
const MISSING_PICTURE = { members: crowd(), complaints: /127\.0\.0\.1:1\// };

/** Ben in a host's page of the same origin, that holds his list between `before` and `after` our styles. */
async function host({ viewer, actor, proxy }, { before = '', after = '', query = '', frame = 'block-size: 700px', room = '', ...context } = {}) {
  const road = await proxy();
  const list = await actor('ben').ask('GET', `/members${query}`, undefined, { Accept: '*/*' });
  road.pages.set(
    '/host',
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>A chat</title><link rel="icon" href="data:,">
<style>${before}</style><link rel="stylesheet" href="/static/css-variables.css"><style>${after}</style>
<script src="/static/chat-group-members.js" defer></script></head><body><div class="${room}" style="${frame}">${await list.text()}</div></body></html>`,
  );
  const ben = await viewer('ben', { base: road.base, path: '/host', live: false, viewport: { width: 800, height: 720 }, ...context });
  await ben.live('on');
  return ben;
}

/** What is wider than the window: the page, or parts of the component that may not be cut off. */
const tooWide = (viewer) =>
  viewer.page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    // The filters go on sideways.
    const parts = [...document.querySelectorAll('[class*="chat-group-members__"]')].filter((part) => !part.closest('.chat-group-members__filters'));
    const out = parts.filter((part) => {
      const { left, right, width } = part.getBoundingClientRect();
      return width > 1 && (left < -0.5 || right > room + 0.5);
    });
    return [...out.map((part) => part.className), ...(document.documentElement.scrollWidth > room ? ['the page'] : [])];
  });

/** Rows in which a name or what stands below it reaches into what stands beside. */
const overlapping = (viewer) =>
  viewer.page.$$eval('.chat-group-members__row', (rows) => {
    const meet = (one, other) => one.left < other.right - 6 && other.left < one.right - 6 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    return rows
      .filter((row) => {
        const boxes = (names) =>
          [...row.querySelectorAll(names.map((name) => `:scope ${name}`))].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect());
        const around = boxes(['> b', '> em', '> small', '.chat-group-members__more']);
        return boxes(['.chat-group-members__name', '> div > p']).some((word) => around.some((part) => meet(word, part)));
      })
      .map((row) => row.dataset.uid);
  });

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

/** What moderators have done: p00 is banned, Dee is muted, Cy's role ends and has a note, and Ben himself is muted. */
async function moderated(actor) {
  const long = 'x'.repeat(300);
  await actor('ada').ban('p00', { reason: long });
  for (const uid of ['dee', 'ben']) await actor('ada').mute(uid, { reason: long, message: long, until: '3600' });
  await actor('ada').scope('cy', 'participant');
  await actor('ada').scope('cy', 'moderator', { until: '86400' });
  await actor('ada').ask('POST', '/members/cy/notes', { text: `${long}\n${long}` });
}

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
  for (const uid of ['ada', 'cy']) await ben.part(`s-${uid}`).check({ force: true });
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

/** Names that nobody can break between words: as long as a name may be, and as long as suffices on a phone. */
const unbroken = () =>
  crowd().map((member) => ({ ...member, name: { zoe: 'W'.repeat(100), dee: 'W'.repeat(45), cy: 'M'.repeat(100) }[member.uid] ?? member.name }));

for (const [size, context] of Object.entries({
  'a wide window': { viewport: { width: 1280, height: 800 } },
  '320 × 480': { viewport: { width: 320, height: 480 } },
  '280 px, in Hebrew': { viewport: { width: 280, height: 600 }, query: '?lang=he&groupBy=none&selectionMode=multiple' },
  '320 × 480, in German, with letters of twice the size': {
    viewport: { width: 320, height: 480 },
    query: '?lang=de',
    before: 'html { font-size: 200% }',
    frame: 'block-size: 480px',
  },
})) {
  scene(
    `names of a hundred letters are read in full, and a dialog about them keeps its buttons in sight: ${size}`,
    async (scene) => {
      const ben = await host(scene, context);
      for (const uid of ['cy', 'dee', 'zoe']) {
        await ben.part('q').fill(uid);
        await ben.row(uid).waitFor();
        await ben.until((count) => document.querySelectorAll('[data-uid]').length <= count, 3);
        const cut = await ben
          .row(uid)
          .locator('.chat-group-members__name')
          .evaluate((name) => [name.scrollWidth - name.clientWidth, name.scrollHeight - name.clientHeight]);
        assert.deepEqual(cut, [0, 0], `${uid}: pixels of the name that are cut off`);
        assert.deepEqual(await tooWide(ben), [], uid);
        assert.deepEqual(await overlapping(ben), [], uid);
        if (uid === 'zoe') continue;
        for (const act of ['kick', 'ban', 'scope']) {
          await ben.dialog(uid, act);
          assert.deepEqual(await tooWide(ben), [], `${act} ${uid}`);
          const out = await ben.part('dialog').evaluate((dialog) => {
            const box = dialog.getBoundingClientRect();
            const isOut = ({ left, right, top, bottom }) =>
              left < box.left || right > box.right || top < box.top || bottom > box.bottom || bottom > innerHeight;
            return [...dialog.querySelectorAll('footer > *')].filter((button) => isOut(button.getBoundingClientRect())).map(({ textContent }) => textContent);
          });
          assert.deepEqual(out, [], `${act} ${uid}: buttons on the screen`);
          await ben.page.keyboard.press('Tab');
          const covered = await ben.page.evaluate(() => {
            const one = document.activeElement.getBoundingClientRect();
            const footer = document.activeElement.closest('footer') ? null : document.querySelector('dialog[open] footer').getBoundingClientRect();
            return footer && one.top >= footer.top;
          });
          assert.ok(!covered, `${act} ${uid}: what has the focus is not below the buttons`);
          await ben.page.keyboard.press('Escape');
          await ben.closed();
        }
      }
    },
    { ...MISSING_PICTURE, members: unbroken() },
  );
}

for (const lang of ['en', 'de', 'lt', 'ru', 'he', 'zh']) {
  scene(
    `the role is read at 280 px without a heading: ${lang}`,
    async ({ viewer }) => {
      for (const mode of ['none', 'multiple']) {
        const ben = await viewer('ben', { viewport: { width: 280, height: 640 }, query: `?groupBy=none&lang=${lang}&selectionMode=${mode}` });
        const badges = await ben.page.$$eval('.chat-group-members__row > small', (all) =>
          all.map((badge) => {
            const text = document.createRange();
            text.selectNodeContents(badge);
            const [box, word, row] = [badge, text, badge.closest('li')].map((part) => part.getBoundingClientRect());
            return [
              badge.textContent.trim().length > 0,
              word.width > 8,
              word.left >= box.left - 1 && word.right <= box.right + 1,
              box.left >= row.left && box.right <= row.right,
              box.bottom <= row.bottom,
            ];
          }),
        );
        assert.ok(badges.length >= 4);
        assert.deepEqual(
          badges.flat().filter((holds) => !holds),
          [],
          mode,
        );
        assert.deepEqual(await tooWide(ben), []);
      }
    },
    MISSING_PICTURE,
  );
}

/** Resets that pages really have: a page of 1998, Bootstrap's, Tailwind's. */
const RESETS = {
  'a page of 1998': `body { font: 18px/2 Times; text-align: center; letter-spacing: 1px; text-transform: uppercase; text-indent: 9px; white-space: pre-line }
    * { box-sizing: content-box } a { color: red; text-decoration: underline } ul { padding-left: 60px } ul li { margin: 1em 2em; border-left: 3px solid }
    h2, h3 { font-size: 32px; border-bottom: 2px solid } p { margin: 1em; text-indent: 2em } span { background: yellow } section { padding: 3em; margin: 2em }
    img { border: 4px ridge gold; width: 200px } button, input, textarea { border: 3px inset; font: 20px monospace; width: 100%; margin: 8px }
    form { border: 1px solid; padding: 20px } header, nav { background: #ccf; padding: 1em } svg { width: 100px } time, small { font-style: italic }
    dialog { background: lime } div { margin: 3px } strong { color: green } label { float: left } fieldset { border: 4px double; padding: 3em }`,
  Bootstrap: `*, ::after, ::before { box-sizing: border-box } body { margin: 0; font-family: Arial; line-height: 1.5; color: #212529 }
    h2, h3 { margin-bottom: .5rem; font-weight: 500; font-size: 2rem } p { margin-bottom: 1rem } ul { padding-left: 2rem; margin-bottom: 1rem }
    a { color: #0d6efd; text-decoration: underline } img, svg { vertical-align: middle } button { border-radius: 0 } legend { float: left; width: 100%; font-size: 1.5rem }
    button, input, select, textarea { margin: 0; font-family: inherit; font-size: inherit; line-height: inherit } small { font-size: .875em }`,
  Tailwind: `*, ::before, ::after { box-sizing: border-box; border-width: 0; border-style: solid; border-color: #e5e7eb } h2, h3 { font-size: inherit; font-weight: inherit }
    a { color: inherit; text-decoration: inherit } button, input, textarea { font-size: 100%; font-weight: inherit; color: inherit; margin: 0; padding: 0 }
    input::placeholder { color: #9ca3af } h2, h3, p, fieldset, ul { margin: 0; padding: 0 } img, svg { display: block } img { max-width: 100%; height: auto }`,
};

/** How every part looks: all that a host's element rules change. */
const looks = (viewer) =>
  viewer.page.$$eval('.chat-group-members, .chat-group-members *', (parts) => {
    const asked = [
      'color',
      'background-color',
      'font',
      'letter-spacing',
      'text-transform',
      'text-indent',
      'text-align',
      'text-decoration-line',
      'white-space',
      'margin',
      'padding',
      'border',
      'border-radius',
      'box-sizing',
      'float',
      'display',
      'list-style',
    ];
    const read = (part, pseudo) => {
      const style = getComputedStyle(part, pseudo);
      return pseudo && style.content === 'none' ? '' : asked.map((name) => style.getPropertyValue(name)).join(' | ');
    };
    return parts
      .filter((part) => !part.closest('[hidden]'))
      .map(
        (part) =>
          `${part.id || part.className?.baseVal || part.className || part.localName}: ${read(part)} ${read(part, '::before')} ${part.matches('input') ? read(part, '::placeholder') : ''}`,
      );
  });

for (const [name, reset] of Object.entries(RESETS)) {
  scene(`the styles of ${name} for bare elements change nothing in the list, before ours or behind`, async (scene) => {
    const own = await host(scene);
    await own.dialog('cy', 'ban');
    const asAlone = await looks(own);
    assert.ok(asAlone.length > 300);
    for (const place of ['before', 'after']) {
      const ben = await host(scene, { [place]: reset });
      await ben.dialog('cy', 'ban');
      const inThePage = await looks(ben);
      assert.deepEqual(inThePage.filter((part, index) => part !== asAlone[index]).slice(0, 3), [], place);
      assert.equal(inThePage.length, asAlone.length);
    }
  });
}

scene('one class of ours in a rule of the host is enough to win, before ours or behind, without !important', async (scene) => {
  const rules = `.chat-group-members__row { background: rgb(255, 0, 0); margin-block: 7px } .chat-group-members__name { color: rgb(0, 0, 255) }
    .chat-group-members__more::before { opacity: 0.25 } .chat-group-members { border: 3px solid }`;
  for (const place of ['before', 'after']) {
    const ben = await host(scene, { [place]: rules });
    const style = (locator, name, pseudo) => locator.evaluate((part, [name, pseudo]) => getComputedStyle(part, pseudo)[name], [name, pseudo]);
    assert.equal(await style(ben.row('cy'), 'backgroundColor'), 'rgb(255, 0, 0)', place);
    assert.equal(await style(ben.row('cy'), 'marginTop'), '7px', place);
    assert.equal(await style(ben.row('cy').locator('.chat-group-members__name'), 'color'), 'rgb(0, 0, 255)', place);
    assert.equal(await style(ben.button('cy'), 'opacity', '::before'), '0.25', place);
    assert.equal(await style(ben.root, 'borderTopWidth'), '3px', place);
  }
});

scene('a host that has layers says where ours belongs', async (scene) => {
  const before = `@layer base, chat-group-members, components; @layer base { li { margin: 9px } * { padding: 0 } }
    @layer components { .chat-group-members__name { color: rgb(0, 0, 255) } }`;
  const ben = await host(scene, { before });
  const [margin, padding, colour] = await ben.row('cy').evaluate((row) => {
    const { margin, paddingLeft } = getComputedStyle(row);
    return [margin, paddingLeft, getComputedStyle(row.querySelector('.chat-group-members__name')).color];
  });
  assert.deepEqual([margin, padding, colour], ['0px', '8px', 'rgb(0, 0, 255)']);
});

test('every variable that the styles use is explained in css-variables.css, and every one there is used', () => {
  const all = STYLES.map(source).join('\n');
  const found = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
  const explained = found(source('static/css-variables.css'), /^\s*(--chat-[a-z-]+):/gm);
  assert.deepEqual(found(all, /var\((--chat-[a-z-]+)/g), explained);
  const groups = readFileSync(at('static/css-variables.css'), 'utf8').split('/*').slice(2);
  assert.ok(
    groups.every((group) => group.split('*/')[0].trim().length > 5),
    'each group of variables says what it does',
  );
});

test('styles have no side that is left or right, and no selector that every row has to answer', () => {
  for (const path of STYLES) {
    const text = source(path);
    assert.doesNotMatch(
      text,
      /(margin|padding|border)-(left|right|top|bottom)\b|\b(left|right)\s*:|text-align:\s*(left|right)|(^|[^-])\b(width|height)\s*:/m,
      path,
    );
    assert.doesNotMatch(text, /:has\(|\[class[\]*^$~|=]/, path);
    assert.doesNotMatch(text, /!important/, path);
    // A guessed height above what one reads would move it.
    assert.doesNotMatch(text, /content-visibility/, path);
    // Chromium computes all styles of the list, or of the page, anew at each change for the sake of one of these.
    assert.doesNotMatch(text, /\dcq(i|w|b|h|min|max)\b|[+~]\s*div\b/, path);
    // WebKit loses them to our guard against a host's styles.
    assert.doesNotMatch(text, /\b((padding|margin|inset)-(inline|block)|border-(inline|block)(-start|-end)?):[^;]*var\(/, path);
  }
});

test('a theme is variables and nothing else', () => {
  const known = new Set([...source('static/css-variables.css').matchAll(/^\s*(--chat-[a-z-]+):/gm)].map(([, name]) => name));
  for (const theme of THEMES) {
    const [, selector, body] = source(`examples/themes/${theme}.css`).match(/^\s*(\S+) \{([^{}]*)\}\s*$/);
    assert.equal(selector, `.${theme}`);
    const names = body
      .split(';')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => line.split(':')[0]);
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
      theme,
    );
  }
});

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
