// Selecting people. The selection is remembered by uid, so that it outlives searches, pages and every live change;
// the boxes only show it. Without this script the boxes are fields of a form.

import { addressOf, create, emit, memoryOf, PREFIX, part, plural, rootOf, withQuery, word } from '../component.js';
import { get, wentWell } from '../requests.js';
import { boxOf, memberOf, rowsOf } from '../rows.js';
import { delay } from '../wait.js';

/** @import { Member } from '../rows.js' */

/** @param {Element} row */
const isLeaving = (row) => row.classList.contains(`${PREFIX}__row--leaving`);

const MOST_SELECTED = 1_000;
/** Between tries for a check that nobody answers, milliseconds. */
const CHECK_AGAIN = 10_000;

/** @param {HTMLElement} root */
export function clearSelection(root) {
  for (const uid of memoryOf(root).selected.keys()) setSelected(root, uid, false);
}

/**
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
 * Makes room in the mode `single`, where there is room for one.
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
 * That there is no more room, below how many are selected, until that changes: an `output` is also spoken.
 * @param {HTMLElement} root
 * @param {string} sentence
 */
export function showLimit(root, sentence) {
  showCount(root);
  const count = part(root, 'count');
  count.dataset.full = '';
  count.append(create('small', { textContent: sentence }));
}

/** @param {HTMLElement} root */
export function showCount(root) {
  const count = part(root, 'count');
  delete count.dataset.full;
  count.textContent = plural(root, 'selection-count', memoryOf(root).selected.size);
}

/**
 * A press on a row, or on its box, if it has one; with Shift on all from the one before.
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
  // Shift has marked the text in between.
  if (shift) /** @type {Selection} */ (getSelection()).empty();
  if (!shift || !chosen || box.type !== 'checkbox') return setSelected(root, uid, on);
  const rows = rowsOf(root);
  const [from, until] = [chosen.order, order].sort();
  const isThere = rows.some((other) => other.dataset.uid === chosen.uid);
  /** @param {Element} row */
  const between = ({ dataset }) => dataset.order >= from && dataset.order <= until;
  const members = isThere ? rows.filter(between).map(memberOf) : await membersBetween(root, from, until);
  for (const member of members) setSelected(root, member.uid, on, member);
  if (!isThere) checkSelection(root);
  // Also for rows so far apart that those between are not all loaded.
  setSelected(root, uid, on);
}

/**
 * Some of them have been let go of: the service knows them all.
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
 * Whoever is selected and not on the screen may be no member any more: after a resync, a sync, another list, an act on several, and
 * an answer on its way to which somebody may have left. False when nobody answers.
 * @param {HTMLElement} root
 */
export async function checkSelection(root) {
  // The rows of the message that asks for this check are placed first.
  await null;
  const { selected } = memoryOf(root);
  /** @param {Element | null} row */
  const isShown = (row) => row && !isLeaving(row);
  const form = part(root, 'selection');
  if (!form || [...selected.keys()].every((uid) => isShown(part(root, `m-${uid}`)))) return;
  const answer = await get(root, part(root, 'count'), withQuery(form.action, 'format=json'), { Accept: 'application/json' }, 'POST');
  try {
    // Null: a later check asks about all of them too.
    for (const uid of answer ? JSON.parse(answer.text).meta.gone : []) setSelected(root, uid, false);
  } catch {
    return false;
  }
}

/**
 * Lists that have come.
 * @type {WeakSet<Element>}
 */
const known = new WeakSet();

/**
 * With a search or a filter another list comes, whose stream goes on from the state that it shows. What happened between the last
 * message of the stream before and that state is in neither.
 * @param {Element} element
 */
async function listCame(element) {
  const root = rootOf(element);
  const rows = root && part(root, 'list');
  if (!root || !rows || known.has(rows)) return;
  known.add(rows);
  while (rows.isConnected && (await checkSelection(root)) === false) await delay(CHECK_AGAIN);
}

export const selectionHooks = { htmx_after_process: listCame };

/**
 * The box of a row in the list shows whether it is selected; what is remembered is as the row is now.
 * @param {HTMLElement} root
 * @param {Element} row
 */
export function showSelected(root, row) {
  const { selected } = memoryOf(root);
  const { uid } = row.dataset;
  const box = boxOf(row);
  if (!box) return;
  // A group of radios would have arrow keys and a tab stop of its own.
  if (box.type === 'radio') box.name = '';
  box.checked = selected.has(uid);
  if (box.checked) selected.set(uid, memberOf(row));
}
