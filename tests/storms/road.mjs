// A person's way to the service: a proxy that can cut, delay, hang, refuse and fall silent. Streams come
// from one node and everything else is asked of another, where there are two.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Proxy } from '../browser/proxy.mjs';

/** A folder of what the build script makes of other scripts and styles, which take the place of the service's own. */
const ASSETS = process.env.CGM_TEST_STORM_ASSETS;
const KINDS = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

/** The asset of a name with a hash in it, from that folder. */
function assetAt(url) {
  const [, stem, kind] = (ASSETS && url.match(/\/static\/([\w-]+)\.(?:\w+\.)?(js|css)$/)) || [];
  const file = stem && join(ASSETS, `${stem}.${kind}.plain`);
  return file && existsSync(file) ? { kind: KINDS[kind], text: readFileSync(file) } : null;
}

/** What a message says about an event: JSON in an attribute, here up to where it begins. */
const DETAIL = /(data-detail=["'])\{/;

const isStream = ({ url }) => url.includes('/events?');
/** Requests of the script that bring a list, or more of it: no menu, no act, and none of the comparison. */
const bringsList = ({ method, url, headers }) =>
  method === 'GET' && /\/members\?/.test(url) && !/part=(menu|dialog)/.test(url) && headers['hx-request'] && !headers['x-judge'];

export class Road extends Proxy {
  /** Gives the milliseconds that an answer is held back after the service has given it; or null. */
  delay = null;
  /** While true, no request for a list is ever answered: those made meanwhile stay open. */
  hangs = false;
  /** While true, streams are open and nothing comes; it comes afterwards. */
  silent = false;
  /** How many of the next requests for a list fail, and how: `502` or `cut`. */
  failing = { left: 0, how: '502' };
  /** Addresses of the requests that have failed so. */
  refused = [];
  /** How many of the next messages about an event no page can read. */
  spoils = 0;
  /** Texts that were searched for. */
  searched = [];
  /** The service has said that this viewer is out of the group. */
  ended = false;
  /** While set, the next chunk of each stream ends in its middle. */
  #scissors = false;
  #late = [];
  /** What has been asked and is not answered, each with when it was asked. */
  #open = new Map();

  /** Both may be the same. */
  static async between(stream, rest) {
    const road = await Road.start(rest);
    road.stream = new URL(stream);
    return road;
  }

  targetOf(request) {
    return isStream(request) ? this.stream : this.target;
  }

  refuses(request, answer) {
    this.#open.set(answer, { what: `${request.method} ${request.url}`, at: Date.now() });
    answer.on('close', () => this.#open.delete(answer));
    const asset = assetAt(request.url);
    if (asset) {
      answer.writeHead(200, { 'Content-Type': asset.kind, 'Cache-Control': 'no-store' }).end(asset.text);
      return true;
    }
    const text = new URL(request.url, this.base).searchParams.get('searchKeyword');
    if (text && bringsList(request)) this.searched.push(text);
    if (!bringsList(request)) return false;
    if (this.hangs) return true;
    if (!this.failing.left) return false;
    this.failing.left--;
    this.refused.push(request.url);
    if (this.failing.how === 'cut') answer.destroy();
    else answer.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
    return true;
  }

  async forward(request, incoming, answer) {
    if (isStream(request) && incoming.statusCode === 404) this.ended = true;
    if (incoming.headers['content-type'] !== 'text/event-stream') {
      const body = await incoming.toArray().catch(() => null);
      if (!body) return answer.destroy();
      if (this.delay && !request.headers['x-judge']) await sleep(this.delay());
      return answer.writeHead(incoming.statusCode, incoming.headers).end(Buffer.concat(body));
    }
    answer.writeHead(incoming.statusCode, incoming.headers);
    answer.flushHeaders();
    incoming.on('data', (chunk) => this.#say(answer, this.#spoilt(chunk)));
    incoming.on('end', () => answer.end());
  }

  #say(answer, chunk) {
    if (chunk.includes('chat-group-members--ended')) this.ended = true;
    if (this.silent) this.#late.push([answer, chunk]);
    else if (this.#scissors && chunk.length > 40) answer.write(chunk.subarray(0, chunk.length / 2), () => answer.destroy());
    else answer.write(chunk);
  }

  /** What comes of it when the detail in it is no JSON. Its bytes stay: it may begin or end in the middle of a sign. */
  #spoilt(chunk) {
    const text = this.spoils ? chunk.toString('latin1') : '';
    if (!DETAIL.test(text)) return chunk;
    this.spoils--;
    return Buffer.from(text.replace(DETAIL, '$1'), 'latin1');
  }

  /** Each stream ends in the middle of what it says next; those that say nothing for so long end too. */
  async cutInMidMessage(milliseconds) {
    this.#scissors = true;
    await sleep(milliseconds);
    this.#scissors = false;
    this.cut();
  }

  /** What was held back is said. */
  hear() {
    this.silent = false;
    for (const [answer, chunk] of this.#late.splice(0)) answer.write(chunk);
  }

  /** What is asked and not answered, a line each: a browser has six connections to one place. */
  unanswered() {
    return [...this.#open.values()].map(({ what, at }) => `${((Date.now() - at) / 1_000).toFixed(1)} s open: ${what.slice(0, 120)}`);
  }

  /** No fault any more. Requests that hang stay open: whoever asked has to give them up. */
  lift() {
    Object.assign(this, { delay: null, hangs: false, down: false, spoils: 0, failing: { left: 0, how: '502' } });
    this.hear();
  }
}
