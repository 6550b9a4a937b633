// A window with two ends: a bounded part of a group of any size is loaded, and what a person looks at does
// not move by a pixel when that part changes.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

/** Most rows that a window keeps. */
const MOST = 300;
const crowd = (size, from = 0) =>
  Array.from({ length: size }, (_, i) => ({
    uid: `m${from + i}`,
    name: `Member ${String(from + i).padStart(6, '0')}`,
    scope: 'participant',
    joinedAt: 1_694_000_000,
  }));
const members = [...people(), ...crowd(3000)];

/** Where the row of somebody is in the window of the browser. */
const topOf = (viewer, uid) => viewer.row(uid).evaluate((row) => row.getBoundingClientRect().top);

/** The first row that is fully in sight. */
const eyeOf = (viewer) =>
  viewer.page.$eval(`#${viewer.x}-list`, (list) => {
    const { top } = list.closest('.chat-group-members__scroll').getBoundingClientRect();
    return [...list.querySelectorAll('[data-uid]')].find((row) => row.getBoundingClientRect().top >= top).dataset.uid;
  });

/** Scrolls by a wheel, until the page says so. */
async function wheelUntil(viewer, by, question, value) {
  await viewer.row(await eyeOf(viewer)).hover();
  for (let i = 0; i < 400; i++) {
    if (await viewer.page.evaluate(question, value)) return;
    await viewer.page.mouse.wheel(0, by);
    await viewer.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 40))));
  }
  assert.fail(`not reached: ${question}`);
}

const loaded = ([id, uid]) => Boolean(document.getElementById(`${id}-m-${uid}`));

scene(
  'scrolled from end to end and back, a group of thousands never has more than a few hundred rows, in order and without a gap',
  async ({ viewer, actor }) => {
    const eve = await viewer('eve', { query: '?limit=100' });
    const { data } = await actor('eve').members('?from=0&until=~&format=json');
    assert.ok(data.length > 900);
    await wheelUntil(eve, 3000, loaded, [eve.x, 'm900']);
    assert.ok((await eve.rows.count()) <= MOST);
    assert.equal(await eve.part('previous').count(), 1);
    await eve.away();
    await sameAsFresh(eve);
    await wheelUntil(eve, -3000, loaded, [eve.x, 'ada']);
    assert.ok((await eve.rows.count()) <= MOST);
    await eve.page.waitForFunction((id) => !document.getElementById(id), `${eve.x}-previous`);
    await eve.away();
    await sameAsFresh(eve);
  },
  { members, timeout: 120_000 },
);

for (const place of ['top', 'end']) {
  scene(`of a crowd that comes between the rows of a list, read at its ${place}, a bounded number is loaded`, async ({ viewer, server, guid }) => {
    const [eve, ben] = [await viewer('eve', { query: '?limit=100' }), await viewer('ben', { query: '?limit=100' })];
    for (const one of [eve, ben]) {
      while (await one.further());
      if (place === 'top') await one.scrollTo(0);
    }
    const name = place === 'top' ? 'Aaron' : 'יובל';
    await ben.row(await eyeOf(ben)).hover();
    // More than messages can tell: the window is fetched anew, of whoever has the pointer there afterwards.
    await server.import(
      guid,
      crowd(520).map((one, i) => ({ ...one, uid: `crowd-${i}`, name: `${name} ${i}` })),
    );
    for (const one of [eve, ben]) {
      await one.away();
      await one.root.locator('[data-uid^=crowd]').first().waitFor();
      await one.live('on');
      assert.ok((await one.rows.count()) <= MOST, `${await one.rows.count()} rows`);
      await sameAsFresh(one);
    }
  });
}

scene('with everybody loaded there is no sentinel', async ({ viewer }) => {
  const eve = await viewer('eve', { query: '?limit=100' });
  while (await eve.further());
  assert.equal(await eve.part('next').count(), 0);
  assert.equal(await eve.part('previous').count(), 0);
  await sameAsFresh(eve);
});

