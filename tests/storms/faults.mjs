// What goes wrong: on somebody's way to the service, in their browser, and with the service itself.

import { setTimeout as sleep } from 'node:timers/promises';

import { HABITS } from './habits.mjs';

const SCOPES = ['admin', 'moderator', 'participant'];
/** What each fault may last, in milliseconds: outages so short that the script is back within seconds. */
const [SHORT, LONG] = [300, 5_000];

const screenOf = (storm, dice) => dice.one(storm.concerned);
const anyRights = (storm, dice) => dice.one(storm.screens.filter(({ uid }) => uid !== 'ada'));

/** `run(storm, dice)`, as acts have it; over when it returns. */
export const FAULTS = [
  {
    name: 'cut',
    weight: 4,
    run: async (storm, dice) => {
      const { road, uid } = screenOf(storm, dice);
      storm.note(uid);
      road.cut();
    },
  },
  {
    name: 'cut in mid-message',
    weight: 4,
    run: async (storm, dice) => {
      const { road, uid } = screenOf(storm, dice);
      storm.note(uid);
      await road.cutInMidMessage(dice.between(500, 3_000));
    },
  },
  {
    name: 'delay',
    weight: 6,
    async run(storm, dice) {
      const { road, uid } = screenOf(storm, dice);
      const [most, lasts] = [dice.between(200, 2_500), dice.between(2_000, 9_000)];
      storm.note(uid);
      road.delay = () => dice.between(most / 3, most);
      await sleep(lasts);
      road.delay = null;
    },
  },
  {
    name: 'hang',
    weight: 3,
    async run(storm, dice) {
      const screen = dice.one(storm.screens.filter(({ habits }) => habits.includes('page')));
      const lasts = dice.between(2_000, LONG);
      storm.note(screen.uid);
      screen.road.hangs = true;
      screen.queue('a page that never comes', () => HABITS.page(screen, dice));
      await sleep(lasts);
      screen.road.hangs = false;
    },
  },
  {
    name: 'silent stream',
    weight: 3,
    run: async (storm, dice) => {
      const { road, uid } = screenOf(storm, dice);
      storm.note(uid);
      road.silent = true;
      await sleep(dice.between(1_000, LONG));
      road.hear();
    },
  },
  {
    name: 'away',
    weight: 3,
    async run(storm, dice) {
      const { road, uid } = screenOf(storm, dice);
      const lasts = dice.between(SHORT, LONG);
      storm.note(uid);
      road.down = true;
      road.cut();
      await sleep(lasts);
      road.down = false;
    },
  },
  {
    name: 'offline',
    weight: 3,
    async run(storm, dice) {
      const screen = screenOf(storm, dice);
      const lasts = dice.between(SHORT, LONG);
      storm.note(screen.uid);
      await screen.context.setOffline(true);
      // Chromium keeps open what it has: a cable that is pulled does not.
      screen.road.cut();
      await sleep(lasts);
      await screen.context.setOffline(false);
    },
  },
  {
    name: 'frozen tab',
    weight: 3,
    async run(storm, dice) {
      const screen = screenOf(storm, dice);
      const lasts = dice.between(1_000, LONG);
      storm.note(screen.uid);
      await screen.queue('a frozen tab', async () => {
        await screen.cdp.send('Page.setWebLifecycleState', { state: 'frozen' });
        await sleep(lasts);
        await screen.cdp.send('Page.setWebLifecycleState', { state: 'active' });
      });
    },
  },
  {
    name: 'elsewhere and back',
    weight: 2,
    async run(storm, dice) {
      const screen = screenOf(storm, dice);
      const lasts = dice.between(300, 3_000);
      storm.note(screen.uid);
      await screen.queue('elsewhere and back', () => screen.elsewhere(lasts));
    },
  },
  {
    name: 'first look fails',
    weight: 6,
    async run(storm, dice) {
      const screen = anyRights(storm, dice);
      const [how, scope] = [dice.one(['502', 'cut']), dice.one(SCOPES)];
      const resync = dice.chance(0.3);
      storm.note(screen.uid);
      screen.road.failing = { left: 1, how };
      if (resync) screen.road.cut();
      else await storm.setScope(screen.uid, scope);
      await sleep(4_000);
      screen.road.failing = { left: 0, how };
    },
  },
  {
    name: 'token ends',
    weight: 2,
    async run(storm, dice) {
      const screen = screenOf(storm, dice);
      storm.note(screen.uid);
      await screen.renew(2 + dice.below(4));
      // The stream that comes now ends with it, and the host gives another.
      screen.road.cut();
      await sleep(6_000);
      await screen.renew();
    },
  },
  {
    name: 'rights change with a menu open',
    weight: 4,
    async run(storm, dice) {
      const screen = dice.one(storm.screens.filter(({ uid, scope }) => uid !== 'ada' && scope !== 'participant'));
      const [scope, drawn] = [dice.one(['participant', 'participant', 'moderator']), dice.fraction()];
      storm.note(screen.uid);
      await screen.queue('rights with a menu open', () => screen.loseRightsAtMenu(drawn, () => storm.setScope(screen.uid, scope)));
    },
  },
  {
    name: 'rights change with a dialog open',
    weight: 3,
    async run(storm, dice) {
      const screen = dice.one(storm.screens.filter(({ uid, scope }) => uid !== 'ada' && scope !== 'participant'));
      const [scope, drawn] = [dice.one(['participant', 'moderator']), dice.fraction()];
      storm.note(screen.uid);
      await screen.queue('rights with a dialog open', () => screen.loseRightsAtDialog(drawn, () => storm.setScope(screen.uid, scope)));
    },
  },
  {
    name: 'kill',
    weight: 1,
    async run(storm, dice) {
      const lasts = dice.between(100, 2_000);
      await storm.outage(dice.below(storm.town.nodes.length), (node) => node.kill(), lasts);
    },
  },
  {
    name: 'promote six and kill',
    weight: 2,
    async run(storm, dice) {
      const six = dice.some(
        storm.screens.filter(({ uid }) => uid !== 'ada'),
        6,
      );
      const scopes = six.map(() => dice.one(SCOPES));
      const [which, lasts] = [dice.below(storm.town.nodes.length), dice.between(100, 1_500)];
      await Promise.all(six.map(({ uid }, index) => storm.setScope(uid, scopes[index])));
      await sleep(25);
      await storm.outage(which, (node) => node.kill(), lasts);
    },
  },
  {
    name: 'restart',
    weight: 1,
    run: async (storm, dice) => storm.outage(dice.below(storm.town.nodes.length), (node) => storm.town.end(node), dice.between(0, 500)),
  },
];
