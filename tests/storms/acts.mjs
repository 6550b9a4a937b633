// What happens in the groups: by bearers, by the host's back end, and by the command line.

import { setTimeout as sleep } from 'node:timers/promises';

import { VIEWERS, members, plainName, shapedName, STRANGERS } from './cast.mjs';

const GROUPS = ['small', 'small', 'large'];
const SCOPES = ['admin', 'moderator', 'participant'];
/** Everybody who acts by a bearer, and what the rules refuse them is part of the storm. */
const ACTORS = ['ada', 'ada', 'ben', 'mia', 'kim', 'cy'];
/** The owner and whoever needs rights to have buttons keep them most of the time. */
const PROMOTED = VIEWERS.map(({ uid }) => uid).filter((uid) => uid !== 'ada');

/**
 * `run(storm, dice)` draws everything from its dice. `rare` ones belong to some storms only, so that
 * what one of them breaks does not hide what the others break.
 */
export const ACTS = [
  { name: 'join', weight: 14, run: async (storm, dice) => storm.act(dice.one(STRANGERS), dice.one(GROUPS), 'POST', '/members', {}, plainName(dice)) },
  {
    name: 'come and go',
    weight: 6,
    async run(storm, dice) {
      const [uid, guid, name] = [dice.one(STRANGERS), dice.one(GROUPS), plainName(dice)];
      await storm.act(uid, guid, 'POST', '/members', {}, name);
      await sleep(dice.between(50, 2_000));
      await storm.act(uid, guid, 'DELETE', `/members/${uid}`);
    },
  },
  {
    name: 'shaped name',
    weight: 6,
    rare: true,
    async run(storm, dice) {
      const [uid, guid, name, again] = [`x${dice.below(12)}`, dice.one(GROUPS), shapedName(dice), dice.chance(0.6)];
      await storm.act(uid, guid, 'POST', '/members', {}, name);
      if (again) await storm.host('PUT', `/users/${uid}`, { name });
    },
  },
  {
    name: 'leave',
    weight: 4,
    run: async (storm, dice) => {
      const uid = dice.one(STRANGERS);
      await storm.act(uid, dice.one(GROUPS), 'DELETE', `/members/${uid}`);
    },
  },
  {
    name: 'kick',
    weight: 8,
    run: async (storm, dice) => {
      const guid = dice.one(GROUPS);
      await storm.act(dice.one(ACTORS), guid, 'DELETE', `/members/${storm.somebody(dice, guid)}`);
    },
  },
  {
    name: 'ban',
    weight: 4,
    async run(storm, dice) {
      const [guid, by] = [dice.one(GROUPS), dice.one(ACTORS)];
      const uid = storm.somebody(dice, guid);
      await storm.act(by, guid, 'PUT', `/bans/${uid}`, { reason: 'chance', until: 2 + dice.below(20) });
    },
  },
  {
    name: 'scope',
    weight: 14,
    run: async (storm, dice) => {
      const guid = dice.one(GROUPS);
      await storm.act(dice.one(ACTORS), guid, 'PUT', `/members/${storm.somebody(dice, guid)}/scope`, { scope: dice.one(SCOPES) });
    },
  },
  {
    name: 'mute, and let speak again',
    weight: 6,
    async run(storm, dice) {
      const [guid, by, lifted, pause] = [dice.one(GROUPS), dice.one(ACTORS), dice.chance(0.5), dice.between(50, 4_000)];
      const uid = storm.somebody(dice, guid);
      await storm.act(by, guid, 'PUT', `/mutes/${uid}`, { until: 2 + dice.below(20), reason: 'chance', message: 'chance' });
      if (!lifted) return;
      await sleep(pause);
      await storm.act(by, guid, 'DELETE', `/mutes/${uid}`);
    },
  },
  {
    name: 'scope for a time',
    weight: 6,
    run: async (storm, dice) => {
      const guid = dice.one(GROUPS);
      const terms = { scope: dice.one(SCOPES), until: 2 + dice.below(20) };
      await storm.act(dice.one(ACTORS), guid, 'PUT', `/members/${storm.somebody(dice, guid)}/scope`, terms);
    },
  },
  {
    name: 'note, and remove it',
    weight: 4,
    async run(storm, dice) {
      const [guid, by, removed, pause] = [dice.one(GROUPS), dice.one(ACTORS), dice.chance(0.5), dice.between(50, 4_000)];
      const uid = storm.somebody(dice, guid);
      const note = await storm.act(by, guid, 'POST', `/members/${uid}/notes`, { text: 'chance' });
      if (!note?.data.id || !removed) return;
      await sleep(pause);
      await storm.act(by, guid, 'DELETE', `/members/${uid}/notes/${note.data.id}`);
    },
  },
  {
    name: 'act on several, and undo it',
    weight: 6,
    async run(storm, dice) {
      const [guid, by, act, undone] = [dice.one(GROUPS), dice.one(ACTORS), dice.one(['kick', 'ban', 'mute', 'scope']), dice.chance(0.7)];
      const [uid, pause] = [dice.some(storm.crowd(guid), 1 + dice.below(12)), dice.between(50, 4_000)];
      const done = await storm.act(by, guid, 'POST', '/bulk', { act, uid, scope: dice.one(SCOPES), until: 2 + dice.below(20), message: 'chance' });
      const batch = done?.meta.batch;
      if (!batch || !undone) return;
      await sleep(pause);
      await storm.act(by, guid, 'POST', `/events/${batch}/undo`, { batch: true });
    },
  },
  {
    name: 'rename',
    weight: 10,
    run: async (storm, dice) => {
      const guid = dice.one(GROUPS);
      await storm.host('PUT', `/users/${storm.somebody(dice, guid)}`, { name: plainName(dice) });
    },
  },
  {
    name: 'rename some who then come',
    weight: 5,
    async run(storm, dice) {
      const guid = dice.one(GROUPS);
      const people = dice.some(storm.crowd(guid), 10);
      const names = people.map(() => plainName(dice));
      await Promise.all(people.map((uid, index) => storm.host('PUT', `/users/${uid}`, { name: names[index] })));
      await sleep(dice.between(100, 1_500));
      await Promise.all(people.map((uid) => storm.host('PUT', `/users/${uid}`, { status: 'online' })));
    },
  },
  {
    name: 'presence',
    weight: 8,
    async run(storm, dice) {
      const people = dice.some(storm.crowd(dice.one(GROUPS)), 1 + dice.below(12));
      const status = dice.one(['online', 'online', 'offline']);
      await Promise.all(people.map((uid) => storm.host('PUT', `/users/${uid}`, { status })));
    },
  },
  {
    name: 'add in bulk',
    weight: 4,
    async run(storm, dice) {
      const guid = dice.one(GROUPS);
      const uids = dice.some(storm.crowd(guid), 5 + dice.below(30));
      const list = dice.one(['participants', 'moderators']);
      await storm.host('POST', `/groups/${guid}/members`, { [list]: uids });
    },
  },
  {
    name: 'flood and ebb',
    weight: 2,
    rare: true,
    async run(storm, dice) {
      const [guid, waves, n] = ['small', 1 + dice.below(3), 150 + dice.below(250)];
      const pauses = Array.from({ length: waves }, () => dice.between(500, 2_000));
      for (const [wave, pause] of pauses.entries()) {
        const strangers = Array.from({ length: n }, (_, index) => ({ uid: `f${wave}-${index}`, name: plainName(dice) }));
        await storm.host('POST', `/groups/${guid}/members`, { members: strangers });
        await sleep(pause);
        await storm.town.replace(guid, members(guid)).catch((error) => storm.log('slip', error.message));
      }
    },
  },
  {
    name: 'a crowd comes',
    weight: 1,
    rare: true,
    // More than the 500 whose statuses are told one by one; when they leave, it is told so again.
    async run(storm, dice) {
      const [guid, goes, stays] = [dice.one(GROUPS), dice.chance(0.6), dice.between(2_000, 8_000)];
      const crowd = Array.from({ length: 520 }, (_, index) => ({ uid: `c${index}`, name: `Crowd ${plainName(dice)}` }));
      await storm.host('POST', `/groups/${guid}/members`, { members: crowd });
      for (let at = 0; at < crowd.length && !storm.isOver(); at += 20)
        await Promise.all(crowd.slice(at, at + 20).map(({ uid }) => storm.town.host('PUT', `/users/${uid}`, { status: 'online' })));
      await sleep(stays);
      if (goes) await storm.town.replace(guid, members(guid)).catch((error) => storm.log('slip', error.message));
    },
  },
  {
    name: 'full sync',
    weight: 1,
    async run(storm, dice) {
      const guid = dice.one(GROUPS);
      const gone = new Set(dice.some(storm.crowd(guid), 20));
      await storm.town
        .replace(
          guid,
          members(guid).filter(({ uid }) => !gone.has(uid)),
        )
        .catch((error) => storm.log('slip', error.message));
    },
  },
  {
    name: 'import',
    weight: 2,
    async run(storm, dice) {
      const guid = dice.one(GROUPS);
      const n = guid === 'small' ? 5 + dice.below(20) : 300 + dice.below(700);
      const tail = dice.chance(0.5) ? 'Zz' : '';
      const rows = Array.from({ length: n }, (_, index) => ({
        uid: `i${index}`,
        name: `${tail}${plainName(dice)}`,
        scope: 'participant',
        joinedAt: 1_700_000_000,
      }));
      await storm.town
        .import(guid, [...rows, { uid: 'ada', name: 'Ada Lindqvist', scope: 'owner', joinedAt: 1_690_000_000 }])
        .catch((error) => storm.log('slip', `import: ${error.message.split('\n')[0]}`));
    },
  },
  {
    name: 'rights of a viewer',
    weight: 6,
    async run(storm, dice) {
      const uid = dice.one(PROMOTED);
      await storm.setScope(uid, dice.one(SCOPES));
    },
  },
  {
    name: 'rights and more at once',
    weight: 3,
    async run(storm, dice) {
      const [uid, scope, n] = [dice.one(PROMOTED), dice.one(SCOPES), 3 + dice.below(8)];
      const names = Array.from({ length: n }, () => [dice.one(STRANGERS), plainName(dice)]);
      await storm.setScope(uid, scope);
      // The component is on its way, and the group goes on.
      await Promise.all(names.map(([stranger, name]) => storm.act(stranger, storm.groupOf(uid), 'POST', '/members', {}, name)));
    },
  },
  {
    name: 'transfer and back',
    weight: 1,
    rare: true,
    async run(storm, dice) {
      const guid = dice.one(GROUPS);
      const heir = dice.one(['ben', 'tom', 'kim']);
      await storm.act('ada', guid, 'PUT', '/owner', { uid: heir });
      await sleep(dice.between(200, 3_000));
      await storm.host('PATCH', `/groups/${guid}/owner`, { owner: 'ada' });
    },
  },
  {
    name: 'a viewer is put out',
    weight: 1,
    rare: true,
    async run(storm, dice) {
      const screen = dice.one(storm.screens.filter(({ uid }) => uid !== 'ada'));
      const how = dice.one(['connected', 'meanwhile']);
      if (how === 'meanwhile') screen.road.down = true;
      if (how === 'meanwhile') screen.road.cut();
      await storm.act('ada', screen.group, 'DELETE', `/members/${screen.uid}`);
      await sleep(dice.between(500, 2_000));
      screen.road.down = false;
    },
  },
  {
    name: 'put out after a menu',
    weight: 1,
    rare: true,
    async run(storm, dice) {
      const screen = storm.screens.find(({ group, habits }) => group === 'large' && habits.includes('acts'));
      const [drawn, putOut] = [dice.fraction(), () => storm.act('ada', screen.group, 'DELETE', `/members/${screen.uid}`)];
      await screen.queue('put out after a menu', () => screen.leaveMenuBehind(drawn, putOut));
    },
  },
];
