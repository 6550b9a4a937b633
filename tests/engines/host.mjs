// What pages of hosts need here: our ear before all else, and files of npm packages.

import { readFileSync } from 'node:fs';

import { LINK, page, SCRIPT } from '../browser/host.mjs';

/** A page with the list's looks and life; `head` is what the host has besides. */
export const hostPage = (head, body, attributes) => page(`<script src="/ear.js"></script>${LINK}${SCRIPT}${head}`, body, attributes);

/** Serves a file of a package on the scene's origin, and gives its address. */
export function npm(road, path) {
  const address = `/npm/${path}`;
  road.pages.set(address, readFileSync(new URL(`../../node_modules/${path}`, import.meta.url)));
  return address;
}
