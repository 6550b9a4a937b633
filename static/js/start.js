// Joins the above to htmx and to the page.

/** Looks after each component that is, or has come, inside the element. */
function adopt(element) {
  for (const root of rootsAt(element)) {
    begin(root);
    adoptList(root);
  }
}

function begin(root) {
  const memory = memoryOf(root);
  if (memory.begun) return;
  memory.begun = true;
  root.dataset.js = '';
  (part(root, 'title') ?? root).tabIndex = -1;
  beginKeys(root);
  memory.selecting = part(root, 'selection') && bringSelection(root);
  for (const picture of root.querySelectorAll(`.${PREFIX}__picture`)) {
    if (picture.complete && !picture.naturalWidth) picture.decode().catch(() => pictureFailed(picture));
  }
  // Scripts of the host that stand behind ours hear of the first list too.
  Promise.all([ready, memory.selecting]).then(() => {
    if (list(root)) {
      emit(root, 'load', { count: Number(root.dataset.count) });
      // Whoever looks after others acts on them soon.
      if (root.dataset.scope !== 'participant') fetchActs(root);
    }
    noticeEmpty(root);
    openNamed(root);
  });
}

function adoptList(root) {
  const rows = list(root);
  if (!rows || rows === memoryOf(root).rows) return;
  forgetList(root, rows);
  watchHeight(rows);
  for (const side of ['previous', 'next']) setEnd(root, side, endOf(root, side)?.dataset.order);
  settleHeadings(root);
  settleAll(root);
  const { stream } = memoryOf(root);
  if (stream) follow(root, stream);
  // The list has come for other rights than the rest: the note about them was for the old one, or never came.
  if (view(root).dataset.scope !== root.dataset.scope) owe(root, lookAround);
}

/** Placements are told where they came from. The parts that come along (totals, the empty state) are morphed. */
function beforeSwap(source, { ctx, tasks }) {
  for (const { type, target, swapSpec } of tasks) {
    if (swapSpec.style === 'place') swapSpec.ctx = ctx;
    else if (type === 'oob' && rootOf(target) && rootOf(target) !== target) swapSpec.style = 'steadyMorph';
  }
}

/** The swap styles `place` and `steadyMorph`; `renew` is the component anew, for pages without this script: the note of that name fetches it. */
function handleSwap(style, target, fragment, { ctx }) {
  const root = rootOf(target);
  // Nothing is placed in a list that has gone meanwhile.
  if (style === 'renew' || (style === 'place' && !root)) return [];
  if (style === 'steadyMorph') {
    // What stands above the list may take more room, or less.
    steadily(root, () => api.morph(target, fragment, false));
    return [target];
  }
  if (style !== 'place') return;
  takeItems(root, [...fragment.children], Boolean(ctx.act), ctx.again);
  return [];
}

function afterSwap(source, { ctx }) {
  const { root, act } = ctx;
  if (!root?.isConnected) return;
  noticeEmpty(root);
  tellLines(root);
  if (!act) return;
  if (ctx.response.status < 400) part(root, 'error')?.replaceChildren();
  else showRefusal(root);
}

/** What the script has made of the page stays when the server's fresh markup is morphed into it. */
const KEPT_PARTS = ['menu', 'dialog', 'say', 'error-place', 'selection', 'search', 'view'].map((name) => `.${PREFIX}__${name}`).join();
const KEPT_ATTRIBUTES = /^(data-(live|js|hx-.*)|aria-expanded|tabindex|title)$/;

function beforeMorphNode(node) {
  return !(node.matches(KEPT_PARTS) && rootOf(node));
}

function beforeMorphAttribute(element, { attrName }) {
  return !(KEPT_ATTRIBUTES.test(attrName) && rootOf(element));
}

/** A list that is replaced takes its stream along. */
function beforeCleanup(element) {
  if (element.matches('[data-connect]')) hangUp(element);
}

htmx.registerExtension(PREFIX, {
  init: (internal) => {
    api = internal;
  },
  handle_swap: handleSwap,
  htmx_after_process: adopt,
  htmx_config_request: configRequest,
  htmx_before_swap: beforeSwap,
  htmx_after_swap: afterSwap,
  htmx_before_morph_node: beforeMorphNode,
  htmx_before_morph_attr: beforeMorphAttribute,
  htmx_before_cleanup: beforeCleanup,
});

/** Watched before anybody can stop them, and never kept from what they do. */
const WATCHED = {
  pointerdown: pressBegan,
  pointerup: pressReleased,
  pointercancel: pressReleased,
  touchend: pressReleased,
  touchcancel: pressReleased,
  pointerover({ pointerType }) {
    lastPointer = pointerType;
    releaseUnheld();
  },
  focusin: focused,
  focusout: () => setTimeout(releaseUnheld),
  scroll: scrolled,
  visibilitychange: hiddenOrShown,
  error: ({ target }) => target.matches?.(`.${PREFIX}__picture`) && pictureFailed(target),
};

/** Answered after the host has heard of them. */
const ANSWERED = {
  click: clicked,
  submit: submitted,
  input: searchTyped,
  compositionend: searchTyped,
  [`${PREFIX}:resume`]: resume,
};

for (const type in WATCHED) document.addEventListener(type, WATCHED[type], { capture: true, passive: true });
for (const type in ANSWERED) document.addEventListener(type, ANSWERED[type]);
document.addEventListener('click', pressEnded, true);
document.documentElement.addEventListener('pointerleave', releaseUnheld);

/** Components that are on the page. */
const roots = new Set();

/** A component has come by whatever means: htmx, `innerHTML`, a router that puts pages back. */
function enter(root) {
  roots.add(root);
  htmx.process(root);
  const { run, stream } = memoryOf(root);
  if (!run && stream) follow(root, stream);
}

function leave(root) {
  const memory = memoryOf(root);
  roots.delete(root);
  memory.run = null;
  if (memory.stream) hangUp(memory.stream);
}

// Not while the page is being read: half a component would be taken for a whole one.
ready.then(() => {
  rootsIn(document).forEach(enter);
  new MutationObserver((changes) => {
    for (const root of roots) if (!root.isConnected) leave(root);
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    for (const root of rootsIn(document)) if (added.some((node) => node.contains(root))) enter(root);
  }).observe(document, { childList: true, subtree: true });
});
