// `chat-group-members.js`, for other people's pages: the list, its placeholder and the custom element.

import { defineElement } from './embed/element.js';
import { start } from './index.js';
import { load } from './core/loader.js';

load(() => {
  start();
  // Last, because an element that is in the page already starts at once.
  defineElement();
});
