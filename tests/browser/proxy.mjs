// A small reverse proxy: what stands between people and a program, with a pair of scissors.

import http from 'node:http';

export class Proxy {
  #sockets = new Set();
  #gates = [];
  pages = new Map();
  asked = [];
  #streams = new Set();
  /** While true, every connection is refused. */
  down = false;
  /** Requests that get what a proxy says whose program is away. */
  broken = null;
  /** Markup that every page of the program begins with. */
  insert = '';

  static async start(target) {
    const proxy = new this();
    if (target) proxy.target = new URL(target);
    proxy.server = http.createServer((request, answer) => proxy.#pass(request, answer));
    proxy.server.on('connection', (socket) => {
      if (proxy.down) return socket.destroy();
      proxy.#sockets.add(socket);
      socket.on('close', () => proxy.#sockets.delete(socket));
    });
    await new Promise((done) => proxy.server.listen(0, '127.0.0.1', done));
    proxy.base = `http://127.0.0.1:${proxy.server.address().port}`;
    // The same server as another site.
    proxy.elsewhere = proxy.base.replace('127.0.0.1', 'localhost');
    return proxy;
  }

  async #pass(request, answer) {
    this.asked.push(`${request.method} ${request.url}`);
    const page = this.pages.get(request.url);
    if (page !== undefined) {
      const kind = request.url.endsWith('.js') ? 'text/javascript' : 'text/html';
      answer.writeHead(200, { 'Content-Type': `${kind}; charset=utf-8` });
      return answer.end(page);
    }
    if (this.broken?.test(request.url)) {
      answer.writeHead(502, { 'Content-Type': 'text/html' });
      return answer.end('<h1>502 Bad Gateway</h1>');
    }
    if (this.refuses(request, answer)) return;
    const { hostname, port } = this.targetOf(request);
    const isPage = this.insert && request.headers.accept?.startsWith('text/html') && !request.headers['hx-request'];
    if (isPage) delete request.headers['accept-encoding'];
    // Each on a connection of its own: one that is given back is taken by the next request before this one's answer has closed, which ends it.
    const onward = http.request({ hostname, port, method: request.method, path: request.url, headers: request.headers, agent: false });
    const broken = () => answer.destroy();
    onward.on('error', broken);
    onward.on('response', async (incoming) => {
      const gates = this.#gates.filter(({ which }) => which.test(request.url));
      for (const { arrived } of gates) arrived.done();
      await Promise.all(gates.map(({ opened }) => opened.promise));
      if (incoming.headers['content-type'] === 'text/event-stream') this.#streams.add(answer);
      incoming.on('error', broken);
      if (isPage && incoming.headers['content-type']?.startsWith('text/html')) {
        delete incoming.headers['content-length'];
        const text = Buffer.concat(await incoming.toArray()).toString();
        answer.writeHead(incoming.statusCode, incoming.headers);
        return answer.end(text.replace('<head>', `<head>${this.insert}`));
      }
      this.forward(request, incoming, answer);
    });
    answer.on('close', () => {
      this.#streams.delete(answer);
      onward.destroy();
    });
    request.pipe(onward);
  }

  /** Which program a request goes to. */
  targetOf() {
    return this.target;
  }

  /** True when the request has been answered, or dropped, without asking a program. */
  refuses() {
    return false;
  }

  /** What the program answers goes on to the person. */
  forward(request, incoming, answer) {
    answer.writeHead(incoming.statusCode, incoming.headers);
    answer.flushHeaders();
    incoming.pipe(answer);
  }

  /** Holds answers to matching requests back: `arrived` when the program has given one, until `open`. */
  gate(which) {
    const gate = { which, arrived: signal(), opened: signal() };
    this.#gates.push(gate);
    return {
      arrived: gate.arrived.promise,
      open: () => {
        this.#gates.splice(this.#gates.indexOf(gate), 1);
        gate.opened.done();
      },
      /** What has arrived never goes on; what comes later passes. */
      forget: () => this.#gates.splice(this.#gates.indexOf(gate), 1),
    };
  }

  /** How many live streams are open now. */
  streams = () => this.#streams.size;

  /** Waits until it is so. */
  async until(question, patience = 10_000) {
    for (const end = Date.now() + patience; !question(); ) {
      if (Date.now() > end) throw new Error(`not within ${patience} ms: ${question}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  /** Every connection breaks off in the middle. */
  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop() {
    const closed = new Promise((done) => this.server.close(done));
    this.cut();
    await closed;
  }
}

function signal() {
  let done;
  const promise = new Promise((resolve) => (done = resolve));
  return { promise, done };
}
