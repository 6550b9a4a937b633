// Four stories of a night, told from both sides: a raid, a wrong person banned, an hour of silence, a role until Friday.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const bar = (viewer) => viewer.root.locator('.chat-group-members__undo');
const notice = (viewer) => viewer.root.locator('.chat-group-members__notice');

/** Milliseconds that a clock goes on by at once. */
const STEP = 500;

/** People who have just come, so many. */
const raiders = (count) => Array.from({ length: count }, (_, n) => `raid${String(n).padStart(2, '0')}`);

scene(
  'a raid: Ben selects everybody who joined in the last ten minutes, bans them with one word, and takes it back for whoever it was not',
  async ({ viewer, actor }) => {
    const raid = raiders(40);
    for (const uid of raid) await actor(uid, `Raider ${uid}`).join();
    const [ben, eve, one] = [await viewer('ben', { query: '?selectionMode=multiple&joinedSince=600&limit=10' }), await viewer('eve'), await viewer('raid07')];
    assert.equal(await ben.root.getAttribute('data-count'), '40');
    await ben.part(`s-${(await ben.uids())[0]}`).click();
    await ben.part('selection').getByRole('button', { name: 'Select all that match' }).click();
    await ben.page.locator(`#${ben.x}-count`, { hasText: '40 selected' }).waitFor();
    await ben.part('selection').getByRole('button', { name: 'Ban' }).click();
    await ben.part('dialog').waitFor();
    assert.match(await ben.part('dialog').innerText(), /Affected: 40/);
    await ben.part('dialog').locator('[name=message]').fill('This was a raid.');
    await ben.confirm();
    await one.page.getByText('This was a raid.').waitFor();
    await eve.until(([x, count]) => document.getElementById(x).dataset.count === count, [eve.x, String(people().length)]);
    await bar(ben).getByRole('button', { name: 'Undo' }).click();
    await eve.until(([x, count]) => document.getElementById(x).dataset.count === count, [eve.x, String(people().length + 40)]);
    // Whoever was put out asks again by themselves.
    await one.live('on');
    await sameAsFresh(eve);
    await sameAsFresh(one);
  },
  { complaints: /404 \(Not Found\)/ },
);

scene(
  'a wrong person: Dee is banned and reads why; when it is undone her list comes back without her doing anything',
  async ({ viewer }) => {
    const [ben, dee] = [await viewer('ben'), await viewer('dee')];
    await ben.dialog('dee', 'ban');
    await ben.part('dialog').locator('[name=reason]').fill('Spam, for the team.');
    await ben.part('dialog').locator('[name=message]').fill('No links, please.');
    await ben.confirm();
    await dee.page.getByText('No links, please.').waitFor();
    assert.doesNotMatch(await dee.root.innerText(), /for the team/);
    await bar(ben).getByRole('button', { name: 'Undo' }).click();
    await dee.live('on');
    await dee.there('ada');
    await sameAsFresh(dee);
  },
  { complaints: /404 \(Not Found\)/ },
);

scene(
  'somebody who stays banned asks after five seconds, after fifteen and at the end of the time to undo, and never again; who left by themselves does not ask',
  async ({ viewer, actor }) => {
    const [ben, dee, eve] = [await viewer('ben'), await viewer('dee'), await viewer('eve')];
    const asked = new Map();
    for (const { page, uid } of [dee, eve]) {
      await page.clock.install();
      asked.set(uid, 0);
      page.on('request', (request) => request.url().includes('/members') && asked.set(uid, asked.get(uid) + 1));
    }
    let answered = 0;
    dee.page.on('requestfinished', (request) => request.url().includes('/members') && answered++);
    /** Time stands still but for this; what was asked for meanwhile has been counted when another answer is there. */
    const pass = async ({ page, uid }, milliseconds) => {
      await page.clock.runFor(milliseconds);
      await page.evaluate(() => fetch('/healthz'));
      return asked.get(uid);
    };
    const stop = async ({ page }) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500);
    await dee.page.evaluate(() =>
      new MutationObserver(() => {
        if (document.querySelector('[data-waits]')) window.ended ??= Date.now();
      }).observe(document, { childList: true, subtree: true }),
    );
    await ben.dialog('dee', 'kick');
    await ben.confirm();
    await dee.page.locator('.chat-group-members--ended').waitFor();
    await stop(dee);
    const begun = await dee.page.evaluate(() => Date.now() - window.ended);
    const waits = (await dee.root.getAttribute('data-waits')).split(' ').map(Number);
    assert.deepEqual(waits.slice(0, 2), [5_000, 10_000]);
    assert.ok(
      waits.length === 3 && Math.round((waits[0] + waits[1] + waits[2]) * 0.7) >= 30_000,
      'the last is after the last moment to undo, whatever the jitter',
    );
    for (const [turn, wait] of waits.entries()) {
      let waited = turn ? 0 : begun;
      while ((await pass(dee, STEP)) === turn) {
        waited += STEP;
        assert.ok(waited < wait * 1.3 + 10 * STEP, `not asked in ${waited} ms, of ${wait}`);
      }
      // The jitter makes each shorter or longer by up to three tenths.
      assert.ok(waited + STEP >= wait * 0.7, `asked after ${waited} ms, of ${wait}`);
      // The next wait begins with the answer.
      while (answered < turn + 1) await pass(dee, 0);
      await pass(dee, 0);
    }
    assert.equal(await pass(dee, 600_000), 3, 'never again');
    await actor('eve').leave();
    await eve.page.locator('.chat-group-members--ended').waitFor();
    await stop(eve);
    assert.equal(await pass(eve, 600_000), 0);
  },
  { complaints: /404 \(Not Found\)/ },
);

