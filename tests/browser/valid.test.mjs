// Every page, and every fragment in a plain document, is valid HTML by the checker of the W3C.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { scene, stage } from './support.mjs';

stage();

const CHECKER = createRequire(import.meta.url).resolve('vnu-jar/build/dist/vnu.jar');

const shell = (fragment) =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>A host's page</title></head><body><main><h1>Chat</h1>\n${fragment}\n</main></body></html>\n`;

/** Parts of the component stand below its title. */
const below = (part) => `<h2>Members</h2>${part}`;

/** Who asks for what. A navigation gets a page; htmx gets a fragment. */
const PAGES = [
  ['ben', '/members'],
  ['ben', '/members?searchKeyword=nobody+at+all'],
  ['ada', '/members?done=ban&uid=p00'], // whom somebody else has banned
  ['ben', '/members?groupBy=none&limit=100&theme=dark'],
  ['ben', '/members?selectionMode=multiple'],
  ['ada', '/members/ben'],
  ['ben', '/members/ben'],
  ['ada', '/members/cy?done=mute&uid=cy'],
  ['ben', '/members/dee?act=ban'],
  ['ben', '/members/dee?act=mute'],
  ['ben', '/members/cy?act=unmute'],
  ['cy', '/members'], // who is muted
  ['cy', ''],
  ['ben', '/members/dee/notes'],
  ['ben', '/mutes'],
  ['eve', '/members/dee'],
  ['ben', '/bans'],
  ['ben', ''],
  ['stranger', ''],
  ['stranger', '/members'],
  ['ben', '/members?limit=minus'],
];
const FRAGMENTS = [
  ['ben', '/members?part=component'],
  ['eve', '/members?part=component&explain=true&instance=b'],
  ['eve', '/members?part=component&selectionMode=single'],
  ['ben', '/members?part=view', below],
  ['ben', '/members?part=rows', (rows) => below(`<ul>${rows}</ul>`)],
  ['ben', '/members/dee?part=menu'],
  ['eve', '/members/dee?part=menu&explain=true'],
  ['ben', '/members/dee?act=kick&part=dialog'],
  ['ben', '/members/dee?act=ban&part=dialog'],
  ['ben', '/members/dee?act=scope&part=dialog'],
  ['ada', '/members/p02?act=scope&part=dialog'], // whose role ends
  ['ben', '/members/dee?act=mute&part=dialog'],
  ['ben', '/members/cy?act=unmute&part=dialog'],
  ['ben', '/members/dee/notes?part=dialog'],
  ['cy', '/members?part=component'],
  ['ben', '/members/p02', (row) => `<ul>${row}</ul>`],
  ['ben', '/mutes'],
  ['ada', '/members/ben?act=transfer&part=dialog'],
  ['eve', '/members/eve?act=leave&part=dialog'],
  ['ben', '/members/dee', (row) => `<ul>${row}</ul>`],
  ['ben', '/bans'],
  ['ben', ''],
  ['ben', '/members?limit=minus'],
];

/** Advice that we know better: without the role, Safari takes an unmarked list for none; and the
 *  component is a section with a label where the reason of its end stands. The role of the search form has a
 *  second token, so that Pico's rules for `[role=search]` do not match. */
const FORGIVEN = [/superfluous token “form” from value of attribute “role”/, /“list” role is unnecessary/, /^Section lacks heading/];

/** What the checker says, file by file. */
const check = (files) =>
  new Promise((done) => {
    execFile('java', ['-Xmx512m', '-jar', CHECKER, '--format', 'json', ...files], { maxBuffer: 1 << 26 }, (failed, stdout, stderr) => {
      assert.ok(stderr.startsWith('{'), `${failed}`);
      done(JSON.parse(stderr).messages);
    });
  });

