// The law: when nothing is in flight or held, what a screen shows equals what a fresh GET of the same
// window by the same viewer renders, whatever happened before.

/** Milliseconds for a screen to be live again, and then to agree. The script waits at most 8 s after outages this short. */
const UNTIL_LIVE = 25_000;
const UNTIL_SAME = 20_000;
const PAUSE = 250;
const AGAIN = 600;

/** Runs in the page: what is shown, and what a fresh GET shows. */
async function bothSides() {
  const PREFIX = 'chat-group-members';
  // What the script sets on what the server rendered, and what says when, not what.
  const IGNORED = /^(tabindex|aria-(expanded|labelledby|keyshortcuts)|title|name|(data-)?(hx-|htmx).*)$/;
  const root = document.querySelector(`section.${PREFIX}`);
  const asText = (element) => element?.textContent.replace(/\s+/g, ' ').trim() ?? null;
  if (!root) {
    // A page that was loaded by somebody who is out says so, without a list.
    const answer = await fetch(location.href, { headers: { 'X-Judge': '1' }, cache: 'no-store', signal: AbortSignal.timeout(8_000) });
    const isOut = !new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector(`section.${PREFIX}`);
    const shown = ['no component on the page'];
    return isOut ? { state: 'none', ended: true, status: 404, shown, fresh: shown } : { state: 'none', shown, fresh: [] };
  }
  const view = root.querySelector(`.${PREFIX}__view`);
  const get = async (address) => {
    const answer = await fetch(address, { headers: { 'HX-Request': 'true', 'X-Judge': '1' }, cache: 'no-store', signal: AbortSignal.timeout(8_000) });
    const holder = document.createElement('template');
    holder.innerHTML = await answer.text();
    return { status: answer.status, content: holder.content };
  };
  const plain = (element) => {
    const copy = element.cloneNode(true);
    // What the script makes of a row: an id, and the button of its menu for what the name leads to.
    const [link, button] = [copy.querySelector(`.${PREFIX}__name[href]`), copy.querySelector(`.${PREFIX}__more`)];
    if (copy.dataset.uid) copy.dataset.menu = Boolean(link ?? button);
    if (copy.localName === 'li') copy.removeAttribute('id');
    link?.removeAttribute('href');
    // The answer to an act is written for pages of every age: its row has that button already, and a name that leads nowhere.
    const name = button && copy.querySelector(`span.${PREFIX}__name`);
    if (name) {
      const lean = Object.assign(document.createElement('a'), { className: name.className });
      lean.append(...name.childNodes);
      name.replaceWith(lean);
    }
    if (copy.querySelector(`a.${PREFIX}__name`)) button?.remove();
    for (const one of [copy, ...copy.querySelectorAll('*')]) {
      // What is morphed has its attributes in another order.
      const attributes = [...one.attributes].map(({ name, value }) => [name, value]).sort();
      for (const [name] of attributes) one.removeAttribute(name);
      for (const [name, value] of attributes) if (!IGNORED.test(name)) one.setAttribute(name, value);
      for (const name of [...one.classList]) if (name.startsWith('htmx-')) one.classList.remove(name);
    }
    return copy.outerHTML.replace(/\s+/g, ' ');
  };
  const end = (name) => (element) => element.classList.contains(`${PREFIX}__${name}`);
  const items = (children, counts) => {
    const rest = [...children].filter((one) => one.matches('[data-uid], [data-heading]'));
    // Where only the number of those who are online is live, the status of a row is as old as the row.
    if (counts) for (const row of rest) row.querySelector(':scope > b > i')?.replaceChildren();
    return [
      ...[...children].filter(end('previous')).map(() => 'there is more before'),
      ...rest.map((one) => (counts ? plain(one).replace(/ data-status="\w+"/, '') : plain(one))),
      ...[...children].filter(end('next')).map(() => 'there is more after'),
    ];
  };
  const around = (section) => {
    const part = (name) => section.querySelector(`[id$="-${name}"]`);
    const inner = section.querySelector(`.${PREFIX}__view`);
    return {
      count: section.dataset.count,
      counted: inner?.dataset.count,
      scope: section.dataset.scope,
      presence: inner?.dataset.presence,
      freshness: asText(section.querySelector(`.${PREFIX}__freshness`)),
      totals: asText(part('totals')),
      empty: asText(part('empty')),
      notice: asText(section.querySelector(`.${PREFIX}__notice`)),
      bans: Boolean(part('bans')),
      pressed: [...section.querySelectorAll(`.${PREFIX}__filters [aria-current]`)].map(asText).join(),
    };
  };

  const list = root.querySelector(`.${PREFIX}__list`);
  const state = root.dataset.live;
  if (!view || !list) {
    const { status } = await get(location.href.split('#')[0]);
    const rows = root.querySelectorAll('[data-uid]').length;
    return { state, ended: true, status, shown: [`no list, ${rows} rows`], fresh: [status === 404 ? 'no list, 0 rows' : `a list (${status})`] };
  }
  const [first, previous, next] = ['[data-uid], [data-heading]', `.${PREFIX}__previous`, `.${PREFIX}__next`].map((one) =>
    list.querySelector(`:scope > :is(${one})`),
  );
  const window = new URLSearchParams();
  if (previous) window.set('from', previous.dataset.order ?? first.dataset.order);
  window.set('until', next ? (next.dataset.order ?? [...list.querySelectorAll(':scope > [data-uid]')].at(-1).dataset.order) : '~');
  const address = (part) => `${root.dataset.href}?${view.dataset.query}&part=${part}&markup=lean&${window}`;
  const [rows, component] = [await get(address('rows')), await get(address('component'))];
  const shownRows = list.querySelectorAll(':scope > [data-uid]').length;
  if (rows.status === 404) return { state, status: 404, rows: shownRows, shown: [`${shownRows} rows`], fresh: ['0 rows'] };
  const section = component.content.querySelector(`section.${PREFIX}`);
  const counts = view.dataset.presence === 'counts';
  const query = new URLSearchParams(view.dataset.query);
  // What a list holds still for: with all hands off it is nothing.
  const holds = ['hover', 'focus-within'].filter((one) => list.matches(`:${one}`));
  if (document.querySelector(':popover-open')) holds.push('an open menu');
  if (!getSelection().isCollapsed) holds.push('marked text');
  if (globalThis.stormFlings.last.length) holds.push(`a finger: ${globalThis.stormFlings.last.join(', ')}`);
  return {
    state,
    holds,
    rows: shownRows,
    selected: root.querySelector('.chat-group-members__select') && {
      remembered: root.chatGroupMembers.selected().map(({ uid }) => uid),
      ticked: [...list.querySelectorAll('.chat-group-members__select:checked')].map(({ value }) => value),
      loaded: [...list.querySelectorAll(':scope > [data-uid]')].map(({ dataset }) => dataset.uid),
      count: Number(asText(root.querySelector('.chat-group-members__selection output'))?.match(/\d+/)?.[0] ?? 0),
    },
    asked: {
      searchKeyword: query.get('searchKeyword') ?? '',
      box: root.querySelector('input[type="search"]')?.value ?? null,
      filter: query.get('filter') ?? '',
      // Null while the address says it.
      pressed: globalThis.storm.filter(),
      sincePress: globalThis.storm.sincePress(),
      address: location.search,
    },
    status: rows.status,
    shown: [JSON.stringify(around(root)), ...items(list.children, counts)],
    fresh: section ? [JSON.stringify(around(section)), ...items(rows.content.children, counts)] : [`the component answers ${component.status}`],
  };
}

