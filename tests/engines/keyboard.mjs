// The whole job by the keyboard alone, in both directions of writing.

import assert from 'node:assert/strict';

import { fewPeople } from '../browser/cast.mjs';
import { sameAsFresh } from './law.mjs';

/** Into the list by Tab, from the search box. What scrolls the list is no stop on the way, as Firefox by itself makes it one. */
async function tabToList(viewer) {
  await viewer.focus(viewer.part('q'));
  for (let stops = 0; stops < 8; stops++) {
    await viewer.press('Tab');
    assert.equal(await viewer.ask(() => document.activeElement.matches('.chat-group-members__scroll')), false, 'the scroller is no stop');
    if (/^[ams]-/.test(await viewer.focused())) return;
  }
  assert.fail(`no way into the list: ${await viewer.focused()}`);
}

const action = (viewer) => viewer.ask(() => document.activeElement.dataset.action ?? null);

/** From a row to its button, which it may be already. */
async function toButton(viewer, uid, onward) {
  for (let steps = 0; steps < 3 && (await viewer.focused()) !== `a-${uid}`; steps++) await viewer.press(onward);
  await viewer.focusOn(`a-${uid}`);
}

/** Puts the focus on somebody's row. */
async function stand(viewer, uid) {
  await viewer.focus(`#${viewer.x}-list [tabindex="0"]`);
  await viewer.press('Home', ...Array((await viewer.uids()).indexOf(uid)).fill('ArrowDown'));
  await viewer.focusOn(`m-${uid}`);
}

/** Whose rows were pressed since the last time. */
const pressed = (viewer) => viewer.ask(() => window.heard.splice(0).flatMap(({ name, detail }) => (name === 'item-click' ? [detail.member.uid] : [])));

/** The menu that was asked for opens and takes the focus; at Escape it is back. */
async function menuComesAndGoes(viewer, back) {
  await viewer.until((entries) => document.activeElement.matches(entries), `${viewer.part('menu')} *`);
  await viewer.press('Escape');
  await viewer.hidden(viewer.part('menu'));
  await viewer.focusOn(back);
}

