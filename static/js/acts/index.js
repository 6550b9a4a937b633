// The script of acts: what people act with (menus, dialogs, the selection), and what is said of the acts of others. The
// main script fetches it when somebody first needs it. What it imports from there is no copy: build/bundle.mjs puts in its place what
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
