// An act on its way to the service: from the press on the button of its form to the answer.

import { memoryOf, PREFIX, part, view } from '../component.js';
import { htmx } from '../loader.js';
import { emitOnce } from '../instructions.js';
import { beginRequest, endRequest } from '../message_order.js';
import { fail, isAct, isOurs } from '../requests.js';
import { closeUndo } from './undo.js';

/**
 * The same address with the query of the list that is shown now: its answer is for that list.
 * @param {HTMLElement} root
 * @param {string} address
 */
export const forThisView = (root, address) => `${address.split('?')[0]}?${view(root).dataset.query}`;

/**
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function actBegins(source, { ctx }) {
  if (!ctx.root || !isAct(ctx)) return;
  ctx.act = beginRequest(ctx.root);
  // The bar outlasts searches and filters.
  if (source.matches(`.${PREFIX}__undo`)) ctx.request.action = forThisView(ctx.root, ctx.request.action);
  // A component fetched meanwhile has moved its place for errors out of the dialog.
  source.closest('dialog')?.prepend(part(ctx.root, 'error'));
  setBusy(ctx.root, source, true);
}

/**
 * False keeps the answer off the screen.
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function actAnswered(source, { ctx }) {
  if (!ctx.act) return;
  const { raw } = ctx.response;
  if (!raw.redirected && isOurs(raw)) return;
  fail(ctx.root, raw.status);
  return false;
}

/**
 * @param {Element} source
 * @param {{ ctx?: HtmxContext }} detail
 */
function actFailed(source, { ctx }) {
  if (ctx?.act) fail(ctx.root, 0);
}

/**
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function actEnds(source, { ctx }) {
  const { root, act, response } = ctx;
  if (!act) return;
  endRequest(root, act, ctx.status === 'swapped' && response.headers.get('Last-Event-ID'));
  setBusy(root, source, false);
  // What a refusal says has been seen: the next press acts on it.
  const asOf = /** @type {HTMLInputElement | null} */ (source.querySelector('[name="asOf"]'));
  if (asOf) asOf.value = response?.headers.get('Last-Event-ID') ?? asOf.value;
  const dialog = source.closest('dialog');
  // Escape has closed it meanwhile; else it closes after an act that succeeded.
  if (!dialog?.open) dialog?.replaceChildren();
  else if (ctx.status === 'swapped' && response.status < 400) dialog.close();
  // A request that did not arrive can be tried again.
  if (ctx.status === 'swapped' && source.matches(`.${PREFIX}__undo`)) closeUndo(root);
  for (const [name, detail] of ctx.events ?? []) emitOnce(root, name.slice(PREFIX.length + 1), detail);
}

/**
 * A form that is on its way cannot be sent again; the focus that this costs comes back.
 * @param {HTMLElement} root
 * @param {Element} form
 * @param {boolean} busy
 */
function setBusy(root, form, busy) {
  const memory = memoryOf(root);
  if (busy) memory.pressed = form.querySelector('button:focus');
  for (const button of form.querySelectorAll('button')) button.disabled = busy;
  if (busy || document.activeElement !== document.body) return;
  // Somebody who has left reads the content that replaced the list.
  const { pressed } = memory;
  // On a phone the button comes into sight by itself, and the refusal above it would go.
  if (pressed?.isConnected) pressed.focus({ preventScroll: true });
  else document.getElementById(root.id)?.focus();
}

/**
 * Takes our events out of `HX-Trigger`: htmx would dispatch them on a form that may be gone.
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function actReplied(source, { ctx }) {
  if (!ctx.act || !ctx.hx.trigger?.startsWith('{')) return;
  const triggers = Object.entries(JSON.parse(ctx.hx.trigger));
  /** @param {[string, unknown]} trigger */
  const isOurs = ([name]) => name.startsWith(`${PREFIX}:`);
  ctx.events = triggers.filter(isOurs);
  const rest = triggers.filter((trigger) => !isOurs(trigger));
  ctx.hx.trigger = rest.length ? JSON.stringify(Object.fromEntries(rest)) : null;
}

export function listenForSending() {
  htmx.registerExtension(`${PREFIX}-acts`, {
    htmx_before_request: actBegins,
    htmx_before_response: actAnswered,
    htmx_after_request: actReplied,
    htmx_finally_request: actEnds,
    htmx_error: actFailed,
  });
}
