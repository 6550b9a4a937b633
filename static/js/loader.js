// Which htmx moves the component. A page with htmx 4 shares its own with us. A page without any gets
// ours as its own, so that it may write `data-hx-get`. A page with an older htmx keeps that, and we use
// one of our own that never touches the rest of the page.

/** Where the service is: this script is `<mount>/static/chat-group-members.js`. Empty in a module or a copy, which cannot tell. */
export const home = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src.match(/(.*)\/static\//)?.[1] ?? '';

/**
 * All scripts of the page have run, also those that stand behind ours.
 * @type {Promise<void | Event>}
 */
export const ready = new Promise((done) => {
  if (document.readyState === 'complete') done();
  document.addEventListener('DOMContentLoaded', done);
  addEventListener('load', done);
});

/**
 * Set before anything else of ours runs.
 * @type {Htmx}
 */
export let htmx;

/**
 * Decides, at once or when the page is ready, and then starts the component.
 * @param {() => void} start
 */
export function load(start) {
  if (window.htmx?.registerExtension) choose(start);
  else ready.then(() => choose(start));
}

/** @param {() => void} start */
function choose(start) {
  // Somebody has put the script into the page twice.
  if (customElements.get('chat-group-members')) return;
  const theirs = window.htmx;
  htmx = theirs?.registerExtension ? theirs : newHtmx();
  if (htmx !== theirs) {
    // It would overwrite the `history.state` of the host's router.
    htmx.config.history = false;
    if (theirs) {
      htmx.initialize = () => {};
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== htmx.indicatorStyleSheet);
    } else window.htmx = htmx;
  }
  start();
}
