// A host's page whose htmx 4 lets everything inherit attributes of the body: none of them gets into the list.

import assert from 'node:assert/strict';

import { line } from '../browser/host.mjs';
import { hostPage, npm } from './host.mjs';
import { sameAsFresh } from './law.mjs';

const ATTRIBUTES = {
  'hx-boost': 'true',
  'hx-confirm': 'Sure?',
  'hx-push-url': 'true',
  'hx-select': '#main',
  'hx-swap': 'beforeend',
  'hx-target': '#main',
};
const INHERITED = Object.entries(ATTRIBUTES)
  .map(([name, value]) => ` ${name}:inherited="${value}"`)
  .join('');

/** A question of the host's counts as a complaint, and is answered with yes. */
const ASKED = '<script>window.confirm = (question) => { console.error("asked:", question); return true; };</script>';

/** The list itself, as its placeholder asks for it, or as a visit to it would. */
const WHOLE = /^GET \/groups\/\w+\/members(\?|$)(?!.*part=)/;

export function inheritance(scene) {
  scene(
    "where the host's body lets everything inherit, an act, a search, the filters and further pages work, and the address stays the host's",
    async ({ viewer, actor, road, guid }) => {
      const htmx = `<script src="${npm(road, 'htmx.org/dist/htmx.min.js')}" defer></script>`;
      const body = `<h1>Chat</h1><main id="main"></main><div style="block-size: 480px">${line(guid)}</div>`;
      road.pages.set('/host', hostPage(ASKED + htmx, body, INHERITED));
      const ben = await viewer('ben', { path: '/host' });
      const address = () => ben.ask(() => [location.href, history.length]);
      const before = await address();
      await ben.dialog('dee', 'kick');
      await ben.confirm();
      await ben.gone(ben.row('dee'));
      await ben.type('marlowe');
      await ben.there(`${ben.part('view')}[data-query*="marlowe"]`);
      await ben.shows('cy');
      await ben.type('');
      await ben.there(ben.row('eve'));
      await ben.filter('admins');
      await ben.shows('ada', 'ben');
      await ben.filter('all');
      await ben.there(ben.row('eve'));
      await ben.toEnd('next');
      await ben.until((x) => document.querySelectorAll(`#${x} [data-uid][data-order]`).length > 30, ben.x);
      await actor('ada').kick('eve');
      await ben.gone(ben.row('eve'));
      await sameAsFresh(ben);
      assert.deepEqual(await address(), before);
      assert.equal(await ben.text('#main'), '', 'nothing came to where the host puts what it asks for');
      assert.equal(road.asked.filter((line) => WHOLE.test(line)).length, 1, 'the list is fetched once, and never visited');
    },
  );
}
