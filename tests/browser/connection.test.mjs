// Connections that break, servers that die, tabs that nobody looks at, tokens that end.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';
import { scene, stage } from './support.mjs';

stage();

/** What a browser itself says about a connection that broke; htmx repeats it. */
const BROKEN = /net::ERR_|htmx:error|htmx: .*fetch|Failed to load resource/;

scene(
  'the program is killed and comes back: the page says so, connects by itself and shows what happened meanwhile',
  async ({ viewer, actor, server }) => {
    const [eve, cy] = [await viewer('eve'), await viewer('cy', { query: '?searchKeyword=brandt' })];
    await eve.part('q').focus();
    await actor('ben').kick('dee');
    await eve.gone('dee');
    await server.kill();
    await Promise.all([eve.live('reconnecting'), cy.live('reconnecting')]);
    assert.match(await eve.part('live').textContent(), /Reconnecting/);
    await eve.part('live').waitFor({ state: 'visible' });
    await server.restart();
    await actor('ben').kick('p03');
    await actor('new', 'Aaron Brandt').join();
    await Promise.all([eve.live('on'), cy.live('on')]);
    for (const one of [eve, cy]) {
      await one.there('new');
      await sameAsFresh(one);
    }
    assert.equal(await cy.row('p03').count(), 0);
    assert.equal(await eve.row('dee').count(), 0, 'what was acknowledged is not lost');
    assert.equal(await eve.focused(), `${eve.x}-q`);
    assert.equal(await eve.part('live').isVisible(), false);
  },
  { complaints: BROKEN },
);

scene('a node that is cut off from the log says so and keeps its list, and says when it has caught up', async ({ viewer, actor, server }) => {
  const eve = await viewer('eve');
  await eve.live('on');
  await server.hideLog(true);
  await eve.live('reconnecting');
  await eve.part('live').waitFor({ state: 'visible' });
  assert.equal(await eve.row('dee').count(), 1);
  await server.hideLog(false);
  await eve.live('on');
  await actor('ben').kick('dee');
  await eve.gone('dee');
});

scene(
  'a connection that is cut again and again loses nothing and shows nothing twice',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base });
    for (const turn of [1, 2]) {
      road.down = true;
      road.cut();
      await eve.live('reconnecting');
      await actor(`n${turn}`, `Aaa Number ${turn}`).join();
      await actor('ben').kick(`p0${turn}`);
      road.down = false;
      await eve.live('on');
      await eve.there(`n${turn}`);
      await sameAsFresh(eve);
    }
    const joined = await eve.heard('member-joined');
    assert.deepEqual(
      joined.map(({ member }) => member.uid),
      ['n1', 'n2'],
    );
  },
  { complaints: BROKEN },
);

scene(
  'a proxy that passes on the head of the stream and holds back the rest makes no list live',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const forward = road.forward;
    road.forward = (request, incoming, answer) => {
      if (!request.url.includes('/events')) return forward(request, incoming, answer);
      answer.writeHead(incoming.statusCode, incoming.headers);
      answer.flushHeaders();
    };
    const eve = await viewer('eve', { base: road.base, live: false });
    await road.until(() => road.streams() === 1);
    await eve.atRest();
    assert.notEqual(await eve.root.getAttribute('data-live'), 'on');
    await actor('ada').kick('dee');
    road.forward = forward;
    road.cut();
    await eve.gone('dee');
    await eve.live('on');
  },
  { complaints: /net::ERR_|Failed to load resource|htmx/ },
);

scene('a tab that nobody looks at hangs up, and catches up when it is looked at again', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const look = (hidden) =>
    eve.page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await look(true);
  await eve.live('reconnecting');
  const streams = () => road.asked.filter((line) => line.includes('/events')).length;
  const before = streams();
  await actor('ben').kick('dee');
  await actor('new', 'Aaron New').join();
  assert.equal(await eve.row('dee').count(), 1);
  await look(false);
  await eve.live('on');
  await eve.gone('dee');
  await eve.there('new');
  await sameAsFresh(eve);
  assert.equal(streams(), before + 1);
});

scene('a connection that falls silent for 45 seconds is given up, and the next one loses nothing', async ({ viewer, actor, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base, live: false });
  await eve.page.clock.install();
  await eve.page.reload();
  await eve.page.locator(`#${eve.x}[data-live="on"] #${eve.x}-m-eve[data-status="online"]`).waitFor({ state: 'attached' });
  const streams = () => road.asked.filter((line) => line.includes('/events')).length;
  const before = streams();
  // The heartbeats of the server come by its own clock: none comes in this time of the page.
  await eve.page.clock.runFor(50_000);
  await road.until(() => streams() > before);
  await actor('ben').kick('dee');
  await eve.gone('dee');
  await eve.live('on');
  await sameAsFresh(eve);
});

