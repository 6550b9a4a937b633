// The script of acts: menus, dialogs, the selection, and the digest of other people's acts. The main script fetches
// it when somebody first needs it. Its imports from there are no copies: build/bundle.mjs replaces them with what
// shared.js hands over.

import { provideActs } from '../acts.js';
import { addToDigest } from './live_region.js';
import { closeMenuOf, closeStrayMenu, entryFor, listenForMenus, openMenuOf, rightsChanged } from './menu.js';
import { beginSelection, checkSelection, choose, setSelected, showSelected } from './selection.js';
import { listenForSending } from './sending.js';
import { listenForUndo } from './undo.js';

listenForMenus();
listenForSending();
listenForUndo();
provideActs(addToDigest, closeMenuOf, closeStrayMenu, entryFor, openMenuOf, rightsChanged, beginSelection, checkSelection, choose, setSelected, showSelected);
