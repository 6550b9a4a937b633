// A crowd that no window holds as a whole, and the way to its ends.

import assert from 'node:assert/strict';

import { people } from '../browser/cast.mjs';

/** So many that a window lets go of one end when it comes to the other. */
export const crowd = () => [
  ...people(),
  ...Array.from({ length: 500 }, (_, i) => ({ uid: `c${i}`, name: `Crowd ${1000 + i}`, scope: 'participant', joinedAt: 1_694_000_000 })),
];
/** Pages of a hundred, from one end of the crowd to the other. */
const PAGES = 6;

/** Waits until another is the last at an end of the window than this one. */
export const extended = (viewer, side, last) =>
  viewer.until(
    (x, at, last) => [...document.querySelectorAll(`#${x} [data-uid][data-order]`)].at(at).dataset.uid !== last,
    viewer.x,
    side === 'next' ? -1 : 0,
    last,
  );

/** Loads the page behind an end of the window. */
export async function page(viewer, side) {
  const last = (await viewer.uids()).at(side === 'next' ? -1 : 0);
  await viewer.toEnd(side);
  await extended(viewer, side, last);
}

/** Loads page after page behind an end of the window, until somebody's row has come, or gone. */
export async function further(viewer, side, uid, isThere) {
  for (let pages = 0; pages < PAGES && (await viewer.uids()).includes(uid) !== isThere; pages++) await page(viewer, side);
  assert.equal((await viewer.uids()).includes(uid), isThere);
}
