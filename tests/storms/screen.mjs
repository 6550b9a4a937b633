// One viewer at a browser: the page, the hand on it, and the way to the service.

import { setTimeout as sleep } from 'node:timers/promises';

import { watchFlings } from './fingers.mjs';
import { watchHolding } from './holding.mjs';
import { Road } from './road.mjs';
import { watch } from './watch.mjs';

/** Milliseconds for a page to come, for its script to lead to the place that its address names, and for one thing that a person does. */
const LOADING = 60_000;
const PLACING = 4_000;
const DOING = 20_000;
/** Things that wait for one person to do them: on a slow machine the rest is left out. */
const MOST_WAITING = 2;

/** Runs in the page: a driven browser keeps what is logged, and htmx logs failed requests with their elements. */
function logTexts() {
  for (const level of ['log', 'warn', 'error']) {
    const log = console[level];
    console[level] = (...what) => log.apply(console, what.map(String));
  }
}

export class Screen {
  /** What is left to be done by this person, one after the other. */
  #queue = Promise.resolve();
  #waiting = 0;
  #kept = [];
  /** When the storm is over, what waits is left undone. */
  over = false;
  said = [];
  /** The kinds of disturbances that this storm has had here; taken and judged after it. */
  found = new Set();
  /** Milliseconds that somebody who joined last needed. */
  latency = 50;
  /** Documents that have been loaded, by whomever. */
  loads = 0;

  static async open(browser, town, viewer, index, record) {
    const screen = new Screen();
    Object.assign(screen, viewer, { town, record, index });
    const { nodes } = town;
    // Every request is answered by another node than the stream.
    screen.road = await Road.between(nodes[index % nodes.length].base, nodes[(index + 1) % nodes.length].base);
    const device = viewer.touch ? { hasTouch: true, isMobile: true, viewport: { width: 390, height: 840 } } : { viewport: { width: 480, height: 720 } };
    screen.context = await browser.newContext({ reducedMotion: 'reduce', ...device });
    screen.context.setDefaultTimeout(DOING);
    await screen.context.exposeFunction('stormRenew', () => screen.renew());
    await screen.context.exposeFunction('stormFound', (kind) => void screen.found.add(kind));
    await screen.context.addInitScript(watch);
    await screen.context.addInitScript(watchFlings);
    await screen.context.addInitScript(watchHolding);
    await screen.context.addInitScript(logTexts);
    await screen.renew();
    screen.page = await screen.context.newPage();
    // Shift and a press on a link open a window, whose stream takes one of the six connections that a browser makes to one place.
    screen.context.on('page', (page) => page.close());
    screen.cdp = await screen.context.newCDPSession(screen.page);
    // Also what a person's press leads to: the browser may keep the page before it.
    screen.page.on('domcontentloaded', () => screen.loads++);
    screen.page.on('pageerror', (error) => screen.said.push(error.stack ?? String(error)));
    screen.road.pages.set('/elsewhere', '<!doctype html><title>Elsewhere</title><p>Elsewhere');
    await screen.load();
    return screen;
  }

  get address() {
    return `${this.road.base}/groups/${this.group}/members${this.query}`;
  }

  async load() {
    try {
      await this.page.goto(this.address, { timeout: LOADING, waitUntil: 'domcontentloaded' });
      // Not by waitForSelector: it answers a handle, and the browser keeps whatever has one.
      await this.page.locator('section.chat-group-members').waitFor({ timeout: LOADING, state: 'attached' });
    } catch (error) {
      const shown = await this.ask(() => `${location.href}: ${document.body?.innerText.slice(0, 500)}`).catch(String);
      throw new Error(`${this.uid}: ${error.message}\nthe page is ${shown}\n${this.road.unanswered().join('\n')}`);
    }
    await this.own(PLACING);
    await this.#findNamed();
  }

