// Requests of a component. Each sends the screen's event id, none waits for ever, and a failure is shown in one
// place, with a button to try again.

import { tellParent } from '#page';
import { absolute, create, emit, memoryOf, PREFIX, part, rootOf, word } from './component.js';
import { home, htmx } from './loader.js';

/** A request without an answer is given up after so long, milliseconds; an act may wait for a lock. */
export const LONGEST_REQUEST = 10_000;
const LONGEST_ACT = 30_000;

/** A list whose service is away is asked for again so often, milliseconds. */
export const AGAIN = 5_000;

/** How the service's own answers begin. A proxy says other things, and so does a host that answers every address. */
export const OURS = /^\s*<\w+ [^>]*class="chat-group-members/;

/**
 * What came of `get`. `id` is the event number of the state it describes; `ours` says that no proxy wrote it.
 * @typedef {{ status: number, text: string, id: string, ours?: boolean }} Answer
 */

/**
 * The answer to the request that each source has made last.
 * @type {WeakMap<Element, Answer>}
 */
const latest = new WeakMap();

/**
 * Fetches something for a component, through htmx, so that what a host adds to its requests holds for it
 * too. Status 0: not reached, or given up. Null: the same source has asked for something else meanwhile.
 * @param {HTMLElement} root
 * @param {Element} source
 * @param {string} address
 * @param {Record<string, string>} [headers]
 * @param {string} [method] `POST` sends the fields of the form that the source belongs to.
 * @returns {Promise<Answer | null>}
 */
export async function get(root, source, address, headers = {}, method = 'GET') {
  /** @type {Answer} */
  const answer = { status: 0, text: '', id: '' };
  latest.set(source, answer);
  source.dataset.hxSync = 'this:replace';
  /** @type {typeof fetch} */
  const load = async (url, request) => {
    try {
      const response = await fetch(url, request);
      const text = await response.text();
      // A login page on the way is no answer.
      if (!response.redirected)
        Object.assign(answer, { text, status: response.status, ours: isOurs(response), id: response.headers.get('Last-Event-ID') ?? '' });
    } catch {
      // Answered with status 0.
    }
    return new Response(null, { status: 204 });
  };
  await htmx.ajax(method, address, { source, target: source, swap: 'none', headers, fetch: load });
  return latest.get(source) === answer ? answer : null;
}

/**
 * Our errors say where they belong. Anything else comes from a proxy on the way.
 * @param {Response} response
 */
export const isOurs = ({ status, headers }) => status < 400 || headers.has('HX-Retarget');

/**
 * False keeps a request from being made.
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
export function configRequest(source, { ctx }) {
  ctx.root = rootOf(source);
  if (!ctx.root) return;
  const { request } = ctx;
  // Also from a page of another origin; htmx knows a mode only for all requests of a page.
  request.mode = 'cors';
  const place = ctx.root.closest(PREFIX);
  if (place) place.sign(request);
  // Only this service, or the one that the host's element names, is asked: a page may hold markup of strangers.
  else if (!absolute(request.action).href.startsWith(home)) return false;
  const { streamNode, seen } = memoryOf(ctx.root);
  request.timeout = request.method === 'GET' ? LONGEST_REQUEST : LONGEST_ACT;
  if (source === streamNode) request.timeout = 0;
  else if (seen) request.headers['Last-Event-ID'] = seen;
}

/**
 * Says that a request failed; `again` makes it anew.
 * @param {HTMLElement} root
 * @param {number} status
 * @param {() => void} [again]
 */
export function fail(root, status, again) {
  const message = word(root, status === 401 ? 'expired' : 'failed');
  const alert = newAlert(message);
  if (again) alert.append(newRetryButton(word(root, 'retry'), again));
  showError(root, alert);
  if (status === 401) askForToken(root);
  emitError(root, status, message);
}

/**
 * Shows an alert in the component's error place, or none. A keyboard's focus that was in the one before goes to the new
 * one's button, or to the list.
 * @param {HTMLElement} root
 * @param {...Element} alert
 */
export function showError(root, ...alert) {
  const place = part(root, 'error');
  const focused = place?.querySelector(':focus-visible');
  place?.replaceChildren(...alert);
  if (focused) (place.querySelector('button') ?? memoryOf(root).stop ?? part(root, 'q'))?.focus({ preventScroll: true });
}

/**
 * What became of `get`: the service's own words about a refusal, or that it failed. Whether it went well.
 * @param {HTMLElement} root
 * @param {Answer} answer
 * @param {() => void} [again]
 */
export function wentWell(root, { status, text, ours }, again) {
  const place = part(root, 'error');
  if (status >= 400 && ours) {
    if (place) htmx.swap({ sourceElement: place, target: place, text, swap: 'innerHTML' }).then(() => showRefusal(root));
  } else if (status !== 200) fail(root, status, again);
  else showError(root);
  return status === 200;
}

/**
 * @param {HTMLElement} element
 * @param {number} status
 * @param {string} [message]
 * @param {string} [code]
 * @param {string} [details]
 */
export function emitError(element, status, message, code, details = status ? `HTTP ${status}` : '') {
  code ??= status >= 400 && status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_UNAVAILABLE';
  emit(element, 'error', { code, name: code, message, details });
}

/**
 * When a style sheet is there, or cannot be had.
 * @param {HTMLLinkElement} link
 */
export const loaded = (link) => link.sheet || new Promise((done) => (link.onload = link.onerror = done));

/**
 * Its words may run the other way than the page around it.
 * @param {string} textContent
 */
export function newAlert(textContent) {
  const alert = create('div', { className: `${PREFIX}__error`, role: 'alert', dir: 'auto' });
  alert.append(create('strong', { textContent }));
  return alert;
}

/**
 * @param {string} label
 * @param {() => void} again
 */
export function newRetryButton(label, again) {
  return create('button', { type: 'button', className: `${PREFIX}__retry`, textContent: label, onclick: again });
}

/**
 * The host hears of a refusal that stands in the error place.
 * @param {HTMLElement} root
 */
export function showRefusal(root) {
  const alert = part(root, 'error')?.querySelector('[data-code]');
  if (!alert) return;
  alert.scrollIntoView({ block: 'nearest' });
  /** @param {string} tag */
  const text = (tag) => alert.querySelector(tag)?.textContent ?? '';
  const { code, title = text('strong'), detail = text('p') } = alert.dataset;
  emitError(root, 0, title, code, detail);
}

/**
 * The host gives a new one and says so, see `resume`.
 * @param {HTMLElement} root
 */
export function askForToken(root) {
  emit(root, 'expired');
  tellParent(root, 'expired');
}
