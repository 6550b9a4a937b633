// What a key does on a row, whatever stands in the row: a press on it, its box, its menu. And what the
// page around the list then does, or is spared.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import { fewPeople } from './cast.mjs';
import { middleOf } from './finger.mjs';
import { scene, stage } from './support.mjs';

const folder = mkdtempSync(join(tmpdir(), 'cgm-views-'));
writeFileSync(join(folder, 'menu.html'), "{{ option('message', 'Message ' ~ member.name) }}");

stage(() => ({ CGM_VIEWS: folder }));
after(() => rmSync(folder, { recursive: true, force: true }));

const press = async (viewer, ...keys) => {
  for (const key of keys) await viewer.page.keyboard.press(key);
};
/** Puts the focus on somebody's row, by Tab and arrows. */
async function stand(viewer, uid) {
  await viewer.page.locator(`#${viewer.x} .chat-group-members__filters a`).last().focus();
  await press(viewer, 'Tab', 'Home');
  for (const one of await viewer.uids()) {
    if (one === uid) break;
    await press(viewer, 'ArrowDown');
  }
  await viewer.focusOn(`m-${uid}`);
}
const openMenu = (viewer) => viewer.page.locator(`#${viewer.x}-menu:popover-open`);
/** Our own page goes to the member's, unless somebody says no. */
const stay = (viewer) => viewer.page.evaluate(() => document.addEventListener('chat-group-members:item-click', (event) => event.preventDefault(), true));
/** What was pressed since the last time. */
const pressed = async (viewer) => {
  const uids = (await viewer.heard('item-click')).map(({ member }) => member.uid);
  await viewer.page.evaluate(() => (window.heard = []));
  return uids;
};

for (const selectionMode of ['none', 'single', 'multiple']) {
  for (const options of ['', 'menu']) {
    scene(
      `Enter is a press on the row, Space selects, Alt+Enter opens the menu: selection ${selectionMode}, ${options ? 'options' : 'acts'}`,
      async ({ viewer }) => {
        const ben = await viewer('ben', { query: `?groupBy=none&selectionMode=${selectionMode}&options=${options}` });
        await stay(ben);
        const selects = selectionMode !== 'none';
        const isSelected = async (uid) => selects && (await ben.part(`s-${uid}`).isChecked());
        // Somebody above Ben, Ben himself, somebody below him.
        for (const uid of ['ada', 'ben', 'dee']) {
          const hasMenu = Boolean(options) || uid !== 'ada';
          await stand(ben, uid);
          await press(ben, 'Enter');
          assert.deepEqual(await pressed(ben), [uid], 'Enter is a press on the row, once');
          assert.equal(await openMenu(ben).count(), 0);
          assert.equal(await isSelected(uid), selects, 'as by the mouse');
          await press(ben, 'Space');
          assert.equal(await isSelected(uid), false);
          await press(ben, 'Space');
          assert.equal(await isSelected(uid), selects);
          assert.deepEqual(await pressed(ben), [], 'to select is no press');
          await ben.focusOn(`m-${uid}`);
          assert.equal(await ben.row(uid).getAttribute('aria-keyshortcuts'), hasMenu ? 'Alt+Enter' : null);
          for (const key of ['Alt+Enter', 'Shift+F10', 'ContextMenu']) {
            await press(ben, key);
            if (!hasMenu) {
              assert.equal(await openMenu(ben).count(), 0);
              continue;
            }
            await openMenu(ben).waitFor();
            await ben.until(() => document.activeElement.closest('[popover]'));
            await press(ben, 'Escape');
            await ben.part('menu').waitFor({ state: 'hidden' });
            await ben.focusOn(`m-${uid}`);
          }
          await press(ben, 'ArrowRight');
          if (selects) {
            await ben.focusOn(`s-${uid}`);
            await press(ben, 'Enter');
            assert.equal(await isSelected(uid), false, 'Enter on the box is the box');
            await press(ben, 'ArrowRight');
          }
          if (!hasMenu) continue;
          await ben.focusOn(`a-${uid}`);
          for (const key of ['Enter', 'Space']) {
            await press(ben, key);
            await openMenu(ben).waitFor();
            await press(ben, 'Escape');
            await ben.part('menu').waitFor({ state: 'hidden' });
            await ben.focusOn(`a-${uid}`);
          }
          assert.deepEqual(await pressed(ben), []);
        }
        assert.match(new URL(ben.page.url()).pathname, /\/members$/, 'nothing was sent');
      },
      { members: fewPeople() },
    );
  }
}

