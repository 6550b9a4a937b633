// Selecting people: it outlives everything that happens to the list, and goes where the host wants it.

import assert from 'node:assert/strict';

import { fewPeople, people } from './cast.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const multiple = { query: '?selectionMode=multiple' };

const box = (viewer, uid) => viewer.part(`s-${uid}`);
const said = (viewer) => viewer.part('count').innerText();
/** Who is selected, by the host's own way to ask. */
const selected = (viewer) =>
  viewer.page.evaluate(
    (x) =>
      document
        .getElementById(x)
        .chatGroupMembers.selected()
        .map(({ uid }) => uid),
    viewer.x,
  );
/** The select events so far: `+dee`, `-dee`. */
const told = async (viewer) => (await viewer.heard('select')).map(({ member, selected }) => (selected ? '+' : '-') + member.uid);
/** What the next post carries, and where it goes, once its answer is shown. */
const posted = async (viewer, press) => {
  const shown = viewer.page.waitForEvent('domcontentloaded');
  const [request] = await Promise.all([viewer.page.waitForRequest((request) => request.method() === 'POST'), press(), shown]);
  return { path: new URL(request.url()).pathname, uids: new URLSearchParams(request.postData()).getAll('uid') };
};
const proceed = (viewer) => viewer.part('selection').getByRole('button', { name: 'Continue' }).click();

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
