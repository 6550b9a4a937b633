// One person at a browser, through W3C WebDriver: what they see, and what they do by hand and by key.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { Key, Origin } from 'selenium-webdriver';

/** Milliseconds; nothing here takes long unless it is broken. */
const PATIENCE = 20_000;
/** What has just come or moved takes no press for half a second. */
const AT_REST = 600;
const KEYS = {
  Alt: Key.ALT,
  ArrowDown: Key.ARROW_DOWN,
  ArrowLeft: Key.ARROW_LEFT,
  ArrowRight: Key.ARROW_RIGHT,
  ArrowUp: Key.ARROW_UP,
  Delete: Key.DELETE,
  End: Key.END,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  Home: Key.HOME,
  PageDown: Key.PAGE_DOWN,
  Shift: Key.SHIFT,
  Space: Key.SPACE,
  Tab: Key.TAB,
};

export class Viewer {
  constructor(driver, guid, uid) {
    Object.assign(this, { driver, guid, uid, x: `cgm-${guid}` });
  }

  /** The answer of a function that runs in the page. */
  ask = (question, ...values) => this.driver.executeScript(question, ...values);
  /** Waits until the page's answer is yes, and gives it. */
  until = (question, ...values) => this.driver.wait(() => this.ask(question, ...values), PATIENCE, `${question} ${JSON.stringify(values)}`, 50);

  /** The inner size of the window, CSS pixels. */
  async size(width, height) {
    const window = this.driver.manage().window();
    for (let turn = 0; ; turn++) {
      const [w, h] = await this.ask(() => [innerWidth, innerHeight]);
      if (w === width && h === height) return;
      assert.ok(turn < 40, `the window stays ${w} × ${h}`);
      const rect = await window.getRect();
      await window.setRect({ width: rect.width + width - w, height: rect.height + height - h });
      await sleep(50);
    }
  }

  // ---- what is there ----

  part = (name) => `#${this.x}-${name}`;
  row = (uid) => this.part(`m-${uid}`);
  button = (uid) => this.part(`a-${uid}`);

  live = (state) => this.until((id, state) => document.getElementById(id)?.dataset.live === state, this.x, state);
  there = (selector) => this.until((selector) => document.querySelector(selector) !== null, selector);
  gone = (selector) => this.until((selector) => document.querySelector(selector) === null, selector);
  shown = (selector) => this.until((selector) => document.querySelector(selector)?.checkVisibility({ visibilityProperty: true }), selector);
  hidden = (selector) => this.until((selector) => !document.querySelector(selector)?.checkVisibility({ visibilityProperty: true }), selector);
  text = (selector) => this.ask((selector) => document.querySelector(selector)?.textContent.trim().replace(/\s+/g, ' ') ?? null, selector);
  says = (selector, words) => this.until((selector, words) => document.querySelector(selector)?.textContent.includes(words), selector, words);
  count = (selector) => this.ask((selector) => document.querySelectorAll(selector).length, selector);

  /** The uids from top to bottom. */
  uids = () => this.ask((x) => [...document.querySelectorAll(`#${x} [data-uid][data-order]`)].map(({ dataset }) => dataset.uid), this.x);
  /** Waits until these are the people shown, in this order. */
  shows = (...uids) =>
    this.until(
      (x, uids) => [...document.querySelectorAll(`#${x} [data-uid][data-order]`)].map(({ dataset }) => dataset.uid).join() === uids,
      this.x,
      uids.join(),
    );
  /** How far down somebody's row begins, CSS pixels. */
  topOf = (uid) => this.ask((row) => document.querySelector(row).getBoundingClientRect().top, this.row(uid));
  /** The first row that is fully in sight: whose it is, and how far down it begins. */
  eye = () =>
    this.ask((x) => {
      const upper = Math.max(0, document.getElementById(`${x}-list`).parentElement.getBoundingClientRect().top);
      const tops = [...document.querySelectorAll(`#${x} [data-uid][data-order]`)].map((row) => [row.dataset.uid, row.getBoundingClientRect().top]);
      return tops.find(([, top]) => top >= upper - 1);
    }, this.x);
  /** What the component has told the page under this name. */
  heard = (name) => this.ask((name) => window.heard.filter((event) => event.name === name).map(({ detail }) => detail), name);
  /** What has the focus: `q`, `a-dee`, `m-dee`; else the name of the element. */
  focused = () =>
    this.ask((x) => {
      const { id, localName } = document.activeElement;
      return id.startsWith(`${x}-`) ? id.slice(x.length + 1) : id || localName;
    }, this.x);
  focusOn = (name) => this.until((id) => document.activeElement?.id === id, `${this.x}-${name}`);
  /** Waits until the focus is somewhere in the row of this person. */
  focusIn = (uid) => this.until((id) => document.getElementById(id)?.matches(':focus-within'), `${this.x}-m-${uid}`);

