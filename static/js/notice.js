// `chat-group-members-notice.js`, for those of our own pages that say what the act did that led there, with the button that undoes it. Without
// this script its time stands still.

import { PREFIX } from './core/component.js';

const SECOND = 1_000;
/** The parameters of the address that say what was done. */
const DONE = ['done', 'uid'];

/** The events that change how a person stands in the group: an act before them can no longer be undone. */
const OVERTAKING = [
  ...['added', 'joined', 'left', 'kicked', 'banned', 'unbanned', 'scope-changed', 'muted', 'unmuted'].map((name) => `member-${name}`),
  'owner-transferred',
];

/** @returns {HTMLElement | null} */
const noticeOf = () => document.querySelector(`main > .${PREFIX}__notice`);
/** @returns {HTMLElement | null} */
const component = () => document.querySelector(`section.${PREFIX}`);

/** Keeps the notice true for as long as it is there. */
function watchNotice() {
  const notice = noticeOf();
  if (!notice) return;
  const address = new URL(location.href);
  // Whoever goes back to this page sees a copy of it, from before what they did since.
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  const renew = () => {
    for (const name of DONE) address.searchParams.delete(name);
    location.replace(address);
  };
  if (visit?.type === 'back_forward') return renew();
  if (visit?.type === 'navigate') forgetBars();
  addEventListener('pageshow', ({ persisted }) => persisted && noticeOf() && renew());
  countDown(notice);
  const about = address.searchParams.get('uid') ?? component()?.dataset.self;
  for (const name of OVERTAKING) {
    /** @param {any} event */
    const changed = ({ detail }) => detail.member?.uid === about && remove(notice);
    document.addEventListener(`${PREFIX}:${name}`, changed);
  }
}

/** Forgets the bars of undo that lists have stored: the act of the notice is a later one. */
function forgetBars() {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(`${PREFIX}:undo:`)) sessionStorage.removeItem(key);
  } catch {
    // Without storage there is no bar to restore.
  }
}

/** @param {HTMLElement} notice */
function countDown(notice) {
  const form = /** @type {HTMLElement | null} */ (notice.querySelector(`.${PREFIX}__undo`));
  const ends = performance.now() + Number(form?.dataset.seconds) * SECOND;
  const left = form?.querySelector('small');
  // A screen reader should not speak every second.
  if (left) left.ariaHidden = 'true';
  const seconds = new Intl.NumberFormat(document.documentElement.lang, { style: 'unit', unit: 'second', unitDisplay: 'narrow' });
  const timer = setInterval(() => {
    const shown = component();
    // The bar of a later act replaces the notice, and so does the message of a component that has ended.
    if (!notice.isConnected || shown?.matches(`.${PREFIX}--ended`) || shown?.querySelector(`:scope > .${PREFIX}__undo`)) {
      clearInterval(timer);
      return remove(notice);
    }
    const rest = Math.ceil((ends - performance.now()) / SECOND);
    if (rest >= 1 && left) left.textContent = seconds.format(rest);
    else if (form) {
      const hadFocus = form.matches(':focus-within');
      for (const part of form.querySelectorAll(`small, .${PREFIX}__buttons`)) part.remove();
      if (hadFocus) notice.focus();
    }
  }, SECOND);
}

/** @param {HTMLElement} notice */
function remove(notice) {
  const hadFocus = notice.matches(':focus-within');
  notice.remove();
  if (hadFocus) component()?.focus();
}

watchNotice();
