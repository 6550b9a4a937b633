// The component inside somebody else's page, twice.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { LINK, line, page, SCRIPT } from './host.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

/** A host's page that holds these fragments, on the same origin. */
async function host(road, actor, queries) {
  const fragments = await Promise.all(
    queries.map(async (query) => {
      const answer = await actor('ben').ask('GET', `/members${query}`, undefined, { Accept: '*/*' });
      return `<div style="height: 420px; width: 360px">${await answer.text()}</div>`;
    }),
  );
  road.pages.set(
    '/host',
    `<!doctype html><html lang="en"><head><title>A chat</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/css-variables.css"><script src="/static/chat-group-members.js" defer></script></head>
<body><h1>A chat</h1><div id="chat" style="display: flex; gap: 1rem">${fragments.join('\n')}</div></body></html>`,
  );
}

/** The same viewer, seen through another list of the page. */
const through = (viewer, instance) => Object.assign(Object.create(Object.getPrototypeOf(viewer)), viewer, { x: `${viewer.x}-${instance}` });

scene('two lists of one group on one page live side by side, each with its own view', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  await host(road, actor, ['?instance=a', '?instance=b&scopes=moderator']);
  const ben = await viewer('ben', { base: road.base, path: '/host', live: false, viewport: { width: 900, height: 700 } });
  const inside = (instance, name) => ben.page.locator(`#${ben.x}-${instance}-${name}`);
  for (const instance of ['a', 'b']) await ben.page.locator(`#${ben.x}-${instance}[data-live="on"]`).waitFor();
  const ids = await ben.page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length, 'every id is there once');
  await actor('ada').scope('dee', 'moderator');
  await inside('b', 'm-dee').waitFor();
  await ben.page.locator(`#${ben.x}-a-m-dee[data-scope="moderator"]`).waitFor();
  await inside('a', 'q').fill('brandt');
  await inside('a', 'm-p10').waitFor();
  assert.equal(await inside('b', 'm-cy').count(), 1, 'a search in one leaves the other alone');
  assert.equal(new URL(ben.page.url()).search, '', "the host's address is the host's");
  await inside('b', 'a-cy').click();
  await ben.page.locator(`#${ben.x}-b-menu:popover-open [data-action="kick"]`).click();
  await ben.page.locator(`#${ben.x}-b-dialog[open] button[data-action="kick"]`).click();
  await inside('b', 'm-cy').waitFor({ state: 'detached' });
  await ben.away();
  for (const instance of ['a', 'b']) {
    await sameAsFresh(through(ben, instance));
    await sameAsFresh(through(ben, instance));
  }
  assert.equal((await ben.heard('member-kicked')).length, 2, 'each list says it once');
});

scene('in a page of a host, Undo after a search leaves the list as it is searched', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  await host(road, actor, ['']);
  const ben = await viewer('ben', { base: road.base, path: '/host', live: false });
  await ben.live('on');
  await ben.dialog('dee', 'mute');
  await ben.confirm();
  const bar = ben.root.locator('.chat-group-members__undo');
  await bar.waitFor();
  await ben.search('brandt');
  const found = await ben.uids();
  assert.ok(found.length && !found.includes('dee'));
  await bar.getByRole('button', { name: 'Undo' }).click();
  await bar.waitFor({ state: 'detached' });
  await ben.away();
  await sameAsFresh(ben);
  assert.deepEqual(await ben.uids(), found);
});

scene(
  'in a page of a host whose stream is down, those who are kicked are selected no longer: by others before a search, and under a search by Ben',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    await host(road, actor, ['?selectionMode=multiple']);
    const ben = await viewer('ben', { base: road.base, path: '/host', live: false });
    await ben.live('on');
    const count = (words) => ben.until(([id, words]) => document.getElementById(id).textContent === words, [`${ben.x}-count`, words]);
    const bar = ben.part('selection');
    for (const uid of ['cy', 'dee']) await ben.part(`s-${uid}`).click();
    await count('2 selected');
    road.broken = /\/events/;
    road.cut();
    await ben.live('reconnecting');
    await actor('ada').kick('dee');
    await ben.search('ada');
    await count('1 selected');
    await bar.getByRole('button', { name: 'Clear' }).click();
    await count('0 selected');

    await ben.search('brandt');
    const found = await ben.root.getAttribute('data-count');
    await bar.getByRole('button', { name: 'Select all that match' }).click();
    await count(`${found} selected`);
    await bar.getByRole('button', { name: 'Kick' }).click();
    await ben.part('dialog').locator('form').waitFor();
    await ben.confirm();
    await count('0 selected');
    assert.equal(await ben.root.getAttribute('data-count'), '0', 'the answer is for the list as it is searched');
    road.broken = null;
    await ben.live('on');
    await sameAsFresh(ben);
  },
  { complaints: /502|net::ERR_|Failed to load resource|htmx/ },
);

