// Requests of a component. Each, except the stream's, sends the event id of the screen and has a timeout. A failure is shown in
// the error place, with a retry button where there is something to retry.

import { tellParent } from '#page';
import { absolute, create, emit, memoryOf, PREFIX, part, rootOf, word } from '../core/component.js';
import { home, htmx } from '../core/loader.js';
import { focusList } from '../core/rows.js';

/** Timeout of a GET request, milliseconds. */
export const LONGEST_REQUEST = 10_000;
/** Timeout of any other request, milliseconds; longer because an act may wait for a lock. */
const LONGEST_ACT = 30_000;

/** Delay before a list that could not be fetched is requested again, milliseconds. */
export const AGAIN = 5_000;

/** Matches the start of the service's own markup; not the page of a proxy, or of a host that answers every address. */
export const OURS = /^\s*<\w+ [^>]*class="chat-group-members/;

/**
 * The result of `get`. `id` is the event id of the state that it describes; `ours` is true when it comes from the service, not a proxy.
 * @typedef {{ status: number, text: string, id: string, ours?: boolean }} Answer
 */

/**
 * The answer to the latest request of each source.
 * @type {WeakMap<Element, Answer>}
 */
const latest = new WeakMap();

/**
 * Makes a request for a component through htmx, so that what the host adds to htmx requests applies to it. The answer has status 0 when
 * the service was not reached or timed out; it is null when the same source has made another request meanwhile.
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
      const ours = isOurs(response);
      // A success that is not ours is a login page, or the page of a proxy or of a host that answers every address: no answer at all.
      if (ours || !response.ok) Object.assign(answer, { status: response.status, id: response.headers.get('Last-Event-ID') ?? '', text, ours });
    } catch {
      // `answer` keeps status 0.
    }
    return new Response(null, { status: 204 });
  };
  await htmx.ajax(method, address, { source, target: source, swap: 'none', headers, fetch: load });
  return latest.get(source) === answer ? answer : null;
}

/**
 * Whether a response is the service's answer to this component: what it says names the event that it is as of, and its errors where
 * they are shown. The pages of a proxy do neither.
 * @param {Response} response
 */
export const isOurs = ({ headers }) => headers.has('Last-Event-ID') || headers.has('HX-Retarget');

/**
 * Prepares a request of a component. False stops it.
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
export function configRequest(source, { ctx }) {
  ctx.root = rootOf(source);
  if (!ctx.root) return;
  const { request } = ctx;
  // The page may be of another origin. htmx can set the mode only for all requests of a page.
  request.mode = 'cors';
  const place = ctx.root.closest(PREFIX);
  if (place) place.sign(request);
  // Outside the custom element, only this service is requested: the page may contain untrusted markup.
  else if (!absolute(request.action).href.startsWith(`${home}/`)) return false;
  const { streamNode, seen } = memoryOf(ctx.root);
  request.timeout = request.method === 'GET' ? LONGEST_REQUEST : LONGEST_ACT;
  if (source === streamNode) request.timeout = 0;
  else if (seen) request.headers['Last-Event-ID'] = seen;
}

/**
 * Shows and reports that a request failed; the retry button calls `again`.
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
 * Shows an alert in the component's error place, or clears the place. Keyboard focus in the old alert moves to the new
 * alert's button, or to the list.
 * @param {HTMLElement} root
 * @param {...Element} alert
 */
export function showError(root, ...alert) {
  const place = part(root, 'error');
  const focused = place?.querySelector(':focus-visible');
  place?.replaceChildren(...alert);
  if (focused) focusList(root, place.querySelector('button'));
}

/**
 * Shows the outcome of `get`: the service's refusal, a failure, or no alert after a success. Returns whether it succeeded.
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
 * Tells the host of an error, with the fields that the original component gives its own.
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
 * Awaits that a style sheet has loaded or failed to load.
 * @param {HTMLLinkElement} link
 */
export const loaded = (link) => link.sheet || new Promise((done) => (link.onload = link.onerror = done));

/**
 * Creates an alert. Its text may have another direction than the page around it, hence `dir`.
 * @param {string} textContent
 */
export function newAlert(textContent) {
  const alert = create('div', { className: `${PREFIX}__error`, role: 'alert', dir: 'auto' });
  alert.append(create('strong', { textContent }));
  return alert;
}

/**
 * Creates the button that tries again.
 * @param {string} label
 * @param {() => void} again
 */
export function newRetryButton(label, again) {
  return create('button', { type: 'button', className: `${PREFIX}__retry`, textContent: label, onclick: again });
}

/**
 * Scrolls a refusal in the error place into view and reports it to the host.
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
 * Asks the host for a new token. The host answers with `resume`, see live/stream.js.
 * @param {HTMLElement} root
 */
export function askForToken(root) {
  emit(root, 'expired');
  tellParent(root, 'expired');
}