scene('an hour of silence: Dee reads what she is told and until when, Eve sees nothing, and lifting it is seen at once', async ({ viewer }) => {
  const [ben, dee, eve] = [await viewer('ben'), await viewer('dee'), await viewer('eve')];
  const before = await eve.row('dee').innerText();
  await ben.dialog('dee', 'mute');
  const dialog = ben.part('dialog');
  await dialog.locator('[name=until][value="3600"]').check({ force: true });
  await dialog.locator('[name=message]').fill('An hour of quiet, please.');
  await ben.confirm();
  await notice(dee).getByText('An hour of quiet, please.').waitFor();
  assert.match(await notice(dee).innerText(), /You cannot write in this group until/);
  await ben
    .row('dee')
    .getByText(/Muted until/)
    .waitFor();
  await dee
    .row('dee')
    .getByText(/Muted until/)
    .waitFor();
  await dee.page.reload();
  await dee.live('on');
  assert.match(await notice(dee).innerText(), /An hour of quiet, please\./);
  assert.equal(await eve.row('dee').innerText(), before);
  await sameAsFresh(ben);
  await sameAsFresh(eve);
  await ben.dialog('dee', 'unmute');
  await ben.confirm();
  await notice(dee).waitFor({ state: 'detached' });
  await ben
    .row('dee')
    .getByText(/Muted until/)
    .waitFor({ state: 'detached' });
  await sameAsFresh(dee);
});

scene('a role until Friday: the badge says until when, and one button ends it early', async ({ viewer }) => {
  const [ada, eve] = [await viewer('ada'), await viewer('eve')];
  await ada.dialog('eve', 'scope');
  await ada.part('dialog').locator('[name=scope][value=moderator]').check({ force: true });
  await ada.part('dialog').locator('[name=until]').selectOption('604800');
  await ada.part('dialog').locator('[name=message]').fill('Thank you for helping out.');
  await ada.confirm();
  await eve.page.locator(`#${eve.x}[data-scope=moderator]`).waitFor();
  await ada
    .row('eve')
    .getByText(/Until /)
    .waitFor();
  await eve
    .row('eve')
    .getByText(/Until /)
    .waitFor();
  await sameAsFresh(eve);
  await ada.dialog('eve', 'scope');
  await ada.part('dialog').getByRole('button', { name: 'End it now' }).click();
  await ada.closed();
  await eve.page.locator(`#${eve.x}[data-scope=participant]`).waitFor();
  await ada
    .row('eve')
    .getByText(/Until /)
    .waitFor({ state: 'detached' });
  await sameAsFresh(ada);
  await sameAsFresh(eve);
});

