// The loaded window: a bounded part of the list with two ends. A sentinel stands at each end behind which
// there is more; in sight, it asks for more, and the far end lets go of as much.

const MOST_ROWS = 300;
/** Rows to each side of the eye, as far as they are loaded, that a look fetches. */
const LOOK = 60;
/** What stands at an end is asked for so long before it comes into sight. */
const AHEAD = '600px 0px';
/** Between tries of a look that fails, milliseconds; grows. */
const FIRST_RETRY = 500;

const ahead = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) extend(rootOf(target), target);
  },
  { rootMargin: AHEAD, scrollMargin: AHEAD },
);

/** The sentinel at an end of the window; null when the list is loaded up to there. */
function endOf(root, side) {
  const rows = list(root);
  const end = side === 'next' ? rows?.lastElementChild : rows?.firstElementChild;
  return end?.matches(`.${PREFIX}__${side}`) ? end : null;
}

/** Asks for the page behind an end. A place holds nothing that an address would have to escape. */
const pageAt = (side, order) => `${side === 'next' ? 'cursor' : 'before'}=${order}`;

/** Ends the window at a place, or, without one, at the end of the list. */
function setEnd(root, side, order) {
  const old = endOf(root, side);
  if (old) ahead.unobserve(old);
  const focused = old?.matches(':focus-within');
  old?.remove();
  if (!order) return focused;
  const end = create('li', { id: `${root.id}-${side}`, className: `${PREFIX}__${side}` });
  end.dataset.order = order;
  end.append(create('a', { href: addressOf(root, pageAt(side, order)), textContent: word(root, side) }));
  if (side === 'next') list(root).append(end);
  else list(root).prepend(end);
  settle(root, end);
  ahead.observe(end);
  return focused;
}

/** What a fetched part of the list holds: its members and headings, and its own ends. */
function readRows(text) {
  const holder = document.createElement('template');
  holder.innerHTML = text;
  const all = [...holder.content.children];
  const isEnd = (side) => (item) => item.matches(`.${PREFIX}__${side}`);
  const items = all.filter((item) => item.dataset.uid || item.dataset.heading);
  return { items, rows: items.filter((item) => item.dataset.uid), previous: all.find(isEnd('previous')), next: all.find(isEnd('next')) };
}

/** Fetches rows at a place; null when something else is wanted by now. */
async function getRows(root, source, place) {
  const rows = list(root);
  const answer = await get(root, source, addressOf(root, 'part=rows', place));
  return rows.isConnected ? answer : null;
}

/** Loads the page behind an end of the window; `focus` to go on in it. The last row that was there stays under the eye. */
async function extend(root, end, focus) {
  const { extending } = memoryOf(root);
  const side = end.matches(`.${PREFIX}__next`) ? 'next' : 'previous';
  const under = extending[side];
  extending[side] = { focus: focus || under?.focus };
  // It is on its way already.
  if (under) return;
  const request = beginRequest(root);
  const { order } = end.dataset;
  const loading = part(root, 'loading');
  loading.classList.toggle('htmx-request', side === 'next');
  const answer = await getRows(root, end, pageAt(side, order));
  if (loading.isConnected) steadily(root, () => loading.classList.remove('htmx-request'));
  // Let go of, or loaded anew, meanwhile: its place is another now.
  const current = answer && endOf(root, side);
  const well = current && wentWell(root, answer, () => extend(root, endOf(root, side) ?? end, focus));
  if (well && current.dataset.order === order) {
    await atRest(side);
    const { items, rows, ...ends } = readRows(answer.text);
    steadily(root, () => {
      const focused = setEnd(root, side, ends[side] && (side === 'next' ? rows.at(-1) : rows[0])?.dataset.order);
      for (const item of items) place(root, item);
      settleHeadings(root);
      const first = side === 'next' ? rows[0] : rows.at(-1);
      const row = first && find(root, first);
      if ((focused || extending[side].focus) && row) go(root, targetOf(row));
      else if (focused) (endOf(root, side)?.querySelector('a') ?? outside(root)).focus();
    });
    trim(root, side === 'next' ? 'previous' : 'next');
  }
  extending[side] = null;
  endRequest(root, request, well && answer.id);
  // Still in sight: the observer tells only of what changes.
  const again = endOf(root, side);
  if (again) {
    ahead.unobserve(again);
    if (!well) await nap(LONGEST_REQUEST);
    if (again.isConnected) ahead.observe(again);
  }
}

/** What keeps its end of the window loaded: focus, or a text selection. */
const isKept = (row) => row.matches(':focus-within') || row.contains(selectedText()?.anchorNode) || row.contains(selectedText()?.focusNode);

/** Lets go of rows at the end that is far from the eye. */
function trim(root, side) {
  const rows = rowsOf(root);
  const spare = rows.length - MOST_ROWS;
  if (spare <= 0) return;
  const middle = rows.indexOf(eyeOf(root));
  side ??= middle * 2 > rows.length ? 'previous' : 'next';
  const far = side === 'previous' ? rows.slice(0, spare) : rows.slice(-spare).reverse();
  const kept = far.findIndex((row) => isKept(row) || row === rows[middle]);
  const gone = kept < 0 ? far : far.slice(0, kept);
  if (!gone.length) return;
  steadily(root, () => {
    for (const row of gone) remove(root, row);
    const left = rowsOf(root);
    setEnd(root, side, left.at(side === 'next' ? -1 : 0).dataset.order);
    settleHeadings(root);
  });
}

