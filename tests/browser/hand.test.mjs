// Nothing moves under a hand, and a press means the person it began on.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { fingerOf, middleOf, touchScreen } from './finger.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const topOf = (viewer, uid) => viewer.row(uid).evaluate((row) => row.getBoundingClientRect().top);
const NETWORK = /net::ERR_|Failed to load resource/;

const openMenu = (viewer) => viewer.page.locator('.chat-group-members__menu:popover-open').count();
/** The waiting changes are said behind the pill. */
const waits = (viewer) => viewer.part('held').waitFor();

scene('a finger rests on somebody’s button while somebody joins above: what opens is that person’s menu, and nothing has moved', async ({ viewer, actor }) => {
  const ada = await viewer('ada', touchScreen);
  const finger = await fingerOf(ada);
  const top = await topOf(ada, 'cy');
  await finger.down(await middleOf(ada.button('cy')));
  await actor('ada').scope('dee', 'admin');
  await waits(ada);
  assert.equal(await topOf(ada, 'cy'), top);
  await finger.up();
  await ada.page.locator('.chat-group-members__menu:popover-open').waitFor();
  assert.match(await ada.part('menu').innerText(), /Cy Marlowe/);
  await ada.page.keyboard.press('Escape');
  // The focus comes back at once, and once more when the menu says that it is closed.
  await ada.page.locator(`#${ada.x} [aria-expanded]`).waitFor({ state: 'detached' });
  await ada.page.evaluate(() => document.activeElement.blur());
  await sameAsFresh(ada);
});

scene('a tap on a row that came under the finger a moment before opens nothing', async ({ viewer, actor }) => {
  const ada = await viewer('ada', touchScreen);
  const finger = await fingerOf(ada);
  const uids = await ada.uids();
  const place = await middleOf(ada.button(uids[uids.indexOf('dee') + 1]));
  // Right below Dee, without a heading in between: their button is where the other was.
  await actor('under', 'Dee G').join();
  await ada.until(([id, { x, y }]) => document.elementFromPoint(x, y)?.closest('li')?.id === id, [`${ada.x}-m-under`, place]);
  await finger.down(place);
  await finger.up();
  // What a tap opens, the next one would have opened by then.
  await ada.page.evaluate(() => new Promise((done) => setTimeout(done, 600)));
  assert.equal(await openMenu(ada), 0);
  await finger.down(place);
  await finger.up();
  await ada.page.locator('.chat-group-members__menu:popover-open').waitFor();
});

scene('a press that ends on another person than it began on opens nothing', async ({ viewer }) => {
  const ada = await viewer('ada');
  const from = await middleOf(ada.button('cy'));
  await ada.page.mouse.move(from.x, from.y);
  await ada.page.mouse.down();
  const to = await middleOf(ada.button('dee'));
  await ada.page.mouse.move(to.x, to.y);
  await ada.page.mouse.up();
  await ada.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  assert.equal(await openMenu(ada), 0);
});

scene('the list rests until a second after the last finger', async ({ viewer, actor }) => {
  const ada = await viewer('ada', touchScreen);
  const finger = await fingerOf(ada);
  const name = await middleOf(ada.row('dee').locator('b'));
  await finger.down(name);
  await finger.move({ x: name.x, y: name.y - 40 });
  await finger.up();
  await actor('ada').scope('p00', 'admin');
  await waits(ada);
  assert.equal(
    await ada
      .heading('admin')
      .innerText()
      .then((text) => text.replace(/\s+/g, ' ')),
    'Admins 2',
    'numbers are told at once',
  );
  await ada.part('held').waitFor({ state: 'hidden' });
  await sameAsFresh(ada);
});

scene('in the second after a finger its row stays also when a name above takes more lines', async ({ viewer, server }) => {
  const ada = await viewer('ada', touchScreen);
  const finger = await fingerOf(ada);
  // The page of a member would take the place of the list.
  await ada.page.evaluate(() => addEventListener('click', (event) => event.preventDefault(), true));
  const top = await topOf(ada, 'dee');
  await finger.down(await middleOf(ada.row('dee').locator('.chat-group-members__name')));
  await finger.up();
  await server.host('PUT', '/users/cy', { name: `Cy ${'of the long names '.repeat(4)}` });
  await ada.until((id) => document.querySelector(`#${id}-list > [data-uid="cy"]`).textContent.includes('of the long names'), ada.x);
  assert.ok(Math.abs((await topOf(ada, 'dee')) - top) <= 1 / 64, `${(await topOf(ada, 'dee')) - top} px`);
});

