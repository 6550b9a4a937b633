// Our page in a frame of another site's page: its session, and how it goes on when the session ends.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import { Proxy } from './proxy.mjs';
import { scene, stage } from './support.mjs';

const [host, road] = [await Proxy.start(), await Proxy.start()];
stage(() => ({ CGM_ALLOW_ORIGIN: host.elsewhere, CGM_FRAME_ANCESTORS: host.elsewhere }));
after(() => Promise.all([host.stop(), road.stop()]));

const PAGE =
  '<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head><body><iframe title="Members"></iframe></body></html>';

scene('a session that ends in a frame: the host hears of it, signs in again and the list goes on', async ({ viewer, actor, server, guid }) => {
  road.target = new URL(server.base);
  host.pages.set('/', PAGE);
  const ben = await viewer('ben', { base: host.elsewhere, path: '/', cookie: false, live: false });
  const signIn = async (ttl) =>
    ben.page.evaluate(
      async ([service, token]) => {
        const answer = await fetch(`${service}/session`, { method: 'POST', credentials: 'include', headers: { Authorization: `Bearer ${token}` } });
        return answer.status;
      },
      [road.base, await server.token('ben', { ttl })],
    );
  await ben.page.evaluate(() => {
    window.told = [];
    addEventListener('message', ({ data }) => window.told.push(data));
  });
  assert.equal(await signIn('8s'), 204);
  await ben.page.$eval('iframe', (frame, address) => (frame.src = address), `${road.base}/groups/${guid}/members`);
  const frame = ben.page.frameLocator('iframe');
  const live = (state) => frame.locator(`#cgm-${guid}[data-live="${state}"]`).waitFor();
  await live('on');
  await live('off');
  await ben.until((group) => window.told.some(({ type, group: of }) => type === 'chat-group-members:expired' && of === group), guid);
  assert.ok(await ben.page.evaluate(() => window.told.some(({ type, height }) => type === 'chat-group-members:height' && height >= 360)));
  await actor('ada').kick('dee');
  assert.equal(await signIn('1h'), 204);
  await ben.page.$eval('iframe', ({ contentWindow }, service) => contentWindow.postMessage({ type: 'chat-group-members:resume' }, service), road.base);
  await live('on');
  await frame.locator(`#cgm-${guid}-m-dee`).waitFor({ state: 'detached' });
});

scene('a page that is in no frame tells nobody anything', async ({ viewer }) => {
  const ben = await viewer('ben', { live: false });
  await ben.live('on');
  await ben.page.evaluate(() => {
    window.told = [];
    addEventListener('message', ({ data }) => window.told.push(data));
  });
  await ben.search('brandt');
  await ben.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.deepEqual(await ben.page.evaluate(() => window.told), []);
});