for (const [side, edge] of [
  ['next', 1e6],
  ['previous', 0],
]) {
  // Of participants alone: the owner, who stands before everybody, cannot be kicked.
  scene(`when all who stand beyond the ${side} end have left, an empty answer takes the sentinel away`, async ({ viewer, actor }) => {
    const eve = await viewer('eve', { query: '?limit=100&scopes=participant' });
    const { data } = await actor('eve').members('?from=0&until=~&scopes=participant');
    if (side === 'previous') {
      await eve.page.locator(`#${eve.x}-list [tabindex="0"]`).first().focus();
      await eve.page.keyboard.press('End');
      await eve.focusOn(`m-${data.at(-1).uid}`);
      await eve.page.evaluate(() => document.activeElement.blur());
    }
    await eve.part(side).waitFor({ state: 'attached' });
    const shown = new Set(await eve.uids());
    const beyond = data.map(({ uid }) => uid).filter((uid) => !shown.has(uid));
    assert.ok(beyond.length > 0 && beyond.length < 20, `${beyond.length} beyond the end`);
    for (const uid of beyond) await actor('ada').kick(uid);
    await eve.until(([id, count]) => document.getElementById(id).dataset.count === String(count), [eve.x, shown.size]);
    await eve.scrollTo(edge);
    await eve.part(side).waitFor({ state: 'detached' });
    assert.equal(await eve.rows.count(), shown.size);
    await sameAsFresh(eve);
  });
}

scene(
  'what one looks at stays where it is when people come and go above it, and when the list is fetched anew for hundreds more',
  async ({ viewer, actor, server, guid }) => {
    const ada = await viewer('ada', { path: `/groups/${guid}/members?member=m1500` });
    await ada.there('m1500');
    await ada.part('menu').and(ada.page.locator(':popover-open')).waitFor();
    await ada.page.keyboard.press('Escape');
    await ada.until((id) => document.activeElement.closest(`#${id}-list`), ada.x);
    await ada.page.evaluate(() => document.activeElement.blur());
    await ada.away();
    const uid = await eyeOf(ada);
    const top = await topOf(ada, uid);
    const still = async () => assert.equal(await topOf(ada, uid), top, uid);
    await Promise.all(Array.from({ length: 40 }, (_, i) => actor(`n${i}`, `Member 00149${i % 10} above ${i}`).join()));
    await ada.there('n11');
    await still();
    await Promise.all(Array.from({ length: 20 }, (_, i) => actor(`n${i}`).leave()));
    await ada.gone('n11');
    await still();
    // More than messages can tell: a look around the eye.
    await server.import(guid, [...crowd(300).map((one, i) => ({ ...one, uid: `a${i}`, name: `Member 0014${i} again` })), ...crowd(500, 5000)]);
    await ada.until((id) => Number(document.getElementById(id).dataset.count) > 3800, ada.x);
    await ada.live('on');
    await still();
    await sameAsFresh(ada);
    await still();
  },
  { members, timeout: 120_000 },
);

scene(
  'a resync far down the list leaves the reader there',
  async ({ viewer, server, guid }) => {
    const eve = await viewer('eve', { query: '?limit=100' });
    await wheelUntil(eve, 3000, loaded, [eve.x, 'm800']);
    await eve.away();
    await eve.until(() => new Promise((done) => setTimeout(() => done(true), 200)));
    const uid = await eyeOf(eve);
    const top = await topOf(eve, uid);
    await server.import(guid, crowd(700, 9000));
    await eve.until((id) => Number(document.getElementById(id).dataset.count) > 3700, eve.x);
    await eve.live('on');
    await sameAsFresh(eve);
    assert.equal(await topOf(eve, uid), top);
  },
  { members, timeout: 120_000 },
);

scene(
  'whoever reads stays there when the first row in sight is sorted elsewhere',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben', { query: '?limit=100' });
    await wheelUntil(ben, 500, (id) => document.getElementById(`${id}-list`).parentElement.scrollTop > 2_000, ben.x);
    await ben.away();
    await ben.until(() => new Promise((done) => setTimeout(() => done(true), 200)));
    const first = await eyeOf(ben);
    const next = await ben.row(first).evaluate((row) => row.nextElementSibling.dataset.uid);
    const top = await topOf(ben, next);
    // From the participants to the moderators, some thousand pixels above.
    await actor('ada').scope(first, 'moderator');
    await ben.until(([id, uid]) => document.querySelector(`#${id}-list [data-uid="${uid}"]`)?.dataset.order[0] === '2', [ben.x, first]);
    assert.equal(await topOf(ben, next), top);
  },
  { members, timeout: 60_000 },
);

