// The live stream. A connection is one htmx request, so that what a host adds to htmx's requests (a
// bearer token, a cross-origin mode) holds for it too. Reading it and the loop around it are ours: a
// failed first connection is tried again, a refusal ends it, no element ever has two, and a connection
// that died without a word is noticed. The extension hx-sse does none of these, and would add
// `text/event-stream` to the Accept header of every htmx request of the host.

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
    applyLate(root);
    await shown();
    if (!current()) return;
    const started = Date.now();
    memory.wait = SHORTEST_WAIT;
    await htmx.ajax('GET', stream.dataset.connect, {
      source: stream,
      target: stream,
      swap: 'none',
      headers: { Accept: 'text/event-stream', ...(memory.received && { 'Last-Event-ID': memory.received }) },
      fetch: (address, request) => listen(root, stream, address, request),
    });
    if (!current()) return;
    setLive(root, 'reconnecting');
    tries = Date.now() - started > 5_000 ? 0 : tries + 1;
    await nap(Math.min(memory.wait * 2 ** Math.max(0, tries - 1), Math.max(LONGEST_WAIT, memory.wait)));
  }
}

/** Reads until the stream ends, however it ends. htmx gets an empty answer: all has been swapped by then. */
async function listen(root, stream, address, request) {
  let watch;
  const heard = () => {
    if (!stream.isConnected) throw new Error('the list was taken away');
    clearTimeout(watch);
    watch = setTimeout(hangUp, LONGEST_SILENCE, stream);
  };
  try {
    heard();
    const response = await fetch(address, request);
    if (response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      setLive(root, 'on');
      for await (const message of messagesIn(response.body, heard)) receive(root, message);
    } else streamRefused(root, response.status, response.headers.get('Retry-After'));
  } catch {
    // Cut off, or never reached: `follow` goes on.
  }
  clearTimeout(watch);
  return new Response(null, { status: 204 });
}

/** The fields of each message, by the rules of the HTML standard's event stream. */
async function* messagesIn(body, heard) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let [rest, message] = ['', {}];
  try {
    for (let chunk; !(chunk = await reader.read()).done; ) {
      heard();
      // A carriage return at the end may be half of a line end.
      const lines = (rest + chunk.value).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop();
      for (const line of lines) {
        const colon = `${line}:`.indexOf(':');
        const field = line.slice(0, colon);
        const value = line.slice(colon + 1).replace(/^ /, '');
        if (!line) {
          yield message;
          message = {};
        } else if (field === 'data' && 'data' in message) message.data += `\n${value}`;
        else message[field] = value;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function receive(root, { id, event, data, retry }) {
  const memory = memoryOf(root);
  if (Number(retry)) memory.wait = Math.max(SHORTEST_WAIT, Number(retry));
  if (id) memory.received = id;
  // Named messages (`bye`) are for programs; what is for the screen has no name.
  if (data && !event) takeMessage(root, { id: memory.received, text: data });
}

/** Dispatched by hand: htmx would send it to the document when the element is gone already. */
const hangUp = (stream) => stream.dispatchEvent(new CustomEvent('htmx:abort'));

/** Until the page is looked at. */
function shown() {
  return document.hidden ? new Promise((done) => document.addEventListener('visibilitychange', done, { once: true })) : null;
}

function hiddenOrShown() {
  if (!document.hidden) return;
  setTimeout(() => {
    if (document.hidden) document.querySelectorAll(`.${PREFIX} [data-connect]`).forEach(hangUp);
  }, HIDDEN_GRACE);
}

function streamRefused(root, status, retryAfter) {
  const memory = memoryOf(root);
  const passing = status >= 500 || [408, 425, 429].includes(status);
  if (passing || status < 400) memory.wait = Math.max(SHORTEST_WAIT, 1_000 * (Number(retryAfter) || 0));
  else endStream(root, status === 401 ? 'expired' : 'refused');
  if (status === 404) showEnded(root);
}

/** Taken out of the group while the connection was down: what is on the screen is not theirs to see. */
function showEnded(root) {
  forgetHeld(root);
  root.classList.add(`${PREFIX}--ended`);
  Object.assign(root.dataset, { count: 0, scope: '' });
  root.replaceChildren(part(root, 'ended').content);
}

/** For good, or until the host says that it has a new token. */
function endStream(root, reason) {
  const memory = memoryOf(root);
  memory.run = null;
  hangUp(memory.stream);
  setLive(root, 'off');
  say(root, word(root, 'off'));
  if (reason === 'expired') askForToken(root);
}

/** The host gives a new one and says so, see `resume`. */
function askForToken(root) {
  emit(root, 'expired');
  tell(root, 'expired');
}

/** The host dispatches `chat-group-members:resume`, on a root or on the document, with a new token. */
function resume({ target }) {
  for (const root of rootsAt(target)) {
    const { run, stream } = memoryOf(root);
    if (!run && stream?.isConnected) follow(root, stream);
  }
}

function setLive(root, live) {
  const memory = memoryOf(root);
  memory.live = live;
  showLive(root);
  // What somebody asked for while nothing could be had.
  if (live === 'on' && memory.wish?.failed && !memory.composing) seek(root);
}

/** A screen that lacks something is not live, however well its stream does. */
function showLive(root) {
  const { live = 'off', owed } = memoryOf(root);
  root.dataset.live = live === 'on' && owed ? 'reconnecting' : live;
  part(root, 'live')?.replaceChildren(word(root, root.dataset.live));
}
