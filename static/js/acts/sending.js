// Sends an act: from the press on the button of its form to the answer.

import { create, PREFIX, part, say } from '../core/component.js';
import { emitOnce } from '../live/instructions.js';
import { beginRequest, endRequest } from '../server/message_order.js';
import { fail, isOurs, showError, showRefusal } from '../server/requests.js';
import { ensureChecked } from './selection.js';
import { undoEnded } from './staff_loader.js';
import { forThisView } from './view_address.js';

/**
 * The shared dialog, if the act's form is in it. A dialog of the host around the list does not count.
 * @param {HtmxContext} ctx
 */
function dialogOf({ root, form }) {
  const dialog = part(root, 'dialog');
  return dialog?.contains(form) ? dialog : null;
}

/**
 * Whether the shared dialog is open for something else, and so holds the error place.
 * @param {HtmxContext} ctx
 */
const isOtherOpen = (ctx) => part(ctx.root, 'dialog')?.open && !dialogOf(ctx);

/** @param {HtmxContext} ctx */
const isAct = (ctx) => ctx.request.method !== 'GET';

/**
 * By form: what its act was sent with, and the Idempotency-Key, until an answer is on the screen.
 * @type {WeakMap<Element, { content: string, key: string }>}
 */
const unanswered = new WeakMap();

/**
 * Stops an act's form from inheriting `hx-sync`, which is for requests that fill the dialog, also where the host's htmx makes
 * elements inherit every attribute. False stops a form that is being sent already.
 * @param {HTMLElement} source
 * @param {{ ctx: HtmxContext }} detail
 */
function configAct(source, { ctx }) {
  if (!ctx.root || !isAct(ctx)) return;
  source.dataset.hxSync ??= '';
  return !(source.ariaBusy && source.matches('form'));
}

/**
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function actBegins(source, { ctx }) {
  // The selection bar also sends POST requests that are no acts; their source is no form.
  if (!ctx.root || !isAct(ctx) || !source.matches('form')) return;
  ctx.act = beginRequest(ctx.root);
  ctx.form = source;
  // An undo bar may be older than the present search and filters.
  if (source.matches(`.${PREFIX}__undo`)) ctx.request.action = forThisView(ctx.root, ctx.request.action);
  // The answer may have been lost, and the act done: the same once more is the same act, and is answered as the first time.
  const content = `${ctx.request.action} ${ctx.request.body}`;
  const before = unanswered.get(source);
  const key = before?.content === content ? before.key : `${Math.random()}`;
  unanswered.set(source, { content, key });
  ctx.request.headers['Idempotency-Key'] = key;
  // Its button is not disabled: that would lose the focus.
  source.ariaBusy = 'true';
}

/**
 * Keeps the error place and the focus in an open dialog: removes the duplicate from a fresh component that is about to be morphed in.
 * @param {Element} source
 * @param {{ ctx: HtmxContext, tasks: HtmxTask[] }} detail
 */
function keepErrorPlace(source, { tasks, ctx: { root } }) {
  const place = root && part(root, 'error');
  if (!place?.closest(`.${PREFIX}__dialog`)) return;
  // htmx would give the focus to the field that the dialog began with.
  for (const field of root.querySelectorAll('[autofocus]')) field.autofocus = false;
  for (const { swapSpec, fragment } of tasks) if (swapSpec.style === 'steadyMorph') fragment.getElementById(place.id)?.remove();
}

/**
 * Shows the outcome of an act: at once, or when the dialog closes that is open for something else.
 * @param {HtmxContext} ctx
 * @param {() => void} show
 */
function report(ctx, show) {
  if (isOtherOpen(ctx)) part(ctx.root, 'dialog').addEventListener('close', show, { once: true });
  else show();
}

/**
 * Shows a failure when the answer is not the service's own; false keeps htmx from swapping it.
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function actAnswered(source, { ctx }) {
  if (!ctx.act) return;
  const { raw } = ctx.response;
  // An act that was redirected is not done, whatever the page says that it led to.
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
  source.ariaBusy = null;
  // The button is gone, as after leaving the group: the focus goes to the content that replaced the list.
  if (document.activeElement === document.body) document.getElementById(root.id)?.focus();
  // The answer has shown the present state, so the next press is about that state.
  const asOf = /** @type {HTMLInputElement | null} */ (source.querySelector('[name="asOf"]'));
  if (asOf) asOf.value = response?.headers.get('Last-Event-ID') ?? asOf.value;
  // Without an answer on the screen the form stays, so that the act can be tried again.
  if (ctx.status === 'swapped') {
    unanswered.delete(source);
    if (response.status < 400) dialogOf(ctx)?.close();
    // After 429 and 5xx, which stand in the error place, the same undo can be tried again.
    if (response.status < 429 && source.matches(`.${PREFIX}__undo`)) undoEnded?.(root, /** @type {HTMLFormElement} */ (source));
    // The answer to a batch act holds no events. Ask who has gone, because the stream may be down.
    if (source.querySelector('[name="act"]')) ensureChecked(root);
  }
  for (const [name, detail] of ctx.events ?? []) emitOnce(root, name.slice(PREFIX.length + 1), detail);
}

/**
 * @param {Element} source
 * @param {{ ctx: HtmxContext }} detail
 */
function actReplied(source, { ctx }) {
  if (!ctx.act) return;
  endStatusRules(ctx);
  if (!source.isConnected || isOtherOpen(ctx) || ctx.response.status >= 400) answerList(ctx);
  // Clears the old error before the swap: the answer itself may show who was left out.
  if (ctx.response.status < 400 && !isOtherOpen(ctx)) showError(ctx.root);
  takeEvents(ctx);
}

/**
 * Stops the host's rules for a response status (`hx-status:4xx:inherited`) at the root. embed/placeholder.js does the same for the
 * other inherited attributes.
 * @param {HtmxContext} ctx
 */
function endStatusRules({ root, response }) {
  const code = String(response.status);
  for (const pattern of [code, `${code.slice(0, 2)}x`, `${code[0]}xx`]) {
    for (const end of ['', ':inherited']) root.toggleAttribute(`data-hx-status:${pattern}${end}`, true);
  }
}

/**
 * Applies to the list alone an answer that refuses, or whose form is no longer shown. The answer then replaces nothing on the
 * screen, and htmx does not drop it because the form is gone, or because the host swaps no refusals (`noSwap`).
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

/** What happens on the way of an act, from the request that htmx makes of it to the answer that it shows. */
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
