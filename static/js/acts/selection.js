// The selection of people. It is remembered by uid, so that it outlives searches, pages and live changes; the boxes only
// show it. Without this script the boxes are fields of a form.

import { addressOf, create, emit, memoryOf, PREFIX, part, plural, rootOf, withQuery, word } from '../core/component.js';
import { get, wentWell } from '../server/requests.js';
import { boxOf, memberOf, rowsOf } from '../core/rows.js';
import { delay } from '../core/wait.js';

/** @import { Member } from '../core/rows.js' */

/** @param {Element} row */
const isLeaving = (row) => row.classList.contains(`${PREFIX}__row--leaving`);

const MOST_SELECTED = 1_000;
/** Wait before a check that got no answer is repeated, milliseconds. */
const CHECK_AGAIN = 10_000;

/**
 * Deselects everybody.
 * @param {HTMLElement} root
 */
export function clearSelection(root) {
  for (const uid of memoryOf(root).selected.keys()) setSelected(root, uid, false);
}

/**
 * Selects or deselects somebody, tells the host, and shows it in their row, if it is loaded. Somebody without a row needs `who` to be selected.
 * @param {HTMLElement} root
 * @param {string} uid
 * @param {boolean} on
 * @param {Member} [who]
 */
export function setSelected(root, uid, on, who) {
  const { selected } = memoryOf(root);
  const row = part(root, `m-${CSS.escape(uid)}`);
  const box = row && boxOf(row);
  const is = selected.has(uid);
  if (on !== is && (!on || maySelect(root, row, box, who))) {
    const member = selected.get(uid) ?? who ?? memberOf(/** @type {Element} */ (row));
    if (on) selected.set(uid, member);
    else selected.delete(uid);
    emit(root, 'select', { member, selected: on });
    showCount(root);
  }
  if (box) box.checked = selected.has(uid);
}

/**
 * Whether one more person can be selected. In the mode `single`, first deselects whoever is selected.
 * @param {HTMLElement} root
 * @param {Element | null} row
 * @param {HTMLInputElement | null} box
 * @param {Member} [who]
 */
function maySelect(root, row, box, who) {
  const { selected } = memoryOf(root);
  if (row ? !box || isLeaving(row) : !who) return false;
  if (box?.type === 'radio') clearSelection(root);
  if (selected.size < MOST_SELECTED) return true;
  showLimit(root, word(root, 'selection-full'));
  return false;
}

/**
 * Shows a sentence below the number of selected people, until that number changes. It is in an `output`, so it is also spoken.
 * @param {HTMLElement} root
 * @param {string} sentence
 */
export function showLimit(root, sentence) {
  showCount(root);
  const count = part(root, 'count');
  count.dataset.full = '';
  count.append(create('small', { textContent: sentence }));
}

/**
 * Shows how many people are selected.
 * @param {HTMLElement} root
 */
export function showCount(root) {
  const count = part(root, 'count');
  const { size } = memoryOf(root).selected;
  delete count.dataset.full;
  count.toggleAttribute('data-none', !size);
  count.textContent = plural(root, 'selection-count', size);
}

/**
 * Toggles the row that was pressed, if it has a box. With Shift, gives the same state to all rows from the one pressed before.
 * @param {HTMLElement} root
 * @param {Element} row
 * @param {boolean} shift
 */
export async function choose(root, row, shift) {
  const box = boxOf(row);
  if (!box) return;
  const memory = memoryOf(root);
  const { uid, order } = row.dataset;
  const on = !memory.selected.has(uid);
  const { chosen } = memory;
  memory.chosen = { uid, order };
  // A click with Shift has also selected the text in between.
  if (shift) /** @type {Selection} */ (getSelection()).empty();
  if (!shift || !chosen || box.type !== 'checkbox') return setSelected(root, uid, on);
  const rows = rowsOf(root);
  const [from, until] = [chosen.order, order].sort();
  const isThere = rows.some((other) => other.dataset.uid === chosen.uid);
  /** @param {Element} row */
  const between = ({ dataset }) => dataset.order >= from && dataset.order <= until;
  const members = isThere ? rows.filter(between).map(memberOf) : await membersBetween(root, from, until);
  for (const member of members) setSelected(root, member.uid, on, member);
  if (!isThere) ensureChecked(root);
  // The members that were fetched may not reach as far as the pressed row.
  setSelected(root, uid, on);
}

/**
 * Fetches the members between two places of the list from the service, because not all of their rows need be loaded.
 * @param {HTMLElement} root
 * @param {string} from
 * @param {string} until
 * @returns {Promise<Member[]>}
 */
export async function membersBetween(root, from, until) {
  const place = `from=${from}&until=${until}`;
  const answer = await get(root, part(root, 'selection'), addressOf(root, 'format=json', place), { Accept: 'application/json' });
  return answer && wentWell(root, answer) ? JSON.parse(answer.text).data : [];
}

/**
 * Asks the service who of the selected people is no longer a member, and deselects them; only when some have no row on the
 * screen. Needed after a resync, a sync, a new list, a batch act, or an answer during whose wait somebody may have left. False when
 * there was no usable answer.
 * @param {HTMLElement} root
 */
export async function checkSelection(root) {
  // Waits until the rows of the message that caused this check are placed.
  await null;
  const { selected } = memoryOf(root);
  /** @param {Element | null} row */
  const isShown = (row) => row && !isLeaving(row);
  const form = part(root, 'selection');
  if (!form || [...selected.keys()].every((uid) => isShown(part(root, `m-${uid}`)))) return;
  const answer = await get(root, part(root, 'count'), withQuery(form.action, 'format=json'), { Accept: 'application/json' }, 'POST');
  try {
    // Null when a later check has replaced this one; that one asks about everybody too.
    for (const uid of answer ? JSON.parse(answer.text).meta.gone : []) setSelected(root, uid, false);
  } catch {
    return false;
  }
}

/**
 * Checks the selection until the service has answered, or until another list comes, which is checked itself.
 * @param {HTMLElement} root
 */
export async function ensureChecked(root) {
  const rows = part(root, 'list');
  while (rows?.isConnected && (await checkSelection(root)) === false) await delay(CHECK_AGAIN);
}

/**
 * The lists for which the selection has been checked, or is being checked.
 * @type {WeakSet<Element>}
 */
const known = new WeakSet();

/**
 * Checks the selection when a new list arrives, as by a search or a filter: the stream may not resend what happened meanwhile.
 * @param {Element} element
 */
export function listCame(element) {
  const root = rootOf(element);
  const rows = root && part(root, 'list');
  if (!root || !rows || known.has(rows)) return;
  known.add(rows);
  ensureChecked(root);
}

/**
 * Shows in a row's box whether the person is selected, and updates what is remembered about them from the row.
 * @param {HTMLElement} root
 * @param {Element} row
 */
export function showSelected(root, row) {
  const { selected } = memoryOf(root);
  const { uid } = row.dataset;
  const box = boxOf(row);
  if (!box) return;
  // Radio buttons with a common name would have their own arrow keys and tab stop.
  if (box.type === 'radio') box.name = '';
  box.checked = selected.has(uid);
  if (box.checked) selected.set(uid, memberOf(row));
}
