// Back, to a page that the browser has kept as it was left: the list is as it is now, and live.

import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage(undefined, [], ['--disable-back-forward-cache']);

scene('Eve goes to the page of Dee and back: her list, kept as she left it, is as it is now, and live', async ({ viewer, actor, guid, server }) => {
  const eve = await viewer('eve');
  await eve.page.evaluate(() => addEventListener('pageshow', ({ persisted }) => (window.wasKept = persisted)));
  await eve.page.goto(`${server.base}/groups/${guid}/members/dee`);
  await actor('ada').kick('cy');
  // A page that was kept does not load: nothing waits for it to.
  await eve.page.evaluate(() => void history.back());
  await eve.page.waitForURL(/\/members$/, { waitUntil: 'commit' });
  await eve.until(() => window.wasKept);
  await eve.gone('cy');
  await eve.live('on');
  await sameAsFresh(eve);
  await actor('ada').kick('dee');
  await eve.gone('dee');
  await sameAsFresh(eve);
});
