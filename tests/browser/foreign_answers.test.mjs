// What answers in our place: the page of a proxy, of a service worker or of a host that answers every address, with 200. It is no
// answer of the service, and takes nothing off the screen.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const PAGE = '<!doctype html><html lang="en"><title>Maintenance</title><body><h1>Maintenance</h1></body></html>';

/** From now on requests to addresses of this form are answered by another's page; the function that is returned ends it. */
async function elsewhere({ page }, pattern) {
  await page.route(pattern, (route) => route.fulfill({ status: 200, contentType: 'text/html', body: PAGE }));
  return () => page.unroute(pattern);
}

/** The button that tries again, once it is there. */
const retry = async (viewer) => {
  const button = viewer.part('error').locator('.chat-group-members__retry');
  await button.waitFor();
  return button;
};

scene('a search that a proxy answers by a page of its own leaves the list, and can be tried again', async ({ viewer, actor }) => {
  const eve = await viewer('eve');
  const before = await eve.uids();
  const end = await elsewhere(eve, /part=view/);
  await eve.part('q').fill('brandt');
  const button = await retry(eve);
  assert.deepEqual(await eve.uids(), before);
  await end();
  await button.click();
  await eve.searched('brandt');
  await eve.search('');
  await actor('ada').kick('cy');
  await eve.away();
  await eve.gone('cy');
  await sameAsFresh(eve);
});

scene('a further page that a proxy answers by its own ends no list: it is asked for again', async ({ viewer }) => {
  const eve = await viewer('eve', { query: '?limit=5' });
  const end = await elsewhere(eve, /part=rows/);
  await eve.scrollTo(1e6);
  const button = await retry(eve);
  await eve.part('next').waitFor({ state: 'attached' });
  const before = await eve.rows.count();
  await end();
  await button.click();
  await eve.until(([id, before]) => document.querySelectorAll(`#${id}-list > [data-uid]`).length > before, [eve.x, before]);
});

scene('a component that a proxy answers by its page is asked for again, and until then the screen says that it is not live', async ({ viewer, actor }) => {
  const eve = await viewer('eve');
  await eve.away();
  const before = await eve.uids();
  const end = await elsewhere(eve, /part=component/);
  await actor('ada').scope('eve', 'admin');
  await eve.live('reconnecting');
  assert.deepEqual(await eve.uids(), before);
  await end();
  await eve.live('on');
  await eve.page.locator(`#${eve.x}[data-scope="admin"]`).waitFor();
  await sameAsFresh(eve);
});

scene('an act that a proxy answers by its page is not taken for done', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  const end = await elsewhere(ben, /members\/dee\b/);
  await ben.part('dialog').locator('button[data-action]').click();
  await ben.part('dialog').locator('[role="alert"]').waitFor();
  await ben.there('dee');
  await end();
  await ben.confirm();
  await ben.gone('dee');
});
