// A press means the person it began on, by a finger and by the mouse, and who has just come there takes none.

import assert from 'node:assert/strict';

import { notice } from './bars.mjs';
import { fingerOf, middleOf, touchScreen } from './finger.mjs';
import { topOf, waits } from './held.mjs';
import { Host, LINK, line, page, SCRIPT } from './host.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const openMenu = (viewer) => viewer.page.locator('.chat-group-members__menu:popover-open').count();

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

scene('a list that comes under a mouse takes no press that was meant for what was there before', async ({ viewer, server, guid }) => {
  const host = await Host.start(server.base);
  try {
    host.pages.set('/', page(LINK + SCRIPT, `<div id="place" style="height: 600px">Loading</div>`));
    const ben = await viewer('ben', { base: host.base, path: '/', live: false });
    const markup = line(guid);
    const come = () => ben.page.evaluate((markup) => (document.getElementById('place').innerHTML = markup), markup);
    await ben.page.mouse.move(40, 40);
    await come();
    await ben.live('on');
    const place = await middleOf(ben.button('dee'));
    await ben.page.evaluate(() => (document.getElementById('place').innerHTML = ''));
    await ben.page.mouse.move(place.x, place.y);
    // In one task with the list's coming, as only a hand that was faster than the eye presses.
    const opened = await ben.page.evaluate(
      ([markup, { x, y }]) =>
        new Promise((done) => {
          const press = () => {
            const button = document.elementFromPoint(x, y)?.closest('[id$="-a-dee"]');
            if (!button) return requestAnimationFrame(press);
            const at = { bubbles: true, composed: true, cancelable: true, clientX: x, clientY: y, pointerType: 'mouse', detail: 1 };
            button.dispatchEvent(new PointerEvent('pointerdown', at));
            button.dispatchEvent(new PointerEvent('pointerup', at));
            done(button.dispatchEvent(new MouseEvent('click', at)));
          };
          document.getElementById('place').innerHTML = markup;
          press();
        }),
      [markup, place],
    );
    assert.equal(opened, false, 'the press is refused');
    await ben.page.evaluate(() => new Promise((done) => setTimeout(done, 600)));
    assert.equal(await openMenu(ben), 0);
    await ben.page.mouse.click(place.x, place.y);
    await ben.page.locator('.chat-group-members__menu:popover-open').waitFor();
  } finally {
    await host.stop();
  }
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

scene('a press of the mouse whose release the page does not hear holds the list no longer than the pointer', async ({ viewer, actor }) => {
  const ada = await viewer('ada');
  const place = await middleOf(ada.row('dee').locator('b'));
  // As a menu of the browser's own takes it.
  await ada.page.evaluate(() => addEventListener('pointerup', (event) => event.stopImmediatePropagation(), { capture: true, once: true }));
  await ada.page.mouse.move(place.x, place.y);
  await ada.page.mouse.down({ button: 'right' });
  await ada.page.mouse.up({ button: 'right' });
  await actor('ada').scope('p00', 'admin');
  await waits(ada);
  await ada.away();
  await ada.part('held').waitFor({ state: 'hidden' });
  await sameAsFresh(ada);
});

scene('a word to the viewer moves neither the search, nor a filter that is being pressed, nor a row', async ({ viewer, actor }) => {
  const cy = await viewer('cy');
  const filter = cy.part('f-moderators');
  const place = await middleOf(filter);
  const tops = () =>
    cy.page.evaluate((x) => ['q', 'f-moderators', 'm-ada'].map((name) => document.getElementById(`${x}-${name}`).getBoundingClientRect().top), cy.x);
  const before = await tops();
  await cy.page.mouse.move(place.x, place.y);
  await cy.page.mouse.down();
  await actor('ada').mute('cy', { until: '3600', message: 'A quiet hour, please. Come back to us when it is over.' });
  await notice(cy).waitFor();
  assert.deepEqual(await tops(), before);
  await cy.page.mouse.up();
  await cy.gone('dee');
  await actor('ada').unmute('cy');
  await notice(cy).waitFor({ state: 'detached' });
  assert.equal((await filter.boundingBox()).y + (await filter.boundingBox()).height / 2, place.y);
});

scene('a list that creeps, as below text that is being written, takes every press', async ({ viewer, server, guid }) => {
  const host = await Host.start(server.base);
  try {
    host.pages.set(
      '/',
      page(LINK + SCRIPT, `<div id="above" style="height: 20px"></div><div style="height: 500px">${line(guid, '?selectionMode=multiple')}</div>`),
    );
    const ben = await viewer('ben', { base: host.base, path: '/' });
    await ben.page.evaluate(() => {
      const above = document.getElementById('above');
      setInterval(() => (above.style.height = `${above.offsetHeight + 1}px`), 200);
    });
    const uids = ['ada', 'ben', 'cy'];
    for (const uid of uids) {
      await ben.page.evaluate(() => new Promise((done) => setTimeout(done, 450)));
      const place = await middleOf(ben.part(`s-${uid}`));
      await ben.page.mouse.click(place.x, place.y);
    }
    await ben.part('count').getByText('3 selected').waitFor();
  } finally {
    await host.stop();
  }
});