  /** The page of an address that names a member begins around them, however far down they are. */
  async #findNamed() {
    const uid = new URLSearchParams(this.query).get('member');
    if (!uid || !(await this.hasList()) || (await this.ask((uid) => Boolean(window.storm.rowWith(uid)), uid))) return;
    // Whoever has left since is in no list.
    if (!(await this.town.members(this.group)).has(uid)) return;
    await this.ask((what) => window.storm.says('named', { what }), `the page of an address that names ${uid} has no row of theirs`);
  }

  /** The host gives a token: for long, or for so many seconds. */
  async renew(seconds) {
    const value = this.town.token(this.uid, { seconds });
    await this.context.addCookies([{ name: 'chat_token', value, url: this.road.base, httpOnly: true, sameSite: 'Lax' }]);
  }

  /** Something this person does, after what they do already. Failures of the hand are part of a storm; so is haste. */
  queue(what, work) {
    if (this.#waiting >= MOST_WAITING) {
      this.record.log('slip', `${this.uid}: ${what}: too busy`, { uid: this.uid });
      return this.#queue;
    }
    this.#waiting++;
    const run = this.#queue.then(async () => {
      this.#waiting--;
      if (this.over) return;
      try {
        await this.bounded(work(), DOING, what);
      } catch (error) {
        this.record.log('slip', `${this.uid}: ${what}: ${error.message.split('\n')[0]}`, { uid: this.uid });
      }
    });
    this.#queue = run;
    return run;
  }

  /** What takes longer is given up, by name. */
  async bounded(promise, milliseconds, what) {
    const late = new AbortController();
    const timer = sleep(milliseconds, undefined, { signal: late.signal }).then(() => {
      throw new Error(`${what} took longer than ${milliseconds} ms`);
    });
    timer.catch(() => {});
    promise.catch?.(() => {});
    try {
      return await Promise.race([promise, timer]);
    } finally {
      late.abort();
    }
  }

  pause = (milliseconds) => sleep(milliseconds);

  part = (name) => this.page.locator(`section.chat-group-members [id$="-${name}"]`).first();
  ask = (question, value) => this.page.evaluate(question, value);

  hold = (kind, at) => this.ask(([kind, at]) => window.storm.hold(kind, at), [kind, at]);
  drop = () => this.ask(() => window.storm.drop());
  /** What moves within so many milliseconds, this person has moved. */
  own = (milliseconds) => this.ask((milliseconds) => window.storm.own(milliseconds), milliseconds);
  /** False when whoever looks has been put out. */
  hasList = () => this.ask(() => Boolean(document.querySelector('.chat-group-members__list')));
  visible = () => this.ask(() => window.storm.visible());
  aim = (uid) => this.ask((uid) => window.storm.aim(uid), uid);
  opened = () => this.ask(() => window.storm.opened());

  /** Waits until the page says so; answers what it says, or undefined when it does not within the time. */
  async until(question, value, milliseconds) {
    for (const end = Date.now() + milliseconds; ; ) {
      const answer = await this.ask(question, value);
      if (answer) return answer;
      if (Date.now() > end) return undefined;
      await sleep(50);
    }
  }

  /** Hands off: no pointer, finger, focus, mark, menu or dialog. */
  async rest() {
    await this.#queue;
    this.road.lift();
    await this.bounded(this.#release(), LOADING, 'letting go');
  }

  async #release() {
    await this.context.setOffline(false);
    await this.cdp.send('Page.setWebLifecycleState', { state: 'active' }).catch(() => {});
    if (new URL(this.page.url()).pathname !== new URL(this.address).pathname) await this.load();
    await this.drop();
    if (this.finger) await this.lift();
    // A mouse that only comes up would be the last pointer, with the row below the last finger still hovered.
    if (!this.touch) {
      await this.page.mouse.up();
      await this.page.mouse.move(1, 1);
    }
    // A menu whose answer is late would open now.
    await this.until(() => !document.querySelector('.chat-group-members [aria-busy="true"]'), null, PLACING);
    await this.ask(async () => {
      const [dialog, menu] = [document.querySelector('dialog[open]'), document.querySelector(':popover-open')];
      const closes = (node, type) => node && new Promise((done) => node.addEventListener(type, done, { once: true }));
      const closed = [closes(dialog, 'close'), closes(menu, 'toggle')];
      dialog?.close();
      menu?.hidePopover();
      // What closes gives the focus back to the list.
      await Promise.all(closed);
      window.storm.blur();
      getSelection().removeAllRanges();
    });
  }

  /** The finger goes up. */
  async lift() {
    this.finger = false;
    await this.cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  async touchDown({ x, y }) {
    this.finger = true;
    await this.cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  }

  async touchMove({ x, y }) {
    await this.cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x, y }] });
  }

  /** What was measured since it was asked last, on this page and on those before it that `keep` was called on. */
  async take() {
    return [...this.#kept.splice(0), ...(await this.ask(() => window.storm.take()))];
  }

  /** Keeps what was measured on this page, which is to be left. */
  async keep() {
    this.#kept.push(...(await this.ask(() => window.storm.take())));
  }

  /** Nodes that a garbage collection leaves, and those that are in the document. An attribute that was looked at, by a morph, is one too: here all are. */
  async nodes() {
    const attached = await this.ask(() => {
      const walk = (node) =>
        [...node.childNodes].reduce(
          (sum, child) => sum + walk(child),
          1 +
            [...(node.attributes ?? [])].length +
            (node.content instanceof DocumentFragment ? walk(node.content) : 0) +
            (node.shadowRoot ? walk(node.shadowRoot) : 0),
        );
      return walk(document);
    });
    await this.cdp.send('HeapProfiler.collectGarbage');
    const { nodes } = await this.cdp.send('Memory.getDOMCounters');
    return { nodes, attached };
  }

  /** Sends a form of its own, that goes: until the next one Chromium keeps the form that was sent last, and what was around it. */
  async sendForm() {
    await this.ask(() => {
      const form = document.body.appendChild(document.createElement('form'));
      form.id = 'storm-form';
      form.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 2147483647';
      form.innerHTML = '<input name="storm"><button>Send</button>';
      form.onsubmit = (event) => {
        event.preventDefault();
        fetch('/healthz').finally(() => form.remove());
      };
    });
    await this.page.fill('#storm-form input', 'sent');
    await this.page.click('#storm-form button');
    await this.page.waitForSelector('#storm-form', { state: 'detached' });
  }

  async close() {
    await Promise.race([this.context.close().catch(() => {}), sleep(5_000, undefined, { ref: false })]);
    await this.road.stop();
  }
}
