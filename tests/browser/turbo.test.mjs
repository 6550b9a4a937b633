// Pages as Rails serves them, with Turbo: however a list comes to the page, it comes alive, and when the
// page is morphed into its newer self, the list stays as it is.

import assert from 'node:assert/strict';

import { Host, LINK, SCRIPT, line, page } from './host.mjs';
import { sameAsFresh } from './law.mjs';
import { Actor } from './server.mjs';
import { scene, stage } from './support.mjs';

stage();

const TURBO = `<script type="module" src="/npm/@hotwired/turbo/dist/turbo.es2017-esm.js"></script>
<meta name="turbo-refresh-method" content="morph"><meta name="turbo-refresh-scroll" content="preserve">`;

/** A page of the application's layout, as it is the `count`th time it is asked for. */
const layout = (body, count = 0) =>
  page(
    LINK + SCRIPT + TURBO,
    `<nav><a href="/">Home</a> <a href="/chat">Chat</a> <a href="/framed">Framed</a></nav><h1>Harbour, ${count}</h1>${body}<p id="foot">Foot</p>`,
  );

const room = (inside) => `<div class="room" style="block-size: 480px; inline-size: 360px">${inside}</div>`;

/** An application with these pages, which count how often they are asked for. */
async function rails({ server, guid }, pages = {}) {
  const host = await Host.start(server.base);
  const all = {
    '/': '<p>Welcome</p>',
    '/chat': room(line(guid)),
    '/framed': '<turbo-frame id="room" src="/frame" refresh="morph"></turbo-frame>',
    '/frame': `<turbo-frame id="room">${room(line(guid))}</turbo-frame>`,
    ...pages,
  };
  for (const [path, body] of Object.entries(all)) {
    let count = 0;
    host.pages.set(path, () => layout(body, ++count));
  }
  return host;
}

/** A scene at the application, which Ben sees from a page that has no list yet. */
function turbo(sentence, play, { pages = () => ({}), path = '/', ...options } = {}) {
  scene(
    sentence,
    async (it) => {
      const host = await rails(it, await pages(it));
      try {
        const ben = await it.viewer('ben', { base: host.base, path, live: false });
        await play(ben, it, host);
      } finally {
        await host.stop();
      }
    },
    options,
  );
}

/** News come (of a row near the end, so that none above moves), an act works, and the whole is as a fresh page. */
async function lives(ben, actor, uid) {
  await ben.live('on');
  await ben.away();
  const last = (await ben.uids()).at(-2);
  await actor('ada').kick(last);
  await ben.gone(last);
  await ben.dialog(uid, 'kick');
  await ben.confirm();
  await ben.gone(uid);
  await ben.away();
  await sameAsFresh(ben);
  assert.equal(await ben.page.locator('section.chat-group-members').count(), 1);
}

/** The page that was asked for the `count`th time is on the screen. */
const heading = (ben, text) => ben.page.getByRole('heading', { name: text, exact: true }).waitFor();

/** Rails says that something has changed: the page is morphed. */
async function refresh(ben, text) {
  await ben.page.evaluate(() => window.Turbo.session.refresh(location.href));
  await heading(ben, text);
}

/** What a person would lose with the list. */
const remember = (ben) =>
  ben.page.evaluate((id) => {
    window.kept = document.getElementById(id);
    document.getElementById(`${id}-q`).focus();
  }, ben.x);
async function unharmed(ben, host, fetched) {
  assert.ok(await ben.page.evaluate((id) => document.getElementById(id) === window.kept, ben.x), 'it is the same list');
  assert.equal(await ben.root.getAttribute('data-live'), 'on');
  await ben.focusOn('q');
  assert.equal(host.count(/^GET \/groups\/\w+\/members(\?part=component.*)?$/), fetched, 'which is not fetched again');
  assert.equal(host.count(/\/events/), 1, 'and whose stream goes on');
}

turbo('a list on a page that Turbo visits comes alive, and again when one goes back and forth', async (ben, { actor }, host) => {
  await ben.page.evaluate(() => {
    window.stays = true;
  });
  await ben.page.getByRole('link', { name: 'Chat' }).click();
  await lives(ben, actor, 'dee');
  const far = (await ben.uids()).at(-3);
  await ben.page.getByRole('link', { name: 'Home' }).click();
  await heading(ben, 'Harbour, 2');
  await actor('ada').kick(far);
  await ben.page.goBack();
  await ben.gone(far);
  await lives(ben, actor, 'eve');
  await ben.page.goBack();
  await ben.page.getByText('Welcome').waitFor();
  await ben.page.goForward();
  await lives(ben, actor, 'p01');
  // A page that is shown from the cache while it is fetched again.
  await ben.page.getByRole('link', { name: 'Home' }).click();
  await ben.page.getByText('Welcome').waitFor();
  await ben.page.getByRole('link', { name: 'Chat' }).click();
  await heading(ben, 'Harbour, 2');
  await lives(ben, actor, 'p02');
  assert.equal(await ben.page.evaluate(() => window.stays), true, 'without a page load');
  assert.equal(host.count(/^GET .*\/members\/\w+\?(?!.*part=)/), 0, 'Turbo fetches no link of the list ahead');
});

turbo('a list in a frame comes alive', async (ben, { actor }) => {
  await ben.page.getByRole('link', { name: 'Framed' }).click();
  await lives(ben, actor, 'dee');
});

