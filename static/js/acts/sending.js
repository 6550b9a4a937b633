// An act on its way to the service: from the press on the button of its form to the answer.

import { create, memoryOf, PREFIX, part, say } from '../component.js';
import { emitOnce } from '../instructions.js';
import { beginRequest, endRequest } from '../message_order.js';
import { fail, isOurs, showError, showRefusal } from '../requests.js';
import { checkSelection } from './selection.js';
import { undoEnded } from './undo.js';

/**
 * The same address with the query of the list that is shown now: its answer is for that list.
 * @param {HTMLElement} root
 * @param {string} address
 */
export const forThisView = (root, address) => `${address.split('?')[0]}?${part(root, 'view').dataset.query}`;

/**
 * The shared dialog, when the form of an act is in it. Around the list there may be a dialog of the host.
 * @param {HtmxContext} ctx
 */
function dialogOf({ root, form }) {
  const dialog = part(root, 'dialog');
  return dialog?.contains(form) ? dialog : null;
}

/**
 * Whether the dialog of something else is open: it has the place for errors.
 * @param {HtmxContext} ctx
 */
const isOtherOpen = (ctx) => part(ctx.root, 'dialog')?.open && !dialogOf(ctx);

/** @param {HtmxContext} ctx */
const isAct = (ctx) => ctx.request.method !== 'GET';

/**
 * How the requests that fill a dialog wait for each other does not hold for the act in it, also where a host's htmx lets all be inherited.
 * @param {HTMLElement} source
 * @param {{ ctx: HtmxContext }} detail
 */
function configAct(source, { ctx }) {
  if (ctx.root && isAct(ctx)) source.dataset.hxSync ??= '';
}

/**
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function actBegins(source, { ctx }) {
  // The bar of a selection asks by the same method.
  if (!ctx.root || !isAct(ctx) || !source.matches('form')) return;
  ctx.act = beginRequest(ctx.root);
  ctx.form = source;
  // The bar outlasts searches and filters.
  if (source.matches(`.${PREFIX}__undo`)) ctx.request.action = forThisView(ctx.root, ctx.request.action);
  setBusy(ctx.root, source, true);
}

/**
 * A fresh component that is morphed into the present one has a place for errors too: the one in an open dialog stays there.
 * @param {Element} source
 * @param {{ ctx: HtmxContext, tasks: HtmxTask[] }} detail
 */
function keepErrorPlace(source, { tasks, ctx: { root } }) {
  const place = root && part(root, 'error');
  if (!place?.closest(`.${PREFIX}__dialog`)) return;
  for (const { swapSpec, fragment } of tasks) if (swapSpec.style === 'steadyMorph') fragment.getElementById(place.id)?.remove();
}

/**
 * Shows what became of an act, once the dialog of something else is closed.
 * @param {HtmxContext} ctx
 * @param {() => void} show
 */
function report(ctx, show) {
  if (isOtherOpen(ctx)) part(ctx.root, 'dialog').addEventListener('close', show, { once: true });
  else show();
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
  report(ctx, () => fail(ctx.root, raw.status));
  return false;
}

/**
 * @param {Element} source
 * @param {{ ctx?: HtmxContext }} detail
 */
function actFailed(source, { ctx }) {
  if (ctx?.act) report(ctx, () => fail(ctx.root, 0));
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
  // A request that did not arrive can be tried again.
  if (ctx.status === 'swapped') {
    if (response.status < 400) dialogOf(ctx)?.close();
    if (source.matches(`.${PREFIX}__undo`)) undoEnded(root, /** @type {HTMLFormElement} */ (source));
    // The answer to an act on several has no events: who is gone is asked, should the stream be down.
    if (source.querySelector('[name="act"]')) checkSelection(root);
  }
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
  const { pressed } = memory;
  memory.pressed = busy ? form.querySelector('button:focus') : null;
  for (const button of form.querySelectorAll('button')) button.disabled = busy;
  if (busy || document.activeElement !== document.body) return;
  // Somebody who has left reads the content that replaced the list.
  // On a phone the button comes into sight by itself, and the refusal above it would go.
  if (pressed?.isConnected) pressed.focus({ preventScroll: true });
  else document.getElementById(root.id)?.focus();
}

/**
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function actReplied(source, { ctx }) {
  if (!ctx.act) return;
  endStatusRules(ctx);
  if (!source.isConnected || isOtherOpen(ctx) || ctx.response.status >= 400) answerList(ctx);
  // Before the answer is on the screen: it may show whom the act was not done to.
  if (ctx.response.status < 400 && !isOtherOpen(ctx)) showError(ctx.root);
  takeEvents(ctx);
}

/**
 * What a host's htmx does with a status (`hx-status:4xx:inherited`) ends at the root, as all does that elements inherit.
 * @param {HtmxContext} ctx
 */
function endStatusRules({ root, response }) {
  const code = String(response.status);
  for (const pattern of [code, `${code.slice(0, 2)}x`, `${code[0]}xx`]) {
    for (const end of ['', ':inherited']) root.toggleAttribute(`data-hx-status:${pattern}${end}`, true);
  }
}

/**
 * An answer whose form has been left, or that refuses: it is for the list alone. Nothing takes the place of what is looked at now, and
 * htmx does not drop the answer because its form is gone, or because its host swaps no refusals (`noSwap`).
 * @param {HtmxContext} ctx
 */
function answerList(ctx) {
  const { content } = create('template', { innerHTML: ctx.text });
  const done = content.querySelector(`.${PREFIX}__done`);
  if (done) say(ctx.root, done.textContent);
  ctx.alert = content.querySelector('[role="alert"]');
  ctx.sourceElement = ctx.target = ctx.root;
  Object.assign(ctx.hx, { retarget: null, reswap: 'none' });
}

/**
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function actShown(source, { ctx }) {
  const { root, act, alert } = ctx;
  if (!act || !alert || !root.isConnected) return;
  alert.classList.add(`${PREFIX}__error`);
  report(ctx, () => {
    showError(root, alert);
    showRefusal(root);
  });
}

/**
 * Takes our events out of `HX-Trigger`: htmx would dispatch them on a form that may be gone.
 * @param {HtmxContext} ctx
 */
function takeEvents(ctx) {
  if (!ctx.hx.trigger?.startsWith('{')) return;
  const triggers = Object.entries(JSON.parse(ctx.hx.trigger));
  /** @param {[string, unknown]} trigger */
  const isOurs = ([name]) => name.startsWith(`${PREFIX}:`);
  ctx.events = triggers.filter(isOurs);
  const rest = triggers.filter((trigger) => !isOurs(trigger));
  ctx.hx.trigger = rest.length ? JSON.stringify(Object.fromEntries(rest)) : null;
}

export const sendingHooks = {
  htmx_config_request: configAct,
  htmx_before_request: actBegins,
  htmx_before_response: actAnswered,
  htmx_after_request: actReplied,
  htmx_after_swap: actShown,
  htmx_before_swap: keepErrorPlace,
  htmx_finally_request: actEnds,
  htmx_error: actFailed,
};
