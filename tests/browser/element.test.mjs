// `<chat-group-members>` in a plain page of another site, from one script tag, with a bearer.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import { Proxy } from './proxy.mjs';
import { scene, stage } from './support.mjs';

// The host is http://localhost, the service http://127.0.0.1: two sites.
const [host, road] = [await Proxy.start(), await Proxy.start()];
stage(() => ({ CGM_ALLOW_ORIGIN: host.elsewhere, CGM_PUBLIC_URL: road.base }));
after(() => Promise.all([host.stop(), road.stop()]));

/** What a browser says of requests that failed. */
const FAILED = /net::ERR_|Failed to load resource|blocked by CORS/;

/** Ben at a page of the host with this in its body. */
async function visit({ viewer, server, guid }, body, { live = true, script = '', instance = '' } = {}) {
  road.target = new URL(server.base);
  road.asked.length = 0;
  host.pages.set('/early.js', script);
  host.pages.set(
    '/',
    `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"><script src="/early.js"></script>
<script src="${road.base}/static/chat-group-members.js" defer></script></head><body><h1>A page</h1>${body}</body></html>`,
  );
  const ben = await viewer('ben', { base: host.elsewhere, path: '/', live: false, cookie: false });
  ben.x = `cgm-${guid}${instance && `-${instance}`}`;
  if (live) await ben.live('on');
  return ben;
}

const counted = (which) => road.asked.filter((line) => which.test(line)).length;
const LISTS = /^GET .*part=component/;
const element = (ben) => ben.page.locator('chat-group-members').first();

scene('one tag gives a list that lives, is searched, paged and acted on, with its looks', async (it) => {
  const { actor, server, guid } = it;
  const token = await server.token('ben');
  const ben = await visit(
    it,
    `<chat-group-members group="${guid}" token="${token}" title="Crew" hide-ban-member-option style="height: 480px"></chat-group-members>`,
  );
  assert.equal(counted(LISTS), 1);
  assert.equal(await ben.part('title').innerText(), 'Crew');
  assert.equal(await ben.root.getAttribute('title'), '', 'which is no tooltip over everything');
  assert.equal(await ben.page.locator('link[href*="css-variables"]').count(), 1);
  assert.equal(await ben.root.evaluate((root) => getComputedStyle(root).display), 'flex');
  await actor('ada').kick('eve');
  await ben.gone('eve');
  await ben.search('brandt');
  await ben.there('p10');
  await ben.search('');
  await ben.further();
  await ben.scrollTo(0);
  await ben.menu('dee');
  assert.deepEqual(
    await ben
      .part('menu')
      .locator('[data-action]')
      .evaluateAll((acts) => acts.map(({ dataset }) => dataset.action)),
    ['scope', 'notes', 'mute', 'kick'],
  );
  await ben.page.keyboard.press('Escape');
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await ben.gone('dee');
  assert.equal((await ben.heard('member-kicked')).length, 2, 'events reach the document of the host');
  assert.ok(!road.asked.some((line) => line.includes(token.slice(-20))), 'the token is in no address');
  assert.equal(await ben.root.evaluate((root, token) => root.outerHTML.includes(token), token.slice(-20)), false);
});

/** A page on which a script puts the element into a shadow root. */
async function visitInShadow(it) {
  const script = `addEventListener('load', () => {
    const list = Object.assign(document.createElement('chat-group-members'), { token: '${await it.server.token('ben')}' });
    list.setAttribute('group', '${it.guid}');
    document.getElementById('shadow').attachShadow({ mode: 'open' }).append(list);
  });`;
  return visit(it, '<div id="shadow" style="height: 480px"></div>', { script });
}

