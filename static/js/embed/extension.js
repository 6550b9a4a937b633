// The component as an extension of htmx: how it makes requests, how it swaps in answers and messages, and what a morph
// leaves alone.

import { api, hasFocus, PREFIX, receiveApi, rootOf } from '../core/component.js';
import { withScrollAnchor } from '../list/scroll_anchor.js';
import { takeItems } from '../live/items.js';
import { adoptComponents } from './lifecycle.js';
import { abort } from '../live/stream.js';
import { htmx } from '../core/loader.js';
import { emitEmpty, updateLines } from '../live/host_numbers.js';
import { idFor } from './placeholder.js';
import { focusList } from '../core/rows.js';
import { delay } from '../core/wait.js';
import { AGAIN, configRequest, emitError, OURS } from '../server/requests.js';

/**
 * Whether the request of a placeholder brought no list: the service is not available, or a proxy has answered. What the host has
 * put into the placeholder, such as a link, then stays.
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
 * Gives each `place` swap the context of its request, and has the other parts of a message (totals, the empty state) morphed.
 * @param {Element} source
 * @param {{ ctx: HtmxContext, tasks: HtmxTask[] }} detail
 */
function beforeSwap(source, { ctx, tasks }) {
  if (hasFailed(source, ctx)) return false;
  for (const { type, target, swapSpec } of tasks) {
    const root = type === 'oob' ? rootOf(target) : null;
    if (swapSpec.style === 'place') swapSpec.ctx = ctx;
    else if (root && root !== target) swapSpec.style = 'steadyMorph';
    // The root itself is replaced: the new element takes over the focus.
    else if (root && hasFocus(root)) setTimeout(() => root.isConnected || document.getElementById(root.id)?.focus());
  }
}

/**
 * Carries out the swap styles `place` and `steadyMorph`. The style `renew` brings the whole component for pages without this script,
 * and does nothing here: the instruction of that name fetches the component.
 * @param {string} style
 * @param {Element} target
 * @param {DocumentFragment} fragment
 * @param {{ ctx: HtmxContext }} swapSpec
 */
function handleSwap(style, target, fragment, { ctx }) {
  const root = /** @type {HTMLElement} */ (rootOf(target));
  if (style === 'steadyMorph') {
    // Copies the `hx-` attributes that the script has set on the target: if the morph changed them, htmx would process the element
    // again, which ends its stream.
    for (const { name, value } of target.attributes) {
      if (/hx-/.test(name)) fragment.children[0].setAttribute(name, value);
    }
    const focused = root.matches(':focus-within');
    // The content above the list may get higher or lower.
    withScrollAnchor(root, () => api.morph(target, fragment, false));
    // The focus may have been on a control that the viewer has lost together with a role.
    if (focused && !root.matches(':focus-within')) focusList(root);
    return [target];
  }
  // Without a root the list has been removed meanwhile: nothing is placed.
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

/** The parts and attributes that the script has changed: they stay when the server's fresh markup is morphed in. */
const KEPT_PARTS = /^chat-group-members__(menu|dialog|say|error-place|selection|search|scroll)( |$)/;
const KEPT_ATTRIBUTES = /^(data-(live|js|connect)|aria-expanded|tabindex|title|style)$/;

/**
 * False leaves a node as it is: a kept part, or the view when another search has replaced it in the meantime.
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
  // The attributes of the view describe its list, which is kept.
  return !((KEPT_ATTRIBUTES.test(attrName) || 'query' in element.dataset) && rootOf(element));
}

/**
 * Drops code in attributes (such as `hx-on`) of components and placeholders: ours have none, so it is a stranger's.
 * @param {Element} element
 * @param {{ code: unknown }} detail
 */
function beforeCode(element, detail) {
  if (rootOf(element) || idFor(element)) detail.code = 0;
}

/**
 * Ends the stream of a list that is removed.
 * @param {Element} element
 */
function beforeCleanup(element) {
  if (element.matches('[data-connect]')) abort(element);
}

/** Registers the extension by which htmx and the components work together. */
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
