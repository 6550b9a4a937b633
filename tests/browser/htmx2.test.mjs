// Beside whatever htmx a host's page runs: version 2, version 4 or none, in any order of scripts. The list
// is fetched once, lives, and nothing of it happens twice.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const HTMX_2 = await readFile(new URL('../../node_modules/htmx2/dist/htmx.min.js', import.meta.url), 'utf8');
const HTMX_4 = await readFile(new URL('../../node_modules/htmx.org/dist/htmx.min.js', import.meta.url), 'utf8');

const OURS = '<script src="/static/chat-group-members.js" defer></script>';
const THEIRS = '<script src="/htmx.js" defer></script>';
const LINE = (guid, instance = 'h') => `<div hx-get="/groups/${guid}/members?instance=${instance}" hx-trigger="load" hx-swap="outerHTML"></div>`;

/** A host's page with an htmx of its own and a button that uses it. */
function host(road, { htmx = '', scripts, body }) {
  road.pages.set('/htmx.js', htmx);
  road.pages.set('/own', '<b>from the host</b>');
  road.pages.set(
    '/host',
    `<!doctype html><html lang="en"><head><title>A chat</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/css-variables.css">${scripts}</head>
<body hx-boost="true"><h1>A chat</h1><button id="own" hx-get="/own" hx-target="#out">Own</button><p id="out"></p>
<div id="chat" style="height: 480px; width: 360px">${body}</div></body></html>`,
  );
}

const counted = (road, which) => road.asked.filter((line) => which.test(line)).length;

/** Ben at a host's page with the list `h` in it. */
async function visit({ viewer, proxy, guid }, page) {
  const road = await proxy();
  host(road, { body: LINE(guid), ...page });
  const ben = await viewer('ben', { base: road.base, path: '/host', live: false });
  ben.x = `cgm-${guid}-h`;
  await ben.live('on');
  return [road, ben];
}

/** Everything that a person does with the list, and each request exactly once. */
async function everythingOnce(road, ben, actor) {
  assert.equal(counted(road, /^GET \/groups\/\w+\/members\?instance=/), 1, 'the list is fetched once');
  assert.equal(counted(road, /\/events/), 1, 'there is one stream');

  await actor('ada').scope('eve', 'moderator');
  await ben.page.locator(`#${ben.x}-m-eve[data-scope="moderator"]`).waitFor();
  await actor('n1', 'Aaron New').join();
  await ben.there('n1');

  await ben.search('brandt');
  await ben.there('p10');
  // The stream is asked for once the new list is in its place.
  await road.until(() => counted(road, /\/events/) > 1);
  assert.equal(counted(road, /brandt.*part=view/), 1, 'a search asks once');
  assert.equal(counted(road, /\/events/), 2, 'a new view follows its own stream');
  await ben.search('');
  await ben.there('cy');

  await ben.dialog('dee', 'kick');
  assert.equal(counted(road, /part=menu/), 1, 'a menu is fetched once');
  assert.equal(counted(road, /part=dialog/), 1, 'a dialog is fetched once');
  await ben.confirm();
  await ben.gone('dee');
  assert.equal(counted(road, /^POST/), 1, 'an act is sent once');
  assert.equal((await ben.heard('member-kicked')).length, 1, 'and heard of once');

  await ben.further();
  assert.equal(counted(road, /cursor=/), 1, 'a page is fetched once');
  await ben.away();
  await sameAsFresh(ben);

  await ben.page.locator('#own').click();
  await ben.page.locator('#out b').waitFor();
  assert.equal(counted(road, /\/own/), 1, "the host's own request is sent once");
}

for (const [order, scripts] of [
  ['before ours', THEIRS + OURS],
  ['behind ours', OURS + THEIRS],
]) {
  scene(`in a page whose htmx 2 stands ${order}, everything works and happens once`, async (it) => {
    const [road, ben] = await visit(it, { htmx: HTMX_2, scripts });
    await everythingOnce(road, ben, it.actor);
    const theirs = await ben.page.evaluate(() => ({
      version: window.htmx.version,
      sheets: document.adoptedStyleSheets.length,
      history: window.htmx.config.historyEnabled,
    }));
    assert.deepEqual(theirs, { version: '2.0.11', sheets: 0, history: true }, 'the page keeps its own htmx as it was');
  });

  scene(`in a page whose htmx 4 stands ${order}, both share it`, async (it) => {
    const [road, ben] = await visit(it, { htmx: HTMX_4, scripts });
    await everythingOnce(road, ben, it.actor);
  });
}

scene('a page without htmx gets ours', async (it) => {
  const [road, ben] = await visit(it, { scripts: OURS });
  await everythingOnce(road, ben, it.actor);
});

scene('our script put into a page twice does everything once', async (it) => {
  const [road, ben] = await visit(it, { htmx: HTMX_2, scripts: OURS + THEIRS + OURS });
  await everythingOnce(road, ben, it.actor);
});

scene('the page of a host with htmx 2 adds a bearer to our requests, and no cookie is needed', async ({ viewer, actor, proxy, guid, server }) => {
  const road = await proxy();
  host(road, { htmx: HTMX_2, scripts: THEIRS + OURS, body: LINE(guid) });
  const token = await server.token('ben');
  const sign = `addEventListener('htmx:configRequest', ({ detail }) => { detail.headers.Authorization = 'Bearer ${token}'; });
addEventListener('htmx:config:request', ({ detail }) => { detail.ctx.request.headers.Authorization = 'Bearer ${token}'; });`;
  road.pages.set('/sign.js', sign);
  road.pages.set('/host', road.pages.get('/host').replace('</head>', '<script src="/sign.js"></script></head>'));
  const ben = await viewer('ben', { base: road.base, path: '/host', live: false, cookie: false });
  ben.x = `cgm-${guid}-h`;
  await ben.live('on');
  await actor('ada').kick('eve');
  await ben.gone('eve');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await ben.gone('dee');
});

for (const [whose, htmx] of [
  ['htmx 2', HTMX_2],
  ['htmx 4', HTMX_4],
]) {
  scene(
    `in a page with ${whose}, a list that comes by innerHTML lives; taken away it hangs up; put back it goes on`,
    async ({ viewer, actor, proxy, guid }) => {
      const road = await proxy();
      host(road, { htmx, scripts: THEIRS + OURS, body: '' });
      const ben = await viewer('ben', { base: road.base, path: '/host', live: false });
      ben.x = `cgm-${guid}-h`;
      await ben.page.evaluate(async (address) => {
        const answer = await fetch(address, { headers: { Accept: '*/*' } });
        document.getElementById('chat').innerHTML = await answer.text();
      }, `/groups/${guid}/members?instance=h`);
      await ben.live('on');
      await actor('ada').kick('eve');
      await ben.gone('eve');
      assert.equal(road.streams(), 1);

      await ben.page.evaluate(() => {
        window.taken = document.getElementById('chat').firstElementChild;
        window.taken.remove();
      });
      await road.until(() => road.streams() === 0);
      await actor('ada').kick('dee');
      await ben.page.evaluate(() => document.getElementById('chat').append(window.taken));
      await ben.gone('dee');
      await sameAsFresh(ben);
      assert.equal(road.streams(), 1);
      await ben.dialog('cy', 'kick');
      await ben.confirm();
      await ben.gone('cy');
      assert.equal(counted(road, /^POST/), 1);
    },
  );
}
