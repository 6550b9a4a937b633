// Under any host's styles: rules for bare elements change nothing in the list, and one class of ours in a rule is enough.

import assert from 'node:assert/strict';

import { host } from './looks.mjs';
import { scene, stage } from './support.mjs';

stage();

/** Resets that pages really have: a page of 1998, Bootstrap's, Tailwind's. */
const RESETS = {
  'a page of 1998': `body { font: 18px/2 Times; text-align: center; letter-spacing: 1px; text-transform: uppercase; text-indent: 9px; white-space: pre-line }
    * { box-sizing: content-box } a { color: red; text-decoration: underline } ul { padding-left: 60px } ul li { margin: 1em 2em; border-left: 3px solid }
    h2, h3 { font-size: 32px; border-bottom: 2px solid } p { margin: 1em; text-indent: 2em } span { background: yellow } section { padding: 3em; margin: 2em }
    img { border: 4px ridge gold; width: 200px } button, input, textarea { border: 3px inset; font: 20px monospace; width: 100%; margin: 8px }
    form { border: 1px solid; padding: 20px } header, nav { background: #ccf; padding: 1em } svg { width: 100px } time, small { font-style: italic }
    dialog { background: lime } div { margin: 3px } strong { color: green } label { float: left } fieldset { border: 4px double; padding: 3em }`,
  Bootstrap: `*, ::after, ::before { box-sizing: border-box } body { margin: 0; font-family: Arial; line-height: 1.5; color: #212529 }
    h2, h3 { margin-bottom: .5rem; font-weight: 500; font-size: 2rem } p { margin-bottom: 1rem } ul { padding-left: 2rem; margin-bottom: 1rem }
    a { color: #0d6efd; text-decoration: underline } img, svg { vertical-align: middle } button { border-radius: 0 } legend { float: left; width: 100%; font-size: 1.5rem }
    button, input, select, textarea { margin: 0; font-family: inherit; font-size: inherit; line-height: inherit } small { font-size: .875em }`,
  Tailwind: `*, ::before, ::after { box-sizing: border-box; border-width: 0; border-style: solid; border-color: #e5e7eb } h2, h3 { font-size: inherit; font-weight: inherit }
    a { color: inherit; text-decoration: inherit } button, input, textarea { font-size: 100%; font-weight: inherit; color: inherit; margin: 0; padding: 0 }
    input::placeholder { color: #9ca3af } h2, h3, p, fieldset, ul { margin: 0; padding: 0 } img, svg { display: block } img { max-width: 100%; height: auto }`,
};

/** How every part looks: all that a host's element rules change. In a box of one size, since a margin may be the room that is left. */
const looks = (viewer) =>
  viewer.page.$$eval('.chat-group-members, .chat-group-members *', (parts) => {
    parts[0].parentElement.style.setProperty('inline-size', '420px', 'important');
    const asked = [
      'color',
      'background-color',
      'font',
      'letter-spacing',
      'text-transform',
      'text-indent',
      'text-align',
      'text-decoration-line',
      'white-space',
      'margin',
      'padding',
      'border',
      'border-radius',
      'box-sizing',
      'float',
      'display',
      'list-style',
    ];
    const read = (part, pseudo) => {
      const style = getComputedStyle(part, pseudo);
      return pseudo && style.content === 'none' ? '' : asked.map((name) => style.getPropertyValue(name)).join(' | ');
    };
    return parts
      .filter((part) => !part.closest('[hidden]'))
      .map(
        (part) =>
          `${part.id || part.className?.baseVal || part.className || part.localName}: ${read(part)} ${read(part, '::before')} ${part.matches('input') ? read(part, '::placeholder') : ''}`,
      );
  });

for (const [name, reset] of Object.entries(RESETS)) {
  scene(`the styles of ${name} for bare elements change nothing in the list, before ours or behind`, async (scene) => {
    const own = await host(scene);
    await own.dialog('cy', 'ban');
    const asAlone = await looks(own);
    assert.ok(asAlone.length > 300);
    for (const place of ['before', 'after']) {
      const ben = await host(scene, { [place]: reset });
      await ben.dialog('cy', 'ban');
      const inThePage = await looks(ben);
      assert.deepEqual(inThePage.filter((part, index) => part !== asAlone[index]).slice(0, 3), [], place);
      assert.equal(inThePage.length, asAlone.length);
    }
  });
}

scene('one class of ours in a rule of the host is enough to win, before ours or behind, without !important', async (scene) => {
  const rules = `.chat-group-members__row { background: rgb(255, 0, 0); margin-block: 7px } .chat-group-members__name { color: rgb(0, 0, 255) }
    .chat-group-members__more::before { opacity: 0.25 } .chat-group-members { border: 3px solid }`;
  for (const place of ['before', 'after']) {
    const ben = await host(scene, { [place]: rules });
    const style = (locator, name, pseudo) => locator.evaluate((part, [name, pseudo]) => getComputedStyle(part, pseudo)[name], [name, pseudo]);
    assert.equal(await style(ben.row('cy'), 'backgroundColor'), 'rgb(255, 0, 0)', place);
    assert.equal(await style(ben.row('cy'), 'marginTop'), '7px', place);
    assert.equal(await style(ben.row('cy').locator('.chat-group-members__name'), 'color'), 'rgb(0, 0, 255)', place);
    assert.equal(await style(ben.button('cy'), 'opacity', '::before'), '0.25', place);
    assert.equal(await style(ben.root, 'borderTopWidth'), '3px', place);
  }
});

scene('a host that has layers says where ours belongs', async (scene) => {
  const before = `@layer base, chat-group-members, components; @layer base { li { margin: 9px } * { padding: 0 } }
    @layer components { .chat-group-members__name { color: rgb(0, 0, 255) } }`;
  const ben = await host(scene, { before });
  const [margin, padding, colour] = await ben.row('cy').evaluate((row) => {
    const { margin, paddingLeft } = getComputedStyle(row);
    return [margin, paddingLeft, getComputedStyle(row.querySelector('.chat-group-members__name')).color];
  });
  assert.deepEqual([margin, padding, colour], ['0px', '8px', 'rgb(0, 0, 255)']);
});
