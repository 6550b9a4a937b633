// Answers that come when something else is looked at: they close, replace and fill nothing, and what they say is not lost.

import assert from 'node:assert/strict';

import { bar } from './bars.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const openDialog = (viewer) => viewer.page.locator(`#${viewer.x}-dialog[open]`);

/** Holds what Ben sends about somebody: until `release`, the service does not get it, or he not its answer. */
async function hold({ page }, uid, { isDone }) {
  let [arrive, release] = [];
  const [arrived, released] = [new Promise((done) => (arrive = done)), new Promise((done) => (release = done))];
  await page.route(
    (url) => url.pathname.endsWith(`/members/${uid}`),
    async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const response = isDone && (await route.fetch());
      arrive();
      await released;
      await (isDone ? route.fulfill({ response }) : route.continue());
    },
  );
  return { arrived, release };
}

/** Waits until the next POST of the page has ended, and all that comes of it is on the screen. */
async function ended({ page }, act) {
  await page.evaluate(() => {
    const isPost = ({ detail }) => detail.ctx.request.method === 'POST';
    window.ended = new Promise((done) => document.addEventListener('htmx:finally:request', (event) => isPost(event) && done()));
  });
  await act();
  await page.evaluate(() => window.ended);
}

/** Ben kicks Dee, and leaves the dialog while that is on its way; what lets it go on. */
async function leaveKickOfDee(ben, held) {
  const { arrived, release } = await hold(ben, 'dee', held);
  await ben.dialog('dee', 'kick');
  await ben.part('dialog').locator('button[data-action]').click();
  await arrived;
  await ben.page.keyboard.press('Escape');
  await ben.closed();
  return release;
}

scene('Ben leaves the dialog of a kick that is on its way, and opens another: the answer closes nothing, and its bar is there', async ({ viewer }) => {
  const ben = await viewer('ben');
  const release = await leaveKickOfDee(ben, { isDone: true });
  await ben.dialog('eve', 'ban');
  const reason = ben.part('dialog').locator('[name=reason]');
  await reason.fill('loud');
  await ended(ben, release);
  await bar(ben)
    .getByText(/Dee Ferreira was removed/)
    .waitFor();
  assert.equal(await openDialog(ben).count(), 1);
  assert.equal(await reason.inputValue(), 'loud');
  await ben.confirm();
  await ben.gone('eve');
  await bar(ben)
    .getByText(/Eve Sørensen was banned/)
    .waitFor();
  await ben.gone('dee');
});

scene(
  'a kick whose dialog Ben left is refused: he reads it once the dialog that he has opened since is closed, and not in it',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    const release = await leaveKickOfDee(ben, { isDone: false });
    await actor('ada').scope('dee', 'admin');
    await ben.dialog('eve', 'ban');
    const reason = ben.part('dialog').locator('[name=reason]');
    await reason.fill('loud');
    await ended(ben, release);
    assert.equal(await openDialog(ben).count(), 1);
    assert.equal(await reason.inputValue(), 'loud');
    assert.equal(await ben.root.getByRole('alert').count(), 0);
    await ben.page.keyboard.press('Escape');
    await ben.part('error').getByRole('alert').waitFor();
    assert.equal(await openDialog(ben).count(), 0);
    assert.equal((await ben.heard('error')).length, 1);
  },
  { complaints: /403 \(Forbidden\)|409 \(Conflict\)/ },
);

scene('what an act on several would do is not shown in the place of a dialog that Ben has opened meanwhile', async ({ viewer, proxy }) => {
  const road = await proxy();
  const ben = await viewer('ben', { base: road.base, query: '?selectionMode=multiple' });
  await ben.part('s-dee').click();
  const slow = road.gate(/\/bulk/);
  await ben.part('selection').getByRole('button', { name: 'Ban' }).click();
  await slow.arrived;
  await ben.dialog('eve', 'kick');
  await ended(ben, slow.open);
  await openDialog(ben).getByText('Kick Eve Sørensen?').waitFor();
  assert.equal(await ben.part('dialog').locator('.chat-group-members__preview').count(), 0);
});

scene('a component that comes after the answer to a search shows the search, and the new rights', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  await eve.away();
  const gate = road.gate(/part=component/);
  await actor('ada').scope('eve', 'admin');
  await gate.arrived;
  await eve.search('brandt');
  await eve.there('p10');
  gate.open();
  await eve.page.locator(`#${eve.x}[data-scope="admin"]`).waitFor();
  await eve.button('p10').waitFor();
  assert.match(await eve.part('view').getAttribute('data-query'), /searchKeyword=brandt/);
  await eve.live('on');
  await sameAsFresh(eve);
});

scene('Ben presses Escape while his kick is on its way: he sees that it was done, and can undo it', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  let [arrive, release] = [];
  const [arrived, released] = [new Promise((done) => (arrive = done)), new Promise((done) => (release = done))];
  await ben.page.route('**/members/dee*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    arrive();
    await released;
    await route.continue();
  });
  await ben.part('dialog').locator('button[data-action]').click();
  await arrived;
  await ben.page.keyboard.press('Escape');
  await ben.closed();
  release();
  await ben.gone('dee');
  await ben.root.locator('.chat-group-members__undo').waitFor();
  assert.equal(await ben.part('dialog').locator('form').count(), 0, 'nothing of it is left');
  await ben.dialog('cy', 'kick');
  await ben.part('dialog').getByText('Kick Cy Marlowe?').waitFor();
});

scene('a page whose answer comes after Ben was put out and is back does not put him out once more', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const ben = await viewer('ben', { base: road.base });
  const page = road.gate(/cursor=/);
  await ben.scrollTo(1e6);
  await page.arrived;
  await actor('ada').kick('ben');
  await ben.page.locator('.chat-group-members--ended').waitFor();
  const finished = ben.page.waitForEvent('requestfinished', (request) => request.url().includes('cursor='));
  await actor('ben').join();
  await ben.live('on');
  page.open();
  await finished;
  await actor('ada').kick('dee');
  await ben.gone('dee');
  await sameAsFresh(ben);
});
