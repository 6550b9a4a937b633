// A component on the page: its root, its parts, and what the script remembers about it.
// Every part's id begins with the id of the root, so several components share a page.

/** @import { Digest } from './acts/live_region.js' */
/** @import { Message, Pending } from './message_order.js' */
/** @import { Item, Member } from './rows.js' */

export const PREFIX = 'chat-group-members';

/**
 * htmx's own tools for extensions, handed over when ours is registered.
 * @type {HtmxApi}
 */
export let api;

/** @param {HtmxApi} internal */
export const receiveApi = (internal) => {
  api = internal;
};

/**
 * What is remembered about one component. The lower half, from `listNode` on, is forgotten with each new list.
 * @typedef {object} Memory
 * @property {Set<string>} announced Events that the host has heard of, as `name seq`.
 * @property {Set<string>} brokenPictures Addresses of pictures that failed.
 * @property {Element | null} [opener] The button whose menu was opened last; its row when the button is gone.
 * @property {Map<string, Member>} selected Who is selected, by uid.
 * @property {boolean} [begun] It has been adopted.
 * @property {Promise<void> | null} [selecting] Settles when the script of acts is there, or cannot be had.
 * @property {{ uid: string, order: string }} [chosen] The row that was pressed last: Shift goes on from there.
 * @property {HTMLElement | null} [pressed] The button that sent the act which is on its way.
 * @property {object | null} [currentRun] The one loop of `keepConnected` that goes on; none after the end of the stream.
 * @property {number} retryWait Least time until the next connection, milliseconds.
 * @property {string} [liveState] State of the stream: `on`, `off` or `reconnecting`.
 * @property {number} missing What the screen lacks and nobody fetches yet, see resync.js; 0 when nothing.
 * @property {boolean} [resyncing] What the screen lacks is being fetched.
 * @property {Promise<unknown>} [going] Settles when the window is where a person wanted to go.
 * @property {boolean} [must] The refetched window is shown also during an interaction.
 * @property {Digest | null} eventDigest Events that the live region has not said yet.
 * @property {number} [wasEmpty] The host has heard that the list is empty; 0 when it is not.
 * @property {number} [typing] Timer of the search that follows the last letter.
 * @property {boolean} [composing] The last letter is half a syllable.
 * @property {boolean} [hadFocus] Whether the view had the focus of which another takes the place.
 * @property {{ failed: boolean } | null} [lastSearch] The search that was asked for last, until it is on the screen.
 * @property {HTMLElement} listNode The list that the fields below are about.
 * @property {Element | null} stop The list's one stop of the Tab key.
 * @property {HTMLElement | null} streamNode The element that the stream's requests come from.
 * @property {string} received Id of the last message of the stream.
 * @property {string} seen Id of the newest state on the screen.
 * @property {string} [filter] The filter that was pressed last.
 * @property {Partial<Record<'previous' | 'next', boolean | null>> & { failures: number }} extending By side, whether the focus goes to the page
 *   that is being loaded; null when none is. `failures`: so often it did not come.
 * @property {Record<string, string>} headings By the place of a section, what its heading counts now; nothing when it has none.
 * @property {Message[]} journal Messages since the oldest request that is awaited.
 * @property {Set<Pending>} awaited Requests without an answer yet.
 * @property {Message[]} late Messages older than the screen, until the stream is as far.
 * @property {number} catchUp Timer that applies the late ones at the latest.
 * @property {Map<string, Item>} deferred What waits behind the pill, by key.
 * @property {boolean} stale More waits than is held: the window has to be fetched.
 * @property {number} deferredTimer Timer that ends the hold at the latest.
 */

/** @type {WeakMap<HTMLElement, Memory>} */
const memories = new WeakMap();

/**
 * @param {HTMLElement} root
 * @returns {Memory}
 */
export function memoryOf(root) {
  if (!memories.has(root)) {
    memories.set(root, /** @type {Memory} */ ({ announced: new Set(), brokenPictures: new Set(), selected: new Map() }));
  }
  return /** @type {Memory} */ (memories.get(root));
}

