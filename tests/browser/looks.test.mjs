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
    const edge = (part) => part.getBoundingClientRect();
    return rows
      .filter((row) => {
        const around = [...row.querySelectorAll('.chat-group-members__you, .chat-group-members__badge, .chat-group-members__more')];
        const beside = around.find((part) => part.checkVisibility());
        const words = row.querySelectorAll('.chat-group-members__name, .chat-group-members__subtitle');
        return beside && [...words].some((word) => edge(word).right > edge(beside).left + 6);
      })
      .map((row) => row.dataset.uid);
  });

/** What can be pressed and is smaller than `least` in one direction. */
const tooSmall = (viewer, least) =>
  viewer.page.evaluate((least) => {
    const pressed = [...document.querySelectorAll('.chat-group-members :is(a, button, textarea, input:not([type="hidden"])), .chat-page__back a')];
    return pressed
      .map((one) => (one.type === 'radio' ? one.closest('label') : one))
      .filter((one) => one.checkVisibility() && !one.matches('.chat-group-members__say *'))
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < least || height < least)
      .map(([one, { width, height }]) => `${one.className || one.localName} ${one.textContent.trim()}: ${width} × ${height}`);
  }, least);

/** Brings the viewer through list, menu, dialog, nothing found and the banned, and asks the same everywhere. */
async function everywhere(ben, server, guid, ask) {
  await ask('list');
  await ben.menu('cy');
  await ask('menu');
  await ben.part('menu').locator('[data-action="ban"]').click();
  await ben.page.locator(`#${ben.x}-dialog[open] form`).waitFor();
  await ask('dialog');
  await ben.page.keyboard.press('Escape');
  await ben.closed();
  await ben.search('nobody at all');
  await ask('nothing found');
  await ben.page.goto(`${server.base}/groups/${guid}/bans`);
  await ask('bans');
  await ben.page.goto(`${server.base}/groups/${guid}/members/dee`);
  await ask('member');
}

