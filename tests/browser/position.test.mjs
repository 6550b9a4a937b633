// A position is what is on the screen, not what has arrived: what a screen lacks it says, and fetches.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

const NETWORK = /net::ERR_|Failed to load resource/;

scene('a name with a line separator in it breaks nobody’s stream', async ({ viewer, actor }) => {
  const eve = await viewer('eve');
  await eve.away();
  await actor('ls', 'Line\u2028Separator').join();
  await actor('ps', 'Paragraph\u2029Separator').join();
  await actor('after', 'Somebody After').join();
  await actor('ada').scope('after', 'admin');
  await eve.there('after');
  await sameAsFresh(eve);
  await eve.live('on');
});

/** The next message about a role cannot be applied by this page: the host has taken a part away. */
const breakOneMessage = ({ page }) =>
  page.evaluate(() => {
    const parse = JSON.parse;
    JSON.parse = (text) => {
      if (window.broke || !/scope/.test(text)) return parse(text);
      window.broke = true;
      throw new Error('this one breaks');
    };
  });

scene(
  'what a message breaks is fetched, and the messages after it are shown',
  async ({ viewer, actor }) => {
    const eve = await viewer('eve');
    await eve.away();
    await breakOneMessage(eve);
    await actor('ada').scope('dee', 'admin');
    await actor('ada').scope('eve', 'moderator');
    await actor('ada').kick('cy');
    await eve.gone('cy');
    assert.ok(await eve.page.evaluate(() => window.broke));
    await sameAsFresh(eve);
  },
  { complaints: /this one breaks/ },
);

for (const part of ['component', 'rows']) {
  scene(
    `a follow-up request (${part}) that fails once is made again, and until then the screen says that it is not live`,
    async ({ viewer, actor, proxy }) => {
      const road = await proxy();
      const eve = await viewer('eve', { base: road.base, query: '?hideError=true' });
      await eve.away();
      road.broken = new RegExp(`part=${part}`);
      await actor('ada').scope('eve', 'admin');
      await eve.live('reconnecting');
      await eve.page.locator(`#${eve.x}-live`).getByText(/\w/).waitFor();
      await road.until(() => road.asked.filter((line) => line.includes(`part=${part}`)).length > 1);
      road.broken = null;
      await eve.live('on');
      await eve.page.locator(`#${eve.x}[data-scope="admin"]`).waitFor();
      await eve.button('dee').waitFor();
      await sameAsFresh(eve);
    },
    { complaints: NETWORK },
  );
}

scene(
  'whose own role changes by a message that breaks has the new rights all the same',
  async ({ viewer, actor }) => {
    const eve = await viewer('eve');
    await eve.away();
    await breakOneMessage(eve);
    await actor('ada').scope('eve', 'admin');
    await eve.page.locator(`#${eve.x}[data-scope="admin"]`).waitFor();
    await eve.button('dee').waitFor();
    assert.ok(await eve.page.evaluate(() => window.broke));
    await sameAsFresh(eve);
  },
  { complaints: /this one breaks/ },
);

scene(
  'a recovery that breaks is tried again, and the next one is not lost',
  async ({ viewer, actor }) => {
    const eve = await viewer('eve');
    await eve.away();
    await eve.page.evaluate(() => {
      // The rows of the answer are looked through by it.
      DocumentFragment.prototype.querySelector = new Proxy(DocumentFragment.prototype.querySelector, {
        apply(query, fragment, [selector]) {
          if (!window.broke && /__previous/.test(selector)) {
            window.broke = true;
            throw new Error('this one breaks');
          }
          return Reflect.apply(query, fragment, [selector]);
        },
      });
    });
    await actor('ada').scope('eve', 'admin');
    await eve.until(() => window.broke);
    await eve.page.locator(`#${eve.x}[data-scope="admin"]`).waitFor();
    await eve.live('on');
    await sameAsFresh(eve);
    await actor('ada').scope('eve', 'moderator');
    await eve.page.locator(`#${eve.x}[data-scope="moderator"]`).waitFor();
    await eve.live('on');
    await sameAsFresh(eve);
  },
  { complaints: /this one breaks/ },
);

