// A layout of a directed graph in layers from left to right: every edge leads to a later layer.

interface LayoutNode {
  id: string;
  width: number;
  height: number;
}
interface LayoutEdge {
  from: string;
  to: string;
}
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  layer: number;
}
/** From the right side of a box to the left side of another. */
interface Route {
  from: string;
  to: string;
  points: [number, number][];
}
export interface Layout {
  boxes: Map<string, Box>;
  routes: Route[];
  width: number;
  height: number;
  layers: string[][];
}

/** A place in a layer: a node, or a bend of an edge that passes the layer. */
interface Place {
  id: string;
  isBend: boolean;
  width: number;
  height: number;
  layer: number;
  order: number;
  y: number;
  before: Place[];
  after: Place[];
}

const GAP_X = 108;
const GAP_Y = 22;
const MARGIN = 16;
/** Times that the order in layers is improved. */
const SWEEPS = 10;

/** Lays out a graph, whose nodes are in the order of time. Edges to earlier nodes and to the same node are left out. */
export function layoutGraph(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Layout {
  const rank = new Map(nodes.map(({ id }, nth) => [id, nth]));
  const forward = edges.filter(({ from, to }) => (rank.get(from) ?? Infinity) < (rank.get(to) ?? -1));
  const layerOf = layersOf(nodes, forward);
  const places = new Map<string, Place>();
  for (const { id, width, height } of nodes) {
    places.set(id, { id, isBend: false, width, height, layer: layerOf.get(id) ?? 0, order: rank.get(id) ?? 0, y: 0, before: [], after: [] });
  }
  const chains: { edge: LayoutEdge; chain: Place[] }[] = forward.map((edge) => ({ edge, chain: connect(places, edge) }));
  const layers = groupByLayer([...places.values()]);
  sortLayers(layers);
  placeVertically(layers);
  return finish(layers, chains);
}

/**
 * Returns the layer of each node: one more than the largest of the nodes before it. Nodes without any move as near as
 * possible to their readers.
 */
function layersOf(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Map<string, number> {
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

function group<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  }
  return groups;
}

/** Connects two nodes, with a bend in each layer between them. */
function connect(places: Map<string, Place>, { from, to }: LayoutEdge): Place[] {
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

function groupByLayer(places: Place[]): Place[][] {
  const count = Math.max(0, ...places.map(({ layer }) => layer)) + 1;
  const layers: Place[][] = Array.from({ length: count }, () => []);
  for (const place of places) {
    layers[place.layer]?.push(place);
  }
  layers.forEach((layer) => renumber(layer.sort((a, b) => a.order - b.order)));
  return layers;
}

function renumber(layer: Place[]) {
  layer.forEach((place, nth) => {
    place.order = nth;
  });
}

/** Orders each layer by the mean place of the neighbours, as long as fewer edges cross. */
function sortLayers(layers: Place[][]) {
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(layers);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const isForward = sweep % 2 === 0;
    const order = isForward ? layers : [...layers].reverse();
    for (const layer of order) {
      const wish = new Map(layer.map((place) => [place, mean((isForward ? place.before : place.after).map((other) => other.order), place.order)]));
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

function mean(values: readonly number[], otherwise: number) {
  return values.length === 0 ? otherwise : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Counts crossings of edges between neighbouring layers. */
function crossings(layers: Place[][]) {
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

/** Moves places near their neighbours without a change of their order. */
function placeVertically(layers: Place[][]) {
  for (const layer of layers) {
    settle(layer, () => 0);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isForward = sweep % 2 === 0;
    for (const layer of isForward ? layers : [...layers].reverse()) {
      settle(layer, (place) => {
        const near = isForward ? place.before : place.after;
        const all = sweep >= SWEEPS - 2 ? [...place.before, ...place.after] : near;
        return mean(all.map((other) => other.y), place.y);
      });
    }
  }
}

/**
 * Sets the middles of a layer as near as possible to the wanted ones, in their order and without overlaps: neighbours
 * that would overlap form a block at the mean of their wishes.
 */
function settle(layer: Place[], wishOf: (place: Place) => number) {
  const wanted = layer.map(wishOf);
  // Offsets take the distances away: places then may share a value, but must not fall.
  const offsets: number[] = [];
  layer.forEach((place, nth) => {
    const before = layer[nth - 1];
    offsets.push(before ? (offsets[nth - 1] ?? 0) + (before.height + place.height) / 2 + (before.isBend && place.isBend ? GAP_Y / 2 : GAP_Y) : 0);
  });
  const blocks: { sum: number; count: number }[] = [];
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

function finish(layers: Place[][], chains: { edge: LayoutEdge; chain: Place[] }[]): Layout {
  const all = layers.flat();
  const top = Math.min(...all.map((place) => place.y - place.height / 2), Infinity);
  const bottom = Math.max(...all.map((place) => place.y + place.height / 2), -Infinity);
  const shift = Number.isFinite(top) ? MARGIN - top : 0;
  let x = MARGIN;
  const starts: number[] = [];
  const widths: number[] = [];
  for (const layer of layers) {
    const width = Math.max(0, ...layer.map((place) => place.width));
    starts.push(x);
    widths.push(width);
    x += width + GAP_X;
  }
  const boxes = new Map<string, Box>();
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

function pointsOf(chain: Place[], boxes: Map<string, Box>, starts: number[], widths: number[], shift: number): [number, number][] {
  return chain.flatMap((place, nth) => {
    const y = place.y + shift;
    const box = boxes.get(place.id);
    if (box) {
      return [[nth === 0 ? box.x + box.width : box.x, y] as [number, number]];
    }
    const start = starts[place.layer] ?? 0;
    return [[start, y] as [number, number], [start + (widths[place.layer] ?? 0), y] as [number, number]];
  });
}
