// Our page in a frame of another site's page: its session, and how it goes on when the session ends.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import { people } from './cast.mjs';
import { Proxy } from './proxy.mjs';
import { scene, stage } from './support.mjs';

const [host, road] = [await Proxy.start(), await Proxy.start()];
stage(() => ({ CGM_ALLOW_ORIGIN: host.elsewhere, CGM_FRAME_ANCESTORS: host.elsewhere }));
after(() => Promise.all([host.stop(), road.stop()]));

const PAGE =
  '<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head><body><iframe title="Members"></iframe></body></html>';

/** Ben's host signs him in to the service. */
const signedIn = async (ben, server, ttl) =>
  ben.page.evaluate(
    async ([service, token]) => {
      const answer = await fetch(`${service}/session`, { method: 'POST', credentials: 'include', headers: { Authorization: `Bearer ${token}` } });
      return answer.status;
    },
    [road.base, await server.token('ben', { ttl })],
  );

scene('a session that ends in a frame: the host hears of it, signs in again and the list goes on', async ({ viewer, actor, server, guid }) => {
  road.target = new URL(server.base);
  host.pages.set('/', PAGE);
  const ben = await viewer('ben', { base: host.elsewhere, path: '/', cookie: false, live: false });
  await ben.page.evaluate(() => {
    window.told = [];
    addEventListener('message', ({ data }) => window.told.push(data));
  });
  assert.equal(await signedIn(ben, server, '8s'), 204);
  await ben.page.$eval('iframe', (frame, address) => (frame.src = address), `${road.base}/groups/${guid}/members`);
  const frame = ben.page.frameLocator('iframe');
  const live = (state) => frame.locator(`#cgm-${guid}[data-live="${state}"]`).waitFor();
  await live('on');
  await live('off');
  await ben.until((group) => window.told.some(({ type, group: of }) => type === 'chat-group-members:expired' && of === group), guid);
  assert.ok(await ben.page.evaluate(() => window.told.some(({ type, height }) => type === 'chat-group-members:height' && height >= 360)));
  await actor('ada').kick('dee');
  assert.equal(await signedIn(ben, server, '1h'), 204);
  await ben.page.$eval('iframe', ({ contentWindow }, service) => contentWindow.postMessage({ type: 'chat-group-members:resume' }, service), road.base);
  await live('on');
  await frame.locator(`#cgm-${guid}-m-dee`).waitFor({ state: 'detached' });
});

/** Names of several lines, whose height is no whole number of pixels: `to3` finds the first three. */
const found = Array.from({ length: 5 }, (_, n) => ({
  uid: `found${n + 1}`,
  name: `Falk Bergström-Nieminen ${[1, 2, 3, 4, 5]
    .slice(n)
    .map((most) => `to${most}`)
    .join(' ')}`,
  scope: 'participant',
  joinedAt: 1_694_000_000,
}));

scene(
  'a frame is as high for the same people each time, however often Ben searches and however high it was before',
  async ({ viewer, server, guid }) => {
    road.target = new URL(server.base);
    host.pages.set('/', PAGE);
    const ben = await viewer('ben', { base: host.elsewhere, path: '/', cookie: false, live: false });
    assert.equal(await signedIn(ben, server, '1h'), 204);
    await ben.page.evaluate((address) => {
      const frame = document.querySelector('iframe');
      addEventListener('message', ({ data }) => {
        if (data.type !== 'chat-group-members:height') return;
        window.told = data.height;
        frame.style.blockSize = `${data.height}px`;
      });
      frame.src = address;
    }, `${road.base}/groups/${guid}/members`);
    const frame = ben.page.frameLocator('iframe');
    await frame.locator(`#cgm-${guid}[data-live="on"]`).waitFor();
    const heights = {};
    for (const count of [1, 2, 3, 4, 5, 4, 3, 2, 1, 5, 1, 3, 1]) {
      await frame.locator(`#cgm-${guid}-q`).fill(`to${count}`);
      await frame.locator(`#cgm-${guid}[data-count="${count}"]`).waitFor();
      // Its list has been laid out, and what it told has come.
      await frame.locator('html').evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const height = await ben.page.evaluate(() => new Promise((done) => setTimeout(() => done(window.told), 200)));
      heights[count] ??= height;
      assert.equal(height, heights[count], `for ${count} of them, after ${JSON.stringify(heights)}`);
    }
    assert.ok(heights[1] >= 360 && heights[1] < 420, `room for a menu, in a low window: ${heights[1]}`);
    assert.ok(heights[5] > 420, 'and more than a low window');
  },
  { members: [...people(), ...found] },
);

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
