// The script of acts: what people act with (menus, dialogs, the selection). The main script fetches it when
// somebody first needs it. What it imports from there is no copy: build/bundle.mjs puts in its place what
// shared.js hands over.

import { provideActs } from '../acts.js';
import { ask, entryFor, listenForMenus, openMenuOf } from './menu.js';
import { beginSelection, checkSelection, choose, setSelected, showSelected } from './selection.js';
import { listenForSending } from './sending.js';

listenForMenus();
listenForSending();
provideActs(ask, entryFor, openMenuOf, beginSelection, checkSelection, choose, setSelected, showSelected);
