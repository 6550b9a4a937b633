// Selecting people. Who is selected is remembered by uid, so that it outlives searches, pages and every
// live change; the boxes only show it. Without this script the boxes are fields of a form.

const MOST_SELECTED = 1_000;

const boxOf = (row) => row.querySelector(`.${PREFIX}__select`);

/** What a host may do on the root element: `root.chatGroupMembers`. Uids of people who are not loaded are left alone. */
function selectionOf(root) {
  return {
    selected: () => [...memoryOf(root).selected.values()],
    select: (uid) => setSelected(root, uid, true),
    deselect: (uid) => setSelected(root, uid, false),
    clearSelection: () => clearSelection(root),
  };
}

function setSelected(root, uid, on) {
  const { selected } = memoryOf(root);
  const row = part(root, `m-${CSS.escape(uid)}`);
  const box = row && boxOf(row);
  if (on && box?.type === 'radio' && !selected.has(uid)) clearSelection(root);
  const full = on && selected.size >= MOST_SELECTED && !selected.has(uid);
  const can = on ? box && !full && !isLeaving(row) : selected.has(uid);
  if (full) say(root, plural(root, 'selection-full', MOST_SELECTED));
  if (can && on !== selected.has(uid)) {
    const member = selected.get(uid) ?? memberOf(row);
    if (on) selected.set(uid, member);
    else selected.delete(uid);
    emit(root, 'select', { member, selected: on });
    showCount(root);
    queueMicrotask(releaseUnheld);
  }
  if (box) box.checked = selected.has(uid);
}

function clearSelection(root) {
  for (const uid of memoryOf(root).selected.keys()) setSelected(root, uid, false);
}

function showCount(root) {
  const count = part(root, 'count');
  if (count) count.textContent = plural(root, 'selection-count', memoryOf(root).selected.size);
}

/** A press on a row, or on its box; with Shift on all from the one before. */
function choose(root, row, shift) {
  const memory = memoryOf(root);
  const { uid } = row.dataset;
  const on = !memory.selected.has(uid);
  const rows = rowsOf(root);
  const ends = [row, shift && boxOf(row).type === 'checkbox' && rows.find((other) => other.dataset.uid === memory.chosen)];
  const [first, last] = ends.map((end) => rows.indexOf(end || row)).sort((one, other) => one - other);
  for (const { dataset } of rows.slice(first, last + 1)) setSelected(root, dataset.uid, on);
  if (shift) getSelection().empty();
  memory.chosen = uid;
}

/** What becomes of a row that is in the list: its box shows whether it is selected, and the memory how it is now. */
function showSelected(root, row) {
  const { selected } = memoryOf(root);
  const { uid } = row.dataset;
  const box = boxOf(row);
  if (!box) return;
  // Each is a stop of the arrow keys: a group of radios would have arrow keys of its own.
  if (box.type === 'radio') box.name = '';
  box.checked = selected.has(uid);
  if (box.checked) selected.set(uid, memberOf(row));
}

const isSelection = (form) => rootOf(form) && form.id === `${rootOf(form).id}-selection`;

/** Sent are all who are selected, whether their rows are loaded or not. */
function fillSelection({ target, formData }) {
  if (!isSelection(target)) return;
  formData.delete('uid');
  for (const uid of memoryOf(rootOf(target)).selected.keys()) formData.append('uid', uid);
}

function resetSelection(event) {
  if (!isSelection(event.target)) return;
  event.preventDefault();
  clearSelection(rootOf(event.target));
}
