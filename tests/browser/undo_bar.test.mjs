// The bar that undoes: its seconds, where the focus goes, what is heard of it, and that nothing moves when it goes.

import assert from 'node:assert/strict';

import { bar, undo } from './bars.mjs';
import { scene, stage } from './support.mjs';

stage();

scene('by the keyboard the bar is reached, and the focus goes to whoever came back', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await undo(ben).focus();
  await ben.page.keyboard.press('Enter');
  await ben.there('dee');
  await bar(ben).waitFor({ state: 'detached' });
  await ben.focusOn('m-dee');
});

/** Ben has kicked Dee so long ago that the bar of it has this time left, milliseconds. */
async function kickedAWhileAgo(ben, left) {
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await bar(ben).waitFor();
  await ben.page.evaluate((left) => {
    const key = Object.keys(sessionStorage).find((key) => key.includes(':undo:'));
    sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(sessionStorage.getItem(key)), ends: Date.now() + left }));
  }, left);
  await ben.page.reload();
  await ben.live('on');
  await bar(ben).waitFor();
}

scene('a bar that outlasts its page looks as before, though no menu has been opened on the new one', async ({ viewer }) => {
  const ben = await viewer('ben');
  const looks = () =>
    bar(ben).evaluate((bar) => {
      const { display, position, paddingTop, backgroundColor } = getComputedStyle(bar);
      return { display, position, paddingTop, backgroundColor };
    });
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await bar(ben).waitFor();
  const before = await looks();
  assert.equal(before.display, 'flex');
  await ben.page.reload();
  await bar(ben).waitFor();
  await ben.until((x) => getComputedStyle(document.querySelector(`#${x} > .chat-group-members__undo`)).display === 'flex', ben.x);
  assert.deepEqual(await looks(), before);
});

scene('a bar that was off the page with its list for a while counts on, and goes in time', async ({ viewer }) => {
  const ben = await viewer('ben');
  await kickedAWhileAgo(ben, 6_000);
  await ben.root.evaluate(async (root) => {
    const [place, next] = [root.parentNode, root.nextSibling];
    root.remove();
    await new Promise((done) => setTimeout(done, 1_500));
    place.insertBefore(root, next);
  });
  const seconds = () => bar(ben).locator('small').textContent();
  const back = await seconds();
  await ben.until(([x, back]) => document.querySelector(`#${x} > .chat-group-members__undo small`)?.textContent !== back, [ben.x, back]);
  await bar(ben).waitFor({ state: 'detached' });
});

scene('when the time of a bar is over, no row moves under the pointer', async ({ viewer }) => {
  const ben = await viewer('ben');
  await kickedAWhileAgo(ben, 4_000);
  await ben.scrollTo(600);
  const row = ben.row((await ben.uids())[15]);
  await row.hover();
  const { y } = await row.boundingBox();
  await bar(ben).waitFor({ state: 'detached' });
  assert.ok(Math.abs((await row.boundingBox()).y - y) < 1);
});

scene('when the time of a bar is over near the top, what one reads stays, and the space above goes with the next move of the mouse', async ({ viewer }) => {
  const ben = await viewer('ben');
  await kickedAWhileAgo(ben, 3_000);
  await ben.page.mouse.move(1, 1);
  await ben.scrollTo(30);
  const row = ben.row((await ben.uids())[3]);
  const { y } = await row.boundingBox();
  await bar(ben).waitFor({ state: 'detached' });
  // The event of the script's own scroll has been, too.
  await ben.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.ok(Math.abs((await row.boundingBox()).y - y) < 1, `${(await row.boundingBox()).y - y} px`);
  await ben.part('title').hover();
  await ben.until((id) => !parseFloat(document.getElementById(id).style.marginBlockStart), `${ben.x}-list`);
});

for (const header of ['', '&hideHeader=true']) {
  scene(`after the last of a list is gone the focus stays in the component${header && ' without a header'}, and comes back with them`, async ({ viewer }) => {
    const ben = await viewer('ben', { query: `?searchKeyword=ferreira${header}` });
    assert.deepEqual(await ben.uids(), ['dee']);
    await ben.row('dee').focus();
    await ben.page.keyboard.press('Alt+Enter');
    await ben.press(ben.part('menu').locator('[data-action="kick"]'), 'Enter');
    await ben.press(ben.part('dialog').locator('button[data-action]'), 'Enter');
    await ben.closed();
    await ben.gone('dee');
    await ben.until((id) => document.activeElement.id === id, ben.x);
    await ben.press(undo(ben), 'Enter');
    await ben.focusOn('m-dee');
  });
}

scene('without anybody to go to, the focus of a bar whose time is over stays in the component', async ({ viewer }) => {
  const ben = await viewer('ben', { query: '?searchKeyword=ferreira' });
  await ben.page.clock.install();
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await undo(ben).focus();
  await ben.page.clock.runFor(31_000);
  await bar(ben).waitFor({ state: 'detached' });
  await ben.until((id) => document.activeElement.id === id, ben.x);
});

scene('the status line offers to undo only as long as the bar does', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.page.clock.install();
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await ben.part('say').getByText('Dee Ferreira was removed from the group. Undo').waitFor({ state: 'attached' });
  await ben.page.clock.runFor(31_000);
  await bar(ben).waitFor({ state: 'detached' });
  assert.equal(await ben.part('say').textContent(), '');
  await ben.dialog('cy', 'scope');
  await ben.part('dialog').locator('[value=participant]').check({ force: true });
  await ben.confirm();
  await ben.part('say').getByText(/Undo$/).waitFor({ state: 'attached' });
  await actor('ada').scope('cy', 'admin');
  await bar(ben).waitFor({ state: 'detached' });
  assert.doesNotMatch(await ben.part('say').textContent(), /Undo/);
});

scene('the bar has a name, and says in which time; what it says is counted down only to the eye', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  const form = ben.root.getByRole('form', { name: 'Undo', exact: true });
  await form.getByText('Dee Ferreira was removed from the group.').waitFor();
  assert.match(await form.ariaSnapshot(), /^- form "Undo":(?!.*\d)/s);
});

scene('whoever is at the bar before the browser has told that the dialog is closed stays there', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.page.evaluate((id) => {
    const dialog = document.getElementById(`${id}-dialog`);
    const { close } = dialog;
    dialog.close = () => {
      close.call(dialog);
      document.querySelector('[data-action="undo"]').focus();
    };
  }, ben.x);
  await ben.confirm();
  await ben.until((id) => !document.getElementById(`${id}-dialog`).firstChild, ben.x);
  assert.equal(await undo(ben).evaluate((button) => button === document.activeElement), true);
});

scene('the bar is there again, with the seconds that are left, after the page is loaded anew; without time left it is not', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await bar(ben).waitFor();
  await ben.page.reload();
  await bar(ben)
    .getByText(/Dee Ferreira was removed/)
    .waitFor();
  assert.ok(Number.parseInt(await bar(ben).locator('small').innerText(), 10) <= 30);
  await undo(ben).click();
  await ben.there('dee');
  await bar(ben).waitFor({ state: 'detached' });
  await ben.page.reload();
  await ben.live('on');
  await ben.menu('dee');
  assert.equal(await bar(ben).count(), 0, 'what was undone is not offered again');
  await ben.page.keyboard.press('Escape');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await bar(ben).waitFor();
  await ben.page.clock.install({ time: Date.now() + 60_000 });
  await ben.page.reload();
  await ben.live('on');
  await ben.menu('eve');
  assert.equal(await bar(ben).count(), 0);
});
