// Waiting: between tries, and until the browser is online or the page is visible.

/** The limit of delays that grow between tries, milliseconds. */
export const LONGEST_WAIT = 15_000;

/**
 * Waits 70 to 130 percent of the time, so that clients do not all return at once; less when the browser comes online meanwhile.
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function delay(milliseconds) {
  return new Promise((done) => {
    setTimeout(wake, milliseconds * (0.7 + 0.6 * Math.random()));
    addEventListener('online', wake);
    function wake() {
      removeEventListener('online', wake);
      done();
    }
  });
}

/** Waits until the page is visible; null when it is. */
export function untilVisible() {
  return document.hidden ? new Promise((done) => document.addEventListener('visibilitychange', done, { once: true })) : null;
}
