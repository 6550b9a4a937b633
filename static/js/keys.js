// The keyboard. The list is one stop of the Tab key; inside it arrows lead from row to row and along
// the controls of a row, and typing leads to a name. Without this script every control is a stop.

const PAGE_OF_KEYS = 10;
const TYPING_PAUSE = 500;
const CONTROL = 'a[href], button, [type="checkbox"], [type="radio"]';
const ROW = `.${PREFIX}__row`;

let [typed, typedAt] = ['', 0];

const rowsOf = (root) => [...list(root).querySelectorAll(ROW)];
/** What receives the focus that goes to a row. */
const targetOf = (row) => boxOf(row) ?? buttonOf(row) ?? row.querySelector(CONTROL) ?? row;

/** An item of the list that came, or changed: none of its controls is a stop, unless it is the one of the list. */
function settle(root, item) {
  const memory = memoryOf(root);
  for (const control of item.querySelectorAll(CONTROL)) if (control !== memory.stop) control.tabIndex = -1;
  if (!item.dataset.uid) return;
  showSelected(root, item);
  if (!list(root).contains(memory.stop)) setStop(root, targetOf(item));
}

function settleAll(root) {
  for (const item of list(root).children) settle(root, item);
}

function setStop(root, control) {
  const memory = memoryOf(root);
  const { stop } = memory;
  if (stop === control) return;
  // A row that is no stop takes no focus from the mouse either.
  if (stop?.matches('li')) stop.removeAttribute('tabindex');
  else if (stop) stop.tabIndex = -1;
  memory.stop = control;
  control.tabIndex = 0;
}

function go(root, control) {
  setStop(root, control);
  control.focus();
}

const isStop = (root, target) => root && list(root)?.contains(target) && target.matches(`${CONTROL}, ${ROW}`);

function focused({ target }) {
  const root = rootOf(target);
  if (isStop(root, target)) setStop(root, target);
}

function keyPressed(event) {
  const { target, key } = event;
  const root = rootOf(target);
  if (!root || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const menu = target.closest(`.${PREFIX}__menu`);
  let to;
  if (menu) {
    const entries = [...menu.querySelectorAll('a, button')];
    const place = placeOf(event, entries, entries.indexOf(target));
    to = entries[(place + entries.length) % entries.length];
  } else if (target === part(root, 'q')) {
    if (key !== 'Escape' || !target.value) return;
    target.value = '';
    target.dispatchEvent(new Event('input', { bubbles: true }));
    to = target;
  } else if (isStop(root, target)) to = fromRow(event, root);
  if (!to) return;
  event.preventDefault();
  if (isStop(root, to)) setStop(root, to);
  to.focus();
}

/** Where a key leads to from a control in the list. */
function fromRow(event, root) {
  const { target, key } = event;
  const row = target.closest('li');
  if (key === 'Enter' && target.matches(`${ROW}, .${PREFIX}__select`)) {
    target.click();
    return target;
  }
  const rows = rowsOf(root);
  const side = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (side) {
    const controls = [...row.querySelectorAll(CONTROL)];
    return controls[controls.indexOf(target) + (getComputedStyle(row).direction === 'rtl' ? -side : side)];
  }
  const end = rows.length;
  const place = placeOf(event, rows, row.dataset.uid ? rows.indexOf(row) : end);
  // The true first and last member, and what lies beyond the window, are fetched: the focus goes there then.
  const where = { Home: 'first', End: 'last' }[key] ?? (place === end ? 'next' : place < 0 && 'previous');
  return where && reach(root, where) ? target : rows[place] && targetOf(rows[place]);
}

/** The index that a key leads to among things, from the one at `at`; undefined when it leads nowhere. */
function placeOf({ key, timeStamp }, things, at) {
  const last = things.length - 1;
  const places = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: Math.min(at + PAGE_OF_KEYS, last),
    PageUp: Math.max(at - PAGE_OF_KEYS, 0),
    Home: 0,
    End: last,
  };
  if (key in places) return places[key];
  const goesOn = timeStamp - typedAt < TYPING_PAUSE;
  // The space is a press, unless it stands in a name.
  if (key.length > 1 || (key === ' ' && !goesOn)) return;
  typed = goesOn ? typed + key : key;
  typedAt = timeStamp;
  const from = goesOn ? at : at + 1;
  const begins = (index) => folded(nameIn(things[index])).startsWith(folded(typed));
  return [...things.keys()].map((index) => (index + from) % things.length).find(begins) ?? at;
}

const nameIn = (thing) => (thing.querySelector(`.${PREFIX}__name`) ?? thing).textContent.trim();
const folded = (text) => text.toLocaleLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
