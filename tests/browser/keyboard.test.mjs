// The whole job by the keyboard alone, and focus that is never lost.

import assert from 'node:assert/strict';

import { fewPeople, people } from './cast.mjs';
import { scene, stage } from './support.mjs';

stage();

/** The focused control as `a-dee`, `s-dee`, `m-dee`. */
const at = async (viewer) => (await viewer.focused()).slice(viewer.x.length + 1);
const press = async (viewer, ...keys) => {
  for (const key of keys) await viewer.page.keyboard.press(key);
};
/** Puts the focus on the last thing before the list. */
const before = (viewer) => viewer.page.locator(`#${viewer.x} .chat-group-members__filters a`).last().focus();
/** So long that what is typed begins anew. */
const pause = async (viewer) => viewer.until((since) => performance.now() - since > 500, await viewer.page.evaluate(() => performance.now()));
/** Something to stand on behind the component. */
const after = (viewer) => viewer.page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<button id="after">after</button>'));
const inList = (viewer) => viewer.page.evaluate((x) => document.getElementById(`${x}-list`).contains(document.activeElement), viewer.x);

for (const mode of ['none', 'single', 'multiple']) {
  scene(`one Tab enters the list and one leaves it, back and forth, in the mode ${mode}`, async ({ viewer }) => {
    const eve = await viewer('eve', { query: `?selectionMode=${mode}` });
    await after(eve);
    await before(eve);
    await press(eve, 'Tab');
    assert.equal(await at(eve), 'm-ada', 'the row itself');
    await press(eve, 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown');
    assert.equal(await at(eve), 'm-cy');
    if (mode !== 'none') await press(eve, 'Space', 'ArrowUp');
    const left = await at(eve);
    await press(eve, 'Tab');
    assert.equal(await inList(eve), false);
    await press(eve, 'Shift+Tab');
    assert.equal(await at(eve), left, 'back where it was');
    await press(eve, 'Shift+Tab');
    assert.equal(await inList(eve), false, 'and out at the other end');
  });
}

scene('arrows, Home, End and pages lead through the rows, not the headings', async ({ viewer, actor }) => {
  const ben = await viewer('ben', { query: '?limit=100' });
  const uids = await ben.uids();
  await before(ben);
  await press(ben, 'Tab');
  assert.equal(await at(ben), `m-${uids[0]}`);
  await press(ben, 'ArrowDown', 'ArrowDown');
  assert.equal(await at(ben), `m-${uids[2]}`);
  await press(ben, 'PageDown');
  assert.equal(await at(ben), `m-${uids[12]}`);
  await press(ben, 'PageUp', 'ArrowUp');
  assert.equal(await at(ben), `m-${uids[1]}`);
  await press(ben, 'ArrowRight', 'ArrowDown');
  assert.equal(await at(ben), `m-${uids[2]}`, 'from a button down to the next row');
  await press(ben, 'Home', 'ArrowUp');
  assert.equal(await at(ben), `m-${uids[0]}`, 'the first stays the first');
  await press(ben, 'End');
  await ben.focusOn(`m-${(await actor('ben').members('?before=end&limit=1')).data[0].uid}`);
});

scene(
  'End that cannot be reached says so, and offers to try again',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const ben = await viewer('ben', { base: road.base });
    road.broken = /before=end/;
    await before(ben);
    await press(ben, 'Tab', 'End');
    const alert = ben.part('error').getByRole('alert');
    await alert.waitFor();
    road.broken = null;
    await alert.getByRole('button').press('Enter');
    await ben.focusOn(`m-${(await actor('ben').members('?before=end&limit=1')).data[0].uid}`);
    assert.equal(await alert.count(), 0);
  },
  { complaints: /Failed to load resource|htmx/ },
);

scene(
  'Down at the end brings the next page and goes on in it; a page that fails leaves the focus where it is',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const ben = await viewer('ben', { base: road.base, query: '?limit=100' });
    const uids = await ben.uids();
    assert.equal(uids.length, 100);
    road.broken = /part=rows/;
    await before(ben);
    await press(ben, 'Tab', ...Array(10).fill('PageDown'));
    await ben.part('error').getByRole('alert').waitFor();
    road.broken = null;
    await press(ben, 'ArrowDown');
    await ben.until(([x, count]) => document.querySelectorAll(`#${x}-list > [data-uid]`).length > count, [ben.x, uids.length]);
    const more = await ben.uids();
    await ben.focusOn(`m-${more[100]}`);
    assert.equal(await ben.part('error').getByRole('alert').count(), 0);
  },
  { complaints: /502|htmx/ },
);

