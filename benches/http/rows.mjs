// The rows of the list as HTML, read back: so the peers' tables are filled with what the service shows, and answers are compared.

const ROW =
  /<li class="chat-group-members__row" data-uid="([^"]*)" data-scope="([^"]*)"[^>]* data-joined-at="(\d+)"[^>]* data-order="([^"]*)"[^>]*>(?:<b data-hue="(\d+)" data-of="([^"]*)">)?.*?<bdi>(.*?)<\/bdi>/gs;
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"' };

const text = (html) =>
  html.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (_, decimal, hex, name) =>
    name ? ENTITIES[name] : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );

/** The people of a list in its order. */
export function people(html) {
  return Array.from(html.matchAll(ROW), ([, uid, scope, joinedAt, order, hue, initials, name]) => ({
    uid,
    scope,
    joinedAt: Number(joinedAt),
    order,
    hue: Number(hue ?? 0),
    initials: text(initials ?? ''),
    name: text(name),
  }));
}

/** Bytes of each row without what cannot be left out: uid, name, order key and the picture's address. */
export function overheads(html) {
  const rows = Array.from(html.matchAll(/<li class="chat-group-members__row".*?<\/li>\n?/gs), ([row]) => row);
  return rows.map((row) => {
    const [person] = people(row);
    const picture = row.match(/<img[^>]* src="([^"]*)"/)?.[1] ?? '';
    const needed = [person.uid, person.name, person.order, picture];
    return Buffer.byteLength(row) - needed.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  });
}
