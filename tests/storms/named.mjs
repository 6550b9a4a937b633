// Acts and faults that are drawn only where `--only` names them, or with `--named`: each brings about what one of the patches needs. Among the
// others they would change what every seed draws.

import { setTimeout as sleep } from 'node:timers/promises';

import { plainName } from './cast.mjs';
import { readOnHostsPage } from './hosted.mjs';
import { scrollAwayFromHand, scrollAwayFromMenu, selectRange } from './leaving.mjs';

const SCOPES = ['admin', 'moderator', 'participant'];
/** So many online that their statuses are told together (above 500), and so few that this stays so, down to the last number. */
const CROWD = 520;
const FEWER = 475;
const FEWEST = 450;
/** Reports of presence that are sent at once. */
const AT_ONCE = 20;
/** Milliseconds in which a screen is told of them: statuses that are told together come every five seconds. */
const TOLD = 7_000;
/** People who are kicked before a database becomes an earlier one, and after it. */
const KICKED = 6;
/** Milliseconds that a message takes, in which a screen is live again after a restart, and in which it has then fetched its window. */
const HEARD = 1_500;
const BACK = 20_000;
const FETCHED = 3_000;
/** Milliseconds in which a screen asks for the component when its viewer's rights have changed, and in which it says that it lacks that. */
const ASKED = 6_000;
const SAYS = 1_500;

/** What takes long happens once in a storm: whatever is drawn of it besides is left out. */
function once(run) {
  let last;
  return async (storm, dice) => {
    const n = storm.record.storms.length;
    if (n === last) return;
    last = n;
    await run(storm, dice);
  };
}

/** Whoever is reported offline here is so at once. Where a user is changed they would be away first, which counts as online. */
async function report(storm, people, status) {
  for (let at = 0; at < people.length; at += AT_ONCE)
    await Promise.all(people.slice(at, at + AT_ONCE).map(({ uid }) => storm.town.host('PUT', `/users/${uid}/presence`, { status })));
}

/** Somebody who may act, in the group that no window holds whole, does this. */
const atLarge = (name, run) => ({
  kind: 'fault',
  name,
  weight: 4,
  async run(storm, dice) {
    const screen = storm.screens.find(({ group, habits }) => group === 'large' && habits.includes('acts'));
    storm.note(screen.uid);
    await screen.queue(name, () => run(screen, dice, storm));
  },
});

/** `run(storm, dice)`, as acts and faults have it; `kind` says which of them it is. */
export const NAMED = [
  {
    kind: 'act',
    name: 'a crowd wavers',
    weight: 1,
    // Some of more than 500 go offline, and later all. With fewer than 500, and more than 450, how fresh statuses are stays as it was.
    run: once(async (storm, dice) => {
      const screen = dice.one(storm.screens.filter(({ group }) => group === 'small'));
      const crowd = Array.from({ length: CROWD }, (_, index) => ({ uid: `c${index}`, name: `Crowd ${plainName(dice)}` }));
      const online = async () => {
        const { text } = await storm.town.host('POST', '/groups/online-counts', { guids: ['small'] });
        return JSON.parse(text).data.small;
      };
      const isEach = (is) => (document.querySelector('.chat-group-members__view')?.dataset.presence === 'rows') === is;
      await storm.host('POST', '/groups/small/members', { members: crowd });
      await report(storm, crowd, 'online');
      const isTogether = await screen.until(isEach, false, TOLD);
      await report(storm, crowd.slice(0, Math.max(0, (await online()) - FEWER)), 'offline');
      // A sync that has taken the crowd away meanwhile, or a restart, which forgets who is online, leaves fewer.
      if (isTogether && (await screen.until(isEach, true, TOLD)) && (await online()) >= FEWEST)
        await screen.ask((what) => window.storm.says('presence', { what }), `statuses are told one by one again, with ${FEWER} people online`);
      await report(storm, crowd, 'offline');
    }),
  },
  {
    kind: 'fault',
    name: 'backup put back',
    weight: 1,
    // The same kind of event happens again under the same number, to somebody else, whom somebody has selected. Only a file is put back.
    run: once(async (storm, dice) => {
      if (storm.town.nodes.length > 1) return;
      const screen = storm.screens.find(({ group, habits }) => group === 'small' && habits.includes('select'));
      const crowd = dice.shuffled(storm.crowd('small'));
      const kick = async (uids) => {
        for (const uid of uids) await storm.act('ada', 'small', 'DELETE', `/members/${uid}`);
      };
      await storm.takeBack(async () => {
        await kick(crowd.slice(0, KICKED));
        await sleep(HEARD);
      });
      await screen.until(() => window.storm.root()?.dataset.live === 'on', null, BACK);
      // What a screen fetches then looks after the selection as well: only what leaves after that has to be told.
      await sleep(FETCHED);
      const selected = await screen.ask(
        ([crowd, most]) => {
          const some = crowd.filter((uid) => window.storm.rowWith(uid)).slice(0, most);
          for (const uid of some) window.storm.root().chatGroupMembers.select(uid);
          return some;
        },
        [crowd, KICKED],
      );
      await kick(selected);
    }),
  },
  {
    kind: 'fault',
    name: 'unreadable message',
    weight: 4,
    async run(storm, dice) {
      const { road, uid } = dice.one(storm.concerned);
      storm.note(uid);
      road.spoils = 1;
      await sleep(dice.between(2_000, 5_000));
      road.spoils = 0;
    },
  },
  {
    kind: 'fault',
    name: 'looks fail for a while',
    weight: 4,
    async run(storm, dice) {
      const screen = dice.one(storm.screens.filter(({ uid }) => uid !== 'ada'));
      const { road } = screen;
      if (road.failing.left) return;
      storm.note(screen.uid);
      road.refused.length = 0;
      road.failing = { left: Infinity, how: '502' };
      try {
        const had = await screen.ask(() => window.storm.root()?.dataset.scope);
        await storm.setScope(screen.uid, dice.one(SCOPES.filter((scope) => scope !== had)));
        // A page of the list that fails as well is nothing that the screen owes itself.
        await road.until(() => road.refused.some((address) => address.includes('part=component')), ASKED);
        if (!(await screen.until(() => window.storm.root()?.dataset.live !== 'on', null, SAYS)))
          await screen.ask((what) => window.storm.says('owes', { what }), 'a list says that it is live, and what it asks for about itself fails');
      } finally {
        road.failing = { left: 0, how: '502' };
      }
    },
  },
  atLarge('scroll away from a menu', (screen, dice) => scrollAwayFromMenu(screen, dice.fraction())),
  atLarge('scroll away from the focus', (screen, dice) => scrollAwayFromHand(screen, dice, 'focus')),
  atLarge('scroll away from a mark', (screen, dice) => scrollAwayFromHand(screen, dice, 'caret')),
  atLarge('select a range', selectRange),
  atLarge("read on a host's page", readOnHostsPage),
];
