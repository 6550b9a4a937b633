// Compresses what is served: `node build/compress.mjs <folder>` writes, beside each `NAME.plain`, `NAME.br` and `NAME.gz`.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const PLAIN = '.plain';
const [folder] = process.argv.slice(2);

for (const name of readdirSync(folder).filter((name) => name.endsWith(PLAIN))) {
  const text = readFileSync(join(folder, name));
  const target = join(folder, name.slice(0, -PLAIN.length));
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  writeFileSync(`${target}.br`, brotliCompressSync(text, { params }));
  writeFileSync(`${target}.gz`, gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
}