scene('in a shadow root the element brings its looks there', async (it) => {
  const ben = await visitInShadow(it);
  assert.equal(await ben.root.evaluate((root) => getComputedStyle(root).display), 'flex');
  assert.equal(await ben.page.evaluate(() => document.head.querySelectorAll('link[href*="css-variables"]').length), 1, 'for the variables');
  assert.match(await ben.row('dee').evaluate((row) => getComputedStyle(row).minBlockSize), /^[1-9]/, 'which reach the rows');
  await ben.menu('dee');
  await ben.part('menu').locator('[data-action=notes]').click();
  await ben.part('dialog').getByRole('textbox', { name: 'Note' }).fill('Written in a shadow.');
  await ben.part('dialog').getByRole('button', { name: 'Add note' }).click();
  await ben.part('dialog').getByRole('listitem').filter({ hasText: 'Written in a shadow.' }).waitFor();
});

scene('in a shadow root an element that is taken away hangs up, and goes on when it is put back', async (it) => {
  const ben = await visitInShadow(it);
  await ben.page.evaluate(() => {
    window.taken = document.getElementById('shadow').shadowRoot.querySelector('chat-group-members');
    window.taken.remove();
  });
  await road.until(() => road.streams() === 0);
  await it.actor('ada').kick('dee');
  await ben.page.evaluate(() => document.getElementById('shadow').shadowRoot.append(window.taken));
  await ben.gone('dee');
  await ben.live('on');
  assert.equal(road.streams(), 1);
  assert.equal(counted(LISTS), 1, 'what is put back is not fetched again');
});

scene('a list that is put away while the script of acts comes, and back, is acted on', async (it) => {
  const slow = road.gate(/-acts[^/]*\.js/);
  const token = await it.server.token('ben');
  const ben = await visit(it, `<div id="place"><chat-group-members group="${it.guid}" token="${token}" style="height: 480px"></chat-group-members></div>`);
  await slow.arrived;
  await ben.page.evaluate(() => {
    window.taken = document.getElementById('place');
    window.taken.remove();
  });
  const came = ben.page.waitForResponse(/-acts[^/]*\.js/);
  slow.open();
  await came;
  await ben.page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  await ben.page.evaluate(() => document.body.append(window.taken));
  const address = ben.page.url();
  await ben.dialog('dee', 'kick');
  await ben.confirm();
  await ben.gone('dee');
  assert.equal(ben.page.url(), address);
});

scene('attributes are props: a change of several asks for the list once, and its stream has them too', async (it) => {
  const ben = await visit(
    it,
    `<chat-group-members group="${it.guid}" token="${await it.server.token('ben')}" search-keyword="brandt" limit="5"></chat-group-members>`,
  );
  assert.equal(await ben.part('q').inputValue(), 'brandt');
  assert.match(await ben.page.locator(`#${ben.x}-stream`).getAttribute('data-connect'), /searchKeyword=brandt&limit=5/);
  await element(ben).evaluate((one) => {
    one.removeAttribute('search-keyword');
    one.removeAttribute('limit');
    one.setAttribute('scopes', 'admin,moderator');
    one.toggleAttribute('hide-search', true);
  });
  await ben.there('cy');
  await ben.live('on');
  assert.deepEqual(await ben.uids(), ['ben', 'cy']);
  assert.equal(await ben.part('q').count(), 0);
  assert.equal(counted(LISTS), 2);
  // The stream of the old list ends: its connection closes when it does.
  await road.until(() => road.streams() === 1);
  await it.actor('ada').scope('dee', 'moderator');
  await ben.there('dee');
  await it.actor('ada').scope('dee', 'participant');
  await ben.gone('dee');
});

scene('another group in the same element', async (it) => {
  const other = await it.server.group();
  const ben = await visit(it, `<chat-group-members group="${it.guid}" token="${await it.server.token('ben')}"></chat-group-members>`);
  await element(ben).evaluate((one, other) => one.setAttribute('group', other), other);
  ben.x = `cgm-${other}`;
  await ben.live('on');
  await it.actor('ada').kick('dee');
  await road.until(() => road.streams() === 1);
  assert.equal(await ben.page.locator('section.chat-group-members').count(), 1);
  assert.equal(await ben.row('dee').count(), 1, "the first group's news are not this group's");
});