scene('Space on a row scrolls nothing, and Shift with it selects everybody in between', async ({ viewer }) => {
  const eve = await viewer('eve');
  const top = () => eve.page.$eval('.chat-group-members__scroll', (box) => box.scrollTop);
  await stand(eve, 'cy');
  await press(eve, 'Space');
  // A frame for the scroll that must not come.
  await eve.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await top(), 0);
  const dee = await viewer('dee', { query: '?selectionMode=multiple' });
  await stand(dee, 'ada');
  await press(dee, 'Space', 'ArrowDown', 'ArrowDown', 'Shift+Space');
  assert.equal(await dee.part('count').innerText(), '3 selected');
});

scene('a dialog that Alt+Enter led to gives the focus back to the row', async ({ viewer }) => {
  const ben = await viewer('ben');
  await stand(ben, 'cy');
  await press(ben, 'Alt+Enter');
  await ben.until(() => document.activeElement.dataset.action);
  await press(ben, 'b', 'Enter');
  await ben.page.locator(`#${ben.x}-dialog[open] form`).waitFor();
  await press(ben, 'Escape');
  await ben.closed();
  await ben.focusOn('m-cy');
});

for (const [how, go] of [
  ['a press', (ben) => ben.row('dee').locator('p').click()],
  ['Enter', (ben) => stand(ben, 'dee').then(() => press(ben, 'Enter'))],
]) {
  scene(`on our own page ${how} on Dee opens her page, for everybody, and back leads to the view`, async ({ viewer, guid }) => {
    for (const uid of ['ben', 'eve']) {
      const one = await viewer(uid, { query: '?groupBy=none&searchKeyword=e&lang=de' });
      const address = one.page.url();
      await go(one);
      await one.page.getByRole('heading', { name: 'Dee Ferreira', level: 1 }).waitFor();
      const { pathname, searchParams } = new URL(one.page.url());
      assert.equal(pathname, `/groups/${guid}/members/dee`);
      assert.equal(searchParams.get('searchKeyword'), 'e');
      assert.equal(await one.page.locator('html').getAttribute('lang'), 'de');
      await one.page.goBack();
      await one.there('dee');
      assert.equal(one.page.url(), address);
    }
  });
}

/** The pointer is drawn over a name, which marks it. */
async function markName(viewer, uid) {
  const { x, y, width, height } = await viewer.row(uid).locator('.chat-group-members__name bdi').boundingBox();
  const { mouse } = viewer.page;
  await mouse.move(x + 1, y + height / 2);
  await mouse.down();
  await mouse.move(x + width - 1, y + height / 2, { steps: 4 });
  await mouse.up();
  assert.ok(await viewer.page.evaluate(() => getSelection().toString()), 'something is marked');
}

scene('whoever draws over a name selects nobody, and a key is a press, whatever is marked', async ({ viewer }) => {
  const dee = await viewer('dee', { query: '?selectionMode=multiple' });
  await markName(dee, 'ben');
  assert.equal(await dee.part('count').innerText(), '0 selected');
  await dee.part('s-cy').focus();
  await dee.page.keyboard.press('Space');
  await dee.until((id) => document.getElementById(id).textContent === '1 selected', `${dee.x}-count`);
});

scene('it does not where people are selected, where text is marked, and where somebody says no', async ({ viewer }) => {
  const dee = await viewer('dee', { query: '?selectionMode=multiple' });
  const here = dee.page.url();
  await dee.row('ben').locator('.chat-group-members__name').click();
  assert.equal(await dee.part('count').innerText(), '1 selected');
  const eve = await viewer('eve');
  await markName(eve, 'ben');
  await stay(eve);
  await eve.row('cy').click();
  assert.deepEqual(await pressed(eve), ['cy'], 'a host hears nothing of it either');
  assert.equal(dee.page.url(), here);
  assert.match(eve.page.url(), /\/members$/);
});