scene(
  'every page and every fragment is valid HTML',
  async ({ actor }) => {
    const words = { reason: 'A <reason> & "more"', message: 'A <message> & "more"' };
    await actor('ben').ban('p00', { ...words, until: '3600' });
    await actor('ben').mute('cy', { ...words, until: '3600' });
    await actor('ada').scope('p02', 'moderator', { until: '3600' });
    await actor('ada').ask('POST', '/members/dee/notes', { text: 'A <note> & "more"\nof two lines.' });
    const folder = await mkdtemp(join(tmpdir(), 'cgm-valid-'));
    const files = [];
    const keep = async (name, text) => {
      const file = join(folder, `${String(files.length).padStart(2, '0')}-${name.replace(/\W+/g, '-')}.html`);
      await writeFile(file, text);
      files.push(file);
    };
    try {
      for (const [uid, path] of PAGES) {
        const answer = await actor(uid).ask('GET', path, undefined, { Accept: 'text/html' });
        const text = await answer.text();
        assert.match(text, /^<!doctype html>/i, path);
        await keep(`page ${path} ${uid}`, text);
      }
      for (const [uid, path, wrap = (text) => text] of FRAGMENTS) {
        const answer = await actor(uid).ask('GET', path, undefined, { Accept: 'text/html', 'HX-Request': 'true' });
        const text = await answer.text();
        assert.doesNotMatch(text, /<html/, path);
        await keep(`fragment ${path} ${uid}`, shell(wrap(text)));
      }
      for (const Accept of ['text/html', '*/*']) {
        const chosen = await actor('ben').ask(
          'POST',
          '/selection',
          { uid: ['ada', 'dee', 'nobody'] },
          { Accept, ...(Accept === '*/*' && { 'HX-Request': 'true' }) },
        );
        const text = await chosen.text();
        await keep(`selection ${Accept}`, Accept === '*/*' ? shell(text) : text);
      }
      for (const act of ['kick', 'ban', 'mute', 'scope']) {
        const fields = { act, uid: ['ada', 'dee', 'eve'] };
        const page = await actor('ben').ask('POST', '/bulk?dryRun=true', fields, { Accept: 'text/html' });
        await keep(`bulk page ${act}`, await page.text());
        const dialog = await actor('ben').ask('POST', '/bulk?dryRun=true', fields, { Accept: 'text/html', 'HX-Request': 'true' });
        await keep(`bulk dialog ${act}`, shell(await dialog.text()));
      }
      // Without JavaScript the outcome has the button.
      const outcome = await actor('ben').ask('POST', '/members/p03', { _method: 'DELETE' }, { Accept: 'text/html' });
      await keep('outcome', await outcome.text());
      const batch = await actor('ben').ask('POST', '/bulk', { act: 'kick', uid: ['p04', 'p05'] }, { Accept: 'text/html', 'HX-Request': 'true' });
      await keep('swaps of many', shell(below(await batch.text())));
      // What an act answers is swaps: they stand in a page only for a moment, and are valid all the same.
      const act = await actor('ben').ask('DELETE', '/members/dee', undefined, { Accept: 'text/html', 'HX-Request': 'true' });
      await keep('swaps', shell(below(await act.text())));
      const left = await actor('eve').ask('DELETE', '/members/eve', undefined, { Accept: 'text/html', 'HX-Request': 'true' });
      await keep('ended', shell(await left.text()));
      const said = (await check(files)).filter(({ message }) => !FORGIVEN.some((pattern) => pattern.test(message)));
      const texts = await Promise.all(
        said.map(
          async ({ type, subType, url, lastLine, message, extract }) =>
            `${url.split('/').at(-1)}:${lastLine} ${type}${subType ? `/${subType}` : ''}: ${message} ${JSON.stringify(extract ?? '')}`,
        ),
      );
      assert.deepEqual(texts, []);
      assert.ok((await readFile(files[0], 'utf8')).includes('data-hx-'), 'as htmx reads it');
      const all = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
      for (const part of ['__undo"', '__notice"', '__note"', 'data-muted', 'data-until', '<details>']) assert.ok(all.includes(part), `${part} is somewhere`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  { timeout: 120_000 },
);
