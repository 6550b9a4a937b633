import { describe } from 'node:test';

import { play } from '../engines/stage.mjs';
import { eye } from './eye.mjs';

for (const engine of process.env.CGM_TEST_ENGINES?.split(',') ?? ['chromium', 'firefox', 'webkit']) describe(engine, () => play(engine, eye));
