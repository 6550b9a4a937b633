// Wherever a host's layout puts the list: it has a width, it does not run out of its place, and what floats
// above the page stands where it belongs.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after } from 'node:test';

import { people } from './cast.mjs';
import { middleOf } from './finger.mjs';
import { Host, LINK, SCRIPT, line, page } from './host.mjs';
import { scene, stage } from './support.mjs';

stage();

const hosts = [];
after(() => Promise.all(hosts.map((host) => host.stop())));

/** Ben at a page of a host. */
async function visit({ viewer, server }, body, { head = LINK + SCRIPT, live = true, ...options } = {}) {
  const host = await Host.start(server.base);
  hosts.push(host);
  host.pages.set('/', page(head, `<h1>A page</h1>${body}`));
  const ben = await viewer('ben', { base: host.base, path: '/', live: false, viewport: { width: 900, height: 700 }, ...options });
  if (live) await ben.live('on');
  return ben;
}

/** Widths in whole pixels: of the list, and of what holds it. */
const widths = (ben) => ben.root.evaluate(({ offsetWidth, parentNode }) => [offsetWidth, parentNode.clientWidth]);

/** What a list is wide where its place is only as wide as what is in it. */
const OWN = 240;

for (const [name, around, least, most] of [
  ['a place that is absolutely placed', (list) => `<div style="position: absolute">${list}</div>`, OWN, OWN],
  ['an inline block', (list) => `<div style="display: inline-block">${list}</div>`, OWN, OWN],
  ['a float', (list) => `<div style="float: left">${list}</div>`, OWN, OWN],
  ['a flex item without a width', (list) => `<div style="display: flex"><div>${list}</div><p>Text</p></div>`, OWN, OWN],
  ['a flex item that grows', (list) => `<div style="display: flex"><div style="flex: 1">${list}</div><p>Text</p></div>`, 700, 890],
  ['a narrow side bar', (list) => `<div style="display: flex"><div style="flex: 0 0 240px">${list}</div><p style="flex: 1">Text</p></div>`, OWN, OWN],
  ['a table cell', (list) => `<table><tr><td>${list}</td><td>Text</td></tr></table>`, OWN, 900],
  ['a column of a grid', (list) => `<div style="display: grid; grid-template-columns: auto 1fr"><div>${list}</div><p>Text</p></div>`, OWN, OWN],
]) {
  scene(`in ${name}, the list has a width, as the element has`, async (it) => {
    for (const list of [line(it.guid), `<chat-group-members group="${it.guid}"></chat-group-members>`]) {
      const [width, place] = await widths(await visit(it, around(list)));
      assert.ok(width >= least && width <= most, `${width} px`);
      assert.ok(width <= place, `${width} px in ${place} px`);
    }
  });
}

for (const [room, device] of [
  [480, { hasTouch: true, isMobile: true }],
  [300, {}],
]) {
  for (const lang of ['fr', 'ru', 'en']) {
    scene(`in a box of ${room} px on a small screen the selection bar leaves a row to the list, and its first act is in sight: ${lang}`, async (it) => {
      const list = line(it.guid, `?selectionMode=multiple&lang=${lang}`);
      const ben = await visit(it, `<div style="block-size: ${room}px">${list}</div>`, { viewport: { width: 320, height: 568 }, ...device });
      const look = () =>
        ben.root.evaluate((root) => {
          const of = (selector) => root.querySelector(selector).getBoundingClientRect();
          const [bar, act, rows] = ['selection', 'selection [name="act"]', 'scroll'].map((part) => of(`.chat-group-members__${part}`));
          const box = root.parentNode.getBoundingClientRect();
          return { rows: rows.height, below: bar.bottom - box.bottom, hidden: Math.max(0, act.bottom - bar.bottom), height: bar.height };
        });
      await ben.until((id) => document.getElementById(id).textContent, `${ben.x}-count`);
      const nobody = await look();
      assert.ok(nobody.rows >= 80 && nobody.below <= 1 && nobody.height <= 120, JSON.stringify(nobody));
      await ben.part('s-dee').check({ force: true });
      await ben.part('selection').locator('[name="act"]').first().waitFor();
      const somebody = await look();
      assert.ok(somebody.rows >= 52 && somebody.below <= 1 && somebody.hidden === 0, JSON.stringify(somebody));
    });
  }
}

