// The menu and the dialog of acts: a row's button opens the one shared menu, an act opens the one shared dialog, and the
// focus then returns to where it was. Without this script the button and the acts are links to pages.

import { keepAddress } from '#page';
import { emit, isMenuOpen, memoryOf, PREFIX, part, rootOf, withQuery } from '../core/component.js';
import { applyUnlessInteracting } from '../list/deferred_changes.js';
import { htmx } from '../core/loader.js';
import { placeOf } from '../keys.js';
import { listen } from '../core/listen.js';
import { watchPress } from '../input/press.js';
import { get, loaded, wentWell } from '../server/requests.js';
import { focusList, memberOf, ROW } from '../core/rows.js';
import { nameTyped } from './type_ahead.js';

/**
 * The button whose open menu the present press has closed: the click that ends the press must not open it again.
 * @type {Element | null | undefined}
 */
let justClosed = null;

/** @param {From<PointerEvent, EventTarget>} event */
function noteOpenMenu({ target }) {
  const root = rootOf(target);
  justClosed = root && isMenuOpen(root) ? /** @type {Element} */ (target).closest(`.${PREFIX}__more[aria-expanded="true"]`) : null;
}

/** @param {From<MouseEvent>} event */
function actClicked(event) {
  const { target } = event;
  const root = rootOf(target);
  if (!root || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  /** @param {string} selector */
  const on = (selector) => /** @type {HTMLAnchorElement} */ (target.closest(selector));
  if (on(`.${PREFIX}__menu [data-option]`)) optionChosen(event, root, on('[data-option]'));
  else if (on(`.${PREFIX}__menu a[data-action]`)) {
    event.preventDefault();
    ask(root, 'dialog', on('a'));
  } else if (on(`.${PREFIX}__dialog [data-close]`)) {
    event.preventDefault();
    part(root, 'dialog').close();
    // At the edge of a small window the menu covers what is around it, and is closed by a press there.
  } else if (event.clientY < target.getBoundingClientRect().top && target.matches(`.${PREFIX}__menu`)) target.hidePopover();
}

/**
 * Opens the menu of a row; a press that has just closed that menu leaves it closed.
 * @param {HTMLElement} root
 * @param {HTMLAnchorElement} button
 */
export function openMenuOf(root, button) {
  const again = justClosed === button;
  justClosed = null;
  if (again) return;
  const memory = memoryOf(root);
  // The menu of another row may close only later, when this button is the opener.
  if (memory.opener) memory.opener.ariaExpanded = null;
  memory.opener = button;
  ask(root, 'menu', button, part(root, 'view').dataset.query);
}

/**
 * Fetches the content of the shared menu or the shared dialog, and opens it unless the person pressed something else, or moved
 * the focus, meanwhile.
 * @param {HTMLElement} root
 * @param {'menu' | 'dialog'} name
 * @param {HTMLAnchorElement} source
 * @param {string} [query]
 * @returns {Promise<void>}
 */
export async function ask(root, name, source, query) {
  const target = part(root, name);
  const row = name === 'menu' ? source.closest(ROW) : null;
  const acts = row?.dataset.acts;
  const isMeant = watchPress(root);
  const again = () => ask(root, name, source, query);
  source.ariaBusy = 'true';
  const answer = await get(root, target, withQuery(source.href, `part=${name}`, query));
  source.ariaBusy = null;
  // A menu that is open is refreshed whatever the person pressed meanwhile.
  if (!answer || !(isMeant() || (row && isMenuOpen(root)))) return;
  if (row) {
    if (memoryOf(root).opener !== source) return;
    // The row's acts changed after the request was sent, so the answer may be out of date: ask again.
    if (row.dataset.acts !== acts) return again();
  }
  if (wentWell(root, answer, again)) await open(root, name, answer.text);
  // After a failure the menu may offer acts that are no longer allowed, or cover the error message: close it.
  else part(root, 'menu').hidePopover();
}

/**
 * Opens the shared menu or the shared dialog with this markup, unless the person presses something else before its style is there.
 * @param {HTMLElement} root
 * @param {'menu' | 'dialog'} name
 * @param {string} text
 */
export async function open(root, name, text) {
  const target = part(root, name);
  await htmx.swap({ root, sourceElement: target, target, text, swap: 'innerHTML' });
  target.style.setProperty('--zoom', String(zoomOf(root)));
  // Only now: the swap itself may move the focus, in WebKit to a field of the dialog.
  const isMeant = watchPress(root);
  // The markup may link a style sheet: wait until it is loaded.
  await Promise.all([...target.querySelectorAll('link')].map(loaded));
  // What is open has new content, which may have taken the focus from the old.
  if (!isMeant() && !target.matches('[open], :popover-open')) return;
  if (name === 'dialog') openDialog(root, /** @type {HTMLDialogElement} */ (target));
  else openMenu(root, target);
}

/**
 * The menu that was opened last, in the document or in a shadow root. The reference is weak, so that the memory of a component
 * that was replaced can be freed.
 * @type {WeakRef<HTMLElement> | undefined}
 */
let shownMenu;

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} menu
 */