scene('typing leads to the next name that begins so, whatever its accents', async ({ viewer }) => {
  const eve = await viewer('eve', { query: '?limit=100&groupBy=none&selectionMode=multiple' });
  const begins = (letter) => people().filter(({ name }) => name.startsWith(letter));
  await before(eve);
  await press(eve, 'Tab');
  await eve.page.keyboard.type('zoe');
  assert.equal(await at(eve), 'm-zoe');
  await pause(eve);
  await press(eve, 'e');
  assert.equal(await at(eve), 'm-elo', 'Élodie, though she is written otherwise');
  await pause(eve);
  await eve.page.keyboard.type('jonas b');
  assert.equal(await at(eve), `m-${begins('Jonas B')[0].uid}`);
  assert.equal(await eve.part('count').innerText(), '0 selected', 'a space within a name selects nobody');
  await pause(eve);
  await press(eve, 'Space');
  assert.equal(await eve.part('count').innerText(), '1 selected');
  await pause(eve);
  await eve.page.keyboard.type('xyz');
  assert.equal(await at(eve), `m-${begins('Jonas B')[0].uid}`, 'nobody: it stays');
});

for (const [dir, [onward, back]] of Object.entries({ ltr: ['ArrowRight', 'ArrowLeft'], rtl: ['ArrowLeft', 'ArrowRight'] })) {
  scene(`from the row to its box, to its button and back, ${dir}`, async ({ viewer }) => {
    const ben = await viewer('ben', { query: `?selectionMode=multiple&lang=${dir === 'rtl' ? 'he' : 'en'}` });
    await before(ben);
    await press(ben, 'Tab', ...'dee');
    for (const [key, there] of [
      [back, 'm'],
      [onward, 's'],
      [onward, 'a'],
      [onward, 'a'],
      [back, 's'],
      [back, 'm'],
    ]) {
      await press(ben, key);
      assert.equal(await at(ben), `${there}-dee`);
    }
  });
}

scene('in the menu Home, End and letters lead to an act; Escape returns to the button', async ({ viewer }) => {
  const ada = await viewer('ada');
  await ada.button('dee').focus();
  await press(ada, 'Enter');
  const act = () => ada.page.evaluate(() => document.activeElement.dataset.action);
  await ada.until(() => document.activeElement?.dataset.action);
  const acts = await ada
    .part('menu')
    .locator('[data-action]')
    .evaluateAll((all) => all.map(({ dataset }) => dataset.action));
  await press(ada, 'End');
  assert.equal(await act(), acts.at(-1));
  await press(ada, 'Home');
  assert.equal(await act(), acts[0]);
  await press(ada, 'ArrowUp');
  assert.equal(await act(), acts.at(-1), 'around');
  await press(ada, 'k');
  assert.equal(await act(), 'kick');
  await press(ada, 'Shift');
  assert.equal(await act(), 'kick', 'other keys do nothing');
  await press(ada, 'Escape');
  await ada.focusOn('a-dee');
});

scene('what Eve may not do is read by the keyboard too, with the rule in words', async ({ viewer }) => {
  const eve = await viewer('eve', { query: '?explain=true' });
  await eve.button('ben').focus();
  await press(eve, 'Enter');
  await eve.until(() => document.activeElement?.dataset.action);
  const read = () =>
    eve.page.evaluate(() => [document.activeElement.dataset.action, document.activeElement.getAttribute('aria-disabled'), document.activeElement.textContent]);
  const [act, disabled, words] = await read();
  const acts = await eve
    .part('menu')
    .locator('[data-action]')
    .evaluateAll((all) => all.map(({ dataset }) => dataset.action));
  assert.deepEqual([act, disabled], [acts[0], 'true']);
  assert.match(words, /Participants cannot do this/);
  await press(eve, 'ArrowDown', 'Enter');
  assert.equal((await read())[0], acts[1], 'and nothing happens on Enter');
  await press(eve, 'Escape');
  await eve.focusOn('a-ben');
});

scene('Ben kicks Dee by keys, in selection mode; focus goes on to the next row', async ({ viewer }) => {
  const ben = await viewer('ben', { query: '?selectionMode=multiple' });
  await before(ben);
  const uids = await ben.uids();
  await press(ben, 'Tab', ...'dee', 'Alt+Enter');
  await ben.until(() => document.activeElement?.dataset.action);
  await press(ben, 'k', 'Enter');
  await ben.page.locator(`#${ben.x}-dialog[open] form`).waitFor();
  await ben.part('dialog').locator('button[data-action]').focus();
  await press(ben, 'Enter');
  await ben.gone('dee');
  await ben.closed();
  await ben.focusOn(`m-${uids[uids.indexOf('dee') + 1]}`);
  await press(ben, 'ArrowDown');
  assert.match(await at(ben), /^m-/);
});

