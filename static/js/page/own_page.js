// What our own pages have besides the list: their address, and the frame that they may be in. The build resolves `#page` to
// this module or to host_page.js.

export { keepAddress } from './address.js';
export { tellParent, watchHeight } from './frame.js';
