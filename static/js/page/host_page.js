// On other people's pages the address and the frame belong to the host, so these functions do nothing. The build resolves
// `#page` to this module or to own_page.js.

/** See own_page.js. */
export const keepAddress = () => {};
/** See own_page.js. */
export const tellParent = () => {};
/** See own_page.js. */
export const watchHeight = () => {};
