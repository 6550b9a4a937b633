// Chooses the htmx that the component uses. A page with htmx 4 shares its own with us. A page without htmx gets ours as its
// own, so that it can write `data-hx-get`. A page with an older htmx keeps that, and we use one of our own that never touches
// the rest of the page.

/**
 * The address of the service, from that of this script, `<mount>/static/chat-group-members.js`. Empty, because unknown, when the
 * script is a module or a copy elsewhere.
 */
export const home = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src.match(/(.*)\/static\//)?.[1] ?? '';

/**
 * Settles when all scripts of the page have run, also those after ours.
 * @type {Promise<void | Event>}
 */
export const ready = new Promise((done) => {
  if (document.readyState === 'complete') done();
  document.addEventListener('DOMContentLoaded', done);
  addEventListener('load', done);
});

/**
 * The htmx that the component uses; set before the component starts.
 * @type {Htmx}
 */
export let htmx;

/**
 * Chooses the htmx, at once or when the page is ready, and then starts the component.
 * @param {() => void} start
 */
export function load(start) {
  if (window.htmx?.registerExtension) choose(start);
  else ready.then(() => choose(start));
}

/** @param {() => void} start */
function choose(start) {
  // The page has the script twice.
  if (customElements.get('chat-group-members')) return;
  const theirs = window.htmx;
  htmx = theirs?.registerExtension ? theirs : newHtmx();
  if (htmx !== theirs) {
    // With its history on, our htmx would overwrite the `history.state` of the host's router.
    htmx.config.history = false;
    // An element of the page with the id `htmx` is in `window` as well.
    if (theirs?.config) {
      htmx.initialize = () => {};
      // The style sheet that our htmx has just added, unless the page's configuration forbids it.
      if (htmx.indicatorStyleSheet) document.adoptedStyleSheets.pop();
    } else window.htmx = htmx;
  }
  start();
}
