// The demo, as whoever tries it out meets it: a raid that is banned and comes back, and a composer that obeys a mute.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { PROGRAM } from './server.mjs';
import { scene, stage } from './support.mjs';

stage();

/** The demo's address, while the scene lasts. */
async function demo(play) {
  const child = spawn(PROGRAM, ['demo', '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stderr })) {
      const [, base] = line.match(/listening on (http:\S+)/) ?? [];
      if (base) {
        child.stderr.resume();
        return await play(base.replace(/\/$/, ''));
      }
    }
    assert.fail('the demo ended');
  } finally {
    // It takes its folder along.
    child.kill('SIGTERM');
    await ended;
  }
}

/** The demo's page, as the person that it shows to this name of the machine. */
async function visit(viewer, uid, base) {
  const visitor = await viewer(uid, { base, path: '/', cookie: false, live: false, viewport: { width: 1200, height: 800 } });
  visitor.x = 'cgm-harbour';
  await visitor.live('on');
  assert.equal(await visitor.page.getAttribute('body', 'data-viewer'), uid);
  return visitor;
}

const counts = (viewer, count) => viewer.until(([x, count]) => document.getElementById(x).dataset.count === count, [viewer.x, String(count)]);

const raid = (viewer) => viewer.page.getByRole('button', { name: 'A raid' }).click();

/** Selects all three hundred, and opens the dialog of an act on them. */
async function onAll(viewer, act) {
  await counts(viewer, 300);
  await viewer.part('s-raid-001').click();
  await viewer.page.locator(`#${viewer.x}-count`, { hasText: '1' }).waitFor();
  await viewer.part('selection').locator('[data-select-all]').click();
  await viewer.page.locator(`#${viewer.x}-count`, { hasText: '300' }).waitFor();
  await viewer.part('selection').locator(`[value="${act}"]`).click();
  await viewer.page.locator(`#${viewer.x}-dialog[open] form`).waitFor();
}

scene('Ada presses "A raid", sees three hundred come, selects them, bans them, and takes it back; Dee sees them come, go and come back', ({ viewer }) =>
  demo(async (base) => {
    const [ada, dee] = [await visit(viewer, 'ada', base), await visit(viewer, 'dee', base.replace('127.0.0.1', 'localhost'))];
    const before = Number(await dee.root.getAttribute('data-count'));
    await raid(ada);
    await ada.page.locator('#messages').getByText('FREE BOATS').first().waitFor({ state: 'attached' });
    await onAll(ada, 'ban');
    await counts(dee, before + 300);
    assert.match(await ada.part('dialog').innerText(), /300/);
    await ada.confirm();
    await counts(ada, 0);
    await counts(dee, before);
    await ada.root.locator('.chat-group-members__undo button').click();
    await counts(ada, 300);
    await ada.there('raid-001');
    await counts(dee, before + 300);
  }),
);

scene('raiders whom Ada has muted come and are silent, but for the one whose mute she has lifted', ({ viewer }) =>
  demo(async (base) => {
    const ada = await visit(viewer, 'ada', base);
    const shouts = ada.page.locator('#messages li', { hasText: 'FREE BOATS FOR EVERYBODY' });
    await raid(ada);
    // One in ten shouts, raid-291 last.
    await shouts.nth(29).waitFor({ state: 'attached' });
    await onAll(ada, 'mute');
    await ada.part('dialog').locator('[name=until][value="3600"]').check({ force: true });
    await ada.confirm();
    await ada.root.locator('.chat-group-members__undo button').waitFor();
    await ada.page.goto(`${base}/`);
    await ada.live('on');
    await ada.search('boats 291');
    await ada.dialog('raid-291', 'unmute');
    await ada.confirm();
    await ada.until(() => document.querySelector('[data-acts][data-uid="raid-291"]:not(:has([data-muted]))'));
    await raid(ada);
    // Whoever shouted before would be the first of the second raid.
    await shouts.nth(30).waitFor({ state: 'attached' });
    assert.equal(await shouts.nth(30).getAttribute('data-uid'), 'raid-291');
    assert.equal(await shouts.count(), 31);
  }),
);

scene(
  'Dee, whom Ada mutes, cannot send and reads until when, also when she comes back; once it is lifted she can',
  ({ viewer }) =>
    demo(async (base) => {
      const [ada, dee] = [await visit(viewer, 'ada', base), await visit(viewer, 'dee', base.replace('127.0.0.1', 'localhost'))];
      const [text, send, problem] = [
        dee.page.getByRole('textbox', { name: 'Message' }),
        dee.page.getByRole('button', { name: 'Send' }),
        dee.page.locator('.chat__problem'),
      ];
      const isOff = () => dee.until(() => document.querySelector('#composer button').disabled);
      await ada.search('okafor');
      await ada.dialog('dee', 'mute');
      await ada.part('dialog').locator('[name=until][value="3600"]').check({ force: true });
      await ada.confirm();
      await isOff();
      assert.match(await problem.innerText(), /^You cannot write here until \S/);
      // The button is what one sees; the host is what refuses.
      await text.fill('Hello?');
      await Promise.all([dee.page.waitForResponse((answer) => answer.status() === 403), text.press('Enter')]);
      assert.match(await problem.innerText(), /^You cannot write here until \S/);
      await dee.page.reload();
      await dee.live('on');
      await isOff();
      assert.match(await problem.innerText(), /^You cannot write here until \S/);
      await ada.dialog('dee', 'unmute');
      await ada.confirm();
      await dee.until(() => !document.querySelector('#composer button').disabled);
      assert.equal(await problem.innerText(), '');
      await text.fill('There I am.');
      await send.click();
      await ada.page.locator('#messages').getByText('There I am.').waitFor();
      assert.equal(await ada.page.locator('#messages').getByText('Hello?').count(), 0);
    }),
  { complaints: /403 \(Forbidden\)/ },
);