/**
 * Adds to a set of what was met last: it keeps a thousand.
 * @param {Set<string>} met
 * @param {string} one
 */
export function remember(met, one) {
  met.add(one);
  const [first] = met;
  if (met.size > 1000) met.delete(first);
}

/**
 * Components that are on the page.
 * @type {Set<HTMLElement>}
 */
export const roots = new Set();

/**
 * @param {EventTarget | null} [element]
 * @returns {HTMLElement | null | undefined}
 */
export function rootOf(element) {
  return element?.closest?.(`section.${PREFIX}`);
}

/**
 * @param {ParentNode} element
 * @returns {HTMLElement[]}
 */
export function rootsIn(element) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(`section.${PREFIX}`))];
}

/**
 * The component around an element; else those inside it.
 * @param {Element | Document} element
 */
export function rootsAt(element) {
  const root = rootOf(element);
  return root ? [root] : rootsIn(element);
}

/**
 * The parts by name. Those without null are there whenever they are read without a question mark.
 * @typedef {{ view: HTMLElement, list: HTMLElement, loading: HTMLElement, menu: HTMLElement, error: HTMLElement, say: HTMLElement, count: HTMLElement }} Boxes
 * @typedef {{ dialog: HTMLDialogElement, ended: HTMLTemplateElement, selection: HTMLFormElement, q: HTMLInputElement | null }} Controls
 * @typedef {Record<string, HTMLElement | null> & Boxes & Controls} Parts
 */

/**
 * @template {keyof Parts} Name
 * @param {HTMLElement} root
 * @param {Name} name
 * @returns {Parts[Name]}
 */
export function part(root, name) {
  return /** @type {Parts[Name]} */ (root.querySelector(`#${root.id}-${name}`));
}

/** @param {HTMLElement} root */
export const view = (root) => part(root, 'view');
/** @param {HTMLElement} root */
export const list = (root) => part(root, 'list');

/** @param {HTMLElement} root */
export const isMenuOpen = (root) => part(root, 'menu')?.matches(':popover-open');

/**
 * @param {HTMLElement} root
 * @param {string} name
 */
export function word(root, name) {
  return root.getAttribute(`data-word-${name}`) ?? '';
}

/**
 * A word about a number: it comes in all forms that its language has, `one={n} change|other={n} changes`.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {number} number
 */
export function plural(root, name, number) {
  const forms = Object.fromEntries(
    word(root, name)
      .split('|')
      .map((form) => form.split('=')),
  );
  const form = forms[new Intl.PluralRules(root.lang).select(number)] ?? forms.other ?? '';
  return form.replace('{n}', new Intl.NumberFormat(root.lang).format(number));
}

/**
 * An address of the page's markup.
 * @param {string} address
 */
export const absolute = (address) => new URL(address, document.baseURI);

/**
 * Adds query parameters to an address; what it has already stays.
 * @param {string} address
 * @param {(string | URLSearchParams | undefined)[]} queries
 */
export function withQuery(address, ...queries) {
  const url = absolute(address);
  url.search = [url.search.slice(1), ...queries].filter(Boolean).join('&');
  return url.href;
}

/**
 * The address of this view with further parameters.
 * @param {HTMLElement} root
 * @param {string[]} queries
 */
export const addressOf = (root, ...queries) => withQuery(root.dataset.href, view(root).dataset.query, ...queries);

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const create = (tag, properties) => Object.assign(document.createElement(tag), properties);

/**
 * Speaks a sentence through the component's status line.
 * @param {HTMLElement} root
 * @param {string} sentence
 */
export function say(root, sentence) {
  part(root, 'say')?.replaceChildren(sentence);
}

/**
 * @param {HTMLElement} root
 * @param {string} name
 * @param {object} [detail]
 */
export function emit(root, name, detail = {}) {
  // After a revocation another element stands in the root's place.
  const target = root.isConnected ? root : (document.getElementById(root.id) ?? root);
  return target.dispatchEvent(new CustomEvent(`${PREFIX}:${name}`, { detail, bubbles: true, composed: true, cancelable: true }));
}
