// The functions of the script of acts (acts/), which are undefined until it has been fetched: whoever calls
// them asks first. A module without imports, so that every other may have it.

/**
 * Never undefined while a menu is open.
 * @type {typeof import('./acts/menu.js').ask}
 */
export let ask;
/**
 * Never undefined while a menu is open.
 * @type {typeof import('./acts/menu.js').entryFor}
 */
export let entryFor;
/** @type {typeof import('./acts/menu.js').openMenuOf | undefined} */
export let openMenuOf;
/** @type {typeof import('./acts/selection.js').beginSelection | undefined} */
export let beginSelection;
/** @type {typeof import('./acts/selection.js').checkSelection | undefined} */
export let checkSelection;
/** @type {typeof import('./acts/selection.js').choose | undefined} */
export let choose;
/** @type {typeof import('./acts/selection.js').setSelected | undefined} */
export let setSelected;
/** @type {typeof import('./acts/selection.js').showSelected | undefined} */
export let showSelected;

/**
 * Called by the script of acts with what it has.
 * @param {[typeof ask, typeof entryFor, typeof openMenuOf, typeof beginSelection, typeof checkSelection, typeof choose, typeof setSelected, typeof showSelected]} functions
 */
export function provideActs(...functions) {
  [ask, entryFor, openMenuOf, beginSelection, checkSelection, choose, setSelected, showSelected] = functions;
}
