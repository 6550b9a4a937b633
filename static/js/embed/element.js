// The custom element `<chat-group-members group="harbour" token="…">`, for a plain page of any origin. It fetches the
// component and puts it inside itself. The component then runs by itself, and the element signs its requests.

import { absolute, create, emit, PREFIX, rootsIn, word } from '../core/component.js';
import { enter, leave } from './lifecycle.js';
import { resume, stop } from '../live/stream.js';
import { home, htmx, ready } from '../core/loader.js';
import { AGAIN, emitError, loaded, newAlert, newRetryButton, OURS } from '../server/requests.js';
import { focusList } from '../core/rows.js';
import { delay } from '../core/wait.js';

/** The attributes that are sent as props; the service ignores those that it does not know. */
const PROP = /^(hide|search)-|-(since|view|mode|by)$|^(explain|instance|lang|limit|options|scopes|status|theme|title)$/;
const SWITCH = /^(hide|explain)/;
/** Longest wait for the component, milliseconds. */
const LOAD_TIMEOUT = 10_000;

/**
 * Adds the style sheet to a document or shadow root that has none. Gives a promise that settles when a sheet that was added here
 * is loaded.
 * @param {string} base
 * @param {ParentNode & { head?: HTMLHeadElement }} tree
 */
function styled(base, tree) {
  /** @type {HTMLLinkElement | null} */
  const there = tree.querySelector('link[href*="/static/css-variables."]');
  if (there) return there.loaded;
  const link = create('link', { rel: 'stylesheet', href: `${base}/static/css-variables.css` });
  (tree.head ?? tree).append(link);
  return (link.loaded = loaded(link));
}

/**
 * The uid of the person whom a token names.
 * @param {string} token
 */
function subjectOf(token) {
  try {
    return JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))).sub;
  } catch {
    return null;
  }
}

class GroupMembers extends HTMLElement {
  /** @type {string | null | undefined} */
  #token;
  /**
   * The address that the shown component was fetched from.
   * @type {string | undefined}
   */
  #shown;
  #planned = false;
  /**
   * The latest load, until another one or nothing is wanted: an answer to any other is not shown.
   * @type {object | null | undefined}
   */
  #going;

  constructor() {
    super();
    new MutationObserver((changes) => {
      for (const { attributeName: name } of changes) {
        if (name === 'token') this.token = this.getAttribute(name);
        else if (name === 'group' || name === 'src' || PROP.test(/** @type {string} */ (name))) this.#plan();
      }
    }).observe(this, { attributes: true });
    // The host may have set `token` before this class was defined: that property would hide the accessor below.
    if (Object.hasOwn(this, 'token')) {
      const { token } = this;
      delete this.token;
      this.token = token;
    }
  }

  /** The viewer's token. An empty one means that the host will provide one later; null, that none was given. */
  get token() {
    return this.#token ?? this.getAttribute('token');
  }

  /**
   * Uses a new token for all later requests and restarts the stream with it, also after the stream had to stop. Removes the list at
   * once when the token is not for the same person.
   * @param {string | null | undefined} token
   */
  set token(token) {
    const before = this.token;
    token ??= '';
    if (token === before) return;
    this.#token = token;
    const [root] = rootsIn(this);
    if (root && subjectOf(token) === root.dataset.self) {
      // A stream that stayed open would end when the old token expires.
      stop(root);
      resume({ target: root });
    } else if (before || token) {
      // Nobody sees a list of a shadow root go.
      this.disconnectedCallback();
      this.replaceChildren();
    }
    this.#plan();
  }

  connectedCallback() {
    this.#token ??= this.getAttribute('token');
    // `watchPage` does not see what enters and leaves a shadow root.
    rootsIn(this).forEach(enter);
    this.#plan();
  }

  disconnectedCallback() {
    this.#going = null;
    rootsIn(this).forEach(leave);
  }

  /** Plans one load for all attributes that change together. The first load waits until the scripts of the host have run. */
  #plan() {
    if (this.#planned) return;
    this.#planned = true;
    ready.then(() =>
      setTimeout(() => {
        this.#planned = false;
        if (!this.isConnected) return;
        if (this.#shown !== this.#address || !rootsIn(this).length) return this.#load();
        // The attributes name again what is shown: a load of something else is not wanted any more.
        this.#going = null;
        this.ariaBusy = null;
      }),
    );
  }

  get #base() {
    return absolute(this.getAttribute('src') || home || '/').href.replace(/\/$/, '');
  }

