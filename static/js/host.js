// On other people's pages the address and the frame are theirs: we leave both alone.

const keepAddress = () => {};
const openNamed = () => {};
const tell = () => {};
const watchHeight = () => {};
