// Makes the served scripts and styles of `static/`: `node build/bundle.mjs <node_modules> <folder>` writes
// each as `NAME.plain`. build.rs and packaging/browser run it, then build/compress.mjs.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [packages, out] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(import.meta.url);
const esbuild = require(join(packages, 'esbuild'));
const lightningcss = require(join(packages, 'lightningcss'));
const terser = require(join(packages, 'terser'));

const STATIC = fileURLToPath(new URL('../static/', import.meta.url));

/** The script of acts, which the main script fetches when somebody first needs it, and that of staff, which the script of acts fetches. */
const ACTS_SCRIPT = 'chat-group-members-acts.js';
const STAFF_SCRIPT = 'chat-group-members-staff.js';

/** The files of `static/` itself with this ending. Each is served under its name; those in its folders are parts of these. */
const served = (ending) => readdirSync(STATIC).filter((name) => name.endsWith(ending));

/** Properties of htmx's own objects that are in no interface of its extensions. */
const HTMX_PROPERTIES = [
  'abortInitialized',
  'changedValues',
  'disabledElements',
  'eventHandler',
  'eventName',
  'fromElt',
  'futureMatches',
  'idMap',
  'indicatorStyleSheet',
  'onInitialized',
  'persistentIds',
  'throttleTimeout',
  'throttled',
  'throttledEvent',
  'triggerSpecs',
];

/** Properties of our own objects that only our main script reads. */
const OUR_PROPERTIES = [
  'again',
  'anchorOrder',
  'announced',
  'awaited',
  'begun',
  'catchUp',
  'composing',
  'currentRun',
  'deferred',
  'deferredTimer',
  'extending',
  'failures',
  'going',
  'hadFocus',
  'headings',
  'isWanted',
  'items',
  'journal',
  'lastSearch',
  'late',
  'listNode',
  'liveState',
  'loaded',
  'missing',
  'memory',
  'movedAt',
  'must',
  'ours',
  'received',
  'resyncing',
  'retryWait',
  'scrolledTo',
  'seen',
  'selecting',
  'stale',
  'streamNode',
  'topBefore',
  'typing',
  'unseen',
  'wasEmpty',
  'whole',
];

/**
 * The properties that are given short names. Neither our main script nor htmx, which is minified with it, reads a property of the
 * browser's or of the markup's by any of these names.
 */
const SHORTENED = [...HTMX_PROPERTIES, ...OUR_PROPERTIES];

/** The path of a script below the mount, with the beginning of its content's hash, as build.rs names it. */
function address(name, text) {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10);
  return `/static/${name.replace(/\.js$/, '')}.${hash}.js`;
}

/** An entry and all that it imports as one text, minified only as the options say. */
async function bundled(entry, { loader = 'js', ...options }) {
  const result = await esbuild.build({
    stdin: { contents: entry, resolveDir: STATIC, loader },
    bundle: true,
    format: 'esm',
    target: 'esnext',
    write: false,
    logLevel: 'error',
    ...options,
  });
  return result.outputFiles[0].text;
}

/**
 * Minifies a script: without comments, spaces and long names. By terser, because what esbuild minifies is 900 bytes larger after
 * brotli.
 */
async function minified(script, { properties } = {}) {
  const { code } = await terser.minify(script, {
    ecma: 2022,
    // What the unsafe options assume is true of htmx and of our scripts. `new` calls no function that may become a method. Reading a
    // property has no effect. Nobody has replaced the browser's own String and Array. The order of arithmetic does not matter.
    // Methods as arrows, and several statements as one, would be shorter, but larger after brotli: these options are off.
    compress: {
      passes: 4,
      hoist_funs: true,
      sequences: false,
      arrows: false,
      computed_props: false,
      unsafe: true,
      unsafe_methods: true,
      unsafe_arrows: true,
      pure_getters: true,
      unsafe_math: true,
      lhs_constants: false,
      inline: 1,
    },
    // `builtins`, because some of these names are also properties of browser objects that we do not use.
    mangle: properties ? { properties: { builtins: true, regex: new RegExp(`^(${properties.join('|')})$`) } } : true,
  });
  return code;
}

/**
 * Modules that are bundled first, each after those that it imports. Code with the same words is then closer together, which saves
 * more than a hundred bytes after brotli. The order was found by trial.
 */