for (const how of ['by themselves', 'with others']) {
  scene(`Cy, demoted ${how}, reads why on the screen that he is looking at, and also when he loads it anew`, async ({ viewer }) => {
    const [ada, cy] = [await viewer('ada', { query: '?selectionMode=multiple' }), await viewer('cy', { query: '?status=online' })];
    const dialog = ada.part('dialog');
    if (how === 'by themselves') await ada.dialog('cy', 'scope');
    else {
      for (const uid of ['cy', 'ben']) await ada.part(`s-${uid}`).click();
      await ada.part('selection').getByRole('button', { name: 'Change role' }).click();
      await dialog.waitFor();
    }
    await dialog.locator('[name=scope][value=participant]').check({ force: true });
    await dialog.locator('[name=message]').fill('You were away for long.');
    await ada.confirm();
    await cy.page.locator(`#${cy.x}[data-scope=participant]`).waitFor();
    await notice(cy).getByText('The team says: You were away for long.').waitFor();
    await cy.live('on');
    await cy.page.reload();
    await cy.live('on');
    await notice(cy).getByText('You were away for long.').waitFor();
    // A list that comes and goes with statuses has no reason to ask again and again.
    await cy.page.evaluate(() => performance.clearResourceTimings());
    await bar(ada).getByRole('button', { name: 'Undo' }).click();
    await cy.page.locator(`#${cy.x}[data-scope=moderator]`).waitFor();
    await notice(cy).waitFor({ state: 'detached' });
    assert.ok((await cy.page.evaluate(() => performance.getEntriesByType('resource').length)) < 12);
  });
}

scene('a role that ends by itself: Eve has its buttons until then, and nobody does anything for her to lose them', async ({ viewer, actor }) => {
  const [ada, eve] = [await viewer('ada'), await viewer('eve')];
  await actor('ada').scope('eve', 'moderator', { until: 3 });
  await eve.page.locator(`#${eve.x}[data-scope=moderator]`).waitFor();
  await eve.page.locator(`#${eve.x}-m-dee[data-acts]`).waitFor();
  await ada
    .row('eve')
    .getByText(/Until /)
    .waitFor();
  await eve.page.locator(`#${eve.x}[data-scope=participant]`).waitFor();
  await ada
    .row('eve')
    .getByText(/Until /)
    .waitFor({ state: 'detached' });
  assert.equal(await eve.page.locator('[data-acts]').count(), 0);
  await sameAsFresh(ada);
  await sameAsFresh(eve);
});

scene('Ben writes five hours, and then chooses “Until lifted”: that is what counts', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'ban');
  const form = ben.part('dialog').locator('form');
  await form.getByText('Another end').click();
  await form.locator('[name=hours]').fill('5');
  assert.equal(await form.locator('[name=until]:checked').count(), 0, 'a number of hours is none of those that are offered');
  await form.locator('[name=until][value=""]').check({ force: true });
  assert.equal(await form.locator('[name=hours]').inputValue(), '');
  await ben.confirm();
  const { data } = await (await actor('ada').ask('GET', '/bans')).json();
  assert.deepEqual(
    data.map(({ uid, until }) => [uid, until]),
    [['dee', null]],
  );
});

scene(
  'Ada has banned Dee while Ben had the dialog open: he reads it there, and bans on his own terms only by a second press',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben', { viewport: { width: 320, height: 700 } });
    const reason = async () => (await (await actor('ada').ask('GET', '/bans')).json()).data.find(({ uid }) => uid === 'dee')?.reason;
    await ben.dialog('dee', 'ban');
    const dialog = ben.part('dialog');
    await dialog.locator('[name=reason]').fill('loud');
    await actor('ada').ban('dee', { reason: 'threats' });
    await dialog.locator('button[data-action=ban]').click();
    const alert = dialog.getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.innerText(), /has changed since it was shown[^]*Ada Lindqvist/);
    const inSight = await alert.evaluate((box) => {
      const { left, top } = box.getBoundingClientRect();
      return box.contains(document.elementFromPoint(left + 20, top + 10));
    });
    assert.ok(inSight, 'on a phone too');
    assert.equal(await reason(), 'threats');
    assert.equal(await dialog.locator('[name=reason]').inputValue(), 'loud', 'what he wrote is still there');
    await ben.confirm();
    assert.equal(await reason(), 'loud');
  },
  { complaints: /409 \(Conflict\)/ },
);

scene('Ben presses Escape while his kick is on its way: he sees that it was done, and can undo it', async ({ viewer }) => {
  const ben = await viewer('ben');
  await ben.dialog('dee', 'kick');
  let [arrive, release] = [];
  const [arrived, released] = [new Promise((done) => (arrive = done)), new Promise((done) => (release = done))];
  await ben.page.route('**/members/dee*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    arrive();
    await released;
    await route.continue();
  });
  await ben.part('dialog').locator('button[data-action]').click();
  await arrived;
  await ben.page.keyboard.press('Escape');
  await ben.closed();
  release();
  await ben.gone('dee');
  await ben.root.locator('.chat-group-members__undo').waitFor();
  assert.equal(await ben.part('dialog').locator('form').count(), 0, 'nothing of it is left');
  await ben.dialog('cy', 'kick');
  await ben.part('dialog').getByText('Kick Cy Marlowe?').waitFor();
});

