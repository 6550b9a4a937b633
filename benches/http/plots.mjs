// Which samples are plotted against which size.

import { said, spread } from './numbers.mjs';
import { plot } from './svg.mjs';

const size = (value) => (value >= 1e6 ? `${value / 1e6} M` : value >= 1e3 ? `${value / 1e3} k` : String(value));
/** Without zeros behind the point, and without the point then. */
const short = (text) => text.replace(/(\.\d*?)0+(?= )/, '$1').replace('. ', ' ');
export const time = (value) => short(said(value, 'time'));
export const memory = (value) => short(said(value, 'memory'));
const rate = (value) => `${size(value)}/s`;

const PLOTS = [
  {
    file: 'members.svg',
    title: 'Processor time of a page of 30',
    xLabel: 'members of the group',
    yLabel: 'of the server, each request',
    saidY: time,
    series: { 'the service': 'growth.members.{x}.ours.cpu', fastify: 'growth.members.{x}.fastify.cpu', Django: 'growth.members.{x}.django.cpu' },
  },
  {
    file: 'streams.svg',
    title: 'Processor time of a delivery',
    xLabel: 'open streams',
    yLabel: 'of the server, each stream',
    saidY: time,
    series: { 'the service': 'growth.streams.{x}.ours.cpu', nchan: 'growth.streams.{x}.nchan.cpu', 'bare loop': 'growth.streams.{x}.bare.cpu' },
  },
  {
    file: 'last-stream.svg',
    title: 'Time until the last stream has a message',
    xLabel: 'open streams',
    yLabel: 'from the act',
    saidY: time,
    series: { 'the service': 'growth.streams.{x}.ours.last', nchan: 'growth.streams.{x}.nchan.last', 'bare loop': 'growth.streams.{x}.bare.last' },
  },
  {
    file: 'groups.svg',
    title: 'Processor time of a first page, every request another group',
    xLabel: 'groups of 31 members',
    yLabel: 'of the server, each request',
    saidY: time,
    series: { 'the service': 'growth.groups.{x}.cpu' },
  },
  {
    file: 'groups-memory.svg',
    title: 'Memory of groups in use',
    xLabel: 'groups of 31 members',
    yLabel: 'growth of own memory',
    saidY: memory,
    series: { 'the service': 'growth.groups.{x}.memory' },
  },
  {
    file: 'acts.svg',
    title: 'Durable acts',
    xLabel: 'actors at once',
    yLabel: 'acts a second',
    saidY: rate,
    series: { 'the service': 'growth.acts.{x}.rate' },
  },
  {
    file: 'nodes.svg',
    title: 'Durable acts on PostgreSQL',
    xLabel: 'nodes',
    yLabel: 'acts a second',
    saidY: rate,
    series: { 'the service': 'load.nodes.{x}.rate' },
  },
];

/** The plots that there are samples for: `{file, title, svg}`; without samples `svg` is `null`. */
export function plots(samples) {
  return PLOTS.map(({ series, ...about }) => {
    const drawn = Object.entries(series).map(([name, pattern]) => ({ name, points: points(samples, pattern) }));
    return { ...about, svg: plot({ ...about, series: drawn, saidX: size }) };
  });
}

/** The spreads of all samples whose names differ in one number, by that number. */
export function points(samples, pattern) {
  const [before, after] = pattern.split('{x}');
  return Object.entries(samples)
    .map(([name, values]) => [name.startsWith(before) && name.endsWith(after) ? name.slice(before.length, name.length - after.length) : '', values])
    .filter(([x]) => /^\d+$/.test(x))
    .map(([x, values]) => ({ x: Number(x), ...spread(values) }))
    .sort((one, other) => one.x - other.x);
}
