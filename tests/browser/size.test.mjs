// What a members page costs to load.

import assert from 'node:assert/strict';

import { request } from 'node:http';

import { scene, stage } from './support.mjs';

stage();

/** Bytes of scripts and styles together, as brotli sends them. */
const MOST = 25_000;

/** The body as it travels: not unpacked. */
const travelling = (url) =>
  new Promise((done, failed) => {
    request(url, { headers: { 'Accept-Encoding': 'br' } }, (answer) => {
      let size = 0;
      answer.on('data', (chunk) => (size += chunk.length));
      answer.on('end', () => done({ size, encoding: answer.headers['content-encoding'], caching: answer.headers['cache-control'] }));
    })
      .on('error', failed)
      .end();
  });

scene(`script and styles of a members page are at most ${MOST} bytes, and are kept for good`, async ({ viewer, server }) => {
  const eve = await viewer('eve', { javaScriptEnabled: false });
  const addresses = await eve.page.$$eval('script[src], link[rel="stylesheet"]', (all) => all.map((one) => one.src ?? one.href));
  assert.ok(addresses.some((address) => address.includes('.js')) && addresses.some((address) => address.includes('.css')));
  let sum = 0;
  for (const address of addresses) {
    const { size, encoding, caching } = await travelling(address);
    assert.equal(encoding, 'br', address);
    assert.match(caching, /immutable/);
    assert.ok(address.startsWith(server.base), 'nothing comes from elsewhere');
    sum += size;
  }
  console.log(`${sum} bytes in ${addresses.length} files`);
  assert.ok(sum <= MOST, `${sum} bytes`);
});
