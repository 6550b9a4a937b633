// A component speaks one language, whoever fetched its parts.

import assert from 'node:assert/strict';

import { scene, stage } from './support.mjs';

stage();

scene('Cy, whose browser is German, searches, opens a menu and sees news, all in German; the address stays clean', async ({ viewer, actor }) => {
  const cy = await viewer('cy', { locale: 'de-DE' });
  assert.equal(await cy.root.getAttribute('lang'), 'de');
  await cy.search('eve');
  assert.match(await cy.row('eve').innerText(), /Dabei seit/);
  assert.equal(new URL(cy.page.url()).search, '?searchKeyword=eve');
  await cy.menu('eve');
  assert.match(await cy.part('menu').innerText(), /Entfernen|Sperren/);
  await cy.page.keyboard.press('Escape');
  await cy.search('');
  await cy.away();
  await actor('aaron', 'Aaron Aaltonen').join();
  await cy.there('aaron');
  assert.match(await cy.row('aaron').innerText(), /Dabei seit/);
});

scene('who asks for a language keeps it, in the address too', async ({ viewer }) => {
  const eve = await viewer('eve', { query: '?lang=he', locale: 'de-DE' });
  assert.equal(await eve.page.$eval('html', (html) => getComputedStyle(html).direction), 'rtl');
  await eve.search('eve');
  assert.equal(new URL(eve.page.url()).searchParams.get('lang'), 'he');
  const overflow = await eve.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, 'nothing runs out of the page');
});

scene('changes that wait are counted by the rules of the language', async ({ viewer, actor }) => {
  const eve = await viewer('eve', { query: '?lang=ru' });
  await eve.row('ada').hover();
  for (const [count, words] of [
    [1, '1 изменение'],
    [2, '2 изменения'],
  ]) {
    await actor(`aa${count}`, `Aa ${count}`).join();
    await eve.page.locator(`#${eve.x}-held`, { hasText: words }).waitFor();
  }
});
