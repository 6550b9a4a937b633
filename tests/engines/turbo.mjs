// Pages as Rails serves them, with Turbo: however a list comes to the page, it comes alive, and it outlives the page's newer self.

import assert from 'node:assert/strict';

import { line } from '../browser/host.mjs';
import { hostPage, npm } from './host.mjs';
import { sameAsFresh } from './law.mjs';

/** An application has these pages from now on. */
function serve(road, pages) {
  const head = `<script type="module" src="${npm(road, '@hotwired/turbo/dist/turbo.es2017-esm.js')}"></script>
<meta name="turbo-refresh-method" content="morph"><meta name="turbo-refresh-scroll" content="preserve">`;
  for (const [path, body] of Object.entries(pages)) road.pages.set(path, hostPage(head, body));
}

const room = (inside) => `<div style="block-size: 480px; inline-size: 360px">${inside}</div>`;

/** There is one list, news come (of a row near the end, so that none above moves), and the whole is as a fresh page. */
async function lives(ben, actor) {
  await ben.live('on');
  await ben.away();
  const uid = (await ben.uids()).at(-2);
  await actor('ada').kick(uid);
  await ben.gone(ben.row(uid));
  await sameAsFresh(ben);
  assert.equal(await ben.count('section.chat-group-members'), 1);
}

/** Rails says that something has changed: the page is morphed into its newer self. */
async function refresh(ben, heading) {
  await ben.until(() => !window.Turbo.session.navigator.currentVisit);
  await ben.ask(() => window.Turbo.session.refresh(location.href));
  await ben.says('h1', heading);
}

/** What a person would lose with the list. */
const remember = (ben) =>
  ben.ask((id) => {
    window.kept = document.getElementById(id);
    document.getElementById(`${id}-q`).focus();
  }, ben.x);

async function unharmed(ben, { road, guid }) {
  assert.ok(await ben.ask((id) => document.getElementById(id) === window.kept, ben.x), 'it is the same list');
  assert.equal(await ben.focused(), 'q');
  assert.equal(road.asked.filter((line) => line === `GET /groups/${guid}/members`).length, 1, 'which is not fetched again');
  assert.equal(road.asked.filter((line) => line.includes('/events')).length, 1, 'and whose stream goes on');
}

export function turbo(scene) {
  scene('a list on a page that Turbo visits comes alive, and again when one goes away and back', async ({ viewer, actor, road, guid, driver }) => {
    serve(road, { '/home': '<h1>Home</h1><a href="/chat">Chat</a>', '/chat': `<h1>Chat</h1><a href="/home">Home</a>${room(line(guid))}` });
    const ben = await viewer('ben', { path: '/home', live: false });
    await ben.ask(() => {
      window.stays = true;
    });
    await ben.click('[href="/chat"]');
    await lives(ben, actor);
    await ben.dialog('dee', 'kick');
    await ben.confirm();
    await ben.gone(ben.row('dee'));
    await ben.click('[href="/home"]');
    await ben.says('h1', 'Home');
    await actor('ada').kick('eve');
    await driver.navigate().back();
    await ben.says('h1', 'Chat');
    await ben.gone(ben.row('eve'));
    await lives(ben, actor);
    assert.equal(await ben.ask(() => window.stays), true, 'without a page load');
  });

  scene('a list in a frame of Turbo comes alive, and stays as it is when the frame is morphed', async ({ viewer, actor, road, guid }) => {
    serve(road, {
      '/framed': '<h1>Framed</h1><turbo-frame id="room" src="/frame" refresh="morph"></turbo-frame>',
      '/frame': `<turbo-frame id="room">${room(line(guid))}</turbo-frame>`,
    });
    const ben = await viewer('ben', { path: '/framed' });
    await remember(ben);
    // A frame that is told to reload before it has loaded to its end is not morphed: Turbo forgets that at the end.
    await ben.ask(() => {
      document.querySelector('turbo-frame').loaded.then(() => (window.frameStands = true));
    });
    await ben.until(() => window.frameStands);
    await ben.ask(() => {
      document.addEventListener('turbo:frame-load', () => (window.frameCame = true), { once: true });
      document.querySelector('turbo-frame').reload();
    });
    await ben.until(() => window.frameCame);
    await lives(ben, actor);
    await unharmed(ben, { road, guid });
  });

  scene('a list that a refresh by morphing brings comes alive, and the next refresh leaves it as it is', async ({ viewer, actor, road, guid }) => {
    const chat = (heading, inside) => serve(road, { '/chat': `<h1>${heading}</h1>${room(inside)}` });
    chat('Closed', '<p>Come back later.</p>');
    const ben = await viewer('ben', { path: '/chat', live: false });
    chat('Open', line(guid));
    await refresh(ben, 'Open');
    await ben.live('on');
    await remember(ben);
    chat('Busy', line(guid));
    await refresh(ben, 'Busy');
    await lives(ben, actor);
    await unharmed(ben, { road, guid });
  });
}
