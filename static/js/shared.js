// The parts of the main script that the script of acts uses: both must share one memory, one htmx and one page.

import { keepAddress } from '#page';
import { provideActs } from './core/acts.js';
import { addressOf, create, emit, isMenuOpen, memoryOf, PREFIX, part, plural, rootOf, say, withQuery, word } from './core/component.js';
import { applyUnlessInteracting } from './list/deferred_changes.js';
import { htmx } from './core/loader.js';
import { placeOf } from './keys.js';
import { listen } from './core/listen.js';
import { emitOnce, INSTRUCTIONS } from './live/instructions.js';
import { beginRequest, endRequest } from './server/message_order.js';
import { watchPress } from './input/press.js';
import { fail, get, isOurs, loaded, showError, showRefusal, wentWell } from './server/requests.js';
import { boxOf, focusList, memberOf, ROW, rowsOf } from './core/rows.js';
import { withScrollAnchor } from './list/scroll_anchor.js';
import { focusOn } from './input/tab_stop.js';
import { delay } from './core/wait.js';

/**
 * The parts are passed by position, which needs no names in either script. build/bundle.mjs reads this list and fails unless it has
 * exactly what acts/ imports from the main script.
 */
// biome-ignore format: one list
/** What the script of acts needs of the main one. */
export const shared = () => [
  INSTRUCTIONS, PREFIX, ROW, addressOf, beginRequest, boxOf, create, delay, emit, emitOnce, endRequest, fail, focusList, focusOn, get, htmx, isMenuOpen,
  isOurs, keepAddress, listen, loaded, memberOf, memoryOf, part, placeOf, plural, provideActs, applyUnlessInteracting, rootOf, rowsOf, say, showError, showRefusal, watchPress,
  wentWell, withQuery, withScrollAnchor, word,
];
