// Words that a script writes anew must be those that the service wrote.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const LOCALES = new URL('../../locales/', import.meta.url);

test('the seconds beside Undo are written as the script counts them down, in every language', () => {
  for (const lang of readdirSync(LOCALES)) {
    const [, words] = readFileSync(new URL(`${lang}/main.ftl`, LOCALES), 'utf8').match(/^undo-left = (.*)$/m);
    const seconds = new Intl.NumberFormat(lang, { style: 'unit', unit: 'second', unitDisplay: 'narrow' });
    assert.equal(words.replace('{ $count }', new Intl.NumberFormat(lang).format(12)), seconds.format(12), lang);
  }
});
