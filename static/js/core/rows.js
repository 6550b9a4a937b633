// The rows and headings of a list, and the two ends of its loaded window. An item is a row or a heading, in the list
// or in a message for it; its key, `data-order`, says where it belongs.

import { create, memoryOf, PREFIX, part, word } from './component.js';

/**
 * A row or a heading; in a message also an instruction.
 * @typedef {Element} Item
 */
/**
 * An end of the loaded window.
 * @typedef {'previous' | 'next'} Side
 */
/**
 * The member of a row, as scripts of the host get it; `joinedAt` in seconds since the Unix epoch.
 * @typedef {{ uid: string, name: string, scope: string, avatar: string | null, joinedAt: number, status?: string }} Member
 */

/**
 * Both ends.
 * @type {Side[]}
 */
export const SIDES = ['previous', 'next'];

/** Matches the row of a member. */
export const ROW = `.${PREFIX}__row`;

/** Matches the pictures of built-in rows and of custom templates. */
export const PICTURE = `${ROW} > b > img, .${PREFIX}__picture`;

/**
 * The upper edge, pixels.
 * @param {Element} row
 */
export const topOf = (row) => row.getBoundingClientRect().top;

/**
 * The addresses of pictures that could not be loaded.
 * @type {Set<string>}
 */
export const brokenPictures = new Set();

/**
 * Adds to an item what its markup leaves out: its id and, to a row, its label and the button of its menu. Without this script the name is
 * the link to the menu. Removes a picture that has failed before: it would flash with every change of the row.
 * @param {HTMLElement} root
 * @param {Item} item
 */
export function dress(root, item) {
  const { uid } = item.dataset;
  item.id = `${root.id}-${idSuffixOf(item)}`;
  if (!uid) return item;
  const picture = /** @type {HTMLImageElement | null} */ (item.querySelector(PICTURE));
  if (picture && brokenPictures.has(picture.src)) picture.remove();
  item.setAttribute('aria-labelledby', item.id);
  const name = /** @type {HTMLAnchorElement | null} */ (item.querySelector(`.${PREFIX}__name[href]`));
  if (name) {
    const label = word(root, uid === root.dataset.self ? 'own-menu' : 'menu').replace('{n}', () => name.textContent);
    item.append(create('a', { id: `${root.id}-a-${uid}`, className: `${PREFIX}__more`, href: name.href, ariaLabel: label, ariaHasPopup: 'dialog' }));
    name.removeAttribute('href');
    item.ariaKeyShortcuts = 'Alt+Enter';
  }
  return item;
}

/**
 * The rows of the list; empty when the component shows no list.
 * @param {HTMLElement} root
 */
export const rowsOf = (root) => [...root.querySelectorAll(ROW)];

/**
 * The button of a row's menu.
 * @param {Element} row
 * @returns {HTMLAnchorElement | null}
 */
export const buttonOf = (row) => row.querySelector(`.${PREFIX}__more`);

/**
 * The check box or radio button of a row.
 * @param {Element} row
 * @returns {HTMLInputElement | null}
 */
export const boxOf = (row) => row.querySelector(`.${PREFIX}__select`);

/**
 * Whether an item says that its row is no longer in the list.
 * @param {Item} item
 */
export const isGone = (item) => 'gone' in item.dataset;
/**
 * What the id of an item ends with.
 * @param {{ dataset: { uid?: string, heading?: string } }} item
 */
export const idSuffixOf = (item) => (item.dataset.uid ? `m-${item.dataset.uid}` : `h-${item.dataset.heading}`);
/**
 * The row or heading on the page that an item is about.
 * @param {HTMLElement} root
 * @param {{ dataset: { uid?: string, heading?: string } }} item
 */
export const find = (root, item) => part(root, idSuffixOf(item));

/**
 * The sentinel at an end of the window; null when the list is loaded up to there.
 * @type {(root: HTMLElement, side: Side) => HTMLElement | null}
 */
export const sentinelOf = part;

/**
 * Whether a place lies inside the loaded window.
 * @param {HTMLElement} root
 * @param {string} order
 */
export const isInWindow = (root, order) => isBetween(order, sentinelOf(root, 'previous')?.dataset.order, sentinelOf(root, 'next')?.dataset.order);

/**
 * Whether a place lies between two ends; a missing end sets no limit.
 * @type {(order: any, previous?: string, next?: string) => boolean}
 */
export const isBetween = (order, previous, next) => !(order < /** @type {string} */ (previous) || order > /** @type {string} */ (next));

/**
 * Whether an item belongs in the loaded window: it is not gone, and its key lies inside.
 * @param {HTMLElement} root
 * @param {Item} item
 */
export const stays = (root, item) => !isGone(item) && isInWindow(root, item.dataset.order);

/**
 * The section of an item, by the first character of its key. Its scope may be newer than its place, when the row was updated in place.
 * @param {Item} item
 */
export const sectionOf = ({ dataset }) => dataset.order[0];

/**
 * Gives the focus to an element of the component; without one, to the list's Tab stop, or to the component when no row is left.
 * @param {HTMLElement} root
 * @param {HTMLElement | null | false} [element]
 */
export function focusList(root, element) {
  const { stop } = memoryOf(root);
  const target = /** @type {HTMLElement} */ (element || (stop?.isConnected ? stop : root));
  target.focus({ preventScroll: true });
}

/**
 * The member whom a row shows.
 * @param {Element} row
 * @returns {Member}
 */
export function memberOf(row) {
  // A row with a custom template may not show these facts, so it also has them as attributes.
  const { uid, scope, status, joinedAt, name, avatar } = row.dataset;
  const shown = row.querySelector(`.${PREFIX}__name`)?.textContent.trim() ?? '';
  const picture = avatar ?? row.querySelector(PICTURE)?.getAttribute('src');
  return { uid, name: name ?? shown, scope, avatar: picture || null, joinedAt: Number(joinedAt), status };
}
