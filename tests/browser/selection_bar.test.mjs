// The bar of a selection: in sight on a small screen, and with the acts that its viewer may do now.

import assert from 'node:assert/strict';

import { undo } from './bars.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const multiple = { query: '?selectionMode=multiple' };

const acts = (viewer) => viewer.part('selection').locator('[name="act"]');
const selectAll = (viewer) => viewer.part('selection').locator('[data-select-all]');
const count = (viewer, words) => viewer.until(([id, words]) => document.getElementById(id).textContent === words, [`${viewer.x}-count`, words]);

/** What cannot be pressed where it is, in the order of the bar. */
const outOfSight = (bar) =>
  bar.locator('button').evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        return left < 0 || right > innerWidth || !button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
      })
      .map(({ textContent }) => textContent),
  );

for (const lang of ['en', 'de', 'hu', 'ar']) {
  scene(`at 320 px all acts on those selected are in sight, the number and the acts first, and the list keeps its room: ${lang}`, async ({ viewer }) => {
    const ben = await viewer('ben', { query: `${multiple.query}&lang=${lang}`, viewport: { width: 320, height: 640 } });
    const bar = ben.part('selection');
    await ben.part('s-dee').check({ force: true });
    await ben.until((id) => document.getElementById(id).textContent, `${ben.x}-count`);
    assert.deepEqual(await outOfSight(bar), []);
    const { height } = await bar.boundingBox();
    assert.ok(height <= 640 * 0.3, `${height} px`);
    const [sideways, ...places] = await bar.evaluate((bar) => {
      const parts = [bar.querySelector('output'), ...bar.querySelectorAll('[name="act"]'), bar.querySelector('[data-select-all]')];
      return [bar.scrollWidth - bar.clientWidth, ...parts.map((part) => part.getBoundingClientRect().bottom)];
    });
    assert.equal(sideways, 0);
    // Those of one line do not end at one pixel: the number is lower than a button.
    for (const [index, place] of places.slice(1).entries()) assert.ok(place >= places[index] - 16, `${places}`);
  });
}

scene('in a window as low as at a zoom of 400 % the bar leaves half of it to the list', async ({ viewer }) => {
  const ben = await viewer('ben', { ...multiple, viewport: { width: 320, height: 200 } });
  await ben.part('s-dee').check({ force: true });
  await ben.until((id) => document.getElementById(id).textContent, `${ben.x}-count`);
  const { height } = await ben.part('selection').boundingBox();
  assert.ok(height <= 101, `${height} px`);
  await acts(ben).last().click();
  await ben.part('dialog').locator('form').waitFor();
});

scene('on a phone held sideways the bar takes one line while nobody is selected, and no undo bar covers a button of it', async ({ viewer }) => {
  const ben = await viewer('ben', { ...multiple, viewport: { width: 844, height: 390 } });
  await count(ben, '0 selected');
  assert.ok((await ben.part('selection').boundingBox()).height <= 60);
  await acts(ben).first().waitFor({ state: 'hidden' });
  await selectAll(ben).click({ trial: true });
  await ben.part('s-dee').check({ force: true });
  await count(ben, '1 selected');
  await acts(ben).nth(1).click();
  await ben.part('dialog').locator('form').waitFor();
  await ben.confirm();
  await undo(ben).waitFor();
  // The undo bar can come before the dialog closes, behind which nothing can be pressed.
  await ben.part('dialog').waitFor({ state: 'hidden' });
  await ben.part('selection').locator('[data-select-all]').scrollIntoViewIfNeeded();
  assert.deepEqual(await outOfSight(ben.part('selection')), []);
});

scene('Ben is demoted, and promoted again: the filter of those who have just joined goes and comes with his acts', async ({ viewer, actor }) => {
  const ben = await viewer('ben', multiple);
  const joined = ben.part('f-joined');
  await joined.waitFor();
  await ben.part('f-online').focus();
  await actor('ada').scope('ben', 'participant');
  await joined.waitFor({ state: 'detached' });
  await ben.focusOn('f-online');
  await actor('ada').scope('ben', 'moderator');
  await joined.waitFor();
  await ben.focusOn('f-online');
  await joined.focus();
  await actor('ada').scope('ben', 'participant');
  await joined.waitFor({ state: 'detached' });
  await ben.focusOn('m-ada');
  await actor('ada').scope('ben', 'moderator');
  await joined.click();
  await ben.page.locator(`#${ben.x}-f-joined[aria-current]`).waitFor();
  await ben.away();
  await sameAsFresh(ben);
});

scene('Ben is demoted, and promoted again, with two selected: both stay so, and the bar has the acts that he may do', async ({ viewer, actor }) => {
  const ben = await viewer('ben', multiple);
  for (const uid of ['dee', 'eve']) await ben.part(`s-${uid}`).click();
  await count(ben, '2 selected');
  await ben.away();
  await acts(ben).first().focus();
  await actor('ada').scope('ben', 'participant');
  await acts(ben).first().waitFor({ state: 'detached' });
  assert.deepEqual([await acts(ben).count(), await selectAll(ben).count()], [0, 0]);
  await count(ben, '2 selected');
  await ben.until((id) => document.getElementById(id).contains(document.activeElement), `${ben.x}-selection`);
  await ben.part('selection').getByRole('button', { name: 'Continue' }).waitFor();
  await actor('ada').scope('ben', 'moderator');
  await selectAll(ben).waitFor();
  await count(ben, '2 selected');
  await ben.part('selection').locator('[value="kick"]').click();
  await ben.part('dialog').locator('form').waitFor();
  await ben.confirm();
  for (const uid of ['dee', 'eve']) await ben.gone(uid);
  await count(ben, '0 selected');
});

scene('Eve becomes a moderator with somebody selected: the acts come into her bar at once, and work', async ({ viewer, actor }) => {
  const eve = await viewer('eve', multiple);
  await eve.part('s-dee').click();
  await count(eve, '1 selected');
  assert.equal(await acts(eve).count(), 0);
  await actor('ada').scope('eve', 'moderator');
  await selectAll(eve).waitFor();
  assert.equal(await acts(eve).count(), 4);
  await count(eve, '1 selected');
  await eve.search('brandt');
  const found = await eve.root.getAttribute('data-count');
  await selectAll(eve).click();
  await count(eve, `${Number(found) + 1} selected`);
  await eve.part('selection').getByRole('button', { name: 'Clear' }).click();
  await count(eve, '0 selected');
});

scene('after an act on those who are selected the focus is where it was, whoever’s menu was open before', async ({ viewer }) => {
  const ben = await viewer('ben', multiple);
  await ben.menu('dee');
  await ben.page.keyboard.press('Escape');
  await ben.part('s-eve').check({ force: true });
  const button = ben.part('selection').locator('[name="act"][value="kick"]');
  await button.focus();
  await ben.page.keyboard.press('Enter');
  await ben.part('dialog').locator('form').waitFor();
  await ben.confirm();
  await ben.gone('eve');
  const here = await ben.page.evaluate(() => document.activeElement.closest('form, li')?.outerHTML.slice(0, 200));
  assert.ok(!(await ben.button('dee').evaluate((more) => more === document.activeElement)), here);
  assert.ok(await ben.page.evaluate(() => document.activeElement !== document.body));
});
