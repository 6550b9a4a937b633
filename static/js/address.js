// The address of our own page says what is on the screen: the view, and whose menu is open. Going back
// undoes a search or a filter, and a page that is loaded again shows the place that was looked at.

/** `seen` is a view that can be gone back from; letters of one search are one view. */
function keepAddress(root, member, seen) {
  const query = new URLSearchParams(view(root).dataset.query);
  const shown = new URLSearchParams(location.search);
  // What is requested names its language; the address does only when it did before.
  if (!shown.has('lang')) query.delete('lang');
  for (const [name, value] of [...query]) if (!value) query.delete(name);
  if (member) query.set('member', member);
  const address = query.size ? `?${query}` : location.pathname;
  const differs = (name) => query.get(name) !== shown.get(name);
  const isNew = differs('filter') || (differs('searchKeyword') && !(query.get('searchKeyword') && shown.get('searchKeyword')));
  if (seen && isNew) history.pushState(null, '', address);
  else history.replaceState(history.state, '', address);
}

addEventListener('popstate', () => {
  const query = new URLSearchParams(location.search);
  for (const root of roots) {
    const box = part(root, 'q');
    if (box) box.value = query.get('searchKeyword') ?? '';
    memoryOf(root).filter = query.get('filter') ?? '';
    seek(root, true);
  }
});

/** What is written while a page goes is lost when it is loaded again: hence a moment after each scroll. */
let placeTimer;

document.addEventListener(
  'scroll',
  () => {
    clearTimeout(placeTimer);
    placeTimer = setTimeout(keepPlace, 200);
  },
  { capture: true, passive: true },
);

function keepPlace() {
  for (const root of roots) {
    const eye = list(root) && eyeOf(root);
    if (eye) history.replaceState({ order: eye.dataset.order, top: topOf(eye) }, '');
  }
}

/** The place that was looked at when the page was left; else the member whom the address names, with the menu open. */
async function openNamed(root) {
  const { order, top } = history.state ?? {};
  if (order) {
    if (!isInWindow(root, order)) await around(root, order);
    const eye = rowsOf(root).find((row) => row.dataset.order >= order);
    if (eye) scrollBy(scrollerOf(root), topOf(eye) - top);
    return;
  }
  const uid = new URLSearchParams(location.search).get('member');
  const row = document.getElementById(`${root.id}-m-${uid}`);
  row?.scrollIntoView({ block: 'center' });
  if (row) buttonOf(row)?.click();
}

/** A press on somebody opens their page, unless it selects them, or marks text. */
document.addEventListener(`${PREFIX}:item-click`, ({ target, detail, defaultPrevented }) => {
  if (defaultPrevented || part(target, 'selection') || getSelection().type === 'Range') return;
  location.assign(withQuery(`${target.dataset.href}/${detail.member.uid}`, view(target).dataset.query));
});
