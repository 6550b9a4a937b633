// The first words of the custom element, when nothing of the service's own could be shown yet: they
// are in the language of the page, whether a proxy answers for the service or nobody does.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import { Proxy } from './proxy.mjs';
import { scene, stage } from './support.mjs';

/** Nobody answers requests for lists. */
class Road extends Proxy {
  silent = false;
  refuses(request, answer) {
    if (!this.silent || !/part=component/.test(request.url)) return false;
    answer.destroy();
    return true;
  }
}

const [host, road] = [await Proxy.start(), await Road.start()];
stage(() => ({ CGM_ALLOW_ORIGIN: host.elsewhere, CGM_PUBLIC_URL: road.base }));
after(() => Promise.all([host.stop(), road.stop()]));

const FAILED = { complaints: /net::ERR_|Failed to load resource|blocked by CORS/ };

/** Eve at a page of the host in this language. */
async function visit({ viewer, server, guid }, { page = '', tag = '', around = '', silent = false, broken = /part=component/, ...options }) {
  Object.assign(road, { target: new URL(server.base), silent, broken });
  road.asked.length = 0;
  host.pages.set(
    '/',
    `<!doctype html><html${page && ` lang="${page}"`}><head><title>A page</title><link rel="icon" href="data:,">
<script src="${road.base}/static/chat-group-members.js" defer></script></head>
<body><div ${around}><chat-group-members group="${guid}" token="${await server.token('eve')}" ${tag}></chat-group-members></div></body></html>`,
  );
  return viewer('eve', { base: host.elsewhere, path: '/', live: false, cookie: false, ...options });
}

/** What the alert says, and how: once it is there. */
async function firstWords(eve) {
  const alert = eve.page.locator('chat-group-members > [role="alert"]');
  await alert.waitFor();
  return alert.evaluate((alert) => ({
    says: alert.querySelector('strong').innerText,
    offers: alert.querySelector('button').innerText,
    lang: alert.lang,
    dir: getComputedStyle(alert).direction,
  }));
}

const FRENCH = { says: 'Impossible d’afficher les membres.', offers: 'Réessayer', lang: 'fr', dir: 'ltr' };
const GERMAN = { says: 'Die Mitglieder können nicht angezeigt werden.', offers: 'Noch einmal versuchen', lang: 'de', dir: 'ltr' };
const ENGLISH = { says: 'The members cannot be shown.', offers: 'Try again', lang: 'en-US', dir: 'ltr' };

for (const silent of [false, true]) {
  scene(
    `a French page says it in French when ${silent ? 'nobody' : 'only a proxy'} answers`,
    async (it) => {
      const eve = await visit(it, { page: 'fr-CA', silent, broken: silent ? null : /part=component/ });
      assert.deepEqual(await firstWords(eve), FRENCH);
      assert.equal((await eve.heard('error'))[0].message, FRENCH.says, 'the host is told the same');
    },
    FAILED,
  );
}

scene(
  'the nearest language counts, and the prop is nearer than any',
  async (it) => {
    const near = await visit(it, { page: 'fr', around: 'lang="de"' });
    assert.deepEqual(await firstWords(near), GERMAN);
    const prop = await visit(it, { page: 'fr', around: 'lang="ru"', tag: 'lang="de-AT"' });
    assert.deepEqual(await firstWords(prop), GERMAN);
  },
  FAILED,
);

scene(
  "a page in a language that is not known, or in none that it names, gets the browser's, else English",
  async (it) => {
    for (const page of ['tlh', '', 'no language']) assert.deepEqual(await firstWords(await visit(it, { page })), ENGLISH, page);
    const browser = await visit(it, { page: 'tlh', locale: 'fr-FR' });
    assert.deepEqual(await firstWords(browser), FRENCH);
  },
  FAILED,
);

scene(
  'Arabic and Hebrew run from right to left, on a page that does not',
  async (it) => {
    for (const lang of ['ar', 'he']) {
      const { says, offers, ...how } = await firstWords(await visit(it, { page: 'en', tag: `lang="${lang}"` }));
      assert.deepEqual(how, { lang, dir: 'rtl' });
      assert.doesNotMatch(says + offers, /[a-z]/i);
    }
  },
  FAILED,
);

scene(
  'what the browser has kept it says when the whole service is gone; else it says it in English',
  async (it) => {
    const eve = await visit(it, { page: 'fr', broken: null });
    await eve.live('on');
    assert.equal(road.asked.filter((line) => line.includes('words')).length, 1);
    road.down = true;
    road.cut();
    const another = (lang) =>
      eve.page.evaluate((lang) => {
        const before = document.querySelector('chat-group-members');
        const one = before.cloneNode();
        if (lang) one.lang = lang;
        before.replaceWith(one);
      }, lang);
    await another();
    assert.deepEqual(await firstWords(eve), FRENCH);
    await another('sv');
    await eve.page.getByRole('alert').filter({ hasText: ENGLISH.says }).waitFor();
    assert.deepEqual(await firstWords(eve), { ...ENGLISH, lang: 'en' });
    road.down = false;
    await eve.page.getByRole('button', { name: 'Try again' }).click();
    await eve.live('on');
  },
  FAILED,
);

scene(
  "an error in the service's own words has its button in the same language",
  async (it) => {
    const eve = await visit({ ...it, guid: 'nowhere' }, { tag: 'lang="fr"', broken: null });
    const { says, offers } = await firstWords(eve);
    assert.deepEqual([says, offers], ['Introuvable', FRENCH.offers]);
  },
  FAILED,
);
