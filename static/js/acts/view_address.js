// Addresses of acts, with the view that is shown.

import { part } from '../core/component.js';

/**
 * The address with the query of the view that is shown now, so that the answer fits that view.
 * @param {HTMLElement} root
 * @param {string} address
 */
export const forThisView = (root, address) => `${address.split('?')[0]}?${part(root, 'view').dataset.query}`;
