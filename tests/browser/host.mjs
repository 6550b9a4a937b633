// Somebody's application: pages of its own, the files of its npm packages, and the service on its own origin.

import { readFile } from 'node:fs/promises';
import http from 'node:http';

const PACKAGES = new URL('../../node_modules/', import.meta.url);
const TYPES = { css: 'text/css', html: 'text/html', js: 'text/javascript', mjs: 'text/javascript' };

export class Host {
  /** Path → text, or a function of the request that gives it. A name without an ending is a page. */
  pages = new Map();
  /** What was asked of the host and, through it, of the service. */
  asked = [];

  static async start(service) {
    const host = new Host();
    host.server = http.createServer((request, answer) => host.#answer(request, answer, service));
    await new Promise((done) => host.server.listen(0, '127.0.0.1', done));
    host.base = `http://127.0.0.1:${host.server.address().port}`;
    return host;
  }

  async #answer(request, answer, service) {
    this.asked.push(`${request.method} ${request.url}`);
    const { pathname } = new URL(request.url, 'http://host');
    const page = this.pages.get(pathname);
    const text = pathname.startsWith('/npm/')
      ? await readFile(new URL(pathname.slice('/npm/'.length), PACKAGES)).catch(() => undefined)
      : typeof page === 'function'
        ? page(request)
        : page;
    if (text === undefined) return pass(request, answer, service);
    const [, ending] = pathname.match(/\.(\w+)$/) ?? [];
    answer.writeHead(200, { 'Content-Type': `${TYPES[ending] ?? 'text/html'}; charset=utf-8` });
    answer.end(text);
  }

  count = (which) => this.asked.filter((line) => which.test(line)).length;

  async stop() {
    const closed = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    await closed;
  }
}

function pass(request, answer, service) {
  const { hostname, port } = new URL(service);
  const onward = http.request({ hostname, port, method: request.method, path: request.url, headers: request.headers });
  onward.on('error', () => answer.destroy());
  onward.on('response', (incoming) => {
    answer.writeHead(incoming.statusCode, incoming.headers);
    answer.flushHeaders();
    incoming.on('error', () => answer.destroy());
    incoming.pipe(answer);
  });
  answer.on('close', () => onward.destroy());
  request.pipe(onward);
}

/** A page of the host. */
export const page = (head, body, attributes = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A host</title><link rel="icon" href="data:,">${head}</head><body${attributes}>${body}</body></html>`;

/** What the README says that a page has: its looks, its life, and the line for the list. */
export const LINK = '<link rel="stylesheet" href="/static/css-variables.css">';
export const SCRIPT = '<script src="/static/chat-group-members.js" defer></script>';
export const line = (guid, query = '') =>
  `<div data-hx-get="/groups/${guid}/members${query}" data-hx-trigger="load" data-hx-swap="outerHTML"><a href="/groups/${guid}/members">Members</a></div>`;
