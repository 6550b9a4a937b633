// What staff do about somebody, and what those people see of it.

import assert from 'node:assert/strict';

import { sameAsFresh } from './law.mjs';

const bar = (viewer) => `#${viewer.x} .chat-group-members__undo`;
const notice = (viewer) => `#${viewer.x} .chat-group-members__notice`;

/** Presses the bar's button, and waits until it has gone. */
async function undo(viewer) {
  await viewer.click(`${bar(viewer)} button`);
  await viewer.gone(bar(viewer));
}

export function moderation(scene) {
  scene('Ben bans Dee and undoes it in the bar: she is back at her place', async ({ viewer, picture }) => {
    const ben = await viewer('ben');
    const before = await ben.uids();
    await ben.dialog('dee', 'ban');
    await ben.confirm();
    await ben.shown(bar(ben));
    assert.match(await ben.text(bar(ben)), /^Dee Ferreira was banned\. ?\d+s ?Undo$/);
    await picture('undo bar');
    await undo(ben);
    await ben.there(ben.row('dee'));
    await ben.away();
    await ben.shows(...before);
    await sameAsFresh(ben);
  });

  scene('Dee is muted: her screen says so, why, and until when, and no more once it is lifted', async ({ viewer, actor, picture }) => {
    const dee = await viewer('dee');
    await actor('ben').mute('dee', { until: 3_600, message: 'An hour of quiet, please.' });
    await dee.shown(notice(dee));
    assert.match(await dee.text(notice(dee)), /You cannot write in this group until .*An hour of quiet, please\./);
    await dee.there(`${dee.row('dee')} [data-muted]`);
    await dee.away();
    await sameAsFresh(dee);
    await picture('muted');
    await actor('ben').unmute('dee');
    await dee.gone(notice(dee));
    await dee.gone(`${dee.row('dee')} [data-muted]`);
    await sameAsFresh(dee);
  });

  scene('Ben kicks two of those whom he has selected, as the dialog said that he may, and takes it back', async ({ viewer, picture }) => {
    const ben = await viewer('ben', { query: '?selectionMode=multiple' });
    for (const uid of ['ada', 'cy', 'dee']) await ben.click(ben.part(`s-${uid}`));
    await ben.click(`${ben.part('selection')} [value="kick"]`);
    await ben.shown(`${ben.part('dialog')} form`);
    await ben.atRest();
    assert.equal(await ben.ask((selector) => document.querySelector(selector).matches(':modal'), ben.part('dialog')), true);
    assert.equal(await ben.count(`${ben.part('dialog')} details`), 2, 'Cy and Dee, and not Ada');
    await ben.click(`${ben.part('dialog')} details:last-of-type summary`);
    assert.equal(await ben.text(`${ben.part('dialog')} details:last-of-type li`), 'Ada Lindqvist');
    await picture('bulk');
    await ben.confirm();
    for (const uid of ['cy', 'dee']) await ben.gone(ben.row(uid));
    await undo(ben);
    for (const uid of ['cy', 'dee']) await ben.there(ben.row(uid));
    await ben.away();
    await sameAsFresh(ben);
  });

  scene('Ben writes a note about Dee by the keyboard, and removes it', async ({ viewer, picture }) => {
    const ben = await viewer('ben');
    await ben.menu('dee');
    await ben.click(`${ben.part('menu')} [data-action="notes"]`);
    await ben.shown(`${ben.part('dialog')} textarea`);
    await ben.atRest();
    await ben.until(() => document.activeElement.name === 'text');
    await ben.press('Asked twice to stop.', 'Tab', 'Tab', 'Enter');
    await ben.says(`${ben.part('dialog')} .chat-group-members__note`, 'Asked twice to stop.');
    await picture('note');
    await ben.click(`${ben.part('dialog')} [data-action="remove-note"]`);
    await ben.gone(`${ben.part('dialog')} .chat-group-members__note`);
    await ben.press('Escape');
    await ben.hidden(ben.part('dialog'));
    await ben.away();
    await sameAsFresh(ben);
  });

  scene('the badge of a role that ends says until when, and a button ends it early', async ({ viewer, actor, picture }) => {
    const ada = await viewer('ada');
    await actor('ada').scope('eve', 'moderator', { until: 604_800 });
    await ada.says(`${ada.row('eve')} [data-until]`, 'Until');
    const [badge, row] = await ada.ask(
      (row) =>
        [document.querySelector(`${row} [data-until]`), document.querySelector(row)].map((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          return { left, right, top, bottom };
        }),
      ada.row('eve'),
    );
    assert.ok(badge.left >= row.left && badge.right <= row.right && badge.top >= row.top && badge.bottom <= row.bottom, 'in its row');
    await picture('temporary role');
    await ada.dialog('eve', 'scope');
    await ada.click(`${ada.part('dialog')} button[name="scope"]`);
    await ada.hidden(ada.part('dialog'));
    await ada.there(`${ada.row('eve')}[data-scope="participant"]`);
    await ada.gone(`${ada.row('eve')} [data-until]`);
    await ada.away();
    await sameAsFresh(ada);
  });
}
