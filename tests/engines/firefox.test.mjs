import { acts } from './acts.mjs';
import { embed } from './embed.mjs';
import { keyboard } from './keyboard.mjs';
import { live } from './live.mjs';
import { looks } from './looks.mjs';
import { moderation } from './moderation.mjs';
import { search } from './search.mjs';
import { play } from './stage.mjs';

play('firefox', search, acts, moderation, live, keyboard, looks, embed);
