// The placeholder: the line of markup that a host writes where the list is to be. It becomes the list, whatever inserts it.
// The list does not inherit the host's htmx attributes, and Turbo does not remove it again.

import { absolute, PREFIX, rootOf, rootsAt } from '../core/component.js';
import { home } from '../core/loader.js';

/**
 * The htmx attributes that a component must not inherit from the host. It does inherit the others: `hx-headers` and `hx-config`
 * say how the host's requests are signed and sent, and ours too.
 */
const INHERITED = 'boost,confirm,disable,encoding,include,indicator,push-url,replace-url,select,select-oob,sync,vals';

/**
 * The id of the component that an element fetches by its `hx-get`; nothing for any other element.
 * @param {Element} element
 */
export function idFor({ dataset, attributes }) {
  const [before, path] = absolute(dataset.hxGet ?? attributes['hx-get']?.value ?? '/').href.split(`${home}/groups/`);
  const [, guid, instance] = (before ? null : path?.match(/^([\w-]+)\/members(?:.*\binstance=(\w+))?/)) || [];
  return guid && `cgm-${guid}${instance ? `-${instance}` : ''}`;
}

/**
 * The elements inside this one that a list is to replace.
 * @param {ParentNode} element
 */
export const placeholdersIn = (element) => [...element.querySelectorAll('[hx-trigger], [data-hx-trigger]')].filter((one) => !rootOf(one) && idFor(one));

/**
 * Gives components and placeholders empty attributes of their own, so that htmx does not look for these attributes further up.
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
 * Keeps Turbo from morphing a list, or the content of a custom element, when it morphs the page into a newer version. Of a custom
 * element only the attributes are updated.
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
  // Of a custom element Turbo morphs the attributes, and finds nothing to morph inside.
  if (target.localName === PREFIX) newElement.replaceChildren(...target.cloneNode(true).children);
  if (rootOf(target) === target) event.preventDefault();
}

/**
 * Bounds a component by the `max-height` of its parent, less what else is in there: our `max-block-size: 100%` has no effect in a
 * parent without a height.
 * @param {HTMLElement} root
 */
export function fitHeight(root) {
  for (const box of /** @type {HTMLElement[]} */ ([root.closest(PREFIX) ?? root, root])) {
    const place = box.parentElement;
    if (place && (box.offsetHeight > place.clientHeight || box.style.maxBlockSize)) {
      const most = `calc(${getComputedStyle(place).maxBlockSize} - ${place.scrollHeight - box.offsetHeight + place.offsetHeight - place.clientHeight}px)`;
      // `none` makes it invalid, and has no effect: that of before is gone all the same.
      box.style.maxBlockSize = '';
      box.style.maxBlockSize = most;
    }
  }
}

// Added at once, because the page's own htmx may start before all scripts of the page have run.
document.addEventListener('htmx:before:process', beforeProcess);
document.addEventListener('turbo:before-morph-element', beforeTurboMorph);
document.addEventListener('turbo:before-frame-morph', beforeTurboMorph);
