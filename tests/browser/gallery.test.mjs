// The gallery is started as its README says, and what every page of it promises is there and lives.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Actor } from './server.mjs';
import { scene, stage } from './support.mjs';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GALLERY = `${ROOT}examples/gallery`;
const PROGRAM = process.env.CGM_TEST_BIN ?? `${ROOT}target/debug/chat-group-members`;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PAGES = readdirSync(GALLERY).filter((name) => name.endsWith('.html') && name !== 'index.html');

stage(() => ({ CGM_BASE_PATH: '/members', CGM_VIEWS: `${GALLERY}/views` }));
const hosts = [];
after(() => hosts.forEach((host) => host.kill()));

/** The small host of the examples, once for all scenes. */
let host;
const started = (server) =>
  (host ??= new Promise((found, failed) => {
    const env = { ...server.env, CGM_URL: server.base, PORT: '0' };
    const child = spawn('node', ['examples/host.mjs', 'gallery', '--cookie'], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] });
    hosts.push(child);
    child.once('exit', () => failed(new Error('the host ended')));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const [, base] = line.match(/listening on (http:\S+)/) ?? [];
      if (base) found(base);
    });
  }));

/** A scene in the group of the gallery, as its file has it. `visit` opens a page and waits for its list. */
function twin(sentence, play, options = {}) {
  const nobody = [{ uid: 'ada', name: 'Ada', scope: 'owner' }];
  scene(
    sentence,
    async (it) => {
      const { server } = it;
      await run(PROGRAM, ['import', '--group', 'harbour', '--group-name', 'Harbour', '--type', 'public', `${GALLERY}/harbour.csv`], { env: server.env });
      const base = await started(server);
      const visit = async (path, { uid = 'ben', live = true, ...context } = {}) => {
        const viewer = await it.viewer(uid, { base, path: `/${path}${uid === 'ben' ? '' : `?as=${uid}`}`, cookie: false, live: false, ...context });
        viewer.x = 'cgm-harbour';
        if (live && context.javaScriptEnabled !== false) await viewer.live('on');
        return viewer;
      };
      const ada = new Actor({ base: `${server.base}/members`, token: (...asked) => server.token(...asked) }, 'harbour', 'ada');
      await asImported(ada);
      await play({ ...it, base, visit, ada });
    },
    { members: nobody, ...options },
  );
}

/** The service hears of an import within about a second. */
async function asImported(ada) {
  const [, ...lines] = readFileSync(`${GALLERY}/harbour.csv`, 'utf8').trim().split('\n');
  const wanted = lines
    .map((line) => line.split(','))
    .map(([uid, , scope]) => `${uid} ${scope}`)
    .sort();
  for (const patience = Date.now() + 10_000; ; ) {
    const { data } = await ada.members('?limit=100');
    if (
      data
        .map(({ uid, scope }) => `${uid} ${scope}`)
        .sort()
        .join() === wanted.join()
    )
      return;
    assert.ok(Date.now() < patience, 'the import is not seen');
    await new Promise((done) => setTimeout(done, 50));
  }
}

const hasScope = (viewer, uid, scope) => viewer.page.locator(`#${viewer.x}-m-${uid}[data-scope="${scope}"]`).waitFor({ state: 'attached' });
const says = (viewer, uid, text) => viewer.page.locator(`#${viewer.x}-m-${uid}`, { hasText: text }).waitFor({ state: 'attached' });

twin('the index and the README lead to every page, and every page to the index', async ({ visit }) => {
  const ben = await visit('', { live: false });
  const links = await ben.page.$$eval('a', (links) => links.map((link) => link.getAttribute('href')));
  assert.deepEqual([...links].sort(), [...PAGES].sort());
  assert.equal(PAGES.length, 8);
  const readme = readFileSync(`${GALLERY}/README.md`, 'utf8');
  for (const page of PAGES) {
    assert.ok(readme.includes(`(${page})`), page);
    await ben.page.goto(new URL(`/${page}`, ben.page.url()).href);
    await ben.live('on');
    await ben.page.getByRole('link', { name: 'Gallery' }).click();
    await ben.page.getByRole('heading', { name: 'One list, eight pages' }).waitFor();
  }
});

