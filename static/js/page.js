// `chat-group-members-page.js`, for our own pages.

import { restorePlaces } from './address_restore.js';
import { watchFrame } from './page/frame.js';
import { start } from './index.js';
import { resume } from './live/stream.js';
import { load } from './core/loader.js';

load(() => {
  start();
  restorePlaces();
  watchFrame(resume);
});
