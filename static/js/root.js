// A component on the page: its root, its parts, and what the script remembers about it.
// Every part's id begins with the id of the root, so several components share a page.

const PREFIX = 'chat-group-members';

/** htmx's own tools for extensions, handed over when ours is registered. */
let api;

const memories = new WeakMap();

/** What is remembered about one component. The lower half is forgotten with each new list. */
function memoryOf(root) {
  if (!memories.has(root)) {
    memories.set(root, { announced: new Set(), brokenPictures: new Set(), empty: false, opener: null, selected: new Map() });
  }
  return memories.get(root);
}

/** A new list came: it starts from the state that the address of its stream names. */
function forgetList(root, rows) {
  const memory = memoryOf(root);
  const stream = part(root, 'stream');
  const address = new URL(stream?.dataset.connect ?? '', document.baseURI);
  const received = address.searchParams.get('lastEventId') ?? '';
  // `received` is the last message of the stream, where a new connection goes on; `seen` is the newest
  // state on the screen, an answer's included: nothing that is asked for may be older.
  closeStrayMenu(root);
  // A button of the old list would keep all of it.
  Object.assign(memory, { opener: null, stop: null, rows, stream, received, seen: received, owed: memory.owed === look ? settleSelection : memory.owed, filter: undefined, extending: {}, headings: {} });
  forgetRequests(memory);
  forgetHeld(root);
}

function rootOf(element) {
  return element?.closest?.(`section.${PREFIX}`) ?? null;
}

function rootsIn(element) {
  return [...element.querySelectorAll(`section.${PREFIX}`)];
}

/** The component around an element; else those inside it. */
function rootsAt(element) {
  const root = rootOf(element);
  return root ? [root] : rootsIn(element);
}

function part(root, name) {
  return root.querySelector(`#${root.id}-${name}`);
}

const view = (root) => part(root, 'view');
const list = (root) => part(root, 'list');

function word(root, name) {
  return root.getAttribute(`data-word-${name}`) ?? '';
}

/** A word about a number: it comes in all forms that its language has, `one={n} change|other={n} changes`. */
function plural(root, name, number) {
  const forms = Object.fromEntries(word(root, name).split('|').map((form) => form.split('=')));
  const form = forms[new Intl.PluralRules(root.lang).select(number)] ?? forms.other ?? '';
  return form.replace('{n}', new Intl.NumberFormat(root.lang).format(number));
}

/** Adds query parameters to an address; what it has already stays. */
function withQuery(address, ...queries) {
  const url = new URL(address, document.baseURI);
  url.search = [url.search.slice(1), ...queries].filter(Boolean).join('&');
  return url.href;
}

/** The address of this view with further parameters. */
const addressOf = (root, ...queries) => withQuery(root.dataset.href, view(root).dataset.query, ...queries);

/** Speaks a sentence through the component's status line. */
function say(root, sentence) {
  const line = part(root, 'say');
  if (line) line.textContent = sentence;
}

function emit(root, name, detail = {}) {
  // After a revocation another element stands in the root's place.
  const target = root.isConnected ? root : (document.getElementById(root.id) ?? root);
  return target.dispatchEvent(new CustomEvent(`${PREFIX}:${name}`, { detail, bubbles: true, composed: true, cancelable: true }));
}

/** Milliseconds, a little more or less, so that not everybody returns at once; or until online. */
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
