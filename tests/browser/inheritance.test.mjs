// A host's page whose htmx 4 lets attributes be inherited: none of them gets into the list, but the headers.

import assert from 'node:assert/strict';

import { Host, LINK, SCRIPT, line, page } from './host.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const HTMX_4 = '<script src="/npm/htmx.org/dist/htmx.min.js" defer></script>';
const ATTRIBUTES = {
  'hx-boost': 'true',
  'hx-confirm': 'Sure?',
  'hx-disable': 'find button',
  'hx-include': '#note',
  'hx-indicator': '#busy',
  'hx-push-url': 'true',
  'hx-replace-url': 'true',
  'hx-select': '#main',
  'hx-select-oob': '#main',
  'hx-swap': 'beforeend',
  'hx-sync': 'body:replace',
  'hx-target': '#main',
  'hx-trigger': 'change',
  'hx-vals': '{"limit":"3"}',
};
const written = (end, attributes) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}${end}='${value}'`)
    .join('');

/** As the extension for pages of htmx 2 has it. */
const NO_REFUSALS = "<script>addEventListener('DOMContentLoaded', () => htmx.config.noSwap.push('4xx', '5xx'))</script>";
const HOSTS = [
  ['by name', '', ':inherited'],
  ['all of them, as in htmx 2', '<meta name="htmx-config" content="implicitInheritance:true">', ''],
];

for (const [how, head, end] of HOSTS) {
  scene(`what a host lets its elements inherit, ${how}, stays outside of the list`, async ({ viewer, actor, server, guid }) => {
    const host = await Host.start(server.base);
    const body = `<h1>Chat</h1><main id="main"></main><input id="note" name="searchKeyword" value="nobody" aria-label="Note"><p id="busy"></p><div style="block-size: 480px">${line(guid)}</div>`;
    host.pages.set('/', page(head + LINK + SCRIPT + HTMX_4, body, written(end, ATTRIBUTES)));
    try {
      const ben = await viewer('ben', { base: host.base, path: '/', live: false });
      ben.page.on('dialog', (dialog) => dialog.accept() && assert.fail(`asked: ${dialog.message()}`));
      await ben.live('on');
      assert.equal(await ben.rows.count(), 30);
      await ben.dialog('dee', 'kick');
      await ben.confirm();
      await ben.gone('dee');
      await ben.page.locator(`#${ben.x}-f-admins`).click();
      await ben.gone('eve');
      await ben.page.locator(`#${ben.x}-f-all`).click();
      await ben.there('eve');
      await ben.search('brandt');
      await ben.there('p10');
      await ben.search('');
      await ben.further();
      await actor('ada').kick('eve');
      await ben.gone('eve');
      await ben.away();
      await sameAsFresh(ben);
      // With other rights the list comes anew.
      await actor('ada').scope('ben', 'moderator');
      await ben.page.locator(`#${ben.x}[data-scope="moderator"]`).waitFor();
      await ben.page.locator(`#${ben.x}-f-admins`).click();
      await ben.there('ada');
      assert.equal(await ben.page.evaluate(() => document.querySelector('#main').innerHTML + document.querySelector('#busy').className), '');
      assert.equal(new URL(ben.page.url()).pathname, '/', "the host's address is the host's");
      assert.equal(host.count(/^GET \/groups\/\w+\/members(\?|$)(?!.*part=)/), 1, 'the list is fetched once, and never visited');
    } finally {
      await host.stop();
    }
  });
}

for (const [how, head, end] of [...HOSTS, ['with a htmx that swaps no refusals', NO_REFUSALS, ':inherited']]) {
  scene(
    `whatever a host lets its elements inherit, ${how}, Ben reads that he has selected nobody, and that Dee is his equal by now`,
    async ({ viewer, actor, server, guid }) => {
      const host = await Host.start(server.base);
      // As high as all its rows: the bar is beside the end of the list, where page after page comes.
      const body = `<h1>Chat</h1><main id="main"></main><input id="note" name="searchKeyword" aria-label="Note"><p id="busy"></p>${line(guid, '?selectionMode=multiple')}`;
      host.pages.set('/', page(head + LINK + SCRIPT + HTMX_4, body, written(end, { ...ATTRIBUTES, 'hx-status:4xx': 'swap:innerHTML target:#main' })));
      try {
        const ben = await viewer('ben', { base: host.base, path: '/', live: false });
        ben.page.on('dialog', (dialog) => dialog.accept() && assert.fail(`asked: ${dialog.message()}`));
        await ben.live('on');
        const [bar, dialog] = [ben.part('selection'), ben.part('dialog')];
        await ben.part('count').getByText('selected').waitFor();
        await bar.getByRole('button', { name: 'Kick' }).click();
        const choose = ben.part('count').getByText('Select at least one person.');
        await choose.waitFor();
        await ben.until((id) => {
          scrollTo(0, document.documentElement.scrollHeight);
          return !document.getElementById(id);
        }, `${ben.x}-next`);
        assert.equal(await choose.isVisible(), true, 'pages that come take it nowhere');
        await ben.part('s-eve').focus();
        await ben.page.keyboard.press('Space');
        await choose.waitFor({ state: 'detached' });
        await ben.dialog('dee', 'kick');
        await actor('ada').scope('dee', 'admin');
        await dialog.locator('button[data-action]').click();
        const alert = dialog.getByRole('alert');
        await alert.waitFor();
        assert.match(await alert.innerText(), /Ada Lindqvist/);
        assert.equal(await ben.page.evaluate(() => document.querySelector('#main').innerHTML), '');
        assert.equal(new URL(ben.page.url()).pathname, '/', "the host's address is the host's");
      } finally {
        await host.stop();
      }
    },
    { complaints: /403 \(Forbidden\)/ },
  );
}

scene('the headers that a host adds to all its requests are added to those of the list', async ({ viewer, actor, server, guid }) => {
  const host = await Host.start(server.base);
  const bearer = { 'hx-headers': JSON.stringify({ Authorization: `Bearer ${await server.token('ben')}` }) };
  host.pages.set('/', page(LINK + SCRIPT + HTMX_4, `<h1>Chat</h1>${line(guid, '?selectionMode=multiple')}`, written(':inherited', bearer)));
  try {
    const ben = await viewer('ben', { base: host.base, path: '/', live: false, cookie: false });
    await ben.live('on');
    await actor('ada').kick('eve');
    await ben.gone('eve');
    await ben.dialog('dee', 'kick');
    await ben.confirm();
    await ben.gone('dee');
    // By the keyboard: the bar above the list has just moved the row, and no press on it counts yet.
    await ben.part('s-cy').focus();
    await ben.page.keyboard.press('Space');
    await ben.part('selection').getByRole('button', { name: 'Kick' }).click();
    await ben.part('dialog').locator('form').waitFor();
    await ben.confirm();
    await ben.gone('cy');
  } finally {
    await host.stop();
  }
});