scene(
  'a viewer who was kicked while the connection was cut is told so, and the stream stays closed',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const dee = await viewer('dee', { base: road.base });
    road.down = true;
    road.cut();
    await dee.live('reconnecting');
    await actor('ben').kick('dee');
    road.down = false;
    await dee.live('off');
    assert.match(await dee.root.innerText(), /not in this group any more/);
    assert.equal(await dee.page.locator('[data-uid]').count(), 0, 'what is not theirs to see is not shown');
    const asked = road.asked.length;
    const eve = await viewer('eve');
    await actor('ben').kick('cy');
    await eve.gone('cy');
    assert.equal(road.asked.length, asked);
  },
  { complaints: BROKEN },
);

scene('a token that ends: the rows stay, the page says that it is not live, and the host hears of it', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { ttl: '8s' });
  const before = await eve.order();
  await eve.live('off');
  await actor('ben').kick('dee');
  const ben = await viewer('ben');
  assert.equal(await ben.row('dee').count(), 0);
  assert.deepEqual(await eve.order(), before);
  await eve.part('live').filter({ hasText: 'Not live' }).waitFor();
  assert.equal((await eve.heard('expired')).length, 1);
});

scene('with a new token in the cookie and a word from the host, the same page goes on', async ({ viewer, actor, server }) => {
  const eve = await viewer('eve', { ttl: '8s' });
  await eve.live('off');
  await actor('ben').kick('dee');
  await eve.context.addCookies([{ name: 'chat_token', value: await server.token('eve'), url: server.base, httpOnly: true }]);
  await eve.page.evaluate(() => document.dispatchEvent(new CustomEvent('chat-group-members:resume')));
  await eve.live('on');
  await eve.gone('dee');
  await sameAsFresh(eve);
});

for (const [first, then, acts] of [
  ['ben', 'dee', 0],
  ['dee', 'ben', 1],
])
  scene(`when ${then} has signed in where ${first} was, the list becomes theirs with the next connection`, async ({ viewer, actor, server }) => {
    const page = await viewer(first, { ttl: '8s', query: '?selectionMode=multiple' });
    if (!acts) {
      await page.part('s-eve').click();
      await page.dialog('eve', 'kick');
    }
    await page.live('off');
    await page.context.addCookies([{ name: 'chat_token', value: await server.token(then), url: server.base, httpOnly: true }]);
    await page.page.evaluate(() => document.dispatchEvent(new CustomEvent('chat-group-members:resume')));
    await page.live('on');
    await page.page.locator(`#${page.x}[data-self="${then}"]`).waitFor();
    await page.row(then).getByText('you', { exact: true }).waitFor();
    assert.equal(await page.row(first).getByText('you', { exact: true }).count(), 0);
    // What the one before had begun is over.
    await page.closed();
    // The focus is back on the row, and would hold it as the mouse would.
    await page.page.evaluate(() => document.activeElement.blur());
    await page.page.mouse.move(0, 0);
    assert.deepEqual(await page.root.evaluate((root) => root.chatGroupMembers.selected()), []);
    assert.equal((await page.page.locator(`#${page.x}-list [data-acts]`).count()) > 0, acts > 0);
    page.uid = then;
    await actor('ada').kick('eve');
    await page.gone('eve');
    await sameAsFresh(page);
  });

scene('a host that has the next token at hand, and says so at once when the last one ends, has a list that goes on', async ({ viewer, actor, server }) => {
  const eve = await viewer('eve', { ttl: '8s', live: false });
  await eve.page.clock.install();
  await eve.page.reload();
  await eve.context.addCookies([{ name: 'chat_token', value: await server.token('eve'), url: server.base, httpOnly: true }]);
  await eve.page.evaluate(() => {
    document.addEventListener('chat-group-members:expired', () => document.dispatchEvent(new CustomEvent('chat-group-members:resume')));
  });
  await eve.until(() => window.heard.some(({ name }) => name === 'expired'));
  await eve.live('on');
  // Time for further tries, should there be any.
  await eve.page.clock.runFor(5_000);
  await eve.live('on');
  await actor('ben').kick('dee');
  await eve.gone('dee');
  await sameAsFresh(eve);
});

scene(
  'whoever tries again by keyboard is at the next try while it fails, and then in the list',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base });
    road.broken = /part=rows/;
    await eve.scrollTo(1e6);
    const retry = eve.part('error').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    const asked = () => road.asked.filter((line) => line.includes('part=rows')).length;
    const before = asked();
    await retry.press('Enter');
    await road.until(() => asked() > before);
    await eve.until((id) => document.activeElement.matches(`#${id} button`), `${eve.x}-error`);
    road.broken = null;
    await retry.press('Enter');
    await eve.until((id) => document.activeElement.closest(`#${id}-list`), eve.x);
  },
  { complaints: BROKEN },
);

