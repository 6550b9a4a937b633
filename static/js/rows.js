// The rows and headings of a list, and the two ends of its loaded window. An item is a row or a heading, be
// it in the list or on its way there; its place is its key, `data-order`.

import { list, PREFIX, part } from './component.js';

export const ROW = `.${PREFIX}__row`;

/** None when the list has ended. */
export const rowsOf = (root) => [...root.querySelectorAll(ROW)];
/** What receives the focus that goes to a row: not one of its controls, so that Enter is a press on the row. */
export const targetOf = (row) => row;

export const buttonOf = (row) => row.querySelector(`.${PREFIX}__more`);

export const boxOf = (row) => row.querySelector(`.${PREFIX}__select`);

export const isLeaving = (row) => row.classList.contains(`${PREFIX}__row--leaving`);

export const isGone = (item) => item.dataset.gone !== undefined;
export const keyOf = (item) => (item.dataset.uid ? `m-${item.dataset.uid}` : `h-${item.dataset.heading}`);
export const find = (root, item) => part(root, keyOf(item));

/** The sentinel at an end of the window; null when the list is loaded up to there. */
export function endOf(root, side) {
  const rows = list(root);
  const end = side === 'next' ? rows?.lastElementChild : rows?.firstElementChild;
  return end?.matches(`.${PREFIX}__${side}`) ? end : null;
}

/** Whether a place lies inside the loaded window. */
export function isInWindow(root, order) {
  const [previous, next] = [endOf(root, 'previous'), endOf(root, 'next')];
  return !(previous && order < previous.dataset.order) && !(next && order > next.dataset.order);
}

/** Keys begin with their section: a row that is painted in place has another scope than its section. */
export const sectionOf = ({ dataset }) => dataset.order[0];

/** Where focus goes when there is nobody left. */
export const outside = (root) => part(root, 'title') ?? root;

export function memberOf(row) {
  // A row that a template draws says in attributes what it may not show.
  const { uid, scope, status, joinedAt, name, avatar } = row.dataset;
  const shown = row.querySelector(`.${PREFIX}__name`)?.textContent.trim() ?? '';
  const picture = avatar ?? row.querySelector(`.${PREFIX}__picture`)?.src;
  return { uid, name: name ?? shown, scope, avatar: picture || null, joinedAt: Number(joinedAt), status };
}
