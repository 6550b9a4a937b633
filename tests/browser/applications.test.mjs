// The custom element in the hands of those who write pages with React, Vue and Svelte.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after } from 'node:test';

import { compile } from 'svelte/compiler';

import { Host, SCRIPT, page } from './host.mjs';
import { looks, PARTS } from './parts.mjs';
import { scene, stage } from './support.mjs';

stage();

const hosts = [];
after(() => Promise.all(hosts.map((host) => host.stop())));

const npm = (path) => readFile(new URL(`../../node_modules/${path}`, import.meta.url), 'utf8');

/** React has no build for browsers: its modules, one after the other, each with what it asks for. */
async function react() {
  const modules = {
    react: 'react/cjs/react',
    scheduler: 'scheduler/cjs/scheduler',
    'react-dom': 'react-dom/cjs/react-dom',
    'react-dom/client': 'react-dom/cjs/react-dom-client',
  };
  const texts = await Promise.all(
    Object.entries(modules).map(
      async ([name, path]) => `define(${JSON.stringify(name)}, (module, exports, require) => {${await npm(`${path}.production.js`)}});`,
    ),
  );
  return `const had = {}; const define = (name, text) => { const module = { exports: {} }; text(module, module.exports, (name) => had[name]); had[name] = module.exports; };
${texts.join('\n')}
const { createElement, useState } = had.react;
function App() {
  const [{ shown, unrelated, ...props }, set] = useState(window.first);
  window.change = (more) => set((old) => ({ ...old, ...more }));
  return shown ? createElement('chat-group-members', { ...props, style: { blockSize: '480px' } }) : createElement('p', null, 'Gone');
}
had['react-dom/client'].createRoot(document.getElementById('app')).render(createElement(App));`;
}

const VUE = `import { createApp, h, reactive } from '/npm/vue/dist/vue.runtime.esm-browser.prod.js';
const state = reactive(window.first);
window.change = (more) => Object.assign(state, more);
createApp({ render() { const { shown, unrelated, ...props } = state; return shown ? h('chat-group-members', { ...props, style: 'block-size: 480px' }) : h('p', 'Gone'); } }).mount('#app');`;

const SVELTE = `<script>
  const state = $state(window.first);
  window.change = (more) => Object.assign(state, more);
</script>
{#if state.shown}<chat-group-members group={state.group} token={state.token} scopes={state.scopes} hide-search={state['hide-search']} style="block-size: 480px"></chat-group-members>{:else}<p>Gone</p>{/if}`;

const IMPORTS = {
  svelte: 'svelte/src/index-client.js',
  'svelte/internal/client': 'svelte/src/internal/client/index.js',
  'svelte/internal/disclose-version': 'svelte/src/internal/disclose-version.js',
  '#client': 'svelte/src/internal/client/runtime.js',
  '#client/constants': 'svelte/src/internal/client/constants.js',
  'esm-env': 'esm-env/index.js',
  'esm-env/browser': 'esm-env/true.js',
  'esm-env/development': 'esm-env/false.js',
  'esm-env/node': 'esm-env/false.js',
  clsx: 'clsx/dist/clsx.mjs',
};

async function svelte() {
  const { js } = compile(SVELTE, { generate: 'client', filename: 'App.svelte' });
  return `${js.code}\nimport { mount } from 'svelte';\nmount(App, { target: document.getElementById('app') });`;
}

const importMap = `<script type="importmap">${JSON.stringify({ imports: Object.fromEntries(Object.entries(IMPORTS).map(([name, path]) => [name, `/npm/${path}`])) })}</script>`;

for (const [name, application] of [
  ['React', react],
  ['Vue', () => VUE],
  ['Svelte', svelte],
]) {
  scene(`${name} draws the element as it looks alone, changes its attributes and its token, and takes it away`, async ({ viewer, actor, server, guid }) => {
    const host = await Host.start(server.base);
    hosts.push(host);
    host.pages.set('/app.js', await application());
    // A token that is not there yet, as in most applications.
    const first = `<script>window.first = ${JSON.stringify({ shown: true, group: guid, token: '', scopes: 'admin,moderator,participant', 'hide-search': false })}</script>`;
    host.pages.set('/', page(`${importMap}${first}${SCRIPT}<script type="module" src="/app.js"></script>`, '<h1>An application</h1><div id="app"></div>'));
    const ben = await viewer('ben', { base: host.base, path: '/', live: false, cookie: false });
    const change = (more) => ben.page.evaluate((more) => window.change(more), more);
    const lists = () => host.count(/part=component/);

    await ben.until(() => window.heard.some(({ name }) => name === 'expired'));
    assert.equal(lists(), 0, 'nothing is asked that would be refused');
    await change({ token: await server.token('ben') });
    await ben.live('on');
    assert.equal(await ben.row('ada').count(), 0);
    assert.equal(await ben.page.locator('chat-group-members').evaluate((one) => one.offsetHeight), 480);
    const alone = `<chat-group-members group="${guid}" token="${await server.token('ben')}" scopes="admin,moderator,participant" style="block-size: 480px"></chat-group-members>`;
    host.pages.set('/alone', page(SCRIPT, `<h1>An application</h1><div>${alone}</div>`));
    const bare = await viewer('ben', { base: host.base, path: '/alone', cookie: false });
    assert.deepEqual(await looks(ben, PARTS.list), await looks(bare, PARTS.list));
    await actor('ada').kick('eve');
    await ben.gone('eve');

    await change({ scopes: 'admin,moderator' });
    await ben.gone('dee');
    await ben.live('on');
    assert.deepEqual(await ben.uids(), ['ben', 'cy']);
    await change({ 'hide-search': true });
    await ben.part('q').waitFor({ state: 'detached' });
    await change({ 'hide-search': false });
    await ben.part('q').waitFor();
    await ben.live('on');

    await ben.dialog('cy', 'kick');
    await ben.confirm();
    await ben.gone('cy');
    const before = lists();
    await change({ unrelated: 1 });
    await change({ token: await server.token('ben', { ttl: '2h' }) });
    await change({ scopes: 'admin,moderator' });
    await ben.live('on');
    assert.equal(lists(), before, 'a fresh token of the same person is no new list');

    await change({ token: await server.token('dee') });
    await ben.page.locator(`#${ben.x}[data-self="dee"][data-live="on"]`).waitFor();
    await change({ shown: false });
    await ben.page.getByText('Gone').waitFor();
    assert.equal(await ben.page.locator('section.chat-group-members').count(), 0);
    await change({ shown: true });
    await ben.page.locator(`#${ben.x}[data-self="dee"][data-live="on"]`).waitFor();
  });
}