turbo('a placeholder that comes by innerHTML or by a stream of Turbo comes alive', async (ben, { actor, guid }) => {
  await ben.page.evaluate((html) => (document.getElementById('foot').innerHTML = html), line(guid));
  await lives(ben, actor, 'dee');
  await ben.page.evaluate((html) => {
    document.getElementById('foot').replaceChildren();
    window.Turbo.renderStreamMessage(`<turbo-stream action="update" target="foot"><template>${html}</template></turbo-stream>`);
  }, line(guid));
  await lives(ben, actor, 'eve');
});

turbo(
  'a refresh by morphing leaves a list that came by a placeholder as it is, whatever stands beside it',
  async (ben, { actor }, host) => {
    await ben.live('on');
    await remember(ben);
    await refresh(ben, 'Harbour, 2');
    await refresh(ben, 'Harbour, 3');
    await unharmed(ben, host, 1);
    await lives(ben, actor, 'dee');
  },
  { path: '/chat', pages: ({ guid }) => ({ '/chat': `<div class="room" style="block-size: 480px">${line(guid)}<div>Beside</div><div>it</div></div>` }) },
);

turbo(
  'a refresh leaves a list that came with the page as it is',
  async (ben, { actor }, host) => {
    await ben.live('on');
    await remember(ben);
    await refresh(ben, 'Harbour, 2');
    await unharmed(ben, host, 0);
    await lives(ben, actor, 'dee');
  },
  {
    path: '/chat',
    pages: async ({ server, guid }) => {
      const answer = await new Actor(server, guid, 'ben').ask('GET', '/members?part=component', undefined, { Accept: '*/*' });
      return { '/chat': room(await answer.text()) };
    },
  },
);

turbo('a dialog that is open when one goes elsewhere is closed when one comes back', async (ben, { actor }) => {
  await ben.page.getByRole('link', { name: 'Chat' }).click();
  await ben.live('on');
  await ben.dialog('dee', 'kick');
  await ben.page.goBack();
  await heading(ben, 'Harbour, 1');
  await ben.page.goForward();
  await ben.live('on');
  assert.equal(await ben.page.locator('dialog[open], [aria-expanded=true]').count(), 0);
  assert.equal(await ben.page.locator(`#${ben.x}-list [tabindex="0"]`).count(), 1, 'one stop of the Tab key');
  await lives(ben, actor, 'dee');
});

turbo(
  'an attribute that the newer page does not have is taken from the element',
  async (ben, _, host) => {
    await ben.live('on');
    assert.deepEqual(await ben.uids(), ['ben']);
    host.pages.set('/chat', () => layout(room(`<chat-group-members group="${ben.guid}"><p>Members</p></chat-group-members>`), 'anew'));
    await refresh(ben, 'Harbour, anew');
    await ben.there('cy');
    await ben.live('on');
  },
  { path: '/chat', pages: ({ guid }) => ({ '/chat': room(`<chat-group-members group="${guid}" scopes="admin"><p>Members</p></chat-group-members>`) }) },
);

turbo(
  'a refresh leaves the element as it is, and gives it the attributes that are new',
  async (ben, { actor }, host) => {
    await ben.live('on');
    await remember(ben);
    await refresh(ben, 'Harbour, 2');
    await unharmed(ben, host, 1);
    await lives(ben, actor, 'dee');
    host.pages.set('/chat', () => layout(room(`<chat-group-members group="${ben.guid}" scopes="admin"><p>Members</p></chat-group-members>`), 'anew'));
    await refresh(ben, 'Harbour, anew');
    await ben.gone('cy');
    await ben.live('on');
    assert.deepEqual(await ben.uids(), ['ben']);
  },
  { path: '/chat', pages: ({ guid }) => ({ '/chat': room(`<chat-group-members group="${guid}"><p>Members</p></chat-group-members>`) }) },
);

turbo(
  'a frame that is refreshed by morphing leaves its list as it is',
  async (ben, { actor }, host) => {
    await ben.live('on');
    await remember(ben);
    const before = host.count(/GET \/frame$/);
    await ben.page.evaluate(() => document.querySelector('turbo-frame').reload());
    await ben.until((before) => performance.getEntriesByName(`${location.origin}/frame`).length > before, before);
    await unharmed(ben, host, 1);
    await lives(ben, actor, 'dee');
  },
  { path: '/framed' },
);

turbo(
  'a list that the newer page has no more goes, and one that it has instead comes',
  async (ben, { actor, server }, host) => {
    await ben.live('on');
    host.pages.set('/chat', () => layout(room('<p>Closed</p>'), 'closed'));
    await refresh(ben, 'Harbour, closed');
    assert.equal(await ben.page.locator('section.chat-group-members').count(), 0);
    const other = await server.group();
    host.pages.set('/chat', () => layout(room(line(ben.guid)), 'open'));
    await refresh(ben, 'Harbour, open');
    await ben.live('on');
    host.pages.set('/chat', () => layout(room(line(other)), 'other'));
    await refresh(ben, 'Harbour, other');
    ben.x = `cgm-${other}`;
    await ben.live('on');
    assert.equal(await ben.page.locator('section.chat-group-members').count(), 1);
    await actor('ada').kick('dee');
    assert.equal(await ben.row('dee').count(), 1);
  },
  { path: '/chat' },
);
