// Markup that strangers wrote, which a host's sanitizer lets pass: classes, ids and data attributes. What looks like ours is
// not trusted for it.

import assert from 'node:assert/strict';

import { scene, stage } from './support.mjs';

stage();

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
