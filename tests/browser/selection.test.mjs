// Selecting people by a box, by a row, by Shift and by the host's own script; and where the selected go.

import assert from 'node:assert/strict';

import { box, multiple, posted, proceed, said, selected, told } from './selecting.mjs';
import { scene, stage } from './support.mjs';

stage();

scene('Eve selects by box and by row; each is told once, and counted', async ({ viewer }) => {
  const eve = await viewer('eve', multiple);
  assert.equal(await said(eve), '0 selected');
  await box(eve, 'ada').click();
  assert.equal(await said(eve), '1 selected');
  await eve.row('ben').locator('.chat-group-members__name').click();
  assert.equal(await box(eve, 'ben').isChecked(), true);
  assert.equal(await said(eve), '2 selected');
  await eve.row('ada').click({ position: { x: 200, y: 8 } });
  assert.deepEqual(await told(eve), ['+ada', '+ben', '-ada']);
  assert.deepEqual(await selected(eve), ['ben']);
  assert.deepEqual(
    (await eve.heard('item-click')).map(({ member }) => member.uid),
    ['ben', 'ada'],
    'a press on the row is a press on the row',
  );
  const [{ member }] = (await eve.heard('select')).slice(1);
  assert.deepEqual({ ...member, joinedAt: 0, status: '' }, { uid: 'ben', name: 'Ben Okafor', scope: 'admin', avatar: null, joinedAt: 0, status: '' });
});

scene('Shift selects everybody in between', async ({ viewer }) => {
  const eve = await viewer('eve', multiple);
  const uids = await eve.uids();
  await box(eve, uids[2]).click();
  await eve.row(uids[6]).click({ modifiers: ['Shift'], position: { x: 200, y: 8 } });
  assert.deepEqual((await selected(eve)).sort(), uids.slice(2, 7).sort());
  await box(eve, uids[3]).click({ modifiers: ['Shift'] });
  assert.deepEqual((await selected(eve)).sort(), [uids[2]].sort(), 'and deselects them');
});

scene('whoever is selected far down the list stands on a ground of their own, and the page becomes no longer', async ({ viewer }) => {
  const eve = await viewer('eve', { query: '?selectionMode=multiple&limit=100' });
  const height = () => eve.page.evaluate(() => document.scrollingElement.scrollHeight);
  const before = await height();
  const uid = (await eve.uids()).at(-5);
  await box(eve, uid).click();
  assert.equal(await said(eve), '1 selected');
  assert.equal(await height(), before);
  const [ground, row] = await eve.row(uid).evaluate((row) => {
    const height = (box) => box.getBoundingClientRect().height;
    return [height(row.querySelector('.chat-group-members__selected')), height(row)];
  });
  assert.equal(ground, row);
});

scene('in single mode another press selects another, and a second press none; both are told', async ({ viewer, guid }) => {
  const eve = await viewer('eve', { query: '?selectionMode=single' });
  await box(eve, 'ada').click();
  await eve.row('ben').click({ position: { x: 200, y: 8 } });
  assert.deepEqual([await box(eve, 'ada').isChecked(), await box(eve, 'ben').isChecked()], [false, true]);
  await box(eve, 'ben').click();
  assert.equal(await box(eve, 'ben').isChecked(), false);
  assert.deepEqual(await told(eve), ['+ada', '-ada', '+ben', '-ben']);
  await box(eve, 'dee').click();
  assert.deepEqual(await posted(eve, () => proceed(eve)), { path: `/groups/${guid}/selection`, uids: ['dee'] });
});

scene('the host selects, deselects, asks and clears from its own script', async ({ viewer }) => {
  const eve = await viewer('eve', multiple);
  const call = (name, ...values) =>
    eve.page.evaluate(([x, name, values]) => document.getElementById(x).chatGroupMembers[name](...values), [eve.x, name, values]);
  for (const uid of ['ada', 'ada', 'dee', 'nobody', '"]', '']) await call('select', uid);
  await call('deselect', 'ada');
  await call('deselect', 'ada');
  assert.deepEqual(await selected(eve), ['dee']);
  assert.equal(await box(eve, 'dee').isChecked(), true);
  await call('clearSelection');
  assert.deepEqual(await told(eve), ['+ada', '+dee', '-ada', '-dee']);
});

