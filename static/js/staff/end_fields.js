// The end of an act in its dialog: an offered duration, or fields of one's own for hours and days, in a part that opens.

import { PREFIX } from '../core/component.js';
import { listen } from '../core/listen.js';

/**
 * Keeps only the end that was chosen last and clears the others: an offered duration (`until`), a number of hours, or a day.
 * @param {From<InputEvent, HTMLInputElement>} event
 */
function endChosen({ target }) {
  /** @param {string} fields */
  const all = (fields) => /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([...(target.form?.querySelectorAll(fields) ?? [])]);
  const own = all(`.${PREFIX}__field :is([name="hours"], [name="day"])`);
  const offered = all('[name="until"]');
  const isOwn = own.includes(target);
  if (!isOwn && !offered.includes(target)) return;
  for (const field of own) if (field !== target) field.value = '';
  if (!isOwn) return;
  for (const choice of offered) {
    if (choice instanceof HTMLSelectElement) choice.selectedIndex = target.value ? -1 : 0;
    else choice.checked = !target.value && choice.defaultChecked;
  }
}

/**
 * Scrolls the fields for hours and days into view when they open: on a small screen they are below the dialog's edge.
 * @param {From<ToggleEvent>} event
 */
function endsToggled({ target, newState }) {
  if (newState === 'open' && target.matches?.(`.${PREFIX}__ends`)) target.scrollIntoView({ block: 'nearest' });
}

/**
 * Opens the `details` around an invalid field: a browser shows its message only at a visible field.
 * @param {From<Event>} event
 */
function fieldIsWrong({ target }) {
  const ends = /** @type {HTMLDetailsElement | null} */ (target.closest(`.${PREFIX}__ends`));
  if (ends) ends.open = true;
}

/** Begins to listen for what is chosen in the fields of an end. */
export function listenForEnds() {
  listen({ toggle: endsToggled, invalid: fieldIsWrong }, true);
  listen({ input: endChosen });
}
