// What a host page hears, as docs/events.md promises it: each event, where it happens and what it tells.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { fewPeople, people } from './cast.mjs';
import { scene, stage } from './support.mjs';

stage();

const SERVER_EVENTS = [
  'member-joined',
  'member-added',
  'member-left',
  'member-kicked',
  'member-banned',
  'member-unbanned',
  'member-muted',
  'member-unmuted',
  'note-added',
  'note-removed',
  'member-scope-changed',
  'owner-transferred',
  'member-updated',
  'members-synced',
  'group-updated',
  'group-deleted',
];
const OWN_EVENTS = ['item-click', 'error', 'empty', 'load', 'expired'];

/** A page that keeps every event, with what it came from. */
async function listening(viewer) {
  await viewer.context.addInitScript(
    (names) => {
      window.all = [];
      for (const name of names) {
        document.addEventListener(`chat-group-members:${name}`, (event) => {
          const { detail, target, bubbles, composed } = event;
          // Our own page would go to the member's.
          event.preventDefault();
          window.all.push({ name, detail, from: target.id, far: bubbles && composed });
        });
      }
    },
    [...SERVER_EVENTS, ...OWN_EVENTS],
  );
  await viewer.page.reload();
  await viewer.live('on');
  return viewer;
}

/** The next event of this name, waited for. */
async function next(viewer, name) {
  await viewer.until((name) => window.all.some((event) => event.name === name), name);
  const event = await viewer.page.evaluate(
    (name) =>
      window.all.splice(
        window.all.findIndex((event) => event.name === name),
        1,
      )[0],
    name,
  );
  assert.deepEqual([event.from, event.far], [viewer.x, true], `${name} comes from the root and reaches the window`);
  return event.detail;
}

const MEMBER = ['avatar', 'joinedAt', 'name', 'scope', 'status', 'uid'];
const fields = (value) => Object.keys(value).sort();
const named = (uid) => people().find((person) => person.uid === uid).name;

scene(
  'a host hears of everything that happens in the group, once, with who did it to whom',
  async ({ viewer, actor, server, guid }) => {
    const cy = await listening(await viewer('cy'));
    const told = async (name, uid, by, [old, now] = [null, null]) => {
      const detail = await next(cy, name);
      assert.equal(detail.group, guid);
      assert.ok(Number.isInteger(detail.seq), name);
      assert.ok(Math.abs(Date.parse(detail.at) - Date.now()) < 60_000 && detail.at.endsWith('Z'), detail.at);
      if (uid) {
        assert.deepEqual(fields(detail.member), MEMBER, name);
        assert.deepEqual([detail.member.uid, detail.member.name], [uid, named(uid)]);
      } else assert.equal(detail.member, null, name);
      assert.deepEqual(detail.by, by ? { uid: by, name: named(by) } : null, name);
      assert.deepEqual([detail.old, detail.new], [old, now], name);
      return detail;
    };
    await actor('ben').kick('eve');
    const kicked = await told('member-kicked', 'eve', 'ben', ['participant', null]);
    assert.equal(kicked.member.scope, 'participant', 'as they were');
    await actor('eve').join();
    await told('member-joined', 'eve', 'eve', [null, 'participant']);
    await actor('eve').leave();
    await told('member-left', 'eve', 'eve', ['participant', null]);
    await server.host('POST', `/groups/${guid}/members`, { participants: ['eve'] });
    await told('member-added', 'eve', null, [null, 'participant']);
    await actor('ben').ban('eve', { reason: 'spam', until: '3600' });
    const banned = await told('member-banned', 'eve', 'ben', ['participant', null]);
    assert.equal(banned.reason, 'spam');
    assert.ok(Date.parse(banned.until) > Date.now());
    await actor('ben').unban('eve');
    await told('member-unbanned', 'eve', 'ben');
    await actor('ben').ask('PUT', '/mutes/dee', { until: '3600', reason: 'loud' });
    assert.equal((await told('member-muted', 'dee', 'ben', ['participant', 'participant'])).reason, 'loud');
    await actor('ben').ask('DELETE', '/mutes/dee');
    await told('member-unmuted', 'dee', 'ben', ['participant', 'participant']);
    await actor('ben').ask('POST', '/members/dee/notes', { text: 'For the team.' });
    const { seq: note, ...added } = await told('note-added', 'dee', 'ben', ['participant', 'participant']);
    assert.doesNotMatch(JSON.stringify(added), /For the team/);
    await actor('ben').ask('DELETE', `/members/dee/notes/${note}`);
    await told('note-removed', 'dee', 'ben', ['participant', 'participant']);
    await actor('ada').scope('dee', 'moderator');
    const { member } = await told('member-scope-changed', 'dee', 'ada', ['participant', 'moderator']);
    assert.equal(member.scope, 'moderator', 'as they are');
    await actor('ada').transfer('ben');
    await told('owner-transferred', 'ben', 'ada', ['admin', 'owner']);
    await server.host('PUT', '/users/dee', { name: 'Dee Renamed' });
    assert.equal((await next(cy, 'member-updated')).member.name, 'Dee Renamed');
    await server.host('PUT', '/users/dee', { name: named('dee') });
    await told('member-updated', 'dee', null, ['moderator', 'moderator']);
    await server.import(guid, [{ uid: 'new', name: 'New Person', scope: 'participant' }]);
    await told('members-synced', null, null);
    await server.host('PUT', `/groups/${guid}`, { name: 'Another name' });
    await told('group-updated', null, null);
    await server.host('DELETE', `/groups/${guid}`);
    await told('group-deleted', null, null);
    assert.deepEqual(await cy.page.evaluate((names) => window.all.filter(({ name }) => names.includes(name)), SERVER_EVENTS), [], 'each once');
  },
  { members: fewPeople() },
);

