// Selecting very many at once: all who match, whether loaded or not, up to a thousand.

import assert from 'node:assert/strict';

import { fewPeople } from './cast.mjs';
import { box, multiple, posted, proceed, selected } from './selecting.mjs';
import { scene, stage } from './support.mjs';

stage();

scene('everybody who matches a search is selected without being loaded; Eve, who is no staff, has no such buttons', async ({ viewer }) => {
  const query = { query: '?selectionMode=multiple&limit=5' };
  const [ben, eve] = [await viewer('ben', query), await viewer('eve', query)];
  await ben.search('brandt');
  const found = Number(await ben.root.getAttribute('data-count'));
  await ben.atRest();
  await ben.part(`s-${(await ben.uids())[0]}`).click();
  await ben.part('selection').getByRole('button', { name: 'Select all that match' }).click();
  await ben.page.locator(`#${ben.x}-count`, { hasText: `${found} selected` }).waitFor();
  assert.equal(await eve.part('selection').locator('[name=act], [data-select-all]').count(), 0);
});

scene(
  'a thousand people can be selected, and the next one is refused in words',
  async ({ viewer }) => {
    const eve = await viewer('eve', multiple);
    await box(eve, 'ada').click();
    await eve.row('ada').focus();
    await eve.page.keyboard.press('End');
    const next = 'm1059';
    await eve.focusOn(`m-${next}`);
    // A press on a row that has only just come does nothing.
    await eve.until(() => new Promise((done) => setTimeout(() => done(true), 600)));
    await box(eve, next).click({ modifiers: ['Shift'] });
    await eve.until((id) => document.getElementById(id).textContent.startsWith('1,000 selected'), `${eve.x}-count`);
    assert.equal(await box(eve, next).isChecked(), false);
    await box(eve, next).click();
    assert.equal(await box(eve, next).isChecked(), false);
    await eve.part('count').getByText('At most 1,000 people can be selected.').waitFor();
    const { uids: sent } = await posted(eve, () => proceed(eve));
    assert.equal(sent.length, 1000);
    await eve.page.locator('h1').waitFor();
    assert.match(await eve.page.locator('main').innerText(), /1,000 selected/);
  },
  {
    members: [
      ...fewPeople(),
      ...Array.from({ length: 1_060 }, (_, i) => ({
        uid: `m${i}`,
        name: `Member ${String(i).padStart(4, '0')}`,
        scope: 'participant',
        joinedAt: 1_694_000_000,
      })),
    ],
  },
);

scene('whoever leaves while those who match are on their way is not selected with them', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const ben = await viewer('ben', { ...multiple, base: road.base });
  await box(ben, 'cy').click();
  const slow = road.gate(/format=json/);
  await ben.part('selection').getByRole('button', { name: 'Select all that match' }).click();
  await slow.arrived;
  await ben.away();
  await ben.page.evaluate(() => document.activeElement.blur());
  await actor('ada').kick('dee');
  await ben.gone('dee');
  slow.open();
  await ben.until((id) => document.getElementById(id).textContent === '104 selected', `${ben.x}-count`);
  assert.ok(!(await selected(ben)).includes('dee'));
});

scene(
  'of more than a thousand who match it is seen and heard that only the first are selected',
  async ({ viewer }) => {
    const ben = await viewer('ben', multiple);
    await ben.part('selection').getByRole('button', { name: 'Select all that match' }).click();
    const count = ben.part('count');
    await count.getByText('The first 1,000 of 1,065 are selected.').waitFor();
    const { width, height } = await count.locator('small').boundingBox();
    assert.ok(width > 100 && height > 10, 'it is seen');
    assert.match(await count.innerText(), /^1,000 selected\s+The first/);
    await box(ben, 'dee').click();
    await ben.until((id) => document.getElementById(id).textContent === '999 selected', `${ben.x}-count`);
  },
  {
    members: [
      ...fewPeople(),
      ...Array.from({ length: 1_060 }, (_, i) => ({ uid: `m${i}`, name: `Member ${i}`, scope: 'participant', joinedAt: 1_694_000_000 })),
    ],
  },
);
