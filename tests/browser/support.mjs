// What every test stands on: one browser and one program per file, a group per test, viewers with a
// cookie, and after each test the certainty that no page has complained.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { chromium } from 'playwright-core';

import { people } from './cast.mjs';
import { SWITCHES } from './chromium.mjs';
import { Proxy } from './proxy.mjs';
import { Actor, Server } from './server.mjs';

/** Milliseconds; nothing here takes long unless it is broken. */
const PATIENCE = 20_000;
const CLOSING = 5_000;
/** What has just come or moved takes no press for half a second. */
const AT_REST = 600;

let browser;
let server;

/**
 * Each file calls it once. `prepare` gives variables of the program, `switches` more of the browser, when the usual ones are not enough;
 * `without` are some of those that Playwright gives.
 */
export function stage(prepare = () => ({}), switches = [], without = []) {
  before(async () => {
    // One after the other: what has started is stopped when the next one fails.
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [...SWITCHES, ...switches],
      ignoreDefaultArgs: without,
    });
    server = await Server.start(await prepare());
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
}

/** A test in a group of its own. `complaints` are the console messages that belong to the scene. */
export function scene(sentence, play, { members = people(), complaints = /^$/, timeout = 60_000 } = {}) {
  test(sentence, { timeout }, async () => {
    const it = new Scene(await server.group(members));
    try {
      await play(it);
      await it.quiet(complaints);
    } finally {
      await it.close();
    }
  });
}

class Scene {
  viewers = [];
  proxies = [];

  constructor(guid) {
    this.guid = guid;
    this.server = server;
  }

  /** Somebody at a browser: by default on our own page, connected. */
  viewer = async (uid, { query = '', path = `/groups/${this.guid}/members${query}`, ttl, base = server.base, live = true, cookie = true, ...context } = {}) => {
    const viewer = await Viewer.open(this.guid, uid, cookie && (await server.token(uid, { ttl })), { base, ...context });
    this.viewers.push(viewer);
    await viewer.page.goto(base + path);
    if (live && context.javaScriptEnabled !== false) await viewer.live('on');
    return viewer;
  };

  /** Somebody at the API. */
  actor = (uid, name) => new Actor(server, this.guid, uid, name);

  /** A proxy before the program, whose connections can be cut and held. */
  proxy = async () => {
    const proxy = await Proxy.start(server.base);
    this.proxies.push(proxy);
    return proxy;
  };

  /** No violation of the policy, no error in any console. */
  async quiet(complaints) {
    for (const { uid, said } of this.viewers) {
      assert.deepEqual(
        said.filter((line) => !complaints.test(line)),
        [],
        `the console of ${uid}`,
      );
    }
  }

  async close() {
    for (const viewer of this.viewers) {
      // Chromium now and then never says that a page has gone which it was about to replace; it goes with the browser.
      await Promise.race([viewer.context.close(), sleep(CLOSING, undefined, { ref: false })]);
    }
    for (const proxy of this.proxies) await proxy.stop();
  }
}

export class Viewer {
  static async open(guid, uid, token, { base, ...options }) {
    const context = await browser.newContext({ viewport: { width: 480, height: 800 }, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(PATIENCE);
    if (token) await context.addCookies([{ name: 'chat_token', value: token, url: base, httpOnly: true, sameSite: 'Lax' }]);
    const viewer = new Viewer();
    Object.assign(viewer, { guid, uid, context, page: await context.newPage(), said: [], x: `cgm-${guid}` });
    viewer.listen();
    // Events of the component, for tests that ask for them.
    await context.addInitScript(() => {
      window.heard = [];
      for (const name of [
        'load',
        'empty',
        'error',
        'expired',
        'item-click',
        'select',
        'member-left',
        'member-kicked',
        'member-banned',
        'member-joined',
        'member-scope-changed',
        'note-added',
      ]) {
        document.addEventListener(`chat-group-members:${name}`, ({ detail }) => window.heard.push({ name, detail }));
      }
    });
    return viewer;
  }

  listen() {
    this.page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.said.push(`${message.type()}: ${message.text()} ${message.location().url}`);
    });
    this.page.on('pageerror', (error) => this.said.push(`exception: ${error.stack}`));
  }

