// The document of the surface is read by a validator that is not ours, and the page that shows it by axe, in the dark and in a narrow window.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';

import { Validator } from '@seriousme/openapi-schema-validator';
import { chromium } from 'playwright-core';

import { Server } from './server.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let server;
before(async () => {
  server = await Server.start();
});
after(() => server?.stop());

test('the document is valid OpenAPI 3.1, its references included', async () => {
  const document = await (await fetch(`${server.base}/openapi.json`)).json();
  const validator = new Validator();
  const { valid, errors } = await validator.validate(document);
  assert.ok(valid, JSON.stringify(errors, null, 1));
  assert.equal(validator.version, '3.1');
});

test('the page is legible in the dark, at 320 pixels, without a request to anybody else', async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
  try {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 320, height: 640 } });
      const asked = [];
      const complaints = [];
      page.on('request', (request) => asked.push(new URL(request.url()).origin));
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(`${server.base}/docs`);
      assert.deepEqual([...new Set(asked)], [new URL(server.base).origin]);
      assert.deepEqual(complaints, []);
      const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(wide <= room, `${wide} px in ${room} px`);
      const debug = await page.context().newCDPSession(page);
      await debug.send('Runtime.evaluate', { expression: AXE });
      const violations = await page.evaluate(async () =>
        (await window.axe.run(document, { resultTypes: ['violations'] })).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      );
      assert.deepEqual(violations, [], colorScheme);
      await page.close();
    }
  } finally {
    await browser.close();
  }
});