scene('Ben selects by the filter of who joined in the last hour, with and without JavaScript; Eve has no such filter', async ({ viewer, actor }) => {
  await actor('raid', 'Raider').join();
  for (const javaScriptEnabled of [true, false]) {
    const ben = await viewer('ben', { ...multiple, javaScriptEnabled });
    const filter = ben.root.getByRole('link', { name: 'Joined in the last hour' });
    await filter.click();
    await ben.root.locator('[data-filter=joined][aria-current=true]').waitFor();
    assert.deepEqual(await ben.uids(), ['raid']);
  }
  const eve = await viewer('eve', multiple);
  assert.equal(await eve.root.getByRole('link', { name: 'Joined in the last hour' }).count(), 0);
});

scene('without JavaScript the form carries the selected to us, and a host’s button carries them to the host', async ({ viewer, guid, proxy, server }) => {
  const road = await proxy();
  const component = await fetch(`${server.base}/groups/${guid}/members?part=component&selectionMode=multiple`, {
    headers: { Authorization: `Bearer ${await server.token('eve')}` },
  });
  const button = `<button form="cgm-${guid}-selection" formaction="/invite">Invite</button>`;
  road.pages.set('/chat', `<!doctype html><html lang="en"><title>Chat</title><link rel="icon" href="data:,">${await component.text()}${button}`);
  road.pages.set('/invite', '<!doctype html><html lang="en"><title>Invited</title><link rel="icon" href="data:,"><h1>Invited</h1>');
  const eve = await viewer('eve', { base: road.base, path: '/chat', javaScriptEnabled: false });
  await box(eve, 'ada').check();
  await box(eve, 'dee').check();
  assert.deepEqual(await posted(eve, () => eve.page.getByRole('button', { name: 'Invite' }).click()), { path: '/invite', uids: ['ada', 'dee'] });
  await eve.page.goto(`${road.base}/chat`);
  await box(eve, 'cy').check();
  await eve.part('selection').getByRole('button', { name: 'Clear' }).click();
  assert.equal(await box(eve, 'cy').isChecked(), false, 'Clear needs no script');
  await box(eve, 'ben').check();
  assert.deepEqual(await posted(eve, () => proceed(eve)), { path: `/groups/${guid}/selection`, uids: ['ben'] });
  assert.match(await eve.page.locator('main').innerText(), /1 selected[^]*Ben Okafor/);
  await eve.page.getByRole('link', { name: 'Members' }).click();
  await box(eve, 'ben').waitFor();
});

scene('from the page of the selected a button leads back to what was searched, with everybody still selected', async ({ viewer }) => {
  const eve = await viewer('eve', multiple);
  await box(eve, 'ada').click();
  await eve.search('brandt');
  const [brandt] = await eve.uids();
  await eve.atRest();
  await box(eve, brandt).click();
  await proceed(eve);
  await eve.page.getByRole('button', { name: 'Change the selection' }).click();
  await eve.live('on');
  assert.equal(await said(eve), '2 selected');
  assert.equal(await eve.part('q').inputValue(), 'brandt');
  assert.equal(await box(eve, brandt).isChecked(), true);
  assert.deepEqual((await selected(eve)).sort(), ['ada', brandt].sort());
  assert.equal(await eve.page.locator('details').count(), 0, 'the list of those elsewhere is for readers without a script');
  await eve.search('');
  assert.equal(await box(eve, 'ada').isChecked(), true);
  await eve.page.reload();
  await eve.live('on');
  assert.equal(new URL(eve.page.url()).pathname, new URL(await eve.root.getAttribute('data-href'), eve.page.url()).pathname, 'the address is the list’s own');
});