scene('a finger on a heading holds the list too, until a second after it', async ({ viewer, actor }) => {
  const ada = await viewer('ada', touchScreen);
  const finger = await fingerOf(ada);
  const top = await topOf(ada, 'cy');
  await finger.down(await middleOf(ada.root.locator('[data-heading="moderator"]')));
  await actor('ada').scope('dee', 'admin');
  await waits(ada);
  assert.equal(await topOf(ada, 'cy'), top);
  await finger.up();
  await ada.part('held').waitFor({ state: 'hidden' });
  await sameAsFresh(ada);
});

scene('a finger that scrolls is noticed to go up also when what it lay on was drawn anew below it', async ({ viewer, actor }) => {
  const cy = await viewer('cy', touchScreen);
  const finger = await fingerOf(cy);
  const button = await middleOf(cy.button('dee'));
  await finger.down(button);
  for (const y of [20, 40, 60]) await finger.move({ x: button.x, y: button.y - y });
  // Without rights there is no button any more.
  await actor('ada').scope('cy', 'participant');
  await cy.button('dee').waitFor({ state: 'detached' });
  await finger.up();
  await actor('ada').kick('eve');
  await cy.gone('eve');
  await sameAsFresh(cy);
});

scene('a tap on somebody whom a filter brought under the finger a moment before opens nothing', async ({ viewer, proxy }) => {
  const road = await proxy();
  const ada = await viewer('ada', { ...touchScreen, base: road.base });
  const finger = await fingerOf(ada);
  const slow = road.gate(/filter=moderators/);
  await finger.down(await middleOf(ada.part('f-moderators')));
  await finger.up();
  await slow.arrived;
  slow.open();
  await ada.gone('dee');
  const place = await middleOf(ada.button('cy'));
  await finger.down(place);
  await finger.up();
  // What a tap opens, the next one would have opened by then.
  await ada.page.evaluate(() => new Promise((done) => setTimeout(done, 600)));
  assert.equal(await openMenu(ada), 0);
  await finger.down(place);
  await finger.up();
  await ada.page.locator('.chat-group-members__menu:popover-open').waitFor();
  assert.match(await ada.part('menu').innerText(), /Cy Marlowe/);
});

scene('a press on somebody whom a search brought under the resting mouse a moment before opens nothing', async ({ viewer }) => {
  const ada = await viewer('ada');
  // Where Cy stands alone, Ada herself stands in the whole list.
  await ada.search('marlowe');
  const place = await middleOf(ada.button('cy'));
  await ada.search('');
  await ada.there('dee');
  await ada.page.mouse.move(place.x, place.y);
  await ada.part('q').fill('marlowe');
  await ada.gone('dee');
  await ada.page.mouse.down();
  await ada.page.mouse.up();
  await ada.atRest();
  assert.equal(await openMenu(ada), 0);
  await ada.page.mouse.down();
  await ada.page.mouse.up();
  await ada.page.locator('.chat-group-members__menu:popover-open').waitFor();
  assert.match(await ada.part('menu').innerText(), /Cy Marlowe/);
});

scene(
  'while a finger is on the list, and a second after it, no row is let go of: that would end its fling',
  async ({ viewer }) => {
    const ada = await viewer('ada', { ...touchScreen, query: '?limit=100' });
    const finger = await fingerOf(ada);
    await finger.down(await middleOf(ada.row('ada')));
    for (let pages = 0; pages < 4; pages++) await ada.further();
    const loaded = await ada.rows.count();
    assert.ok(loaded > 400, `${loaded} rows`);
    await ada.there('ada');
    await finger.up();
    await ada.until((id) => document.querySelectorAll(`#${id}-list > [data-uid]`).length <= 300, ada.x);
    await ada.gone('ada');
    await sameAsFresh(ada);
  },
  {
    members: [...people(), ...Array.from({ length: 500 }, (_, i) => ({ uid: `c${i}`, name: `Crowd ${i}`, scope: 'participant', joinedAt: 1_694_000_000 }))],
  },
);

