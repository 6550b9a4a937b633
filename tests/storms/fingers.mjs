// What fingers do on a touch screen: they tap, and they fling the list. And what is measured of both, in the page.

import { setTimeout as sleep } from 'node:timers/promises';

import { crowd } from './cast.mjs';
import { aimAtSomebody, CLICKED, leave, SETTLED } from './presses.mjs';

/** Milliseconds: after the last finger, and after a fling, the list holds still for a second. */
const AFTER_FINGER = 900;
const AFTER_FLING = 1_100;
/** How far a finger slides to the side before it is lifted, pixels, and when somebody comes after that, milliseconds. */
const SLIDES = [20, 40, 60];
const SOON = 300;
/** Somebody of the small group who stands above most, and a name of theirs that takes more lines. */
const ABOVE = crowd('small').find(({ scope }) => scope === 'moderator');
const LONG_NAME = `${ABOVE.name} of the long names, of the long names, of the long names`;
/** How often that name changes during one fling, at most. */
const RENAMED = 8;

export const FINGERS = {
  /** A finger on somebody's button, often while somebody joins above; or one that slides off it, and somebody joins after that. */
  async tap(screen, dice, storm) {
    const [atTop, race, wait, press, name, slides] = [
      dice.chance(0.6),
      dice.one(['before', 'during', 'during', 'none']),
      dice.between(100, 200),
      dice.between(150, 420),
      `Aa${dice.below(99)}`,
      dice.chance(0.3),
    ];
    // At the very top everybody moves when somebody comes; anywhere else the eye is held.
    if (atTop) await screen.ask(() => window.storm.scroller().scrollTo(0, 0));
    // A row with the focus, as the tap before leaves one, holds the list as well: here only the finger shall.
    await screen.ask(() => window.storm.blur());
    // What the person has seen for a while: nothing that just came by an own scroll.
    await sleep(700);
    // Nor is anything moved by the person from here on, as after the menu before.
    await screen.ask(() => window.storm.settle());
    const aim = await aimAtSomebody(screen, dice);
    if (!aim) return;
    const stranger = `t${dice.below(40)}`;
    // On a slow machine it takes a while until somebody who joins is there: the finger waits for that.
    const joins = async () => {
      const began = Date.now();
      await storm.act(stranger, screen.group, 'POST', '/members', {}, name);
      screen.latency = Date.now() - began;
    };
    if (race !== 'none' && !slides) joins();
    if (race === 'before') await sleep(screen.latency + wait);
    if (race === 'during') await sleep(Math.max(0, screen.latency - press / 2));
    await screen.touchDown(aim);
    await screen.hold('finger', aim);
    await sleep(press);
    if (slides) for (const pixels of SLIDES) await screen.touchMove({ x: aim.x - pixels, y: aim.y });
    await screen.lift();
    // It opens nothing, so that no menu and no focus holds the list after it.
    if (race !== 'none' && slides) {
      await sleep(Math.max(0, SOON - screen.latency));
      joins();
    }
    await sleep(AFTER_FINGER);
    await screen.drop();
    if (race !== 'none') storm.act(stranger, screen.group, 'DELETE', `/members/${stranger}`);
    await screen.until(() => window.storm.opened(), null, CLICKED);
    await leave(screen);
  },

  /** Flings the list to where there is more of it. Meanwhile somebody above gets a name of more lines, and their own again. */
  async fling(screen, dice, storm) {
    const [steps, pixels] = [5 + dice.below(4), dice.between(30, 60)];
    const goesOn = await screen.ask(() => {
      const { scrollTop, scrollHeight, clientHeight } = window.storm.scroller();
      return scrollTop < (scrollHeight - clientHeight) / 2;
    });
    const [x, from, step] = goesOn ? [150, 700, -pixels] : [150, 300, pixels];
    await screen.touchDown({ x, y: from });
    for (let n = 1; n <= steps; n++) await screen.touchMove({ x, y: Math.round(from + n * step) });
    await screen.lift();
    const goesOnScrolling = () => screen.ask(() => window.stormFlings.isFlinging());
    for (let n = 0; n < 2 || (n < RENAMED && (n % 2 || (await goesOnScrolling()))); n++)
      await storm.host('PUT', `/users/${ABOVE.uid}`, { name: n % 2 ? ABOVE.name : LONG_NAME });
    await screen.until(() => !window.stormFlings.isFlinging(), null, SETTLED);
    await sleep(AFTER_FLING);
  },
};

/**
 * Runs in the page: a list that goes on scrolling after a finger is scrolled by no script, which would end that. Stands alone: it is sent
 * to the page as text.
 */
export function watchFlings() {
  if (window !== top || window.stormFlings) return;
  /** Milliseconds between two scrolls of one fling, at most; a list rests for longer after it. */
  const NEXT = 250;
  /** On whose row the last finger went down, whether it scrolls, and whether it has gone since. */
  let [uid, scrolls, isLifted] = [null, false, false];
  let scrolledAt = -Infinity;
  const isFlinging = () => isLifted && performance.now() - scrolledAt < NEXT;
  const on = (type, listener) => addEventListener(type, listener, { capture: true, passive: true });
  on('pointerdown', ({ target }) => {
    uid = window.storm.rowOf(target)?.dataset.uid ?? null;
    scrolls = isLifted = false;
  });
  // A finger that scrolls is no pointer any more.
  on('pointercancel', ({ pointerType }) => {
    scrolls = uid !== null && pointerType === 'touch';
  });
  on('touchend', ({ touches }) => {
    if (!scrolls || touches.length) return;
    isLifted = true;
    scrolledAt = performance.now();
  });
  on('scroll', () => {
    // What scrolls after a pause is no fling.
    isLifted = isFlinging();
    scrolledAt = performance.now();
  });
  for (const name of ['scrollTo', 'scrollBy']) {
    const scroll = Element.prototype[name];
    Element.prototype[name] = function (...how) {
      const before = this.scrollTop;
      scroll.apply(this, how);
      const pixels = Math.round(this.scrollTop - before);
      if (pixels && isFlinging()) window.storm.says('fling', { uid, what: `a script scrolled the list by ${pixels} px while it went on scrolling` });
    };
  }
  /** What came of fingers last, for whoever looks for a finger that a list has not seen go. */
  const last = [];
  for (const type of ['pointerdown', 'pointerup', 'pointercancel', 'touchend', 'touchcancel'])
    on(type, ({ target, pointerType }) => {
      if (pointerType === 'mouse') return;
      last.push(`${type} on ${window.storm.rowOf(target)?.dataset.uid ?? target.nodeName ?? 'the page'}`);
      if (last.length > 4) last.shift();
    });
  window.stormFlings = { isFlinging, last };
}
