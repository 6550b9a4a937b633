// What holds nodes outside the document, from a snapshot of the heap: the shortest ways to them that are not through one another.

/** Ways that are told, and their steps. */
const MOST = 3;
const STEPS = 14;
/** `detachedness` of a node outside the document, in the format of Chromium's snapshots. */
const DETACHED = 2;

/** Sentences about what holds most of them, for whoever looks for a leak. */
export async function retainers(cdp) {
  const chunks = [];
  const chunk = ({ chunk }) => chunks.push(chunk);
  cdp.on('HeapProfiler.addHeapSnapshotChunk', chunk);
  try {
    await cdp.send('HeapProfiler.takeHeapSnapshot', { exposeInternals: true, captureNumericValue: false });
  } finally {
    cdp.off('HeapProfiler.addHeapSnapshotChunk', chunk);
  }
  return waysTo(JSON.parse(chunks.join('')));
}

function waysTo({ snapshot: { meta }, nodes, edges, strings }) {
  const width = meta.node_fields.length;
  const [name, edgeCount, detachedness] = ['name', 'edge_count', 'detachedness'].map((field) => meta.node_fields.indexOf(field));
  const step = meta.edge_fields.length;
  const [kind, label, target] = ['type', 'name_or_index', 'to_node'].map((field) => meta.edge_fields.indexOf(field));
  const kinds = meta.edge_types[kind];
  const count = nodes.length / width;
  const isDetached = (node) => nodes[node * width + detachedness] === DETACHED;

  const firstEdge = new Uint32Array(count + 1);
  for (let node = 0; node < count; node++) firstEdge[node + 1] = firstEdge[node] + nodes[node * width + edgeCount];

  // Breadth first, from the root of everything: by node, the edge that led to it.
  const from = new Int32Array(count).fill(-1);
  const by = new Int32Array(count);
  const queue = [0];
  from[0] = 0;
  for (let next = 0; next < queue.length; next++) {
    const node = queue[next];
    for (let edge = firstEdge[node]; edge < firstEdge[node + 1]; edge++) {
      const to = edges[edge * step + target] / width;
      if (from[to] >= 0 || kinds[edges[edge * step + kind]] === 'weak') continue;
      from[to] = node;
      by[to] = edge;
      queue.push(to);
    }
  }

  const words = (node) => strings[nodes[node * width + name]].slice(0, 60) || '(nameless)';
  const edgeWords = (edge) => {
    const value = edges[edge * step + label];
    return ['element', 'hidden'].includes(kinds[edges[edge * step + kind]]) ? `[${value}]` : strings[value].slice(0, 40);
  };
  // By node, the first on its way that is outside the document; what has no wrapper does not say that it is outside.
  const gates = new Int32Array(count).fill(-1);
  const held = new Map();
  for (const node of queue) {
    gates[node] = gates[from[node]] < 0 && isDetached(node) ? node : gates[from[node]];
    if (gates[node] >= 0) held.set(gates[node], (held.get(gates[node]) ?? 0) + 1);
  }
  return [...held]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([gate, number]) => {
      const way = [];
      for (let node = gate; node && way.length < STEPS; node = from[node]) way.push(`${words(node)} ⟵ ${edgeWords(by[node])}`);
      return `${number} things through ${way.join(' of ')}`;
    });
}