scene('a press on the row or the box of somebody who came there a moment before is no click on them, and selects nobody', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { query: '?selectionMode=multiple' });
  // The host hears of the list when one can select.
  await eve.until(() => window.heard.some(({ name }) => name === 'load'));
  for (const [turn, [part, clicks]] of [
    ['.chat-group-members__name', 1],
    ['.chat-group-members__select', 0],
  ].entries()) {
    const uids = await eve.uids();
    const { x, y } = await middleOf(eve.row(uids[uids.indexOf('dee') + 1]).locator(part));
    // Each right below Dee, without a heading in between.
    const uid = `under${turn}`;
    await actor(uid, `Dee G${9 - turn}`).join();
    await eve.until(([id, x, y]) => document.elementFromPoint(x, y)?.closest('li')?.id === id, [`${eve.x}-m-${uid}`, x, y]);
    await eve.page.mouse.click(x, y);
    assert.deepEqual(await pressed(eve), []);
    assert.equal(await eve.part('count').innerText(), '0 selected');
    await eve.atRest();
    await eve.page.mouse.click(x, y);
    assert.deepEqual(await pressed(eve), Array(clicks).fill(uid), 'seen for a while, they are meant');
    assert.equal(await eve.part('count').innerText(), '1 selected');
    await eve.page.evaluate((id) => document.getElementById(id).chatGroupMembers.clearSelection(), eve.x);
    // Neither pointer nor focus holds the list for whoever comes next.
    await eve.away();
    await eve.page.evaluate(() => document.activeElement.blur());
  }
});

scene('Escape that closes our menu or dialog, or empties our box, is not heard by the host’s dialog around it', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const list = await actor('ben').ask('GET', '/members', undefined, { Accept: '*/*' });
  road.pages.set(
    '/host',
    `<!doctype html><html lang="en"><head><title>A chat</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/static/css-variables.css"><script src="/static/chat-group-members.js" defer></script></head>
<body><div id="modal" role="dialog" aria-label="Members" tabindex="-1" style="block-size: 600px">${await list.text()}</div></body></html>`,
  );
  const ben = await viewer('ben', { base: road.base, path: '/host' });
  await ben.page.evaluate(() => {
    window.escapes = 0;
    document.getElementById('modal').addEventListener('keydown', ({ key }) => (window.escapes += key === 'Escape'));
  });
  const escapes = () => ben.page.evaluate(() => window.escapes);
  await stand(ben, 'cy');
  await press(ben, 'Alt+Enter');
  await ben.until(() => document.activeElement.dataset.action);
  await press(ben, 'Escape');
  await ben.focusOn('m-cy');
  await ben.dialog('cy', 'ban');
  await press(ben, 'Escape');
  await ben.closed();
  // The focus goes back before it goes on to the box.
  await ben.until(() => document.activeElement.closest('[data-uid="cy"]'));
  await ben.search('ferreira');
  await press(ben, 'Escape');
  assert.equal(await ben.part('q').inputValue(), '');
  assert.equal(await escapes(), 0);
  await press(ben, 'Escape');
  assert.equal(await escapes(), 1, 'what is not ours is the host’s');
});

scene('while somebody composes, no key empties the box, leads anywhere, or types ahead', async ({ viewer }) => {
  const eve = await viewer('eve');
  const debug = await eve.context.newCDPSession(eve.page);
  // Browsers say it in two ways.
  const send = (key, how) =>
    eve.page.evaluate(
      ([key, how]) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, ...how, bubbles: true, cancelable: true })),
      [key, how],
    );
  const ways = [{ isComposing: true }, { keyCode: 229 }];
  await eve.part('q').focus();
  await debug.send('Input.imeSetComposition', { text: 'さくら', selectionStart: 3, selectionEnd: 3 });
  for (const how of ways) {
    await send('Escape', how);
    assert.equal(await eve.part('q').inputValue(), 'さくら');
  }
  await debug.send('Input.insertText', { text: 'さくら' });
  await eve.there('sak');
  await eve.search('');
  await stand(eve, 'ada');
  for (const key of ['ArrowDown', 'b', 'Enter']) {
    for (const how of ways) await send(key, how);
    assert.equal(await eve.focused(), `${eve.x}-m-ada`, key);
  }
  assert.deepEqual(await pressed(eve), []);
});

scene('a menu does not outlive the row that it came from, nor the right to what it offers', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await stand(ben, 'dee');
  await press(ben, 'Alt+Enter');
  await openMenu(ben).waitFor();
  // The list anew, as a search that was on its way brings it.
  await ben.part('f-moderators').evaluate((filter) => filter.click());
  await ben.gone('dee');
  await ben.part('menu').waitFor({ state: 'hidden' });
  await ben.focusOn('m-cy');
  await press(ben, 'Alt+Enter');
  await openMenu(ben).waitFor();
  await actor('ada').scope('ben', 'participant');
  await ben.part('menu').waitFor({ state: 'hidden' });
});