/** The screen lacks something that it cannot be sent: it says so, and asks until it has it. */
function owe(root, what) {
  const memory = memoryOf(root);
  if (LOOKS.indexOf(what) > LOOKS.indexOf(memory.owed)) memory.owed = what;
  memory.owedAnew = true;
  showLive(root);
  if (!memory.paying) pay(root);
}

/** What may be owed; each has what stands before it too. */
const LOOKS = [settleSelection, look, lookAround];

async function pay(root) {
  const memory = memoryOf(root);
  memory.paying = true;
  for (let wait = FIRST_RETRY; memory.owed && root.isConnected && list(root); wait = Math.min(wait * 2, LONGEST_WAIT)) {
    memory.owedAnew = false;
    if ((await memory.owed(root)) === false) await nap(wait);
    else {
      memory.must = false;
      if (!memory.owedAnew) memory.owed = null;
    }
  }
  memory.paying = false;
  showLive(root);
}

/** Everything around the list anew, with the viewer's present rights; then the list. */
async function lookAround(root) {
  const request = beginRequest(root);
  const answer = await get(root, part(root, 'say'), addressOf(root, 'part=component'));
  const had = answer?.status === 200;
  if (had) await htmx.swap({ root, sourceElement: root, target: root, text: answer.text, swap: 'steadyMorph' });
  endRequest(root, request, had && answer.id);
  return had && look(root);
}

/** The window anew, as far as it lies around the eye; while a hand is on it only in place, until that has lasted too long. */
async function look(root) {
  const rows = rowsOf(root);
  const eye = eyeOf(root);
  const { must } = memoryOf(root);
  const at = rows.indexOf(eye);
  const [first, last] = [Math.max(at - LOOK, 0), Math.min(at + LOOK, rows.length - 1)];
  const from = first || endOf(root, 'previous') ? `from=${rows[first]?.dataset.order}&` : '';
  const until = rows[last + 1] || endOf(root, 'next') ? rows[last]?.dataset.order : '~';
  const shown = await (eye ? show(root, [`${from}until=${until}`], must, { eye: eye.dataset.order }) : show(root, [''], must));
  return shown && settleSelection(root);
}

/** False when nobody said whether those who are selected are members still. */
function settleSelection(root) {
  return checkSelection?.(root);
}

/** The window around a place. */
function around(root, order, must = true) {
  return show(root, [`before=${order}`, `from=${order}`], must);
}

/**
 * Shows the window that these queries give one after the other; under a hand only if it must. It reaches as far as the
 * place `eye`; whoever `leaves` for elsewhere leaves the row under the hand behind. False when it could not be had.
 */
async function show(root, queries, must, { eye, leaves } = {}) {
  const request = beginRequest(root);
  const rows = list(root);
  const parts = [];
  let oldest;
  for (const query of queries) {
    const answer = await getRows(root, rows, query);
    if (answer?.status !== 200) {
      endRequest(root, request);
      // Another list has come: nothing is owed to this one.
      return !rows.isConnected;
    }
    oldest = oldest && isOlder(oldest, answer.id) ? oldest : answer.id;
    parts.push(readRows(answer.text));
  }
  const items = parts.flatMap((part) => part.items);
  const ends = { previous: parts[0].previous?.dataset.order, next: parts.at(-1).next?.dataset.order };
  const isShort = ends.next < eye;
  if (!must && isHeld(root)) {
    steadily(root, () => paint(root, items));
    keep(root);
    showPill(root);
  } else if (!isShort) steadily(root, () => replace(root, items, ends, leaves));
  endRequest(root, request, !isShort && oldest);
  // More have come before the eye than one window holds.
  if (isShort) return around(root, eye, must);
  return true;
}

/** What is not in the new window goes, what stays keeps its node, all in the order given. */
function replace(root, items, ends, leaves) {
  forgetHeld(root);
  setEnd(root, 'previous');
  setEnd(root, 'next');
  const rows = list(root);
  const kept = new Set(items.map((item) => item.id));
  memoryOf(root).headings = {};
  const hand = !leaves && isHeld(root) && handOf(root);
  for (const child of [...rows.children]) if (!kept.has(child.id) && child !== hand) remove(root, child);
  // Whoever is under the hand, and no member any more, stays till it lets go.
  if (hand && !kept.has(hand.id)) {
    const gone = create('li');
    Object.assign(gone.dataset, { uid: hand.dataset.uid, gone: '' });
    hold(root, gone);
  }
  let cursor = rows.firstElementChild;
  for (const item of new Map(items.map((item) => [item.id, item])).values()) {
    const there = find(root, item);
    if (there) morph(root, there, item);
    if (cursor === hand && !kept.has(hand?.id) && hand.dataset.order < item.dataset.order) cursor = cursor.nextElementSibling;
    const node = there ?? withoutBrokenPicture(memoryOf(root), item);
    if (node === cursor) cursor = cursor.nextElementSibling;
    else move(rows, node, cursor);
    if (!there) settle(root, item);
  }
  for (const side of ['previous', 'next']) setEnd(root, side, ends[side]);
  settleHeadings(root);
}

/** To the true first or last member, or over an end of the window. Says whether it goes there by itself. */
function reach(root, where) {
  const isPage = where === 'previous' || where === 'next';
  const end = endOf(root, { first: 'previous', last: 'next' }[where] ?? where);
  if (!end) return false;
  if (isPage) extend(root, end, true);
  else {
    show(root, [where === 'first' ? '' : 'before=end'], true, { leaves: true }).then((shown) => {
      const row = shown && rowsOf(root).at(where === 'first' ? 0 : -1);
      if (row) go(root, targetOf(row));
    });
  }
  return true;
}
