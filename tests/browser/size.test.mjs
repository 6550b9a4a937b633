// What a members page costs to load.

import assert from 'node:assert/strict';

import { request } from 'node:http';

import { scene, stage } from './support.mjs';

stage();

/** Bytes of scripts and styles together, as brotli sends them; 300 of them are for moderation. */
const MOST = 27_000;
/** The same of what comes when somebody first opens a menu or a dialog, selects, or reads what others do. */
const MOST_FOR_ACTS = 7_300;
/** The same of what only staff get: the undo bar, acts on many people, the end of an act. */
const MOST_FOR_STAFF = 1_950;
const STAFF = /members-staff\.\w+\.js/;

/** The body as it travels: not unpacked. */
const travelling = (url) =>
  new Promise((done, failed) => {
    request(url, { headers: { 'Accept-Encoding': 'br' } }, (answer) => {
      let size = 0;
      answer.on('data', (chunk) => (size += chunk.length));
      answer.on('end', () => done({ size, encoding: answer.headers['content-encoding'], caching: answer.headers['cache-control'] }));
    })
      .on('error', failed)
      .end();
  });

/** What these addresses weigh together; each is compressed, and comes from the service itself. */
async function weigh(addresses, base, most = MOST) {
  assert.ok(addresses.some((address) => address.endsWith('.js')));
  const files = await Promise.all(addresses.map(travelling));
  for (const [index, { encoding }] of files.entries()) {
    assert.equal(encoding, 'br', addresses[index]);
    assert.ok(addresses[index].startsWith(base), 'nothing comes from elsewhere');
  }
  const sum = files.reduce((sum, { size }) => sum + size, 0);
  console.log(`${sum} bytes in ${addresses.length} files`);
  assert.ok(sum <= most, `${sum} bytes`);
  return files;
}

/** The addresses of all scripts and styles that a page asks for, from now on. */
function loadedBy(page) {
  const addresses = new Set();
  page.on('request', (asked) => ['script', 'stylesheet'].includes(asked.resourceType()) && addresses.add(asked.url()));
  return addresses;
}

scene(`script and styles of a members page are at most ${MOST} bytes, and are kept for good`, async ({ viewer, server }) => {
  const eve = await viewer('eve');
  const addresses = loadedBy(eve.page);
  await eve.page.reload();
  await eve.live('on');
  for (const { caching } of await weigh([...addresses], server.base)) assert.match(caching, /immutable/);
});

scene(`menus, dialogs and the selection are at most ${MOST_FOR_ACTS} bytes more, which come when they are first needed`, async ({ viewer, server }) => {
  const [eve, ben] = [await viewer('eve'), await viewer('ben', { query: '?selectionMode=multiple' })];
  const [read, acted] = [eve, ben].map(({ page }) => loadedBy(page));
  for (const one of [eve, ben]) {
    await one.page.reload();
    await one.live('on');
  }
  await ben.dialog('dee', 'ban');
  const more = [...acted].filter((address) => !read.has(address));
  assert.ok(more.some((address) => address.endsWith('.css')));
  for (const [addresses, most] of [
    [more.filter((address) => !STAFF.test(address)), MOST_FOR_ACTS],
    [more.filter((address) => STAFF.test(address)), MOST_FOR_STAFF],
  ])
    for (const { caching } of await weigh(addresses, server.base, most)) assert.match(caching, /immutable/);
});

scene('a participant who reads what moderators do loads nothing of what is for staff', async ({ viewer, actor, server }) => {
  const eve = await viewer('eve');
  const read = loadedBy(eve.page);
  await eve.page.reload();
  await eve.live('on');
  const before = new Set(read);
  await actor('ada').kick('dee');
  await eve.gone('dee');
  await eve.part('say').filter({ hasText: '1' }).waitFor({ state: 'attached' });
  const more = [...read].filter((address) => !before.has(address));
  await weigh(more, server.base, MOST_FOR_ACTS);
  assert.ok(!more.some((address) => STAFF.test(address)), `${more}`);
});

scene(`somebody else's page with the custom element loads at most ${MOST} bytes for it`, async ({ viewer, server, guid, proxy }) => {
  const host = await proxy();
  host.pages.set(
    '/host',
    `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,">
<script src="/static/chat-group-members.js" defer></script></head><body><chat-group-members group="${guid}"></chat-group-members></body></html>`,
  );
  const eve = await viewer('eve', { base: host.base, path: '/host', live: false });
  const addresses = loadedBy(eve.page);
  await eve.page.reload();
  await eve.live('on');
  await weigh(
    [...addresses].map((address) => address.replace(host.base, server.base)),
    server.base,
  );
});
