// What our style sheets and themes are made of: variables that are explained, and no rule that costs or breaks something.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { at, THEMES } from './looks.mjs';

const STYLES = ['static/css-variables.css', 'static/page.css', ...readdirSync(at('static/css')).map((name) => `static/css/${name}`)];
/** The source without its comments. */
const source = (path) => readFileSync(at(path), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');

test('every variable that the styles use is explained in css-variables.css, and every one there is used', () => {
  const all = STYLES.map(source).join('\n');
  const found = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
  const explained = found(source('static/css-variables.css'), /^\s*(--chat-[a-z-]+):/gm);
  assert.deepEqual(found(all, /var\((--chat-[a-z-]+)/g), explained);
  const groups = readFileSync(at('static/css-variables.css'), 'utf8').split('/*').slice(2);
  assert.ok(
    groups.every((group) => group.split('*/')[0].trim().length > 5),
    'each group of variables says what it does',
  );
});

test('styles have no side that is left or right, and no selector that every row has to answer', () => {
  for (const path of STYLES) {
    const text = source(path);
    assert.doesNotMatch(
      text,
      /(margin|padding|border)-(left|right|top|bottom)\b|\b(left|right)\s*:|text-align:\s*(left|right)|(^|[^-])\b(width|height)\s*:/m,
      path,
    );
    assert.doesNotMatch(text, /:has\(|\[class[\]*^$~|=]/, path);
    assert.doesNotMatch(text, /!important/, path);
    // A guessed height above what one reads would move it.
    assert.doesNotMatch(text, /content-visibility/, path);
    // Chromium computes all styles of the list, or of the page, anew at each change for the sake of one of these.
    assert.doesNotMatch(text, /\dcq(i|w|b|h|min|max)\b|[+~]\s*div\b/, path);
    // WebKit loses them to our guard against a host's styles.
    assert.doesNotMatch(text, /\b((padding|margin|inset)-(inline|block)|border-(inline|block)(-start|-end)?):[^;]*var\(/, path);
  }
});

test('a theme is variables and nothing else', () => {
  const known = new Set([...source('static/css-variables.css').matchAll(/^\s*(--chat-[a-z-]+):/gm)].map(([, name]) => name));
  for (const theme of THEMES) {
    const [, selector, body] = source(`examples/themes/${theme}.css`).match(/^\s*(\S+) \{([^{}]*)\}\s*$/);
    assert.equal(selector, `.${theme}`);
    const names = body
      .split(';')
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => line.split(':')[0]);
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
      theme,
    );
  }
});