scene('while a list goes on scrolling after a finger, no script scrolls it: that would end it', async ({ viewer, server }) => {
  const ada = await viewer('ada', touchScreen);
  await ada.page.evaluate(() => {
    Object.assign(window, { scrolls: [], byScript: 0, renamed: 0 });
    const { scrollTo } = Element.prototype;
    Element.prototype.scrollTo = function (...to) {
      if (performance.now() - (window.scrolls.at(-1) ?? -1e6) < 100) window.byScript++;
      scrollTo.apply(this, to);
    };
    document.addEventListener('scroll', () => window.scrolls.push(performance.now()), true);
    // Names that come while the list scrolls.
    new MutationObserver(() => (window.renamed += performance.now() - (window.scrolls.at(-1) ?? -1e6) < 50 ? 1 : 0)).observe(
      document.querySelector('.chat-group-members__list'),
      { subtree: true, characterData: true, childList: true },
    );
  });
  const finger = await fingerOf(ada);
  const came = () => ada.page.evaluate(() => window.renamed > 0);
  // On a busy machine a fling may be over before a name comes.
  for (let flings = 0; flings < 4 && !(await came()); flings++) {
    await finger.down({ x: 190, y: 700 });
    for (let y = 660; y >= 300; y -= 40) await finger.move({ x: 190, y });
    await finger.up();
    await ada.until(() => window.scrolls.length > 0);
    // Each time the rows above take a line more, or a line less.
    for (let time = 0; time < 8; time++)
      for (const uid of ['ada', 'ben']) await server.host('PUT', `/users/${uid}`, { name: time % 2 ? uid : `${uid} ${'of the long names '.repeat(4)}` });
  }
  assert.ok(await came(), 'nothing came while the list scrolled');
  assert.equal(await ada.page.evaluate(() => window.byScript), 0);
});

scene('a menu that comes late does not open once one has pressed elsewhere', async ({ viewer, proxy }) => {
  const road = await proxy();
  const ada = await viewer('ada', { base: road.base });
  await ada.page.waitForFunction((id) => document.getElementById(id).dataset.live === 'on', ada.x);
  const slow = road.gate(/members\/dee\?.*part=menu/);
  await ada.button('dee').click();
  await slow.arrived;
  await ada.part('title').click();
  const answered = ada.page.waitForResponse(/members\/dee\?.*part=menu/);
  slow.open();
  await answered;
  await ada.page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  assert.equal(await ada.page.locator(':popover-open').count(), 0);
  await ada.menu('cy');
  assert.match(await ada.part('menu').getAttribute('aria-label'), /Cy/);
  assert.equal(await ada.page.locator(`#${ada.x} [aria-expanded="true"]`).getAttribute('id'), await ada.button('cy').getAttribute('id'));
});

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

scene('whoever presses the pill goes on in the list', async ({ viewer, actor }) => {
  const ada = await viewer('ada');
  await ada.row('cy').hover();
  await actor('ada').scope('dee', 'admin');
  await waits(ada);
  await ada.part('held').click();
  await ada.until((id) => document.activeElement.closest(`#${id}-list`), ada.x);
  assert.deepEqual((await ada.uids()).slice(0, 4), ['ada', 'ben', 'dee', 'cy']);
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

scene('what changes a viewer’s rights moves nothing under the pointer', async ({ viewer, actor }) => {
  const eve = await viewer('eve');
  await eve.row('dee').hover();
  const top = await topOf(eve, 'dee');
  await actor('ada').scope('eve', 'admin');
  await eve.button('dee').waitFor();
  assert.equal(await topOf(eve, 'dee'), top);
});

scene('a line that goes from the header, with a right, moves nothing under a finger', async ({ viewer, actor }) => {
  const cy = await viewer('cy', touchScreen);
  const finger = await fingerOf(cy);
  const header = () => cy.page.locator('.chat-group-members__header').evaluate((box) => box.offsetHeight);
  const [top, height] = [await topOf(cy, 'dee'), await header()];
  await finger.down(await middleOf(cy.row('dee')));
  await actor('ada').scope('cy', 'participant');
  await cy.until((id) => !document.getElementById(id), `${cy.x}-bans`);
  assert.notEqual(await header(), height);
  // The least that a layout can tell apart is a 64th of a pixel.
  assert.ok(Math.abs((await topOf(cy, 'dee')) - top) <= 1 / 64);
  await finger.up();
});

scene('after half a minute changes are placed around the row under the pointer, which stays', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { live: false });
  await eve.page.clock.install();
  await eve.page.reload();
  await eve.live('on');
  await eve.scrollTo(400);
  const held = (await eve.uids())[14];
  await eve.row(held).hover();
  const top = await topOf(eve, held);
  await actor('ada').scope('p00', 'admin');
  await waits(eve);
  await eve.page.clock.runFor(31_000);
  await eve.part('held').waitFor({ state: 'hidden' });
  assert.equal(await topOf(eve, held), top);
  assert.equal((await eve.uids())[2], 'p00');
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

scene('when almost everybody is gone, whoever is looked at stays', async ({ viewer, server, guid }) => {
  const eve = await viewer('eve');
  await eve.scrollTo(400);
  await eve.away();
  const seen = await eve.page.evaluate((id) => {
    const edge = document.querySelector(`#${id} .chat-group-members__scroll`).getBoundingClientRect().top;
    return [...document.querySelectorAll(`#${id}-list > [data-uid]`)].find((row) => row.getBoundingClientRect().top >= edge - 1).dataset.uid;
  }, eve.x);
  const top = await topOf(eve, seen);
  const rest = people().filter(({ uid }) => uid === seen || uid === 'eve' || uid === 'zoe');
  await server.host('PUT', `/groups/${guid}/members`, { owner: 'ada', members: rest.map(({ uid, name }) => ({ uid, name })) });
  await eve.gone('cy');
  assert.equal(await topOf(eve, seen), top);
  await eve.scrollTo(0);
  await sameAsFresh(eve);
});

scene('whoever leaves above the pointer leaves their space there, until the pointer leaves too', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { live: false });
  await eve.page.clock.install();
  await eve.page.reload();
  await eve.live('on');
  await eve.row('dee').hover();
  const top = await topOf(eve, 'dee');
  await actor('ada').kick('cy');
  await waits(eve);
  await eve.page.clock.runFor(31_000);
  await eve.gone('cy');
  assert.equal(await topOf(eve, 'dee'), top);
  await eve.away();
  await eve.until(([id, top]) => document.querySelector(`#${id}-m-dee`).getBoundingClientRect().top < top, [eve.x, top]);
  await sameAsFresh(eve);
});