scene('in a popover and in a dialog of the host, the list has a width, lives, and opens its own menu and dialog above them', async (it) => {
  const ben = await visit(it, `<div popover id="popover">${line(it.guid)}</div><dialog id="modal"><h2>Chat</h2>${line(it.guid, '?instance=b')}</dialog>`);
  await ben.page.evaluate(() => document.getElementById('popover').showPopover());
  assert.ok((await widths(ben))[0] >= OWN);
  await ben.page.evaluate(() => {
    document.getElementById('popover').hidePopover();
    document.getElementById('modal').showModal();
  });
  ben.x += '-b';
  await ben.live('on');
  assert.ok((await widths(ben))[0] >= OWN);
  await ben.dialog('cy', 'kick');
  await ben.confirm();
  await ben.gone('cy');
});

scene('in a place with no more than a greatest height, the list is as high as that, and its rows scroll inside', async (it) => {
  const ben = await visit(it, `<div style="max-height: 400px; width: 360px">${line(it.guid)}</div>`);
  assert.equal(await ben.root.evaluate(({ offsetHeight }) => offsetHeight), 400);
  assert.ok(await ben.page.$eval('.chat-group-members__scroll', (box) => box.scrollHeight > box.clientHeight));
});

scene('and it is still when more have come, and when the viewer has another role', async (it) => {
  const few = await it.server.group(people().slice(0, 3));
  const ben = await visit(it, `<div style="max-height: 520px; width: 360px">${line(few)}</div>`, { live: false });
  ben.x = `cgm-${few}`;
  await ben.live('on');
  const height = () => ben.until((id) => document.getElementById(id).offsetHeight === 520, ben.x);
  assert.ok((await ben.root.evaluate(({ offsetHeight }) => offsetHeight)) < 520);
  await it.server.import(few, people());
  await ben.there('eve');
  await height();
  await it.server.host('PUT', `/groups/${few}/members/ben`, { scope: 'moderator' });
  await ben.page.locator(`#${ben.x}[data-scope="moderator"]`).waitFor();
  assert.equal(await ben.root.evaluate(({ offsetHeight }) => offsetHeight), 520);
});

for (const [what, style, above] of [
  ['padding and a border', 'box-sizing: border-box; padding: 20px; border: 3px solid', ''],
  ['padding beyond its height', 'box-sizing: content-box; padding: 20px', ''],
  ['a heading above the list', '', '<h2 style="margin: 0; height: 48px">Members</h2>'],
])
  scene(`and with ${what} there is still all of it inside, in a low window and a high one`, async (it) => {
    const ben = await visit(it, `<div id="place" style="max-height: 50vh; overflow: auto; width: 360px; ${style}">${above}${line(it.guid)}</div>`);
    const fits = (least) =>
      ben.until(
        ([id, least]) => {
          const place = document.getElementById('place');
          return place.scrollHeight <= place.clientHeight && document.getElementById(id).offsetHeight >= least;
        },
        [ben.x, least],
      );
    await fits(250);
    await ben.page.setViewportSize({ width: 800, height: 500 });
    await fits(120);
    await ben.page.setViewportSize({ width: 800, height: 900 });
    await fits(320);
    assert.ok(await ben.page.$eval('.chat-group-members__scroll', (box) => box.scrollHeight > box.clientHeight));
  });

scene('where the place has no greatest height any more, the list has all the room it wants', async (it) => {
  const style = '<style>#place { width: 360px } @media (max-width: 900px) { #place { max-height: 300px } }</style>';
  const ben = await visit(it, `${style}<div id="place">${line(it.guid)}</div>`);
  const height = (question, value) => ben.until(question, [ben.x, value]);
  await height(([id, most]) => document.getElementById(id).offsetHeight <= most, 300);
  await ben.page.setViewportSize({ width: 1000, height: 700 });
  await height(([id, least]) => document.getElementById(id).offsetHeight > least, 600);
});