function openMenu(root, menu) {
  const { opener } = memoryOf(root);
  if (!opener?.isConnected) return;
  menu.role = 'dialog';
  // Focusable, so that a press on the menu's text keeps the focus in the menu.
  menu.tabIndex = -1;
  menu.ariaLabel = opener.ariaLabel;
  opener.ariaExpanded = 'true';
  menu.showPopover();
  shownMenu = new WeakRef(menu);
  keepAddress(root, opener.closest('[data-uid]')?.dataset.uid);
  putMenu();
  menu.querySelector('a, button')?.focus({ preventScroll: true });
}

/**
 * The entry of an open menu that a key moves the focus to.
 * @param {import('../keys.js').KeyEvent} event
 * @param {Element} menu
 */
export function entryFor(event, menu) {
  const entries = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll('a, button')]);
  const at = entries.indexOf(event.target);
  const place = placeOf(event, entries, at);
  return place === undefined ? nameTyped(event, entries, at) : entries.at(place % entries.length);
}

/**
 * Closes the menu if it is that of this row.
 * @param {HTMLElement} root
 * @param {Element} row
 */
export function closeMenuOf(root, row) {
  const { opener } = memoryOf(root);
  if (row.contains(opener)) part(root, 'menu').hidePopover();
}

/**
 * Closes the menu when its button has left the page, and drops the reference to the button, which would keep the old list in
 * memory. When the whole component has left the page, closes its dialog too: back in the page, the dialog would be open but not
 * modal.
 * @param {HTMLElement} root
 */
export function closeStrayMenu(root) {
  const memory = memoryOf(root);
  if (!root.isConnected && part(root, 'dialog')?.open) closeDialog(part(root, 'dialog'));
  if (memory.opener?.isConnected !== false) return;
  memory.opener.ariaExpanded = null;
  memory.opener = null;
  part(root, 'menu').hidePopover();
}

/** Closes the dialogs and the menu before Turbo stores a copy of the page in its cache. */
function pageKept() {
  for (const dialog of document.querySelectorAll(`.${PREFIX}__dialog[open]`)) closeDialog(/** @type {HTMLDialogElement} */ (dialog));
  const menu = shownMenu?.deref();
  const root = menu && rootOf(menu);
  if (!root || !isMenuOpen(root)) return;
  menu.hidePopover();
  const { opener } = memoryOf(root);
  if (opener) opener.ariaExpanded = null;
}

/**
 * Closes a dialog and cleans up at once, without waiting for its `close` event.
 * @param {HTMLDialogElement} dialog
 */
function closeDialog(dialog) {
  dialog.close();
  dialogClosed(/** @type {any} */ ({ target: dialog }));
}

/**
 * Refreshes the open menu of a row whose acts have changed. When the row has lost its button, closes the menu and lets the focus
 * return to the row.
 * @param {HTMLElement} root
 * @param {Element} row
 * @param {string | undefined} before
 */
export function rightsChanged(root, row, before) {
  const memory = memoryOf(root);
  if (!row.contains(memory.opener)) {
    memory.opener = row;
    part(root, 'menu').hidePopover();
  } else if (row.dataset.acts !== before && isMenuOpen(root)) ask(root, 'menu', /** @type {HTMLAnchorElement} */ (memory.opener));
}

/**
 * The factor by which the host's styles enlarge the component (`zoom`). Positions on the screen are measured with it, lengths in styles
 * without. WebKit does not know the property, and measures without.
 * @param {HTMLElement} root
 */
const zoomOf = (root) => root.currentCSSZoom ?? 1;

/** Puts the open menu below its button, or above it when it does not fit below, and keeps it inside the window. */
function putMenu() {
  const menu = shownMenu?.deref();
  const root = menu && rootOf(menu);
  const opener = /** @type {Element | null | undefined} */ (root && isMenuOpen(root) && memoryOf(root).opener);
  if (!menu || !opener?.isConnected) return;
  const [button, box] = [opener.getBoundingClientRect(), menu.getBoundingClientRect()];
  const zoom = zoomOf(/** @type {HTMLElement} */ (root));
  const rtl = getComputedStyle(menu).direction === 'rtl';
  const left = rtl ? button.left : button.right - box.width;
  const below = button.bottom + 4;
  const top = below + box.height > innerHeight - 8 ? button.top - box.height - 4 : below;
  /**
   * @param {number} value
   * @param {number} size
   * @param {number} room
   */
  const inside = (value, size, room) => `${Math.max(8, Math.min(value, room - size - 8)) / zoom}px`;
  menu.style.setProperty('--menu-x', inside(left, box.width, document.documentElement.clientWidth));
  menu.style.setProperty('--menu-y', inside(top, box.height, innerHeight));
}

