// Bans as both sides live through them: a raid, a wrong person, somebody who stays banned, and two who ban at once.

import assert from 'node:assert/strict';

import { bar } from './bars.mjs';
import { people } from './cast.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

/** Milliseconds that a clock goes on by at once. */
const STEP = 500;

/** People who have just come, so many. */
const raiders = (count) => Array.from({ length: count }, (_, n) => `raid${String(n).padStart(2, '0')}`);

scene(
  'a raid: Ben selects everybody who joined in the last ten minutes, bans them with one word, and takes it back for whoever it was not',
  async ({ viewer, actor }) => {
    const raid = raiders(40);
    for (const uid of raid) await actor(uid, `Raider ${uid}`).join();
    const [ben, eve, one] = [await viewer('ben', { query: '?selectionMode=multiple&joinedSince=600&limit=10' }), await viewer('eve'), await viewer('raid07')];
    assert.equal(await ben.root.getAttribute('data-count'), '40');
    await ben.part(`s-${(await ben.uids())[0]}`).click();
    await ben.part('selection').getByRole('button', { name: 'Select all that match' }).click();
    await ben.page.locator(`#${ben.x}-count`, { hasText: '40 selected' }).waitFor();
    await ben.part('selection').getByRole('button', { name: 'Ban' }).click();
    await ben.part('dialog').waitFor();
    assert.match(await ben.part('dialog').innerText(), /40 people will be banned\./);
    await ben.part('dialog').locator('[name=message]').fill('This was a raid.');
    await ben.confirm();
    await one.page.getByText('This was a raid.').waitFor();
    await eve.until(([x, count]) => document.getElementById(x).dataset.count === count, [eve.x, String(people().length)]);
    await bar(ben).getByRole('button', { name: 'Undo' }).click();
    await eve.until(([x, count]) => document.getElementById(x).dataset.count === count, [eve.x, String(people().length + 40)]);
    // Whoever was put out asks again by themselves.
    await one.live('on');
    await sameAsFresh(eve);
    await sameAsFresh(one);
  },
  { complaints: /404 \(Not Found\)/ },
);

scene(
  'a wrong person: Dee is banned and reads why; when it is undone her list comes back without her doing anything',
  async ({ viewer }) => {
    const [ben, dee] = [await viewer('ben'), await viewer('dee')];
    await ben.dialog('dee', 'ban');
    await ben.part('dialog').locator('[name=reason]').fill('Spam, for the team.');
    await ben.part('dialog').locator('[name=message]').fill('No links, please.');
    await ben.confirm();
    await dee.page.getByText('No links, please.').waitFor();
    assert.doesNotMatch(await dee.root.innerText(), /for the team/);
    await bar(ben).getByRole('button', { name: 'Undo' }).click();
    await dee.live('on');
    await dee.there('ada');
    await sameAsFresh(dee);
  },
  { complaints: /404 \(Not Found\)/ },
);

scene(
  'somebody who stays banned asks after five seconds, after fifteen and at the end of the time to undo, and never again; who left by themselves does not ask',
  async ({ viewer, actor }) => {
    const [ben, dee, eve] = [await viewer('ben'), await viewer('dee'), await viewer('eve')];
    const asked = new Map();
    for (const { page, uid } of [dee, eve]) {
      await page.clock.install();
      asked.set(uid, 0);
      page.on('request', (request) => request.url().includes('/members') && asked.set(uid, asked.get(uid) + 1));
    }
    let answered = 0;
    dee.page.on('requestfinished', (request) => request.url().includes('/members') && answered++);
    /** Time stands still but for this; what was asked for meanwhile has been counted when another answer is there. */
    const pass = async ({ page, uid }, milliseconds) => {
      await page.clock.runFor(milliseconds);
      await page.evaluate(() => fetch('/healthz'));
      return asked.get(uid);
    };
    const stop = async ({ page }) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500);
    await dee.page.evaluate(() =>
      new MutationObserver(() => {
        if (document.querySelector('[data-waits]')) window.ended ??= Date.now();
      }).observe(document, { childList: true, subtree: true }),
    );
    await ben.dialog('dee', 'kick');
    await ben.confirm();
    await dee.page.locator('.chat-group-members--ended').waitFor();
    await stop(dee);
    const begun = await dee.page.evaluate(() => Date.now() - window.ended);
    const waits = (await dee.root.getAttribute('data-waits')).split(' ').map(Number);
    assert.deepEqual(waits.slice(0, 2), [5_000, 10_000]);
    assert.equal(Math.round((waits[0] + waits[1] + waits[2]) * 0.7), 30_000, 'by which the script knows when acts are not undone any more');
    const bounds = [
      [3_500, 6_500],
      [10_500, 19_500],
      [30_000, 45_000],
    ];
    let since = begun;
    for (const [turn, [earliest, latest]] of bounds.entries()) {
      while ((await pass(dee, STEP)) === turn) {
        since += STEP;
        assert.ok(since < latest + 10 * STEP, `not asked in ${since} ms`);
      }
      since += STEP;
      assert.ok(since >= earliest, `asked after ${since} ms`);
      // The next wait begins with the answer.
      while (answered < turn + 1) await pass(dee, 0);
      await pass(dee, 0);
    }
    assert.equal(await pass(dee, 600_000), 3, 'never again');
    await actor('eve').leave();
    await eve.page.locator('.chat-group-members--ended').waitFor();
    await stop(eve);
    assert.equal(await pass(eve, 600_000), 0);
  },
  { complaints: /404 \(Not Found\)/ },
);

scene(
  'Ada has banned Dee while Ben had the dialog open: he reads it there, and bans on his own terms only by a second press',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben', { viewport: { width: 320, height: 700 } });
    const reason = async () => (await (await actor('ada').ask('GET', '/bans')).json()).data.find(({ uid }) => uid === 'dee')?.reason;
    await ben.dialog('dee', 'ban');
    const dialog = ben.part('dialog');
    await dialog.locator('[name=reason]').fill('loud');
    await actor('ada').ban('dee', { reason: 'threats' });
    await dialog.locator('button[data-action=ban]').click();
    const alert = dialog.getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.innerText(), /has changed since it was shown[^]*Ada Lindqvist/);
    const inSight = await alert.evaluate((box) => {
      const { left, top } = box.getBoundingClientRect();
      return box.contains(document.elementFromPoint(left + 20, top + 10));
    });
    assert.ok(inSight, 'on a phone too');
    assert.equal(await reason(), 'threats');
    assert.equal(await dialog.locator('[name=reason]').inputValue(), 'loud', 'what he wrote is still there');
    await ben.confirm();
    assert.equal(await reason(), 'loud');
  },
  { complaints: /409 \(Conflict\)/ },
);

scene(
  'on pages of their own acts and their undoing work with this script too: Cy bans Dee, lifts it, and takes that back',
  async ({ viewer, guid, server }) => {
    const cy = await viewer('cy');
    const { page } = cy;
    await cy.row('dee').locator('p').click();
    await page.locator('main button[data-action="ban"]').click();
    await cy.root.waitFor();
    assert.match(await page.getByRole('status').first().innerText(), /Dee Ferreira was banned/);
    await page.goto(`${server.base}/groups/${guid}/bans`);
    const lift = page.locator('[data-uid="dee"] button[data-action="unban"]');
    await lift.click();
    await page.getByText('No one is banned').waitFor();
    await cy.until(() => document.activeElement.matches('[role="status"]'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await cy.root.waitFor();
    await page.goto(`${server.base}/groups/${guid}/bans`);
    await lift.waitFor();
  },
);