/** What stands for an end of the window beyond which there are more rows. */
const MORE = { previous: 'there is more before', next: 'there is more after' };

/**
 * Waits until the screen is live and agrees, twice in a row. What remains after that is given as
 * `problems`, each with the name of its verdict.
 */
export async function compare(screen, log) {
  const began = Date.now();
  let sides, last;
  const look = async () => {
    try {
      sides = await screen.bounded(screen.page.evaluate(bothSides), 15_000, 'a comparison');
    } catch (error) {
      const why = [`cannot be asked: ${error.message.split('\n')[0]}`, ...screen.road.unanswered()].join('; ');
      sides = { state: 'unknown', shown: [why], fresh: [] };
    }
    // One may change while the other is fetched; a search that failed is tried again after a while.
    return JSON.stringify(sides.shown) === JSON.stringify(sides.fresh) && showsAsked(sides.asked);
  };
  let agreed = 0;
  const over = () => Date.now() - began > (last === 'on' ? UNTIL_LIVE + UNTIL_SAME : UNTIL_LIVE);
  while (agreed < 2) {
    const same = (await look()) && (sides.state === 'on' || sides.ended || sides.status === 404);
    // The rows beyond an end may have gone since it was set: it asks once it is in sight, and the empty answer removes it.
    for (const [side, words] of Object.entries(MORE)) {
      if (!sides.shown.includes(words) || sides.fresh.includes(words)) continue;
      await screen.ask((side) => document.querySelector(`.chat-group-members__${side}`)?.scrollIntoView({ block: 'nearest' }), side);
    }
    agreed = same ? agreed + 1 : 0;
    if (sides.ended && same) break;
    last = sides.state;
    if (!same && over()) break;
    if (agreed < 2) await screen.pause(same ? AGAIN : PAUSE);
  }
  log(`${screen.uid}: ${agreed || sides.ended ? 'agrees' : 'differs'} after ${Date.now() - began} ms, ${sides.rows ?? 0} rows`);
  return { sides, problems: agreed === 2 || (sides.ended && sides.status === 404) ? [] : differences(screen, sides) };
}

