// How the modules of the browser's half hang together.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../static/js/', import.meta.url));
const modules = readdirSync(FOLDER, { recursive: true }).filter((name) => name.endsWith('.js'));

/** What a module imports, as names below the folder; `#page` is either of two modules. */
function importsOf(name) {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  const paths = [...text.matchAll(/^(?:import|export) (?:[^;]*? from )?'([^']+)';/gm)].map(([, path]) => path);
  return paths.flatMap((path) => (path === '#page' ? ['page/host_page.js', 'page/own_page.js'] : [join(name, '..', path)]));
}

test('no module imports itself through others', () => {
  assert.ok(modules.length > 30, 'the modules are found');
  const done = new Set();
  const visit = (name, way) => {
    assert.ok(!way.includes(name), `a circle: ${[...way.slice(way.indexOf(name)), name].join(' → ')}`);
    if (done.has(name)) return;
    for (const other of importsOf(name)) visit(other, [...way, name]);
    done.add(name);
  };
  for (const name of modules) visit(name, []);
});

test('no folder imports itself through others', () => {
  const folderOf = (name) => (name.includes('/') ? name.split('/')[0] : name);
  const arrows = new Map();
  for (const name of modules)
    for (const other of importsOf(name))
      if (folderOf(name) !== folderOf(other)) arrows.set(folderOf(name), (arrows.get(folderOf(name)) ?? new Set()).add(folderOf(other)));
  const visit = (folder, way) => {
    assert.ok(!way.includes(folder), `a circle: ${[...way.slice(way.indexOf(folder)), folder].join(' → ')}`);
    for (const other of arrows.get(folder) ?? []) visit(other, [...way, folder]);
  };
  for (const folder of arrows.keys()) visit(folder, []);
});

test('every module belongs to one of the five scripts', () => {
  const reached = new Set();
  const reach = (name) => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const other of importsOf(name)) reach(other);
  };
  for (const entry of ['host.js', 'page.js', 'notice.js', 'acts/index.js', 'staff/index.js']) reach(entry);
  assert.deepEqual(
    modules.filter((name) => !reached.has(name)),
    [],
  );
});

test('the main scripts import nothing of the script of acts: they fetch it', () => {
  const wrong = modules.filter((name) => !/^(acts|staff)\//.test(name) && importsOf(name).some((other) => /^(acts|staff)\//.test(other)));
  assert.deepEqual(wrong, []);
});

test('the script of acts imports nothing of the script of staff: it fetches it', () => {
  const wrong = modules.filter((name) => name.startsWith('acts/') && importsOf(name).some((other) => other.startsWith('staff/')));
  assert.deepEqual(wrong, []);
});
