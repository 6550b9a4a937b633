// A component on the page: its root, its parts, and what the script remembers about it.
// Every part's id begins with the id of the root, so several components can share a page.

/** @import { Digest } from '../acts/live_region.js' */
/** @import { Message, Pending } from '../server/message_order.js' */
/** @import { Item, Member } from './rows.js' */

/** What the names of classes, events and the element begin with. */
export const PREFIX = 'chat-group-members';

/**
 * htmx's internal API for extensions, set when htmx registers ours.
 * @type {HtmxApi}
 */
export let api;

/**
 * Takes the API that htmx gives to an extension.
 * @param {HtmxApi} internal
 */
export const receiveApi = (internal) => {
  api = internal;
};

/**
 * The state of one component. A new list resets the properties from `listNode` on.
 * @typedef {object} Memory
 * @property {Set<string>} announced Events that the host has been sent, as `name seq`.
 * @property {Element | null} [opener] The button whose menu was opened last; once it is gone, the row that gets the focus back.
 * @property {Map<string, Member>} selected Selected members, by uid.
 * @property {boolean} [begun] The component has been set up, see embed/lifecycle.js.
 * @property {Promise<void> | null} [selecting] Settles when the script of acts, which selecting needs, has loaded or failed.
 * @property {{ uid: string, order: string }} [chosen] The row whose box was pressed last: a press with Shift continues from it.
 * @property {object | null} [currentRun] Identifies the loop of `keepConnected` that continues; null after the stream has ended.
 * @property {number} retryWait Least time until the next connection, milliseconds.
 * @property {string} [liveState] State of the stream: `on`, `off` or `reconnecting`.
 * @property {number} missing What is out of date and not being refetched yet: a constant of server/resync.js, or 0.
 * @property {boolean} [resyncing] A resync is running.
 * @property {Promise<unknown>} [going] Settles when the window that a person jumps to is shown or has failed.
 * @property {boolean} [must] The next refetched window is shown even during an interaction.
 * @property {Digest | null} eventDigest Events that the live region has not announced yet.
 * @property {number} [wasEmpty] Above 0 when the list is empty and the host has been sent `empty`.
 * @property {number} [typing] Timer that starts the search after a pause in typing.
 * @property {boolean} [composing] An input method is composing.
 * @property {boolean} [hadFocus] Whether the focus was in the view that is being replaced.
 * @property {{ failed: boolean } | null} [lastSearch] The latest search, until its result is on the screen.
 * @property {HTMLElement} listNode The list that the properties below belong to.
 * @property {Element | null} stop The list's only Tab stop.
 * @property {HTMLElement | null} streamNode The element that makes the stream's requests.
 * @property {string} received Id of the last stream message that was applied; a new connection resumes after it.
 * @property {string} seen Id of the newest state on the screen.
 * @property {string} [filter] The filter that was pressed last.
 * @property {Partial<Record<'previous' | 'next', (() => boolean) | null>> & { failures: number }} extending By side, tells whether the
 *   focus moves to the page that is being loaded; null when none is. `failures` counts the failed loads since the last success.
 * @property {Record<string, string>} headings The count in each section's heading, by section key; empty when the section has no heading.
 * @property {Message[]} journal Messages received since the oldest request in `awaited` was sent.
 * @property {Set<Pending>} awaited Requests without an answer yet.
 * @property {Message[]} late Messages older than the screen, held until the stream catches up with it.
 * @property {number} catchUp Timer that applies `late` when the stream does not catch up.
 * @property {Map<string, Item>} deferred Changes that wait behind the pill, by `idSuffixOf` (rows.js).
 * @property {boolean} stale Some waiting changes are not in `deferred`: the window has to be refetched.
 * @property {number} deferredTimer Timer that applies the deferred changes after the longest wait.
 */

/**
 * The state of a component; begun when it is asked for first.
 * @param {HTMLElement} root
 * @returns {Memory}
 */
export const memoryOf = (root) => (root.memory ??= /** @type {Memory} */ ({ announced: new Set(), selected: new Map() }));

/**
 * Adds an entry to a set that keeps only the thousand entries added last.
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
 * The component around an element.
 * @param {EventTarget | null} [element]
 * @returns {HTMLElement | null | undefined}
 */
export function rootOf(element) {
  return element?.closest?.(`section.${PREFIX}`);
}

/**
 * The components inside an element.
 * @param {ParentNode} element
 * @returns {HTMLElement[]}
 */
export function rootsIn(element) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll(`section.${PREFIX}`))];
}

/**
 * The component around an element; without one, the components inside it.
 * @param {Element | Document} element
 */
export function rootsAt(element) {
  const root = rootOf(element);
  return root ? [root] : rootsIn(element);
}

/**
 * The parts by name. A part whose type lacks null exists wherever the script reads it without `?.`.
 * @typedef {{ view: HTMLElement, list: HTMLElement, loading: HTMLElement, menu: HTMLElement, error: HTMLElement, say: HTMLElement, count: HTMLElement }} Boxes
 * @typedef {{ dialog: HTMLDialogElement, ended: HTMLTemplateElement, selection: HTMLFormElement, q: HTMLInputElement | null }} Controls
 * @typedef {Record<string, HTMLElement | null> & Boxes & Controls} Parts
 */

/**
 * The part of a component with this name.
 * @template {keyof Parts} Name
 * @param {HTMLElement} root
 * @param {Name} name
 * @returns {Parts[Name]}
 */
export function part(root, name) {
  return /** @type {Parts[Name]} */ (root.querySelector(`#${root.id}-${name}`));
}

/**
 * The part of a component that a search replaces.
 * @param {HTMLElement} root
 */
export const view = (root) => part(root, 'view');
/**
 * The list; null when the component shows none.
 * @param {HTMLElement} root
 */
export const list = (root) => part(root, 'list');

/**
 * Whether the focus is in the component. An open menu or dialog, which is above the page, has it without `:focus-within` of what is
 * around it.
 * @param {HTMLElement} root
 */
export const hasFocus = (root) => root.matches(':has(:focus), :focus-within');

/**
 * Whether a menu of the component is open.
 * @param {HTMLElement} root
 */
export const isMenuOpen = (root) => part(root, 'menu')?.matches(':popover-open');

/**
 * A text in the component's language; empty when the page was made without it.
 * @param {HTMLElement} root
 * @param {string} name
 */
export function word(root, name) {
  return root.getAttribute(`data-word-${name}`) ?? '';
}

/**
 * The text about a number. The attribute has every plural form of its language: `one={n} change|other={n} changes`.
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
 * Resolves an address that the page's markup contains.
 * @param {string} address
 */
export const absolute = (address) => new URL(address, document.baseURI);

/**
 * Adds query parameters to an address and keeps those that it has.
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
 * Creates an element with these properties.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const create = (tag, properties) => Object.assign(document.createElement(tag), properties);

/**
 * Announces a sentence through the component's status line.
 * @param {HTMLElement} root
 * @param {string} sentence
 */
export function say(root, sentence) {
  part(root, 'say')?.replaceChildren(sentence);
}

/**
 * Dispatches an event for the host. Returns false when the host has prevented its default action.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {object} [detail]
 */
export function emit(root, name, detail = {}) {
  // After a revocation, another element with the same id has replaced the root.
  const target = root.isConnected ? root : (document.getElementById(root.id) ?? root);
  return target.dispatchEvent(new CustomEvent(`${PREFIX}:${name}`, { detail, bubbles: true, composed: true, cancelable: true }));
}
