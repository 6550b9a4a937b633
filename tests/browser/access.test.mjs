// Every state of every page, looked at by axe: light and dark, narrow, and from right to left.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { scene, stage } from './support.mjs';

stage();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Brought in by the debugger's way, which the pages' policy does not forbid. */
async function look(viewer, state) {
  const debug = await viewer.context.newCDPSession(viewer.page);
  await debug.send('Runtime.evaluate', { expression: AXE });
  await debug.detach();
  const violations = await viewer.page.evaluate(async (rules) => {
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'], runOnly: rules });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ target, failureSummary }) => `${target} ${failureSummary}`)
          .join(' | ')}`,
    );
  }, RULES);
  assert.deepEqual(violations, [], state);
}

/** No page is wider than its window. */
async function fits(viewer, state) {
  const [wide, room] = await viewer.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= room, `${state}: ${wide} px in ${room} px`);
}

const WAYS = [
  { name: 'light', colorScheme: 'light' },
  { name: 'dark', colorScheme: 'dark' },
  { name: '320 px', viewport: { width: 320, height: 640 } },
  { name: '320 px, four times as large', viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
  { name: 'dark, right to left', colorScheme: 'dark', viewport: { width: 480, height: 800 }, locale: 'he-IL' },
  { name: 'right to left', viewport: { width: 700, height: 800 }, locale: 'ar-EG' },
];

for (const { name, ...context } of WAYS) {
  scene(
    `no violation in any state: ${name}`,
    async ({ viewer, actor, guid, server }) => {
      await actor('ada').ban('p00', { reason: 'Would not stop advertising.', until: '86400' });
      await actor('ada').mute('p01', { reason: 'Would not stop shouting.', message: 'An hour of quiet, please.', until: '3600' });
      await actor('ada').scope('cy', 'participant');
      await actor('ada').scope('cy', 'moderator', { until: '86400' });
      await actor('ada').ask('POST', '/members/cy/notes', { text: 'Asked twice to stop.' });
      const ben = await viewer('ben', context);
      // A component has the direction of its language. Each page here, also of an error, is in the browser's.
      assert.equal(await ben.root.evaluate((root) => getComputedStyle(root).direction), context.locale ? 'rtl' : 'ltr');
      const check = async (state) => {
        await look(ben, `${name}: ${state}`);
        await fits(ben, `${name}: ${state}`);
      };
      const visit = (path) => ben.page.goto(server.base + path);
      await check('list');
      await ben.menu('cy');
      await check('menu');
      await ben.page.keyboard.press('Escape');
      for (const act of ['mute', 'scope', 'notes']) {
        await ben.dialog('cy', act);
        await check(`dialog: ${act}`);
        await ben.page.keyboard.press('Escape');
        await ben.closed();
      }
      await ben.dialog('dee', 'kick');
      await ben.confirm();
      await ben.root.locator('.chat-group-members__undo').waitFor();
      await check('the bar that undoes');
      await ben.root.locator('[data-action="undo"]').click();
      await ben.there('dee');
      await ben.dialog('cy', 'ban');
      await ben.openParts();
      await check('dialog');
      await actor('ada').transfer('cy');
      await ben.part('dialog').locator('button[data-action="ban"]').click();
      await ben.part('error').getByRole('alert').waitFor();
      await check('error in the dialog');
      await ben.page.keyboard.press('Escape');
      await ben.closed();
      await ben.away();
      await ben.search('nobody at all');
      await check('nothing found');
      await ben.search('e');
      await ben.page.locator(`#${ben.x}-f-all`).focus();
      for (let stops = 0; !(await ben.focused()).startsWith(`${ben.x}-m-`); stops++) {
        assert.ok(stops < 6);
        await ben.page.keyboard.press('Tab');
      }
      await check('some found, and a row has the focus');
      for (const mode of ['single', 'multiple']) {
        await visit(`/groups/${guid}/members?selectionMode=${mode}`);
        await ben.live('on');
        await ben.part('s-dee').check();
        await ben.page.keyboard.press('ArrowDown');
        assert.match(await ben.focused(), /-m-/);
        await check(`${mode}: somebody is selected, and somebody else has the focus`);
      }
      await ben.menu('dee');
      await check('menu while somebody is selected');
      await ben.page.keyboard.press('Escape');
      await ben.part('s-ada').check();
      await ben.part('selection').locator('[value="mute"]').click();
      await ben.page.locator(`#${ben.x}-dialog[open] form`).waitFor();
      await ben.openParts();
      await check('dialog of many');
      await ben.page.keyboard.press('Escape');
      await ben.closed();
      await ben.part('s-ada').uncheck();
      await ben.part('s-p01').check();
      await ben.away();
      await actor('ada').kick('p01');
      await ben.page.locator('.chat-group-members__held button').waitFor();
      await check('somebody who is leaving, and changes that wait');
      await ben.part('selection').locator('.chat-group-members__button--primary').click();
      await ben.page.locator('.chat-page__main [data-uid="dee"]:only-child').waitFor();
      await check('who is selected');
      await visit(`/groups/${guid}/members?explain=true`);
      await ben.live('on');
      await ben.menu('cy');
      await check('menu of what is not possible');
      for (const path of [
        '/bans',
        '/mutes',
        '/members/dee/notes',
        '/members/dee',
        '/members/ben',
        '/members/cy',
        '/members/dee?act=ban',
        '',
        '/members/nobody-there',
        '/members?limit=minus',
      ]) {
        await visit(`/groups/${guid}${path}`);
        await ben.page.locator('h1').waitFor();
        await check(path);
      }
      await actor('cy').mute('ben', { message: 'An hour of quiet, please.', until: '3600' });
      await visit(`/groups/${guid}/members`);
      await ben.live('on');
      await ben.root.locator('.chat-group-members__notice').waitFor();
      await check('muted');
      await actor('cy').kick('ben');
      await ben.page.locator('.chat-group-members--ended').waitFor();
      await check('ended');
      await visit(`/groups/${guid}`);
      await ben.page.locator('[data-action="join"]').waitFor();
      await check('the face of the group');
    },
    { complaints: /status of (403|404|422)/ },
  );
}

/** What a screen reader is told of whatever has the focus. */
async function told(viewer) {
  const debug = await viewer.context.newCDPSession(viewer.page);
  const { nodes } = await debug.send('Accessibility.getFullAXTree');
  await debug.detach();
  const property = ({ properties = [] }, asked) => properties.find(({ name }) => name === asked)?.value.value;
  const node = nodes.filter((one) => property(one, 'focused') && one.role.value !== 'RootWebArea').at(-1);
  return { role: node.role.value, name: node.name.value, keys: property(node, 'keyshortcuts') ?? null };
}

scene('a row with the focus has a name, and says whether it is selected and how its menu opens', async ({ viewer }) => {
  const ben = await viewer('ben', { query: '?selectionMode=multiple' });
  await ben.page.locator(`#${ben.x} .chat-group-members__filters a`).last().focus();
  await ben.page.keyboard.press('Tab');
  const ada = await told(ben);
  assert.equal(ada.role, 'listitem');
  assert.match(ada.name, /Ada Lindqvist .*Joined .*Owner/);
  assert.doesNotMatch(ada.name, /selected/);
  assert.equal(ada.keys, null, 'Ben may do nothing to her');
  await ben.page.keyboard.press('PageDown');
  await ben.page.keyboard.press('Space');
  const last = await told(ben);
  assert.match(last.name, /\bselected\b/);
  assert.equal(last.keys, 'Alt+Enter');
});
