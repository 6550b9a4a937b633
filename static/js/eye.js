// What a person looks at stays where it is. The eye is the row under a finger, the pointer, the focus or
// a text selection; else the first row that is fully visible. Whatever changes around it, the scroller
// makes good for.

/** A row that has just come or moved is not yet seen: a press on it is meant for another, milliseconds. */
const UNSEEN = 500;

/** The nearest box that scrolls the list: our own, one of the host's, or the page. */
function scrollerOf(root) {
  for (let box = list(root).parentElement; box && box !== document.body; box = box.parentElement) {
    if (box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY)) return box;
  }
  return document.scrollingElement;
}

/** The visible part of a scroller: its upper and its lower edge. */
function edgesOf(scroller) {
  if (scroller === document.scrollingElement) return [0, innerHeight];
  const { top, bottom } = scroller.getBoundingClientRect();
  return [Math.max(top, 0), Math.min(bottom, innerHeight)];
}

const topOf = (row) => row.getBoundingClientRect().top;

/** The rows that are at least partly in sight, from top to bottom, with where each of them is. */
function rowsInSight(root) {
  const [upper, lower] = edgesOf(scrollerOf(root));
  const seen = new Map();
  for (const row of rowsOf(root)) {
    const { top, bottom } = row.getBoundingClientRect();
    if (top >= lower) break;
    if (bottom > upper) seen.set(row, { top, whole: top >= upper - 1 && bottom <= lower + 1 });
  }
  return seen;
}

function eyeOf(root, seen = rowsInSight(root)) {
  const held = handOf(root);
  if (seen.has(held)) return held;
  const rows = [...seen.keys()];
  return rows.find((row) => seen.get(row).whole) ?? rows[0];
}

/** Changes the list around the eye. At the very top of an unheld list, what comes pushes the rest down. */
function steadily(root, change) {
  const seen = rowsInSight(root);
  const eye = eyeOf(root, seen);
  const atTop = !isHeld(root) && eye === rowsOf(root)[0] && !endOf(root, 'previous');
  change();
  const rows = [...seen.keys()];
  // Whoever was looked at may have gone: then the next.
  const anchor = [eye, ...rows.slice(rows.indexOf(eye))].find((row) => row?.isConnected);
  const drift = () => topOf(anchor) - seen.get(anchor).top;
  if (anchor && !atTop && drift()) {
    scrollBy(root, drift());
    // The list has become too short to be scrolled so far.
    if (drift() >= 1) {
      setSpace(root, spaceOf(root) + drift());
      scrollBy(root, drift());
    }
  }
  giveSpaceBack(root);
  const now = performance.now();
  for (const [row, { top }] of rowsInSight(root)) if (!seen.has(row) || Math.abs(seen.get(row).top - top) >= 1) row.movedAt = now;
}

function scrollBy(root, top) {
  const scroller = scrollerOf(root);
  scroller.scrollTo({ top: scroller.scrollTop + top, behavior: 'instant' });
}

/** Empty space below the list, pixels. */
const spaceOf = (root) => parseFloat(list(root).style.marginBlockEnd) || 0;
const setSpace = (root, space) => (list(root).style.marginBlockEnd = `${space}px`);

/** Space that is out of sight is not needed any more. */
function giveSpaceBack(root) {
  const space = spaceOf(root);
  const { scrollTop, scrollHeight, clientHeight } = scrollerOf(root);
  if (space) setSpace(root, Math.max(space - (scrollHeight - clientHeight - scrollTop), 0));
}

const isUnseen = (row) => performance.now() - row.movedAt < UNSEEN;

/** How far the list may shrink above the eye: the scroller has to be able to follow. */
function roomOf(root) {
  const { scrollTop } = scrollerOf(root);
  return { eye: eyeOf(root), above: scrollTop, free: scrollTop < 1 && !isHeld(root) };
}

/** Whether an item can take its place without moving the eye; then it takes its share of the room. */
function fits(root, room, item) {
  const { eye, free } = room;
  if (free || !eye || !moves(root, item)) return true;
  const there = find(root, item);
  if (there === eye) return !isHeld(root);
  if (!there || !(eye.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_PRECEDING)) return true;
  room.above -= there.offsetHeight;
  return room.above >= 0;
}
