// Crowds: groups of any size, and strangers in any number, who each have a token of their own.

import { createHmac } from 'node:crypto';

import { people } from '../browser/cast.mjs';
import { Actor } from '../browser/server.mjs';

/** Members of a group, the cast first; the names of the others are in the order of their numbers. */
export function crowd(size) {
  const others = Array.from({ length: size }, (_, number) => ({
    uid: `n${number}`,
    name: nameOf(number),
    scope: 'participant',
    joinedAt: 1_694_123_400 + number,
  }));
  return [...people(), ...others];
}

/** `Member 000017`: sorts by its number. */
export const nameOf = (number) => `Member ${String(number).padStart(6, '0')}`;

/** Somebody at the API whose token is made here: a process for each would take longer than what they do. */
export function stranger(server, guid, uid, name) {
  const mint = {
    base: server.base,
    token: async () => signed({ sub: uid, name, aud: 'chat-group-members', exp: Math.floor(Date.now() / 1000) + 3600 }, server.env.CGM_VIEWER_SECRET),
  };
  return new Actor(mint, guid, uid, name);
}

/** A JWT, HS256. */
function signed(claims, secret) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const said = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${said}.${createHmac('sha256', secret).update(said).digest('base64url')}`;
}
