// Carries out the instructions in a message that are not rows (counts, statuses, resyncs), and sends the DOM events for the host's page.

import { addToDigest, fetchActs, setSelected } from '../core/acts.js';
import { emit, list, memoryOf, PREFIX, part, remember, view, word } from '../core/component.js';
import { endStream, setLive } from './stream.js';
import { COMPONENT, requestResync, ROWS, SELECTION } from '../server/resync.js';
import { memberOf } from '../core/rows.js';

/** @import { Item, Member } from '../core/rows.js' */

/**
 * The fields of an event's detail that the script reads; docs/events.md lists all. Only `members-synced` has no `member`.
 * @typedef {{ seq?: number, member: Member, by?: { uid: string } | null, synced?: object }} Detail
 */

/**
 * What each instruction does, by the name that messages give it.
 * @type {Record<string, (root: HTMLElement, item: Item, own?: boolean, items?: Item[]) => void>}
 */
export const INSTRUCTIONS = {
  count(root, { dataset }) {
    root.dataset.count = view(root).dataset.count = dataset.count;
    part(root, 'found')?.replaceChildren(dataset.found);
    Object.assign(memoryOf(root).headings, dataset.sections?.split(' '));
  },
  statuses(root, { dataset }) {
    const statusByUid = new Map(['online', 'away', 'offline'].flatMap((status) => dataset[status]?.split(' ').map((uid) => [uid, status]) ?? []));
    for (const row of [...list(root).querySelectorAll('[data-status]'), ...memoryOf(root).deferred.values()]) {
      const status = statusByUid.get(row.dataset.uid) ?? dataset.others;
      if (!status || !row.dataset.status) continue;
      row.dataset.status = status;
      row.querySelector(':scope > b > i')?.replaceChildren(word(root, status));
    }
    const online = root.querySelector(`.${PREFIX}__online`);
    if (online && dataset.total) online.innerHTML = dataset.total;
  },
  presence(root, { dataset }) {
    view(root).dataset.presence = dataset.mode;
    part(root, 'freshness')?.replaceChildren(dataset.text);
  },
  resync(root, { dataset }) {
    // The missed messages may have changed the viewer's own rights, or ended the notice below the list.
    const isOver = root.querySelector(`.${PREFIX}__notice`) && dataset.muted === undefined;
    requestResync(root, dataset.scope !== root.dataset.scope || isOver ? COMPONENT : ROWS);
  },
  renew(root, { dataset }, own) {
    const memory = memoryOf(root);
    // The result of a person's own act is shown at once.
    memory.must ||= own;
    // The refetched component has this markup version, so the new stream must not report a difference again.
    const { dataset: address } = /** @type {HTMLElement} */ (memory.streamNode);
    address.connect = address.connect.replace(/markup=\w+/, `markup=${dataset.markup}`);
    requestResync(root, COMPONENT);
  },
  live(root, { dataset }) {
    if (dataset.reason) endStream(root, dataset.reason);
    else setLive(root, dataset.live);
  },
  event(root, item, own, items) {
    const detail = { group: root.dataset.group, ...JSON.parse(item.dataset.detail) };
    const { uid, name } = detail.member ?? {};
    // A detail without a name is completed from the member's row in the same message.
    if (uid && !name) detail.member = memberOf(/** @type {Item} */ (items?.find(({ dataset }) => dataset.uid === uid)));
    const isNews = emitOnce(root, item.dataset.name, detail);
    const before = Number(root.dataset.count);
    if (isNews && detail.by?.uid !== root.dataset.self) fetchActs().then(() => addToDigest?.(root, item, detail, before));
  },
};

/**
 * Dispatches an event to the host, once: an own act is reported by its reply and by the stream. Who is out is not selected any more, and after
 * a sync the selection is checked. Returns whether it was the first time.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {Detail} detail
 */
export function emitOnce(root, name, detail) {
  const { announced, selected } = memoryOf(root);
  const key = `${name} ${detail.seq}`;
  if (detail.seq && announced.has(key)) return false;
  remember(announced, key);
  emit(root, name, detail);
  // Not after `member-unbanned`: that has no hyphen before "banned".
  if (/left|kicked|-banned/.test(name)) setSelected?.(root, detail.member.uid, false);
  if (detail.synced && selected.size) requestResync(root, SELECTION);
  return true;
}
