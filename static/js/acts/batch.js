// Acts on all who are selected: the shared dialog first shows what the act would do.

import { PREFIX, part } from '../component.js';
import { isOurs, LONGEST_REQUEST, wentWell } from '../requests.js';
import { open } from './menu.js';

/**
 * @param {HTMLElement} root
 * @param {HTMLButtonElement} button
 */
export async function askBatch(root, button) {
  const form = /** @type {HTMLFormElement} */ (part(root, 'selection'));
  const body = new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form, button)]));
  const headers = { Accept: 'text/html', 'HX-Request': 'true' };
  const request = { action: button.formAction, method: 'POST', headers, body, signal: AbortSignal.timeout(LONGEST_REQUEST) };
  root.closest(PREFIX)?.sign(request);
  /** @type {import('../requests.js').Answer} */
  const answer = { status: 0, text: '', id: '' };
  button.ariaBusy = 'true';
  try {
    const response = await fetch(request.action, request);
    if (!response.redirected) Object.assign(answer, { text: await response.text(), status: response.status, ours: isOurs(response) });
  } catch {
    // Answered with status 0.
  }
  button.ariaBusy = null;
  if (wentWell(root, answer, () => askBatch(root, button))) await open(root, 'dialog', answer.text);
}
