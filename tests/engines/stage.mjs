// What every scene stands on: one engine and one program per file, a group and a proxy per scene, one
// person at the browser, and afterwards the certainty that no page has complained. The others of the
// cast act by the API.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { people } from '../browser/cast.mjs';
import { Proxy } from '../browser/proxy.mjs';
import { Actor, Server } from '../browser/server.mjs';
import { launch } from './driver.mjs';
import { Viewer } from './viewer.mjs';

const EAR = readFileSync(new URL('ear.js', import.meta.url), 'utf8');
/** Templates of a host: `menu` has one option for everybody. */
const VIEWS = fileURLToPath(new URL('views', import.meta.url));
/** A folder for pictures to look at; without it none are made. */
const PICTURES = process.env.CGM_TEST_PICTURES;

/** Plays all scenes in one engine. */
export function play(engine, ...acts) {
  let browser;
  let server;
  before(async () => {
    const started = [
      launch(engine).then((it) => (browser = it)),
      Server.start({ CGM_FRAME_ANCESTORS: "'self'", CGM_VIEWS: VIEWS }).then((it) => (server = it)),
    ];
    // Where one fails the other is stopped all the same: else this process would wait for it.
    await Promise.allSettled(started);
    await Promise.all(started);
  });
  after(async () => {
    await browser?.quit();
    await server?.stop();
  });
  const scene = (sentence, perform, { members = people(), complaints = /^$/, timeout = 120_000 } = {}) =>
    test(`${engine}: ${sentence}`, { timeout }, async () => {
      const it = await Scene.open(server, browser.driver, await server.group(members));
      it.picture = (name) => picture(browser.driver, `${engine}-${name}`);
      try {
        await perform(it);
        await it.quiet(complaints);
      } catch (error) {
        await picture(browser.driver, `${engine}-failed`);
        throw error;
      } finally {
        await it.close();
      }
    });
  for (const act of acts) act(scene, engine);
}

class Scene {
  static async open(server, driver, guid) {
    const scene = Object.assign(new Scene(), { server, driver, guid });
    // Everything goes through the proxy, so that it can be cut, and that each page begins with our ear.
    scene.road = await Proxy.start(server.base);
    scene.road.pages.set('/ear.js', EAR);
    scene.road.pages.set('/blank', '<!doctype html><title>Nothing</title><link rel="icon" href="data:,">');
    scene.road.insert = '<script src="/ear.js"></script>';
    return scene;
  }

  /** Somebody at the browser: by default on our own page, else on a host's, or in its first frame; connected, unless no list is there yet. */
  viewer = async (uid, { query = '', path = `/groups/${this.guid}/members${query}`, size = [520, 760], frame = false, live = true } = {}) => {
    const viewer = (this.person = new Viewer(this.driver, this.guid, uid));
    await viewer.size(...size);
    await viewer.away();
    await this.driver.get(`${this.road.base}/blank`);
    await this.driver.manage().deleteAllCookies();
    await this.driver.manage().addCookie({ name: 'chat_token', value: await this.server.token(uid), path: '/', httpOnly: true });
    await this.driver.get(this.road.base + path);
    if (frame) await this.driver.switchTo().frame(0);
    if (live) await viewer.live('on');
    return viewer;
  };

  /** Somebody at the API. */
  actor = (uid, name) => new Actor(this.server, this.guid, uid, name);

  /** No violation of the policy, no error in the console. */
  async quiet(complaints) {
    const said = await this.person.said();
    assert.deepEqual(
      said.filter((line) => !complaints.test(line)),
      [],
      `the console of ${this.person.uid}`,
    );
  }

  async close() {
    // Hangs up what the page still holds open.
    await this.driver
      .switchTo()
      .defaultContent()
      .catch(() => {});
    await this.driver.get('about:blank').catch(() => {});
    await this.road.stop();
  }
}

async function picture(driver, name) {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  const shot = await driver.takeScreenshot().catch(() => '');
  writeFileSync(`${PICTURES}/${name.replaceAll(' ', '-')}.png`, shot, 'base64');
}
