// What a hand is on stays: marked text, the row under the pointer, the menu that is open.

import assert from 'node:assert/strict';

import { Origin } from 'selenium-webdriver';

import { sameAsFresh } from './law.mjs';

const pill = '.chat-group-members__held button';

const topOf = (viewer, uid) => viewer.ask((selector) => document.querySelector(selector).getBoundingClientRect().top, viewer.row(uid));

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

  scene('rights that are lost are gone at once, also under the pointer', async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    await ben.point(ben.row('dee'));
    const top = await topOf(ben, 'dee');
    await actor('ada').scope('ben', 'participant');
    await ben.gone(ben.button('dee'));
    assert.equal(await topOf(ben, 'dee'), top);
    await ben.point(ben.part('title'));
    await sameAsFresh(ben);
  });

  scene('while text is marked with the button held outside the list, no row moves', async ({ viewer, actor }) => {
    const ada = await viewer('ada');
    const [, y] = await ada.point(`${ada.row('cy')} bdi`);
    await ada.driver.actions().press().move({ x: 2, y, origin: Origin.VIEWPORT }).perform();
    const top = await topOf(ada, 'cy');
    await actor('ada').scope('dee', 'admin');
    await ada.there(`${ada.row('dee')}[data-scope="admin"]`);
    await ada.shown(pill);
    assert.equal(await topOf(ada, 'cy'), top);
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
    const top = await topOf(ada, 'cy');
    await server.host('PUT', '/users/cy', { name: 'Cy Marlow' });
    await ada.until((name) => document.querySelector(name).textContent === 'Cy Marlow', name);
    assert.equal(await marked(), 'Cy Marlow');
    await actor('ada').scope('dee', 'admin');
    await ada.there(`${ada.row('dee')}[data-scope="admin"]`);
    await ada.shown(pill);
    assert.equal(await marked(), 'Cy Marlow');
    assert.equal(await topOf(ada, 'cy'), top);
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