  /** What the page has complained about. */
  said = () => this.ask(() => window.said ?? []);

  // ---- what hand and keys do ----

  /** `Tab`, `Shift+Tab`, or a text. */
  async press(...keys) {
    for (const key of keys) {
      const [last, ...held] = key.split('+').reverse();
      const actions = this.driver.actions();
      for (const one of held) actions.keyDown(KEYS[one]);
      actions.sendKeys(KEYS[last] ?? last);
      for (const one of held) actions.keyUp(KEYS[one]);
      await actions.perform();
    }
  }

  focus = (selector) => this.ask((selector) => document.querySelector(selector).focus(), selector);

  /** The pointer onto the middle of something that has come to rest. */
  async point(selector) {
    await this.shown(selector);
    const where = () =>
      this.ask((selector) => {
        const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
        return [Math.round(left + width / 2), Math.round(top + height / 2)];
      }, selector);
    await this.ask((selector) => document.querySelector(selector).scrollIntoView({ block: 'nearest', inline: 'nearest' }), selector);
    let at = await where();
    for (let [since, now] = [Date.now()]; Date.now() - since < AT_REST; [at, now] = [now]) {
      await sleep(30);
      now = await where();
      if (`${at}` !== `${now}`) since = Date.now();
    }
    await this.driver.actions().move({ x: at[0], y: at[1], origin: Origin.VIEWPORT }).perform();
    return at;
  }

  async click(selector) {
    await this.point(selector);
    await this.driver.actions().click().perform();
  }

  /** The pointer away from the list, so that nothing is held. */
  away = () => this.driver.actions().move({ x: 1, y: 1, origin: Origin.VIEWPORT }).perform();

  /** Empties the box, and types a text into it. */
  async type(text) {
    await this.focus(this.part('q'));
    await this.ask((selector) => document.querySelector(selector).select(), this.part('q'));
    await this.press(...(text ? [text] : ['Delete']));
  }

  /** Types a text into the box of our own page, and waits until the list answers. */
  async search(text) {
    await this.type(text);
    await this.until((text) => (new URLSearchParams(location.search).get('searchKeyword') ?? '') === text, text);
  }

  async filter(name) {
    await this.click(this.part(`f-${name}`));
    await this.there(`${this.part(`f-${name}`)}[aria-current="true"]`);
    await this.away();
  }

  /** Opens the menu of somebody by the pointer. */
  async menu(uid) {
    await this.click(this.button(uid));
    await this.shown(`${this.part('menu')} [data-action]`);
    await this.atRest();
  }

  /** The dialog of an act, by the pointer. */
  async dialog(uid, act) {
    await this.menu(uid);
    await this.click(`${this.part('menu')} [data-action="${act}"]`);
    await this.shown(`${this.part('dialog')} form`);
    await this.atRest();
  }

  /** Does what the open dialog asks, and waits until it is closed. */
  async confirm() {
    await this.click(`${this.part('dialog')} button[data-action]`);
    await this.hidden(this.part('dialog'));
  }

  /** To an end of what is loaded, `next` or `previous`, as far as the list scrolls. */
  toEnd = (side) =>
    this.ask(
      (x, side) => {
        const rows = [...document.querySelectorAll(`#${x} [data-uid][data-order]`)];
        if (side === 'next') rows.at(-1).scrollIntoView({ block: 'end' });
        else rows[0].scrollIntoView({ block: 'start' });
      },
      this.x,
      side,
    );

  /** Presses without a pointer: the focus and what it rests on stay. */
  activate = (selector) => this.ask((selector) => document.querySelector(selector).click(), selector);

  /** Waits until nothing fades or rises any more. */
  atRest = () => this.until(() => document.getAnimations().every(({ playState }) => playState !== 'running'));

  /** Two frames: what was asked for has been painted. */
  frames = () => this.driver.executeAsyncScript((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}
