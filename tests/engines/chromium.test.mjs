import { acts } from './acts.mjs';
import { embed } from './embed.mjs';
import { ends } from './ends.mjs';
import { hand } from './hand.mjs';
import { keyboard } from './keyboard.mjs';
import { live } from './live.mjs';
import { looks } from './looks.mjs';
import { moderation } from './moderation.mjs';
import { order } from './order.mjs';
import { position } from './position.mjs';
import { search } from './search.mjs';
import { play } from './stage.mjs';
import { touch } from './touch.mjs';

play('chromium', search, ends, acts, moderation, live, order, position, hand, keyboard, looks, embed, touch);
