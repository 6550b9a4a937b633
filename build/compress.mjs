// Compresses what is served: `node build/compress.mjs <folder>` writes, beside each `NAME.plain`, `NAME.br` and `NAME.gz`.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const PLAIN = '.plain';
const [folder] = process.argv.slice(2);

/** Which mode and which size of the window and of its blocks suit a text best cannot be told beforehand. */
const MODES = [constants.BROTLI_MODE_GENERIC, constants.BROTLI_MODE_FONT];
const WINDOWS = [14, 16, 22];
const BLOCKS = [0, 17];

function smallestBrotli(text) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  const tried = MODES.flatMap((mode) =>
    WINDOWS.flatMap((window) =>
      BLOCKS.map((block) =>
        brotliCompressSync(text, {
          params: { ...params, [constants.BROTLI_PARAM_MODE]: mode, [constants.BROTLI_PARAM_LGWIN]: window, [constants.BROTLI_PARAM_LGBLOCK]: block },
        }),
      ),
    ),
  );
  return tried.reduce((smallest, next) => (next.length < smallest.length ? next : smallest));
}

for (const name of readdirSync(folder).filter((name) => name.endsWith(PLAIN))) {
  const text = readFileSync(join(folder, name));
  const target = join(folder, name.slice(0, -PLAIN.length));
  writeFileSync(`${target}.br`, smallestBrotli(text));
  writeFileSync(`${target}.gz`, gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
}
