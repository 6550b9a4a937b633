// The address of our own page says what is on the screen: the view, and whose menu is open.

function keepAddress(root, member) {
  const query = new URLSearchParams(view(root).dataset.query);
  // What is requested names its language; the address does only when it did before.
  if (!new URLSearchParams(location.search).has('lang')) query.delete('lang');
  for (const [name, value] of [...query]) if (!value) query.delete(name);
  if (member) query.set('member', member);
  history.replaceState(history.state, '', query.size ? `?${query}` : location.pathname);
}

/** The address may name a member: brought into sight, with the menu open. */
function openNamed(root) {
  const uid = new URLSearchParams(location.search).get('member');
  const row = document.getElementById(`${root.id}-m-${uid}`);
  row?.scrollIntoView({ block: 'center' });
  if (row) buttonOf(row)?.click();
}

/** A press on somebody opens their page, unless it selects them, or marks text. */
document.addEventListener(`${PREFIX}:item-click`, ({ target, detail, defaultPrevented }) => {
  if (defaultPrevented || part(target, 'selection') || getSelection().type === 'Range') return;
  location.assign(withQuery(`${target.dataset.href}/${detail.member.uid}`, view(target).dataset.query));
});
