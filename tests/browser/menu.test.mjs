// A menu opens only where it is still wanted, and offers what its viewer may do now.

import assert from 'node:assert/strict';

import { scene, stage } from './support.mjs';

stage();

const NETWORK = /net::ERR_|Failed to load resource/;

/** What is held back comes, opens nothing, and the menu of Cy opens as ever. */
async function comesLate(ada, slow, which) {
  const answered = ada.page.waitForResponse(which);
  slow.open();
  await answered;
  await ada.page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  assert.equal(await ada.page.locator(':popover-open').count(), 0);
  await ada.menu('cy');
  assert.match(await ada.part('menu').getAttribute('aria-label'), /Cy/);
}

scene('a menu that comes late does not open once one has pressed elsewhere', async ({ viewer, proxy }) => {
  const road = await proxy();
  const ada = await viewer('ada', { base: road.base });
  await ada.page.waitForFunction((id) => document.getElementById(id).dataset.live === 'on', ada.x);
  const which = /members\/dee\?.*part=menu/;
  const slow = road.gate(which);
  await ada.button('dee').click();
  await slow.arrived;
  await ada.part('title').click();
  await comesLate(ada, slow, which);
  assert.equal(await ada.page.locator(`#${ada.x} [aria-expanded="true"]`).getAttribute('id'), await ada.button('cy').getAttribute('id'));
});

scene('nor does one whose style comes late', async ({ viewer, proxy }) => {
  const road = await proxy();
  const which = /acts[^/]*\.css/;
  const slow = road.gate(which);
  const ada = await viewer('ada', { base: road.base });
  await ada.button('dee').click();
  await slow.arrived;
  await ada.page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  await ada.button('cy').dispatchEvent('pointerdown', { bubbles: true, pointerType: 'mouse' });
  await comesLate(ada, slow, which);
});

scene('an open menu offers what its viewer may do now, and closes with the last of it', async ({ viewer, actor }) => {
  const [ada, ben] = [await viewer('ada'), await viewer('ben')];
  await ada.menu('dee');
  await ben.menu('cy');
  await ada.part('menu').locator('[data-action="transfer"]').waitFor();
  await actor('ada').scope('ben', 'moderator');
  await ben.part('menu').waitFor({ state: 'hidden' });
  await actor('ada').transfer('ben');
  await ada.part('menu').locator('[data-action="transfer"]').waitFor({ state: 'detached' });
  assert.match(await ada.part('menu').innerText(), /Kick/);
});

scene('rights that change while a menu is on its way are those it offers', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const ada = await viewer('ada', { base: road.base });
  const slow = road.gate(/members\/dee\?.*part=menu/);
  await ada.button('dee').click();
  await slow.arrived;
  const before = await ada.row('dee').getAttribute('data-acts');
  await actor('ada').transfer('ben');
  await ada.until(([id, acts]) => document.getElementById(id).dataset.acts !== acts, [`${ada.x}-m-dee`, before]);
  slow.open();
  await ada.part('menu').waitFor();
  assert.equal(await ada.part('menu').locator('[data-action="transfer"]').count(), 0);
  assert.match(await ada.part('menu').innerText(), /Kick/);
});

scene(
  'an open menu whose acts may be lost and cannot be asked for is closed',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const ada = await viewer('ada', { base: road.base });
    await ada.menu('dee');
    road.broken = /members\/dee\?.*part=menu/;
    await actor('ada').transfer('ben');
    await ada.part('menu').waitFor({ state: 'hidden' });
    assert.match(await ada.part('error').innerText(), /Try again/);
    road.broken = null;
    await ada.part('error').getByRole('button').click();
    await ada.part('menu').waitFor();
    assert.equal(await ada.part('menu').locator('[data-action="transfer"]').count(), 0);
  },
  { complaints: NETWORK },
);

scene('Escape closes a menu, and nothing of the host around the list, also when the focus has left the menu', async ({ viewer }) => {
  const ada = await viewer('ada');
  await ada.page.evaluate(() => document.addEventListener('keydown', ({ key }) => key === 'Escape' && (window.escaped = true)));
  await ada.menu('dee');
  await ada.part('q').evaluate((box) => box.focus());
  await ada.page.keyboard.press('Escape');
  await ada.part('menu').waitFor({ state: 'hidden' });
  assert.equal(await ada.page.evaluate(() => window.escaped), undefined);
});

scene('a menu closes when the focus goes to another part of the page', async ({ viewer }) => {
  const ada = await viewer('ada');
  await ada.page.evaluate(() => document.body.append(Object.assign(document.createElement('button'), { id: 'elsewhere', textContent: 'Close' })));
  await ada.menu('dee');
  await ada.page.locator('#elsewhere').evaluate((button) => button.focus());
  await ada.part('menu').waitFor({ state: 'hidden' });
  assert.equal(await ada.page.evaluate(() => document.activeElement.id), 'elsewhere');
});

scene('whoever is removed while their own menu or dialog is open has the focus on the notice', async ({ viewer, actor }) => {
  for (const uid of ['dee', 'cy']) {
    const viewed = await viewer(uid);
    await viewed.menu(uid);
    if (uid === 'cy') {
      await viewed.part('menu').locator('[data-action="leave"]').click();
      await viewed.part('dialog').waitFor();
    }
    await actor('ada').kick(uid);
    await viewed.page.getByText('You were removed').waitFor();
    await viewed.page.waitForFunction((id) => document.activeElement?.id === id, viewed.x);
  }
});

scene('a dialog whose list the host hides is closed: nothing else on the page could be pressed', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'ban');
  await ben.root.evaluate(({ parentElement }) => parentElement.style.setProperty('display', 'none'));
  await ben.until((id) => !document.querySelector(`#${id}-dialog[open]`), ben.x);
  await ben.root.evaluate(({ parentElement }) => parentElement.style.removeProperty('display'));
  await ben.dialog('dee', 'ban');
});