scene('in letters of twice the size, the field with the focus is not below the buttons of a dialog', async ({ viewer }) => {
  const ben = await viewer('ben', { viewport: { width: 320, height: 640 } });
  await ben.page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  await ben.dialog('dee', 'mute');
  const form = ben.part('dialog').locator('form');
  await form.getByText('Another end').click();
  const buttons = await form.locator('.chat-group-members__buttons').boundingBox();
  for (const name of ['reason', 'message', 'hours', 'day']) {
    const field = form.locator(`[name=${name}]`);
    await field.focus();
    const { y, height } = await field.boundingBox();
    assert.ok(y + height <= buttons.y + 1, `${name} ends at ${y + height}, the buttons begin at ${buttons.y}`);
  }
});

scene(
  'on a phone, an act whose dialog does not come says so where Ben is looking',
  async ({ viewer }) => {
    const ben = await viewer('ben', { viewport: { width: 390, height: 760 }, hasTouch: true });
    await ben.menu('dee');
    await ben.page.route('**/*part=dialog*', (route) => route.abort());
    await ben.part('menu').locator('[data-action="kick"]').click();
    const alert = ben.part('error').getByRole('alert');
    await alert.waitFor();
    assert.ok(
      await alert.evaluate((alert) => {
        const { left, top, width, height } = alert.getBoundingClientRect();
        return alert.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      }),
    );
  },
  { complaints: /Failed to fetch|net::ERR_FAILED/ },
);

scene('without JavaScript Ben mutes Dee for two hours, and the list of the muted lifts it', async ({ viewer }) => {
  const ben = await viewer('ben', { javaScriptEnabled: false });
  await ben.page.goto(ben.page.url().replace('/members', '/members/dee'));
  const form = ben.page.locator('form', { has: ben.page.locator('[data-action=mute]') });
  await form.getByText('Another end').click();
  await form.locator('[name=hours]').fill('2');
  await form.locator('[data-action=mute]').click();
  assert.match(await ben.page.locator('[role=status]').first().innerText(), /Dee Ferreira was muted\./);
  await ben.page.goto(ben.page.url().replace(/\/members.*/, '/mutes'));
  assert.match(await ben.page.locator('[data-uid=dee]').innerText(), /Dee Ferreira/);
  await ben.page.locator('[data-uid=dee] [data-action=unmute]').click();
  assert.match(await ben.page.locator('main').innerText(), /Dee Ferreira can write again\.[^]*No one is muted/);
});

scene(
  'notes: Ben writes one where he is, by the keyboard; Ada reads it when she is about to ban, and Dee and Eve see nothing of it',
  async ({ viewer, actor }) => {
    const [ada, ben, dee, eve] = [await viewer('ada'), await viewer('ben'), await viewer('dee'), await viewer('eve')];
    const messages = () => Promise.all([dee, eve].map((viewer) => viewer.page.content()));
    // Who opens a page comes online, and each page hears of it in its own time.
    for (const viewer of [dee, eve])
      for (const uid of ['ada', 'ben', 'dee', 'eve']) await viewer.row(uid).and(viewer.page.locator('[data-status=online]')).waitFor({ state: 'attached' });
    const before = await messages();
    await ben.menu('dee');
    await ben.press(ben.part('menu').locator('[data-action=notes]'), 'Enter');
    const dialog = ben.part('dialog');
    await dialog.getByText('No notes yet').waitFor();
    assert.match(await dialog.ariaSnapshot(), /heading "Notes about Dee Ferreira"/);
    const text = dialog.getByRole('textbox', { name: 'Note' });
    await ben.until(() => document.activeElement.name === 'text');
    await ben.page.keyboard.type('Asked twice to stop.');
    await ben.page.keyboard.press('Enter');
    await ben.page.keyboard.type('Promised to.');
    await ben.press(dialog.getByRole('button', { name: 'Add note' }), 'Enter');
    const note = dialog.getByRole('listitem');
    await note.filter({ hasText: /Asked twice to stop\.\s+Promised to\./ }).waitFor();
    assert.match(await note.innerText(), /Ben Okafor, /);
    // The focus is on what is said of it, and the dialog stays.
    await ben.until(
      () =>
        document.activeElement.textContent === 'Your note about \u2068Dee Ferreira\u2069 was added.' ||
        document.activeElement.textContent === 'Your note about Dee Ferreira was added.',
    );
    assert.equal(await text.inputValue(), '');
    const [told] = await ben.heard('note-added');
    assert.deepEqual([told.member.uid, told.by.uid], ['dee', 'ben']);
    await ada.until(() => window.heard.some((event) => event.name === 'note-added'));
    await ada.dialog('dee', 'ban');
    await ada.part('dialog').getByText('Notes: 1').click();
    await ada.part('dialog').getByText('Asked twice to stop.').waitFor();
    await ada.page.keyboard.press('Escape');
    await ada.closed();
    await actor('cy').scope('eve', 'participant');
    assert.deepEqual(await messages(), before);
    for (const other of [dee, eve]) assert.deepEqual(await other.heard('note-added'), []);
    await ben.press(note.getByRole('button', { name: 'Remove' }), 'Enter');
    await dialog.getByText('No notes yet').waitFor();
    await ben.page.keyboard.press('Escape');
    await ben.closed();
    await sameAsFresh(ben);
  },
);

