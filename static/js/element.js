// The custom element: `<chat-group-members group="harbour" token="…">` in a plain page of any origin. It fetches the
// component and puts it inside itself; the component then runs by itself, and this element signs its requests.

import { absolute, create, emit, memoryOf, PREFIX, rootsIn, word } from './component.js';
import { enter, leave } from './lifecycle.js';
import { resume, stop } from './live.js';
import { home, htmx, ready } from './loader.js';
import { AGAIN, emitError, loaded, newAlert, newRetryButton, OURS } from './requests.js';
import { delay } from './wait.js';

/** The attributes that are props; the service ignores one that it does not know. */
const PROP = /^(hide|search)-|-(since|view|mode|by)$|^(explain|instance|lang|limit|options|scopes|status|theme|title)$/;
const SWITCH = /^(hide|explain)/;

/**
 * The style sheet, once in a page or a shadow root, unless it is there.
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
   * The address of what is shown.
   * @type {string | undefined}
   */
  #shown;
  #planned = false;
  /** @type {AbortController | undefined} */
  #going;

  constructor() {
    super();
    new MutationObserver((changes) => {
      for (const { attributeName: name } of changes) {
        if (name === 'token') this.token = this.getAttribute(name);
        else if (name === 'group' || name === 'src' || PROP.test(/** @type {string} */ (name))) this.#plan();
      }
    }).observe(this, { attributes: true });
    // Set by the host before this script came: it would hide the accessor below.
    if (Object.hasOwn(this, 'token')) {
      const { token } = this;
      delete this.token;
      this.token = token;
    }
  }

  /** A viewer's token; empty while there is none yet, or none any more. */
  get token() {
    return this.#token ?? this.getAttribute('token');
  }

  /**
   * A new one is used from then on, by the stream too, and wakes a list that had to stop. Another person's list goes at once.
   * @param {string | null | undefined} token
   */
  set token(token) {
    const before = this.token;
    token ??= '';
    if (token === before) return;
    this.#token = token;
    const [root] = rootsIn(this);
    if (root && subjectOf(token) === root.dataset.self) {
      // A stream that is open would end with the token before.
      stop(root);
      resume({ target: root });
    } else if (before || token) {
      this.#going?.abort();
      this.replaceChildren();
    }
    this.#plan();
  }

  connectedCallback() {
    this.#token ??= this.getAttribute('token');
    // In a shadow root nobody sees that it comes and goes.
    rootsIn(this).forEach(enter);
    this.#plan();
  }

  disconnectedCallback() {
    this.#going?.abort();
    rootsIn(this).forEach(leave);
  }

  /** For all attributes that change at once, one request; the first, once the scripts of the host have run. */
  #plan() {
    if (this.#planned) return;
    this.#planned = true;
    ready.then(() =>
      setTimeout(() => {
        this.#planned = false;
        if (!this.isConnected) return;
        if (this.#shown !== this.#address || !rootsIn(this).length) return this.#load();
        // What was asked for meanwhile is not wanted any more.
        this.#going?.abort();
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
      const said = SWITCH.test(name) ? value !== 'false' : value;
      if (PROP.test(name) && value + said)
        query.set(
          name.replace(/-./g, (letters) => letters[1].toUpperCase()),
          /** @type {string} */ (said),
        );
    }
    return `${this.#base}/groups/${encodeURIComponent(this.getAttribute('group') ?? '')}/members?${query}`;
  }

  /**
   * The bearer goes to the service, and nowhere else.
   * @param {Signable} request
   */
  sign(request) {
    const { token } = this;
    if (!token || absolute(request.action).origin !== absolute(this.#base).origin) return;
    request.credentials = 'omit';
    request.headers.Authorization = `Bearer ${token}`;
  }

  async #load() {
    this.#going?.abort();
    const going = (this.#going = new AbortController());
    const base = this.#base;
    const address = this.#address;
    if (!this.firstChild) this.append(create('div', { className: `${PREFIX}__row--skeleton` }));
    // The host is asked for a token. An empty one means that it will come later.
    const { token } = this;
    if (!token && (token === '' || absolute(base).origin !== location.origin)) return emit(this, 'expired');
    this.ariaBusy = 'true';
    /** @type {Signable & RequestInit} */
    const request = { action: address, headers: {}, signal: going.signal };
    this.sign(request);
    let status = 0;
    let text = '';
    // The variables of the look are declared on the document's root, so that the host's win.
    const [styles] = [this.getRootNode(), document].map((tree) => styled(base, tree));
    // The message for when the service cannot be reached, in the language of the page: fetched while it can be.
    const words = fetch(`${base}/static/words.json?lang=${/** @type {HTMLElement} */ (this.closest('[lang]') ?? document.documentElement).lang}`)
      .then((answer) => answer.json())
      .catch(() => {});
    try {
      const answer = await fetch(address, request);
      text = await answer.text();
      status = answer.status;
      await styles;
    } catch {
      // Not reached; or not wanted any more.
    }
    if (going.signal.aborted) return;
    this.ariaBusy = null;
    const focused = this.querySelector(':focus-visible');
    if (status !== 200 || !OURS.test(text)) return this.#failed(status, text, words, focused);
    this.#shown = address;
    await htmx.swap({ sourceElement: this, target: this, text, swap: 'innerHTML' });
    const [root] = rootsIn(this);
    if (!root) return;
    if (focused) memoryOf(root).stop?.focus();
    // Inherited by everything inside, the attribute `title` would show as a tooltip.
    root.title = '';
  }

  /**
   * `words` are shown when there is no list with texts of its own.
   * @param {number} status
   * @param {string} text
   * @param {Promise<any>} words
   * @param {Element | null} focused What a keyboard was at.
   */
  async #failed(status, text, words, focused) {
    const going = /** @type {AbortController} */ (this.#going);
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
    if (going.signal.aborted) return;
    if (OURS.test(text)) await htmx.swap({ sourceElement: this, target: this, text, swap: 'innerHTML' });
    else this.replaceChildren(Object.assign(newAlert(failed), { lang }));
    const alert = /** @type {HTMLElement} */ (this.querySelector('[role="alert"]'));
    const message = alert.querySelector('strong')?.textContent;
    const button = newRetryButton(retry, () => this.#load());
    alert.append(button);
    if (focused) button.focus();
    if (status === 401) emit(this, 'expired');
    emitError(this, status, message, alert.dataset.code);
    if (!status || status >= 500) delay(AGAIN).then(() => going === this.#going && this.isConnected && this.#load());
  }
}

export const defineElement = () => customElements.define(PREFIX, GroupMembers);
