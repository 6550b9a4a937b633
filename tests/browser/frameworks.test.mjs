// The list inside pages that are styled by what people style pages with: it looks as it does alone.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after } from 'node:test';

import { compile } from 'tailwindcss';

import { Host, LINK, SCRIPT, line, page } from './host.mjs';
import { looks, PARTS } from './parts.mjs';
import { scene, stage } from './support.mjs';

stage();

const hosts = [];
after(() => Promise.all(hosts.map((host) => host.stop())));

const npm = (path) => `<link rel="stylesheet" href="/npm/${path}">`;

/** What Tailwind's build writes for this page. */
async function tailwind(before = '') {
  const loadStylesheet = async (id, base) => ({
    path: id,
    base,
    content: await readFile(new URL(`../../node_modules/tailwindcss/${id === 'tailwindcss' ? 'index.css' : id}`, import.meta.url), 'utf8'),
  });
  const { build } = await compile(`${before}@import "tailwindcss";`, { base: '/', loadStylesheet });
  return build(['p-4', 'text-lg', 'font-bold', 'container']);
}

/** The documented line, for who has layers. */
const LAYERS = '@layer theme, base, chat-group-members, components, utilities;\n';
const TAILWIND = '<link rel="stylesheet" href="/tailwind.css">';

const FRAMEWORKS = {
  'Bootstrap 5': { head: npm('bootstrap/dist/css/bootstrap.min.css') + LINK, around: 'class="container"' },
  'Bootstrap 5 behind our styles': { head: LINK + npm('bootstrap/dist/css/bootstrap.min.css'), around: 'class="container"' },
  'Tailwind 4': { head: TAILWIND + LINK, css: '' },
  'Tailwind 4 behind our styles': { head: LINK + TAILWIND, css: '' },
  'Tailwind 4 behind our styles, with the documented line': { head: LINK + TAILWIND, css: LAYERS },
  Bulma: { head: npm('bulma/css/bulma.min.css') + LINK },
  'Bulma with its .content around': { head: npm('bulma/css/bulma.min.css') + LINK, around: 'class="content"' },
  Pico: { head: npm('@picocss/pico/css/pico.min.css') + LINK, around: 'class="container"' },
  'Pico behind our styles': { head: LINK + npm('@picocss/pico/css/pico.min.css'), around: 'class="container"' },
  'water.css': { head: npm('water.css/out/water.min.css') + LINK },
};

/** The pages of a host, each with the query of its list. */
const QUERIES = { '/': '', '/select': '?selectionMode=multiple' };

/** Everything that Ben gets to see, part by part. */
async function everything({ viewer, guid }, base) {
  const ben = await viewer('ben', { base, path: '/', live: false, viewport: { width: 800, height: 700 } });
  await ben.live('on');
  // As when changes wait for a hand.
  await ben.page.evaluate(() => document.querySelector('.chat-group-members__held').removeAttribute('hidden'));
  const seen = await looks(ben, PARTS.list);
  await ben.menu('dee');
  Object.assign(seen, await looks(ben, PARTS.menu));
  await ben.part('menu').locator('[data-action="ban"]').click();
  await ben.page.locator(`#cgm-${guid}-dialog[open] form`).waitFor();
  // How a field shows that it is being written in, is the host's.
  await ben.page.evaluate(() => document.activeElement.blur());
  Object.assign(seen, await looks(ben, PARTS.dialog));
  const selecting = await viewer('ben', { base, path: '/select', live: false, viewport: { width: 800, height: 700 } });
  await selecting.live('on');
  await selecting.row('dee').locator('.chat-group-members__select').check();
  await selecting.away();
  await selecting.page.evaluate(() => document.activeElement.blur());
  return Object.assign(seen, await looks(selecting, PARTS.selection));
}

for (const [name, { head, css, around = '' }] of Object.entries(FRAMEWORKS)) {
  scene(`in a page of ${name}, the list looks as it does alone`, async (it) => {
    const host = await Host.start(it.server.base);
    hosts.push(host);
    if (css !== undefined) host.pages.set('/tailwind.css', await tailwind(css));
    // A type of the same size: the list follows the size that a page sets.
    const place = (around, query) => `<main ${around}><h1>Chat</h1><div style="block-size: 480px; inline-size: 360px">${line(it.guid, query)}</div></main>`;
    const show = (head, around) => {
      for (const [path, query] of Object.entries(QUERIES)) host.pages.set(path, page(head + same + SCRIPT, place(around, query)));
    };
    const same = '<style>:root { font-size: 16px !important }</style>';
    show(LINK, '');
    const alone = await everything(it, host.base);
    show(head, around);
    const there = await everything(it, host.base);
    const differs = Object.keys(alone).filter((key) => alone[key] !== there[key]);
    assert.deepEqual(
      differs.map((key) => `${key}: ${alone[key]} → ${there[key]}`),
      [],
    );
  });
}
