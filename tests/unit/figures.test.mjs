// What the benchmark says of its samples: medians, ratios, lines of the table, the page and its plots.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LINES } from '../../benches/http/lines.mjs';
import { difference, median, quantile, ratio, said, saidSpread, spread } from '../../benches/http/numbers.mjs';
import { options } from '../../benches/http/options.mjs';
import { performance } from '../../benches/http/performance.mjs';
import { memory, plots, points, time } from '../../benches/http/plots.mjs';
import { withFigures } from '../../benches/http/readme.mjs';
import { plot } from '../../benches/http/svg.mjs';
import { columns, judged, markdown, NOT_MEASURED, together } from '../../benches/http/table.mjs';

test('the median of an even number of samples lies between the two in the middle', () => {
  assert.equal(median([4, 1, 3]), 3);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(quantile([1, 2, 3, 4, 5], 1), 5);
  assert.ok(Number.isNaN(median([])));
});

test('a spread has the least, the middle and the greatest', () => {
  assert.deepEqual(spread([5, 1, 2]), { low: 1, middle: 2, high: 5, of: 3 });
  assert.equal(spread([]), null);
  assert.equal(spread(undefined), null);
});

test('ratios are taken round by round, so that a slow round of both changes nothing', () => {
  assert.deepEqual(ratio([10, 5, 20], [20, 10, 40]), { low: 0.5, middle: 0.5, high: 0.5, of: 3 });
});

test('a series without rounds of the other is compared with its median', () => {
  assert.deepEqual(ratio([8], [2, 4, 6]), { low: 2, middle: 2, high: 2, of: 1 });
  assert.equal(difference([5], [2, 2]).middle, 3);
});

test('nothing is compared with nothing', () => {
  assert.equal(ratio([1], undefined), null);
  assert.equal(ratio(undefined, [1]), null);
});

test('figures are said with the unit that suits them', () => {
  assert.equal(said(34_100, 'rate'), '34,100/s');
  assert.equal(said(0.0000456, 'time'), '45.6 µs');
  assert.equal(said(0.0029, 'time'), '2.90 ms');
  assert.equal(said(1.5, 'time'), '1.50 s');
  assert.equal(said(-0.000004, 'time'), '-4.00 µs');
  assert.equal(said(18_000, 'bytes'), '18,000 B');
  assert.equal(said(29_200, 'memory'), '29.2 kB');
  assert.equal(said(28_700_000, 'memory'), '28.7 MB');
  assert.equal(said(Number.NaN, 'rate'), '–');
  assert.equal(saidSpread({ low: 1, middle: 2, high: 3 }, 'rate'), '2/s (1/s to 3/s)');
  assert.equal(saidSpread({ low: 2, middle: 2, high: 2 }, 'bytes'), '2 B');
});

const LINE = {
  what: 'pages to {streams}',
  figure: ['a', 'rate'],
  limit: ['b', 'rate', 'a peer'],
  compare: 'ratio',
  goal: { least: 0.5 },
  limitedBy: 'the wire',
};

test('a line is met or not by the median of its ratio', () => {
  assert.equal(judged(LINE, { a: [6, 1, 6], b: [10, 10, 10] }).met, true);
  assert.equal(judged(LINE, { a: [4, 9, 4], b: [10, 10, 10] }).met, false);
  assert.equal(judged({ ...LINE, goal: { most: 0.5 } }, { a: [6], b: [10] }).met, false);
});

test('a line without samples says so, and is neither met nor missed', () => {
  const line = judged(LINE, { b: [10] });
  assert.equal(line.measured, NOT_MEASURED);
  assert.equal(line.met, null);
  assert.equal(line.compared, '');
});

test('a line whose peer was not measured is neither met nor missed', () => {
  const line = judged(LINE, { a: [10] });
  assert.equal(line.limit, 'a peer');
  assert.equal(line.met, null);
});

test('a line without a goal has a ratio and no verdict', () => {
  const line = judged({ ...LINE, goal: null }, { a: [10], b: [5] });
  assert.deepEqual([line.compared, line.goal, line.met], ['2.00', '', null]);
});

test('a line may be judged by itself, or by a difference', () => {
  const bytes = judged({ ...LINE, figure: ['a', 'bytes'], compare: 'value', goal: { most: 900 } }, { a: [880], b: [3] });
  assert.deepEqual([bytes.met, bytes.goal, bytes.compared], [true, '≤ 900 B', '']);
  const time = judged({ ...LINE, figure: ['a', 'time'], compare: 'difference', goal: { most: 4e-6 } }, { a: [50e-6], b: [40e-6] });
  assert.deepEqual([time.met, time.compared], [false, '10.0 µs']);
});

test('a line names the sizes of its run', () => {
  assert.equal(judged(LINE, {}, { streams: '2,000' }).what, 'pages to 2,000');
});

test('what the Rust benchmark hands over stands under a name of its own', () => {
  const samples = together({ samples: { a: [1] } }, { samples: { a: [2] } });
  assert.deepEqual(samples, { a: [1], 'load.a': [2] });
  assert.deepEqual(together({ samples: {} }, null), {});
});

test('every line has a figure, a reason, and a goal that can be judged', () => {
  assert.equal(new Set(LINES.map(({ what }) => what)).size, LINES.length);
  for (const { what, figure, limit, compare, goal, limitedBy } of LINES) {
    assert.equal(figure.length, 2, what);
    assert.match(limitedBy, /\.$/, what);
    assert.ok(['ratio', 'difference', 'value'].includes(compare), what);
    if (compare !== 'value') assert.equal(limit.length, 3, what);
    if (goal) assert.equal(Object.keys(goal).length, 1, what);
  }
});

