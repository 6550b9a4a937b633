// Runs in the page: what a list holds back although nobody has a hand on it.

/** People who are selected hold no list. Stands alone: it is sent to the page as text. */
export function watchHolding() {
  if (window !== top || window.stormHolding) return;
  window.stormHolding = true;
  const PILL = '.chat-group-members__held:not([hidden])';
  const LIST = '.chat-group-members__list';
  /** Milliseconds after the last hand in which what waits is placed: a list looks every half second whether it may. */
  const WAITS = 2_500;
  /** What a frame takes, at most: in a tab that was frozen nothing has looked. */
  const FRAME = 100;
  let isDown = false;
  for (const type of ['pointerdown', 'pointerup']) addEventListener(type, () => (isDown = type === 'pointerdown'), true);
  const isHeld = () =>
    isDown ||
    document.querySelector(':popover-open') ||
    !getSelection().isCollapsed ||
    [LIST, PILL].some((one) => document.querySelector(one)?.matches(':hover, :focus-within'));

  let [before, waited] = [0, 0];
  function frame(now) {
    const selected = document.querySelector(PILL) && !isHeld() ? window.storm.root()?.chatGroupMembers?.selected().length : 0;
    waited = selected ? waited + Math.min(now - before, FRAME) : 0;
    before = now;
    if (waited > WAITS) {
      waited = 0;
      window.storm.says('held', { what: `changes wait, and nobody holds the list: ${selected} people are selected` });
    }
    requestAnimationFrame(frame);
  }
  requestAnimationFrame(frame);
}
