import { acts } from './acts.mjs';
import { address } from './address.mjs';
import { applications } from './applications.mjs';
import { embed } from './embed.mjs';
import { ends } from './ends.mjs';
import { hand } from './hand.mjs';
import { inheritance } from './inheritance.mjs';
import { keyboard } from './keyboard.mjs';
import { live } from './live.mjs';
import { looks } from './looks.mjs';
import { moderation } from './moderation.mjs';
import { order } from './order.mjs';
import { position } from './position.mjs';
import { reader } from './reader.mjs';
import { search } from './search.mjs';
import { play } from './stage.mjs';
import { turbo } from './turbo.mjs';

// Without a finger: WebKitWebDriver makes a mouse of it.
play('webkit', search, ends, reader, acts, moderation, live, order, position, address, hand, keyboard, looks, embed, inheritance, turbo, applications);