twin('basic: one line of markup, a panel in which the rows scroll, and all acts', async ({ visit, ada }) => {
  const ben = await visit('basic.html');
  assert.equal(await ben.rows.count(), 24);
  const [panel, list] = await ben.page.evaluate((x) => {
    const scroll = document.querySelector('.chat-group-members__scroll');
    return [document.querySelector('.panel').clientHeight, scroll.scrollHeight, scroll.clientHeight, document.getElementById(x).clientHeight];
  }, ben.x);
  assert.ok(list > panel, `24 rows are higher (${list}) than their panel (${panel})`);
  assert.equal(await ben.page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), true, 'the page does not scroll');
  await ada.kick('eve');
  await ben.gone('eve');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await ben.gone('dee');
  assert.equal((await ada.members('?searchKeyword=dee')).meta.count, 0);
});

twin('chat panel, wide: the list stands beside the chat, and what happens is said in the chat', async ({ visit, ada }) => {
  const ben = await visit('chat-panel.html', { viewport: { width: 1000, height: 720 } });
  const { page } = ben;
  const [chat, list] = await Promise.all([page.locator('main').boundingBox(), ben.root.boundingBox()]);
  assert.ok(chat.x + chat.width <= list.x && list.height > 700, JSON.stringify({ chat, list }));
  for (const name of ['Members', 'Close']) assert.equal(await page.getByRole('button', { name, exact: true }).isVisible(), false, name);
  await page.locator('header', { hasText: 'Harbour 24 members, ' }).waitFor();
  const messages = page.locator('#messages');
  await ada.scope('dee', 'moderator');
  await hasScope(ben, 'dee', 'moderator');
  await messages.getByText('Ada Lindqvist made Dee Ferreira moderator').waitFor();
  await ada.kick('eve');
  await messages.getByText('Ada Lindqvist removed Eve Sørensen').waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('<b>Welcome</b>');
  await page.getByRole('button', { name: 'Send' }).click();
  await messages.getByText('<b>Welcome</b>').waitFor();
});

twin('chat panel, on a phone: a button opens the list as a sheet, where Ben acts; Escape leads back', async ({ visit }) => {
  const ben = await visit('chat-panel.html', { viewport: { width: 360, height: 640 } });
  const { page } = ben;
  const open = page.getByRole('button', { name: 'Members', exact: true });
  assert.equal(await ben.root.isVisible(), false);
  await open.click();
  await ben.root.waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Close');
  const box = await page.locator('#members').boundingBox();
  assert.deepEqual([box.x, box.width, Math.round(box.y + box.height)], [0, 360, 640], 'from below, as wide as the screen');
  assert.ok(box.y > 50, 'the chat is still seen above');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await ben.gone('dee');
  assert.equal(await ben.root.isVisible(), true, 'neither menu nor dialog closes the sheet');
  await page.keyboard.press('Escape');
  await ben.root.waitFor({ state: 'hidden' });
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Members');
  await page.locator('#messages').getByText('Ben Okafor removed Dee Ferreira').waitFor();

  await open.click();
  await ben.root.waitFor();
  await page.setViewportSize({ width: 1000, height: 640 });
  await ben.until(() => !document.querySelector('#members').matches(':popover-open'));
  const side = await page.locator('#members').boundingBox();
  assert.deepEqual([side.x, side.y, side.height], [660, 0, 640], 'a turned phone has the side panel');
});

twin('read-only: not even the owner finds an act, and the list lives', async ({ visit, ada }) => {
  const owner = await visit('read-only.html', { uid: 'ada' });
  assert.equal(await owner.root.getAttribute('data-scope'), 'owner');
  assert.equal(await owner.rows.count(), 24);
  const acts = () => owner.root.evaluate((root) => [...root.querySelectorAll('[data-acts], [data-uid] a[href]')].map(({ id }) => id));
  assert.deepEqual(await acts(), []);
  await ada.scope('dee', 'admin');
  await hasScope(owner, 'dee', 'admin');
  await ada.kick('eve');
  await owner.gone('eve');
  assert.deepEqual(await acts(), [], 'nor in rows that came live');
});

twin('staff only: who is promoted appears, who is demoted goes', async ({ visit, ada }) => {
  const ben = await visit('staff-only.html');
  assert.deepEqual(await ben.order(), ['# admin 2', 'ben', 'ines', '# moderator 3', 'cy', 'mariana', 'theodora']);
  await ada.scope('dee', 'moderator');
  await ben.there('dee');
  await ada.scope('mariana', 'participant');
  await ben.gone('mariana');
  await ben.away();
  await ben.until((id) => document.getElementById(id).innerText.includes('3'), `${ben.x}-h-moderator`);
  assert.deepEqual(await ben.order(), ['# admin 2', 'ben', 'ines', '# moderator 3', 'cy', 'dee', 'theodora']);
});

