// Finding somebody: the search box, the quick filters, the pages.

import assert from 'node:assert/strict';

import { people } from './cast.mjs';
import { scene, stage } from './support.mjs';

stage();

scene('Eve finds people by any part of the name, without its accents, in any script, or by the uid', async ({ viewer }) => {
  const eve = await viewer('eve');
  for (const [text, found] of [
    ['angstrom', ['zoe']],
    ['ANGSTRÖM', ['zoe']],
    ['dupre', ['elo']],
    ['gross', ['jue']],
    ['петр', ['anp']],
    ['小明', ['wxm']],
    ['さく', ['sak']],
    ['김민', ['min']],
    ['الزهراء', ['fat']],
    ['כהן', ['dav']],
    ['παπα', ['gio']],
    ['p00', ['p00']],
    ['"quoted"', ['html']],
  ]) {
    await eve.search(text);
    assert.deepEqual(await eve.uids(), found, text);
    assert.equal(new URL(eve.page.url()).searchParams.get('searchKeyword'), text, 'the address bar follows');
    assert.equal(await eve.root.getAttribute('data-count'), String(found.length));
  }
  assert.equal(await eve.focused(), `${eve.x}-q`, 'the box keeps the focus all the while');
});

scene('clearing the box shows everybody again, and the address is clean', async ({ viewer, guid }) => {
  const eve = await viewer('eve', { query: '?searchKeyword=marlowe' });
  assert.deepEqual(await eve.order(), ['# moderator 1', 'cy']);
  assert.equal(await eve.part('q').inputValue(), 'marlowe');
  await eve.search('');
  assert.equal(await eve.rows.count(), 30);
  assert.equal(new URL(eve.page.url()).pathname + new URL(eve.page.url()).search, `/groups/${guid}/members`);
  assert.equal(await eve.root.getAttribute('data-count'), String(people().length));
});

scene('a browser that puts the box back to its default value leaves in it what Eve searched last', async ({ viewer }) => {
  const eve = await viewer('eve', { query: '?searchKeyword=okafor' });
  const putBack = () => eve.part('q').evaluate((box) => box.form.reset());
  for (const text of ['marlowe', '', 'dubois']) {
    await eve.search(text);
    // As WebKit does on the way back, on a page that it has kept.
    await putBack();
    assert.equal(await eve.part('q').inputValue(), text);
  }
  await eve.part('f-moderators').click();
  await eve.until((id) => document.getElementById(id).dataset.query.includes('filter=moderators'), `${eve.x}-view`);
  await putBack();
  assert.equal(await eve.part('q').inputValue(), 'dubois');
});

scene('a search that finds no one says so, and offers everybody', async ({ viewer }) => {
  const eve = await viewer('eve');
  await eve.search('nobody is called this');
  const searched = await eve.part('empty').innerText();
  assert.match(searched, /No one matches/);
  assert.equal((await eve.heard('empty')).length, 1);
  await eve.until((id) => /No one matches/.test(document.getElementById(id).textContent), `${eve.x}-say`);
  await eve.part('empty').getByRole('link').press('Enter');
  await eve.row('ada').waitFor();
  await eve.focusOn('m-ada');
});

scene('the quick filters show admins, moderators and who is online, and keep the search', async ({ viewer }) => {
  await viewer('ben');
  const eve = await viewer('eve');
  const choose = async (filter) => {
    await eve.part(`f-${filter}`).click();
    await eve.page.locator(`#${eve.x}-f-${filter}[aria-current="true"]`).waitFor();
  };
  await choose('admins');
  assert.deepEqual(await eve.order(), ['# owner 1', 'ada', '# admin 1', 'ben']);
  await choose('moderators');
  assert.deepEqual(await eve.order(), ['# moderator 1', 'cy']);
  await choose('online');
  await eve.away();
  await eve.there('ben');
  await eve.there('eve');
  assert.deepEqual(await eve.order(), ['# admin 1', 'ben', '# participant 1', 'eve']);
  await eve.search('okafor');
  assert.deepEqual(await eve.uids(), ['ben']);
  assert.equal(await eve.part('f-online').getAttribute('aria-current'), 'true');
  await choose('all');
  assert.deepEqual(await eve.uids(), ['ben'], 'the search stays');
});

scene('scrolling to the end visits everybody exactly once, in the order that the data gives', async ({ viewer, actor }) => {
  const eve = await viewer('eve');
  while (await eve.further());
  const uids = await eve.uids();
  assert.equal(new Set(uids).size, uids.length);
  const all = [];
  for (let next = ''; next !== null; ) {
    const { data, meta } = await actor('eve').members(`?limit=100${next && `&cursor=${encodeURIComponent(next)}`}`);
    all.push(...data.map(({ uid }) => uid));
    next = meta.next;
  }
  assert.deepEqual(uids, all);
  assert.equal(all.length, people().length);
});

scene('without JavaScript the same pages are behind a link, and the search behind a button', async ({ viewer }) => {
  const eve = await viewer('eve', { javaScriptEnabled: false });
  const seen = [];
  for (;;) {
    seen.push(...(await eve.uids()));
    const next = eve.page.getByRole('link', { name: 'More members' });
    if (!(await next.count())) break;
    await next.click();
  }
  assert.equal(seen.length, people().length);
  assert.equal(new Set(seen).size, seen.length);
  await eve.part('q').fill('dupre');
  await eve.page.getByRole('button', { name: 'Search' }).click();
  assert.deepEqual(await eve.uids(), ['elo']);
});

scene('a word that is composed is searched once it is done', async ({ viewer, proxy }) => {
  const road = await proxy();
  const eve = await viewer('eve', { base: road.base });
  const session = await eve.context.newCDPSession(eve.page);
  await eve.part('q').focus();
  const before = road.asked.filter((line) => line.includes('part=view')).length;
  for (const text of ['w', 'wa', '王']) {
    await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await eve.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  }
  assert.equal(road.asked.filter((line) => line.includes('part=view')).length, before);
  await session.send('Input.insertText', { text: '王' });
  await eve.searched('王');
  assert.deepEqual(await eve.uids(), ['wxm']);
  assert.equal(road.asked.filter((line) => line.includes('part=view')).length, before + 1);
});

scene(
  'a search that failed is not asked again in the middle of a word that is composed',
  async ({ viewer, proxy }) => {
    const road = await proxy();
    const eve = await viewer('eve', { base: road.base });
    const session = await eve.context.newCDPSession(eve.page);
    const composes = (text) => session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    const searches = () => road.asked.filter((line) => line.includes('part=view'));
    road.down = true;
    road.cut();
    await eve.live('reconnecting');
    await eve.part('f-admins').click();
    await eve.part('error').getByRole('alert').waitFor();
    await eve.part('q').focus();
    await composes('w');
    const before = searches().length;
    road.down = false;
    await road.until(() => road.streams() === 1);
    await composes('wa');
    await eve.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
    assert.deepEqual(searches().slice(before), []);
    await session.send('Input.insertText', { text: '王' });
    await eve.searched('王');
    assert.equal(searches().length, before + 1);
    assert.match(searches().at(-1), /filter=admins/);
  },
  { complaints: /net::ERR_|Failed to load resource|htmx/ },
);
