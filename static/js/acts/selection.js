// Selecting people. The selection is remembered by uid, so that it outlives searches, pages and every live change;
// the boxes only show it. Without this script the boxes are fields of a form.

import { addressOf, create, emit, memoryOf, PREFIX, part, plural, word } from '../component.js';
import { get, LONGEST_REQUEST, showError, wentWell } from '../requests.js';
import { boxOf, find, memberOf, rowsOf } from '../rows.js';
import { askBatch } from './batch.js';
import { forThisView } from './sending.js';

/** @import { Member } from '../rows.js' */

/** @param {Element} row */
const isLeaving = (row) => row.classList.contains(`${PREFIX}__row--leaving`);

const MOST_SELECTED = 1_000;

/** @param {HTMLElement} root */
export function beginSelection(root) {
  const { selected } = memoryOf(root);
  const clear = () => clearSelection(root);
  // For scripts of the host. Uids of people whose rows are not loaded are left alone.
  root.chatGroupMembers = {
    selected: () => [...selected.values()],
    select: (uid) => setSelected(root, uid, true),
    deselect: (uid) => setSelected(root, uid, false),
    clearSelection: clear,
  };
  const form = part(root, 'selection');
  // The script may have failed to load before.
  showError(root);
  form.addEventListener('reset', clear);
  // By default a browser leaves half of a button out of sight.
  form.addEventListener('focusin', ({ target }) => /** @type {Element} */ (target).scrollIntoView({ block: 'nearest', inline: 'nearest' }));
  // The form sends everybody who is selected, whether their rows are loaded or not.
  form.addEventListener('formdata', ({ formData }) => {
    formData.delete('uid');
    for (const uid of selected.keys()) formData.append('uid', uid);
  });
  // The next page leads back to the current view.
  form.addEventListener('submit', (/** @type {SubmitEvent} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.submitter);
    if (button?.name === 'act') {
      event.preventDefault();
      return askBatch(root, button);
    }
    form.action = forThisView(root, form.action);
  });
  const all = /** @type {HTMLButtonElement | null} */ (form.querySelector('[data-select-all]'));
  if (all) {
    all.hidden = false;
    all.onclick = () => selectAll(root);
  }
  // Some may have been ticked before this script came, with rows or elsewhere in the list.
  for (const label of form.querySelectorAll('label')) setSelected(root, label.dataset.uid, true, memberOf(label));
  form.querySelector('details')?.remove();
  for (const { value } of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll(`.${PREFIX}__select:checked`))) setSelected(root, value, true);
  showCount(root);
}

/**
 * Everybody who matches the search and the filters, as far as there is room for them.
 * @param {HTMLElement} root
 */
async function selectAll(root) {
  const members = await membersBetween(root, '0', '~');
  for (const member of members) setSelected(root, member.uid, true, member);
  checkSelection(root);
  const all = Number(root.dataset.count);
  if (members.length >= all) return;
  const number = new Intl.NumberFormat(root.lang);
  const first = members.filter(({ uid }) => memoryOf(root).selected.has(uid)).length;
  showLimit(root, word(root, 'selection-first').replace('{n}', number.format(first)).replace('{all}', number.format(all)));
}

/** @param {HTMLElement} root */
function clearSelection(root) {
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
function showLimit(root, sentence) {
  showCount(root);
  const count = part(root, 'count');
  count.dataset.full = '';
  count.append(create('small', { textContent: sentence }));
}

/** @param {HTMLElement} root */
function showCount(root) {
  const count = part(root, 'count');
  delete count.dataset.full;
  count.textContent = plural(root, 'selection-count', memoryOf(root).selected.size);
}

/**
 * A press on a row, or on its box; with Shift on all from the one before.
 * @param {HTMLElement} root
 * @param {Element} row
 * @param {boolean} shift
 */
export async function choose(root, row, shift) {
  const memory = memoryOf(root);
  const { uid, order } = row.dataset;
  const on = !memory.selected.has(uid);
  const { chosen } = memory;
  memory.chosen = { uid, order };
  // Shift has marked the text in between.
  if (shift) /** @type {Selection} */ (getSelection()).empty();
  if (!shift || !chosen || /** @type {HTMLInputElement} */ (boxOf(row)).type !== 'checkbox') return setSelected(root, uid, on);
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
async function membersBetween(root, from, until) {
  const place = `from=${from}&until=${until}`;
  const answer = await get(root, part(root, 'selection'), addressOf(root, 'format=json', place), { Accept: 'application/json' });
  return answer && wentWell(root, answer) ? JSON.parse(answer.text).data : [];
}

/**
 * After a resync, a sync or an answer on its way to which somebody may have left: whoever is selected and not on the screen may be no
 * member any more. False when nobody answers.
 * @param {HTMLElement} root
 */
export async function checkSelection(root) {
  // The rows of the message that asks for this check are placed first.
  await null;
  const { selected, seen } = memoryOf(root);
  /** @param {Element | null} row */
  const isShown = (row) => row && !isLeaving(row);
  const outside = [...selected.keys()].filter((uid) => !isShown(find(root, { dataset: { uid } })));
  const form = part(root, 'selection');
  if (!form || !outside.length) return;
  const headers = { Accept: 'application/json', 'Last-Event-ID': seen };
  const body = new URLSearchParams(outside.map((uid) => ['uid', uid]));
  const request = { action: form.action, method: 'POST', headers, body, signal: AbortSignal.timeout(LONGEST_REQUEST) };
  root.closest(PREFIX)?.sign(request);
  try {
    const answer = await fetch(request.action, request);
    for (const uid of (await answer.json()).meta.gone) setSelected(root, uid, false);
  } catch {
    return false;
  }
}

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
