// Whom a press is aimed at, where the pointer goes after it, and how what it has opened is left.

/** Milliseconds. An answer may be held back for 2.5 s. */
export const MENU = 3_000;
export const SETTLED = 4_000;
export const CLICKED = 1_500;
export const PRESSED = 4_000;

/** Where the pointer goes when it is not on the list. */
export const away = (screen) => screen.page.mouse.move(1, 1);

export async function aimAtSomebody(screen, dice) {
  const uid = dice.one(await screen.visible());
  const point = uid && (await screen.aim(uid));
  return point ? { uid, ...point } : null;
}

/** Leaves whatever is open. */
export async function leave(screen) {
  await screen.own(SETTLED);
  await screen.page.keyboard.press('Escape');
  await screen.ask(() => document.querySelector('dialog[open]')?.close());
}
