// A list to look at, alone and in a host's page, and what is wrong with how it looks.

import { people } from './cast.mjs';

/** A file of the repository. */
export const at = (path) => new URL(`../../${path}`, import.meta.url);
export const THEMES = ['terminal', 'hearth', 'gazette'];

/** The cast with somebody of every scope, a name that never ends, and a picture that does not come. */
export const crowd = () =>
  people().map((member) => {
    if (member.uid === 'long') return { ...member, scope: 'moderator' };
    return member.uid === 'zoe' ? { ...member, scope: 'admin', avatar: 'https://127.0.0.1:1/none.png' } : member;
  });

/** A picture that does not come is not our complaint. */
export const MISSING_PICTURE = { members: crowd(), complaints: /127\.0\.0\.1:1\// };

/** Ben in a host's page of the same origin, that holds his list between `before` and `after` our styles. */
export async function host({ viewer, actor, proxy }, { before = '', after = '', query = '', frame = 'block-size: 700px', room = '', ...context } = {}) {
  const road = await proxy();
  const list = await actor('ben').ask('GET', `/members${query}`, undefined, { Accept: '*/*' });
  road.pages.set(
    '/host',
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>A chat</title><link rel="icon" href="data:,">
<style>${before}</style><link rel="stylesheet" href="/static/css-variables.css"><style>${after}</style>
<script src="/static/chat-group-members.js" defer></script></head><body><div class="${room}" style="${frame}">${await list.text()}</div></body></html>`,
  );
  const ben = await viewer('ben', { base: road.base, path: '/host', live: false, viewport: { width: 800, height: 720 }, ...context });
  await ben.live('on');
  return ben;
}

/** What is wider than the window: the page, or parts of the component that may not be cut off. */
export const tooWide = (viewer) =>
  viewer.page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    // The filters go on sideways.
    const parts = [...document.querySelectorAll('[class*="chat-group-members__"]')].filter((part) => !part.closest('.chat-group-members__filters'));
    const out = parts.filter((part) => {
      const { left, right, width } = part.getBoundingClientRect();
      return width > 1 && (left < -0.5 || right > room + 0.5);
    });
    return [...out.map((part) => part.className), ...(document.documentElement.scrollWidth > room ? ['the page'] : [])];
  });

/** Rows in which a name or what stands below it reaches into what stands beside. */
export const overlapping = (viewer) =>
  viewer.page.$$eval('.chat-group-members__row', (rows) => {
    const meet = (one, other) => one.left < other.right - 6 && other.left < one.right - 6 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    return rows
      .filter((row) => {
        const boxes = (names) =>
          [...row.querySelectorAll(names.map((name) => `:scope ${name}`))].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect());
        const around = boxes(['> b', '> em', '> small', '.chat-group-members__more']);
        return boxes(['.chat-group-members__name', '> div > p']).some((word) => around.some((part) => meet(word, part)));
      })
      .map((row) => row.dataset.uid);
  });

/** What moderators have done: p00 is banned, Dee is muted, Cy's role ends and has a note, and Ben himself is muted. */
export async function moderated(actor) {
  const long = 'x'.repeat(300);
  await actor('ada').ban('p00', { reason: long });
  for (const uid of ['dee', 'ben']) await actor('ada').mute(uid, { reason: long, message: long, until: '3600' });
  await actor('ada').scope('cy', 'participant');
  await actor('ada').scope('cy', 'moderator', { until: '86400' });
  await actor('ada').ask('POST', '/members/cy/notes', { text: `${long}\n${long}` });
}
