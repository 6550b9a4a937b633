// Somebody who reads in a page of a host, which scrolls as a whole: the list has no box of its own there.

import { LINK, SCRIPT, line, page } from '../browser/host.mjs';
import { READING } from './reading.mjs';

const PATH = '/host';
/** Milliseconds for the list to come, and to be live. */
const LIVE = 10_000;

/** Meanwhile the name of somebody above takes more lines, and fewer again. The browser keeps no place by itself: the list has to. */
export async function readOnHostsPage(screen, dice, storm) {
  const body = `<h1>A page</h1><div style="overflow-anchor: none">${line(screen.group, screen.query)}</div>`;
  screen.road.pages.set(PATH, page(LINK + SCRIPT, body));
  try {
    await screen.page.goto(screen.road.base + PATH, { waitUntil: 'domcontentloaded' });
    if (!(await screen.until(() => document.querySelector('section.chat-group-members')?.dataset.live === 'on', null, LIVE))) return;
    await READING.read(screen, dice, storm);
    await screen.keep();
  } finally {
    await screen.load();
  }
}
