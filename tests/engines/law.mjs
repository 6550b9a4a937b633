// The law: when nothing is in flight or held, what is shown equals, row for row, what a fresh GET of the
// same window renders. Only what the contract promises is looked at.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs in the page: what is shown now, and what a fresh GET would show. */
function bothSides(x, done) {
  const root = document.getElementById(x);
  const query = new URLSearchParams(location.search);
  for (const place of ['member', 'cursor', 'before', 'from', 'until']) query.delete(place);
  const fetched = async (fields) => {
    const address = `/groups/${root.dataset.group}/members?${new URLSearchParams({ ...Object.fromEntries(query), ...fields })}`;
    const answer = await fetch(address, { headers: { Accept: '*/*' }, cache: 'no-store' });
    if (!answer.ok) throw new Error(`${answer.status} ${address}`);
    return Object.assign(document.createElement('template'), { innerHTML: await answer.text() }).content;
  };
  const words = (element) => element?.textContent.trim().replace(/\s+/g, ' ') ?? null;
  const picked = ({ dataset }, names) => Object.fromEntries(names.map((name) => [name, dataset[name] ?? null]));
  const items = (within) =>
    [...within.querySelectorAll('.chat-group-members__heading, [data-uid][data-order]')].map((item) =>
      item.dataset.uid ? { ...picked(item, ['uid', 'order', 'scope', 'status', 'joinedAt', 'acts']), words: words(item) } : words(item),
    );
  const around = (within, { dataset }) => ({
    count: dataset.count,
    scope: dataset.scope,
    totals: words(within.querySelector(`#${x}-totals`)),
    empty: words(within.querySelector(`#${x}-empty`)),
  });
  const compare = async () => {
    const live = items(root);
    const rows = live.filter(({ uid }) => uid);
    const [previous, next] = ['previous', 'next'].map((side) => root.querySelector(`.chat-group-members__${side}`));
    const until = next?.dataset.order ?? rows.at(-1)?.order;
    const fresh = await fetched({ part: 'component', ...(previous && { from: previous.dataset.order ?? rows[0].order }), ...(until && { until }) });
    const beyond = !next && rows.length && (await fetched({ part: 'rows', limit: 1, cursor: rows.at(-1).order }));
    return {
      live: [...live, around(root, root)],
      fresh: [...items(fresh), ...(beyond ? items(beyond) : []), around(fresh, fresh.firstElementChild)],
      state: root.dataset.live,
    };
  };
  compare().then(done, ({ message }) => done({ live: [], fresh: [message], state: root?.dataset.live }));
}

/** Waits until both sides agree, and gives the number of rows; fails with the first difference otherwise. */
export async function sameAsFresh(viewer, patience = 10_000) {
  let sides;
  for (const end = Date.now() + patience; ; await sleep(50)) {
    sides = await viewer.driver.executeAsyncScript(bothSides, viewer.x);
    if (JSON.stringify(sides.live) === JSON.stringify(sides.fresh)) return sides.live.filter(({ uid }) => uid).length;
    if (Date.now() > end) break;
  }
  const { live, fresh, state } = sides;
  const at = Math.max(
    0,
    live.findIndex((item, index) => JSON.stringify(item) !== JSON.stringify(fresh[index])),
  );
  assert.deepEqual(
    live.slice(at, at + 2),
    fresh.slice(at, at + 2),
    `${viewer.uid} sees another list than a fresh page (live=${state}, ${live.length} and ${fresh.length} items, first difference at ${at})`,
  );
  assert.equal(live.length, fresh.length);
}
