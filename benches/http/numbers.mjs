// What is said of samples: medians, spreads, ratios of one run, and figures as people read them.

/** The value below which this part of the samples lies. `NaN` of none. */
export function quantile(samples, part) {
  const sorted = [...samples].sort((one, other) => one - other);
  if (sorted.length === 0) return Number.NaN;
  const place = (sorted.length - 1) * part;
  const below = Math.floor(place);
  const above = Math.ceil(place);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

export const median = (samples) => quantile(samples, 0.5);

/** Median with the least and the greatest sample; `null` of none. */
export function spread(samples) {
  if (!samples?.length) return null;
  return { low: Math.min(...samples), middle: median(samples), high: Math.max(...samples), of: samples.length };
}

/**
 * Two series of one run compared round by round, so that what else the machine did meets both alike.
 * Series of different lengths have no rounds in common: then each sample is compared with the other's median.
 */
export function compared(samples, others, compare) {
  if (!samples?.length || !others?.length) return null;
  const inPairs = samples.length === others.length;
  const middle = median(others);
  return spread(samples.map((sample, round) => compare(sample, inPairs ? others[round] : middle)));
}

export const ratio = (samples, others) => compared(samples, others, (one, other) => one / other);

export const difference = (samples, others) => compared(samples, others, (one, other) => one - other);

const SECONDS = [
  [1, 's', 1],
  [1e-3, 'ms', 1e3],
  [0, 'µs', 1e6],
];
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A figure with its unit: `rate` (a second), `time` (in seconds), `bytes` (exact), `memory` (in bytes), `ratio`, `count`. */
export function said(value, unit) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  switch (unit) {
    case 'rate':
      return `${grouped.format(value)}/s`;
    case 'time': {
      const [, name, scale] = SECONDS.find(([least]) => Math.abs(value) >= least);
      return `${rounded(value * scale)} ${name}`;
    }
    case 'bytes':
      return `${grouped.format(value)} B`;
    case 'memory':
      return Math.abs(value) >= 1e6 ? `${rounded(value / 1e6)} MB` : `${rounded(value / 1e3)} kB`;
    case 'ratio':
      return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
    default:
      return grouped.format(value);
  }
}

/** Three digits, which is more than these figures deserve. */
function rounded(value) {
  if (Math.abs(value) >= 100) return grouped.format(value);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** A median with its spread in brackets; of a single sample the sample. */
export function saidSpread(figure, unit) {
  if (!figure) return '–';
  if (figure.low === figure.high) return said(figure.middle, unit);
  return `${said(figure.middle, unit)} (${said(figure.low, unit)} to ${said(figure.high, unit)})`;
}