/** Whether the list shows what stands in the box; true without a box. */
const showsAsked = (asked) => asked?.box == null || asked.box.trim() === asked.searchKeyword.trim();

function differences(screen, { state, status, ended, shown, fresh, holds }) {
  if (status === 404) return [{ verdict: 'ended', what: `is out of the group and still sees ${shown[0]}` }];
  if (ended) return [{ verdict: 'equal', what: `shows an ended list, and a fresh page shows ${fresh[0]}` }];
  if (state !== 'on') return [{ verdict: 'live', what: `data-live is ${state} ${UNTIL_LIVE / 1_000} s after the last fault`, ...first(shown, fresh) }];
  if (JSON.stringify(shown) === JSON.stringify(fresh)) return [];
  const still = holds?.length ? ` (held by ${holds.join(', ')})` : '';
  return [{ verdict: 'equal', what: `shows another list than a fresh page${still}`, ...first(shown, fresh) }];
}

/** The first difference, in words. */
function first(shown, fresh) {
  const at = shown.findIndex((item, index) => item !== fresh[index]);
  if (at < 0 && shown.length === fresh.length) return {};
  const place = at < 0 ? shown.length : at;
  const [one, other] = [shown[place] ?? '(nothing)', fresh[place] ?? '(nothing)'];
  const from = [...one].findIndex((sign, index) => sign !== other[index]);
  const differing = shown.filter((item, index) => item !== fresh[index]).length;
  const uids = (items) => new Set(items.map((item) => item.match(/data-uid="([^"]+)"/)?.[1]).filter(Boolean));
  const [has, should] = [uids(shown), uids(fresh)];
  const only = (one, other) => [...one].filter((uid) => !other.has(uid));
  return {
    detail: [
      `${has.size} rows shown, ${should.size} rows fresh; missing: ${only(should, has).slice(0, 8).join(' ') || 'nobody'}; too many: ${only(has, should).slice(0, 8).join(' ') || 'nobody'}; ${differing} items differ`,
      `shown: ${excerpt(one, from)}`,
      `fresh: ${excerpt(other, from)}`,
    ],
  };
}

/** The beginning of an item, and where it differs. */
const excerpt = (text, from) => (from < 200 ? `${text.slice(0, 320)}…` : `${text.slice(0, 80)} … ${text.slice(from - 80, from + 160)}…`);