scene('in a page whose body scrolls, what one reads stays when somebody comes above, and no space grows below', async (it) => {
  const ben = await visit(it, `<style>html { overflow: hidden } html, body { height: 100% } body { overflow: auto }</style><div>${line(it.guid)}</div>`);
  await ben.page.mouse.move(1, 1);
  await ben.page.evaluate(() => document.body.scrollTo(0, 900));
  const read = ben.row((await ben.uids())[18]);
  const { y } = await read.boundingBox();
  const heights = [];
  for (const uid of ['new1', 'new2', 'new3']) {
    await it.actor(uid, `Aaron ${uid}`).join();
    await ben.there(uid);
    heights.push(await ben.page.evaluate(() => document.body.scrollHeight));
    assert.ok(Math.abs((await read.boundingBox()).y - y) < 1);
  }
  assert.ok(heights[2] - heights[0] <= 2 * 70, `${heights}`);
});

scene('with a definite height and a greatest one, the smaller holds', async (it) => {
  const ben = await visit(it, `<div style="height: 300px; max-height: 600px">${line(it.guid)}</div>`);
  assert.equal(await ben.root.evaluate(({ offsetHeight }) => offsetHeight), 300);
});

scene('Escape closes the menu, and only then the modal of Bootstrap in which the list stands', async (it) => {
  const bootstrap =
    '<link rel="stylesheet" href="/npm/bootstrap/dist/css/bootstrap.min.css"><script src="/npm/bootstrap/dist/js/bootstrap.bundle.min.js" defer></script>';
  const modal = `<div class="modal" id="modal" tabindex="-1" aria-label="Chat"><div class="modal-dialog modal-dialog-scrollable"><div class="modal-content"><div class="modal-body">${line(it.guid)}</div></div></div></div>`;
  const ben = await visit(it, modal, { head: bootstrap + LINK + SCRIPT });
  await ben.page.evaluate(() => window.bootstrap.Modal.getOrCreateInstance('#modal').show());
  await ben.page.locator('#modal.show').waitFor();
  const shown = () => ben.page.locator('#modal.show').count();
  await ben.menu('dee');
  await ben.page.keyboard.press('Escape');
  await ben.page.locator(`#${ben.x}-menu:not(:popover-open)`).waitFor({ state: 'attached' });
  assert.equal(await shown(), 1, 'the menu goes first');
  await ben.menu('dee');
  await ben.part('menu').getByText('Dee').first().click();
  await ben.page.keyboard.press('Escape');
  await ben.page.locator(`#${ben.x}-menu:not(:popover-open)`).waitFor({ state: 'attached' });
  assert.equal(await shown(), 1, 'also after a press on its words');
  await ben.dialog('dee', 'kick');
  await ben.page.keyboard.press('Escape');
  await ben.closed();
  assert.equal(await shown(), 1, 'and the dialog');
  await ben.page.keyboard.press('Escape');
  await ben.page.locator('#modal:not(.show)').waitFor({ state: 'attached' });
});

scene('a list that scrolls ends where its box does, to the pixel', async (it) => {
  const ben = await visit(it, `<div style="block-size: 480px">${line(it.guid)}</div>`);
  const bottom = (selector) => ben.page.locator(selector).evaluate((box) => box.getBoundingClientRect().bottom);
  const ends = await bottom('section.chat-group-members');
  assert.ok(Math.abs((await bottom('.chat-group-members__view')) - ends) < 1, `${await bottom('.chat-group-members__view')} and ${ends}`);
});

