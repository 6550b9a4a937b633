// What is selected outlives everything that happens to the list, and whoever is gone is selected no more.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { sameAsFresh } from './law.mjs';
import { box, multiple, posted, proceed, said, selected, told } from './selecting.mjs';
import { scene, stage } from './support.mjs';

stage();

scene('what is selected outlives searching, filters, pages and somebody else’s kick, and all of it is sent', async ({ viewer, actor, guid }) => {
  const eve = await viewer('eve', multiple);
  await box(eve, 'ada').click();
  await eve.search('brandt');
  const [brandt] = await eve.uids();
  await eve.atRest();
  await box(eve, brandt).click();
  assert.equal(await said(eve), '2 selected');
  await eve.search('');
  assert.equal(await box(eve, 'ada').isChecked(), true, 'shown again as selected');
  await eve.part('f-admins').click();
  await eve.gone('dee');
  assert.equal(await box(eve, 'ada').isChecked(), true);
  await eve.part('f-all').click();
  await eve.there('dee');
  while (!(await eve.row(brandt).count())) await eve.further();
  assert.equal(await box(eve, brandt).isChecked(), true, 'who comes with a later page is shown as selected');
  await actor('ben').kick('cy');
  await eve.away();
  await eve.gone('cy');
  assert.deepEqual(await selected(eve), ['ada', brandt]);
  assert.deepEqual(await told(eve), ['+ada', `+${brandt}`]);
  await eve.search('nobody at all');
  assert.deepEqual(await posted(eve, () => proceed(eve)), { path: `/groups/${guid}/selection`, uids: ['ada', brandt] });
  await eve.page.locator('h1').waitFor();
  assert.match(await eve.page.locator('main').innerText(), /2 selected[^]*Ada Lindqvist/);
});

scene(
  'what is selected outlives a broken connection, a resync, other rights and a new name',
  async ({ viewer, actor, proxy, server, guid }) => {
    const road = await proxy();
    const eve = await viewer('eve', { ...multiple, base: road.base });
    await box(eve, 'dee').click();
    await eve.away();
    road.down = true;
    road.cut();
    await eve.live('reconnecting');
    await server.import(guid, [
      { uid: 'dee', name: 'Dee the Second', scope: 'moderator' },
      { uid: 'new', name: 'Aaron New', scope: 'participant' },
    ]);
    road.down = false;
    await eve.live('on');
    await eve.page.evaluate(() => document.activeElement.blur());
    await eve.page.locator(`#${eve.x}-m-dee[data-scope="moderator"]`).waitFor();
    assert.equal(await box(eve, 'dee').isChecked(), true);
    await actor('ada').scope('eve', 'admin');
    await eve.page.locator(`#${eve.x}[data-scope="admin"]`).waitFor();
    await eve.button('dee').waitFor();
    assert.equal(await said(eve), '1 selected');
    const [member] = await eve.page.evaluate((x) => document.getElementById(x).chatGroupMembers.selected(), eve.x);
    assert.deepEqual([member.name, member.scope], ['Dee the Second', 'moderator'], 'told as they are now');
    const [answer] = await Promise.all([
      eve.page.waitForResponse((response) => response.url().includes('part=rows')),
      eve.page.evaluate((x) => {
        const list = document.getElementById(`${x}-list`);
        return htmx.swap({
          sourceElement: list,
          text: `<ul data-hx-swap-oob="place:#${list.id}"><li hidden data-note="resync" data-scope="admin"></li></ul>`,
          swap: 'none swapEmpty:false',
        });
      }, eve.x),
    ]);
    await answer.finished();
    await sameAsFresh(eve);
    assert.equal(await box(eve, 'dee').isChecked(), true);
    await eve.part('selection').getByRole('button', { name: 'Clear' }).click();
    assert.deepEqual([await said(eve), await box(eve, 'dee').isChecked()], ['0 selected', false]);
    await sameAsFresh(eve);
  },
  { complaints: /net::ERR_|Failed to load resource|htmx/ },
);

scene(
  'who left while the connection was cut is deselected, also when asking about them fails at first',
  async ({ viewer, proxy, server, guid }) => {
    const road = await proxy();
    const eve = await viewer('eve', { ...multiple, base: road.base });
    await box(eve, 'dee').click();
    await box(eve, 'cy').click();
    await eve.search('ada');
    road.down = true;
    road.cut();
    await eve.live('reconnecting');
    await server.host('PUT', `/groups/${guid}/members`, {
      owner: 'ada',
      members: people()
        .filter(({ uid }) => uid !== 'dee')
        .map(({ uid, name, scope }) => ({ uid, name, scope })),
    });
    road.broken = /\/selection/;
    // The search has asked about them before.
    road.asked.length = 0;
    road.down = false;
    await road.until(() => road.asked.filter((line) => /^POST .*\/selection/.test(line)).length > 1);
    assert.deepEqual(await selected(eve), ['dee', 'cy']);
    await eve.live('reconnecting');
    road.broken = null;
    await eve.live('on');
    await eve.until((id) => document.getElementById(id).textContent === '1 selected', `${eve.x}-count`);
    assert.deepEqual(await selected(eve), ['cy']);
  },
  { complaints: /net::ERR_|Failed to load resource|htmx/ },
);

scene('a sync that takes selected people away deselects them, whether their rows are shown, held or not loaded', async ({ viewer, server, guid }) => {
  const eve = await viewer('eve', multiple);
  const sync = (...without) =>
    server.host('PUT', `/groups/${guid}/members`, {
      owner: 'ada',
      members: people()
        .filter(({ uid }) => !without.includes(uid))
        .map(({ uid, name, scope }) => ({ uid, name, scope })),
    });
  const count = (words) => eve.until(([id, words]) => document.getElementById(id).textContent === words, [`${eve.x}-count`, words]);
  for (const uid of ['dee', 'cy', 'ben']) await box(eve, uid).click();
  await eve.page.evaluate(() => document.activeElement.blur());
  await eve.away();
  await sync('dee');
  await count('2 selected');
  await eve.row('ada').hover();
  await sync('dee', 'cy');
  await count('1 selected');
  await eve.away();
  await eve.search('ada');
  await sync('dee', 'cy', 'ben');
  await count('0 selected');
});

scene('a selected member who leaves is deselected, and the host is told', async ({ viewer, actor }) => {
  const eve = await viewer('eve', multiple);
  await box(eve, 'dee').click();
  await box(eve, 'cy').click();
  await eve.search('ada');
  await actor('ben').kick('dee');
  await eve.until((id) => document.getElementById(id).textContent === '1 selected', `${eve.x}-count`);
  assert.deepEqual(await told(eve), ['+dee', '+cy', '-dee']);
  assert.deepEqual(await selected(eve), ['cy']);
});