  get root() {
    return this.page.locator(`#${this.x}`);
  }

  part = (name) => this.page.locator(`#${this.x}-${name}`);
  row = (uid) => this.part(`m-${uid}`);
  button = (uid) => this.part(`a-${uid}`);
  heading = (scope) => this.part(`h-${scope}`);
  get rows() {
    return this.page.locator(`#${this.x}-list > .chat-group-members__row`);
  }

  /** The list from top to bottom: uids, and headings as `# admin 3`. */
  order = () =>
    this.page.$$eval(`#${this.x}-list > li`, (items) =>
      items.map(({ dataset, innerText }) => dataset.uid ?? (dataset.heading ? `# ${dataset.heading} ${innerText.match(/[\d,]+$/)}` : 'next')),
    );

  uids = async () => (await this.order()).filter((item) => item !== 'next' && !item.startsWith('#'));

  live = (state) => this.page.locator(`#${this.x}[data-live="${state}"]`).waitFor({ state: 'attached' });
  gone = (uid) => this.row(uid).waitFor({ state: 'detached' });
  there = (uid) => this.row(uid).waitFor({ state: 'attached' });
  /** Waits until the page says so. */
  until = (question, value) => this.page.waitForFunction(question, value, { polling: 50 });
  focused = () => this.page.evaluate(() => document.activeElement?.id ?? '');
  focusOn = (name) => this.until((id) => document.activeElement?.id === id, `${this.x}-${name}`);
  heard = (name) => this.page.evaluate((name) => window.heard.filter((event) => event.name === name).map(({ detail }) => detail), name);

  /** From then on rows that have just come take a press. */
  atRest = () => sleep(AT_REST);

  /** The pointer away from the list, so that nothing is held. */
  away = () => this.page.mouse.move(1, 1);

  async search(text) {
    await this.part('q').fill(text);
    await this.searched(text);
  }

  /** Waits until the list shows what a search for this finds. */
  searched = (text) =>
    this.until(([id, text]) => (new URLSearchParams(document.getElementById(id).dataset.query).get('searchKeyword') ?? '') === text, [`${this.x}-view`, text]);

  /**
   * A key on something that can be seen. `Locator.press` alone waits only until it is in the document: a menu that is
   * not shown yet takes no focus, and the key goes to whatever has it.
   */
  async press(target, key) {
    await target.waitFor();
    await target.press(key);
  }

  /** Opens the menu of somebody by the mouse. */
  async menu(uid) {
    const menu = this.part('menu').and(this.page.locator(':popover-open'));
    // A press on a row that has only just come there opens nothing; one on the opener of a menu that came late closes it again.
    for (const patience of [1_500, 3_000, PATIENCE]) {
      await this.button(uid).click();
      if (
        await menu.waitFor({ timeout: patience }).then(
          () => true,
          () => false,
        )
      )
        return;
    }
    assert.fail(`the menu of ${uid} does not open`);
  }

  /** The dialog of an act, by the mouse. */
  async dialog(uid, act) {
    await this.menu(uid);
    await this.part('menu').locator(`[data-action="${act}"]`).click();
    await this.page.locator(`#${this.x}-dialog[open] form`).first().waitFor();
  }

  /** Opens whatever the open dialog has folded away. */
  async openParts() {
    for (const part of await this.part('dialog').locator('summary').all()) await part.click();
  }

  /** Does what the open dialog asks, and waits until it is closed. */
  async confirm() {
    await this.part('dialog').locator('button[data-action]').click();
    await this.closed();
  }

  closed = () => this.page.locator(`#${this.x}-dialog:not([open])`).waitFor({ state: 'attached' });
  scrollTo = (top) => this.page.$eval(`#${this.x} .chat-group-members__scroll`, (box, top) => box.scrollTo(0, top), top);

  /** Loads the next page by scrolling to the end; false when there is none. */
  async further() {
    const before = await this.rows.count();
    if (!(await this.part('next').count())) return false;
    await this.scrollTo(1e6);
    await this.until(([id, before]) => document.querySelectorAll(`#${id}-list > [data-uid]`).length > before, [this.x, before]);
    return true;
  }
}
