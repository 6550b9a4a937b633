// The messages between our own page in a frame and the page around the frame. Ours reports the height that it needs, which
// only the page around can set, and that its session has expired; the page around reports that the session goes on. Whoever
// may frame us (`--frame-ancestors`) may know this, and nothing else is sent: hence the target origin "*".

import { PREFIX, rootOf } from '../core/component.js';

/** The least height that is reported, pixels: room for a menu or a dialog. */
const LOWEST = 360;

/**
 * Sends a message to the page around the frame, if there is one.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {object} [detail]
 */
export const tellParent = (root, name, detail) => {
  if (parent !== window) {
    parent.postMessage({ type: `${PREFIX}:${name}`, group: root.dataset.group, ...detail }, '*');
  }
};

/** Reports the height when a list changes its size. Called at most once per painted frame, also for a list that was just replaced. */
const heights = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    const root = rootOf(target);
    if (!root) continue;
    const box = /** @type {HTMLElement} */ (target.parentElement);
    const { bottom } = root.getBoundingClientRect();
    // The end of the component in the page, plus what its boxes hide. `scrollY` is part of it, because in a low window the page
    // scrolls. Only the sum is rounded, and the frame's own height is not part of it: otherwise the frame would grow by a pixel with
    // each list.
    const height = scrollY + bottom + root.scrollHeight - root.clientHeight + hiddenIn(box);
    tellParent(root, 'height', { height: Math.max(LOWEST, Math.ceil(height)) });
  }
});

/**
 * How much higher the content of a box is than the box, pixels; negative when there is room left.
 * @param {Element} box
 */
function hiddenIn(box) {
  const content = document.createRange();
  content.selectNodeContents(box);
  return content.getBoundingClientRect().height - box.getBoundingClientRect().height;
}

/**
 * Observes the size of a list, but only in a frame: nobody else needs it, and WebKit reports an observer whose content is not laid
 * out yet as an error of the page.
 * @param {Element} rows
 */
export const watchHeight = (rows) => parent !== window && heights.observe(rows);

/**
 * Resumes the streams when the page around the frame reports that the session goes on.
 * @param {typeof import('../live/stream.js').resume} resume
 */
export function watchFrame(resume) {
  addEventListener('message', ({ source, data }) => {
    if (source === parent && source !== window && data?.type === `${PREFIX}:resume`) resume({ target: document });
  });
}
