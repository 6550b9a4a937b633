// One storm: everything that its plan holds, then quiet, then a look at every screen.

import { setTimeout as sleep } from 'node:timers/promises';

import { PASSING, VIEWERS, crowd, members } from './cast.mjs';
import { compare } from './compare.mjs';
import { elsewhere, leaveMenuBehind, loseRightsAtDialog, loseRightsAtMenu, takePlace } from './scenes.mjs';
import { retainers } from './retained.mjs';
import { Screen } from './screen.mjs';

/** Rows that a screen may have loaded: a window is bounded. */
const MOST_ROWS = 400;
/** Nodes outside the document that a storm may leave behind after a garbage collection. */
const MOST_KEPT = 5_000;
/**
 * Milliseconds in which a request without an answer is given up, a wait for the next connection is over, and what waited behind a hand is
 * placed; and so many looks at what they hold meanwhile.
 */
const GIVEN_UP = 33_000;
const LOOKS = 11;
/** Pages that are opened at once. */
const AT_ONCE = 4;
/** Milliseconds that what began in the storm may take after it, and that a service may take to come back. */
const ENDING = 45_000;

export class Storm {
  #outages = Promise.resolve();
  #people = {};

  constructor(town, screens, record, only) {
    Object.assign(this, { town, screens, record });
    // Where only some habits are drawn, what goes wrong on the way goes wrong for whoever has them.
    const concerned = screens.filter(({ habits }) => habits.some((name) => only.includes(name)));
    this.concerned = concerned.length ? concerned : screens;
    for (const guid of ['small', 'large']) this.#people[guid] = crowd(guid).map(({ uid }) => uid);
  }

  /** Both groups, and everybody at their screens. */
  static async prepare(browser, town, record, only) {
    for (const guid of ['small', 'large']) await town.import(guid, members(guid));
    const screens = [];
    for (let at = 0; at < VIEWERS.length; at += AT_ONCE) {
      const some = VIEWERS.slice(at, at + AT_ONCE);
      screens.push(...(await Promise.all(some.map((viewer, index) => Screen.open(browser, town, viewer, at + index, record)))));
    }
    for (const screen of screens) {
      screen.loseRightsAtMenu = (drawn, change) => loseRightsAtMenu(screen, drawn, change);
      screen.loseRightsAtDialog = (drawn, change) => loseRightsAtDialog(screen, drawn, change);
      screen.leaveMenuBehind = (drawn, putOut) => leaveMenuBehind(screen, drawn, putOut);
      screen.elsewhere = (milliseconds) => elsewhere(screen, milliseconds);
    }
    return new Storm(town, screens, record, only);
  }

  crowd = (guid) => this.#people[guid];
  /** Nobody who looks: whoever looks stays, unless it is said so. */
  somebody = (dice, guid) => dice.one(this.crowd(guid));
  groupOf = (uid) => VIEWERS.find((viewer) => viewer.uid === uid).group;
  /** Whether nothing begins any more: who comes then would only be waited for. */
  isOver = () => this.screens.every(({ over }) => over);
  log = (kind, text) => this.record.log(kind, text);
  note = (uid) => this.record.log('fault', `… to ${uid}`, { uid });

  /** Answers what came of it, as data; nothing where there is none. */
  async act(uid, group, method, path, fields, name) {
    const { status, text } = await this.town.act(uid, group, method, path, fields, name);
    this.record.log('call', `${uid}: ${method} ${group}${path}${name ? ` “${name.slice(0, 30)}”` : ''}: ${status}`, { group });
    return status === 200 && text ? JSON.parse(text) : undefined;
  }

  async host(method, path, fields) {
    const { status } = await this.town.host(method, path, fields);
    const group = path.match(/^\/groups\/(\w+)/)?.[1];
    this.record.log('call', `host: ${method} ${path} ${JSON.stringify(fields).slice(0, 60)}: ${status}`, group && { group });
  }

  setScope = (uid, scope) => this.host('PUT', `/groups/${this.groupOf(uid)}/members/${uid}`, { scope });

