// What our own pages have besides the list: their address, and the frame they may stand in. The build puts
// this module, or host_page.js, in the place of `#page`.

export { keepAddress } from './address.js';
export { tellParent, watchHeight } from './frame.js';