scene('an admin who is one no more loses the menus at once, with the pointer on the list', async ({ viewer, actor }) => {
  const ben = await viewer('ben');
  await ben.button('dee').waitFor();
  await ben.row('dee').hover();
  await actor('ada').scope('ben', 'participant');
  await ben.button('dee').waitFor({ state: 'detached' });
  await ben.away();
  await sameAsFresh(ben);
});

scene(
  'somebody who was put out while the connection was down sees nobody any more',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const dee = await viewer('dee', { base: road.base });
    await dee.part('q').focus();
    road.down = true;
    road.cut();
    await dee.live('reconnecting');
    await actor('ada').kick('dee');
    road.down = false;
    await dee.live('off');
    assert.equal(await dee.rows.count(), 0);
    assert.ok(await dee.page.evaluate(() => document.activeElement.matches('.chat-group-members--ended > *')));
    assert.match(await dee.root.innerText(), /\S/);
  },
  { complaints: NETWORK },
);

scene(
  'somebody who was banned while the connection was down reads why, and is back once that is undone',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const dee = await viewer('dee', { base: road.base });
    road.down = true;
    road.cut();
    await dee.live('reconnecting');
    const ban = await actor('ada').ask('PUT', '/bans/dee', { message: 'Cool off, please', until: 3_600 });
    road.down = false;
    await dee.root.getByText('Cool off, please').waitFor();
    assert.match(await dee.root.innerText(), /You cannot come back until/);
    assert.equal(await dee.rows.count(), 0);
    const undone = await actor('ada').ask('POST', `/events/${ban.headers.get('Last-Event-ID').split('.').at(-1)}/undo`, {});
    assert.equal(undone.status, 200);
    await dee.live('on');
    await dee.there('ada');
    await sameAsFresh(dee);
  },
  { complaints: NETWORK },
);

scene(
  'a page that hangs holds no live change back, and is asked for again',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base });
    const hung = road.gate(/cursor=/);
    await eve.scrollTo(1e6);
    await hung.arrived;
    await eve.away();
    await actor('ada').scope('p00', 'admin');
    await eve.there('p00');
    await eve.live('on');
    const asked = () => road.asked.filter((line) => line.includes('cursor=')).length;
    const once = asked();
    hung.forget();
    await road.until(() => asked() > once, 16_000);
    await eve.until((id) => document.querySelectorAll(`#${id}-list > [data-uid]`).length > 40, eve.x);
    await sameAsFresh(eve);
  },
  { complaints: NETWORK },
);

scene('a filter pressed while a search is on its way leaves both in force', async ({ viewer, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const slow = road.gate(/searchKeyword=o/);
  await eve.part('q').fill('o');
  await slow.arrived;
  await eve.part('f-moderators').click();
  slow.open();
  await eve.until((id) => {
    const query = new URLSearchParams(document.getElementById(id).dataset.query);
    return query.get('searchKeyword') === 'o' && query.get('filter') === 'moderators';
  }, `${eve.x}-view`);
  assert.deepEqual(await eve.uids(), ['cy']);
});

scene('the focus among the rows is never lost, also not for a moment, when the answer to a filter takes their place', async ({ viewer, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const slow = road.gate(/filter=admins/);
  await eve.part('f-admins').click();
  await slow.arrived;
  await eve.rows.first().focus();
  await eve.page.evaluate(() => {
    window.lost = 0;
    const look = () => (window.lost += document.activeElement === document.body);
    new MutationObserver(look).observe(document, { childList: true, attributes: true, subtree: true });
  });
  slow.open();
  await eve.until((id) => new URLSearchParams(document.getElementById(id).dataset.query).get('filter') === 'admins', `${eve.x}-view`);
  assert.ok(await eve.rows.first().evaluate((row) => row.parentElement.contains(document.activeElement)));
  assert.equal(await eve.page.evaluate(() => window.lost), 0);
});

scene('a search that is typed while a filter is on its way leaves both in force', async ({ viewer, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const slow = road.gate(/filter=admins/);
  await eve.part('f-admins').click();
  await slow.arrived;
  await eve.part('q').fill('ben');
  await road.until(() => road.asked.some((line) => /searchKeyword=ben/.test(line)));
  slow.open();
  await eve.searched('ben');
  assert.equal(await eve.page.getAttribute(`#${eve.x}-f-admins`, 'aria-current'), 'true');
  assert.deepEqual(await eve.uids(), ['ben']);
});

scene(
  'a search that failed while nothing could be reached is asked again when it can',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base });
    road.down = true;
    road.cut();
    await eve.live('reconnecting');
    await eve.part('q').fill('dubois');
    await eve.part('error').locator('[role="alert"]').waitFor();
    road.down = false;
    await eve.searched('dubois');
    assert.equal(await eve.part('error').locator('[role="alert"]').count(), 0);
    await eve.live('on');
    await sameAsFresh(eve);
  },
  { complaints: NETWORK },
);

