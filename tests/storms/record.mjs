// What happened when, and what was found: for the console, and for the report.

/** Seconds before a disturbance in which its cause is looked for. */
const CAUSE = 3;
/** Of so many pages that somebody comes back to, the browser has some as they were left. */
const RETURNS = 10;

/** Each promise by its name. */
export const VERDICTS = {
  equal: 'Every screen equals a fresh page of the same window',
  live: 'Every screen is live again after the last fault',
  owes: 'A screen that owes itself a look does not say that it is live',
  asked: 'What was asked for last is shown',
  ended: 'Whoever was put out sees nothing more',
  presence: 'How fresh statuses are does not change back and forth',
  named: 'A page whose address names a member begins around them',
  mouse: 'Nothing moves under a mouse that rests',
  finger: 'Nothing moves under a finger',
  fling: 'A list that goes on scrolling after a finger is scrolled by no script',
  focus: 'Nothing moves under the focus, and the focus stays in the list',
  caret: 'Nothing moves under marked text, and it stays marked',
  eye: 'What somebody reads does not move',
  press: 'A press opens the menu of whom it began on',
  menu: 'An open menu offers only what its viewer may do',
  ends: 'The keys Home and End lead to the first and the last member',
  selection: 'Selected are those whose boxes are ticked, and only members',
  held: 'Who is selected holds nothing back',
  compose: 'A word is composed in peace',
  bounded: 'A list loads a bounded number of rows',
  nodes: 'What is gone is not kept',
  kept: 'Of the pages that somebody comes back to, the browser has kept some',
  errors: 'No page has an error',
};

export class Record {
  began = Date.now();
  entries = [];
  storms = [];
  problems = [];
  /** What failed in one of two tries only: it does not count, and is told. */
  unconfirmed = [];
  /** How often somebody came back to a page, and found it as it was left. */
  returns = { all: 0, kept: 0 };

  constructor(loud) {
    this.loud = loud;
  }

  seconds = (at = Date.now()) => (at - this.began) / 1_000;

  /** `about` names the group or the viewer that it concerns, when it is one of them. */
  log(kind, text, about) {
    const entry = { at: this.seconds(), kind, text, about };
    this.entries.push(entry);
    if (this.loud || kind === 'say') console.log(`${entry.at.toFixed(2).padStart(8)}  ${kind.padEnd(8)} ${text}`);
  }

  storm() {
    this.storms.push({ from: this.seconds() });
  }

  /** A row moved under somebody's hand, at that time of the clock. */
  disturbed({ uid, group }, kind, at, { what, uid: row, ...rest }) {
    const when = this.seconds(at);
    const concerns = ({ at, kind, about }) =>
      at <= when + 0.05 && at > when - CAUSE && ['call', 'fault', 'habit'].includes(kind) && (about?.uid ?? uid) === uid && (about?.group ?? group) === group;
    const causes = this.entries
      .filter(concerns)
      .slice(-6)
      .map((entry) => `${(when - entry.at).toFixed(2)} s before: ${entry.text}`);
    const more = Object.entries(rest)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
    this.found({
      verdict: VERDICTS[kind] ? kind : 'errors',
      viewer: uid,
      what: row ? `${what} (row ${row}, group ${group}${more && `, ${more}`})` : what,
      at: when,
      detail: causes,
    });
  }

  found(problem) {
    this.problems.push({ at: this.seconds(), storm: this.storms.length, ...problem });
  }

  /** A run in which the browser kept no page has not tried a page that comes back as it was left. */
  judgeReturns() {
    const { all, kept } = this.returns;
    const what = `none of ${all} pages that somebody came back to was as it had been left`;
    if (all >= RETURNS && !kept) this.found({ verdict: 'kept', viewer: 'everybody', what });
  }

  /** These failed in one of two tries. */
  doubt(problems) {
    this.unconfirmed.push(...problems);
    this.problems = this.problems.filter((problem) => !problems.includes(problem));
  }

  /** Verdicts in order, each with its problems. */
  verdicts() {
    return Object.entries(VERDICTS).map(([name, words]) => ({ name, words, problems: this.problems.filter(({ verdict }) => verdict === name) }));
  }
}
