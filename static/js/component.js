// A component on the page: its root, its parts, and what the script remembers about it.
// Every part's id begins with the id of the root, so several components share a page.

export const PREFIX = 'chat-group-members';

/** htmx's own tools for extensions, handed over when ours is registered. */
export let api;

export const receiveApi = (internal) => {
  api = internal;
};

const memories = new WeakMap();

/** What is remembered about one component. The lower half is forgotten with each new list. */
export function memoryOf(root) {
  if (!memories.has(root)) {
    memories.set(root, { announced: new Set(), brokenPictures: new Set(), opener: null, selected: new Map() });
  }
  return memories.get(root);
}

/** Components that are on the page. */
export const roots = new Set();

export function rootOf(element) {
  return element?.closest?.(`section.${PREFIX}`) ?? null;
}

export function rootsIn(element) {
  return [...element.querySelectorAll(`section.${PREFIX}`)];
}

/** The component around an element; else those inside it. */
export function rootsAt(element) {
  const root = rootOf(element);
  return root ? [root] : rootsIn(element);
}

export function part(root, name) {
  return root.querySelector(`#${root.id}-${name}`);
}

export const view = (root) => part(root, 'view');
export const list = (root) => part(root, 'list');

export const isMenuOpen = (root) => part(root, 'menu')?.matches(':popover-open') ?? false;

export function closeMenuOf(root, row) {
  const { opener } = memoryOf(root);
  if (row.contains(opener)) part(root, 'menu').hidePopover();
}

export function word(root, name) {
  return root.getAttribute(`data-word-${name}`) ?? '';
}

/** A word about a number: it comes in all forms that its language has, `one={n} change|other={n} changes`. */
export function plural(root, name, number) {
  const forms = Object.fromEntries(
    word(root, name)
      .split('|')
      .map((form) => form.split('=')),
  );
  const form = forms[new Intl.PluralRules(root.lang).select(number)] ?? forms.other ?? '';
  return form.replace('{n}', new Intl.NumberFormat(root.lang).format(number));
}

/** Adds query parameters to an address; what it has already stays. */
export function withQuery(address, ...queries) {
  const url = new URL(address, document.baseURI);
  url.search = [url.search.slice(1), ...queries].filter(Boolean).join('&');
  return url.href;
}

/** The address of this view with further parameters. */
export const addressOf = (root, ...queries) => withQuery(root.dataset.href, view(root).dataset.query, ...queries);

/** Speaks a sentence through the component's status line. */
export function say(root, sentence) {
  const line = part(root, 'say');
  if (line) line.textContent = sentence;
}

export function emit(root, name, detail = {}) {
  // After a revocation another element stands in the root's place.
  const target = root.isConnected ? root : (document.getElementById(root.id) ?? root);
  return target.dispatchEvent(new CustomEvent(`${PREFIX}:${name}`, { detail, bubbles: true, composed: true, cancelable: true }));
}