scene('a list that the host takes away hangs up; one that htmx brings later comes to life', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  await host(road, actor, ['?instance=a']);
  const ben = await viewer('ben', { base: road.base, path: '/host', live: false });
  const first = ben.page.locator(`#${ben.x}-a[data-live="on"]`);
  await first.waitFor();
  await ben.page.evaluate((guid) => {
    document.getElementById('chat').replaceChildren();
    return window.htmx.ajax('GET', `/groups/${guid}/members?instance=late`, { target: '#chat' });
  }, ben.guid);
  await ben.page.locator(`#${ben.x}-late[data-live="on"]`).waitFor();
  await actor('ada').kick('cy');
  await ben.page.locator(`#${ben.x}-late-m-cy`).waitFor({ state: 'detached' });
  await sameAsFresh(through(ben, 'late'));
});

scene(
  'what a proxy says in place of the list leaves the host its page, with the link that stands there',
  async ({ viewer, guid, proxy }) => {
    const road = await proxy();
    road.pages.set(
      '/host',
      `<!doctype html><html lang="en"><head><title>A chat</title><link rel="icon" href="data:,">
<script src="/static/chat-group-members.js" defer></script></head>
<body><div data-hx-get="/groups/${guid}/members" data-hx-trigger="load" data-hx-swap="outerHTML"><a href="/groups/${guid}">Members</a></div></body></html>`,
    );
    road.broken = /\/members/;
    const eve = await viewer('eve', { base: road.base, path: '/host', live: false });
    await eve.page.waitForResponse(({ status }) => status() === 502).catch(() => {});
    await eve.page.waitForLoadState('networkidle');
    assert.equal(await eve.page.title(), 'A chat');
    assert.equal(await eve.page.getByRole('link', { name: 'Members' }).count(), 1);
    assert.equal(await eve.page.getByText('502').count(), 0);
    road.broken = null;
    await eve.page.reload();
    await eve.live('on');
  },
  { complaints: /502/ },
);

for (const [htmx, script] of [
  ['ours', ''],
  ['the host’s own', '<script src="/htmx.js"></script>'],
])
  scene(
    `a line that comes when the token is over tells the host, and becomes the list with the next token: htmx is ${htmx}`,
    async ({ viewer, guid, proxy, server }) => {
      const road = await proxy();
      road.pages.set('/htmx.js', await readFile(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js'), 'utf8'));
      road.pages.set('/host', page(`${LINK}${script}${SCRIPT}`, '<div id="chat" style="height: 420px"></div>'));
      const eve = await viewer('eve', { base: road.base, path: '/host', live: false, cookie: false });
      await eve.page.waitForFunction(() => window.htmx);
      await eve.page.evaluate((line) => {
        document.getElementById('chat').innerHTML = line;
      }, line(guid));
      await eve.page.getByRole('alert').getByText('Please sign in').waitFor();
      await eve.until(() => window.heard.some(({ name }) => name === 'expired'));
      const [error] = await eve.heard('error');
      assert.equal(error.code, 'AUTH_ERR_AUTH_TOKEN_NOT_FOUND');
      assert.ok(error.message && error.details);
      await eve.context.addCookies([{ name: 'chat_token', value: await server.token('eve'), url: road.base, httpOnly: true, sameSite: 'Lax' }]);
      await eve.page.evaluate(() => document.dispatchEvent(new CustomEvent('chat-group-members:resume')));
      await eve.live('on');
      await sameAsFresh(eve);
    },
    { complaints: /401 \(Unauthorized\)|htmx/ },
  );

for (const [what, answer] of [
  ['a service that is away', undefined],
  ['a page to log in at', '<!doctype html><title>Log in</title><h1>Please log in</h1>'],
]) {
  scene(
    `${what} when a line asks for its list: the link stays, the host hears of it, and the list comes by itself once it can`,
    async ({ viewer, guid, proxy }) => {
      const road = await proxy();
      road.pages.set('/', page(LINK + SCRIPT, line(guid)));
      const asked = line(guid).match(/hx-get="([^"]+)"/)[1];
      if (answer) road.pages.set(asked, answer);
      else road.broken = /\/members/;
      const ben = await viewer('ben', { base: road.base, path: '/', live: false });
      await ben.until(() => window.heard.some(({ name }) => name === 'error'));
      assert.equal(await ben.page.getByRole('link', { name: 'Members' }).count(), 1);
      assert.equal(await ben.page.getByText('log in').count(), 0);
      road.pages.delete(asked);
      road.broken = null;
      await ben.live('on');
      await sameAsFresh(ben);
    },
    { complaints: /502|htmx/ },
  );
}

scene('in a form of the host, Enter in the search finds people and leaves the page where it is', async ({ viewer, guid, proxy }) => {
  const road = await proxy();
  road.pages.set(
    '/host',
    page(`${LINK}${SCRIPT}`, `<form action="/elsewhere"><input name="theirs" value="kept"><div style="height: 420px">${line(guid)}</div></form>`),
  );
  const eve = await viewer('eve', { base: road.base, path: '/host', live: false });
  await eve.live('on');
  await eve.part('q').fill('brandt');
  await eve.part('q').press('Enter');
  await eve.gone('dee');
  await eve.there('p10');
  assert.equal(new URL(eve.page.url()).pathname, '/host');
});
