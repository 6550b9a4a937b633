import { looks } from './looks.mjs';
import { search } from './search.mjs';
import { play } from './stage.mjs';

play('chromium', search, looks);