scene('whoever leaves at the end of the range leaves their space till one scrolls, and what one looks at stays', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { query: '?limit=100' });
  while (await eve.further());
  await eve.scrollTo(1e6);
  await eve.away();
  const [other, last] = (await eve.uids()).slice(-2);
  const top = await topOf(eve, other);
  await actor('ada').kick(last);
  await eve.gone(last);
  assert.equal(await topOf(eve, other), top);
  await eve.scrollTo(0);
  await eve.until((id) => !document.getElementById(`${id}-list`).style.marginBlockEnd, eve.x);
  await eve.scrollTo(1e6);
  assert.ok((await topOf(eve, other)) > top, 'nothing empty is left');
  await sameAsFresh(eve);
});

scene('a word that is composed is searched once it is done', async ({ viewer, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const session = await eve.context.newCDPSession(eve.page);
  await eve.part('q').focus();
  const before = road.asked.filter((line) => line.includes('part=view')).length;
  for (const text of ['w', 'wa', '王']) {
    await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await eve.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  }
  assert.equal(road.asked.filter((line) => line.includes('part=view')).length, before);
  await session.send('Input.insertText', { text: '王' });
  await eve.until((id) => new URLSearchParams(document.getElementById(id).dataset.query).get('searchKeyword') === '王', `${eve.x}-view`);
  assert.deepEqual(await eve.uids(), ['wxm']);
  assert.equal(road.asked.filter((line) => line.includes('part=view')).length, before + 1);
});

scene(
  'a search that failed is not asked again in the middle of a word that is composed',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base });
    const session = await eve.context.newCDPSession(eve.page);
    const composes = (text) => session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    const searches = () => road.asked.filter((line) => line.includes('part=view'));
    road.down = true;
    road.cut();
    await eve.live('reconnecting');
    await eve.part('f-admins').click();
    await eve.part('error').getByRole('alert').waitFor();
    await eve.part('q').focus();
    await composes('w');
    const before = searches().length;
    road.down = false;
    await eve.live('on');
    await composes('wa');
    await eve.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
    assert.deepEqual(searches().slice(before), []);
    await session.send('Input.insertText', { text: '王' });
    await eve.until((id) => new URLSearchParams(document.getElementById(id).dataset.query).get('searchKeyword') === '王', `${eve.x}-view`);
    assert.equal(searches().length, before + 1);
    assert.match(searches().at(-1), /filter=admins/);
  },
  { complaints: /net::ERR_|Failed to load resource|htmx/ },
);

scene(
  'selected people alone hold nothing back',
  async ({ viewer, actor }) => {
    const eve = await viewer('eve', { query: '?selectionMode=multiple' });
    await eve.part('s-cy').check({ force: true });
    await eve.page.evaluate(() => document.activeElement.blur());
    await eve.away();
    await actor('ada').scope('dee', 'admin');
    await eve.page.locator(`#${eve.x}-m-dee[data-scope="admin"]`).waitFor();
    await eve.until((id) => document.querySelector(`#${id}-list > [data-uid="dee"]`).previousElementSibling.dataset.uid === 'ben', eve.x);
  },
  { members: people() },
);