twin('custom subtitle: the second line is the template’s, also when Pia comes', async ({ visit }) => {
  const ben = await visit('custom-subtitle.html');
  const line = (uid) => ben.row(uid).locator('.chat-group-members__subtitle').innerText();
  assert.deepEqual([await line('ben'), await line('pia')], ['@ben · Online', '@pia · Offline']);
  await visit('basic.html', { uid: 'pia' });
  await says(ben, 'pia', '@pia · Online');
});

twin('custom item: the whole row is the template’s, takes new scopes, and keeps its menu', async ({ visit, ada }) => {
  const ben = await visit('custom-item.html');
  const row = async (uid) => (await ben.row(uid).innerText()).split(/\n+/);
  assert.deepEqual(await row('ben'), ['BO', 'Ben Okafor (you)', 'Since Sep 16, 2023', 'Admin', 'Online']);
  assert.deepEqual(await row('ana'), ['AK', 'Ana Kovač', 'Since Nov 18, 2023', 'Participant', 'Offline']);
  const corner = (uid) =>
    ben
      .row(uid)
      .locator('.card__picture')
      .evaluate((picture) => getComputedStyle(picture).borderStartStartRadius);
  assert.equal(await corner('ana'), '12px', 'the page’s own styles win');
  await ada.scope('ana', 'moderator');
  await says(ben, 'ana', 'Moderator');
  assert.equal((await row('ana'))[3], 'Moderator');
  assert.equal(await corner('ana'), '12px');
  await ben.dialog('eve', 'kick');
  await ben.confirm();
  await ben.gone('eve');
});

twin('custom options: the page answers an option, a link leads on, and the acts are there', async ({ visit }) => {
  const ben = await visit('custom-options.html');
  const { page } = ben;
  const field = page.getByRole('textbox', { name: 'Message to Ana Kovač' });
  assert.equal(await field.count(), 0);
  await ben.menu('ana');
  await ben.part('menu').getByText('Message Ana Kovač').click();
  await field.waitFor();
  await ben.until(() => document.activeElement.id === 'text');
  await page.keyboard.type('Is berth 7 free?');
  await page.keyboard.press('Enter');
  await page.getByText('Sent to Ana Kovač: Is berth 7 free?').waitFor();
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await ben.gone('dee');
  await ben.menu('ana');
  await ben.part('menu').getByText('Profile').click();
  await page.waitForURL(/\/members\/groups\/harbour\/members\/ana$/);
  await page.getByRole('heading', { name: 'Ana Kovač', exact: true }).waitFor();
});

twin('multi-select: the page counts by events, and its own button posts the selected to it', async ({ visit, ada }) => {
  const ben = await visit('multi-select.html');
  const { page } = ben;
  const line = page.locator('#selected');
  for (const uid of ['ana', 'dee', 'eve']) await ben.part(`s-${uid}`).click();
  assert.equal(await line.innerText(), '3 to invite: Ana Kovač, Dee Ferreira, Eve Sørensen');
  await ben.part('s-dee').click();
  assert.equal(await line.innerText(), '2 to invite: Ana Kovač, Eve Sørensen');
  await ben.away();
  await ada.kick('eve');
  await ben.until(() => document.querySelector('#selected').textContent === '1 to invite: Ana Kovač');
  await ben.part('s-cy').click();
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByText('Posted: ana, cy').waitFor();
  assert.equal(new URL(page.url()).pathname, '/multi-select.html');
  await ben.live('on');
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [360, 1200]) {
    twin(`every page fits ${width} pixels and is in order for axe, ${colorScheme}`, async ({ visit, base }) => {
      const ben = await visit('', { live: false, colorScheme, viewport: { width, height: 720 } });
      for (const name of ['index.html', ...PAGES]) {
        await ben.page.goto(`${base}/${name}`);
        if (name !== 'index.html') await ben.live('on');
        if (name === 'chat-panel.html' && width === 360) await ben.page.getByRole('button', { name: 'Members', exact: true }).click();
        assert.equal(await ben.page.evaluate(() => document.documentElement.scrollWidth), width, name);
        await ben.page.evaluate(AXE);
        const found = await ben.page.evaluate(async () => {
          const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
          return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
        });
        assert.deepEqual(found, [], name);
      }
    });
  }
}
