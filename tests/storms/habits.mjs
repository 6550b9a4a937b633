// What people do at their screens, with real presses, keys and fingers.

import { setTimeout as sleep } from 'node:timers/promises';

import { FINGERS } from './fingers.mjs';
import { aimAtSomebody, away, CLICKED, leave, MENU, PRESSED, SETTLED } from './presses.mjs';
import { READING } from './reading.mjs';

const TYPED = ['an', 'a', 'ada', 'zo', 'garcia ana', 'w', 'x0', 'İ', 'brandt', 'ø'];
/** Opens the menu of the row with the focus; Enter itself leads to that member's page. */
const MENU_KEY = 'Alt+Enter';
const KEYS = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'k', MENU_KEY];
/** Rows that are enough for anybody: the window of a list that grows without end is not paged further. */
const DEEP = 850;
/** A search that failed is tried again after ten seconds. */
const SHOWN = 13_000;

const LIST = '.chat-group-members__list';

/** Takes back by the bar what was just done. What was refused, or has been overtaken, has no bar. */
async function undo(screen) {
  const button = screen.page.locator('.chat-group-members__undo button:enabled');
  if (!(await screen.until(() => document.querySelector('.chat-group-members__undo button'), null, CLICKED))) return;
  await screen.own(SETTLED);
  await button.click({ timeout: PRESSED });
  await screen.until(() => !document.querySelector('.chat-group-members__undo'), null, SETTLED);
}

const closed = (screen) => screen.until(() => !document.querySelector('dialog[open]'), null, MENU);

/** The keys Home and End lead to the true first and last member, whatever is loaded. Tried again: an answer may fail. */
async function reach(screen, key) {
  const isThere = ([list, key]) => {
    const rows = document.querySelector(list);
    const row = window.storm.rowOf(document.activeElement);
    const [side, at] = key === 'End' ? ['next', -1] : ['previous', 0];
    return !rows || (row && !rows.querySelector(`:scope > .chat-group-members__${side}`) && row === [...rows.querySelectorAll(':scope > [data-uid]')].at(at));
  };
  for (let tries = 0; tries < 3; tries++) {
    if (await screen.until(isThere, [LIST, key], SETTLED)) return;
    await screen.own(SETTLED);
    await screen.page.keyboard.press(key);
  }
  const what = `the key ${key} does not lead to the ${key === 'End' ? 'last' : 'first'} member`;
  await screen.ask((what) => window.storm.says('ends', { what }), what);
}

