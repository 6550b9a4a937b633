// When a message may change the list. While a window is on its way, messages wait and are applied
// after it. While somebody points at the list, has focus in it or a menu open, rows are painted where
// they are, and what would move them waits behind a pill: nobody presses on a row that just jumped.

const LONGEST_HOLD = 30_000;
const MOST_HELD = 200;

let lastPointer = 'mouse';

function takeMessage(root, items, own) {
  const memory = memoryOf(root);
  const urgent = (item) => ['event', 'live'].includes(item.dataset.note);
  for (const item of items.filter(urgent)) NOTES[item.dataset.note](root, item);
  const rest = items.filter((item) => !urgent(item));
  if (memory.windowRequests.size) memory.waiting.push({ items: rest, own });
  else applyMessage(root, rest, own);
}

function applyWaiting(root) {
  for (const { items, own } of memoryOf(root).waiting.splice(0)) applyMessage(root, items, own);
}

function applyMessage(root, items, own) {
  const rows = list(root);
  // What the person did is what the person waits for.
  const held = !own && isHeld(root, rows);
  for (const item of items) {
    if (item.dataset.note) NOTES[item.dataset.note]?.(root, item);
    else if (held) hold(root, rows, item);
    else place(root, rows, item);
  }
  showPill(root);
}

function isHeld(root, rows) {
  // The pill belongs to the list: else it would be gone before the press that is meant for it.
  const is = (state) => rows.matches(state) || pillOf(root)?.matches(state);
  const pointed = lastPointer === 'mouse' && is(':hover');
  return pointed || is(':focus-within') || isMenuOpen(root) || memoryOf(root).selected.size > 0;
}

/** Paints what can be painted in place; what would move waits. Only the latest state of each waits. */
function hold(root, rows, item) {
  const memory = memoryOf(root);
  const there = find(root, rows, item);
  if (isStale(memory, item, there)) return;
  const stays = !isGone(item) && isInWindow(rows, item);
  const moves = there ? !stays || item.dataset.order !== there.dataset.order : stays;
  if (!moves) {
    place(root, rows, item);
    return;
  }
  if (there && stays) {
    const painted = item.cloneNode(true);
    // The key stays with the place, so that the list remains sorted for others.
    painted.dataset.order = there.dataset.order;
    morph(root, there, painted);
  } else if (there) paintLeaving(root, there);
  keep(root, keyOf(item), item);
}

function paintLeaving(root, row) {
  closeMenuOf(root, row);
  row.classList.add(`${PREFIX}__row--leaving`);
  for (const control of [buttonOf(row), boxOf(row)]) if (control) control.ariaDisabled = 'true';
}

const isLeaving = (row) => row.classList.contains(`${PREFIX}__row--leaving`);

function keep(root, key, item) {
  const memory = memoryOf(root);
  if (memory.held.size < MOST_HELD || memory.held.has(key)) memory.held.set(key, item);
  else memory.stale = true;
  memory.releaseTimer ||= setTimeout(() => release(root), LONGEST_HOLD);
}

function release(root) {
  const { held, stale } = memoryOf(root);
  forgetHeld(root);
  if (stale) resync(root);
  else for (const item of held.values()) place(root, list(root), item);
}

function forgetHeld(root) {
  const memory = memoryOf(root);
  clearTimeout(memory.releaseTimer);
  Object.assign(memory, { held: new Map(), stale: false, releaseTimer: 0 });
  showPill(root);
}

const pillOf = (root) => root.querySelector(`.${PREFIX}__held`);

function showPill(root) {
  const { held, stale } = memoryOf(root);
  const pill = pillOf(root);
  if (!pill) return;
  const members = [...held.keys()].filter((key) => !key.startsWith('h-')).length;
  pill.hidden = !members && !stale;
  if (!pill.hidden) pill.querySelector('span').textContent = plural(root, 'held', members || 1);
}

/** Called when pointer or focus went somewhere: what nobody holds any more is released. */
function releaseUnheld() {
  for (const root of rootsIn(document)) {
    const memory = memoryOf(root);
    if (memory.held?.size && !isHeld(root, list(root))) release(root);
  }
}

/** The server cannot say what changed: the window is fetched again. */
function resync(root) {
  const rows = list(root);
  htmx.ajax('GET', windowAddress(root, 'rows'), { source: rows, target: rows, swap: 'place whole:true' });
}
