// How a selection is made, told and sent: by the boxes of a list, the word about them, and the host's own script.

/** The options of a viewer who can select several. */
export const multiple = { query: '?selectionMode=multiple' };

export const box = (viewer, uid) => viewer.part(`s-${uid}`);
export const said = (viewer) => viewer.part('count').innerText();
/** Who is selected, by the host's own way to ask. */
export const selected = (viewer) =>
  viewer.page.evaluate(
    (x) =>
      document
        .getElementById(x)
        .chatGroupMembers.selected()
        .map(({ uid }) => uid),
    viewer.x,
  );
/** The select events so far: `+dee`, `-dee`. */
export const told = async (viewer) => (await viewer.heard('select')).map(({ member, selected }) => (selected ? '+' : '-') + member.uid);
/** What the next post carries, and where it goes, once its answer is shown. */
export const posted = async (viewer, press) => {
  const shown = viewer.page.waitForEvent('domcontentloaded');
  const [request] = await Promise.all([viewer.page.waitForRequest((request) => request.method() === 'POST'), press(), shown]);
  return { path: new URL(request.url()).pathname, uids: new URLSearchParams(request.postData()).getAll('uid') };
};
export const proceed = (viewer) => viewer.part('selection').getByRole('button', { name: 'Continue' }).click();
