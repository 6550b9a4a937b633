// What happens to people at their screens: how a storm begins for them, and what some faults do to them.

import { setTimeout as sleep } from 'node:timers/promises';

import { HABITS } from './habits.mjs';
import { away, leave, MENU, SETTLED } from './presses.mjs';

/** Pixels between the top of the list and what a mouse that rests for a whole storm sees of it. */
const DEPTH = 900;
/** Rows that make a list long, and milliseconds that they may take to come. */
const LONG_LIST = 280;
const ROWS = 5_000;

/** Away by a link and back by history: from the browser's cache of pages, where it keeps one. */
export async function elsewhere(screen, milliseconds) {
  await screen.page.goto(`${screen.road.base}/elsewhere`);
  await sleep(milliseconds);
  // A page from that cache does not load again: nobody waits for it to.
  await screen.ask(() => void history.back());
  await screen.page.waitForURL((url) => url.pathname !== '/elsewhere', { waitUntil: 'commit' });
  // A page that is loaded anew goes to the place that it was left at once its script has come.
  await screen.page.locator('section.chat-group-members[data-js]').waitFor({ state: 'attached' });
  const { returns } = screen.record;
  returns.all++;
  if (await screen.ask(() => window.storm.wasKept)) returns.kept++;
  await screen.own(SETTLED);
  await hold(screen);
}

/** A touch screen has no mouse: one that clicked would rest on the list from then on. */
const press = (screen, button) => (screen.touch ? button.tap({ timeout: MENU }) : button.click({ timeout: MENU }));

/** Opens the menu of somebody else; undefined without anybody in sight, else whether it has opened. */
export async function openMenu(screen, drawn) {
  const uids = (await screen.visible()).filter((uid) => uid !== screen.uid);
  const aim = uids.length && (await screen.aim(uids[Math.floor(drawn * uids.length)]));
  if (!aim) return undefined;
  await screen.own(SETTLED);
  if (screen.touch) await screen.page.touchscreen.tap(aim.x, aim.y);
  else await screen.page.mouse.click(aim.x, aim.y);
  return Boolean(await screen.until(() => window.storm.opened(), null, MENU));
}

/** The viewer's own rights change while a dialog asks them about an act: what they then send is done, or refused where they look. */
export async function loseRightsAtDialog(screen, drawn, change) {
  const opened = await openMenu(screen, drawn);
  if (opened === undefined) return;
  const act = screen.page.locator('.chat-group-members__menu:popover-open a:is([data-action="kick"], [data-action="ban"]):not([aria-disabled])').first();
  const offered = opened && (await act.count());
  if (offered) await press(screen, act);
  const asked = offered && (await screen.until(() => document.querySelector('dialog[open] form'), null, MENU));
  await change();
  if (!asked) return leave(screen);
  await screen.own(SETTLED);
  const button = screen.page.locator('dialog[open] button[data-action]');
  if (await button.count()) await press(screen, button);
  // On a slow road the answer comes late, and until then the form shows that it is on its way.
  const isSent = () => !document.querySelector('dialog[open] button[data-action]:disabled');
  if (!(await screen.until(isSent, null, 2 * SETTLED))) return leave(screen);
  const answered = () => {
    const dialog = document.querySelector('dialog[open]');
    const alert = dialog?.querySelector('[role="alert"]');
    if (!dialog) return true;
    const { left, top, width, height } = alert?.getBoundingClientRect() ?? {};
    return alert && height > 0 && alert.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  };
  if (!(await screen.until(answered, null, 3 * SETTLED)))
    await screen.ask(() => {
      const dialog = document.querySelector('dialog[open]');
      const { left, top, width, height } = dialog?.querySelector('[role="alert"]')?.getBoundingClientRect() ?? {};
      const over = height && document.elementFromPoint(left + width / 2, top + height / 2)?.outerHTML.slice(0, 200);
      const what = 'what a dialog sent with other rights was neither done nor refused in it';
      window.storm.says('menu', { what, alert: [left, top, width, height].map(Math.round), over, text: dialog?.innerText.slice(0, 400) });
    });
  await leave(screen);
  if (!screen.touch) await away(screen);
}

/** The viewer's own rights change while they look at somebody's menu. */
export async function loseRightsAtMenu(screen, drawn, change) {
  const opened = await openMenu(screen, drawn);
  if (opened === undefined) return;
  await change();
  if (!opened) return;
  await screen.own(SETTLED);
  const lawful = () => {
    const menu = document.querySelector('.chat-group-members__menu:popover-open');
    const row = window.storm.rowOf(document.querySelector('.chat-group-members__list [aria-expanded="true"]'));
    if (!menu) return true;
    // A participant may do nothing, whatever the row says. A list that is not live has yet to hear of that.
    const { live, scope } = window.storm.root().dataset;
    const acts = live === 'on' && scope === 'participant' ? '' : row?.dataset.acts;
    // Notes are no act: they stand beside whatever somebody may do to others.
    const may = acts ? [...acts.split(' '), 'notes'] : [];
    return [...menu.querySelectorAll('[data-action]:not([aria-disabled="true"])')].every(({ dataset }) => may.includes(dataset.action));
  };
  const scope = await screen.ask(() => document.querySelector('section.chat-group-members')?.dataset.scope);
  await sleep(1_000);
  if (!(await screen.until(lawful, null, SETTLED))) {
    await screen.ask((what) => window.storm.says('menu', { what }), `an open menu offers what its viewer may not do any more (they were ${scope})`);
  }
  await leave(screen);
  if (!screen.touch) await away(screen);
}

/** The viewer looks at somebody's menu, with a long list around it, and is put out then: the component goes, and nothing keeps it. */
export async function leaveMenuBehind(screen, drawn, putOut) {
  if (!(await screen.hasList())) return;
  const further = (most) => {
    window.storm.own(2_000);
    const isLong = document.querySelectorAll('.chat-group-members__list > [data-uid]').length >= most;
    if (!isLong) window.storm.scroller().scrollTo(0, 1e6);
    return isLong;
  };
  await screen.until(further, LONG_LIST, ROWS);
  const opened = await openMenu(screen, drawn);
  await leave(screen);
  await away(screen);
  if (!opened) return;
  // Attributes that were looked at are nodes: so the list is one that nobody overlooks.
  await screen.nodes();
  await putOut();
  await screen.until(() => !document.querySelector('.chat-group-members__list'), null, MENU);
}

/** How a storm begins for a viewer. In a calm one, hands that rest have rows above them that come and go. */
export async function takePlace(screen, isCalm) {
  if (screen.hand === 'mouse') {
    await screen.own(SETTLED);
    await screen.ask((top) => window.storm.scroller().scrollTo(0, top), isCalm ? DEPTH : 0);
  }
  if (screen.hand === 'focus' && isCalm) await HABITS.keys(screen, { one: () => 'PageDown', below: () => 1 });
  await hold(screen);
}

/** The hand that a viewer begins with. */
async function hold(screen) {
  const dice = { one: (things) => things[Math.floor(things.length / 2)] };
  if (screen.hand === 'mouse') await HABITS.rest(screen, dice);
  else if (screen.hand === 'focus') await HABITS.keys(screen, { one: () => 'ArrowDown', below: () => 1 });
  else if (screen.hand === 'eye' || screen.hand === 'none') await screen.hold('eye');
}
