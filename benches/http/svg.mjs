// A plot as SVG: one pure function from series to text. Both axes are logarithmic, so a flat line costs the same at every size.

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 76;
const RIGHT = 150;
const TOP = 44;
const BOTTOM = 52;
/** Distinguishable also without colours, by the shape of the marks. */
const LOOKS = [
  ['#0b5fa5', (x, y) => `<circle cx="${x}" cy="${y}" r="4"/>`],
  ['#b3500b', (x, y) => `<rect x="${x - 4}" y="${y - 4}" width="8" height="8"/>`],
  ['#4d7a1f', (x, y) => `<path d="M${x} ${y - 5}l5 9h-10z"/>`],
  ['#7a3f99', (x, y) => `<path d="M${x} ${y - 5}l5 5-5 5-5-5z"/>`],
];

/**
 * `series` are `{name, points: [{x, low, middle, high}]}`; `said` are the functions that write a value at an axis.
 * Answers `null` when there is nothing to plot.
 */
export function plot({ title, xLabel, yLabel, series, saidX = String, saidY = String }) {
  const drawn = series.filter(({ points }) => points.length > 0);
  const all = drawn.flatMap(({ points }) => points).filter(({ x, middle }) => x > 0 && middle > 0);
  if (all.length === 0) return null;
  const x = scale(
    all.map((point) => point.x),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = scale(
    all.flatMap(({ low, middle, high }) => [low, middle, high].filter((value) => value > 0)),
    HEIGHT - BOTTOM,
    TOP,
  );
  const ends = labelPlaces(drawn.map(({ points }) => y.at(points.at(-1).middle)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="12">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${LEFT}" y="22" font-size="14" font-weight="600" fill="#111">${escaped(title)}</text>
${y.ticks.map((tick) => `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y.at(tick)}" y2="${y.at(tick)}" stroke="#ddd"/><text x="${LEFT - 8}" y="${y.at(tick) + 4}" text-anchor="end" fill="#444">${escaped(saidY(tick))}</text>`).join('\n')}
${x.ticks.map((tick) => `<text x="${x.at(tick)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#444">${escaped(saidX(tick))}</text>`).join('\n')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle" fill="#111">${escaped(xLabel)}</text>
<text x="14" y="${(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" fill="#111" transform="rotate(-90 14 ${(TOP + HEIGHT - BOTTOM) / 2})">${escaped(yLabel)}</text>
${drawn.map((one, number) => line(one, number, x, y, ends[number])).join('\n')}
</svg>
`;
}

function line({ name, points }, number, x, y, end) {
  const [colour, mark] = LOOKS[number % LOOKS.length];
  const places = points.filter((point) => point.x > 0 && point.middle > 0).map((point) => ({ ...point, at: [x.at(point.x), y.at(point.middle)] }));
  const spreads = places.filter(({ low, high }) => low > 0 && high > low);
  return `<g stroke="${colour}" fill="${colour}">
<polyline points="${places.map(({ at }) => at.join(',')).join(' ')}" fill="none" stroke-width="2"/>
${spreads.map(({ at, low, high }) => `<line x1="${at[0]}" x2="${at[0]}" y1="${y.at(low)}" y2="${y.at(high)}"/>`).join('')}
${places.map(({ at }) => mark(...at)).join('')}
<text x="${WIDTH - RIGHT + 10}" y="${end + 4}" stroke="none">${escaped(name)}</text>
</g>`;
}

/** A logarithmic axis from one power of ten, or a half of one, to another. */
function scale(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values)) * 2) / 2;
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values)) * 2) / 2, low + 0.5);
  const at = (value) => Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10;
  const ticks = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
    for (const step of high - low <= 2 ? [1, 2, 5] : [1]) {
      const tick = Number(`${step}e${power}`);
      if (Math.log10(tick) >= low - 1e-9 && Math.log10(tick) <= high + 1e-9) ticks.push(tick);
    }
  }
  return { at, ticks };
}

/** Places of labels, moved apart where lines end close together. */
function labelPlaces(wanted) {
  const order = wanted.map((place, number) => ({ place, number })).sort((one, other) => one.place - other.place);
  for (let at = 1; at < order.length; at++) order[at].place = Math.max(order[at].place, order[at - 1].place + 15);
  return order.sort((one, other) => one.number - other.number).map(({ place }) => place);
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