scene('participants hear neither of reasons nor of lifted bans', async ({ viewer, actor }) => {
  const eve = await listening(await viewer('eve'));
  await actor('ben').ban('dee', { reason: 'spam' });
  const banned = await next(eve, 'member-banned');
  assert.equal('reason' in banned || 'until' in banned, false);
  await actor('ben').unban('dee');
  await actor('ben').kick('p00');
  assert.equal((await next(eve, 'member-kicked')).member.uid, 'p00');
  assert.equal(await eve.page.evaluate(() => window.all.some(({ name }) => name === 'member-unbanned')), false);
});

scene('load says how many, item-click whom, and a button of a row is no click on it', async ({ viewer }) => {
  const ben = await listening(await viewer('ben'));
  assert.deepEqual(await next(ben, 'load'), { count: people().length });
  await ben.row('dee').locator('.chat-group-members__name').click();
  const { member } = await next(ben, 'item-click');
  assert.deepEqual(fields(member), MEMBER);
  const { name, joinedAt } = people().find(({ uid }) => uid === 'dee');
  assert.deepEqual(
    [member.uid, member.name, member.scope, member.status, member.joinedAt, member.avatar],
    ['dee', name, 'participant', 'offline', joinedAt, people().find(({ uid }) => uid === 'dee').avatar || null],
  );
  await ben.menu('dee');
  await ben.page.keyboard.press('Escape');
  assert.equal(await ben.page.evaluate(() => window.all.some(({ name }) => name === 'item-click')), false);
});

scene('empty comes when nobody is left to show, and again after somebody was', async ({ viewer, actor }) => {
  const eve = await listening(await viewer('eve', { query: '?scopes=moderator' }));
  assert.equal(await eve.page.evaluate(() => window.all.some(({ name }) => name === 'empty')), false);
  for (const turn of [1, 2]) {
    await actor('ada').scope('cy', 'participant');
    assert.deepEqual(await next(eve, 'empty'), {}, `${turn}`);
    await actor('ada').scope('cy', 'moderator');
    await eve.there('cy');
  }
  const none = await listening(await viewer('dee', { query: '?searchKeyword=nobody' }));
  await next(none, 'empty');
});

scene(
  'error tells code, name, message and details, also where the component itself says nothing',
  async ({ viewer, actor }) => {
    for (const [query, uid] of [
      ['', 'dee'],
      ['?hideError=true', 'eve'],
    ]) {
      const ben = await listening(await viewer('ben', { query }));
      await ben.dialog(uid, 'kick');
      await actor('ada').scope(uid, 'admin');
      await ben.part('dialog').locator('button[data-action="kick"]').click();
      const error = await next(ben, 'error');
      assert.deepEqual(fields(error), ['code', 'details', 'message', 'name']);
      assert.deepEqual([error.code, error.name], ['ERR_GROUP_NO_CLEARANCE', 'ERR_GROUP_NO_CLEARANCE']);
      assert.ok(error.message && error.details);
      assert.equal(await ben.page.getByRole('alert').isVisible(), !query, query);
    }
  },
  { complaints: /403 \(Forbidden\)/ },
);

scene('expired asks for a new token; resume, told to the root alone, goes on with it', async ({ viewer, actor, server }) => {
  const eve = await listening(await viewer('eve', { ttl: '10s' }));
  assert.deepEqual(await next(eve, 'expired'), {});
  await eve.live('off');
  await actor('ben').kick('dee');
  await eve.context.addCookies([{ name: 'chat_token', value: await server.token('eve'), url: server.base, httpOnly: true }]);
  await eve.root.dispatchEvent('chat-group-members:resume');
  await eve.live('on');
  assert.equal((await next(eve, 'member-kicked')).member.uid, 'dee', 'and hears what it missed');
});

scene("to htmx on a host's page without our script, acts tell by HX-Trigger", async ({ viewer, guid, proxy }) => {
  const road = await proxy();
  road.pages.set('/htmx.js', readFileSync(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')));
  road.pages.set(
    '/host',
    `<!doctype html><html lang="en"><head><title>A host</title><link rel="icon" href="data:,"><script src="/htmx.js" defer></script></head>
<body><button id="kick" hx-delete="/groups/${guid}/members/dee" hx-swap="none">Put Dee out</button>
<output id="told" hx-get="/groups/${guid}" hx-trigger="chat-group-members:member-kicked from:body"></output></body></html>`,
  );
  const ben = await viewer('ben', { base: road.base, path: '/host', live: false });
  await ben.page.evaluate(() => document.addEventListener('chat-group-members:member-kicked', ({ detail }) => (window.told = detail)));
  await ben.page.locator('#kick').click();
  await ben.page.locator('#told', { hasText: String(people().length - 1) }).waitFor();
  const detail = await ben.page.evaluate(() => window.told);
  assert.deepEqual([detail.member.uid, detail.by.uid, detail.group], ['dee', 'ben', guid]);
});
