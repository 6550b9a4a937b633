// Runs in the page, from its first moment: measures once a frame where the row under a hand is, and how far from where the person has left it.

/** Stands alone: it is sent to the page as text. */
export function watch() {
  if (window !== top || window.storm) return;
  const PREFIX = 'chat-group-members';
  const root = () => document.querySelector(`section.${PREFIX}`);
  const list = () => document.querySelector(`.${PREFIX}__list`);
  const rowOf = (node) => (node?.nodeType === 1 ? node : node?.parentElement)?.closest?.(`.${PREFIX}__list > [data-uid]`) ?? null;
  const rows = () => [...(list()?.querySelectorAll(':scope > [data-uid]') ?? [])];
  const rowWith = (uid) => list()?.querySelector(`:scope > [data-uid="${CSS.escape(uid)}"]`) ?? null;
  const edge = (row) => row.getBoundingClientRect().top;

  /** Rows below the eye that are looked for when its own is gone. */
  const IN_SIGHT = 6;
  /** No wheel turns by fewer pixels. */
  const WHEEL = 100;
  /** A row that stands so many pixels from where the person has left it has moved. */
  const MOVED = 1;
  let hand = null;
  /** Where the mouse is: whoever moved it there. */
  let pointer = { x: -1, y: -1 };
  let ownUntil = 0;
  let isButtonDown = false;
  /** Pixels that the page has scrolled boxes by since the frame before. */
  let scrolled = 0;
  const listScroller = () => list() && scrollerOf(list());
  for (const [prototype, name, boxOf] of [
    [Element.prototype, 'scrollTo', (box) => box],
    [Element.prototype, 'scrollBy', (box) => box],
    [Element.prototype, 'scrollIntoView', listScroller],
    [HTMLElement.prototype, 'focus', listScroller],
  ]) {
    const call = prototype[name];
    prototype[name] = function (...how) {
      const box = boxOf(this);
      const before = box?.scrollTop;
      call.apply(this, how);
      if (box) scrolled += box.scrollTop - before;
    };
  }
  for (const type of ['pointerdown', 'pointerup']) addEventListener(type, () => (isButtonDown = type === 'pointerdown'), true);
  const found = [];
  const says = (kind, detail) => {
    found.push({ at: performance.timeOrigin + performance.now(), kind, ...detail });
    // With members it counts only if they are in the group still, which is known after the storm.
    if (!detail.members) window.stormFound?.(kind).catch(() => {});
  };

  function scrollerOf(element) {
    for (let box = element; box; box = box.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight) return box;
    }
    return document.scrollingElement;
  }

  /** How the row is found that somebody looks at: in this order. None at the very top, where new rows may push. */
  const LOOKED_AT = [
    ['the pointer', () => FINDS.mouse()],
    ['the focus', () => inSight(rowOf(document.activeElement))],
    // The row of an open menu is the active one, though the focus is in the menu.
    ['the menu', () => isMenuOpen() && inSight(rowOf(document.querySelector(`.${PREFIX}__more[aria-expanded="true"]`)))],
    ['its place', firstInFullView],
  ];
  /** By which of these it was found last. */
  let eyeBy = '';

  function eye() {
    if (scrollerOf(list()).scrollTop < 1) return null;
    for (const [by, find] of LOOKED_AT) {
      const row = find();
      if (row) {
        eyeBy = by;
        return row;
      }
    }
    return null;
  }

  /** The upper and the lower edge of what is visible of the list. */
  function visibleEdges() {
    const box = scrollerOf(list());
    if (box === document.scrollingElement) return [0, innerHeight];
    const { top, bottom } = box.getBoundingClientRect();
    return [Math.max(0, top), Math.min(bottom, innerHeight)];
  }

  /** The row, unless the person has scrolled away from it. */
  function inSight(row) {
    const [upper, lower] = visibleEdges();
    return row && row.getBoundingClientRect().bottom > upper && edge(row) < lower ? row : null;
  }

  function firstInFullView() {
    const { left, width } = list().getBoundingClientRect();
    const [from, to] = visibleEdges();
    // Half a pixel is no part of a row that anybody misses.
    for (let y = from + 2; y < to; y += 8) {
      const row = rowOf(document.elementsFromPoint(left + width / 2, y).find((element) => rowOf(element)));
      if (row && edge(row) >= from - 1) return row;
    }
    return null;
  }

  /** When rows came into the document. */
  const cameAt = new WeakMap();
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) if (rowOf(node) === node) cameAt.set(node, performance.now());
  }).observe(document, { childList: true, subtree: true });
  let frameAt = 0;

  /** Whether the row that is looked at by its place has come since the frame before: of two messages in one frame, the second keeps that one. */
  function isNewcomers() {
    const first = hand.kind === 'eye' && eyeBy === 'its place' && firstInFullView();
    return first && first !== rowWith(hand.uid) && cameAt.get(first) > frameAt;
  }

  const FINDS = {
    mouse: () => rowOf(document.elementFromPoint(pointer.x, pointer.y)),
    finger: ({ x, y }) => rowOf(document.elementFromPoint(x, y)),
    focus: () => rowOf(document.activeElement),
    // Text may be marked over several rows: of these, the one that the pointer is on stays.
    caret: () => (getSelection().isCollapsed ? null : (FINDS.mouse() ?? rowOf(getSelection().anchorNode))),
    eye,
  };

  /** Finds the row that a hand is on. */
  function aim() {
    const row = FINDS[hand.kind](hand);
    const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
    // Of text marked over several rows, some may go with its row.
    const isOneText = row && hand.kind === 'caret' && anchorNode === focusNode && anchorNode.nodeType === Node.TEXT_NODE;
    // A row that somebody points at, or that has the focus or the open menu, is followed where it goes: of others the row below stays.
    const isLookedAt = hand.kind === 'eye' && row && row !== FINDS.mouse() && !row.contains(document.activeElement) && !isMenuOpen();
    const below = isLookedAt && rowWith(following(row, 'nextElementSibling', 2)[1] ?? '');
    Object.assign(hand, {
      below: below ? { uid: below.dataset.uid, top: edge(below), order: below.dataset.order, above: previous(row) } : null,
      uid: row?.dataset.uid ?? null,
      focus: hand.kind === 'eye' && row?.contains(document.activeElement) ? document.activeElement : null,
      top: row ? edge(row) : 0,
      order: row?.dataset.order,
      neighbours: hand.kind === 'eye' ? following(row, 'nextElementSibling', IN_SIGHT) : [],
      marked: isOneText ? { text: anchorNode, from: Math.min(anchorOffset, focusOffset) } : null,
      query: query(),
      view: view(),
      scroll: scrollerOf(list()).scrollTop,
    });
  }

  /** The uids of so many rows from this one on. */
  function following(row, side, most) {
    const uids = [];
    for (let next = row; next && uids.length < most; next = next[side]) if (next.dataset.uid) uids.push(next.dataset.uid);
    return uids;
  }

  /** The uid of the row before it. */
  const previous = (row) => following(row, 'previousElementSibling', 2)[1];
  /** A distance in words. */
  const pixels = (distance) => `${Math.round(10 * distance) / 10} px`;

  const isMenuOpen = () => Boolean(document.querySelector(`.${PREFIX}__menu:popover-open`));
  const view = () => document.querySelector(`.${PREFIX}__view`);
  const query = () => view()?.dataset.query;

  /**
   * Whether the person has gone on since the frame before, though their key or wheel has not been heard of yet: the focus is in another row;
   * or the box has scrolled by no script, and not because its content has become shorter.
   */
  function isOnAnother(row) {
    if (hand.kind === 'focus') return ![null, row].includes(rowOf(document.activeElement));
    // A menu that has closed in this frame, as one that could not be renewed, kept its row until then: what came after it keeps another.
    if (hand.kind === 'eye' && eyeBy === 'the menu' && !isMenuOpen()) return true;
    const { scrollTop, scrollHeight, clientHeight } = scrollerOf(row);
    const byHand = scrollTop - hand.scroll - scrolled;
    const isCutShort = byHand < 0 && scrollTop + clientHeight >= scrollHeight - 1;
    return hand.kind === 'eye' && Math.abs(byHand) >= WHEEL && !isCutShort;
  }

  function measure() {
    // What the person searched for has come, however late: another list. Or the eye has followed the focus, which is elsewhere now.
    const hasLeft = hand.focus?.isConnected && hand.focus !== document.activeElement;
    if (query() !== hand.query || view() !== hand.view || hasLeft) return void (hand.uid = null);
    const row = rowWith(hand.uid);
    const name = hand.uid;
    if (row && isOnAnother(row)) return void (hand.uid = null);
    if (!row) {
      hand.uid = null;
      // Nobody has promised an eye that its row stays; but everybody in sight goes at once only when all of them left. From a list by status
      // or role they also go by a restart of the service, which forgets who is online, or by another role.
      const { neighbours } = hand;
      const isFull = list()?.querySelector(':scope > [data-uid]') && !/(status|filter|scopes)=\w/.test(hand.query);
      // Home and End lead elsewhere, and the pill brings what has waited, however late the answer.
      if (performance.now() - leftAt <= LEAVES) return;
      if (neighbours.length === IN_SIGHT && isFull && !neighbours.some(rowWith))
        says('eye', { uid: name, what: 'everybody in sight is gone', members: neighbours });
      if (hand.kind !== 'eye' && list()) says(hand.kind, { uid: name, what: 'the row is gone' });
      return;
    }
    if (hand.marked && getSelection().isCollapsed) {
      const { text, from } = hand.marked;
      hand.uid = null;
      // Of a text that has gone, or that ends where the mark began, nothing is left to be marked.
      if (text.isConnected && text.length > from) says('caret', { uid: name, what: 'the text is not marked any more' });
      return;
    }
    // Of a mark over several rows nothing is left, when those at its ends have gone.
    if (hand.kind === 'caret' && getSelection().isCollapsed) return void (hand.uid = null);
    const [top, order] = [edge(row), row.dataset.order];
    const moved = top - hand.top;
    // With nobody holding, a row whose own place in the order changed goes there.
    const own = hand.kind === 'eye' && order !== hand.order;
    if (own && hand.below) watchBelow(hand.below);
    // Whoever marks text with the button held outside the list has the browser scroll it, also back from where the list has scrolled.
    const scroll = scrollerOf(row).scrollTop;
    const byBrowser = [hand.scroll - scroll, hand.scroll + scrolled - scroll];
    const dragged = isButtonDown && hand.kind === 'caret' && byBrowser.some((pixels) => Math.abs(moved - pixels) < 1);
    // Out of sight, the row with the focus, or with marked text, is under nobody's hand. It may come into sight from below, and from above when
    // the list has become so short that the box cannot stay where it was.
    const [upper, lower] = visibleEdges();
    const { scrollHeight, clientHeight } = scrollerOf(row);
    const isCutShort = scroll < hand.scroll && scroll + clientHeight >= scrollHeight - 1;
    const above = hand.top < upper && (top < upper || top > lower || isCutShort);
    const unseen = ['focus', 'caret'].includes(hand.kind) && (above || hand.top > lower);
    // Moves of less than a pixel add up until the person moves something.
    hand.drift = own || dragged || unseen ? 0 : hand.drift + moved;
    if (Math.abs(hand.drift) >= MOVED) {
      const detail = {
        uid: name,
        what: pixels(hand.drift),
        atOnce: pixels(moved),
        live: root()?.dataset.live,
        top: Math.round(top),
        scroll: Math.round(scroll),
        place: order === hand.order ? 'as it was' : 'another',
        ...active(),
        by: hand.kind === 'eye' ? eyeBy : hand.kind,
        box: Math.round(scrollerOf(row).getBoundingClientRect().top),
        scrolled: Math.round(scroll - hand.scroll),
      };
      if (!isNewcomers()) says(hand.kind, detail);
      // Each disturbance is told once.
      hand.drift = 0;
    }
    Object.assign(hand, { top, order, scroll });
    // Of an eye without a hand it is the first row in full view that stays; another may have come before this one.
    if (hand.kind === 'eye') aim();
    if (hand.kind === 'focus' && !list().contains(document.activeElement)) hand.uid = null;
  }

  /** Where the row below stands, now that the row that was looked at has another place in the order. */
  function watchBelow({ uid, top, order, above }) {
    const row = rowWith(uid);
    const moved = row?.dataset.order === order ? edge(row) - top : 0;
    if (Math.abs(moved) < MOVED) return;
    // The row above may have taken that place, and somebody have come below it, in the same frame.
    const next = above && rowWith(above);
    if (next && previous(row) !== above && Math.abs(edge(next) - hand.top) < MOVED) return;
    const { scrollTop } = scrollerOf(row);
    const what = `${pixels(moved)}, as the row above was sorted elsewhere`;
    says('eye', {
      uid,
      what,
      above: hand.uid,
      top: Math.round(top),
      scroll: Math.round(scrollTop),
      scrolled: Math.round(scrollTop - hand.scroll),
      ...active(),
    });
  }

  /** What the page itself takes for the active row. */
  function active() {
    return {
      hovered: list().querySelector(':scope > [data-uid]:hover')?.dataset.uid ?? 'nobody',
      focused: rowOf(document.activeElement)?.dataset.uid ?? 'nobody',
      marked: getSelection().isCollapsed ? 'nobody' : (rowOf(getSelection().anchorNode)?.dataset.uid ?? 'nobody'),
    };
  }

  /** The row that had the focus in the frame before, and when somebody pressed last. */
  let focused = null;
  let pressedAt = 0;
  /** When a key that leads to an end of the list, or the pill, was pressed last, and for how long the answer may change the window, milliseconds. */
  let leftAt = -Infinity;
  const LEAVES = 12_000;
  addEventListener('pointerdown', () => (pressedAt = performance.now()), true);
  addEventListener('keydown', ({ key }) => ['Home', 'End'].includes(key) && (leftAt = performance.now()), true);
  addEventListener('click', ({ target }) => target.closest?.(`.${PREFIX}__held`) && (leftAt = performance.now()), true);
  const PRESS = 1_000;
  /** Rows beside the one with the focus. */
  const BESIDE = 2;

  /** The focus never falls to the body by itself, also while the person scrolls, and its row is not let go. */
  function watchFocus(now) {
    if (focused && list() && focused.component === root()) {
      const gone = !rowWith(focused.uid);
      if (!document.hidden && document.activeElement === document.body && now - pressedAt > PRESS)
        says('focus', { uid: focused.uid, what: `the focus fell to the body${gone ? ' with its row' : ''}` });
      const beside =
        gone &&
        now - leftAt > LEAVES &&
        focused.query === query() &&
        focused.view === view() &&
        focused.beside.find((uids) => uids.length === BESIDE && !uids.some(rowWith));
      // Unless one of them left the group: who gathers this knows.
      if (beside) says('focus', { uid: focused.uid, what: 'the row with the focus was let go', members: [focused.uid, ...beside] });
    }
    const row = rowOf(document.activeElement);
    const beside = (side) => following(row, side, BESIDE + 1).slice(1);
    focused = row && {
      uid: row.dataset.uid,
      component: root(),
      query: query(),
      view: view(),
      beside: ['previousElementSibling', 'nextElementSibling'].map(beside),
    };
  }

  /** Whether the list shows what stands in the box; true without a box. */
  function showsWanted() {
    const box = root()?.querySelector('input[type="search"]');
    return !box || (new URLSearchParams(query()).get('searchKeyword') ?? '') === box.value.trim();
  }

  /** A word that is being composed is not asked for. */
  let composed = null;
  for (const type of ['compositionstart', 'compositionend'])
    addEventListener(type, ({ target }) => (composed = type === 'compositionstart' ? target : null), true);

  /**
   * The filter that was pressed last: what its link said when the press arrived; and the component that it was pressed in. Whoever was put out
   * and comes back has another, with the view that was in force before. A reference that held it would hold its list.
   */
  let filter = null;
  let pressedIn = new WeakRef(document);
  /** That press, and what came after it that may have led to another view, for whoever looks for the cause. */
  let sincePress = [];
  const MOST_SINCE = 20;
  const came = (what) => sincePress.length < MOST_SINCE && sincePress.push(`${what} at ${Math.round(performance.timeOrigin + performance.now())}`);
  addEventListener(
    'click',
    (event) => {
      const link = event.target.closest?.(`.${PREFIX}__filters a, .${PREFIX}__empty a`);
      if (!link) return;
      if (link.dataset.filter !== undefined) [filter, pressedIn, sincePress] = [link.dataset.filter, new WeakRef(root()), []];
      const keys = ['altKey', 'ctrlKey', 'metaKey', 'shiftKey'].filter((key) => event[key]);
      // What the press leads to is known once everybody has heard of it.
      setTimeout(() => came(`${link.textContent} ${keys}${event.defaultPrevented ? '' : ' not prevented'}`));
    },
    true,
  );
  addEventListener('popstate', () => came(`back to ${location.search}`));
  addEventListener('pageshow', ({ persisted }) => came(`shown${persisted ? ' again' : ''}`));
  let lastQuery;
  function watchView() {
    if (query() !== lastQuery) came(`the view is “${query()}”`);
    lastQuery = query();
  }

  /** Since when the list, live and asking for nothing, has not shown what stands in the box. */
  let wrongSince = Infinity;
  /** Milliseconds. A search that failed is tried again after ten seconds. */
  const UNTIL_TRIED_AGAIN = 12_000;

  function watchSearch(now) {
    const asks = root()?.dataset.live !== 'on' || root().querySelector(`.${PREFIX}__view.htmx-request`);
    if (!list() || asks || document.hidden || (composed && composed === document.activeElement) || showsWanted()) wrongSince = Infinity;
    else if (wrongSince === Infinity) wrongSince = now;
    else if (now - wrongSince > UNTIL_TRIED_AGAIN) {
      wrongSince = now;
      says('asked', { what: `the box says “${root().querySelector('input[type="search"]').value}” and the list shows “${query()}”` });
    }
  }

  function frame() {
    // The time that a frame is given is when it was asked for: on a busy machine much happens until it is there.
    const now = performance.now();
    remember(now);
    watchFocus(now);
    watchSearch(now);
    watchView();
    if (hand?.until < now) hand = null;
    if (hand && list()) {
      if (now < ownUntil) hand.uid = null;
      else if (hand.uid === null) {
        hand.drift = 0;
        aim();
      } else measure();
    }
    scrolled = 0;
    frameAt = performance.now();
    requestAnimationFrame(frame);
  }
  requestAnimationFrame(frame);

  addEventListener(
    'pointermove',
    ({ pointerType, clientX: x, clientY: y }) => {
      if (pointerType !== 'mouse') return;
      pointer = { x, y };
      if (['mouse', 'eye'].includes(hand?.kind)) hand.uid = null;
    },
    { capture: true, passive: true },
  );

  // A wheel may turn late on a slow machine: what it scrolls is scrolled by the person all the same.
  const SCROLLS = 1_000;
  addEventListener('wheel', () => window.storm.own(SCROLLS), { capture: true, passive: true });

  /** Milliseconds that a list is to hold still after the last finger; it does for a little longer. */
  const AFTER_FINGER = 900;
  addEventListener('touchend', () => hand?.kind === 'finger' && (hand.until = performance.now() + AFTER_FINGER), true);

  window.storm = {
    /** A hand of this kind is on the list from now on; the row under it is found by itself. */
    hold: (kind, at = {}) => void (hand = { kind, ...at, uid: null }),
    drop: () => void (hand = null),
    /** What moves within so many milliseconds is moved by the person. */
    own: (milliseconds) => void (ownUntil = Math.max(ownUntil, performance.now() + milliseconds)),
    /** Nothing is moved by the person any more. */
    settle: () => void (ownUntil = 0),
    uid: () => hand?.uid ?? null,
    take: () => found.splice(0),
    /** Takes the focus away, as no list would. */
    blur: () => {
      focused = null;
      document.activeElement?.blur();
    },
    filter: () => (pressedIn.deref() === root() ? filter : null),
    sincePress: () => sincePress,
    says,
    rowWith,
    rowOf,
    /** Where a person aims at, and since when that is there: asked by whoever taps. */
    aim: (uid) => {
      const row = rowWith(uid);
      const button = row?.querySelector(`.${PREFIX}__more`);
      if (!button) return null;
      const { left, top, width, height } = button.getBoundingClientRect();
      const point = { x: left + width / 2, y: top + height / 2 };
      return button.contains(document.elementFromPoint(point.x, point.y)) ? { ...point, top: edge(row) } : null;
    },
    /** Whose menu is open. */
    opened: () => {
      const menu = document.querySelector(`.${PREFIX}__menu:popover-open`);
      if (!menu) return null;
      return rowOf(document.querySelector(`.${PREFIX}__list [aria-expanded="true"]`))?.dataset.uid ?? 'nobody';
    },
    /** Members whose rows can be seen whole and have a button. */
    visible: () => {
      const shown = rows().filter((row) => window.storm.aim(row.dataset.uid));
      return shown.map((row) => row.dataset.uid);
    },
    showsWanted,
    /** Whether the browser has put the page back as it was left. */
    wasKept: false,
    scroller: () => scrollerOf(list()),
    root,
  };

  addEventListener('pageshow', ({ persisted }) => void (window.storm.wasKept = persisted));

  // Whom a press began on, and since when their row stood where it was pressed.
  let pressed = null;
  const tops = [];
  /** Milliseconds: a row that came or moved so shortly before a tap opens nothing. Less than the half second, for the frames. */
  const STOOD = 400;
  const touches = navigator.maxTouchPoints > 0;

  function remember(now) {
    if (!touches || !list()) return;
    tops.push({ now, tops: new Map(rows().map((row) => [row.dataset.uid, edge(row)])), edges: edges(), query: query() });
    while (tops[0].now < now - 2 * STOOD) tops.shift();
  }

  /** What a row's place on the screen depends on, pixels. */
  function edges() {
    const scroller = scrollerOf(list());
    return { root: edge(root()), scroller: edge(scroller), list: edge(list()), scroll: scroller.scrollTop };
  }

  /** Null when the row stood where it is; else how it came there, for whoever looks for the cause. */
  function moved(row, since) {
    const [uid, top] = [row.dataset.uid, edge(row)];
    const before = tops.findLast(({ now, tops }) => now >= since && !(Math.abs((tops.get(uid) ?? Infinity) - top) < MOVED));
    if (!before) return null;
    const now = edges();
    const by = Object.entries(before.edges).map(([name, pixels]) => `${name} ${Math.round(now[name] - pixels)}`);
    const uids = rows().map(({ dataset }) => dataset.uid);
    const came = uids.filter((uid) => !before.tops.has(uid));
    const gone = [...before.tops.keys()].filter((uid) => !uids.includes(uid));
    return {
      ago: `${Math.round(performance.now() - before.now)} ms`,
      by: `${pixels(top - before.tops.get(uid))} (${by.join(', ')})`,
      came: came.join(' ') || 'nobody',
      gone: gone.join(' ') || 'nobody',
      list: before.query === query() ? 'the same' : 'another',
    };
  }

  addEventListener(
    'pointerdown',
    ({ target, pointerType }) => {
      const row = rowOf(target);
      pressed = { uid: row?.dataset.uid ?? null, moved: row && pointerType === 'touch' ? moved(row, performance.now() - STOOD) : null };
    },
    true,
  );
  addEventListener('keydown', () => void (pressed = { uid: rowOf(document.activeElement)?.dataset.uid ?? null, moved: null }), true);
  document.addEventListener(
    'toggle',
    ({ target, newState }) => {
      if (newState !== 'open' || !target.matches?.(`.${PREFIX}__menu`) || !pressed?.uid) return;
      const uid = window.storm.opened();
      if (uid !== pressed.uid) says('press', { uid, what: `the menu of ${uid} opened after a press that began on ${pressed.uid}` });
      else if (pressed.moved)
        says('press', { uid, what: `the menu of ${uid} opened although their row had come or moved in the ${STOOD} ms before`, ...pressed.moved });
    },
    true,
  );

  // What a host does: a new token, and on.
  document.addEventListener(`${PREFIX}:expired`, () => {
    window.stormRenew?.().then(() => document.dispatchEvent(new CustomEvent(`${PREFIX}:resume`)));
  });
}
