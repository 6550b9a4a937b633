// Notes that travel with a message, and the events by which a host page hears of them.

const NOTES = {
  count(root, { dataset }) {
    root.dataset.count = view(root).dataset.count = dataset.count;
    part(root, 'found')?.replaceChildren(dataset.found);
  },
  statuses(root, { dataset }) {
    const told = new Map(['online', 'away', 'offline'].flatMap((status) => (dataset[status] ?? '').split(' ').map((uid) => [uid, status])));
    for (const row of [...list(root).querySelectorAll('[data-status]'), ...memoryOf(root).held.values()]) {
      const status = told.get(row.dataset.uid) ?? dataset.others;
      if (!status || !row.dataset.status) continue;
      row.dataset.status = status;
      row.querySelector(`.${PREFIX}__status-word`)?.replaceChildren(word(root, status));
    }
  },
  presence(root, { dataset }) {
    view(root).dataset.presence = dataset.mode;
    part(root, 'freshness')?.replaceChildren(dataset.text);
  },
  resync(root, { dataset }) {
    // Missed with everything else: the person's own rights.
    if (dataset.scope !== root.dataset.scope) owe(root, lookAround);
    // A look that is on its way may be older.
    else if (isHeld(root) && !memoryOf(root).paying) keep(root);
    else owe(root, look);
  },
  renew(root, item, own) {
    // What the person did is what the person waits for.
    memoryOf(root).must ||= own;
    owe(root, lookAround);
  },
  live(root, { dataset }) {
    if (dataset.reason) endStream(root, dataset.reason);
    else setLive(root, dataset.live);
  },
  event(root, item) {
    const detail = JSON.parse(item.dataset.detail);
    const isNews = announce(root, `${PREFIX}:${item.dataset.name}`, detail);
    if (isNews && detail.by?.uid !== root.dataset.self) digest(root, item, detail);
  },
};

/** Notes that count once, however often their message is applied. */
const ONCE = ['event', 'live'];
/** The same, while the look that they ask for is on its way. */
const LOOK_NOTES = ['resync', 'renew'];

/**
 * The items of a message: what is for the host's page and for the connection comes first, then the list.
 * `again` when the message has been applied before.
 */
function takeItems(root, items, own, again) {
  const { paying } = memoryOf(root);
  const counts = ({ dataset: { note } }) => !(again && (ONCE.includes(note) || (paying && LOOK_NOTES.includes(note))));
  const left = items.filter(counts);
  for (const item of left) if (ONCE.includes(item.dataset.note)) NOTES[item.dataset.note](root, item);
  if (list(root)) applyItems(root, left.filter((item) => !ONCE.includes(item.dataset.note)), own);
}

/** Own acts are reported by the reply and by the stream; the host hears of each once. Says whether it is the first. */
function announce(root, name, detail) {
  const { announced, selected } = memoryOf(root);
  const key = `${name} ${detail.seq}`;
  if (detail.seq && announced.has(key)) return false;
  announced.add(key);
  if (announced.size > 1000) announced.delete(announced.values().next().value);
  const short = name.slice(PREFIX.length + 1);
  emit(root, short, detail);
  if (/left|kicked|-banned/.test(short)) setSelected?.(root, detail.member.uid, false);
  if (detail.synced && selected.size) owe(root, settleSelection);
  return true;
}

/** A line about the group in a chat's header says the same numbers as the component on its page. */
function tellLines(root) {
  const totals = part(root, 'totals');
  if (!totals) return;
  for (const line of document.querySelectorAll(`.chat-group-line[data-group="${root.dataset.group}"]`)) {
    for (const number of ['[data-members]', '[data-online]']) {
      const [shown, now] = [line.querySelector(number), totals.querySelector(number)];
      if (shown && now && shown.textContent !== now.textContent) shown.textContent = now.textContent;
    }
  }
}

function memberOf(row) {
  // A row that a template draws says in attributes what it may not show.
  const { uid, scope, status, joinedAt, name, avatar } = row.dataset;
  const shown = row.querySelector(`.${PREFIX}__name`)?.textContent.trim() ?? '';
  const picture = avatar ?? row.querySelector(`.${PREFIX}__picture`)?.src;
  return { uid, name: name ?? shown, scope, avatar: picture || null, joinedAt: Number(joinedAt), status };
}

/** Tells the host, once, when the list has become empty. */
function noticeEmpty(root) {
  const memory = memoryOf(root);
  const empty = Boolean(part(root, 'empty')?.childElementCount);
  if (empty && !memory.empty) emit(root, 'empty');
  memory.empty = empty;
}

