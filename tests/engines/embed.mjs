// In somebody else's page: as an element in a wide one or in a shadow root, and in a narrow frame.

import assert from 'node:assert/strict';

import { Origin } from 'selenium-webdriver';

import { LINK, line } from '../browser/host.mjs';
import { besideButton } from './acts.mjs';
import { UNSEEN } from './hand.mjs';
import { sameAsFresh } from './law.mjs';
import { Viewer } from './viewer.mjs';

const page = (
  body,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A chat</title><link rel="icon" href="data:,"><script src="/ear.js"></script>
<script src="/static/chat-group-members.js" defer></script></head><body style="margin: 0">${body}</body></html>`;

/** Places that are only as wide as what is in them. */
const NARROW = `<div style="position: absolute" data-place="an absolute place"></div>
<div style="display: inline-block" data-place="an inline block"></div>
<div style="float: left" data-place="a float"></div>
<div style="display: flex"><div data-place="a flex item without a width"></div><p>Text</p></div>
<div style="display: grid; grid-template-columns: auto 1fr"><div data-place="a column of a grid"></div><p>Text</p></div>
<table><tr><td data-place="a table cell"></td><td>Text</td></tr></table>
<div popover data-place="a popover"></div>
<dialog data-place="a dialog"></dialog>`;

/** Runs in the page: puts the list into each of those places, and back; the places in which it has no width, or runs out. */
function wrongWidths(x) {
  const list = document.getElementById(x);
  const home = list.parentElement;
  const places = [...document.querySelectorAll('[data-place]')];
  // A scrollbar of the place's own may take some of the 240 pixels.
  const widths = places.map((place) => {
    place.append(list);
    if (place.popover) place.showPopover();
    place.showModal?.();
    const [own, room] = [list.offsetWidth, place.clientWidth];
    if (place.popover) place.hidePopover();
    place.close?.();
    return own >= 220 && own <= room ? '' : `${place.dataset.place}: ${own} px in ${room} px`;
  });
  home.append(list);
  return [places.length, widths.filter(Boolean)];
}

/** The shadow root of the page, for whoever asks for its document. */
const SHADOW = "const document = window.document.getElementById('shadow').shadowRoot;";

/** Somebody who looks into that shadow root, and not at the page around it. */
class ShadowViewer extends Viewer {
  ask = (question, ...values) => this.driver.executeScript(`${SHADOW} return (${question})(...arguments);`, ...values);
}

export function embed(scene) {
  scene('the element of a wide page fills its place, in one column, and lives', async ({ viewer, actor, road, server, guid, picture }) => {
    road.pages.set(
      '/host',
      page(
        `<div style="block-size: 600px; inline-size: 900px"><chat-group-members group="${guid}" token="${await server.token('ben')}"></chat-group-members></div>`,
      ),
    );
    const ben = await viewer('ben', { path: '/host', size: [1000, 760] });
    await ben.away();
    const places = await ben.ask((x) => [...document.querySelectorAll(`#${x} [data-uid]`)].map((row) => row.getBoundingClientRect().toJSON()), ben.x);
    // In several, whoever joins would move everybody behind them sideways.
    assert.equal(new Set(places.map(({ left }) => left)).size, 1);
    assert.ok(places[0].width > 860, `${places[0].width} of 900 px`);
    const heights = await ben.ask(() => [...document.querySelectorAll('chat-group-members, chat-group-members > section')].map((box) => box.offsetHeight));
    assert.deepEqual(heights, [600, 600], 'and no higher');
    await actor('ada').kick('cy');
    await ben.gone(ben.row('cy'));
    await ben.dialog('dee', 'kick');
    await picture('element');
    await ben.confirm();
    await ben.gone(ben.row('dee'));
    await ben.away();
    await sameAsFresh(ben);
  });

  scene('in a shadow root the element lives, and its menu opens beside its button', async ({ viewer, actor, road, server, guid, driver }) => {
    const tag = `<chat-group-members group="${guid}" token="${await server.token('ben')}"></chat-group-members>`;
    road.pages.set(
      '/host',
      page(`<div id="shadow" style="block-size: 480px; inline-size: 360px; margin: 60px 0 0 100px"></div>
<script>document.getElementById('shadow').attachShadow({ mode: 'open' }).innerHTML = '${tag}';</script>`),
    );
    await viewer('ben', { path: '/host', live: false });
    const ben = new ShadowViewer(driver, guid, 'ben');
    await ben.live('on');
    await ben.away();
    await actor('ada').kick('cy');
    await ben.gone(ben.row('cy'));
    await ben.menu('dee');
    await besideButton(ben, 'dee');
    await ben.press('Escape');
    await ben.hidden(ben.part('menu'));
  });

  scene(
    'in a frame as narrow as a phone the menu rises from the lower edge, and nothing is wider than the frame',
    async ({ viewer, road, guid, driver, picture }) => {
      road.pages.set('/host', page(`<iframe style="border: 0; inline-size: 320px; block-size: 640px" src="/groups/${guid}/members?theme=dark"></iframe>`));
      const ben = await viewer('ben', { path: '/host', frame: true });
      await ben.there('[data-theme="dark"]');
      await ben.menu('dee');
      // It rises for a moment.
      await ben.until((selector) => {
        const { left, right, bottom } = document.querySelector(selector).getBoundingClientRect();
        return left === 0 && right === 320 && bottom === innerHeight;
      }, ben.part('menu'));
      await driver.switchTo().defaultContent();
      await picture('narrow');
      await driver.switchTo().frame(0);
      await ben.press('Escape');
      const wide = await ben.ask(() =>
        [...document.querySelectorAll('[class*="chat-group-members__"]')]
          .filter((part) => !part.closest('.chat-group-members__filters') && part.getBoundingClientRect().right > 320.5)
          .map(({ className }) => className),
      );
      assert.deepEqual(wide, []);
    },
    // An observer of heights, which only a frame has, is called back more than once for a frame of the screen.
    { complaints: /ResizeObserver/ },
  );

  scene('in a window so low that the component scrolls as a whole, what scrolls is no stop of the Tab key', async ({ viewer, road, guid }) => {
    const place = `<div style="block-size: 240px; inline-size: 360px"><button id="before">before</button>${line(guid)}</div>`;
    road.pages.set('/host', page(`${LINK}${place}`));
    const eve = await viewer('eve', { path: '/host', size: [600, 320] });
    assert.ok(await eve.ask((x) => document.getElementById(x).scrollHeight > document.getElementById(x).clientHeight, eve.x), 'it scrolls');
    await eve.focus('#before');
    const stops = [];
    for (let stop = 0; stop < 12 && !/^[ams]-/.test(stops.at(-1)); stop++) {
      await eve.press('Tab');
      stops.push(await eve.focused());
    }
    assert.match(stops.at(-1), /^[ams]-/, `a way into the list: ${stops}`);
    const boxes = await eve.ask(() => ['', '__scroll', '__view'].map((box) => document.querySelector(`.chat-group-members${box}`).id));
    assert.deepEqual(
      stops.filter((stop) => boxes.includes(stop) || boxes.includes(`${eve.x}-${stop}`) || stop === 'div'),
      [],
      'only controls',
    );
  });

  scene('in places without a width or a height of their own the list has one, and does not run out of them', async ({ viewer, actor, road, guid }) => {
    road.pages.set('/host', page(`${LINK}<div style="max-block-size: 400px; inline-size: 360px">${line(guid)}</div>${NARROW}`));
    const ben = await viewer('ben', { path: '/host' });
    await ben.away();
    await ben.until((x) => {
      const box = document.getElementById(`${x}-list`).parentElement;
      return document.getElementById(x).offsetHeight <= 400 && box.scrollHeight > box.clientHeight;
    }, ben.x);
    const [places, wrong] = await ben.ask(wrongWidths, ben.x);
    assert.equal(places, 8);
    assert.deepEqual(wrong, []);
    await actor('ada').kick('dee');
    await ben.gone(ben.row('dee'));
    await sameAsFresh(ben);
  });

  scene("where the host's page is what scrolls, further pages come, and what one reads stays where it is", async ({ viewer, actor, road, guid }) => {
    // The browser's own anchor would keep it too.
    road.pages.set('/host', page(`${LINK}<div style="inline-size: 360px; margin-inline-start: 40px; overflow-anchor: none">${line(guid, '?limit=100')}</div>`));
    const ben = await viewer('ben', { path: '/host' });
    await ben.away();
    await ben.ask(() => document.scrollingElement.scrollTo(0, 1e6));
    await ben.gone(`#${ben.x} .chat-group-members__next`);
    await ben.ask(() => document.scrollingElement.scrollTo(0, 1_500));
    await ben.frames();
    const [uid, top] = await ben.eye();
    const uids = await ben.uids();
    const above = uids.slice(3, uids.indexOf(uid) - 3).filter((uid) => uid.startsWith('p'));
    for (const gone of above.slice(0, 3)) await actor('ada').kick(gone);
    await ben.gone(ben.row(above[2]));
    await actor('aaron', 'Aaron').join();
    await ben.there(ben.row('aaron'));
    await ben.frames();
    const moved = (await ben.topOf(uid)) - top;
    assert.ok(Math.abs(moved) < 1, `moved by ${moved} px`);
  });

  scene("a press on a row that the host's page moved less than half a second before opens nothing", async ({ viewer, road, guid }) => {
    road.pages.set('/host', page(`${LINK}<div id="banner"></div><div style="inline-size: 360px; block-size: 500px">${line(guid)}</div>`));
    const ben = await viewer('ben', { path: '/host' });
    const menus = () => road.asked.filter((line) => line.includes('part=menu')).length;
    const [x, y] = await ben.point(ben.button('cy'));
    await ben.ask(() => document.addEventListener('pointerdown', () => (window.pressed = performance.now() - window.moved), true));
    for (let turn = 1; ; turn++) {
      assert.ok(turn < 6, 'no press came in time');
      const before = menus();
      // By its first look the list has been where it was for a while.
      await ben.point(ben.button('cy'));
      await ben.ask((height) => {
        window.moved = performance.now();
        document.getElementById('banner').style.blockSize = `${height}px`;
      }, turn * 20);
      await ben.driver
        .actions()
        .move({ x, y: y + turn * 20, duration: 0, origin: Origin.VIEWPORT })
        .press()
        .release()
        .perform();
      await ben.frames();
      if ((await ben.ask(() => window.pressed)) < UNSEEN) {
        await ben.menu('cy');
        assert.equal(menus(), before + 1, 'only the second press has asked for a menu');
        break;
      }
      await ben.press('Escape');
    }
  });

  scene('Escape that closes our menu or dialog, or empties our box, is not heard by the dialog of the host around it', async ({ viewer, road, guid }) => {
    road.pages.set('/host', page(`${LINK}<div id="modal" role="dialog" aria-label="Members" tabindex="-1" style="block-size: 600px">${line(guid)}</div>`));
    const ben = await viewer('ben', { path: '/host' });
    await ben.ask(() => {
      window.escapes = 0;
      document.getElementById('modal').addEventListener('keydown', ({ key }) => (window.escapes += key === 'Escape'));
    });
    const escapes = () => ben.ask(() => window.escapes);
    const open = async () => {
      await ben.focus(ben.button('cy'));
      await ben.press('Enter');
      await ben.until(() => document.activeElement.dataset.action);
    };
    await open();
    await ben.press('Escape');
    await ben.hidden(ben.part('menu'));
    await open();
    await ben.press('b');
    await ben.until(() => document.activeElement.dataset.action === 'ban');
    await ben.press('Enter');
    await ben.shown(`${ben.part('dialog')} form`);
    await ben.atRest();
    await ben.press('Escape');
    await ben.hidden(ben.part('dialog'));
    await ben.focus(ben.part('q'));
    await ben.press('ferreira');
    await ben.there(`${ben.part('view')}[data-query*="ferreira"]`);
    await ben.press('Escape');
    assert.equal(await ben.ask((box) => document.querySelector(box).value, ben.part('q')), '');
    assert.equal(await escapes(), 0);
    await ben.press('Escape');
    assert.equal(await escapes(), 1, 'what is not ours is the host’s');
  });
}
