// How it looks: no part lies on another, and our own guard against a host's styles costs us none of ours.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';

/** Runs in the page: what every kind of part looks like with the rule that keeps a host's styles out, and differs without it. */
function lostToTheGuard() {
  const look = () => {
    // What rises or fades has done so.
    for (const animation of document.getAnimations()) animation.finish();
    const kinds = new Map();
    for (const element of document.querySelectorAll('.chat-group-members, .chat-group-members *')) {
      const kind = [element.localName, ...element.classList].filter((name) => !name.startsWith('htmx-')).join('.');
      if (kinds.has(kind) || !element.checkVisibility()) continue;
      const drawn = ['::before', '::after'].filter((pseudo) => getComputedStyle(element, pseudo).content !== 'none');
      const looks = ['', ...drawn, ...(element.placeholder ? ['::placeholder'] : [])].map((pseudo) => {
        const style = getComputedStyle(element, pseudo);
        return [...style].map((property) => `${pseudo} ${property}: ${style.getPropertyValue(property)}`);
      });
      kinds.set(kind, looks.flat());
    }
    return kinds;
  };
  const guarded = look();
  const guards = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter(({ style }) => style?.getPropertyValue('all') === 'revert-layer');
  for (const { style } of guards) style.removeProperty('all');
  const bare = look();
  for (const { style } of guards) style.setProperty('all', 'revert-layer');
  const lost = [...bare].flatMap(([kind, looks]) => looks.filter((line, at) => guarded.get(kind)?.[at] !== line).map((line) => `${kind} ${line}`));
  return [guards.length, bare.size, lost];
}

async function guardIsFree(viewer, state, least) {
  await viewer.atRest();
  const [guards, kinds, lost] = await viewer.ask(lostToTheGuard);
  assert.ok(guards > 0, 'there is such a rule');
  assert.ok(kinds >= least, `${state}: only ${kinds} kinds of parts`);
  assert.deepEqual(lost, [], state);
}

/** Rows whose name and subtitle do not begin at the same edge. */
const ragged = (viewer) =>
  viewer.ask((x) => {
    const edge = getComputedStyle(document.getElementById(x)).direction === 'rtl' ? 'right' : 'left';
    const at = (row, part) => row.querySelector(part).getBoundingClientRect()[edge];
    return [...document.querySelectorAll(`#${x} [data-uid]`)].filter((row) => Math.abs(at(row, 'bdi') - at(row, 'p')) > 0.5).map(({ dataset }) => dataset.uid);
  }, viewer.x);

export function looks(scene) {
  for (const lang of ['en', 'he']) {
    scene(`the rule that keeps the styles of hosts out takes nothing of ours away (${lang})`, async ({ viewer, picture }) => {
      const ben = await viewer('ben', { query: `?lang=${lang}&selectionMode=multiple` });
      await ben.filter('all');
      await guardIsFree(ben, 'list', 25);
      assert.deepEqual(await ragged(ben), [], 'names and what stands below them begin at one edge');
      await picture(`list ${lang}`);
      await ben.menu('dee');
      await guardIsFree(ben, 'menu', 28);
      await picture(`menu ${lang}`);
      await ben.press('Escape');
      await ben.dialog('dee', 'ban');
      await guardIsFree(ben, 'dialog', 35);
      await picture(`dialog ${lang}`);
      await ben.press('Escape');
      await ben.size(1000, 760);
      await guardIsFree(ben, 'wide', 25);
      await picture(`wide ${lang}`);
      await ben.ask(() => void (document.documentElement.dataset.theme = 'dark'));
      await ben.atRest();
      await picture(`dark ${lang}`);
      await sameAsFresh(ben);
    });
  }
}
