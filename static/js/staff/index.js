// The script of staff: the undo bar, acts on many people, and the end of an act. The script of acts fetches it for viewers who are
// more than participants. It holds no copies of other scripts' modules: build/bundle.mjs replaces its imports from there with the
// objects that acts/staff_loader.js passes.

import { provideStaff } from '../acts/staff_loader.js';
import { listenForEnds } from './end_fields.js';
import { listenForBar } from './selection_acts.js';
import { listenForUndo, undoEnded } from './undo.js';

listenForBar();
listenForEnds();
listenForUndo();
provideStaff(undoEnded);
