// The rows of the list as HTML, read back: so the peers' tables are filled with what the service shows, and answers are compared.

const ROW = /<li class="chat-group-members__row"([^>]*)>(.*?)<\/li>\n?/gs;
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"' };

const text = (html) =>
  html.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (_, decimal, hex, name) =>
    name ? ENTITIES[name] : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)),
  );

/** The value of an attribute of a tag; empty when it has none of this name. */
const attribute = (tag, name) => text(tag.match(new RegExp(` ${name}="([^"]*)"`))?.[1] ?? '');

/** The people of a list in its order. */
export function people(html) {
  return Array.from(html.matchAll(ROW), ([, head, inside]) => {
    const avatar = inside.match(/<b( [^>]*)>/)?.[1] ?? '';
    return {
      uid: attribute(head, 'data-uid'),
      scope: attribute(head, 'data-scope'),
      joinedAt: Number(attribute(head, 'data-joined-at')),
      order: attribute(head, 'data-order'),
      hue: Number(attribute(avatar, 'data-hue')),
      initials: attribute(avatar, 'data-of'),
      name: text(inside.match(/<bdi>(.*?)<\/bdi>/s)[1]),
    };
  });
}

/** Bytes of each row without what cannot be left out: uid, name, order key and the picture's address. */
export function overheads(html) {
  return Array.from(html.matchAll(ROW), ([row]) => {
    const [person] = people(row);
    const picture = row.match(/<img[^>]* src="([^"]*)"/)?.[1] ?? '';
    const needed = [person.uid, person.name, person.order, picture];
    return Buffer.byteLength(row) - needed.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  });
}
