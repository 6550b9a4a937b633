// Finding somebody: the search box, the quick filters, the pages.

import assert from 'node:assert/strict';

import { people } from '../browser/cast.mjs';
import { sameAsFresh } from './law.mjs';

export function search(scene) {
  scene('Eve finds people by any part of the name, without its accents, in any script', async ({ viewer }) => {
    const eve = await viewer('eve');
    for (const [text, found] of [['angstrom', 'zoe'], ['小明', 'wxm'], ['الزهراء', 'fat']]) {
      await eve.search(text);
      await eve.shows(found);
      assert.equal(await eve.focused(), 'q', 'the box keeps the focus all the while');
      assert.equal(await sameAsFresh(eve), 1);
    }
    await eve.search('');
    await eve.there(eve.row('ada'));
    assert.equal(await sameAsFresh(eve), 30);
  });
}
