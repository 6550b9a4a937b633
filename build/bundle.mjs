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
const SHARED = join(STATIC, 'js/shared.js');

/** The script that ours fetches when somebody first needs it. */
const ACTS_SCRIPT = 'chat-group-members-acts.js';

/** One link gives a host the look and the variables: in this order brotli packs them best. */
const LOOK = ['css/frame.css', 'css/list.css', 'css/media.css', 'css-variables.css'];

/** The look of what people act with, which comes with its markup. */
const ACTS_LOOK = ['css/float.css', 'css/opener.css', 'css/select.css', 'css/bans.css', 'css/notes.css'];

/** The style sheets, each of the files that it joins. Our own pages get theirs, and the component's, as one. */
const STYLES = {
  'css-variables.css': LOOK,
  'acts.css': ACTS_LOOK,
  'page.css': [...LOOK, 'page.css'],
  'pages.css': [...ACTS_LOOK, 'pages.css'],
  'demo.css': ['demo.css'],
  'reference.css': ['reference.css'],
};

/**
 * Properties of the objects in which our script remembers things: nobody else reads them, so they need no
 * long names. None of them is a name of the browser's, of htmx's, or of anything in the markup.
 */
const OWN_PROPERTIES = [
  'again',
  'announced',
  'awaited',
  'begun',
  'brokenPictures',
  'catchUp',
  'composing',
  'currentRun',
  'deferred',
  'deferredTimer',
  'extending',
  'hadFocus',
  'headings',
  'items',
  'journal',
  'lastSearch',
  'late',
  'leaves',
  'listNode',
  'liveState',
  'loaded',
  'missing',
  'movedAt',
  'must',
  'ours',
  'received',
  'failures',
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

/** The path of a script below the mount, as build.rs names it: with the beginning of the content's hash. */
function address(name, text) {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10);
  return `/static/${name.replace(/\.js$/, '')}.${hash}.js`;
}

/** The modules of an entry as one, unminified. */
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
 * The script without what only its readers need: comments, spaces, long names. By terser and not by esbuild,
 * whose minified script is 900 bytes larger as brotli sends it.
 */
async function minified(script, { properties } = {}) {
  const { code } = await terser.minify(script, {
    ecma: 2022,
    // No function of htmx's or ours is one that `new` would call: each may become a method. No property that is
    // read does anything when it is read. Nobody has put others in the place of the browser's own String and Array.
    // In what order numbers are reckoned, nobody sees. Methods that become arrows, and statements that become one, are shorter, and
    // larger as brotli sends them.
    compress: {
      passes: 4,
      hoist_funs: true,
      sequences: false,
      arrows: false,
      loops: false,
      unsafe: true,
      unsafe_methods: true,
      unsafe_arrows: true,
      pure_getters: true,
      unsafe_math: true,
      lhs_constants: false,
      inline: 1,
    },
    // Some of them are names that the browser uses too, for objects that we do not read.
    mangle: properties ? { properties: { builtins: true, regex: new RegExp(`^(${properties.join('|')})$`) } } : true,
  });
  return code;
}

/**
 * Modules that come first, each behind those that it imports: what uses the same words then lies closer together, which brotli packs
 * more than a hundred bytes better. Found by trying orders.
 */
const FIRST = ['lifecycle', 'loader', 'element', 'deferred_changes', 'interaction'];
const mainEntry = (entry) => [...FIRST, entry].map((name) => `import './js/${name}.js';`).join('\n');

/**
 * htmx and our script as one classic script: one request, and no moment in which htmx already runs while our
 * swap style is still on its way. Nothing of either is global; whether this htmx is used, js/loader.js decides.
 */
async function mainScript(entry, conditions, acts) {
  // Not the one that htmx has minified itself: from that, brotli makes 25 bytes more.
  const htmx = await esbuild.transform(readFileSync(join(packages, 'htmx.org/dist/htmx.js'), 'utf8'), { minifySyntax: true });
  const text = await bundled(mainEntry(entry), { conditions, minifySyntax: true, define: { ACTS_FILE: JSON.stringify(acts) } });
  return minified(`{const newHtmx = () => {\n${htmx.code}\nreturn htmx;\n};\n(() => {'use strict';\n${text}})();}`, { properties: OWN_PROPERTIES });
}

/** The names in the list of js/shared.js. */
function sharedNames() {
  const [, list] = readFileSync(SHARED, 'utf8').match(/shared = \(\) => \[([^\]]*)\]/);
  return list.match(/\w+/g);
}

/**
 * The script of acts: a module whose default export is called with what js/shared.js hands over. It holds no
 * module of the main script: what it imports from there are the very objects of that script.
 */
async function actsScript() {
  const names = sharedNames();
  const handedOver = {
    name: 'handed over by the main script',
    setup(build) {
      build.onResolve({ filter: /^(\.\.\/|#)/ }, () => ({ path: 'shared', namespace: 'main' }));
      build.onLoad({ filter: /.*/, namespace: 'main' }, () => ({
        contents: `export const [${names}] = shared;`,
      }));
    },
  };
  const text = await bundled("import './js/acts/index.js';", { plugins: [handedOver] });
  const unused = names.filter((name) => text.match(new RegExp(`\\b${name}\\b`, 'g')).length < 2);
  if (unused.length) throw new Error(`js/shared.js hands over what js/acts/ does not import: ${unused}`);
  const small = await minified(`export default (shared) => {\n${text}};`);
  // Each script is minified by itself, and gives what is shortened names of its own.
  const shortened = small.match(/\w+/g).find((word) => OWN_PROPERTIES.includes(word));
  if (shortened) throw new Error(`\`${shortened}\` is shortened in our script, and the script of acts uses it too`);
  return small;
}

/** Files as one style sheet without the space that only people need. Nothing is rewritten for older browsers. */
async function styleSheet(files) {
  const text = await bundled(files.map((file) => `@import './${file}';`).join('\n'), { loader: 'css', minify: true, legalComments: 'none' });
  // By both: as brotli sends it, that is 30 bytes less than what either makes alone.
  const { code } = lightningcss.transform({ filename: files[0], code: Buffer.from(text), minify: true });
  // Both leave white space in values that they do not read: before those of custom properties (CSS Custom Properties,
  // section 2), after commas and around slashes. No string of ours has either. Nor need a nested rule say what it is in.
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
const acts = await actsScript();
write(ACTS_SCRIPT, acts);
const actsAddress = address(ACTS_SCRIPT, acts);
write('chat-group-members.js', await mainScript('host', [], actsAddress));
write('chat-group-members-page.js', await mainScript('page', ['own-page'], actsAddress));
for (const [name, files] of Object.entries(STYLES)) write(name, await styleSheet(files));
write('demo.js', await minified(readFileSync(join(STATIC, 'demo.js'), 'utf8')));
// A style sheet that nobody listed would not be served.
for (const name of readdirSync(STATIC)) {
  if (name.includes('.') && name !== 'demo.js' && !STYLES[name]) throw new Error(`build/bundle.mjs does not know static/${name}`);
}
