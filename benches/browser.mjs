// What a person waits for: Chromium with a processor four times slower and 400 kb/s, in groups of three sizes.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { chromium } from 'playwright-core';

import { SWITCHES } from '../tests/browser/chromium.mjs';
import { uidOf } from './http/people.mjs';
import { fill, host, serve, token } from './http/service.mjs';

const SIZES = [30, 1_000, 100_000];
const SLOWER = 4;
const BYTES_A_SECOND = 400_000 / 8;
/** Nothing is left to do on a page after so long. */
const SETTLING = 1_500;
const ROW = '.chat-group-members__row';

/** Runs in the page: when rows come and change, by the page's own clock, without asking again and again. */
function watch() {
  const seen = { first: null, changed: null };
  const waiting = new Set();
  /** The time at which so many elements match; after a while the attempt fails. */
  seen.when = (selector, count) =>
    new Promise((resolve, reject) => {
      if (document.querySelectorAll(selector).length >= count) return resolve(performance.now());
      waiting.add({ selector, count, resolve });
      setTimeout(() => reject(new Error(`${count} of ${selector} did not come`)), 20_000);
    });
  window.benchmark = seen;
  const look = () => {
    if (!document.querySelector('.chat-group-members__row')) return requestAnimationFrame(look);
    // This frame is drawn before the next one begins.
    requestAnimationFrame((now) => (seen.first = now));
  };
  requestAnimationFrame(look);
  new MutationObserver((changes) => {
    if (!changes.some(({ target }) => target.closest?.('.chat-group-members__list'))) return;
    seen.changed = performance.now();
    for (const wanted of waiting) {
      if (document.querySelectorAll(wanted.selector).length < wanted.count) continue;
      waiting.delete(wanted);
      wanted.resolve(seen.changed);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-scope', 'data-status'] });
}

export async function measure(run) {
  const database = join(run.folder, 'browser.db');
  for (const size of SIZES) await fill(database, guidOf(size), size, run.folder);
  const service = await serve(database);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: SWITCHES });
  try {
    // The first visit of all loads the group into memory and the browser's own code; rounds are interleaved over the sizes.
    for (let round = 0; round <= run.rounds; round++) {
      for (const size of SIZES) {
        const figures = await visit(browser, service, size);
        if (round > 0) for (const [name, value] of Object.entries(figures)) run.keep(`browser.${size}.${name}`, value);
      }
      run.say(`round ${round} of ${run.rounds}`);
    }
  } finally {
    await browser.close();
    await service.stop();
  }
}

const guidOf = (size) => `browser-${size}`;

/** One first visit of an admin to a group, and what they and others do there. Times in seconds. */
async function visit(browser, service, size) {
  const context = await browser.newContext({ viewport: { width: 400, height: 720 } });
  try {
    await context.addCookies([{ name: 'chat_token', value: token(uidOf(1)), url: service.base }]);
    await context.addInitScript(watch);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const traffic = await slow(session);
    await page.goto(`${service.base}/groups/${guidOf(size)}/members`, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.benchmark?.first, null, { polling: 50 });
    const figures = { first: (await page.evaluate(() => window.benchmark.first)) / 1000 };
    await page.waitForSelector('[data-live="on"]', { timeout: 30_000 });
    await sleep(SETTLING);
    Object.assign(figures, traffic.soFar());
    figures.change = await liveChange(page, session, service);
    if (size > 30) Object.assign(figures, await furtherPage(page, session));
    Object.assign(figures, await keystroke(page, session));
    return figures;
  } finally {
    await context.close();
  }
}

/** Slows the page down; counts bytes and requests. */
async function slow(session) {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await session.send('Network.enable');
  const conditions = { offline: false, latency: 0, downloadThroughput: BYTES_A_SECOND, uploadThroughput: BYTES_A_SECOND };
  await session.send('Network.emulateNetworkConditions', conditions);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  let [bytes, requests] = [0, 0];
  session.on('Network.requestWillBeSent', () => requests++);
  session.on('Network.dataReceived', ({ encodedDataLength }) => (bytes += encodedDataLength));
  session.on('Network.responseReceived', ({ response }) => (bytes += response.encodedDataLength));
  return { soFar: () => ({ bytes, requests }) };
}

/** Seconds of the main thread that doing something takes beyond what an idle page takes in the same time. */
async function mainThread(session, act) {
  const idle = await busy(session, () => sleep(SETTLING));
  const whole = await busy(session, async () => {
    await act();
    await sleep(SETTLING);
  });
  return Math.max(0, whole.busy - (idle.busy / idle.passed) * whole.passed);
}

async function busy(session, work) {
  const before = await metrics(session);
  const begun = Date.now();
  await work();
  const after = await metrics(session);
  return { busy: after - before, passed: Date.now() - begun };
}

async function metrics(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value;
}

/** Somebody who is shown goes online: the commonest change under a viewer's eyes. */
async function liveChange(page, session, service) {
  const uid = await page.evaluate((row) => document.querySelector(`${row}[data-status="offline"]`).dataset.uid, ROW);
  const changed = `${ROW}[data-uid="${uid}"][data-status="online"]`;
  const cost = await mainThread(session, async () => {
    const seen = page.evaluate((selector) => window.benchmark.when(selector, 1), changed);
    await host(service, 'PUT', `/v3/users/${uid}/presence`, { status: 'online', ttl: 300 });
    await seen;
  });
  await host(service, 'PUT', `/v3/users/${uid}/presence`, { status: 'offline' });
  await sleep(SETTLING);
  return cost;
}

/** Scrolls to the end of what is loaded, where the next page comes by itself. */
async function furtherPage(page, session) {
  const shown = await page.locator(ROW).count();
  let after;
  const cost = await mainThread(session, async () => {
    after = await page.evaluate(
      ([row, count]) => {
        const begun = performance.now();
        const seen = window.benchmark.when(row, count).then((at) => at - begun);
        document.querySelector('.chat-group-members__scroll').scrollTop = 1e9;
        return seen;
      },
      [ROW, shown + 1],
    );
  });
  return { page: cost, 'page.after': after / 1000 };
}

/** Types one letter into the search. */
async function keystroke(page, session) {
  const field = page.locator('input[type=search]');
  await field.focus();
  let after;
  const cost = await mainThread(session, async () => {
    const answered = page.waitForResponse((answer) => answer.url().includes('searchKeyword='));
    const begun = await page.evaluate(() => performance.now());
    await page.keyboard.press('a');
    await (await answered).finished();
    await sleep(SETTLING / 3);
    after = (await page.evaluate(() => window.benchmark.changed)) - begun;
  });
  return { key: cost, 'key.after': after / 1000 };
}
