// In somebody else's page: as an element in a wide one, and in a narrow frame.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';

const page = (
  body,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A chat</title><link rel="icon" href="data:,"><script src="/ear.js"></script>
<script src="/static/chat-group-members.js" defer></script></head><body style="margin: 0">${body}</body></html>`;

export function embed(scene) {
  scene('the element of a wide page fills its place, in one column, and lives', async ({ viewer, actor, road, server, guid, picture }) => {
    road.pages.set(
      '/host',
      page(
        `<div style="block-size: 600px; inline-size: 900px"><chat-group-members group="${guid}" token="${await server.token('ben')}"></chat-group-members></div>`,
      ),
    );
    const ben = await viewer('ben', { path: '/host', size: [1000, 760] });
    await ben.away();
    const places = await ben.ask((x) => [...document.querySelectorAll(`#${x} [data-uid]`)].map((row) => row.getBoundingClientRect().toJSON()), ben.x);
    // In several, whoever joins would move everybody behind them sideways.
    assert.equal(new Set(places.map(({ left }) => left)).size, 1);
    assert.ok(places[0].width > 860, `${places[0].width} of 900 px`);
    await actor('ada').kick('cy');
    await ben.gone(ben.row('cy'));
    await ben.dialog('dee', 'kick');
    await picture('element');
    await ben.confirm();
    await ben.gone(ben.row('dee'));
    await ben.away();
    await sameAsFresh(ben);
  });

  scene(
    'in a frame as narrow as a phone the menu rises from the lower edge, and nothing is wider than the frame',
    async ({ viewer, road, guid, driver, picture }) => {
      road.pages.set('/host', page(`<iframe style="border: 0; inline-size: 320px; block-size: 640px" src="/groups/${guid}/members?theme=dark"></iframe>`));
      const ben = await viewer('ben', { path: '/host', frame: true });
      await ben.there('[data-theme="dark"]');
      await ben.menu('dee');
      // It rises for a moment.
      await ben.until((selector) => {
        const { left, right, bottom } = document.querySelector(selector).getBoundingClientRect();
        return left === 0 && right === 320 && bottom === innerHeight;
      }, ben.part('menu'));
      await driver.switchTo().defaultContent();
      await picture('narrow');
      await driver.switchTo().frame(0);
      await ben.press('Escape');
      const wide = await ben.ask(() =>
        [...document.querySelectorAll('[class*="chat-group-members__"]')]
          .filter((part) => !part.closest('.chat-group-members__filters') && part.getBoundingClientRect().right > 320.5)
          .map(({ className }) => className),
      );
      assert.deepEqual(wide, []);
    },
    // An observer of heights, which only a frame has, is called back more than once for a frame of the screen.
    { complaints: /ResizeObserver/ },
  );
}