export function keyboard(scene) {
  scene('the list is one stop of the Tab key; arrows, Home, End, pages and letters lead through it', async ({ viewer }) => {
    const eve = await viewer('eve', { query: '?limit=100' });
    const uids = await eve.uids();
    await eve.ask(() => document.body.insertAdjacentHTML('beforeend', '<button id="after">after</button>'));
    await tabToList(eve);
    await eve.focusIn(uids[0]);
    await eve.press('ArrowDown', 'ArrowDown');
    await eve.focusIn(uids[2]);
    await eve.press('PageDown');
    await eve.focusIn(uids[12]);
    await eve.press('ArrowUp', 'Home');
    await eve.focusIn(uids[0]);
    await eve.press('elod');
    await eve.focusIn('elo');
    const here = await eve.focused();
    await eve.press('Tab');
    assert.equal(await eve.focused(), 'after', 'one Tab leads out');
    await eve.press('Shift+Tab');
    assert.equal(await eve.focused(), here, 'back where it was');
    await eve.press('End');
    await eve.until((x) => [...document.querySelectorAll(`#${x} [data-uid][data-order]`)].at(-1).matches(':focus-within'), eve.x);
  });

  for (const [lang, onward, back] of [
    ['en', 'ArrowRight', 'ArrowLeft'],
    ['he', 'ArrowLeft', 'ArrowRight'],
  ]) {
    scene(`Ben kicks Dee by keys; the focus goes on to the next row (${lang})`, async ({ viewer }) => {
      const ben = await viewer('ben', { query: `?lang=${lang}&selectionMode=multiple` });
      const uids = await ben.uids();
      await tabToList(ben);
      await ben.press('dee f');
      await ben.focusIn('dee');
      const start = await ben.focused();
      await toButton(ben, 'dee', onward);
      await ben.press(back, back);
      assert.equal(await ben.focused(), start);
      await toButton(ben, 'dee', onward);
      await ben.press('Enter');
      await ben.until(() => document.activeElement.dataset.action);
      await ben.press('End');
      assert.equal(await action(ben), 'ban');
      await ben.press('ArrowDown');
      assert.equal(await action(ben), 'scope', 'around');
      await ben.press('Escape');
      await ben.focusIn('dee');
      await toButton(ben, 'dee', onward);
      await ben.press('Enter');
      await ben.until(() => document.activeElement.dataset.action);
      await ben.press('ArrowDown', 'ArrowDown', 'ArrowDown');
      assert.equal(await action(ben), 'kick');
      await ben.press('Enter');
      await ben.shown(`${ben.part('dialog')} form`);
      for (let stops = 0; stops < 4 && (await action(ben)) !== 'kick'; stops++) await ben.press('Tab');
      assert.equal(await action(ben), 'kick', 'the dialog holds the focus');
      await ben.press('Enter');
      await ben.gone(ben.row('dee'));
      await ben.hidden(ben.part('dialog'));
      await ben.focusIn(uids[uids.indexOf('dee') + 1]);
      await ben.focus(ben.part('q'));
      await sameAsFresh(ben);
    });
  }

  scene('Escape empties the search box, and everybody comes back', async ({ viewer }) => {
    const eve = await viewer('eve');
    await eve.search('dupre');
    await eve.shows('elo');
    await eve.press('Escape');
    await eve.there(eve.row('ada'));
    assert.equal(await eve.focused(), 'q');
    assert.equal(await eve.ask((selector) => document.querySelector(selector).value, eve.part('q')), '');
    await sameAsFresh(eve);
  });

  for (const selectionMode of ['none', 'single', 'multiple']) {
    for (const options of ['', 'menu']) {
      scene(
        `Enter is a press on the row, Space selects, Alt+Enter opens the menu: selection ${selectionMode}, ${options ? 'options' : 'acts'}`,
        async ({ viewer }) => {
          const ben = await viewer('ben', { query: `?groupBy=none&selectionMode=${selectionMode}&options=${options}` });
          // The host hears of the list when one can select.
          await ben.until(() => window.heard.some(({ name }) => name === 'load'));
          // Our own page goes to the member's, unless somebody says no.
          await ben.ask(() => document.addEventListener('chat-group-members:item-click', (event) => event.preventDefault(), true));
          const selects = selectionMode !== 'none';
          const isSelected = async (uid) => selects && (await ben.ask((box) => document.querySelector(box).checked, ben.part(`s-${uid}`)));
          // Ben may do nothing to Ada: her row has a menu only by a template.
          for (const uid of options ? ['ada'] : ['ada', 'dee']) {
            const hasMenu = Boolean(options) || uid !== 'ada';
            await stand(ben, uid);
            await pressed(ben);
            await ben.press('Enter');
            assert.deepEqual(await pressed(ben), [uid], 'Enter is a press on the row, once');
            assert.equal(await isSelected(uid), selects, 'as by the mouse');
            await ben.press('Space');
            assert.equal(await isSelected(uid), false);
            await ben.press('Space');
            assert.equal(await isSelected(uid), selects);
            assert.equal(await ben.focused(), `m-${uid}`);
            assert.equal(await ben.ask((row) => document.querySelector(row).getAttribute('aria-keyshortcuts'), ben.row(uid)), hasMenu ? 'Alt+Enter' : null);
            await ben.press('Alt+Enter');
            if (hasMenu) await menuComesAndGoes(ben, `m-${uid}`);
            if (selects) {
              await ben.press('ArrowRight');
              await ben.focusOn(`s-${uid}`);
              await ben.press('Enter');
              assert.equal(await isSelected(uid), false, 'Enter on the box is the box');
            }
            if (hasMenu) {
              await ben.press('ArrowRight');
              await ben.focusOn(`a-${uid}`);
              await ben.press('Enter');
              await menuComesAndGoes(ben, `a-${uid}`);
            } else assert.equal(await ben.count(`${ben.part('menu')} *`), 0, 'no menu came');
            assert.deepEqual(await pressed(ben), [], 'none of this is a press on the row');
          }
          assert.match(await ben.ask(() => location.pathname), /\/members$/, 'nothing was sent');
        },
        { members: fewPeople() },
      );
    }
  }
}