scene('back to the first group before the list of another has come: the first stays', async (it) => {
  const other = await it.server.group();
  const ben = await visit(it, `<chat-group-members group="${it.guid}" token="${await it.server.token('ben')}"></chat-group-members>`);
  const gate = road.gate(new RegExp(`/groups/${other}/`));
  await element(ben).evaluate((one, other) => one.setAttribute('group', other), other);
  await gate.arrived;
  await element(ben).evaluate((one, first) => one.setAttribute('group', first), it.guid);
  await element(ben).evaluate(() => new Promise((done) => setTimeout(done, 50)));
  gate.open();
  await ben.search('brandt');
  await it.actor('ada').kick('p10');
  await ben.gone('p10');
  assert.equal(await element(ben).getAttribute('aria-busy'), null);
});

for (const open of ['menu', 'dialog']) {
  scene(`an element that is put away with its ${open} open has it closed when it is put back, and opens it again`, async (it) => {
    const token = await it.server.token('ben');
    const ben = await visit(it, `<chat-group-members group="${it.guid}" token="${token}" style="height: 480px"></chat-group-members>`);
    if (open === 'menu') await ben.menu('dee');
    else await ben.dialog('dee', 'kick');
    await ben.page.evaluate(() => {
      window.taken = document.querySelector('chat-group-members');
      window.taken.remove();
    });
    await road.until(() => road.streams() === 0);
    await ben.page.evaluate(() => document.body.append(window.taken));
    await ben.live('on');
    assert.equal(await ben.page.locator('dialog[open], [aria-expanded=true]').count(), 0);
    await ben.atRest();
    await ben.dialog('dee', 'kick');
    assert.ok(await ben.part('dialog').evaluate((dialog) => dialog.matches(':modal')));
    await ben.confirm();
    await ben.gone('dee');
  });
}

scene(
  'another group that is not there: the element shows the error, and the first group no more',
  async (it) => {
    const ben = await visit(it, `<chat-group-members group="${it.guid}" token="${await it.server.token('ben')}"></chat-group-members>`);
    await element(ben).evaluate((one) => one.setAttribute('group', 'nowhere'));
    await ben.page.getByRole('alert').filter({ hasText: 'There is no such group, or it is not yours to see.' }).waitFor();
    assert.equal(await ben.page.locator('section.chat-group-members').count(), 0);
    await road.until(() => road.streams() === 0);
    await element(ben).evaluate((one, guid) => one.setAttribute('group', guid), it.guid);
    await ben.live('on');
    assert.equal(await ben.page.getByRole('alert').count(), 0);
  },
  { complaints: FAILED },
);

scene("when the token becomes another person's, the list of the first goes at once, and the other's comes", async (it) => {
  const ben = await visit(it, `<chat-group-members group="${it.guid}"></chat-group-members>`, { live: false });
  const give = (token) =>
    element(ben).evaluate((one, token) => {
      one.token = token;
      return one.querySelectorAll('section').length;
    }, token);
  await give(await it.server.token('ben'));
  await ben.live('on');
  assert.equal(await ben.root.getAttribute('data-self'), 'ben');
  assert.equal(await give(await it.server.token('eve')), 0, 'at once');
  await ben.live('on');
  assert.equal(await ben.root.getAttribute('data-self'), 'eve');
  assert.equal(await ben.button('dee').count(), 0, 'Eve may do nothing to anybody');
  await road.until(() => road.streams() === 1);
  const asked = counted(/groups/);
  const expired = (await ben.heard('expired')).length;
  assert.equal(await give(null), 0, 'nobody looks: nothing is shown');
  await ben.until((before) => window.heard.filter(({ name }) => name === 'expired').length > before, expired);
  await road.until(() => road.streams() === 0);
  assert.equal(counted(/groups/), asked, 'and nothing is asked');
  // The answer for Ben is on its way when Eve takes over.
  const gate = road.gate(/part=component/);
  await give(await it.server.token('ben'));
  await gate.arrived;
  await give(await it.server.token('eve'));
  gate.open();
  await ben.live('on');
  assert.equal(await ben.root.getAttribute('data-self'), 'eve');
});