scene(
  'a note that is refused says so in the dialog, and what was written is still there',
  async ({ viewer, actor }) => {
    const ben = await viewer('ben');
    await ben.menu('dee');
    await ben.part('menu').locator('[data-action=notes]').click();
    const dialog = ben.part('dialog');
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Too late.');
    await actor('ada').scope('dee', 'admin');
    await dialog.getByRole('button', { name: 'Add note' }).click();
    await dialog.getByRole('alert').waitFor();
    assert.equal(await dialog.getByRole('textbox', { name: 'Note' }).inputValue(), 'Too late.');
  },
  { complaints: /403 \(Forbidden\)/ },
);

for (const javaScriptEnabled of [true, false]) {
  scene(
    `${javaScriptEnabled ? 'With' : 'Without'} JavaScript Cy writes a note on the page of somebody who was banned, and Ben removes it`,
    async ({ viewer, actor }) => {
      await actor('ben').ban('dee');
      const [cy, ben] = [await viewer('cy', { javaScriptEnabled }), await viewer('ben', { javaScriptEnabled })];
      for (const viewer of [cy, ben]) {
        await viewer.page.goto(viewer.page.url().replace(/\/members.*/, '/bans'));
        await viewer.page.locator('[data-uid=dee]').getByRole('link', { name: 'Notes' }).click();
        await viewer.page.getByRole('heading', { name: 'Notes about Dee Ferreira' }).waitFor();
      }
      await cy.page.getByLabel('Note', { exact: true }).fill('Came back under another name.');
      await cy.page.getByRole('button', { name: 'Add note' }).click();
      await cy.page.getByText('Your note about Dee Ferreira was added.').waitFor();
      await cy.page.getByRole('listitem').filter({ hasText: 'Came back under another name.' }).waitFor();
      await ben.page.reload();
      await ben.page.getByRole('button', { name: 'Remove' }).click();
      await ben.page.getByText('The note about Dee Ferreira was removed.').waitFor();
      await ben.page.getByText('No notes yet').waitFor();
    },
  );
}

scene('somebody who is muted and looks at who is online has a list that is live, and asks no more than others', async ({ viewer, actor }) => {
  await actor('ada').ask('PUT', '/mutes/dee', { until: 3600, message: 'Hush.' });
  const dee = await viewer('dee', { query: '?filter=online' });
  await notice(dee).waitFor();
  await dee.page.evaluate(() => performance.clearResourceTimings());
  await actor('ada').kick('eve');
  await dee.until(() => window.heard.some((event) => event.name === 'member-kicked'));
  const asked = await dee.page.evaluate(() => performance.getEntriesByType('resource').length);
  assert.ok(asked < 5, `${asked} requests`);
  await dee.live('on');
});

scene(
  'on pages of their own acts and their undoing work with this script too: Cy bans Dee, lifts it, and takes that back',
  async ({ viewer, guid, server }) => {
    const cy = await viewer('cy');
    const { page } = cy;
    await cy.row('dee').locator('p').click();
    await page.locator('main button[data-action="ban"]').click();
    await cy.root.waitFor();
    assert.match(await page.getByRole('status').first().innerText(), /Dee Ferreira was banned/);
    await page.goto(`${server.base}/groups/${guid}/bans`);
    const lift = page.locator('[data-uid="dee"] button[data-action="unban"]');
    await lift.click();
    await page.getByText('No one is banned').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await cy.root.waitFor();
    await page.goto(`${server.base}/groups/${guid}/bans`);
    await lift.waitFor();
  },
);
