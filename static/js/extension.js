// The component as an extension of htmx: how it makes requests, swaps in answers and messages, and what a morph
// leaves alone.

import { api, memoryOf, PREFIX, receiveApi, rootOf } from './component.js';
import { withScrollAnchor } from './scroll_anchor.js';
import { takeItems } from './items.js';
import { adoptComponents } from './lifecycle.js';
import { abort } from './live.js';
import { htmx } from './loader.js';
import { emitEmpty, updateLines } from './instructions.js';
import { idFor } from './placeholder.js';
import { delay } from './wait.js';
import { AGAIN, configRequest, emitError, OURS } from './requests.js';

/**
 * Whether a placeholder has got no list: the service is away, or a proxy has answered. The link that the host has put there stays.
 * @param {Element} source
 * @param {HtmxContext} ctx
 */
const hasFailed = (source, { root, response, text }) => !root && idFor(source) && !(response?.status < 500 && OURS.test(/** @type {string} */ (text)));

/**
 * @param {HTMLElement} source
 * @param {{ ctx: HtmxContext }} detail
 */
function afterRequest(source, { ctx }) {
  if (!hasFailed(source, ctx)) return;
  emitError(source, ctx.response?.status);
  delay(AGAIN).then(() => source.isConnected && htmx.process(source, true));
}

/**
 * Gives each `place` swap the context of its request. The other parts of a message (totals, the empty state) are morphed.
 * @param {Element} source
 * @param {{ ctx: HtmxContext, tasks: HtmxTask[] }} detail
 */
function beforeSwap(source, { ctx, tasks }) {
  if (hasFailed(source, ctx)) return false;
  for (const { type, target, swapSpec } of tasks) {
    const root = type === 'oob' ? rootOf(target) : null;
    if (swapSpec.style === 'place') swapSpec.ctx = ctx;
    else if (root && root !== target) swapSpec.style = 'steadyMorph';
    // The new element takes over the focus.
    else if (root?.matches(':focus-within')) setTimeout(() => document.getElementById(root.id)?.focus());
  }
}

/**
 * The swap styles `place` and `steadyMorph`; `renew` is the component anew, for pages without this script: the instruction of that name fetches it.
 * @param {string} style
 * @param {Element} target
 * @param {DocumentFragment} fragment
 * @param {{ ctx: HtmxContext }} swapSpec
 */
function handleSwap(style, target, fragment, { ctx }) {
  const root = /** @type {HTMLElement} */ (rootOf(target));
  if (style === 'steadyMorph') {
    // A morph that changes attributes of htmx makes htmx set the element up anew, which ends its stream. The script gave the root some.
    for (const { name, value } of target.attributes) {
      if (/hx-/.test(name)) fragment.children[0].setAttribute(name, value);
    }
    const focused = root.matches(':focus-within');
    // Content above the list may take more room, or less.
    withScrollAnchor(root, () => api.morph(target, fragment, false));
    // What the viewer lost with a role may have had it.
    if (focused && !root.matches(':focus-within')) memoryOf(root).stop?.focus({ preventScroll: true });
    return [target];
  }
  // Nothing is placed in a list that has gone meanwhile.
  if (style === 'place' && root) takeItems(root, [...fragment.children], Boolean(ctx.act), ctx.again);
  if (style === 'place' || style === 'renew') return [];
}

/**
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function afterSwap(source, { ctx: { root } }) {
  if (!root?.isConnected) return;
  emitEmpty(root);
  updateLines(root);
}

/** What the script has made of the page stays when the server's fresh markup is morphed into it. */
const KEPT_PARTS = /^chat-group-members__(menu|dialog|say|error-place|selection|search|scroll)( |$)/;
const KEPT_ATTRIBUTES = /^(data-(live|js|connect)|aria-expanded|tabindex|title|style)$/;

/**
 * A view of another search has come meanwhile: it stays as a whole.
 * @param {Element} node
 * @param {{ newNode: Element }} detail
 */
function beforeMorphNode(node, { newNode }) {
  return node.dataset?.query === newNode.dataset?.query && !(KEPT_PARTS.test(node.className) && rootOf(node));
}

/**
 * @param {Element} element
 * @param {{ attrName: string }} detail
 */
function beforeMorphAttribute(element, { attrName }) {
  // Those of the view are about its list.
  return !((KEPT_ATTRIBUTES.test(attrName) || element.dataset.query !== undefined) && rootOf(element));
}

/**
 * A list, and the line that it comes by, have no code in them: what looks like them and has some is a stranger's.
 * @param {Element} element
 * @param {{ code: unknown }} detail
 */
function beforeCode(element, detail) {
  if (rootOf(element) || idFor(element)) detail.code = 0;
}

/**
 * A list that is replaced takes its stream along.
 * @param {Element} element
 */
function beforeCleanup(element) {
  if (element.matches('[data-connect]')) abort(element);
}

export const register = () =>
  htmx.registerExtension(PREFIX, {
    init: receiveApi,
    handle_swap: handleSwap,
    htmx_after_process: adoptComponents,
    htmx_config_request: configRequest,
    htmx_before_swap: beforeSwap,
    htmx_finally_request: afterRequest,
    htmx_after_swap: afterSwap,
    htmx_before_morph_node: beforeMorphNode,
    htmx_before_morph_attr: beforeMorphAttribute,
    htmx_before_cleanup: beforeCleanup,
    htmx_scope: beforeCode,
  });
