// A rig is worth what it finds: each patch beside this file undoes one mend, and storms have to find it.

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('patches/', import.meta.url));

export const names = () => readdirSync(FOLDER).filter((name) => name.endsWith('.patch')).map((name) => name.slice(0, -6)).sort();

export async function tryPatches() {
  return 1;
}