scene('after typed letters an arrow ends the name: Space selects at once, and a letter begins another', async ({ viewer }) => {
  const ben = await viewer('ben', { query: '?selectionMode=multiple&groupBy=none' });
  await before(ben);
  const uids = await ben.uids();
  await press(ben, 'Tab', 'c', 'y', 'ArrowDown', ' ');
  assert.equal(await at(ben), `m-${uids[uids.indexOf('cy') + 1]}`);
  assert.equal(await ben.part(`s-${uids[uids.indexOf('cy') + 1]}`).isChecked(), true);
  await press(ben, 'd', 'ArrowUp', 'c');
  assert.equal(await at(ben), 'm-cy');
});

scene('whoever has the focus and is put out by somebody else hands it to the next row', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { query: '?groupBy=none' });
  const uids = await eve.uids();
  await before(eve);
  await press(eve, 'Tab', 'ArrowDown', 'ArrowDown', 'ArrowDown');
  const gone = uids[3];
  assert.equal(await at(eve), `m-${gone}`);
  await eve.away();
  await actor('ada').kick(gone);
  // Until the pill is shown the focus stays on the row, and Enter follows its link.
  await eve.press(eve.part('held'), 'Enter');
  await eve.gone(gone);
  assert.equal(await at(eve), `m-${uids[4]}`, 'the pill is gone, the focus is not');
  await before(eve);
  await press(eve, 'Tab');
  assert.equal(await at(eve), `m-${uids[4]}`, 'the stop of the list goes on as well');
  await actor('ada').kick(uids[4]);
  await eve.page.locator('[data-uid].chat-group-members__row--leaving').waitFor();
  await eve.page.evaluate(() => document.querySelector('.chat-group-members__held button').click());
  await eve.focusOn(`m-${uids[5]}`);
});

scene('whoever had a menu opened before, and is put out, takes no focus along from the row where it is now', async ({ viewer, actor }) => {
  const ben = await viewer('ben', { live: false });
  await ben.page.clock.install();
  await ben.page.reload();
  await ben.live('on');
  await ben.button('dee').focus();
  await press(ben, 'Enter');
  await ben.page.locator('.chat-group-members__menu:popover-open').waitFor();
  await press(ben, 'Escape');
  await ben.page.locator(`#${ben.x} [aria-expanded]`).waitFor({ state: 'detached' });
  await press(ben, 'ArrowUp', 'ArrowUp');
  const here = await at(ben);
  assert.notEqual(here, 'm-dee');
  await actor('ada').kick('dee');
  await ben.part('held').waitFor();
  await ben.page.clock.runFor(31_000);
  await ben.gone('dee');
  await ben.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await at(ben), here);
});

scene('Ben is no admin any more while he stands on a button: focus stays on the row', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.button('dee').focus();
  await ben.away();
  await actor('ada').scope('ben', 'participant');
  await ben.page.locator(`#${ben.x}[data-scope="participant"]`).waitFor();
  await ben.until(() => !document.querySelector('[data-acts]'));
  assert.equal(await inList(ben), true);
  await press(ben, 'ArrowDown');
  assert.equal(await inList(ben), true);
});

scene(
  'the last row that goes hands the focus to the component',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben', { query: '?scopes=participant&searchKeyword=ferreira' });
    await ben.button('dee').focus();
    await ben.away();
    await actor('ada').kick('dee');
    await ben.page.locator('[data-uid].chat-group-members__row--leaving').waitFor();
    await ben.page.evaluate(() => document.querySelector('.chat-group-members__held button').click());
    await ben.gone('dee');
    await ben.until((id) => document.activeElement.id === id, ben.x);
  },
  { members: fewPeople() },
);

scene('rows that come join in, and do not become stops', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.away();
  await actor('newcomer', 'Aaron Aaronson').join();
  await ben.there('newcomer');
  assert.equal(await ben.button('newcomer').getAttribute('tabindex'), '-1');
  await actor('ada').scope('newcomer', 'moderator');
  await ben.page.locator(`#${ben.x}-m-newcomer[data-scope="moderator"]`).waitFor();
  assert.equal(await ben.page.locator(`#${ben.x}-list [tabindex="0"]`).count(), 1);
  await ben.search('okafor');
  assert.equal(await ben.page.locator(`#${ben.x}-list [tabindex="0"]`).count(), 1, 'a new list has a stop');
});

scene('Escape clears the search box and stays in it', async ({ viewer }) => {
  const eve = await viewer('eve');
  await eve.search('ferreira');
  await press(eve, 'Escape');
  assert.equal(await eve.part('q').inputValue(), '');
  await eve.there('ada');
  assert.equal(await at(eve), 'q');
});

scene('without JavaScript every control is a natural stop', async ({ viewer }) => {
  const ben = await viewer('ben', { javaScriptEnabled: false, query: '?selectionMode=multiple' });
  assert.equal(await ben.page.locator(`#${ben.x}-list [tabindex]`).count(), 0);
  await ben.part('s-cy').focus();
  await press(ben, 'Tab');
  assert.match(await ben.page.locator(':focus').getAttribute('href'), /\/members\/cy\b/, 'the way to the acts');
});
