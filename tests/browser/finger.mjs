// A touch screen, and a finger on it by the browser's own protocol.

/** The options of a viewer on a phone. */
export const touchScreen = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } };

/** The point in the middle of an element. */
export async function middleOf(locator) {
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Fingers on the viewer's page. `down` gets all that are then down; `up` those that are lifted, or nothing for all. */
export async function fingerOf({ context, page }) {
  const session = await context.newCDPSession(page);
  const touch = (type, ...touchPoints) => session.send('Input.dispatchTouchEvent', { type, touchPoints });
  return {
    down: (...points) => touch('touchStart', ...points),
    move: (...points) => touch('touchMove', ...points),
    up: (...points) => touch('touchEnd', ...points),
  };
}
