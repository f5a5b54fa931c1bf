// A layout of a directed graph in layers from left to right: every edge leads to a later layer.

/**
 * @typedef {{id: string, width: number, height: number}} LayoutNode In the order of time.
 * @typedef {{from: string, to: string}} LayoutEdge
 * @typedef {{x: number, y: number, width: number, height: number, layer: number}} Box
 * @typedef {{from: string, to: string, points: [number, number][]}} Route From the right side of a box to the left side of another.
 * @typedef {{boxes: Map<string, Box>, routes: Route[], width: number, height: number, layers: string[][]}} Layout
 */

/**
 * A place in a layer: a node, or a bend of an edge that passes the layer.
 * @typedef {{id: string, isBend: boolean, width: number, height: number, layer: number, order: number, y: number, before: Place[], after: Place[]}} Place
 */

const GAP_X = 108;
const GAP_Y = 22;
const MARGIN = 16;
/** Times that the order in layers is improved. */
const SWEEPS = 10;

/**
 * Lays out a graph. Edges to earlier nodes and to the same node are left out.
 * @param {readonly LayoutNode[]} nodes
 * @param {readonly LayoutEdge[]} edges
 * @returns {Layout}
 */
export function layoutGraph(nodes, edges) {
  const rank = new Map(nodes.map(({ id }, nth) => [id, nth]));
  const forward = edges.filter(({ from, to }) => (rank.get(from) ?? Infinity) < (rank.get(to) ?? -1));
  const layerOf = layersOf(nodes, forward);
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const { id, width, height } of nodes) {
    places.set(id, { id, isBend: false, width, height, layer: layerOf.get(id) ?? 0, order: rank.get(id) ?? 0, y: 0, before: [], after: [] });
  }
  /** @type {{edge: LayoutEdge, chain: Place[]}[]} */
  const chains = forward.map((edge) => ({ edge, chain: connect(places, edge) }));
  const layers = groupByLayer([...places.values()]);
  sortLayers(layers);
  placeVertically(layers);
  return finish(layers, chains);
}

/**
 * Returns the layer of each node: one more than the largest of the nodes before it. Nodes without any move as near as
 * possible to their readers.
 * @param {readonly LayoutNode[]} nodes
 * @param {readonly LayoutEdge[]} edges
 * @returns {Map<string, number>}
 */
function layersOf(nodes, edges) {
  const layers = new Map(nodes.map(({ id }) => [id, 0]));
  const into = group(edges, ({ to }) => to);
  const outOf = group(edges, ({ from }) => from);
  for (const { id } of nodes) {
    const before = (into.get(id) ?? []).map(({ from }) => layers.get(from) ?? 0);
    layers.set(id, before.length > 0 ? Math.max(...before) + 1 : 0);
  }
  for (const { id } of [...nodes].reverse()) {
    const after = (outOf.get(id) ?? []).map(({ to }) => layers.get(to) ?? 0);
    if (after.length > 0 && !into.has(id)) {
      layers.set(id, Math.min(...after) - 1);
    }
  }
  return layers;
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => string} key
 * @returns {Map<string, T[]>}
 */
function group(items, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const known = groups.get(key(item));
    if (known) {
      known.push(item);
    } else {
      groups.set(key(item), [item]);
    }
  }
  return groups;
}

/**
 * Connects two nodes, with a bend in each layer between them.
 * @param {Map<string, Place>} places
 * @param {LayoutEdge} edge
 * @returns {Place[]}
 */
function connect(places, { from, to }) {
  const [start, end] = [places.get(from), places.get(to)];
  if (!start || !end) {
    return [];
  }
  const chain = [start];
  for (let layer = start.layer + 1; layer < end.layer; layer += 1) {
    const id = `${from} ${to} ${layer}`;
    const bend = { id, isBend: true, width: 0, height: 4, layer, order: start.order, y: 0, before: [], after: [] };
    places.set(id, bend);
    chain.push(bend);
  }
  chain.push(end);
  for (let nth = 1; nth < chain.length; nth += 1) {
    const [a, b] = [chain[nth - 1], chain[nth]];
    if (a && b) {
      a.after.push(b);
      b.before.push(a);
    }
  }
  return chain;
}

/**
 * @param {Place[]} places
 * @returns {Place[][]}
 */
function groupByLayer(places) {
  const count = Math.max(0, ...places.map(({ layer }) => layer)) + 1;
  /** @type {Place[][]} */
  const layers = Array.from({ length: count }, () => []);
  for (const place of places) {
    layers[place.layer]?.push(place);
  }
  layers.forEach((layer) => renumber(layer.sort((a, b) => a.order - b.order)));
  return layers;
}

/** @param {Place[]} layer */
function renumber(layer) {
  layer.forEach((place, nth) => {
    place.order = nth;
  });
}

/**
 * Orders each layer by the mean place of the neighbours, as long as fewer edges cross.
 * @param {Place[][]} layers
 */
function sortLayers(layers) {
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(layers);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const isForward = sweep % 2 === 0;
    const order = isForward ? layers : [...layers].reverse();
    for (const layer of order) {
      const wish = new Map(
        layer.map((place) => [
          place,
          mean(
            (isForward ? place.before : place.after).map((other) => other.order),
            place.order,
          ),
        ]),
      );
      renumber(layer.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a.order - b.order));
    }
    const found = crossings(layers);
    if (found < fewest) {
      fewest = found;
      best = layers.map((layer) => [...layer]);
    }
  }
  best.forEach((layer, nth) => {
    layers[nth] = layer;
    renumber(layer);
  });
}