scene(
  'a list that is fetched anew while the host hides it keeps what it has loaded, and the reader’s place',
  async ({ viewer, server, guid }) => {
    const eve = await viewer('eve', { query: '?limit=100' });
    await wheelUntil(eve, 3000, loaded, [eve.x, 'm400']);
    await eve.away();
    await eve.until(() => new Promise((done) => setTimeout(() => done(true), 200)));
    const uids = () => eve.page.$$eval(`#${eve.x}-list > [data-uid]`, (rows) => rows.map(({ dataset }) => dataset.uid));
    const had = await uids();
    const hide = (display) => eve.page.$eval(`#${eve.x}`, (root, display) => (root.style.display = display), display);
    await hide('none');
    await server.import(guid, crowd(700, 9000));
    await eve.until((id) => Number(document.getElementById(id).dataset.count) > 3700, eve.x);
    await eve.live('on');
    assert.deepEqual(await uids(), had);
    await hide('');
    await eve.row('m400').waitFor();
  },
  { members, timeout: 120_000 },
);

scene(
  'Home and End lead to the true first and last member, wherever the window is',
  async ({ viewer, actor }) => {
    const eve = await viewer('eve');
    await eve.page.locator(`#${eve.x}-list [tabindex="0"]`).first().focus();
    await eve.page.keyboard.press('End');
    const last = (await actor('eve').members('?before=end&limit=1')).data[0].uid;
    await eve.until(([id, uid]) => document.activeElement.closest(`#${id}-m-${uid}`), [eve.x, last]);
    assert.equal((await eve.uids()).at(-1), last);
    await eve.page.keyboard.press('Home');
    await eve.until((id) => document.activeElement.closest(`#${id}-m-ada`), eve.x);
    assert.equal((await eve.uids())[0], 'ada');
    await eve.away();
    await eve.page.evaluate(() => document.activeElement.blur());
    await sameAsFresh(eve);
  },
  { members },
);

scene(
  'the row that has the focus keeps its end of the window',
  async ({ viewer }) => {
    const ada = await viewer('ada', { query: '?limit=100' });
    await ada.page.locator(`#${ada.x}-list [tabindex="0"]`).first().focus();
    await wheelUntil(ada, 3000, loaded, [ada.x, 'm600']);
    assert.equal(await ada.row('ada').count(), 1, 'focused, and still there');
    await ada.page.evaluate(() => document.activeElement.blur());
    await wheelUntil(ada, 3000, loaded, [ada.x, 'm900']);
    assert.equal(await ada.row('ada').count(), 0);
  },
  { members, timeout: 120_000 },
);

scene(
  'so does a row whose text is marked',
  async ({ viewer }) => {
    const ada = await viewer('ada', { query: '?limit=100' });
    await ada
      .row('ada')
      .locator('bdi')
      .evaluate((name) => getSelection().selectAllChildren(name));
    await wheelUntil(ada, 3000, loaded, [ada.x, 'm600']);
    assert.equal(await ada.row('ada').count(), 1, 'marked, and still there');
    await ada.page.evaluate(() => getSelection().empty());
    await wheelUntil(ada, 3000, loaded, [ada.x, 'm900']);
    assert.equal(await ada.row('ada').count(), 0);
  },
  { members, timeout: 120_000 },
);

scene(
  'an open menu goes with a row that is let go of',
  async ({ viewer }) => {
    const ada = await viewer('ada', { query: '?limit=100' });
    const open = ada.page.locator(`#${ada.x}-menu:popover-open`);
    await ada.menu('cy');
    await wheelUntil(ada, 1000, loaded, [ada.x, 'm100']);
    assert.equal(await open.count(), 1, 'open while its row is there');
    await wheelUntil(ada, 3000, loaded, [ada.x, 'm600']);
    assert.equal(await ada.row('cy').count(), 0);
    assert.equal(await open.count(), 0);
  },
  { members, timeout: 120_000 },
);

