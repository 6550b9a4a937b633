// Answers that overtake the stream: it falls silent, something happens, an answer shows what came of it, and only then the stream tells of it.

import { setTimeout as sleep } from 'node:timers/promises';

import { HABITS } from './habits.mjs';
import { away, SETTLED } from './presses.mjs';

const LIST = '.chat-group-members__list';
/** Seconds that a mute lasts: until every screen has been compared. */
const MUTED = 300;
/** Milliseconds between two acts, so that each comes by a message of its own; and in which a list is live, or its end has come. */
const APART = 300;
const COMES = 8_000;
/** Milliseconds after a message that is older than the screen. It waits for a second. */
const HEARD = 400;

/** Somebody is muted, and presses a filter before they hear of that: the list that comes is newer than the notice around it. */
export async function filterInSilence(storm, dice) {
  const screen = storm.screens.find(({ group, habits }) => group === 'large' && habits.includes('filter'));
  const { road, uid, group } = screen;
  storm.note(uid);
  road.silent = true;
  try {
    await storm.act('ada', group, 'PUT', `/mutes/${uid}`, { until: MUTED, message: `chance ${dice.below(1_000_000)}` });
    await screen.queue('a filter in silence', () => HABITS.filter(screen, dice));
  } finally {
    road.hear();
  }
}

/** Runs in the page: the last members, as the service has them. */
async function lastMembers() {
  const root = window.storm.root();
  const address = `${root.dataset.href}?${root.querySelector('.chat-group-members__view').dataset.query}&format=json&before=end`;
  const { data } = await (await fetch(address, { headers: { 'X-Judge': '1' } })).json();
  return data.map(({ uid }) => uid);
}

/**
 * Somebody at the end of the list leaves and comes back, and the viewer, who has not heard of that, goes to the end by a key. That they have left
 * is older than what is shown then.
 */
export async function hearOfThePast(screen, dice, storm) {
  await screen.load();
  const isLive = () => window.storm.root()?.dataset.live === 'on' && Boolean(document.querySelector('.chat-group-members__next'));
  if (!(await screen.until(isLive, null, COMES))) return;
  // Nobody who looks, and nobody who comes and goes.
  const uid = dice.one((await screen.ask(lastMembers)).filter((uid) => /^l\d+$/.test(uid)));
  const isThere = (uid) => Boolean(window.storm.rowWith(uid));
  if (!uid || (await screen.ask(isThere, uid))) return;
  const { road, group } = screen;
  road.silent = true;
  try {
    if (!(await storm.act('ada', group, 'DELETE', `/members/${uid}`))) return;
    await sleep(APART);
    await storm.host('POST', `/groups/${group}/members`, { participants: [uid] });
    await screen.own(SETTLED);
    await screen.ask((list) => document.querySelector(`${list} [tabindex="0"]`)?.focus(), LIST);
    await screen.page.keyboard.press('End');
    if (!(await screen.until(isThere, uid, COMES))) return;
    // A hand on the list would hold what comes now.
    await screen.ask(() => window.storm.blur());
    await away(screen);
    road.hearUntil(new RegExp(`\\b${uid}\\b`));
    await sleep(HEARD);
    if (!(await screen.ask(isThere, uid)))
      await screen.ask((uid) => window.storm.says('older', { uid, what: 'an older message has taken a row away', members: [uid] }), uid);
  } finally {
    road.hear();
  }
}