scene(
  'a search that fails while the stream goes on is tried again by itself',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base });
    road.broken = /searchKeyword=dubois/;
    await eve.part('q').fill('dubois');
    await eve.part('error').locator('[role="alert"]').waitFor();
    road.broken = null;
    const asked = () => road.asked.filter((line) => /searchKeyword=dubois/.test(line)).length;
    const once = asked();
    await road.until(() => asked() > once, 25_000);
    await eve.searched('dubois');
    assert.equal(await eve.part('error').locator('[role="alert"]').count(), 0);
    await sameAsFresh(eve);
  },
  { complaints: NETWORK },
);

scene(
  'a search that fails says that the screen is not live, also where errors are hidden',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base, query: '?hideError=true' });
    road.broken = /searchKeyword=dubois/;
    await eve.part('q').fill('dubois');
    await eve.live('reconnecting');
    road.broken = null;
    await eve.searched('dubois');
    await eve.live('on');
    await sameAsFresh(eve);
  },
  { complaints: NETWORK },
);

scene(
  'a page of the list that does not come is asked for ever more seldom, and a press on the link asks at once',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    road.broken = /cursor=/;
    const eve = await viewer('eve', { base: road.base, live: false });
    await eve.page.clock.install();
    await eve.page.reload();
    await eve.live('on');
    const asked = () => road.asked.filter((line) => line.includes('cursor=')).length;
    await eve.scrollTo(1e6);
    await road.until(() => asked() > 0);
    const before = asked();
    for (let second = 0; second < 120; second++) {
      await eve.page.clock.runFor(1_000);
      await eve.page.evaluate(() => fetch('/healthz'));
    }
    assert.ok(asked() - before <= 11, `${asked() - before} times in two minutes`);
    road.broken = null;
    await eve.part('next').locator('a').click();
    await eve.until((id) => document.querySelectorAll(`#${id}-list > [data-uid]`).length > 40, eve.x);
    assert.equal(await eve.part('error').locator('[role="alert"]').count(), 0);
  },
  { complaints: NETWORK },
);

scene(
  'a page of the list that breaks on its way to the screen is fetched all the same, and so are those after it',
  async ({ viewer }) => {
    const eve = await viewer('eve');
    await eve.page.$eval(`#${eve.x}-list`, (list) => {
      list.insertBefore = () => {
        delete list.insertBefore;
        window.broke = true;
        throw new Error('this one breaks');
      };
    });
    await eve.scrollTo(1e6);
    await eve.until(() => window.broke);
    await eve.until((id) => document.querySelectorAll(`#${id}-list > [data-uid]`).length > 40, eve.x);
    while (await eve.further());
    await eve.away();
    await sameAsFresh(eve);
  },
  { complaints: /this one breaks/ },
);
