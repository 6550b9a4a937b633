// What is the same for every request of a component: no answer older than the screen, messages wait
// while a window is on its way, and a failure is said in one place, with a way to try again.

/** The newest state this component has seen, as an event id. */
function position(memory) {
  const dot = memory.received.lastIndexOf('.') + 1;
  return memory.received.slice(0, dot) + Math.max(memory.received.slice(dot), memory.seen);
}

function configRequest(source, { ctx }) {
  ctx.root = rootOf(source);
  if (!ctx.root) return;
  // Also from a page of another origin; htmx knows a mode only for all requests of a page.
  ctx.request.mode = 'cors';
  ctx.root.closest(PREFIX)?.sign(ctx.request);
  const memory = memoryOf(ctx.root);
  if (source === memory.stream) ctx.request.timeout = 0;
  else if (memory.received) ctx.request.headers['Last-Event-ID'] = position(memory);
}

function beforeRequest(source, { ctx }) {
  if (!ctx.root) return;
  if (ctx.wholeWindow || String(ctx.swap).startsWith('place')) memoryOf(ctx.root).windowRequests?.add(ctx);
  if (isAct(ctx)) setBusy(ctx.root, source, true);
}

/** False keeps the answer off the screen. */
function beforeResponse(source, { ctx }) {
  if (!ctx.root) return;
  const { status, headers, redirected } = ctx.response.raw;
  // Our errors say where they belong. Anything else comes from a proxy or a login page on the way.
  if (redirected || (status >= 400 && !headers.has('HX-Retarget'))) {
    fail(ctx, status);
    return false;
  }
}

function requestFailed(source, { ctx }) {
  if (ctx?.root) fail(ctx, 0);
}

function finallyRequest(source, { ctx }) {
  const { root } = ctx;
  if (!root) return;
  const memory = memoryOf(root);
  if (memory.windowRequests?.delete(ctx) && !memory.windowRequests.size) applyWaiting(root);
  if (isAct(ctx)) {
    setBusy(root, source, false);
    // An act that succeeded needs its dialog no more.
    if (ctx.status === 'swapped' && ctx.response.status < 400) source.closest('dialog')?.close();
  }
  for (const [name, detail] of ctx.news ?? []) announce(root, name, detail);
}

const isAct = (ctx) => ctx.request.method !== 'GET';

/** A form that is on its way cannot be sent again; the focus that this costs comes back. */
function setBusy(root, form, busy) {
  const memory = memoryOf(root);
  if (busy) memory.pressed = form.querySelector('button:focus');
  for (const button of form.querySelectorAll('button')) button.disabled = busy;
  if (!busy && document.activeElement === document.body) memory.pressed?.focus();
}

function fail(ctx, status) {
  const { root } = ctx;
  const place = part(root, 'error');
  const message = word(root, 'failed');
  const alert = newAlert(message);
  if (!isAct(ctx)) alert.append(newRetryButton(word(root, 'retry'), () => askAgain(ctx)));
  place?.replaceChildren(alert);
  if (status === 401) askForToken(root);
  emitError(root, status, message);
}

function emitError(element, status, message, code) {
  code ??= status >= 400 && status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_UNAVAILABLE';
  emit(element, 'error', { code, name: code, message, details: status ? `HTTP ${status}` : '' });
}

const create = (tag, properties) => Object.assign(document.createElement(tag), properties);

function newAlert(message) {
  const alert = create('div', { className: `${PREFIX}__error`, role: 'alert' });
  alert.append(create('strong', { textContent: message }));
  return alert;
}

function newRetryButton(label, again) {
  return create('button', { type: 'button', className: `${PREFIX}__retry`, textContent: label, onclick: again });
}

function askAgain({ root, sourceElement, target, swap, wholeWindow, request }) {
  const source = sourceElement.isConnected ? sourceElement : root;
  htmx.ajax('GET', request.action, { source, target, swap, wholeWindow });
}

/** After an answer was swapped: the error place shows what is true now, and the host hears of it. */
function showOutcome(ctx) {
  const { root } = ctx;
  const place = part(root, 'error');
  if (ctx.response.status < 400) {
    place?.replaceChildren();
    return;
  }
  const alert = place?.querySelector('[data-code]');
  if (!alert) return;
  alert.scrollIntoView({ block: 'nearest' });
  const text = (tag) => alert.querySelector(tag)?.textContent ?? '';
  const { code, title = text('strong'), detail = text('p') } = alert.dataset;
  emit(root, 'error', { code, name: code, message: title, details: detail });
}