export const HABITS = {
  ...FINGERS,
  ...READING,

  /** Opens somebody's menu, mostly does what it offers, and now and then takes it back. */
  async acts(screen, dice) {
    const [drawn, really, undoes] = [dice.fraction(), dice.chance(0.6), dice.chance(0.4)];
    const aim = await aimAtSomebody(screen, dice);
    if (!aim) return;
    await screen.own(SETTLED);
    await screen.page.mouse.click(aim.x, aim.y);
    if (await screen.until(() => window.storm.opened(), null, MENU)) {
      const acts = screen.page.locator('.chat-group-members__menu:popover-open a[data-action]:not([aria-disabled])');
      const n = await acts.count();
      if (n) {
        await acts.nth(Math.floor(drawn * n)).click({ timeout: PRESSED });
        const button = screen.page.locator('dialog[open] button[data-action]');
        const leaves = '[data-action="leave"], [data-action="transfer"]';
        const asked = await screen.until(() => document.querySelector('dialog[open] form'), null, MENU);
        const note = screen.page.locator('dialog[open] textarea[name="text"]');
        if (asked && (await note.count())) {
          if (really) {
            await note.fill('chance', { timeout: PRESSED });
            await screen.own(SETTLED);
            // The dialog stays, and shows the note.
            await button.and(screen.page.locator('[data-action="add-note"]')).click({ timeout: PRESSED });
          }
        } else if (asked && really && !(await button.and(screen.page.locator(leaves)).count())) {
          const scopes = screen.page.locator('dialog[open] input[name="scope"]');
          const choices = await scopes.count();
          if (choices) await scopes.nth(Math.floor(drawn * 97) % choices).check({ timeout: PRESSED, force: true });
          await screen.own(SETTLED);
          await button.click({ timeout: PRESSED });
          if ((await closed(screen)) && undoes) await undo(screen);
        }
      }
    }
    await leave(screen);
    await away(screen);
    await screen.own(300);
  },

  /** The pointer goes to another row, and stays there. */
  async rest(screen, dice) {
    const uid = dice.one(await screen.visible());
    const point = uid && (await screen.aim(uid));
    if (!point) return;
    await screen.own(CLICKED);
    await screen.page.mouse.move(150, point.y);
    await screen.hold('mouse');
  },

  /** Lets the list have what waits. */
  async pill(screen) {
    const pill = screen.page.locator('.chat-group-members__held:not([hidden]) button');
    if (!(await pill.count())) return;
    await screen.own(PRESSED + CLICKED);
    await pill.click({ timeout: PRESSED });
    await sleep(300);
    await screen.ask(
      () =>
        document.activeElement === document.body &&
        window.storm.says('focus', { uid: 'the pill', what: 'the focus fell to the body after a press on the pill' }),
    );
  },

  /** Goes through the list by keys; the focus stays on the row it came to. */
  async keys(screen, dice) {
    const keys = Array.from({ length: 1 + dice.below(4) }, () => dice.one(KEYS));
    await screen.own(SETTLED);
    await screen.ask(
      (list) => document.querySelector(list)?.contains(document.activeElement) || document.querySelector(`${list} [tabindex="0"]`)?.focus(),
      LIST,
    );
    for (const key of keys) {
      await screen.page.keyboard.press(key);
      if (key === MENU_KEY && (await screen.until(() => window.storm.opened(), null, CLICKED))) await leave(screen);
      await sleep(80);
    }
    if (['Home', 'End'].includes(keys.at(-1))) await reach(screen, keys.at(-1));
    await screen.own(['Home', 'End', 'PageDown', 'PageUp'].some((key) => keys.includes(key)) ? SETTLED : 400);
    await screen.hold('focus');
  },

  /**
   * Marks text with the button held, the pointer already outside, and keeps the mark; or marks a part of one name, and takes the pointer
   * away. Somebody whose name is a letter shorter comes meanwhile, in the same section: right above.
   */
  async mark(screen, dice, storm) {
    const [held, kept] = [dice.between(1_500, 4_000), dice.between(500, 3_000)];
    const [drawn, isPart] = [dice.fraction(), dice.chance(0.5)];
    const stranger = `t${40 + dice.below(20)}`;
    const from = await screen.ask(
      ([list, drawn]) => {
        // Nobody comes above the owner.
        const names = [...document.querySelectorAll(`${list} > [data-uid]:not([data-scope="owner"]) bdi`)]
          .map((name) => name.getBoundingClientRect())
          .filter(({ top, bottom, width }) => top > 120 && bottom < innerHeight && width > 10);
        const box = names[Math.floor(drawn * names.length)];
        if (!box) return null;
        const [x, y] = [box.left + 2, box.top + box.height / 2];
        const name = document.elementFromPoint(x, y)?.closest('bdi');
        return { x, y, name: name?.textContent ?? '', scope: window.storm.rowOf(name)?.dataset.scope };
      },
      [LIST, drawn],
    );
    if (!from) return;
    // By whole signs, and not by halves of them.
    const name = [...from.name].slice(0, -1).join('').trim() || 'A';
    const { mouse } = screen.page;
    await screen.own(CLICKED);
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(from.x + 30, from.y, { steps: 3 });
    if (isPart) {
      await mouse.up();
      await away(screen);
    } else await mouse.move(from.x + 40, 30, { steps: 4 });
    await screen.hold('caret');
    await sleep(400);
    // Whoever comes moves what is marked, and not the person who has marked it.
    await screen.ask(() => window.storm.settle());
    storm.host('POST', `/groups/${screen.group}/members`, { members: [{ uid: stranger, name, scope: from.scope ?? 'participant' }] });
    await sleep(held);
    if (!isPart) await mouse.up();
    await sleep(kept);
    await screen.drop();
    storm.act(stranger, screen.group, 'DELETE', `/members/${stranger}`);
    await screen.ask(() => getSelection().removeAllRanges());
  },

  /** Types into the box, and sometimes empties it again or presses a filter at once. */
  async search(screen, dice, storm) {
    const [text, empties, then] = [dice.one(TYPED), dice.chance(0.4), dice.chance(0.3)];
    const box = screen.part('q');
    await screen.drop();
    await box.click({ timeout: PRESSED });
    await box.fill('');
    await box.pressSequentially(text, { delay: 30 + dice.below(150) });
    if (empties) {
      await sleep(dice.between(0, 1_200));
      await box.press('Escape');
    }
    if (then) await HABITS.filter(screen, dice, storm);
    await away(screen);
    await sleep(SETTLED / 2);
    // Whoever does not find what they typed does not type on at once.
    await screen.until(() => window.storm.showsWanted(), null, SHOWN);
    await screen.hold('eye');
  },

  async filter(screen, dice) {
    const drawn = dice.fraction();
    const links = screen.page.locator('.chat-group-members__filters a');
    const n = await links.count();
    if (!n) return;
    await screen.drop();
    const filter = await links.nth(Math.floor(drawn * n)).getAttribute('data-filter', { timeout: PRESSED });
    // By name: a filter may come or go meanwhile, as the one by status does when so many are online that they are only counted.
    await screen.page.locator(`.chat-group-members__filters a[data-filter="${filter}"]`).click({ timeout: PRESSED });
    await away(screen);
    await sleep(SETTLED / 2);
    await screen.hold('eye');
  },

  /** A word by an input method: nothing is asked for before it is whole. */
  async compose(screen, dice) {
    const [pause, escapes] = [300 + dice.below(100), dice.chance(0.4)];
    const box = screen.part('q');
    await screen.drop();
    await box.click({ timeout: PRESSED });
    await box.fill('');
    for (const text of ['に', 'にほ', 'にほん']) {
      await screen.cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
      await sleep(pause);
    }
    if (escapes) {
      // As an input method lets a page see it: the browser itself does nothing about that key.
      await box.evaluate((input) =>
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', keyCode: 229, isComposing: true, bubbles: true, cancelable: true })),
      );
      if ((await box.inputValue()) === '') await screen.ask(() => window.storm.says('compose', { what: 'Escape in the middle of a word emptied the box' }));
    }
    await screen.cdp.send('Input.insertText', { text: '日本' });
    await sleep(600);
    const early = screen.road.searched.filter((text) => /^に/.test(text));
    screen.road.searched.length = 0;
    if (early.length) await screen.ask((what) => window.storm.says('compose', { what }), `asked for ${early.join(', ')} in the middle of a word`);
    await box.fill('');
    await away(screen);
    await screen.hold('eye');
  },

  /** On to the next page, back to the top, or to the end. */
  async page(screen, dice) {
    const [where, times] = [dice.one(['further', 'further', 'end', 'top']), 1 + dice.below(3)];
    for (let n = 0; n < (where === 'end' ? 3 * times : times); n++) {
      const rows = await screen.ask(
        ([where, most]) => {
          window.storm.own(2_000);
          const rows = document.querySelectorAll('.chat-group-members__list > [data-uid]').length;
          if (where === 'top' || rows < most) window.storm.scroller().scrollTo(0, where === 'top' ? 0 : 1e6);
          return rows;
        },
        [where, DEEP],
      );
      if (where === 'top' || rows >= DEEP) return;
      await sleep(250);
    }
  },

  /** The wheel over the list; then the pointer leaves it. */
  async scroll(screen, dice) {
    const turns = Array.from({ length: 1 + dice.below(4) }, () => Math.round(dice.one([-1, 1, 1]) * dice.between(60, 700)));
    await screen.own(SETTLED);
    await screen.page.mouse.move(200, 500);
    for (const turn of turns) {
      await screen.own(SETTLED / 2);
      await screen.page.mouse.wheel(0, turn);
      await sleep(60);
    }
    await away(screen);
  },

  async select(screen, dice) {
    const [n, clears, shift] = [1 + dice.below(3), dice.chance(0.25), dice.chance(0.3)];
    for (let i = 0; i < n; i++) {
      const drawn = dice.fraction();
      const point = await screen.ask(
        ([list, drawn]) => {
          const boxes = [...document.querySelectorAll(`${list} input`)]
            .map((box) => box.getBoundingClientRect())
            .filter(({ top, bottom }) => top > 120 && bottom < innerHeight - 80);
          const box = boxes[Math.floor(drawn * boxes.length)];
          return box ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null;
        },
        [LIST, drawn],
      );
      if (!point) return;
      await screen.own(CLICKED);
      if (shift) await screen.page.keyboard.down('Shift');
      await screen.page.mouse.click(point.x, point.y);
      if (shift) await screen.page.keyboard.up('Shift');
    }
    if (clears) await screen.page.locator('.chat-group-members__selection button[type="reset"]').click({ timeout: PRESSED });
    await away(screen);
  },
};
