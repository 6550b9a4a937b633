// The live stream. Each connection is one htmx request read by the hx-sse extension; the loop around
// it is ours, because it must survive a failed first connection, end on a refusal, stay with the
// last id, never run twice, and notice a connection that died without a word.

const SHORTEST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** The server says something at least every 15 seconds. */
const LONGEST_SILENCE = 45_000;
/** A look into another tab is not an absence. */
const HIDDEN_GRACE = 2_000;

async function follow(root, stream) {
  const memory = memoryOf(root);
  // Only the latest call goes on: `endStream` and `resume` may come while an earlier one sleeps.
  const run = (memory.run = {});
  const current = () => stream.isConnected && memory.run === run;
  let tries = 0;
  while (current()) {
    await shown();
    if (!current()) return;
    const started = Date.now();
    memory.wait = SHORTEST_WAIT;
    await connect(memory, stream);
    if (!current()) return;
    setLive(root, 'reconnecting');
    tries = Date.now() - started > 5_000 ? 0 : tries + 1;
    await nap(Math.min(memory.wait * 2 ** Math.max(0, tries - 1), Math.max(LONGEST_WAIT, memory.wait)));
  }
}

/** Ends when the stream does. */
async function connect(memory, stream) {
  let heard = Date.now();
  const listen = async (address, request) => {
    const response = await fetch(address, request);
    if (!response.ok || !response.body) return response;
    const ear = new TransformStream({
      transform(bytes, out) {
        heard = Date.now();
        out.enqueue(bytes);
      },
    });
    return new Response(response.body.pipeThrough(ear), response);
  };
  const watch = setInterval(() => Date.now() - heard > LONGEST_SILENCE && hangUp(stream), 5_000);
  const headers = memory.received ? { 'Last-Event-ID': memory.received } : {};
  try {
    await htmx.ajax('GET', stream.dataset.connect, { source: stream, target: stream, swap: 'none', headers, fetch: listen });
  } finally {
    clearInterval(watch);
  }
}

const hangUp = (stream) => htmx.trigger(stream, 'htmx:abort', {}, false);

/** Until the page is looked at. */
function shown() {
  return document.hidden ? new Promise((done) => document.addEventListener('visibilitychange', done, { once: true })) : null;
}

/** A little more or less than the time given, so that not everybody returns at once; or until online. */
function nap(milliseconds) {
  return new Promise((done) => {
    const timer = setTimeout(wake, milliseconds * (0.7 + 0.6 * Math.random()));
    addEventListener('online', wake);
    function wake() {
      clearTimeout(timer);
      removeEventListener('online', wake);
      done();
    }
  });
}

function hiddenOrShown() {
  if (!document.hidden) return;
  setTimeout(() => {
    if (document.hidden) document.querySelectorAll(`.${PREFIX} [data-connect]`).forEach(hangUp);
  }, HIDDEN_GRACE);
}

function streamOpened(stream) {
  const root = rootOf(stream);
  if (root && memoryOf(root).stream === stream) setLive(root, 'on');
}

function streamRefused(root, status, retryAfter) {
  const memory = memoryOf(root);
  const passing = status >= 500 || [408, 425, 429].includes(status);
  if (passing || status < 400) memory.wait = Math.max(SHORTEST_WAIT, 1_000 * (Number(retryAfter) || 0));
  else endStream(root, status === 401 ? 'expired' : 'refused');
}

function messageReceived(stream, { message, connection }) {
  const root = rootOf(stream);
  if (!root || memoryOf(root).stream !== stream) return;
  const memory = memoryOf(root);
  // The server may ask for a longer pause with `retry:`.
  memory.wait = Math.max(SHORTEST_WAIT, connection.config.reconnectDelay);
  if (!message.id) return;
  const epoch = (id) => id.slice(0, id.lastIndexOf('.'));
  if (epoch(message.id) !== epoch(memory.received)) memory.seen = 0;
  memory.received = message.id;
}

/** For good, or until the host says that it has a new token. */
function endStream(root, reason) {
  const memory = memoryOf(root);
  memory.run = null;
  hangUp(memory.stream);
  setLive(root, 'off');
  say(root, word(root, 'off'));
  if (reason === 'expired') emit(root, 'expired');
}

/** The host dispatches `chat-group-members:resume`, on a root or on the document, with a new token. */
function resume({ target }) {
  for (const root of rootOf(target) ? [rootOf(target)] : rootsIn(document.body)) {
    const { run, stream } = memoryOf(root);
    if (!run && stream?.isConnected) follow(root, stream);
  }
}

function setLive(root, live) {
  const memory = memoryOf(root);
  const line = part(root, 'live');
  root.dataset.live = live;
  if (!line) return;
  // The words of the page itself are those for "off": they hold a link.
  memory.offWords ??= [...line.childNodes].map((node) => node.cloneNode(true));
  if (live === 'off') line.replaceChildren(...memory.offWords.map((node) => node.cloneNode(true)));
  else line.textContent = word(root, 'reconnecting');
}