/**
 * @param {readonly number[]} values
 * @param {number} otherwise
 */
function mean(values, otherwise) {
  return values.length === 0 ? otherwise : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Counts crossings of edges between neighbouring layers.
 * @param {Place[][]} layers
 */
function crossings(layers) {
  let count = 0;
  for (const layer of layers) {
    const ends = layer.flatMap((place) => place.after.map((other) => other.order).sort((a, b) => a - b));
    for (let a = 0; a < ends.length; a += 1) {
      for (let b = a + 1; b < ends.length; b += 1) {
        count += Number((ends[a] ?? 0) > (ends[b] ?? 0));
      }
    }
  }
  return count;
}

/**
 * Moves places near their neighbours without a change of their order.
 * @param {Place[][]} layers
 */
function placeVertically(layers) {
  for (const layer of layers) {
    settle(
      layer,
      layer.map(() => 0),
    );
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isForward = sweep % 2 === 0;
    for (const layer of isForward ? layers : [...layers].reverse()) {
      settle(
        layer,
        layer.map((place) => {
          const near = isForward ? place.before : place.after;
          const all = sweep >= SWEEPS - 2 ? [...place.before, ...place.after] : near;
          return mean(
            all.map((other) => other.y),
            place.y,
          );
        }),
      );
    }
  }
}

/**
 * Sets the middles of a layer as near as possible to the wanted ones, in their order and without overlaps: neighbours
 * that would overlap form a block at the mean of their wishes.
 * @param {Place[]} layer
 * @param {number[]} wanted
 */
function settle(layer, wanted) {
  // Offsets take the distances away: places then may share a value, but must not fall.
  /** @type {number[]} */
  const offsets = [];
  layer.forEach((place, nth) => {
    const before = layer[nth - 1];
    offsets.push(before ? (offsets[nth - 1] ?? 0) + (before.height + place.height) / 2 + (before.isBend && place.isBend ? GAP_Y / 2 : GAP_Y) : 0);
  });
  /** @type {{sum: number, count: number}[]} */
  const blocks = [];
  layer.forEach((_, nth) => {
    blocks.push({ sum: (wanted[nth] ?? 0) - (offsets[nth] ?? 0), count: 1 });
    for (let last = blocks.length - 1; last > 0; last -= 1) {
      const [a, b] = [blocks[last - 1], blocks[last]];
      if (!a || !b || a.sum / a.count <= b.sum / b.count) {
        break;
      }
      blocks.splice(last - 1, 2, { sum: a.sum + b.sum, count: a.count + b.count });
    }
  });
  let nth = 0;
  for (const { sum, count } of blocks) {
    for (let left = count; left > 0; left -= 1, nth += 1) {
      const place = layer[nth];
      if (place) {
        place.y = sum / count + (offsets[nth] ?? 0);
      }
    }
  }
}

/**
 * @param {Place[][]} layers
 * @param {{edge: LayoutEdge, chain: Place[]}[]} chains
 * @returns {Layout}
 */
function finish(layers, chains) {
  const all = layers.flat();
  const top = Math.min(...all.map((place) => place.y - place.height / 2), Infinity);
  const bottom = Math.max(...all.map((place) => place.y + place.height / 2), -Infinity);
  const shift = Number.isFinite(top) ? MARGIN - top : 0;
  let x = MARGIN;
  /** @type {number[]} */
  const starts = [];
  /** @type {number[]} */
  const widths = [];
  for (const layer of layers) {
    const width = Math.max(0, ...layer.map((place) => place.width));
    starts.push(x);
    widths.push(width);
    x += width + GAP_X;
  }
  /** @type {Map<string, Box>} */
  const boxes = new Map();
  for (const place of all) {
    if (!place.isBend) {
      const { width, height, layer } = place;
      const left = (starts[layer] ?? 0) + ((widths[layer] ?? 0) - width) / 2;
      boxes.set(place.id, { x: left, y: place.y + shift - height / 2, width, height, layer });
    }
  }
  const routes = chains.map(({ edge, chain }) => ({ ...edge, points: pointsOf(chain, boxes, starts, widths, shift) }));
  const names = layers.map((layer) => layer.filter((place) => !place.isBend).map((place) => place.id));
  return { boxes, routes, width: x - GAP_X + MARGIN, height: all.length > 0 ? bottom - top + 2 * MARGIN : 0, layers: names };
}

/**
 * @param {Place[]} chain
 * @param {Map<string, Box>} boxes
 * @param {number[]} starts
 * @param {number[]} widths
 * @param {number} shift
 * @returns {[number, number][]}
 */
function pointsOf(chain, boxes, starts, widths, shift) {
  return chain.flatMap((place, nth) => {
    const y = place.y + shift;
    const box = boxes.get(place.id);
    if (box) {
      return [/** @type {[number, number]} */ ([nth === 0 ? box.x + box.width : box.x, y])];
    }
    const start = starts[place.layer] ?? 0;
    return [/** @type {[number, number]} */ ([start, y]), /** @type {[number, number]} */ ([start + (widths[place.layer] ?? 0), y])];
  });
}
