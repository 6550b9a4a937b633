// The script of acts: menus, dialogs, type-ahead, the selection, and the digest of other people's acts. The main script fetches
// it when somebody first needs it; what only staff need is in staff/. It holds no copies of the main script's modules:
// build/bundle.mjs replaces its imports from there with the objects that shared.js passes.

import { barHooks, beginSelection } from './selection_bar.js';
import { provideActs } from '../core/acts.js';
import { goToName, isTyping } from './type_ahead.js';
import { htmx } from '../core/loader.js';
import { askAgain } from './ask_again.js';
import { addToDigest } from './live_region.js';
import { closeMenuOf, closeStrayMenu, entryFor, listenForMenus, openMenuOf, rightsChanged } from './menu.js';
import { checkSelection, choose, listCame, setSelected, showSelected } from './selection.js';
import { sendingHooks } from './sending.js';
import { fetchForStaff } from './staff_loader.js';
import { PREFIX } from '../core/component.js';
import { delay } from '../core/wait.js';

/** Longest wait for the script of staff, milliseconds. */
const STAFF_WAIT = 2_000;

listenForMenus();
htmx.registerExtension(`${PREFIX}-acts`, {
  ...sendingHooks,
  ...barHooks,
  /** @param {Element} element */
  htmx_after_process(element) {
    fetchForStaff(element);
    listCame(element);
  },
});
// Without the script of staff the buttons of the selection bar lead to pages, and there is no undo bar: it is waited for, but not for long.
await Promise.race([fetchForStaff(document.documentElement), delay(STAFF_WAIT)]);
provideActs(
  addToDigest,
  askAgain,
  closeMenuOf,
  closeStrayMenu,
  entryFor,
  goToName,
  isTyping,
  openMenuOf,
  rightsChanged,
  beginSelection,
  checkSelection,
  choose,
  setSelected,
  showSelected,
);