  /** A service ends in this way and comes back on the same port; one at a time. */
  outage(which, end, milliseconds) {
    const node = this.town.nodes[which];
    this.#outages = this.#outages.then(async () => {
      await end(node);
      await sleep(milliseconds);
      await node.restart();
    });
    return this.#outages;
  }

  /** The database of a file becomes again what it was before `meanwhile`: what happens in that time is lost. */
  takeBack(meanwhile) {
    const [node] = this.town.nodes;
    this.#outages = this.#outages.then(async () => {
      const copy = await node.backup();
      await meanwhile();
      await node.putBack(copy);
    });
    return this.#outages;
  }

  /** Everything as it was, so that each storm stands for itself. */
  async begin(isCalm) {
    // The first finds it so.
    if (this.record.storms.length) {
      for (const guid of ['small', 'large']) await this.town.restore(guid, members(guid));
      for (const { uid, group, scope } of this.screens) if (scope !== 'owner') await this.town.host('PUT', `/groups/${group}/members/${uid}`, { scope });
    }
    await Promise.all(
      this.screens.map(async (screen) => {
        if (screen.spoilt) await screen.load();
        screen.road.ended = false;
        Object.assign(screen, { spoilt: false, over: false });
        screen.found.clear();
        screen.kept = await this.#kept(screen);
        await screen.queue('the hand', () => takePlace(screen, isCalm));
      }),
    );
  }

  /** Nodes outside the document; what the browser's cache of pages keeps, it keeps for the whole storm. */
  async #kept(screen) {
    const { nodes, attached } = await screen.nodes();
    // Less than none: a list became shorter between the two counts.
    return { loads: screen.loads, outside: Math.max(0, nodes - attached) };
  }

  /** Answers the problems that were found. Ends early when a hand is disturbed in a way that is waited for: `until` names verdicts, or `any`. */
  async run({ happenings, lasts, calm }, until = []) {
    await this.begin(calm);
    this.town.longest.length = 0;
    const isFound = () => this.screens.some(({ found }) => until.some((verdict) => found.has(verdict) || (verdict === 'any' && found.size)));
    const began = Date.now();
    const running = new Map();
    this.record.storm();
    for (const one of happenings) {
      await sleep(Math.max(0, began + one.at * 1_000 - Date.now()));
      if (isFound()) break;
      const work = this.#happen(one).finally(() => running.delete(work));
      running.set(work, one.uid ? `${one.uid}: ${one.name}` : one.name);
    }
    if (!isFound()) await sleep(Math.max(0, began + lasts * 1_000 - Date.now()));
    for (const screen of this.screens) screen.over = true;
    const late = sleep(ENDING, 'late', { ref: false });
    if ((await Promise.race([Promise.allSettled([...running.keys(), this.#outages]), late])) === 'late')
      throw new Error(`what began in the storm has not ended within ${ENDING} ms: ${[...running.values()].join(', ') || 'an outage'}; ${this.#calls()}`);
    await this.#outages;
    await this.#gather();
    return this.#judge();
  }

  /** What the services are asked now, and what took longest, for whoever looks for the reason. */
  #calls() {
    const { calls, longest } = this.town;
    const now = [...calls].map(({ what, began }) => `${what} for ${Date.now() - began} ms`);
    return `asked now: ${now.join(', ')}; longest: ${longest.map(({ what, took }) => `${what} ${took} ms`).join(', ')}`;
  }

  async #happen({ kind, name, uid, run, dice }) {
    const screen = uid && this.screens.find((screen) => screen.uid === uid);
    const begin = () => this.record.log(kind, uid ? `${uid}: ${name}` : name, uid && { uid });
    const atScreen = async () => {
      if (!(await screen.hasList())) return;
      begin();
      await run(screen, dice, this);
    };
    try {
      if (screen) await screen.queue(name, atScreen);
      else {
        begin();
        await run(this, dice);
      }
    } catch (error) {
      // A service that does not come back ends the run; whatever else went wrong is told.
      if (/the program ended/.test(error.message)) throw error;
      this.log('slip', `${name}: ${error.message.split('\n')[0]}`);
    }
  }

  /** Disturbances are taken before the hands go. */
  async #gather() {
    const inside = { small: await this.town.members('small'), large: await this.town.members('large') };
    await Promise.all(
      this.screens.map(async (screen) => {
        // Before the pages of a screen change.
        const found = await screen.take().catch(() => []);
        for (const { kind, at, members = [], ...rest } of found) {
          // Whoever comes and goes may have gone meanwhile, or be somebody else now.
          if (members.every((uid) => inside[screen.group].has(uid) && !PASSING.test(uid))) this.record.disturbed(screen, kind, at, rest);
        }
        // A row with focus keeps its end of the window loaded, until the next change after it.
        screen.keepsRows = await screen.ask(() => document.querySelector('.chat-group-members__list')?.contains(document.activeElement)).catch(() => false);
        try {
          await screen.rest();
        } catch (error) {
          this.log('slip', `${screen.uid}: ${error.message.split('\n')[0]}; the page is loaded again`);
          // Whoever was put out, and was to come back, may still be out.
          await this.setScope(screen.uid, screen.scope);
          await screen.load();
        }
      }),
    );
  }

  async #judge() {
    this.log('quiet', 'all faults are lifted, all hands are off');
    const problems = [];
    const inside = { small: await this.town.members('small'), large: await this.town.members('large') };
    const say = (screen, verdict, what, detail = []) => problems.push({ verdict, viewer: screen.uid, what, detail });
    await Promise.all(
      this.screens.map(async (screen) => {
        const { sides, problems: found } = await compare(screen, (text) => this.log('verdict', text));
        // Whoever was put out and came back meanwhile sees the end until the page is loaded again.
        const over = sides.ended && screen.road.ended;
        for (const { verdict, what, detail } of over ? [] : found) say(screen, verdict, what, detail);
        const { asked, rows } = sides;
        if (asked?.box != null && asked.box.trim() !== asked.searchKeyword.trim())
          say(screen, 'asked', `the box says “${asked.box}” and the list shows “${asked.searchKeyword}”`);
        if (asked && asked.pressed !== null && asked.pressed !== asked.filter)
          say(screen, 'asked', `pressed last: “${asked.pressed}”, shown: “${asked.filter}”`, [`now ${asked.address}`, ...asked.sincePress]);
        if (sides.selected) for (const what of wrongSelection(sides.selected, inside[screen.group])) say(screen, 'selection', what);
        if (rows > MOST_ROWS && !screen.keepsRows) say(screen, 'bounded', `${rows} rows are loaded`);
        for (const error of screen.said.splice(0)) say(screen, 'errors', error.split('\n').slice(0, 3).join(' '));
        // A request that is being given up holds what it was to change for ten seconds more, a wait for up to twenty, changes that wait behind
        // a hand for up to thirty; a leak stays.
        let { loads, outside } = await this.#kept(screen);
        if (outside - screen.kept.outside > MOST_KEPT) await screen.sendForm();
        for (let looks = 0; looks < LOOKS && outside - screen.kept.outside > MOST_KEPT; looks++) {
          await sleep(GIVEN_UP / LOOKS);
          ({ loads, outside } = await this.#kept(screen));
        }
        this.log(
          'verdict',
          `${screen.uid}: ${outside} nodes outside the document, ${screen.kept.outside} before${loads === screen.kept.loads ? '' : ', loaded anew'}`,
        );
        if (loads === screen.kept.loads && outside - screen.kept.outside > MOST_KEPT)
          say(
            screen,
            'nodes',
            `${outside} nodes outside the document after a garbage collection, ${screen.kept.outside} before the storm`,
            await retainers(screen.cdp),
          );
        screen.spoilt = found.length > 0 || sides.ended || rows > MOST_ROWS;
      }),
    );
    return problems;
  }

  async close() {
    for (const screen of this.screens) await screen.close();
  }
}

/** What is wrong about who is selected, in words. */
function wrongSelection({ remembered, ticked, loaded, count }, inside) {
  const should = new Set(remembered.filter((uid) => loaded.includes(uid)));
  const wrong = [...ticked.filter((uid) => !should.has(uid)), ...[...should].filter((uid) => !ticked.includes(uid))];
  const gone = remembered.filter((uid) => !inside.has(uid));
  return [
    wrong.length ? `boxes and selection differ: ${wrong.slice(0, 8).join(' ')}` : '',
    gone.length ? `selected, but out of the group: ${gone.slice(0, 8).join(' ')}` : '',
    count === remembered.length ? '' : `the count says ${count}, and ${remembered.length} are selected`,
  ].filter(Boolean);
}
