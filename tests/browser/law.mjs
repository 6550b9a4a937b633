// The law: when nothing is in flight or held, what is shown equals, row for row, what a fresh GET of
// the same window renders.

import assert from 'node:assert/strict';

/** Runs in the page: what is shown now, and what a fresh GET would show. */
async function bothSides(x) {
  const root = document.getElementById(x);
  const view = document.getElementById(`${x}-view`);
  const end = (side, name) => {
    const place = document.getElementById(`${x}-${side}`)?.dataset.order;
    return place ? `&${name}=${encodeURIComponent(place)}` : '';
  };
  const window = end('previous', 'from') + (end('next', 'until') || '&until=~');
  const get = async (part) => {
    const address = `${root.dataset.href}?${view.dataset.query}&part=${part}&markup=lean${window}`;
    const answer = await fetch(address, { headers: { 'HX-Request': 'true' }, cache: 'no-store' });
    const holder = document.createElement('template');
    holder.innerHTML = await answer.text();
    return holder.content;
  };
  const [rows, component] = [await get('rows'), await get('component')];
  const plain = (element) => {
    const copy = element.cloneNode(true);
    // What the script makes of a row: an id, a label, and the button of its menu for what the name leads to.
    const [link, button] = [copy.querySelector('.chat-group-members__name[href]'), copy.querySelector('.chat-group-members__more')];
    if (copy.dataset.uid) copy.dataset.menu = Boolean(link ?? button);
    for (const name of ['id', 'aria-labelledby', 'aria-keyshortcuts']) if (copy.localName === 'li') copy.removeAttribute(name);
    link?.removeAttribute('href');
    if (copy.querySelector('a.chat-group-members__name')) button?.remove();
    for (const one of [copy, ...copy.querySelectorAll('*')]) {
      // The one stop of the Tab key is the script's own.
      one.removeAttribute('tabindex');
      // Attributes have no order of their own.
      const attributes = [...one.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const { name } of attributes) one.removeAttribute(name);
      for (const { name, value } of attributes) if (!/^(data-)?h(tm)?x/.test(name)) one.setAttribute(name, value);
    }
    // Where the window ends is a place: whether somebody still stands there is all the same.
    if (copy.matches('.chat-group-members__previous, .chat-group-members__next')) return `${copy.className} ${copy.textContent}`;
    return copy.outerHTML;
  };
  const items = (list) => [...list.children].map(plain);
  const around = (within, section) => ({
    totals: plain(within.querySelector(`#${x}-totals`)),
    empty: plain(within.querySelector(`#${x}-empty`)),
    freshness: within.querySelector(`#${x}-freshness`)?.textContent,
    presence: within.querySelector(`#${x}-view`).dataset.presence,
    count: section.dataset.count,
    scope: section.dataset.scope,
  });
  return {
    live: [...items(document.getElementById(`${x}-list`)), around(root, root)],
    fresh: [...items(rows), around(component, component.firstElementChild)],
    state: root.dataset.live,
  };
}

/** Waits until both sides agree; fails with the first difference when they do not in `patience` ms. */
export async function sameAsFresh(viewer, patience = 10_000) {
  const end = Date.now() + patience;
  let sides;
  for (;;) {
    sides = await viewer.page.evaluate(bothSides, viewer.x);
    if (JSON.stringify(sides.live) === JSON.stringify(sides.fresh)) return sides.live.length - 1;
    if (Date.now() > end) break;
    // A frame of the browser: time for what is in flight to arrive.
    await viewer.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
  }
  const { live, fresh } = sides;
  const at = live.findIndex((item, index) => JSON.stringify(item) !== JSON.stringify(fresh[index]));
  assert.deepEqual(
    live.slice(at, at + 2),
    fresh.slice(at, at + 2),
    `${viewer.uid} sees another list than a fresh page (live=${sides.state}, ${live.length} and ${fresh.length} items, first difference at ${at})`,
  );
  assert.equal(live.length, fresh.length);
}
