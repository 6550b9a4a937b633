// When a message may change the list. While a hand is on the list - a pointer, a finger, the focus, a menu,
// a text selection - rows are painted where they are, and what would move them waits behind a pill: nobody
// presses on a row that just jumped. What waits too long is placed around the row under the hand.

const LONGEST_HOLD = 30_000;
const MOST_HELD = 200;
/** The text that somebody has marked. */
function selectedText() {
  const selection = getSelection();
  return selection.isCollapsed ? null : selection;
}

/** The row under the hand. */
function handOf(root) {
  const rows = list(root);
  const marked = selectedText();
  const row = (node) => rows.contains(node) && (node.closest ? node : node.parentElement).closest(ROW);
  return (
    row(pressed) ||
    (lastPointer === 'mouse' && rows.querySelector(`${ROW}:hover`)) ||
    rows.querySelector(`${ROW}:focus-within`) ||
    row(marked?.anchorNode) ||
    row(marked?.focusNode) ||
    (isMenuOpen(root) && memoryOf(root).opener?.closest(ROW))
  );
}

function isHeld(root) {
  const rows = list(root);
  const is = (state) => rows.matches(state) || pillOf(root)?.matches(state);
  // The pill belongs to the list: else it would be gone before the press that is meant for it.
  const pointed = lastPointer === 'mouse' && is(':hover');
  return pointed || isTouched() || rows.contains(pressed) || is(':focus-within') || isMenuOpen(root) || Boolean(selectedText()?.containsNode(rows, true));
}

/** A scroller is not corrected during a fling. */
async function atRest(side) {
  while (side === 'previous' && isTouched()) await new Promise((done) => setTimeout(done, TOUCH_REST / 4));
}

/** Applies the items of a message to the list. */
function applyItems(root, items, own) {
  // What the person did is what the person waits for.
  const held = !own && isHeld(root);
  const waits = new Set(items.filter((item) => held && moves(root, item)));
  steadily(root, () => {
    for (const item of items) if (!item.dataset.note && !waits.has(item)) place(root, item);
    // Names may take more lines than before.
    waits.forEach((item) => hold(root, item));
    for (const item of items) NOTES[item.dataset.note]?.(root, item, own);
    settleHeadings(root);
  });
  trim(root);
  showPill(root);
}

/** Whether an item would change the order of the rows, and not only how one looks. */
function moves(root, item) {
  if (!item.dataset.uid) return false;
  const there = find(root, item);
  const stays = !isGone(item) && isInWindow(root, item.dataset.order);
  return there ? !stays || item.dataset.order !== there.dataset.order : stays;
}

/** Paints what can be painted in place; the move waits. Only the latest state of each waits. */
function hold(root, item) {
  const there = find(root, item);
  const stays = !isGone(item) && isInWindow(root, item.dataset.order);
  if (there && stays) paint(root, [item]);
  else if (there) paintLeaving(root, there);
  keep(root, keyOf(item), item);
}

/** Shows how rows are now without moving any. */
function paint(root, items) {
  for (const item of items) {
    const there = find(root, item);
    if (!there) continue;
    const painted = item.cloneNode(true);
    // The key stays with the place, so that the list remains sorted for others.
    painted.dataset.order = there.dataset.order;
    morph(root, there, painted);
  }
}

function paintLeaving(root, row) {
  closeMenuOf(root, row);
  row.classList.add(`${PREFIX}__row--leaving`);
  for (const control of [buttonOf(row), boxOf(row)]) if (control) control.ariaDisabled = 'true';
}

const boxOf = (row) => row.querySelector(`.${PREFIX}__select`);

const isLeaving = (row) => row.classList.contains(`${PREFIX}__row--leaving`);

function keep(root, key, item) {
  const memory = memoryOf(root);
  if (key && (memory.held.size < MOST_HELD || memory.held.has(key))) memory.held.set(key, item);
  else memory.stale = true;
  memory.releaseTimer ||= setTimeout(() => release(root, !isHeld(root)), LONGEST_HOLD);
}

/** What waits goes to its place around the row under the hand; that row itself only if it must. */
function release(root, must) {
  const { held, stale } = memoryOf(root);
  forgetHeld(root);
  if (stale) {
    memoryOf(root).must = isHeld(root);
    owe(root, look);
    return;
  }
  const hand = !must && isHeld(root) && handOf(root);
  steadily(root, () => {
    for (const [key, item] of held) {
      if (hand && find(root, item) === hand) keep(root, key, item);
      else place(root, item);
    }
    settleHeadings(root);
  });
  showPill(root);
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
  pill.hidden = !held.size && !stale;
  if (!pill.hidden) pill.querySelector('span').textContent = plural(root, 'held', held.size || 1);
}

/** Called when a hand went somewhere, or the scroller did: what nothing holds back any more is placed. */
function releaseUnheld() {
  for (const root of rootsIn(document)) {
    const { held, stale } = memoryOf(root);
    if ((held?.size || stale) && !isHeld(root)) release(root);
    if (list(root)) giveSpaceBack(root);
  }
}
