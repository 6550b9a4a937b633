// `chat-group-members-page.js`, for our own pages.

import { restorePlaces } from './address_restore.js';
import { watchFrame } from './frame.js';
import { start } from './index.js';
import { resume } from './live.js';
import { load } from './loader.js';

load(() => {
  start();
  restorePlaces();
  watchFrame(resume);
});