const FIRST = [
  'core/loader',
  'list/place',
  'server/requests',
  'core/acts',
  'clicks',
  'keys',
  'list/refetch',
  'list/deferred_changes',
  'input/interaction',
  'live/items',
  'embed/element',
  'live/event_stream',
  'page/address',
  'input/press',
  'address_restore',
  'core/wait',
  'live/instructions',
  'server/resync',
  'server/message_order',
];
const mainEntry = (entry) => [...FIRST, entry].map((name) => `import './js/${name}.js';`).join('\n');

/**
 * Joins htmx and our script into one classic script: one request, and htmx never runs before our swap styles are there. Neither
 * defines anything global. js/core/loader.js decides whether this htmx is used.
 */
async function mainScript(entry, conditions, acts) {
  // Not the file that htmx has minified itself, which is 25 bytes larger after brotli.
  const htmx = await esbuild.transform(readFileSync(join(packages, 'htmx.org/dist/htmx.js'), 'utf8'), { minifySyntax: true });
  const text = await bundled(mainEntry(entry), { conditions, minifySyntax: true, define: { ACTS_FILE: JSON.stringify(acts) } });
  return minified(`{const newHtmx = () => {\n${htmx.code}\nreturn htmx;\n};\n(() => {\n${text}})();}`, { properties: SHORTENED });
}

/** The names in the list that this module hands over. */
function namesIn(list) {
  const [, names] = readFileSync(join(STATIC, list), 'utf8').match(/const shared\w* = \(\) => \[([^\]]*)\]/);
  return names.match(/\w+/g);
}

/**
 * A script that another one fetches: a module whose default export is called with a list of that one's objects. It holds no module of the
 * other: what it imports from there are these objects.
 */
async function fetchedScript(entry, list, define) {
  const names = namesIn(list);
  const handedOver = {
    name: 'handed over by the script that fetches this one',
    setup(build) {
      build.onResolve({ filter: /^(\.\.\/|#)/ }, () => ({ path: 'shared', namespace: 'main' }));
      build.onLoad({ filter: /.*/, namespace: 'main' }, () => ({
        contents: `export const [${names}] = shared;`,
      }));
    },
  };
  const text = await bundled(`import './${entry}';`, { plugins: [handedOver], define });
  const unused = names.filter((name) => text.match(new RegExp(`\\b${name}\\b`, 'g')).length < 2);
  if (unused.length) throw new Error(`${list} hands over what ${entry} does not import: ${unused}`);
  const small = await minified(`export default async (shared) => {\n${text}};`);
  // The scripts are minified separately, so a property that is shortened would have a different name in each.
  const shortened = small.match(/\w+/g).find((word) => SHORTENED.includes(word));
  if (shortened) throw new Error(`\`${shortened}\` is shortened in our script, and ${entry} uses it too`);
  return small;
}

/** A style sheet and those that it imports as one, minified. Nothing is rewritten for older browsers. */
async function styleSheet(name) {
  const text = await bundled(`@import './${name}';`, { loader: 'css', minify: true, legalComments: 'none' });
  // Minified by both: after brotli that is 30 bytes smaller than by either alone.
  const { code } = lightningcss.transform({ filename: name, code: Buffer.from(text), minify: true });
  // Both leave white space in values that they do not parse: before those of custom properties (CSS Custom Properties, section 2),
  // after commas and around slashes. It is removed here; no string of ours contains it. A nested rule needs no leading `&`.
  return code
    .toString()
    .replace(/([{;}])& /g, '$1')
    .replace(/([{;]--[\w-]+): /g, '$1:')
    .replaceAll(', ', ',')
    .replaceAll(' / ', '/');
}

const write = (name, text) => writeFileSync(join(out, `${name}.plain`), text);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const staff = await fetchedScript('js/staff/index.js', 'js/acts/staff_loader.js');
write(STAFF_SCRIPT, staff);
// Beside the script of acts, which fetches it.
const staffFile = JSON.stringify(address(STAFF_SCRIPT, staff).replace('/static/', ''));
const acts = await fetchedScript('js/acts/index.js', 'js/shared.js', { STAFF_FILE: staffFile });
write(ACTS_SCRIPT, acts);
const actsAddress = address(ACTS_SCRIPT, acts);
write('chat-group-members.js', await mainScript('host', [], actsAddress));
write('chat-group-members-page.js', await mainScript('page', ['own-page'], actsAddress));
for (const name of served('.css')) write(name, await styleSheet(name));
write('chat-group-members-notice.js', await minified(`{${await bundled("import './js/notice.js';", {})}}`));
for (const name of served('.js')) write(name, await minified(readFileSync(join(STATIC, name), 'utf8')));