scene('where the host’s page is what scrolls, further pages come, and what one reads stays where it is', async (it) => {
  const ben = await visit(it, `<div style="inline-size: 360px; overflow-anchor: none">${line(it.guid)}</div>`);
  const inner = await ben.page.$eval(`#${ben.x} .chat-group-members__scroll`, ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  assert.ok(inner < 2, `the list itself scrolls by ${inner} px`);
  while (await ben.part('next').count()) {
    const before = await ben.rows.count();
    await ben.page.evaluate(() => document.scrollingElement.scrollTo(0, 1e6));
    await ben.until(([id, before]) => document.querySelectorAll(`#${id}-list > [data-uid]`).length > before, [ben.x, before]);
  }
  await ben.page.evaluate(() => document.scrollingElement.scrollTo(0, 1_500));
  const rows = await ben.page.$$eval(`#${ben.x}-list > [data-uid]`, (rows) => rows.map((row) => [row.dataset.uid, row.getBoundingClientRect().top]));
  const [uid, top] = rows.find(([, top]) => top >= 0);
  const above = rows.filter(([uid, top]) => top < -100 && /^p/.test(uid)).map(([uid]) => uid);
  for (const gone of above.slice(0, 3)) await it.actor('ada').kick(gone);
  await ben.gone(above[2]);
  await it.actor('aaron', 'Aaron').join();
  await ben.there('aaron');
  assert.equal(await ben.row(uid).evaluate((row) => row.getBoundingClientRect().top), top);
});

scene('in a page from left to right a list from right to left has all names at its edge, those of rows that come later too', async (it) => {
  const ben = await visit(it, `<div style="block-size: 480px">${line(it.guid, '?lang=ar&limit=2')}</div>`);
  await it.actor('aaron', 'Aaron').join();
  await ben.there('aaron');
  await ben.there('dee');
  const rights = await ben.page.$$eval(`#${ben.x}-list bdi`, (names) => names.map((name) => Math.round(name.getBoundingClientRect().right)));
  assert.deepEqual([rights.length > 4, new Set(rights).size], [true, 1], `${rights}`);
});

/** Ben at a page with a shadow root that holds this around the list. */
async function visitShadow({ viewer, server, guid }, body, shell = '<div id="shadow"></div>') {
  const host = await Host.start(server.base);
  hosts.push(host);
  const script = `addEventListener('load', async () => {
    const root = document.getElementById('shadow').attachShadow({ mode: 'open' });
    const answer = await fetch('/groups/${guid}/members', { headers: { Accept: '*/*' } });
    root.innerHTML = ${JSON.stringify(LINK + body('<slot></slot>'))}.replace('<slot></slot>', await answer.text());
    window.htmx.process(root.querySelector('section'));
  });`;
  host.pages.set('/', page(LINK + SCRIPT, `<h1>A page</h1>${shell}<script>${script}</script>`));
  const ben = await viewer('ben', { base: host.base, path: '/', live: false, viewport: { width: 900, height: 700 } });
  await ben.live('on');
  return ben;
}

scene('in a shadow root the list lives, and its menu opens at its button', async (it) => {
  const ben = await visitShadow(it, (list) => `<div style="block-size: 480px; inline-size: 360px; margin: 60px 0 0 200px">${list}</div>`);
  await it.actor('ada').kick('eve');
  await ben.gone('eve');
  await ben.button('dee').click();
  const menu = ben.page.locator(`#${ben.x}-menu:popover-open`);
  await menu.waitFor();
  const [box, button] = [await menu.boundingBox(), await ben.button('dee').boundingBox()];
  assert.ok(Math.abs(box.x + box.width - button.x - button.width) <= 1, JSON.stringify({ box, button }));
  assert.ok(Math.abs(box.y - button.y - button.height - 4) <= 1 || Math.abs(box.y + box.height + 4 - button.y) <= 1, JSON.stringify({ box, button }));
});

for (const [name, gap] of [
  ['at once', () => {}],
  ['when its stream has ended', (ben) => ben.page.waitForEvent('requestfailed', (request) => /events/.test(request.url()))],
])
  scene(`in a shadow root whose host is taken away the list goes on when that is put back ${name}`, async (it) => {
    const ben = await visitShadow(it, (list) => `<div style="block-size: 480px; inline-size: 360px">${list}</div>`);
    const gone = gap(ben);
    await ben.page.evaluate(() => {
      window.taken = document.getElementById('shadow');
      window.taken.remove();
    });
    await gone;
    await it.actor('ada').kick('eve');
    await ben.page.evaluate(() => document.body.append(window.taken));
    await ben.gone('eve');
    await ben.live('on');
    await it.actor('ada').kick('dee');
    await ben.gone('dee');
  });

scene('a host that keeps what is done in its panel to itself has a list that is worked with all the same', async (it) => {
  const own = `<script>for (const type of ['click', 'input', 'keydown', 'pointerdown', 'submit'])
    document.getElementById('panel').addEventListener(type, (event) => event.stopPropagation());</script>`;
  const ben = await visit(it, `<div id="panel" style="block-size: 480px; inline-size: 360px">${line(it.guid)}</div>${own}`);
  const address = ben.page.url();
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await ben.gone('dee');
  await ben.atRest();
  await ben.row('eve').click({ position: { x: 5, y: 5 } });
  assert.equal((await ben.heard('item-click')).length, 1);
  await ben.part('q').pressSequentially('eve');
  await ben.gone('cy');
  await ben.page.keyboard.press('Escape');
  await ben.there('cy');
  assert.equal(ben.page.url(), address);
});

scene('attributes of the host around the list that are named like ours mean nothing to it', async (it) => {
  const ben = await visit(
    it,
    `<div data-filter="x" data-select-all data-close data-option="x" data-action="x" data-uid="x" style="block-size: 480px">${line(it.guid, '?selectionMode=multiple')}</div>`,
  );
  await ben.row('eve').click({ position: { x: 60, y: 5 } });
  assert.equal((await ben.heard('item-click')).length, 1);
  await ben.part('selection').locator('[type="reset"]').click();
  await ben.until((id) => document.querySelectorAll(`#${id} [type="checkbox"]:checked`).length === 0, ben.x);
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await ben.gone('dee');
  assert.equal((await ben.heard('option')).length, 0);
});

for (const zoom of [0.5, 1.7])
  scene(`where the host enlarges by ${zoom}, the menu opens at its button, and a dialog is inside the window`, async (it) => {
    const ben = await visit(it, `<div style="zoom: ${zoom}; block-size: 300px; inline-size: 360px">${line(it.guid)}</div>`);
    await ben.menu('dee');
    const [box, button] = [await ben.part('menu').boundingBox(), await ben.button('dee').boundingBox()];
    assert.ok(Math.abs(box.x + box.width - button.x - button.width) <= 1 || box.x <= 8, JSON.stringify({ box, button }));
    assert.ok(box.y >= 0 && box.y + box.height <= 700, JSON.stringify(box));
    await ben.part('menu').locator('[data-action="kick"]').click();
    await ben.part('dialog').waitFor();
    const { y, height } = await ben.part('dialog').boundingBox();
    assert.ok(y >= 0 && y + height <= 700, JSON.stringify({ y, height }));
  });

for (const zoom of [0.5, 1.7])
  scene(`where the host enlarges by ${zoom}, what somebody reads stays when others come above`, async (it) => {
    const ben = await visit(it, `<div style="zoom: ${zoom}; block-size: 300px; inline-size: 360px">${line(it.guid)}</div>`);
    await ben.scrollTo(150);
    const eye = await ben.page.evaluate((x) => {
      const [list] = document.querySelectorAll(`#${x}-list`);
      const upper = list.closest('.chat-group-members__scroll').getBoundingClientRect().top;
      return [...list.querySelectorAll('[data-uid]')].find((row) => row.getBoundingClientRect().top > upper).dataset.uid;
    }, ben.x);
    const topOf = () => ben.row(eye).evaluate((row) => row.getBoundingClientRect().top);
    const top = await topOf();
    for (const uid of ['aa', 'ab', 'ac']) await it.server.host('POST', `/groups/${it.guid}/members`, { members: [{ uid, name: uid, scope: 'admin' }] });
    await ben.there('ac');
    assert.ok(Math.abs((await topOf()) - top) < 1, `${(await topOf()) - top} px`);
  });

scene('in a shadow root one searches, by typing and by Enter, and the host’s page stays', async (it) => {
  const ben = await visitShadow(it, (list) => `<div style="block-size: 480px; inline-size: 360px">${list}</div>`);
  const address = ben.page.url();
  await ben.part('q').pressSequentially('eve');
  await ben.page.locator(`#${ben.x}-view[data-query*="searchKeyword=eve"]`).waitFor();
  await ben.gone('dee');
  await ben.part('q').fill('dee');
  await ben.part('q').press('Enter');
  await ben.page.locator(`#${ben.x}-view[data-query*="searchKeyword=dee"]`).waitFor();
  await ben.there('dee');
  assert.equal(ben.page.url(), address);
});

scene('in a shadow root nothing moves under the pointer, and what waited comes when it goes', async (it) => {
  const ben = await visitShadow(it, (list) => `<div style="block-size: 480px; inline-size: 360px; margin-block-start: 60px">${list}</div>`);
  await ben.row('eve').hover();
  const before = (await ben.row('eve').boundingBox()).y;
  await it.actor('ada').scope('dee', 'admin');
  await ben.part('held').waitFor();
  assert.equal((await ben.row('eve').boundingBox()).y, before);
  await ben.page.mouse.move(700, 600);
  await ben.page.locator(`#${ben.x}-m-dee[data-scope="admin"]`).waitFor();
  await ben.part('held').waitFor({ state: 'hidden' });
});

scene('in a shadow root a press that ends on another person than it began on opens nothing, and Escape leaves a dialog as it was', async (it) => {
  const ben = await visitShadow(it, (list) => `<div style="block-size: 480px; inline-size: 360px; margin-block-start: 60px">${list}</div>`);
  const [from, to] = [await middleOf(ben.button('eve')), await middleOf(ben.button('dee'))];
  await ben.page.mouse.move(from.x, from.y);
  await ben.page.mouse.down();
  await ben.page.mouse.move(to.x, to.y);
  await ben.page.mouse.up();
  await ben.dialog('eve', 'kick');
  assert.match(await ben.part('dialog').innerText(), /Eve/);
  await ben.page.keyboard.press('Escape');
  await ben.closed();
  await ben.page.locator(`#${ben.x} > * #${ben.x}-error, #${ben.x} > #${ben.x}-error`).first().waitFor({ state: 'attached' });
  assert.equal(await ben.part('dialog').locator('form').count(), 0);
});

scene('in a shadow root what one reads stays where it is, also when the box that scrolls is outside', async (it) => {
  const ben = await visitShadow(
    it,
    (list) => `<div>${list}</div>`,
    '<div id="box" style="block-size: 420px; overflow: auto; overflow-anchor: none"><div id="shadow"></div></div>',
  );
  await ben.page.locator('#box').evaluate((box) => box.scrollTo(0, 700));
  const uids = await ben.uids();
  const read = ben.row(uids[15]);
  const before = (await read.boundingBox()).y;
  for (const uid of uids.slice(25, 27)) {
    await it.actor('ada').scope(uid, 'admin');
    await ben.until((row) => document.getElementById('shadow').shadowRoot.getElementById(row).dataset.scope === 'admin', `${ben.x}-m-${uid}`);
  }
  assert.equal((await read.boundingBox()).y, before);
});

scene('without JavaScript the line of the README leads to the list', async (it) => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const [lines] = readme.match(/<div data-hx-get[^]*?<\/div>/);
  assert.match(lines, /data-hx-get="\/members\/groups\/harbour\/members"/);
  const body = lines.replaceAll('/members/groups/harbour', `/groups/${it.guid}`);
  const eve = await visit(it, body, { javaScriptEnabled: false, live: false });
  await eve.page.getByRole('link', { name: 'Members' }).click();
  // The script is what gives rows their ids.
  await eve.page.locator('[data-uid="ada"]').waitFor();
});

for (const other of ['<h2 id="htmx">htmx</h2>', '<form id="htmx"></form>', '<img name="htmx" alt="" src="data:,">'])
  scene(`beside ${other} the list comes and lives`, async (it) => {
    const ben = await visit(it, `${other}<div style="height: 480px">${line(it.guid)}</div>`);
    assert.ok((await ben.rows.count()) > 20);
  });