scene(
  'a page of the list that fails says so and can be tried again',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base });
    road.broken = /part=rows/;
    await eve.scrollTo(1e6);
    const retry = eve.part('error').getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    assert.equal((await eve.heard('error'))[0].code, 'ERR_UNAVAILABLE');
    road.broken = null;
    await retry.click();
    await eve.until((id) => document.querySelectorAll(`#${id} > [data-uid]`).length > 30, `${eve.x}-list`);
    assert.equal(await eve.part('error').innerText(), '');
    await eve.away();
    await sameAsFresh(eve);
  },
  { complaints: BROKEN },
);

scene(
  'who is given other rights while the connection is cut, and searches before it is back, has them around the list too',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const dee = await viewer('dee', { base: road.base });
    road.broken = /\/events\?/;
    road.cut();
    await dee.live('reconnecting');
    await actor('ada').scope('dee', 'admin');
    await dee.search('eve');
    await dee.button('eve').waitFor();
    road.broken = null;
    await dee.part('bans').waitFor();
    await dee.live('on');
    await sameAsFresh(dee);
  },
  { complaints: BROKEN },
);

scene('who is given other rights keeps the stream that is open', async ({ viewer, actor }) => {
  const dee = await viewer('dee');
  const streams = [];
  dee.page.on('request', (request) => request.url().includes('/events?') && streams.push(request.url()));
  for (const scope of ['admin', 'participant']) {
    await actor('ada').scope('dee', scope);
    await dee.page.locator(`#${dee.x}[data-scope="${scope}"][data-live="on"]`).waitFor();
    await sameAsFresh(dee);
  }
  assert.deepEqual(streams, []);
});

scene(
  'whoever acts or searches without a token any more is told to sign in',
  async ({ viewer }) => {
    const ben = await viewer('ben');
    await ben.dialog('dee', 'kick');
    await ben.context.clearCookies();
    await ben.part('dialog').locator('button[data-action]').click();
    const alert = ben.part('dialog').locator('[role="alert"]');
    await alert.waitFor();
    assert.match(await alert.innerText(), /sign in again/);
    await ben.page.keyboard.press('Escape');
    await ben.part('q').fill('dubois');
    await ben.part('error').locator('[role="alert"]', { hasText: 'sign in again' }).waitFor();
  },
  { complaints: /401 \(Unauthorized\)|htmx/ },
);

for (const [what, which] of [
  ['an act', /members\/dee/],
  ['a search', /searchKeyword=brandt/],
])
  scene(
    `while the stream tries to come back, ${what} that takes its time is not given up`,
    async ({ viewer, proxy }) => {
      const road = await proxy();
      const ben = await viewer('ben', { base: road.base });
      await ben.search('d');
      await ben.dialog('dee', 'kick');
      road.broken = /\/events/;
      road.cut();
      await ben.live('reconnecting');
      const gate = road.gate(which);
      if (what === 'a search') {
        await ben.page.keyboard.press('Escape');
        await ben.part('q').fill('brandt');
      } else await ben.part('dialog').locator('button[data-action]').click();
      await gate.arrived;
      const tries = road.asked.filter((line) => line.includes('/events')).length;
      await road.until(() => road.asked.filter((line) => line.includes('/events')).length > tries);
      gate.open();
      if (what === 'a search') await ben.there('p10');
      else await ben.closed();
      assert.deepEqual(await ben.heard('error'), []);
      road.broken = null;
      await ben.live('on');
      await ben.away();
      await sameAsFresh(ben);
    },
    { complaints: /502|net::ERR_|Failed to load resource|htmx/ },
  );

scene(
  'a proxy that finds no way to the service for a moment puts nobody out: the list stays, and goes on',
  async ({ viewer, actor, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base });
    let refused = 0;
    road.refuses = (request, answer) => {
      if (!request.url.includes('/events?')) return false;
      answer.writeHead([404, 403, 400][refused++ % 3], { 'Content-Type': 'text/html' });
      answer.end('<h1>No backend</h1>');
      return true;
    };
    road.cut();
    await road.until(() => refused >= 3);
    assert.equal(await eve.row('dee').count(), 1);
    await actor('ben').kick('dee');
    road.refuses = () => false;
    await eve.live('on');
    await eve.gone('dee');
    await sameAsFresh(eve);
  },
  { complaints: BROKEN },
);
