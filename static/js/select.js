// Selecting people. Who is selected is remembered by uid, so that it outlives searches, pages and every
// live change; the boxes only show it. Without this script the boxes are fields of a form.

const MOST_SELECTED = 1_000;

const boxOf = (row) => row.querySelector(`.${PREFIX}__select`);

function beginSelection(root) {
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
  if (!form) return;
  form.addEventListener('reset', clear);
  // Sent are all who are selected, whether their rows are loaded or not.
  form.addEventListener('formdata', ({ formData }) => {
    formData.delete('uid');
    for (const uid of selected.keys()) formData.append('uid', uid);
  });
  // Some may have been ticked before this script came.
  for (const { value } of root.querySelectorAll(`.${PREFIX}__select:checked`)) setSelected(root, value, true);
  showCount(root);
}

function clearSelection(root) {
  for (const uid of memoryOf(root).selected.keys()) setSelected(root, uid, false);
}

function setSelected(root, uid, on) {
  const { selected } = memoryOf(root);
  const row = part(root, `m-${CSS.escape(uid)}`);
  const box = row && boxOf(row);
  const is = selected.has(uid);
  if (on !== is && (!on || maySelect(root, row, box))) {
    const member = selected.get(uid) ?? memberOf(row);
    if (on) selected.set(uid, member);
    else selected.delete(uid);
    emit(root, 'select', { member, selected: on });
    showCount(root);
    queueMicrotask(releaseUnheld);
  }
  if (box) box.checked = selected.has(uid);
}

/** Makes room in the mode `single`, where there is room for one. */
function maySelect(root, row, box) {
  const { selected } = memoryOf(root);
  if (!box || isLeaving(row)) return false;
  if (box.type === 'radio') clearSelection(root);
  if (selected.size < MOST_SELECTED) return true;
  say(root, word(root, 'selection-full'));
  return false;
}

function showCount(root) {
  part(root, 'count').textContent = plural(root, 'selection-count', memoryOf(root).selected.size);
}

/** A press on a row, or on its box; with Shift on all from the one before. */
function choose(root, row, shift) {
  const memory = memoryOf(root);
  const { uid } = row.dataset;
  const on = !memory.selected.has(uid);
  const rows = rowsOf(root);
  const to = rows.indexOf(row);
  const before = rows.findIndex((other) => other.dataset.uid === memory.chosen);
  const from = shift && before >= 0 && boxOf(row).type === 'checkbox' ? before : to;
  for (const { dataset } of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) setSelected(root, dataset.uid, on);
  // Shift has marked the text in between.
  if (shift) getSelection().empty();
  memory.chosen = uid;
}

/** The box of a row in the list shows whether it is selected; what is remembered is as the row is now. */
function showSelected(root, row) {
  const { selected } = memoryOf(root);
  const { uid } = row.dataset;
  const box = boxOf(row);
  if (!box) return;
  // A group of radios would have arrow keys and a tab stop of its own.
  if (box.type === 'radio') box.name = '';
  box.checked = selected.has(uid);
  if (box.checked) selected.set(uid, memberOf(row));
}
