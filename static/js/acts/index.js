// The script of acts: menus, dialogs, type-ahead, the selection, and the digest of other people's acts. The main script fetches
// it when somebody first needs it. It holds no copies of the main script's modules: build/bundle.mjs replaces its imports from
// there with the objects that shared.js passes.

import { barHooks, beginSelection } from './selection_bar.js';
import { provideActs } from '../core/acts.js';
import { goToName, isTyping } from './type_ahead.js';
import { htmx } from '../core/loader.js';
import { askAgain } from './ask_again.js';
import { addToDigest } from './live_region.js';
import { closeMenuOf, closeStrayMenu, entryFor, listenForMenus, openMenuOf, rightsChanged } from './menu.js';
import { checkSelection, choose, selectionHooks, setSelected, showSelected } from './selection.js';
import { sendingHooks } from './sending.js';
import { PREFIX } from '../core/component.js';
import { listenForUndo } from './undo.js';

listenForMenus();
htmx.registerExtension(`${PREFIX}-acts`, { ...sendingHooks, ...selectionHooks, ...barHooks });
listenForUndo();
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