test('columns are padded, and bars inside of cells do not end them', () => {
  assert.equal(
    columns([
      ['a', 'bb'],
      ['ccc', 'd'],
    ]),
    'a    bb\nccc  d',
  );
  assert.equal(markdown([['a|b'], ['c']]), '| a\\|b |\n| --- |\n| c |');
});

const SERIES = [{ name: 'Ours & <theirs>', points: [1, 10, 1000].map((x) => ({ x, low: 1e-5, middle: 2e-5, high: 4e-5 })) }];
const PLOT = { title: 'Cost "of" it', xLabel: 'members', yLabel: 'time', series: SERIES };

test('a plot has a line, a mark for each point, and escaped words', () => {
  const svg = plot(PLOT);
  assert.match(svg, /^<svg [^>]*viewBox/);
  assert.equal(svg.match(/<polyline/g).length, 1);
  assert.equal(svg.match(/<circle/g).length, 3);
  assert.match(svg, /Ours &#38; &#60;theirs&#62;/);
  assert.match(svg, /aria-label="Cost &#34;of&#34; it"/);
  assert.doesNotMatch(svg, /NaN|undefined/);
});

test('a flat series is a level line, and the axis has room around it', () => {
  const [, line] = plot(PLOT).match(/<polyline points="([^"]*)"/);
  const heights = line.split(' ').map((place) => place.split(',')[1]);
  assert.equal(new Set(heights).size, 1);
});

test('an axis has round numbers without needless zeros', () => {
  assert.deepEqual([1e-6, 1e-5, 1e-4, 0.0025, 0.1, 10].map(time), ['1 µs', '10 µs', '100 µs', '2.5 ms', '100 ms', '10 s']);
  assert.deepEqual([5e3, 1e6, 2e8].map(memory), ['5 kB', '1 MB', '200 MB']);
});

test('plots are the same for the same samples, and there is none without', () => {
  assert.equal(plot(PLOT), plot(PLOT));
  assert.equal(plot({ ...PLOT, series: [{ name: 'a', points: [] }] }), null);
});

test('one point, and values that a logarithm does not know, make no broken plot', () => {
  const at = (x, middle) => ({ x, low: middle, middle, high: middle });
  assert.doesNotMatch(plot({ ...PLOT, series: [{ name: 'a', points: [at(5, 3)] }] }), /NaN|Infinity/);
  assert.doesNotMatch(plot({ ...PLOT, series: [{ name: 'a', points: [at(1, -3), at(10, 3)] }] }), /NaN|Infinity/);
});

test('points of a series are the samples whose names differ in the size, in its order', () => {
  const samples = {
    'growth.members.1000.ours.cpu': [3],
    'growth.members.30.ours.cpu': [1, 2],
    'growth.members.30.django.cpu': [9],
    'growth.members.x.ours.cpu': [7],
  };
  const found = points(samples, 'growth.members.{x}.ours.cpu');
  assert.deepEqual(
    found.map(({ x, middle }) => [x, middle]),
    [
      [30, 1.5],
      [1000, 3],
    ],
  );
});

const FIGURES = {
  date: '2026-11-23T10:00:00.000Z',
  took: 60,
  machine: { model: 'A processor', cores: 2, memory: 25e9, kernel: '6.1', load: [1, 2, 3] },
  loadAfter: [2, 2, 2],
  program: 'chat-group-members 0.3.0',
  commit: 'abc',
  options: { quick: true, parts: ['pages'], rounds: 2, seconds: 1, members: 1000, streams: [200] },
  samples: { 'growth.members.1000.ours.cpu': [1e-5] },
};

test('the page names date, machine and load, warns of a quick run, and says what was not measured', () => {
  const lines = [judged(LINE, {})];
  const drawn = plots(FIGURES.samples);
  const page = performance({
    figures: FIGURES,
    handedOver: null,
    samples: FIGURES.samples,
    lines,
    plots: drawn,
    original: { figures: {}, source: 'Once.' },
    notes: '',
    summary: 'None.',
  });
  assert.match(page, /2026-11-23/);
  assert.match(page, /A processor/);
  assert.match(page, /1\.0, 2\.0, 3\.0/);
  assert.match(page, /quick run/);
  assert.ok(page.includes(NOT_MEASURED));
  assert.match(page, /performance\/members\.svg/);
  assert.doesNotMatch(page, /performance\/streams\.svg|undefined|NaN/);
});

test('the README has the measured lines between its comments, and is left alone without them', () => {
  const readme = 'Before\n<!-- figures: written by benches/run -->\nold\n<!-- /figures -->\nAfter\n';
  const line = { ...judged(LINE, { a: [10], b: [5] }), inReadme: true };
  const written = withFigures(readme, [line], FIGURES.date);
  assert.match(written, /^Before\n[^]*\| 10\/s \|[^]*2026-11-23[^]*\nAfter\n$/);
  assert.doesNotMatch(written, /old/);
  assert.equal(withFigures(written, [line], FIGURES.date), written);
  assert.equal(withFigures(readme, [{ ...judged(LINE, {}), inReadme: true }], FIGURES.date), readme);
  assert.equal(withFigures('Nothing', [line], FIGURES.date), 'Nothing');
});

test('the command line is read, and what it does not know is refused', () => {
  assert.deepEqual(options([]).parts.length, 7);
  assert.equal(options([]).rounds, 5);
  assert.deepEqual(options(['--quick', '--only', 'streams,pages', '--rounds', '3']).parts, ['pages', 'streams']);
  assert.deepEqual(options(['--streams', '10,20']).streams, [10, 20]);
  assert.throws(() => options(['--only', 'nothing']), /no part nothing/);
  assert.throws(() => options(['--rounds', 'many']), /number/);
  assert.throws(() => options(['--unknown']));
});