const SIZES = [
  { name: '280 px', viewport: { width: 280, height: 700 } },
  { name: 'a zoom of 400 %', viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
];

for (const { name, ...context } of SIZES) {
  scene(
    `nothing is cut off or scrolls sideways, and everything can be hit: ${name}`,
    async ({ viewer, actor, server, guid }) => {
      await actor('ada').ban('p00', { reason: 'x'.repeat(300) });
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
    await actor('ada').ban('p00');
    const ben = await viewer('ben', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    await everywhere(ben, server, guid, async (state) => {
      assert.deepEqual(await tooSmall(ben, 44), [], state);
      const sizes = await ben.page.$$eval('input[type="search"], textarea', (fields) => fields.map((field) => parseFloat(getComputedStyle(field).fontSize)));
      assert.ok(sizes.every((size) => size >= 16), `${state}: ${sizes}`);
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
    const size = await ben.row('dee').locator('.chat-group-members__name').evaluate((name) => getComputedStyle(name).fontSize);
    assert.equal(size, '30px');
    assert.deepEqual(await tooWide(ben), []);
    assert.deepEqual(await overlapping(ben), []);
    await ben.dialog('cy', 'ban');
    assert.deepEqual(await tooWide(ben), []);
  },
  MISSING_PICTURE,
);

scene('the width that counts is the own one: marks in a narrow panel, words in a wider, columns in a wide', async (scene) => {
  const ben = await host(scene, { viewport: { width: 1280, height: 720 } });
  const panel = (width) => ben.root.evaluate((root, width) => (root.parentElement.style.inlineSize = `${width}px`), width);
  const badge = ben.row('cy').locator('.chat-group-members__badge');
  const beside = async () => (await ben.row('dee').boundingBox()).y === (await ben.row('html').boundingBox()).y;
  await panel(280);
  assert.equal((await badge.boundingBox()).width, 10);
  await panel(360);
  assert.ok((await badge.boundingBox()).width > 50);
  assert.equal(await beside(), false);
  await panel(1200);
  assert.equal(await beside(), true);
});

/** Resets that pages really have: a page of 1998, Bootstrap's, Tailwind's. */
const RESETS = {
  'a page of 1998': `body { font: 18px/2 Times; text-align: center; letter-spacing: 1px; text-transform: uppercase; text-indent: 9px; white-space: pre-line }
    * { box-sizing: content-box } a { color: red; text-decoration: underline } ul { padding-left: 60px } ul li { margin: 1em 2em; border-left: 3px solid }
    h2, h3 { font-size: 32px; border-bottom: 2px solid } p { margin: 1em; text-indent: 2em } span { background: yellow } section { padding: 3em; margin: 2em }
    img { border: 4px ridge gold; width: 200px } button, input, textarea { border: 3px inset; font: 20px monospace; width: 100%; margin: 8px }
    form { border: 1px solid; padding: 20px } header, nav { background: #ccf; padding: 1em } svg { width: 100px } time, small { font-style: italic }
    dialog { background: lime } div { margin: 3px } strong { color: green } label { float: left } fieldset { border: 4px double; padding: 3em }`,
  'Bootstrap': `*, ::after, ::before { box-sizing: border-box } body { margin: 0; font-family: Arial; line-height: 1.5; color: #212529 }
    h2, h3 { margin-bottom: .5rem; font-weight: 500; font-size: 2rem } p { margin-bottom: 1rem } ul { padding-left: 2rem; margin-bottom: 1rem }
    a { color: #0d6efd; text-decoration: underline } img, svg { vertical-align: middle } button { border-radius: 0 } legend { float: left; width: 100%; font-size: 1.5rem }
    button, input, select, textarea { margin: 0; font-family: inherit; font-size: inherit; line-height: inherit } small { font-size: .875em }`,
  'Tailwind': `*, ::before, ::after { box-sizing: border-box; border-width: 0; border-style: solid; border-color: #e5e7eb } h2, h3 { font-size: inherit; font-weight: inherit }
    a { color: inherit; text-decoration: inherit } button, input, textarea { font-size: 100%; font-weight: inherit; color: inherit; margin: 0; padding: 0 }
    input::placeholder { color: #9ca3af } h2, h3, p, fieldset, ul { margin: 0; padding: 0 } img, svg { display: block } img { max-width: 100%; height: auto }`,
};

/** How every part looks: all that a host's element rules change. */
const looks = (viewer) =>
  viewer.page.$$eval('.chat-group-members, .chat-group-members *', (parts) => {
    const asked = ['color', 'background-color', 'font', 'letter-spacing', 'text-transform', 'text-indent', 'text-align', 'text-decoration-line', 'white-space', 'margin', 'padding', 'border', 'border-radius', 'box-sizing', 'float', 'display', 'list-style'];
    const read = (part, pseudo) => {
      const style = getComputedStyle(part, pseudo);
      return pseudo && style.content === 'none' ? '' : asked.map((name) => style.getPropertyValue(name)).join(' | ');
    };
    return parts
      .filter((part) => !part.closest('[hidden]'))
      .map((part) => `${part.id || part.className?.baseVal || part.className || part.localName}: ${read(part)} ${read(part, '::before')} ${part.matches('input') ? read(part, '::placeholder') : ''}`);
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
  assert.ok(groups.every((group) => group.split('*/')[0].trim().length > 5), 'each group of variables says what it does');
});

test('styles have no side that is left or right, and no selector that every row has to answer', () => {
  for (const path of STYLES) {
    const text = source(path);
    assert.doesNotMatch(text, /(margin|padding|border)-(left|right|top|bottom)\b|\b(left|right)\s*:|text-align:\s*(left|right)|(^|[^-])\b(width|height)\s*:/m, path);
    assert.doesNotMatch(text, /:has\(|\[class[\]*^$~|=]/, path);
    assert.doesNotMatch(text, /!important/, path);
    // WebKit loses them to our guard against a host's styles.
    assert.doesNotMatch(text, /\b((padding|margin|inset)-(inline|block)|border-(inline|block)(-start|-end)?):[^;]*var\(/, path);
  }
});

test('a theme is variables and nothing else', () => {
  const known = new Set([...source('static/css-variables.css').matchAll(/^\s*(--chat-[a-z-]+):/gm)].map(([, name]) => name));
  for (const theme of THEMES) {
    const [, selector, body] = source(`examples/themes/${theme}.css`).match(/^\s*(\S+) \{([^{}]*)\}\s*$/);
    assert.equal(selector, `.${theme}`);
    const names = body.split(';').map((line) => line.trim()).filter(Boolean).map((line) => line.split(':')[0]);
    assert.deepEqual(names.filter((name) => !known.has(name)), [], theme);
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
      const query = `?explain=true${theme === 'terminal' ? '&theme=dark' : ''}`;
      const ben = await host(scene, { before, query, room: theme, colorScheme, frame: 'block-size: 700px; inline-size: 420px' });
      assert.deepEqual(await unreadable(ben), [], 'list');
      await ben.row('dee').hover();
      assert.deepEqual(await unreadable(ben), [], 'a row under the pointer');
      await ben.menu('ada');
      assert.deepEqual(await unreadable(ben), [], 'what is not possible');
      await ben.page.keyboard.press('Escape');
      await ben.dialog('cy', 'ban');
      assert.deepEqual(await unreadable(ben), [], 'dialog');
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
        const { backgroundColor, backgroundImage, borderTopWidth } = getComputedStyle(row.querySelector('.chat-group-members__status'), '::before');
        return [backgroundColor, backgroundImage, borderTopWidth].join(' ');
      };
      return ['online', 'away', 'offline'].map(shape);
    });
    assert.equal(new Set(shapes).size, 3, shapes.join('\n'));
    assert.ok(shapes.every((shape) => shape.endsWith('1.5px') || shape.endsWith('1px')), shapes.join('\n'));
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
  const colours = await ben.row('cy').evaluate((row) => ['name', 'subtitle', 'badge'].map((part) => getComputedStyle(row.querySelector(`.chat-group-members__${part}`)).color));
  assert.equal(new Set(colours).size, 1, colours.join());
});

scene('who asks for less motion gets none', async (scene) => {
  for (const [reducedMotion, expected] of [['reduce', 'none 0s'], ['no-preference', 'chat-group-members-rise 0.14s']]) {
    const ben = await host(scene, { reducedMotion });
    await ben.menu('cy');
    const motion = await ben.part('menu').evaluate((menu) => `${getComputedStyle(menu).animationName} ${getComputedStyle(menu).animationDuration}`);
    assert.equal(motion, expected);
  }
});
