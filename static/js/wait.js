// Waiting: between tries, and until the network or the page is back.

export const LONGEST_WAIT = 15_000;

/**
 * Milliseconds, a little more or less, so that not everybody returns at once; or until online.
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

/** Until the page is looked at. */
export function untilVisible() {
  return document.hidden ? new Promise((done) => document.addEventListener('visibilitychange', done, { once: true })) : null;
}
