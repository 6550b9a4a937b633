// Our own page inside a frame of somebody else's: the frame is as high as its owner lets it be, so it
// tells how high it wants to be. It also reports that its session has ended, and is told when it goes on.
// Whoever may frame us (`--frame-ancestors`) may know both, and nothing else is said: hence the "*".

import { PREFIX, rootOf } from './component.js';

/** Room for a menu or a dialog. */
const LOWEST = 360;

/**
 * @param {HTMLElement} root
 * @param {string} name
 * @param {object} [detail]
 */
export const tellParent = (root, name, detail) => {
  if (parent !== window) {
    parent.postMessage({ type: `${PREFIX}:${name}`, group: root.dataset.group, ...detail }, '*');
  }
};

/** Called at most once for each frame that is painted; also for a list that has just made way for another. */
const heights = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    const root = rootOf(target);
    if (!root) continue;
    const box = /** @type {HTMLElement} */ (target.parentElement);
    const { bottom } = root.getBoundingClientRect();
    // Where the component ends in the page, which scrolls in a low window, and what its boxes hide. Nothing but the sum is rounded, and
    // the frame's own height is not in it: with each list the frame would else become a pixel higher.
    const height = scrollY + bottom + root.scrollHeight - root.clientHeight + hiddenIn(box);
    tellParent(root, 'height', { height: Math.max(LOWEST, Math.ceil(height)) });
  }
});

/**
 * How much higher the content of a box is than the box; less than nothing when there is room left.
 * @param {Element} box
 */
function hiddenIn(box) {
  const content = document.createRange();
  content.selectNodeContents(box);
  return content.getBoundingClientRect().height - box.getBoundingClientRect().height;
}

/**
 * Only a frame tells it; and WebKit calls each observer whose content is not laid out yet an error of the page.
 * @param {Element} rows
 */
export const watchHeight = (rows) => parent !== window && heights.observe(rows);

/**
 * The page around the frame says that its session goes on.
 * @param {typeof import('./live.js').resume} resume
 */
export function watchFrame(resume) {
  addEventListener('message', ({ source, data }) => {
    if (source === parent && source !== window && data?.type === `${PREFIX}:resume`) resume({ target: document });
  });
}
