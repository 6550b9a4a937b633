// The loaded window has two ends: what is let go of is not forgotten, and keys lead beyond it.

import assert from 'node:assert/strict';

import { crowd, further, page } from './crowd.mjs';
import { sameAsFresh } from './law.mjs';

/** What a browser, or htmx, says about a connection that broke. */
const BROKEN = /fetch|network|load failed|htmx|connection/i;

export function ends(scene) {
  scene(
    'the row that has the focus keeps its end of the window',
    async ({ viewer }) => {
      const ada = await viewer('ada', { query: '?limit=100' });
      await ada.away();
      await ada.focus(`#${ada.x}-list [tabindex="0"]`);
      for (let pages = 0; pages < 4; pages++) await page(ada, 'next');
      assert.ok((await ada.uids()).includes('ada'), 'focused, and still there');
      await ada.ask(() => document.activeElement.blur());
      await further(ada, 'next', 'ada', false);
      await sameAsFresh(ada);
    },
    { members: crowd() },
  );

  scene(
    'a row whose text is marked keeps its end of the window; an open menu does not, and goes with its row',
    async ({ viewer }) => {
      const ada = await viewer('ada', { query: '?limit=100' });
      await ada.away();
      await ada.ask((name) => getSelection().selectAllChildren(document.querySelector(name)), `${ada.row('ada')} bdi`);
      for (let pages = 0; pages < 4; pages++) await page(ada, 'next');
      assert.ok((await ada.uids()).includes('ada'), 'marked, and still there');
      await ada.activate(ada.button('cy'));
      await ada.shown(`${ada.part('menu')} [data-action]`);
      await ada.ask(() => getSelection().removeAllRanges());
      await further(ada, 'next', 'cy', false);
      await ada.hidden(ada.part('menu'));
    },
    { members: crowd() },
  );

  scene(
    'people stay selected when their rows are let go of, and are still when they are seen again',
    async ({ viewer }) => {
      const eve = await viewer('eve', { query: '?selectionMode=multiple&limit=100' });
      await eve.click(eve.part('s-cy'));
      await eve.says(eve.part('count'), '1 selected');
      // A row with the focus would stay.
      await eve.away();
      await eve.ask(() => document.activeElement.blur());
      await further(eve, 'next', 'cy', false);
      assert.equal(await eve.text(eve.part('count')), '1 selected');
      assert.deepEqual(
        await eve.ask(
          (x) =>
            document
              .getElementById(x)
              .chatGroupMembers.selected()
              .map(({ uid }) => uid),
          eve.x,
        ),
        ['cy'],
      );
      await sameAsFresh(eve);
      await further(eve, 'previous', 'cy', true);
      assert.equal(await eve.ask((box) => document.querySelector(box).checked, eve.part('s-cy')), true);
      await sameAsFresh(eve);
    },
    { members: crowd() },
  );

  scene(
    'Shift selects over rows that were let go of; a selection alone holds nothing; who has left meanwhile is found out when the window is fetched anew',
    async ({ viewer, actor, server, guid, road }) => {
      const eve = await viewer('eve', { query: '?selectionMode=multiple&limit=100' });
      // The host hears of the list when one can select.
      await eve.until(() => window.heard.some(({ name }) => name === 'load'));
      await eve.away();
      await eve.focus(`#${eve.x}-list [tabindex="0"]`);
      await eve.press('ArrowDown', 'ArrowDown', 'Space');
      await eve.says(eve.part('count'), '1 selected');
      await eve.ask(() => document.activeElement.blur());
      await further(eve, 'next', 'cy', false);
      // To scroll to it would bring Cy back.
      await eve.ask((stop) => document.querySelector(stop).focus({ preventScroll: true }), `#${eve.x}-list [tabindex="0"]`);
      await eve.press('Shift+Space');
      const all = (await actor('eve').members('?from=0&until=~')).data.map(({ uid }) => uid);
      const until = (await eve.focused()).slice('m-'.length);
      const selected = all.indexOf(until) - all.indexOf('cy') + 1;
      assert.ok(selected > 2, `${selected} from Cy to ${until}`);
      await eve.says(eve.part('count'), `${selected} selected`);
      await eve.ask(() => document.activeElement.blur());
      const other = (await eve.uids()).at(-20);
      await actor('ada').kick(other);
      await eve.gone(eve.row(other));
      road.down = true;
      road.cut();
      await eve.live('reconnecting');
      await actor('ada').kick('cy');
      // More than messages can tell.
      await server.import(
        guid,
        Array.from({ length: 700 }, (_, i) => ({ uid: `b${i}`, name: `Before ${i}`, scope: 'participant', joinedAt: 1_694_000_000 })),
      );
      road.down = false;
      await eve.live('on');
      await eve.says(eve.part('count'), `${selected - 1} selected`);
      await sameAsFresh(eve);
    },
    { members: crowd(), complaints: BROKEN },
  );

  scene('when all who stand beyond the end have left, an empty answer takes the sentinel away', async ({ viewer, actor }) => {
    const eve = await viewer('eve', { query: '?limit=100' });
    await eve.away();
    const shown = await eve.uids();
    const all = (await actor('eve').members('?from=0&until=~')).data.map(({ uid }) => uid);
    const beyond = all.filter((uid) => !shown.includes(uid));
    assert.ok(beyond.length > 0 && beyond.length < 20, `${beyond.length} beyond the end`);
    for (const uid of beyond) await actor('ada').kick(uid);
    await eve.until((x, count) => document.getElementById(x).dataset.count === String(count), eve.x, shown.length);
    await eve.toEnd('next');
    await eve.gone(`#${eve.x} .chat-group-members__next`);
    assert.deepEqual(await eve.uids(), shown);
    await sameAsFresh(eve);
  });

  scene(
    'Home and End lead to the true first and last member, whatever is loaded',
    async ({ viewer, actor }) => {
      const { data } = await actor('eve').members('?before=end&limit=1');
      const eve = await viewer('eve');
      await eve.away();
      await eve.focus(`#${eve.x}-list [tabindex="0"]`);
      await eve.press('End');
      await eve.focusIn(data[0].uid);
      const end = await eve.uids();
      assert.equal(end.at(-1), data[0].uid);
      assert.ok(!end.includes('ada'), 'the first were let go of');
      await eve.press('Home');
      await eve.focusIn('ada');
      assert.equal((await eve.uids())[0], 'ada');
      await eve.focus(eve.part('q'));
      await sameAsFresh(eve);
    },
    { members: crowd() },
  );
}
