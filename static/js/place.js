// The swap style `place`: each row finds its place by its key. Nobody has to know its neighbours, an
// older state never replaces a newer one, and what lies beyond the loaded window is left out.

function handleSwap(style, rows, fragment, { page, whole, ctx }) {
  // The component anew, for readers without this script: with it, the note `renew` fetches the loaded window.
  if (style === 'renew') return [];
  if (style !== 'place') return;
  const root = rootOf(rows);
  const items = [...fragment.children];
  if (page) return placePage(root, rows, items);
  if (whole) return placeWindow(root, rows, items);
  takeMessage(root, items, ctx.sourceElement !== memoryOf(root).stream);
  return [];
}

/** The next page: the sentinel makes room first, then each row goes to its place. */
function placePage(root, rows, items) {
  const old = sentinelOf(rows);
  const focused = old?.matches(':focus-within');
  const next = items.find((item) => item.classList.contains(`${PREFIX}__next`));
  old?.remove();
  if (next) rows.append(next);
  const placed = items.filter((item) => item !== next && place(root, rows, item));
  if (next) settle(root, next);
  const first = placed.find((item) => item.dataset.uid);
  if (first && focused) go(root, targetOf(find(root, rows, first)));
  else if (focused) (next?.querySelector('a') ?? outside(root)).focus();
  return next ? [next] : [];
}

/** The whole window anew: what is not in it goes, what stays keeps its node, all in the order given. */
function placeWindow(root, rows, items) {
  forgetHeld(root);
  sentinelOf(rows)?.remove();
  const kept = new Set(items.map((item) => item.id));
  for (const child of [...rows.children]) if (!kept.has(child.id)) remove(root, child);
  let cursor = rows.firstElementChild;
  for (const item of items) {
    const there = rows.querySelector(`#${item.id}`);
    if (there) morph(root, there, item);
    const node = there ?? item;
    if (node === cursor) cursor = cursor.nextElementSibling;
    else move(rows, node, cursor);
    if (!there) settle(root, item);
  }
  const next = sentinelOf(rows);
  return next ? [next] : [];
}

/** Brings one row or heading to its present state. Says whether it is in the list now. */
function place(root, rows, item) {
  const memory = memoryOf(root);
  const there = find(root, rows, item);
  memory.held.delete(keyOf(item));
  if (isStale(memory, item, there)) return false;
  memory.seen = Math.max(memory.seen, item.dataset.seq ?? 0);
  if (isGone(item)) {
    memory.gone.set(keyOf(item), item);
    remove(root, there);
    return false;
  }
  if (!isInWindow(rows, item)) {
    remove(root, there);
    return false;
  }
  const before = firstAfter(rows, item.dataset.order);
  if (!there) {
    rows.insertBefore(withoutBrokenPicture(memory, item), before);
    settle(root, item);
  } else {
    const moves = before !== there && before !== there.nextElementSibling;
    morph(root, there, item);
    if (moves) move(rows, there, before);
  }
  return true;
}

const isGone = (item) => item.dataset.gone !== undefined;
const keyOf = (item) => (item.dataset.uid ? `m-${item.dataset.uid}` : `h-${item.dataset.heading}`);
const find = (root, rows, item) => rows.querySelector(`#${root.id}-${keyOf(item)}`);

function isStale(memory, item, there) {
  const shown = there ?? memory.gone.get(keyOf(item));
  return shown ? isOlder(item, shown) : false;
}

/** By the change that last touched it, then by the time of its status. What carries neither is never older. */
function isOlder({ dataset: one }, { dataset: other }) {
  const [seq, shown] = [Number(one.seq), Number(other.seq)];
  return seq < shown || (seq === shown && Number(one.statusAt) < Number(other.statusAt));
}

function isInWindow(rows, item) {
  const sentinel = sentinelOf(rows);
  return !sentinel || item.dataset.order <= sentinel.dataset.order;
}

/** The first element with a larger key; else the sentinel, or null for the end. */
function firstAfter(rows, order) {
  const elements = rows.children;
  let [low, high] = [0, elements.length - (sentinelOf(rows) ? 1 : 0)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elements[middle].dataset.order > order) high = middle;
    else low = middle + 1;
  }
  return elements[low] ?? null;
}

/** Same node, new content: focus, selection and the picture stay. */
function morph(root, there, item) {
  const fragment = document.createDocumentFragment();
  const memory = memoryOf(root);
  const [focused, opened] = [there.matches(':focus-within'), there.contains(memory.opener)];
  fragment.append(withoutBrokenPicture(memory, item));
  api.morph(there, fragment, false);
  settle(root, there);
  // With the last right to act on somebody their button goes: the focus stays in their row.
  if (opened && !there.contains(memory.opener)) memory.opener = targetOf(there);
  if (focused && !there.matches(':focus-within')) go(root, targetOf(there));
}

function move(rows, node, before) {
  if (rows.moveBefore && node.isConnected) return rows.moveBefore(node, before);
  const focused = node.contains(document.activeElement) ? document.activeElement : null;
  rows.insertBefore(node, before);
  focused?.focus({ preventScroll: true });
}

/** Takes a row away; focus inside it goes on to the nearest row, and its menu closes. */
function remove(root, row) {
  if (!row) return;
  const memory = memoryOf(root);
  const focused = row.matches(':focus-within');
  const neighbour = nearest(root, row);
  closeMenuOf(root, row);
  if (row.contains(memory.opener)) memory.opener = neighbour;
  if (row.contains(memory.stop) && list(root).contains(neighbour)) setStop(root, neighbour);
  row.remove();
  if (focused) neighbour.focus();
}

const buttonOf = (row) => row.querySelector(`.${PREFIX}__more`);

function nearest(root, row) {
  for (const side of ['nextElementSibling', 'previousElementSibling']) {
    for (let other = row[side]; other; other = other[side]) if (other.dataset.uid) return targetOf(other);
  }
  return outside(root);
}

/** Where focus goes when there is nobody left. */
const outside = (root) => part(root, 'title') ?? root;

/** A picture that failed once would flash again with every change of its row. */
function withoutBrokenPicture(memory, item) {
  const picture = item.querySelector(`.${PREFIX}__picture`);
  if (picture && memory.brokenPictures.has(picture.src)) picture.remove();
  return item;
}

function pictureFailed(picture) {
  const root = rootOf(picture);
  if (root) memoryOf(root).brokenPictures.add(picture.src);
  picture.remove();
}