scene(
  'an address that answers everything with a page of the host is an error, and that page is not put into itself',
  async (it) => {
    const loop = `<!doctype html><html lang="en"><head><title>An app</title></head><body><chat-group-members group="${it.guid}" token="x" src="${host.elsewhere}/app"></chat-group-members></body></html>`;
    for (const path of [`groups/${it.guid}/members?part=component`, 'static/css-variables.css', 'static/words.json?lang=en'])
      host.pages.set(`/app/${path}`, loop);
    const body = `<chat-group-members group="${it.guid}" token="${await it.server.token('ben')}" src="${host.elsewhere}/app"></chat-group-members>`;
    const ben = await visit(it, body, { live: false });
    await ben.page.getByRole('alert').filter({ hasText: 'The members cannot be shown.' }).waitFor();
    assert.equal(await ben.page.locator('chat-group-members').count(), 1);
    assert.deepEqual(
      (await ben.heard('error')).map(({ code, details }) => [code, details]),
      [['ERR_UNAVAILABLE', 'HTTP 200']],
    );
  },
  { complaints: /MIME type/ },
);

scene('on the origin of the service a token that comes with the page, or is announced, is waited for', async (it) => {
  road.target = new URL(it.server.base);
  for (const [path, tag, script] of [
    [
      '/late',
      '<chat-group-members GROUP></chat-group-members>',
      "addEventListener('DOMContentLoaded', () => (document.querySelector('chat-group-members').token = 'TOKEN'))",
    ],
    [
      '/announced',
      '<chat-group-members GROUP token></chat-group-members>',
      "addEventListener('chat-group-members:expired', ({ target }) => setTimeout(() => (target.token = 'TOKEN'), 200))",
    ],
  ]) {
    const script$ = script.replace('TOKEN', await it.server.token('ben'));
    road.pages.set(
      path,
      `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"><script src="/static/chat-group-members.js" defer></script></head>
<body><h1>A page</h1>${tag.replace('GROUP', `group="${it.guid}"`)}<script>${script$}</script></body></html>`,
    );
    road.asked.length = 0;
    const ben = await it.viewer('ben', { base: road.base, path, live: false, cookie: false });
    await ben.live('on');
    assert.equal(counted(LISTS), 1, 'one question, and none that is refused');
  }
});

scene('it is as high as its place, and its rows scroll inside', async (it) => {
  const tag = `<chat-group-members group="${it.guid}" token="${await it.server.token('ben')}"></chat-group-members>`;
  for (const style of ['block-size: 400px', 'max-block-size: 400px', 'display: flex; flex-direction: column; block-size: 400px']) {
    const ben = await visit(it, `<div id="place" style="${style}; inline-size: 360px">${tag}</div>`);
    assert.deepEqual(
      await ben.page.$$eval('chat-group-members, chat-group-members > section', (boxes) => boxes.map(({ offsetHeight }) => offsetHeight)),
      [400, 400],
      style,
    );
    assert.ok(await ben.page.$eval('.chat-group-members__scroll', (box) => box.scrollHeight > box.clientHeight), style);
  }
});

scene('without a token it asks the host for one, and for a new one when it has ended, without another page load', async (it) => {
  const styles = `<link rel="stylesheet" href="${road.base}/static/css-variables.css">`;
  const ben = await visit(it, `${styles}<chat-group-members group="${it.guid}"></chat-group-members>`, { live: false });
  await ben.until(() => window.heard.some(({ name }) => name === 'expired'));
  assert.equal(await element(ben).innerText(), '', 'no word is said in a language that is not known yet');
  assert.ok((await element(ben).boundingBox()).height > 40, 'a row that is none yet holds the place');
  assert.equal(road.asked.filter((line) => /groups/.test(line)).length, 0, 'nothing is asked that would be refused');
  const give = async (token) => element(ben).evaluate((one, token) => (one.token = token), token);
  await give(await it.server.token('ben', { ttl: '8s' }));
  await ben.live('on');
  assert.equal(await element(ben).getAttribute('token'), null, 'the property stays out of the DOM');
  await ben.live('off');
  assert.equal((await ben.heard('expired')).length, 2);
  await it.actor('ada').kick('dee');
  await give(await it.server.token('ben'));
  await ben.live('on');
  await ben.gone('dee');
  assert.equal(counted(LISTS), 1, 'the list is not fetched again');
  await ben.dialog('cy', 'kick');
  await ben.confirm();
  await ben.gone('cy');
});

