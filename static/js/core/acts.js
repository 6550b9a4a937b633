// The functions of the script of acts (acts/). They are undefined until it has been fetched: callers check first. This module
// imports nothing, so that every other module can import it.

/** @type {typeof import('../acts_loader.js').fetchActs} */
export let fetchActs;
/**
 * Sets how the script of acts is fetched. Called by acts_loader.js, which imports the modules that call this one.
 * @param {typeof fetchActs} fetch
 */
export const fetchActsBy = (fetch) => {
  fetchActs = fetch;
};

/** @type {typeof import('../acts/live_region.js').addToDigest | undefined} */
export let addToDigest;
/** @type {typeof import('../acts/ask_again.js').askAgain | undefined} */
export let askAgain;
/** @type {typeof import('../acts/menu.js').closeMenuOf | undefined} */
export let closeMenuOf;
/** @type {typeof import('../acts/menu.js').closeStrayMenu | undefined} */
export let closeStrayMenu;
/**
 * Always defined while a menu is open, since only the script of acts opens one.
 * @type {typeof import('../acts/menu.js').entryFor}
 */
export let entryFor;
/** @type {typeof import('../acts/menu.js').openMenuOf | undefined} */
export let openMenuOf;
/** @type {typeof import('../acts/menu.js').rightsChanged | undefined} */
export let rightsChanged;
/** @type {typeof import('../acts/type_ahead.js').goToName | undefined} */
export let goToName;
/** @type {typeof import('../acts/type_ahead.js').isTyping | undefined} */
export let isTyping;
/** @type {typeof import('../acts/selection_bar.js').beginSelection | undefined} */
export let beginSelection;
/** @type {typeof import('../acts/selection.js').checkSelection | undefined} */
export let checkSelection;
/** @type {typeof import('../acts/selection.js').choose | undefined} */
export let choose;
/** @type {typeof import('../acts/selection.js').setSelected | undefined} */
export let setSelected;
/** @type {typeof import('../acts/selection.js').showSelected | undefined} */
export let showSelected;

/**
 * Fetches the script of acts, which then asks a few times whether the removed viewer is a member again.
 * @param {HTMLElement} root
 */
export const bringAskAgain = (root) => fetchActs().then(() => askAgain?.(root));

/**
 * Sets the functions above. Called by the script of acts when it has been loaded.
 * @param {[typeof addToDigest, typeof askAgain, typeof closeMenuOf, typeof closeStrayMenu, typeof entryFor, typeof goToName, typeof isTyping, typeof openMenuOf, typeof rightsChanged, typeof beginSelection, typeof checkSelection, typeof choose, typeof setSelected, typeof showSelected]} functions
 */
export function provideActs(...functions) {
  [
    addToDigest,
    askAgain,
    closeMenuOf,
    closeStrayMenu,
    entryFor,
    goToName,
    isTyping,
    openMenuOf,
    rightsChanged,
    beginSelection,
    checkSelection,
    choose,
    setSelected,
    showSelected,
  ] = functions;
}
