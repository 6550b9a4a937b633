// The placeholder: the line of markup that a host writes where the list is to be. Whatever inserts it, it becomes the
// list, and neither the attributes of the host's htmx nor its Turbo remove the list again.

import { absolute, PREFIX, rootOf, rootsAt } from './component.js';
import { home } from './loader.js';

/**
 * What an htmx 4 may let elements inherit. The rest holds for our requests as for the host's own:
 * `hx-headers` and `hx-config` say how requests are signed and sent.
 */
const INHERITED = 'boost,confirm,disable,encoding,include,indicator,push-url,replace-url,select,select-oob,sync,vals';

/**
 * The id of the list that an element of htmx fetches by itself; nothing for any other element.
 * @param {Element} element
 */
export function idFor({ dataset, attributes }) {
  const [before, path] = absolute(dataset.hxGet ?? attributes['hx-get']?.value ?? '/').href.split(`${home}/groups/`);
  const [, guid, instance] = (before ? null : path?.match(/^(\w[\w-]*)\/members(?:.*\binstance=(\w+))?/)) || [];
  return guid && `cgm-${guid}${instance ? `-${instance}` : ''}`;
}

/** @param {ParentNode} element */
export const placeholdersIn = (element) => [...element.querySelectorAll('[hx-trigger], [data-hx-trigger]')].filter((one) => !rootOf(one) && idFor(one));

/**
 * What an element says itself is not looked for further up.
 * @param {Event} event
 */
function beforeProcess(event) {
  const [element] = /** @type {Element[]} */ (event.composedPath());
  for (const guarded of [...rootsAt(element), ...placeholdersIn(/** @type {ParentNode} */ (element.parentNode))]) {
    for (const name of INHERITED.split(',')) {
      for (const end of ['', ':inherited']) guarded.toggleAttribute(`data-hx-${name}${end}`, true);
    }
    guarded.dataset.hxTarget ??= 'this';
  }
}

/**
 * Turbo morphs a page into its newer self. A list looks after itself, an element after what is in it.
 * @param {From<CustomEvent<{ newElement?: Element }>>} event
 */
function beforeTurboMorph(event) {
  const {
    target,
    detail: { newElement },
  } = event;
  if (!newElement) return;
  for (const placeholder of placeholdersIn(newElement)) {
    const root = document.getElementById(idFor(placeholder));
    if (root) placeholder.replaceWith(root.cloneNode());
  }
  if (target.localName === PREFIX) {
    for (const name of target.getAttributeNames()) if (!newElement.hasAttribute(name)) target.removeAttribute(name);
    for (const { name, value } of newElement.attributes) target.setAttribute(name, value);
  } else if (target !== rootOf(target)) return;
  event.preventDefault();
}

/**
 * A parent with nothing but a `max-height` has no height to be a hundred per cent of.
 * @param {HTMLElement} root
 */
export function fitHeight(root) {
  for (const box of /** @type {HTMLElement[]} */ ([root.closest(PREFIX), root])) {
    const place = /** @type {HTMLElement} */ (box?.parentElement);
    if (box?.offsetHeight > place?.clientHeight && getComputedStyle(place).maxBlockSize !== 'none') box.style.maxBlockSize = 'inherit';
  }
}

// At once: an htmx of the page may begin before all scripts of the page have run.
document.addEventListener('htmx:before:process', beforeProcess);
document.addEventListener('turbo:before-morph-element', beforeTurboMorph);
document.addEventListener('turbo:before-frame-morph', beforeTurboMorph);
