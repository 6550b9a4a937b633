// Markup that strangers wrote, which a host's sanitizer lets pass: classes, ids and data attributes. What looks like ours is
// not trusted for it.

import assert from 'node:assert/strict';

import { scene, stage } from './support.mjs';

stage();

scene(
  'an address that only begins like that of the service is asked for nothing',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    road.pages.set(
      '/host',
      '<!doctype html><html lang="en"><head><title>A chat</title><link rel="icon" href="data:,"></head><body><h1>A chat</h1></body></html>',
    );
    const ben = await viewer('ben', { base: road.base, path: '/host', live: false });
    const asked = [];
    const answer = (route) => route.fulfill({ contentType: 'text/html', body: '<p>taken</p>', headers: { 'access-control-allow-origin': '*' } });
    await ben.page.route('http://chat.test.evil.test/**', (route) => {
      asked.push(route.request().url());
      return answer(route);
    });
    await ben.page.route('http://chat.test/**', async (route) => {
      const { pathname, search } = new URL(route.request().url());
      if (!pathname.startsWith('/static/')) {
        asked.push(pathname);
        return answer(route);
      }
      return route.fulfill({ response: await route.fetch({ url: `${road.base}${pathname}${search}` }) });
    });
    await ben.page.addScriptTag({ url: 'http://chat.test/static/chat-group-members.js' });
    await ben.page.waitForFunction(() => window.htmx);
    const list = (address) => `<section class="chat-group-members" data-hx-get="${address}" data-hx-trigger="load"></section>`;
    await ben.page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), list('http://chat.test.evil.test/taken'));
    await ben.page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), list('http://chat.test/ours'));
    for (const until = Date.now() + 10_000; !asked.includes('/ours') && Date.now() < until; ) await ben.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.deepEqual(asked, ['/ours']);
  },
  { complaints: /./ },
);

scene(
  'markup of strangers that looks like a list runs nothing, and brings nothing from elsewhere',
  async ({ viewer, guid, proxy }) => {
    const [road, stranger] = [await proxy(), await proxy()];
    road.pages.set(
      '/host',
      `<!doctype html><html lang="en"><head><title>A chat</title><link rel="icon" href="data:,">
<script src="/static/chat-group-members.js" defer></script></head><body><h1>A chat</h1><div id="talk"></div><div id="chat"></div></body></html>`,
    );
    const ben = await viewer('ben', { base: road.base, path: '/host', live: false });
    await ben.page.waitForFunction(() => window.htmx);
    await ben.page.evaluate(
      ([elsewhere, here, guid]) => {
        document.getElementById('talk').innerHTML = `
<section id="cgm-x" class="chat-group-members" data-scope="owner" data-self="ben" data-href="${elsewhere}/groups/x/members"
 data-hx-get="${elsewhere}/taken" data-hx-trigger="load[window.ran=1]" data-hx-on:click="window.ran=2" data-hx-vals="js:{a:window.ran=3}">
<div id="cgm-x-error"></div><p id="cgm-x-say"></p><form id="cgm-x-search"><input id="cgm-x-q"></form><dialog id="cgm-x-dialog"></dialog><div id="cgm-x-menu" popover></div>
<div id="cgm-x-view" data-query="" data-scope="owner"><ul id="cgm-x-list"><li data-uid="a" data-order="1" class="chat-group-members__row"><a href="${elsewhere}/menu" class="chat-group-members__more">More</a></li></ul>
<div id="cgm-x-stream" data-connect="${elsewhere}/stream"></div></div></section>
<div data-hx-get="/groups/${guid}/members?instance=y" data-hx-trigger="load[window.ran=4]"></div>
<div data-hx-get="${elsewhere}/?${here}/groups/x/members" data-hx-trigger="load"></div>`;
        document.getElementById('chat').innerHTML = `<div data-hx-get="/groups/${guid}/members" data-hx-trigger="load"></div>`;
      },
      [stranger.elsewhere, road.base, guid],
    );
    await ben.live('on');
    await ben.page.locator('#cgm-x-q').fill('a');
    await ben.page.locator('#cgm-x-q').press('Enter');
    await ben.page.locator('#cgm-x .chat-group-members__more').click();
    await ben.page.locator('#cgm-x [role="alert"]').first().waitFor();
    assert.deepEqual(stranger.asked, []);
    assert.equal(await ben.page.evaluate(() => window.ran), undefined);
    assert.equal((await ben.page.locator('#cgm-x-y').count()) + (await ben.page.locator(`#${ben.x}-y`).count()), 0);
  },
  { complaints: /./ },
);
