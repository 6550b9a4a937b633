// Text that is marked stays marked, and its row where it is.

import assert from 'node:assert/strict';

import { middleOf } from './finger.mjs';
import { topOf, waits } from './held.mjs';
import { scene, stage } from './support.mjs';

stage();

scene('somebody who marks text with the button held outside the list has no row moved', async ({ viewer, actor }) => {
  const ada = await viewer('ada');
  const { x, y } = await middleOf(ada.row('cy').locator('.chat-group-members__name'));
  await ada.page.mouse.move(x, y);
  await ada.page.mouse.down();
  await ada.page.mouse.move(1, y, { steps: 5 });
  const top = await topOf(ada, 'cy');
  await actor('ada').scope('dee', 'admin');
  await waits(ada);
  assert.equal(await topOf(ada, 'cy'), top);
  await ada.page.mouse.up();
  await ada.away();
  await ada.page.evaluate(() => getSelection().empty());
  await ada.page.mouse.wheel(0, 10);
});

scene('a name that is marked stays marked when it is changed, and its row stays where it is', async ({ viewer, actor, server }) => {
  const ada = await viewer('ada');
  const { x, y, width, height } = await ada.row('cy').locator('bdi').boundingBox();
  await ada.page.mouse.move(x + 1, y + height / 2);
  await ada.page.mouse.down();
  await ada.page.mouse.move(x + width - 1, y + height / 2, { steps: 5 });
  await ada.page.mouse.up();
  await ada.away();
  assert.equal(await ada.page.evaluate(() => `${getSelection()}`), 'Cy Marlowe');
  const top = await topOf(ada, 'cy');
  await server.host('PUT', '/users/cy', { name: 'Cy Marlow' });
  await ada.row('cy').getByText('Cy Marlow', { exact: true }).waitFor();
  assert.equal(await ada.page.evaluate(() => `${getSelection()}`), 'Cy Marlow');
  await actor('ada').scope('dee', 'admin');
  await waits(ada);
  assert.equal(await topOf(ada, 'cy'), top);
});

scene('a name stays marked also when the rights of whoever marks it change', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.away();
  await ben
    .row('cy')
    .locator('bdi')
    .evaluate(({ firstChild }) => getSelection().setBaseAndExtent(firstChild, 0, firstChild, 2));
  await actor('ada').scope('ben', 'participant');
  await ben.button('cy').waitFor({ state: 'detached' });
  assert.equal(await ben.page.evaluate(() => `${getSelection()}`), 'Cy');
});

scene('after half a minute changes are placed around the row where a mark began that ends far above the list', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { live: false });
  await eve.page.clock.install();
  await eve.page.reload();
  await eve.live('on');
  const { x, y } = await middleOf(eve.row('dee').locator('.chat-group-members__name'));
  await eve.page.mouse.move(x, y);
  await eve.page.mouse.down();
  await eve.page.mouse.move(x, 2, { steps: 5 });
  await eve.page.mouse.up();
  const top = await topOf(eve, 'dee');
  await actor('ada').scope('p00', 'admin');
  await waits(eve);
  await eve.page.clock.runFor(31_000);
  await eve.part('held').waitFor({ state: 'hidden' });
  assert.equal((await eve.uids())[2], 'p00');
  assert.equal(await topOf(eve, 'dee'), top);
});
