// `chat-group-members.js`, for other people's pages: besides the list, the line of markup it comes by and
// the custom element.

import { defineElement } from './element.js';
import { start } from './index.js';
import { load } from './loader.js';

load(() => {
  start();
  // Last: an element that stands in the page already begins at once.
  defineElement();
});