scene('with a token that the host renews ahead of time the stream goes on under the new one', async (it) => {
  const ben = await visit(it, `<chat-group-members group="${it.guid}"></chat-group-members>`, { live: false });
  const give = (token) => element(ben).evaluate((one, token) => (one.token = token), token);
  await give(await it.server.token('ben', { ttl: '8s' }));
  await ben.live('on');
  const expired = (await ben.heard('expired')).length;
  const streams = counted(/events/);
  await give(await it.server.token('ben'));
  await road.until(() => counted(/events/) > streams && road.streams() === 1);
  await ben.live('on');
  await it.actor('ada').kick('dee');
  await ben.gone('dee');
  assert.equal(counted(LISTS), 1, 'the list is not fetched again');
  assert.equal((await ben.heard('expired')).length, expired, 'nobody is asked for another');
});

scene(
  'a token that is refused: the host hears of it, and gives another',
  async (it) => {
    const ben = await visit(it, `<chat-group-members group="${it.guid}" token="not.a.token"></chat-group-members>`, { live: false });
    await ben.page.getByRole('alert').filter({ hasText: 'Please sign in again' }).waitFor();
    assert.equal((await ben.heard('expired')).length, 1);
    await element(ben).evaluate((one, token) => one.setAttribute('token', token), await it.server.token('ben'));
    await ben.live('on');
    assert.equal(await ben.page.getByRole('alert').count(), 0);
  },
  { complaints: FAILED },
);

scene('a token that the host sets before our script has come is used', async (it) => {
  const token = await it.server.token('ben');
  const script = `addEventListener('DOMContentLoaded', () => {}); new MutationObserver((_, watch) => {
    const one = document.querySelector('chat-group-members');
    if (one) { watch.disconnect(); one.token = '${token}'; }
  }).observe(document, { childList: true, subtree: true });`;
  await visit(it, `<chat-group-members group="${it.guid}"></chat-group-members>`, { script });
});

scene('two of one group live side by side; one that is taken away hangs up, and goes on when it is put back', async (it) => {
  const token = await it.server.token('ben');
  // All on one page: of a list that is taken away while a page is on its way, all is fetched again.
  const tag = (instance) => `<chat-group-members group="${it.guid}" instance="${instance}" limit="100" token="${token}"></chat-group-members>`;
  const ben = await visit(it, tag('a') + tag('b'), { instance: 'a' });
  await ben.page.locator(`#cgm-${it.guid}-b[data-live="on"]`).waitFor();
  assert.equal(await ben.page.locator('link[href*="css-variables"]').count(), 1);
  await ben.page.evaluate(() => {
    window.taken = document.querySelector('chat-group-members');
    window.taken.remove();
  });
  await road.until(() => road.streams() === 1);
  await it.actor('ada').kick('dee');
  await ben.page.locator(`#cgm-${it.guid}-b-m-dee`).waitFor({ state: 'detached' });
  await ben.page.evaluate(() => document.body.append(window.taken));
  await ben.gone('dee');
  assert.equal(road.streams(), 2);
  assert.equal(counted(LISTS), 2, 'what is put back is not fetched again');
});

