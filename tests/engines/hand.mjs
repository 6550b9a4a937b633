// What a hand is on stays: marked text, the row under the pointer, the menu that is open.

import assert from 'node:assert/strict';

import { Origin } from 'selenium-webdriver';

import { sameAsFresh } from './law.mjs';

const pill = '.chat-group-members__held button';
/** Milliseconds: so soon after the rows have changed or moved a press is within the half second, whichever clock is read first. */
export const UNSEEN = 450;

/** Runs in the page: keeps on whom the last press began, and how long after the rows had changed. */
function watchPresses(list) {
  let changed = 0;
  new MutationObserver(() => (changed = performance.now())).observe(document.querySelector(list), { childList: true });
  const began = ({ target }) => (window.pressed = [target.closest('[data-uid]')?.dataset.uid ?? null, performance.now() - changed]);
  document.addEventListener('pointerdown', began, true);
}

export function hand(scene) {
  scene('a press that ends on another person than it began on opens nothing', async ({ viewer }) => {
    const ada = await viewer('ada');
    const [x, y] = await ada.point(ada.button('dee'));
    await ada.point(ada.button('cy'));
    await ada.driver.actions().press().move({ x, y, origin: Origin.VIEWPORT }).release().perform();
    await ada.frames();
    await ada.hidden(ada.part('menu'));
    await ada.menu('cy');
    assert.match(await ada.text(ada.part('menu')), /Cy Marlowe/);
    await ada.press('Escape');
    await ada.hidden(ada.part('menu'));
  });

  scene('a press on somebody who came under the pointer less than half a second before opens nothing', async ({ viewer, actor, road }) => {
    const ada = await viewer('ada');
    const menu = ada.part('menu');
    const uids = await ada.uids();
    const [x, y] = await ada.point(ada.button(uids[uids.indexOf('dee') + 1]));
    await ada.away();
    await ada.ask(watchPresses, ada.part('list'));
    const menus = () => road.asked.filter((line) => line.includes('part=menu')).length;
    for (let turn = 0; ; turn++) {
      assert.ok(turn < 5, 'no press came in time');
      const [uid, before] = [`g${turn}`, menus()];
      // Each right below Dee.
      await actor(uid, `Dee G${9 - turn}`).join();
      await ada.there(ada.row(uid));
      await ada.driver.actions().move({ x, y, duration: 0, origin: Origin.VIEWPORT }).press().release().perform();
      await ada.frames();
      const [began, after] = await ada.ask(() => window.pressed);
      assert.equal(began, uid);
      if (after < UNSEEN) {
        await ada.menu(uid);
        assert.equal(menus(), before + 1, 'only the second press has asked for a menu');
        assert.match(await ada.text(menu), /Dee G/);
      } else if (menus() > before) await ada.shown(`${menu} [data-action]`);
      await ada.press('Escape');
      await ada.hidden(menu);
      await ada.ask(() => document.activeElement.blur());
      await ada.away();
      if (after < UNSEEN) break;
    }
    await sameAsFresh(ada);
  });

  scene('rights that are lost are gone at once, also under the pointer', async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    await ben.point(ben.row('dee'));
    const top = await ben.topOf('dee');
    await actor('ada').scope('ben', 'participant');
    await ben.gone(ben.button('dee'));
    assert.equal(await ben.topOf('dee'), top);
    await ben.away();
    await sameAsFresh(ben);
  });

  scene('while text is marked with the button held outside the list, no row moves', async ({ viewer, actor }) => {
    const ada = await viewer('ada');
    const [, y] = await ada.point(`${ada.row('cy')} bdi`);
    await ada.driver.actions().press().move({ x: 2, y, origin: Origin.VIEWPORT }).perform();
    const top = await ada.topOf('cy');
    await actor('ada').scope('dee', 'admin');
    await ada.there(`${ada.row('dee')}[data-scope="admin"]`);
    await ada.shown(pill);
    assert.equal(await ada.topOf('cy'), top);
    await ada.driver.actions().release().perform();
    await ada.ask(() => getSelection().removeAllRanges());
    await ada.point(ada.part('title'));
    await ada.hidden(pill);
    await sameAsFresh(ada);
  });

  scene('a name that is marked stays marked when it is changed, and its row stays where it is', async ({ viewer, actor, server }) => {
    const ada = await viewer('ada');
    await ada.away();
    const name = `${ada.row('cy')} bdi`;
    // Set where a pointer would: Chromium's own suite drags one over it.
    await ada.ask((name) => {
      const text = document.querySelector(name).firstChild;
      getSelection().setBaseAndExtent(text, 0, text, text.length);
    }, name);
    const marked = () => ada.ask(() => String(getSelection()));
    assert.equal(await marked(), 'Cy Marlowe');
    const top = await ada.topOf('cy');
    await server.host('PUT', '/users/cy', { name: 'Cy Marlow' });
    await ada.until((name) => document.querySelector(name).textContent === 'Cy Marlow', name);
    assert.equal(await marked(), 'Cy Marlow');
    await actor('ada').scope('dee', 'admin');
    await ada.there(`${ada.row('dee')}[data-scope="admin"]`);
    await ada.shown(pill);
    assert.equal(await marked(), 'Cy Marlow');
    assert.equal(await ada.topOf('cy'), top);
    await ada.ask(() => getSelection().removeAllRanges());
    // A pointer that moves on, and holds nothing.
    await ada.point(ada.part('title'));
    await ada.hidden(pill);
    await sameAsFresh(ada);
  });

  scene('changes wait behind the pill under the pointer; a press on it places them, and the focus stays in the list', async ({ viewer, actor }) => {
    const ada = await viewer('ada');
    const before = await ada.uids();
    await ada.point(ada.row('cy'));
    await actor('ada').scope('dee', 'admin');
    await ada.there(`${ada.row('dee')}[data-scope="admin"]`);
    await ada.shown(pill);
    assert.deepEqual(await ada.uids(), before);
    await ada.click(pill);
    await ada.hidden(pill);
    await ada.until((x) => document.getElementById(`${x}-list`).contains(document.activeElement), ada.x);
    assert.deepEqual((await ada.uids()).slice(0, 4), ['ada', 'ben', 'dee', 'cy']);
    await ada.away();
    await sameAsFresh(ada);
  });

  scene('after half a minute changes are placed around the row under the pointer, which stays', async ({ viewer, actor }) => {
    const eve = await viewer('eve');
    // Half a minute takes a second here.
    await eve.ask(() => {
      const wait = window.setTimeout;
      window.setTimeout = (work, time, ...rest) => wait.call(window, work, time === 30_000 ? 1_000 : time, ...rest);
    });
    await eve.ask((x) => document.getElementById(`${x}-list`).parentElement.scrollTo(0, 400), eve.x);
    const held = (await eve.uids())[14];
    await eve.point(eve.row(held));
    const top = await eve.topOf(held);
    await actor('ada').scope('p00', 'admin');
    await eve.shown(pill);
    await eve.hidden(pill);
    const moved = (await eve.topOf(held)) - top;
    assert.ok(Math.abs(moved) < 1, `moved by ${moved} px`);
    assert.equal((await eve.uids())[2], 'p00');
    await eve.away();
    await sameAsFresh(eve);
  });

  scene('an open menu offers what its viewer may do now, and closes with the last of it', async ({ viewer, actor }) => {
    const ada = await viewer('ada');
    const act = (name) => `${ada.part('menu')} [data-action="${name}"]`;
    await ada.menu('dee');
    await ada.shown(act('transfer'));
    await actor('ada').transfer('ben');
    await ada.gone(act('transfer'));
    await ada.shown(act('kick'));
    await actor('ben').scope('ada', 'participant');
    await ada.hidden(ada.part('menu'));
    await ada.gone(ada.button('dee'));
    await ada.focus(ada.part('q'));
    await ada.away();
    await sameAsFresh(ada);
  });
}
