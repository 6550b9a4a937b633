// What a click does. What people act with (menus, dialogs, the selection) comes when somebody first
// needs it: whoever only reads does not load it.

let coming;

/** Fetches what people act with, once; what fails is tried again with the next press. */
function fetchActs(root) {
  coming ??= import(withQuery(root.dataset.href.replace(/\/groups\/[^/]*\/\w+$/, ACTS_FILE))).then(receiveActs);
  // An address that never answers is no better than one that cannot be reached.
  return Promise.race([coming.catch(() => (coming = undefined)), nap(LONGEST_REQUEST)]);
}

/** What is ticked before selecting has come, it takes over. */
async function bringSelection(root) {
  await fetchActs(root);
  if (beginSelection) beginSelection(root);
  else fail(root, 0, () => bringSelection(root));
}

function clicked(event) {
  const target = event.composedPath()[0];
  const root = rootOf(target);
  if (!root || event.defaultPrevented) return;
  const on = (selector) => target.closest(selector);
  const row = on(`.${PREFIX}__row`);
  if (on(`.${PREFIX}__select`)) return choose?.(root, row, event.shiftKey);
  if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && !(row && boxOf(row)))) return;
  if (on(`.${PREFIX}__more`)) askMenu(event, root, on(`.${PREFIX}__more`));
  else if (on('[data-filter]')) filterPressed(event, root, on('[data-filter]').dataset.filter);
  else if (on(`.${PREFIX}__empty a`)) clearSearch(event, root);
  else if (on(`.${PREFIX}__previous, .${PREFIX}__next`)) {
    event.preventDefault();
    extend(root, on('li'));
  } else if (on(`.${PREFIX}__held button`)) {
    release(root, true);
    // The pill goes, and the focus with it.
    memoryOf(root).stop?.focus({ preventScroll: true });
  } else if (row && !on('a, button, input, label')) {
    emit(root, 'item-click', { member: memberOf(row) });
    if (boxOf(row)) choose?.(root, row, event.shiftKey);
  }
}

async function askMenu(event, root, button) {
  event.preventDefault();
  if (button.ariaDisabled) return;
  const isMeant = watchPress(root);
  button.ariaBusy = 'true';
  await fetchActs(root);
  button.ariaBusy = null;
  if (!isMeant()) return;
  if (openMenuOf) openMenuOf(root, button);
  else fail(root, 0, () => button.click());
}

const isMenuOpen = (root) => part(root, 'menu')?.matches(':popover-open') ?? false;

function closeMenuOf(root, row) {
  const { opener } = memoryOf(root);
  if (row.contains(opener)) part(root, 'menu').hidePopover();
}
