// A list under a hand: where a row is on the screen, and whether changes wait.

export const topOf = (viewer, uid) => viewer.row(uid).evaluate((row) => row.getBoundingClientRect().top);
/** The waiting changes are said behind the pill. */
export const waits = (viewer) => viewer.part('held').waitFor();
