// People who scroll far away from what they have begun on a row: a menu, the focus, a mark, a selection. The window is bounded, and lets go of
// rows on the way.

import { PASSING } from './cast.mjs';
import { aimAtSomebody, away, CLICKED, leave, MENU, PRESSED, SETTLED } from './presses.mjs';
import { openMenu } from './scenes.mjs';

const LIST = '.chat-group-members__list';
/** Milliseconds in which a window lets go of a row that is scrolled away from. */
const LET_GO = 8_000;
/** Rows that a window may have, and the pages of one direction that come until it would have let go of the others: rows loaded by then. */
const FAR = 420;
/** Milliseconds after which rows that have come can be pressed. */
const UNSEEN = 900;
/** A range begins with so many people, who are looked for in the selection. */
const BEGINNING = 6;

/** Scrolls on until the row of this uid has been let go, or until so many rows are loaded; whether it has been let go. */
async function scrollAway(screen, uid, most = Infinity) {
  const isOver = ([list, uid, most]) => {
    window.storm.own(2_000);
    // Down, and at the end of the group up again.
    const next = document.querySelector(`${list} > .chat-group-members__next`);
    window.storm.scroller().scrollTo(0, next ? 1e6 : 0);
    if (!window.storm.rowWith(uid)) return 'let go';
    return document.querySelectorAll(`${list} > [data-uid]`).length > most && 'far away';
  };
  return (await screen.until(isOver, [LIST, uid, most === Infinity ? 1e6 : most], LET_GO)) === 'let go';
}

/** The viewer scrolls away from somebody's menu until the window lets go of its row, and the menu goes with that. */
export async function scrollAwayFromMenu(screen, drawn) {
  if (!(await screen.hasList())) return;
  const opened = await openMenu(screen, drawn);
  await away(screen);
  const uid = opened && (await screen.opened());
  if (!uid || uid === 'nobody') return leave(screen);
  const isClosed = () => !document.querySelector('.chat-group-members__menu:popover-open');
  if ((await scrollAway(screen, uid)) && !(await screen.until(isClosed, null, CLICKED)))
    await screen.ask((uid) => window.storm.says('menu', { uid, what: 'a menu stays open whose row was let go' }), uid);
  await leave(screen);
}

/** Gives the focus to the row that is the Tab stop. */
async function focusRow(screen) {
  await screen.ask((list) => document.querySelector(`${list} [tabindex="0"]`)?.focus(), LIST);
  await screen.page.keyboard.press('ArrowDown');
  return screen.ask(() => window.storm.rowOf(document.activeElement)?.dataset.uid);
}

/** Marks the name of somebody. */
async function markName(screen, dice) {
  const aim = await aimAtSomebody(screen, dice);
  if (!aim) return undefined;
  const name = await screen.page.locator(`${LIST} > [data-uid="${aim.uid}"] bdi`).first().boundingBox();
  const { mouse } = screen.page;
  await mouse.move(name.x + 2, name.y + name.height / 2);
  await mouse.down();
  await mouse.move(name.x + name.width, name.y + name.height / 2, { steps: 4 });
  await mouse.up();
  return screen.ask(() => (getSelection().isCollapsed ? undefined : window.storm.rowOf(getSelection().anchorNode)?.dataset.uid));
}

/** The viewer scrolls far away from the row that has the focus, or marked text, of which the window does not let go. */
export async function scrollAwayFromHand(screen, dice, kind) {
  if (!(await screen.hasList())) return;
  await screen.own(SETTLED);
  const uid = await (kind === 'caret' ? markName(screen, dice) : focusRow(screen));
  await away(screen);
  if (!uid) return;
  if (await scrollAway(screen, uid, FAR)) {
    const what = kind === 'caret' ? 'a row with marked text was let go' : 'the row with the focus was let go';
    // Unless they have left the group: who gathers this knows.
    await screen.ask(([kind, uid, what]) => window.storm.says(kind, { uid, what, members: [uid] }), [kind, uid, what]);
  }
  await screen.ask(() => {
    window.storm.blur();
    getSelection().removeAllRanges();
  });
}

/** The viewer selects somebody, scrolls on until that row is let go, and selects up to somebody else: all between them are selected. */
export async function selectRange(screen, dice) {
  const { query } = screen;
  screen.query = '?groupBy=none&limit=100&selectionMode=multiple';
  try {
    await screen.load();
    if (!(await screen.hasList())) return;
    const middleOf = ([list, uid]) => {
      const box = document.querySelector(`${list} > [data-uid="${uid}"] input`)?.getBoundingClientRect();
      return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    // By their boxes: not everybody has a menu.
    const inSight = (list) => {
      const rows = [...document.querySelectorAll(`${list} > [data-uid]`)].filter((row) => {
        const box = row.querySelector('input');
        const { x, y, width, height } = box?.getBoundingClientRect() ?? {};
        return box && document.elementFromPoint(x + width / 2, y + height / 2) === box;
      });
      return rows.length > 0 && rows.map(({ dataset }) => dataset.uid);
    };
    const choose = async (uid) => {
      const { x, y } = await screen.until(middleOf, [LIST, uid], PRESSED);
      await screen.page.mouse.click(x, y);
    };
    const shown = await screen.until(inSight, LIST, 2 * SETTLED);
    // Boxes select when the script has come.
    await screen.until(() => window.storm.root().chatGroupMembers, null, SETTLED);
    // Whoever comes and goes may have gone.
    const seen = shown?.filter((uid) => !PASSING.test(uid)).slice(0, BEGINNING);
    if (!seen?.length) return;
    await screen.own(SETTLED);
    await choose(seen[0]);
    // The row with the focus would be kept.
    await screen.ask(() => window.storm.blur());
    await away(screen);
    if (!(await scrollAway(screen, seen[0]))) return;
    // What has only just come is not pressed.
    await screen.pause(UNSEEN);
    const until = dice.one((await screen.ask(inSight, LIST)) || []);
    if (!until) return;
    await screen.own(SETTLED);
    await screen.page.keyboard.down('Shift');
    await choose(until).finally(() => screen.page.keyboard.up('Shift'));
    await away(screen);
    // Or the list says that they could not be fetched, or is gone.
    const isOver = ([list, uids]) => {
      const selected = window.storm.root()?.chatGroupMembers?.selected() ?? [];
      const isRefused = !document.querySelector(list) || document.querySelector('.chat-group-members__error-place [role="alert"]') !== null;
      return isRefused || uids.every((uid) => selected.some((member) => member.uid === uid));
    };
    const isAsked = () => screen.road.unanswered().some((line) => !line.includes('/events?'));
    if (!(await screen.until(isOver, [LIST, seen], MENU + SETTLED)) && !isAsked())
      await screen.ask((members) => window.storm.says('selection', { what: 'a range that began on a row that was let go lacks its beginning', members }), seen);
    await screen.keep();
    await screen.page.locator('.chat-group-members__selection button[type="reset"]').click({ timeout: PRESSED });
  } finally {
    screen.query = query;
    await screen.load();
  }
}