/** @param {From<ToggleEvent>} event */
function menuToggled({ target, newState }) {
  const root = target.matches?.(`.${PREFIX}__menu`) && newState === 'closed' && rootOf(target);
  if (!root) return;
  const { opener } = memoryOf(root);
  if (opener) opener.ariaExpanded = null;
  keepAddress(root);
  const lost = document.activeElement === document.body || target.matches(':focus-within');
  if (lost) comeBack(root);
  applyUnlessInteracting();
}

/**
 * Closes the menu when the focus goes to another part of the page. Otherwise Escape, pressed there, would close both the menu and what
 * the host closes by that key.
 * @param {From<FocusEvent>} event
 */
function menuLeft({ target, relatedTarget }) {
  const root = relatedTarget && target.closest(`.${PREFIX}__menu`) && rootOf(target);
  // Later: an element that hides while it loses the focus would get it back.
  if (root && !root.contains(/** @type {Node} */ (relatedTarget))) setTimeout(() => part(root, 'menu')?.hidePopover());
}

/**
 * @param {MouseEvent} event
 * @param {HTMLElement} root
 * @param {Element} option
 */
function optionChosen(event, root, option) {
  event.preventDefault();
  part(root, 'menu').hidePopover();
  const row = memoryOf(root).opener?.closest(`.${PREFIX}__row`);
  emit(root, 'option', { id: option.dataset.option, member: row && memberOf(row) });
}

/**
 * Returns the focus from the menu or the dialog to the button that opened it; to the list's tab stop when that is in the same
 * row, or when the button is gone.
 * @param {HTMLElement} root
 */
function comeBack(root) {
  const { opener, stop } = memoryOf(root);
  focusList(root, opener?.isConnected && !opener.closest(ROW)?.contains(stop) && /** @type {HTMLElement} */ (opener));
}

/** Closes a dialog that the host has hidden with the list: it would be modal still, and nothing on the page could be pressed. */
const hidden = new ResizeObserver((changes) => {
  for (const { target } of changes) if (target.matches('[open]') && !target.clientHeight) closeDialog(/** @type {HTMLDialogElement} */ (target));
});

/**
 * @param {HTMLElement} root
 * @param {HTMLDialogElement} dialog
 */
function openDialog(root, dialog) {
  hidden.observe(dialog);
  // A dialog that is opened from the selection bar returns the focus to the list.
  if (!dialog.open && !isMenuOpen(root)) memoryOf(root).opener = null;
  part(root, 'menu').hidePopover();
  // Errors are shown in the dialog, because a modal dialog covers everything else.
  dialog.prepend(part(root, 'error'));
  if (!dialog.matches(':modal')) {
    // In a restored copy of the page the dialog may be open without being modal: `showModal` would throw.
    dialog.close();
    dialog.showModal();
  }
  // In a low window the focused field may be outside the visible part of the dialog.
  dialog.querySelector(':focus')?.scrollIntoView({ block: 'nearest' });
}

/** @param {From<Event>} event */
function dialogClosed({ target }) {
  const root = target.matches?.(`.${PREFIX}__dialog`) && rootOf(target);
  // The `close` event is sent later: the dialog may be open again, with something else.
  if (!root || /** @type {HTMLDialogElement} */ (target).open) return;
  // The focus may have moved to the undo bar that came with the answer: it stays there.
  const { activeElement } = /** @type {Document | ShadowRoot} */ (root.getRootNode());
  const stays = activeElement?.closest(`.${PREFIX}__undo`);
  const error = part(root, 'error');
  error.replaceChildren();
  part(root, 'say').before(error);
  target.replaceChildren();
  if (!stays) comeBack(root);
}

/** Begins to listen for presses in menus and dialogs, and for what closes or moves them. */
export function listenForMenus() {
  listen({ pointerdown: noteOpenMenu, toggle: menuToggled, close: dialogClosed, scroll: putMenu }, true);
  listen({ click: actClicked, focusout: menuLeft });
  addEventListener('resize', putMenu);
  document.addEventListener('turbo:before-cache', pageKept);
}