for (const [what, part] of [
  ['its list is fetched anew', /part=rows.*until=/],
  ['a page is on its way', /part=rows.*cursor=/],
]) {
  scene(`an element that is put away while ${what} has all of it when it is put back`, async (it) => {
    const token = await it.server.token('ben');
    const ben = await visit(it, `<chat-group-members group="${it.guid}" token="${token}" style="height: 480px"></chat-group-members>`);
    const gate = road.gate(part);
    if (what.startsWith('its list')) await it.actor('ada').scope('ben', 'moderator');
    else await ben.scrollTo(1e6);
    await gate.arrived;
    await ben.page.evaluate(() => {
      window.taken = document.querySelector('chat-group-members');
      window.taken.remove();
    });
    await road.until(() => road.streams() === 0);
    gate.open();
    await ben.page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
    await ben.page.evaluate(() => document.body.append(window.taken));
    await ben.live('on');
    await ben.away();
    if (what.startsWith('a page')) while (await ben.further());
    else await ben.until((id) => !document.querySelector(`#${id}-m-cy[data-acts]`), ben.x);
  });
}

scene(
  'a service that is away: the element says so, offers to try again, and tries again by itself',
  async (it) => {
    const token = await it.server.token('ben');
    road.broken = /part=component/;
    const ben = await visit(it, `<chat-group-members group="${it.guid}" token="${token}"></chat-group-members>`, { live: false });
    await ben.page.getByRole('alert').filter({ hasText: 'The members cannot be shown.' }).waitFor();
    assert.equal((await ben.heard('error'))[0].code, 'ERR_UNAVAILABLE');
    await ben.page.getByRole('button', { name: 'Try again' }).press('Enter');
    // The question before the question is refused already.
    await road.until(() => counted(/part=component/) === 2);
    await ben.until(() => document.activeElement.matches('[role="alert"] button'));
    road.broken = null;
    await ben.live('on');
    assert.equal(await ben.page.getByRole('alert').count(), 0);
    assert.ok(await ben.page.evaluate(() => document.activeElement.closest('.chat-group-members__list')), 'a keyboard goes on in the list');
  },
  { complaints: FAILED },
);

scene('a service that takes the connection and never answers is one that is not reached, and is asked again', async (it) => {
  const token = await it.server.token('ben');
  const ben = await visit(it, '<p>no list yet</p>', { live: false });
  for (const address of [/part=component/, /words\.json/]) await ben.page.route(address, () => {}, { times: 1 });
  await ben.page.evaluate(
    ([group, token]) => {
      const element = Object.assign(document.createElement('chat-group-members'), { token });
      element.setAttribute('group', group);
      document.body.append(element);
    },
    [it.guid, token],
  );
  await ben.page.getByRole('alert').filter({ hasText: 'The members cannot be shown.' }).waitFor();
  await ben.live('on');
});

scene(
  'a group that is not there is said in the words of the service',
  async (it) => {
    const ben = await visit(it, `<chat-group-members group="nowhere" token="${await it.server.token('ben')}"></chat-group-members>`, { live: false });
    await ben.page.getByRole('alert').filter({ hasText: 'There is no such group, or it is not yours to see.' }).waitFor();
    assert.equal((await ben.heard('error'))[0].code, 'ERR_GUID_NOT_FOUND');
  },
  { complaints: FAILED },
);

scene(
  'the stream of an element comes back by itself, and what happened meanwhile is shown',
  async (it) => {
    const ben = await visit(it, `<chat-group-members group="${it.guid}" token="${await it.server.token('ben')}"></chat-group-members>`);
    road.cut();
    await it.actor('ada').kick('dee');
    await ben.gone('dee');
    await ben.live('on');
    assert.equal(counted(LISTS), 1);
  },
  { complaints: /net::ERR_|htmx:error|htmx: .*fetch|Failed to load resource/ },
);

scene(
  'a service that does not know its own address: the bearer goes only to the one the page names',
  async (it) => {
    const body = `<chat-group-members src="${road.elsewhere}" group="${it.guid}" token="${await it.server.token('ben')}"></chat-group-members>`;
    const ben = await visit(it, body, { live: false });
    await ben.there('ada');
    await ben.until(() => window.heard.some(({ name }) => name === 'expired'));
    await ben.live('off');
  },
  { complaints: /Failed to load resource/ },
);