scene(
  'people stay selected when their rows are let go of; Shift selects over them; who has left meanwhile does not stay selected',
  async ({ viewer, server, guid, actor }) => {
    const eve = await viewer('eve', { query: '?selectionMode=multiple&limit=100' });
    await eve.part('s-dee').check({ force: true });
    await eve.page.evaluate(() => document.activeElement.blur());
    await wheelUntil(eve, 3000, loaded, [eve.x, 'm600']);
    assert.equal(await eve.row('dee').count(), 0);
    const count = () => eve.part('count').innerText();
    assert.match(await count(), /1/);
    const last = await eyeOf(eve);
    const between = (await actor('eve').members('?from=0&until=~')).data.map(({ uid }) => uid);
    const expected = Math.abs(between.indexOf(last) - between.indexOf('dee')) + 1;
    await eve
      .row(last)
      .locator('.chat-group-members__select')
      .click({ modifiers: ['Shift'], force: true });
    await eve.until(
      ([id, number]) => document.getElementById(id).textContent.replace(/\D/g, '') === String(number),
      [`${eve.x}-count`, Math.min(expected, 1000)],
    );
    await eve.away();
    await actor('ada').kick('dee');
    await server.import(guid, crowd(700, 9000));
    await eve.until(
      ([id, number]) => document.getElementById(id).textContent.replace(/\D/g, '') === String(number),
      [`${eve.x}-count`, Math.min(expected, 1000) - 1],
    );
  },
  { members, timeout: 120_000 },
);

scene(
  'a page that is loaded again shows the place that was looked at',
  async ({ viewer }) => {
    const eve = await viewer('eve', { query: '?limit=100' });
    await wheelUntil(eve, 3000, loaded, [eve.x, 'm700']);
    await eve.away();
    await eve.until(() => history.state?.order);
    await eve.until(() => new Promise((done) => setTimeout(() => done(true), 300)));
    const uid = await eyeOf(eve);
    const top = await topOf(eve, uid);
    await eve.page.reload();
    await eve.live('on');
    await eve.there(uid);
    await eve.until(([id, top]) => Math.abs(document.getElementById(id).getBoundingClientRect().top - top) < 2, [`${eve.x}-m-${uid}`, top]);
  },
  { members, timeout: 120_000 },
);

scene('a search that begins the list anew is shown from its beginning when the page is loaded again', async ({ viewer }) => {
  const eve = await viewer('eve', { query: '?limit=100' });
  await eve.search('e');
  await wheelUntil(eve, 1000, () => document.querySelector('.chat-group-members__scroll').scrollTop > 1000);
  await eve.away();
  await eve.until(() => history.state?.order);
  await eve.search('ev');
  await eve.page.reload();
  await eve.live('on');
  assert.equal(await eve.part('q').inputValue(), 'ev');
  assert.equal(await eve.page.$eval(`#${eve.x}-list`, (list) => list.closest('.chat-group-members__scroll').scrollTop), 0);
});

scene('going back undoes a filter, then a search', async ({ viewer }) => {
  const eve = await viewer('eve');
  await eve.search('dubois');
  await eve.part('f-moderators').click();
  await eve.until((id) => document.getElementById(id).dataset.query.includes('filter=moderators'), `${eve.x}-view`);
  await eve.page.goBack();
  await eve.until((id) => !document.getElementById(id).dataset.query.includes('filter='), `${eve.x}-view`);
  assert.equal(await eve.part('q').inputValue(), 'dubois');
  assert.equal(await eve.rows.count(), 12);
  await eve.page.goBack();
  await eve.until((id) => !document.getElementById(id).dataset.query.includes('searchKeyword='), `${eve.x}-view`);
  assert.equal(await eve.part('q').inputValue(), '');
});

scene('whoever goes to the last member while the list begins to be fetched anew arrives there', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  await eve.page.locator(`#${eve.x}-list [tabindex="0"]`).first().focus();
  const slow = road.gate(/before=end/);
  await eve.page.keyboard.press('End');
  await slow.arrived;
  // Other rights: everything is fetched anew.
  await actor('ada').scope('eve', 'moderator');
  await eve.page.locator(`#${eve.x}[data-scope="moderator"]`).waitFor();
  slow.open();
  const last = (await actor('eve').members('?before=end&limit=1')).data[0].uid;
  await eve.until(([id, uid]) => document.activeElement.closest(`#${id}-m-${uid}`), [eve.x, last]);
  await eve.page.evaluate(() => document.activeElement.blur());
  await eve.away();
  await eve.live('on');
  await sameAsFresh(eve);
});

/** Goes on to a box of the host's page. */
const write = (eve) =>
  eve.page.evaluate(() => {
    const box = document.createElement('textarea');
    document.body.append(box);
    box.focus();
  });
