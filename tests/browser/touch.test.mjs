// While a finger is on the list, and a second after it, nothing moves below it and nothing stops its fling.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { fingerOf, middleOf, touchScreen } from './finger.mjs';
import { topOf, waits } from './held.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

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

scene('the list rests until a second after the last of two fingers', async ({ viewer, actor }) => {
  const ada = await viewer('ada', touchScreen);
  const finger = await fingerOf(ada);
  const [first, second] = [await middleOf(ada.row('dee').locator('b')), await middleOf(ada.part('title'))];
  await finger.down({ ...first, id: 1 });
  await finger.down({ ...first, id: 1 }, { ...second, id: 2 });
  await finger.up({ ...first, id: 1 });
  // Longer than the rest after a finger.
  await ada.page.evaluate(() => new Promise((done) => setTimeout(done, 1_600)));
  await actor('ada').scope('p00', 'admin');
  await waits(ada);
  await finger.up();
  await ada.part('held').waitFor({ state: 'hidden' });
  await sameAsFresh(ada);
});

for (const [how, slides, again] of [
  ['', 0],
  [' that slid aside', 60],
  [' on a row that was touched beside its name before', 0, true],
])
  scene(`in the second after a finger${how} its row stays also when a name above takes more lines`, async ({ viewer, server }) => {
    const ada = await viewer('ada', touchScreen);
    const finger = await fingerOf(ada);
    // The page of a member would take the place of the list.
    await ada.page.evaluate(() => addEventListener('click', (event) => event.preventDefault(), true));
    const top = await topOf(ada, 'dee');
    const point = await middleOf(ada.row('dee').locator('.chat-group-members__name'));
    if (again) {
      const box = await ada.row('dee').boundingBox();
      await finger.down({ x: box.x + box.width / 2, y: box.y + 1 });
      await finger.up();
    }
    await finger.down(point);
    for (let x = 20; x <= slides; x += 20) await finger.move({ ...point, x: point.x - x });
    await finger.up();
    await server.host('PUT', '/users/cy', { name: `Cy ${'of the long names '.repeat(4)}` });
    await ada.until((id) => document.querySelector(`#${id}-list > [data-uid="cy"]`).textContent.includes('of the long names'), ada.x);
    assert.ok(Math.abs((await topOf(ada, 'dee')) - top) <= 1 / 64, `${(await topOf(ada, 'dee')) - top} px`);
  });

scene('a finger that scrolls the page from beside the list lets it rest too, until a second after it', async ({ viewer, actor }) => {
  const ada = await viewer('ada', touchScreen);
  const finger = await fingerOf(ada);
  const title = await middleOf(ada.part('title'));
  await finger.down(title);
  await finger.move({ x: title.x, y: title.y + 40 });
  await actor('ada').scope('p00', 'admin');
  await waits(ada);
  await finger.up();
  await ada.part('held').waitFor({ state: 'hidden' });
  await sameAsFresh(ada);
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

scene('a finger’s rest is over after a second also while the host’s own script scrolls another box on and on', async ({ viewer, actor }) => {
  const ada = await viewer('ada', touchScreen);
  await ada.page.evaluate(() => {
    const [chat, text] = ['div', 'p'].map((name) => document.createElement(name));
    text.style.blockSize = '9000px';
    chat.append(text);
    chat.style.cssText = 'position: fixed; inset: auto 0 0; block-size: 40px; overflow: auto';
    document.body.append(chat);
    const write = () => {
      chat.scrollTop += 1;
      requestAnimationFrame(write);
    };
    write();
  });
  const finger = await fingerOf(ada);
  await finger.down({ x: 190, y: 600 });
  for (let y = 580; y >= 500; y -= 20) await finger.move({ x: 190, y });
  await finger.up();
  await actor('ada').scope('p00', 'admin');
  await waits(ada);
  await ada.part('held').waitFor({ state: 'hidden' });
});

scene('while a list goes on scrolling after a finger, no script scrolls it: that would end it', async ({ viewer, server }) => {
  const ada = await viewer('ada', touchScreen);
  await ada.page.evaluate(() => {
    Object.assign(window, { scrolls: [], byScript: 0, renamed: 0 });
    for (const name of ['scrollTo', 'scrollBy']) {
      const scroll = Element.prototype[name];
      Element.prototype[name] = function (...how) {
        if (performance.now() - (window.scrolls.at(-1) ?? -1e6) < 100) window.byScript++;
        scroll.apply(this, how);
        this.scrolledByScript = this.scrollTop;
      };
    }
    // On a busy machine a fling is over before the names are, and the list is scrolled by its script then.
    document.addEventListener(
      'scroll',
      ({ target: { scrollTop, scrolledByScript } }) => {
        if (scrollTop !== scrolledByScript) window.scrolls.push(performance.now());
      },
      true,
    );
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

scene('names above that take more lines, once a finger is lifted, move no row in sight, and hide none at the top', async ({ viewer, server }) => {
  const ada = await viewer('ada', touchScreen);
  const finger = await fingerOf(ada);
  await finger.down({ x: 190, y: 700 });
  for (let y = 680; y >= 400; y -= 20) await finger.move({ x: 190, y });
  await finger.up();
  // Where the row is in the list, wherever a fling leads the list meanwhile.
  const placeOfDee = () =>
    ada.row('dee').evaluate((row) => {
      const box = row.closest('.chat-group-members__scroll');
      return row.getBoundingClientRect().top + box.scrollTop;
    });
  const place = await placeOfDee();
  for (const uid of ['ada', 'ben']) await server.host('PUT', `/users/${uid}`, { name: `${uid} ${'of the long names '.repeat(4)}` });
  await ada.until(() => [...document.querySelectorAll('.chat-group-members__name')].filter((name) => name.textContent.includes('long names')).length === 2);
  assert.ok(Math.abs((await placeOfDee()) - place) < 1);
  await ada.until((id) => {
    const box = document.getElementById(id).closest('.chat-group-members__scroll');
    // Again and again, since the fling may go on.
    box.scrollTo(0, 0);
    return box.querySelector('li').getBoundingClientRect().top >= box.getBoundingClientRect().top;
  }, `${ada.x}-list`);
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

scene('rows that come while a finger is on a list are not put into the list of a search that comes before they are', async ({ viewer, proxy }) => {
  const road = await proxy();
  const ada = await viewer('ada', { ...touchScreen, base: road.base, live: false, query: '?limit=40' });
  await ada.page.clock.install();
  await ada.page.reload();
  await ada.live('on');
  await ada.page.locator(`#${ada.x}-list [tabindex="0"]`).first().focus();
  await ada.page.keyboard.press('End');
  await ada.part('previous').waitFor({ state: 'attached' });
  await ada.gone('ada');
  const finger = await fingerOf(ada);
  await finger.down({ x: 190, y: 600 });
  const rows = ada.page.waitForResponse(/part=rows.*before=/).then((answer) => answer.finished());
  await ada.scrollTo(0);
  await rows;
  await ada.search('brandt');
  await finger.up();
  await ada.page.clock.runFor(5_000);
  assert.equal(await ada.rows.count(), 12);
  await sameAsFresh(ada);
});