  get #address() {
    const query = new URLSearchParams({ part: 'component' });
    for (const { name, value } of this.attributes) {
      const prop = SWITCH.test(name) ? value !== 'false' : value;
      if (PROP.test(name) && value + prop)
        query.set(
          name.replace(/-./g, (letters) => letters[1].toUpperCase()),
          /** @type {string} */ (prop),
        );
    }
    return `${this.#base}/groups/${encodeURIComponent(this.getAttribute('group') ?? '')}/members?${query}`;
  }

  /**
   * Adds the token to a request that goes to the service, and to no other.
   * @param {Signable} request
   */
  sign(request) {
    const { token } = this;
    if (!token || absolute(request.action).origin !== absolute(this.#base).origin) return;
    request.credentials = 'omit';
    request.headers.Authorization = `Bearer ${token}`;
  }

  async #load() {
    const going = (this.#going = {});
    const base = this.#base;
    const address = this.#address;
    if (!this.firstChild) this.append(create('div', { className: `${PREFIX}__row--skeleton` }));
    // The host is asked for a token when it has announced one by an empty token, or when the service is of another origin.
    const { token } = this;
    if (!token && (token === '' || absolute(base).origin !== location.origin)) return emit(this, 'expired');
    this.ariaBusy = 'true';
    /** @type {Signable & RequestInit} */
    const request = { action: address, headers: {}, signal: AbortSignal.timeout(LOAD_TIMEOUT) };
    // The texts of a failure, in the language of the page: fetched while the service can still be reached.
    const words = fetch(`${base}/static/words.json?lang=${/** @type {HTMLElement} */ (this.closest('[lang]') ?? document.documentElement).lang}`, request)
      .then((answer) => answer.json())
      .catch(() => {});
    this.sign(request);
    let status = 0;
    let text = '';
    // The document needs the style sheet too: the variables are declared on its root, so that the host can override them.
    const [styles] = [this.getRootNode(), document].map((tree) => styled(base, tree));
    try {
      const answer = await fetch(address, request);
      text = await answer.text();
      status = answer.status;
      await styles;
    } catch {
      // The service was not reached, or did not answer in time.
    }
    if (going !== this.#going) return;
    this.ariaBusy = null;
    const focused = this.querySelector(':focus-visible');
    if (status !== 200 || !OURS.test(text)) return this.#failed(status, text, words, focused);
    this.#shown = address;
    await htmx.swap({ sourceElement: this, target: this, text, swap: 'innerHTML' });
    const [root] = rootsIn(this);
    if (!root) return;
    if (focused) focusList(root);
    // The element's attribute `title` would be the tooltip of everything inside: an empty one stops that.
    root.title = '';
  }

  /**
   * Shows that a load failed, and plans another if the service was not available. Its texts are those of the list that is shown;
   * without a list, `words`.
   * @param {number} status
   * @param {string} text
   * @param {Promise<any>} words
   * @param {Element | null} focused The element that had the keyboard's focus.
   */
  async #failed(status, text, words, focused) {
    const going = this.#going;
    /** @type {(HTMLElement & { failed?: string, retry?: string })[]} */
    const [root] = rootsIn(this);
    const {
      lang,
      failed = word(root, 'failed'),
      retry = word(root, 'retry'),
    } = root ?? {
      lang: 'en',
      failed: 'The members cannot be shown.',
      retry: 'Try again',
      ...(await words),
    };
    if (going !== this.#going) return;
    if (OURS.test(text)) await htmx.swap({ sourceElement: this, target: this, text, swap: 'innerHTML' });
    else this.replaceChildren(Object.assign(newAlert(failed), { lang }));
    const alert = /** @type {HTMLElement} */ (this.querySelector('[role="alert"]'));
    const message = alert.querySelector('strong')?.textContent;
    const button = newRetryButton(retry, () => this.#load());
    alert.append(button);
    if (focused) button.focus();
    if (status === 401) emit(this, 'expired');
    emitError(this, status, message, alert.dataset.code, alert.querySelector('p')?.textContent);
    if (!status || status >= 500) delay(AGAIN).then(() => going === this.#going && this.isConnected && this.#load());
  }
}

/** Defines the custom element. */
export const defineElement = () => customElements.define(PREFIX, GroupMembers);