const writes = (eve) => eve.page.evaluate(() => document.activeElement.localName === 'textarea');

/** Presses End, whose answer is held back until `open`. */
async function pressEnd(eve, road) {
  const slow = road.gate(/before=end/);
  await eve.row('ada').focus();
  await eve.page.keyboard.press('End');
  await slow.arrived;
  return {
    /** Lets the answer come, and the page take it. */
    async open() {
      const answered = eve.page.waitForResponse(/before=end/);
      slow.open();
      await answered;
      await eve.page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    },
  };
}

scene('whoever goes on to write elsewhere on the page while End is on its way stays there, and the list where it is', async ({ viewer, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const end = await pressEnd(eve, road);
  await write(eve);
  await end.open();
  assert.ok(await writes(eve));
  assert.equal((await eve.uids())[0], 'ada', 'and the list has stayed where it was');
});

scene(
  'whoever goes on to write elsewhere on the page while the page after Down is on its way stays there',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const slow = road.gate(/cursor=/);
    const eve = await viewer('eve', { base: road.base });
    const last = (await eve.uids()).at(-1);
    await eve.row('ada').focus();
    for (const key of [...Array(10).fill('PageDown'), 'ArrowDown']) await eve.page.keyboard.press(key);
    await slow.arrived;
    await write(eve);
    slow.open();
    await eve.until(([x, uid]) => document.getElementById(`${x}-m-${uid}`).nextElementSibling?.dataset.uid, [eve.x, last]);
    assert.ok(await writes(eve));
  },
  { members },
);

scene('of Home and End the last one counts, and End that is pressed twice arrives without a complaint', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const end = await pressEnd(eve, road);
  await eve.page.keyboard.press('Home');
  await end.open();
  await eve.focusOn('m-ada');
  assert.equal((await eve.uids())[0], 'ada');
  const twice = await pressEnd(eve, road);
  await eve.page.keyboard.press('End');
  await twice.open();
  const last = (await actor('eve').members('?before=end&limit=1')).data[0].uid;
  await eve.focusOn(`m-${last}`);
  assert.equal(await eve.part('error').getByRole('alert').count(), 0);
  assert.deepEqual(await eve.heard('error'), []);
});

scene('whoever goes on to search while End is on its way stays in the box', async ({ viewer, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const slow = road.gate(/before=end/);
  await eve.row('ada').focus();
  await eve.page.keyboard.press('End');
  await slow.arrived;
  await eve.part('q').fill('dee');
  await eve.gone('cy');
  const answered = eve.page.waitForResponse(/before=end/);
  slow.open();
  await answered;
  await eve.page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  assert.equal(await eve.focused(), `${eve.x}-q`);
  await eve.there('dee');
});

scene(
  'what is read stays when two messages come between two frames, and the first of them has brought somebody else to the top',
  async ({ viewer, server, actor }) => {
    const ben = await viewer('ben', { query: '?limit=100' });
    await server.token('ada');
    await wheelUntil(ben, 500, (id) => document.getElementById(`${id}-list`).parentElement.scrollTop > 2_500, ben.x);
    await ben.away();
    await ben.until(() => new Promise((done) => setTimeout(() => done(true), 200)));
    const first = await eyeOf(ben);
    const [above, next] = await ben
      .row(first)
      .evaluate((row) => [row.previousElementSibling.querySelector('bdi').textContent, row.nextElementSibling.dataset.uid]);
    const top = await topOf(ben, next);
    // The page draws nothing meanwhile. Changes that come at once would share a message.
    const pause = () => new Promise((done) => setTimeout(done, 200));
    const busy = ben.page.evaluate(() => {
      for (const end = performance.now() + 2_500; performance.now() < end; );
    });
    // From far above right above the first row, which is sorted elsewhere then; and another between the two who follow.
    await server.host('PUT', '/users/p00', { name: `${above} b` });
    await pause();
    await actor('ada').scope(first, 'moderator');
    await pause();
    await server.host('PUT', '/users/p01', { name: `${above} c` });
    await busy;
    await ben.until(([id]) => document.getElementById(`${id}-m-p01`)?.previousElementSibling?.dataset.uid === 'p00', [ben.x]);
    assert.equal(await topOf(ben, next), top);
  },
  { members, timeout: 60_000 },
);
