// Names of a hundred letters, and roles in long words, are read in full in any width.

import assert from 'node:assert/strict';

import { crowd, host, MISSING_PICTURE, overlapping, tooWide } from './looks.mjs';
import { scene, stage } from './support.mjs';

stage();

/** Names that nobody can break between words: as long as a name may be, and as long as suffices on a phone. */
const unbroken = () =>
  crowd().map((member) => ({ ...member, name: { zoe: 'W'.repeat(100), dee: 'W'.repeat(45), cy: 'M'.repeat(100) }[member.uid] ?? member.name }));

for (const [size, context] of Object.entries({
  'a wide window': { viewport: { width: 1280, height: 800 } },
  '320 × 480': { viewport: { width: 320, height: 480 } },
  '280 px, in Hebrew': { viewport: { width: 280, height: 600 }, query: '?lang=he&groupBy=none&selectionMode=multiple' },
  '320 × 480, in German, with letters of twice the size': {
    viewport: { width: 320, height: 480 },
    query: '?lang=de',
    before: 'html { font-size: 200% }',
    frame: 'block-size: 480px',
  },
})) {
  scene(
    `names of a hundred letters are read in full, and a dialog about them keeps its buttons in sight: ${size}`,
    async (scene) => {
      const ben = await host(scene, context);
      for (const uid of ['cy', 'dee', 'zoe']) {
        await ben.part('q').fill(uid);
        await ben.row(uid).waitFor();
        await ben.until((count) => document.querySelectorAll('[data-uid]').length <= count, 3);
        const cut = await ben
          .row(uid)
          .locator('.chat-group-members__name')
          .evaluate((name) => [name.scrollWidth - name.clientWidth, name.scrollHeight - name.clientHeight]);
        assert.deepEqual(cut, [0, 0], `${uid}: pixels of the name that are cut off`);
        assert.deepEqual(await tooWide(ben), [], uid);
        assert.deepEqual(await overlapping(ben), [], uid);
        if (uid === 'zoe') continue;
        for (const act of ['kick', 'ban', 'scope']) {
          await ben.dialog(uid, act);
          assert.deepEqual(await tooWide(ben), [], `${act} ${uid}`);
          const out = await ben.part('dialog').evaluate((dialog) => {
            const box = dialog.getBoundingClientRect();
            const isOut = ({ left, right, top, bottom }) =>
              left < box.left || right > box.right || top < box.top || bottom > box.bottom || bottom > innerHeight;
            return [...dialog.querySelectorAll('footer > *')].filter((button) => isOut(button.getBoundingClientRect())).map(({ textContent }) => textContent);
          });
          assert.deepEqual(out, [], `${act} ${uid}: buttons on the screen`);
          await ben.page.keyboard.press('Tab');
          const covered = await ben.page.evaluate(() => {
            const one = document.activeElement.getBoundingClientRect();
            const footer = document.activeElement.closest('footer') ? null : document.querySelector('dialog[open] footer').getBoundingClientRect();
            return footer && one.top >= footer.top;
          });
          assert.ok(!covered, `${act} ${uid}: what has the focus is not below the buttons`);
          await ben.page.keyboard.press('Escape');
          await ben.closed();
        }
      }
    },
    { ...MISSING_PICTURE, members: unbroken() },
  );
}

for (const lang of ['en', 'de', 'lt', 'ru', 'he', 'zh']) {
  scene(
    `the role is read at 280 px without a heading: ${lang}`,
    async ({ viewer }) => {
      for (const mode of ['none', 'multiple']) {
        const ben = await viewer('ben', { viewport: { width: 280, height: 640 }, query: `?groupBy=none&lang=${lang}&selectionMode=${mode}` });
        const badges = await ben.page.$$eval('.chat-group-members__row > small', (all) =>
          all.map((badge) => {
            const text = document.createRange();
            text.selectNodeContents(badge);
            const [box, word, row] = [badge, text, badge.closest('li')].map((part) => part.getBoundingClientRect());
            return [
              badge.textContent.trim().length > 0,
              word.width > 8,
              word.left >= box.left - 1 && word.right <= box.right + 1,
              box.left >= row.left && box.right <= row.right,
              box.bottom <= row.bottom,
            ];
          }),
        );
        assert.ok(badges.length >= 4);
        assert.deepEqual(
          badges.flat().filter((holds) => !holds),
          [],
          mode,
        );
        assert.deepEqual(await tooWide(ben), []);
      }
    },
    MISSING_PICTURE,
  );
}

scene(
  'names of a hundred letters stay on the page of those who were selected',
  async ({ viewer }) => {
    const plain = { javaScriptEnabled: false, live: false, viewport: { width: 320, height: 600 } };
    const ben = await viewer('ben', { ...plain, query: '?selectionMode=multiple&lang=en-US&searchKeyword=WWW' });
    for (const uid of ['zoe', 'dee']) await ben.part(`s-${uid}`).check();
    await ben.page.getByRole('button', { name: 'Continue' }).click();
    await ben.page.locator('.chat-page__main [data-uid="zoe"]').waitFor();
    assert.deepEqual(await tooWide(ben), []);
  },
  { ...MISSING_PICTURE, members: unbroken() },
);
