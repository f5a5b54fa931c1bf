// panels/graph-layout.ts
var Place = class {
  constructor(id, width, height, order, layer) {
    this.id = id;
    this.width = width;
    this.height = height;
    this.order = order;
    this.layer = layer;
  }
  id;
  width;
  height;
  order;
  layer;
  x = 0;
  /** The middle, until all places stand. */
  y = 0;
  before = [];
  after = [];
};
var GAP_X = 108;
var GAP_Y = 22;
var MARGIN = 16;
var SWEEPS = 10;
function layoutGraph(nodes, edges) {
  const boxes = new Map(nodes.map(({ id, width, height }, order) => [id, new Place(id, width, height, order, 0)]));
  const forward = edges.flatMap((edge) => {
    const [start, end] = [boxes.get(edge.from), boxes.get(edge.to)];
    return start && end && start.order < end.order ? [{ edge, start, end }] : [];
  });
  const into = Map.groupBy(forward, ({ end }) => end);
  const outOf = Map.groupBy(forward, ({ start }) => start);
  for (const place of boxes.values()) {
    place.layer = 1 + Math.max(-1, ...(into.get(place) ?? []).map(({ start }) => start.layer));
  }
  for (const place of [...boxes.values()].reverse()) {
    const readers = outOf.get(place);
    if (readers && !into.has(place)) {
      place.layer = Math.min(...readers.map(({ end }) => end.layer)) - 1;
    }
  }
  const chains = forward.map(({ edge, start, end }) => ({ edge, chain: connect(start, end) }));
  const places = [...boxes.values(), ...chains.flatMap(({ chain }) => chain.slice(1, -1))];
  const groups = Map.groupBy(places, ({ layer }) => layer);
  const layers = sorted([...groups.keys()].sort((a, b) => a - b).map((layer) => groups.get(layer) ?? []));
  placeVertically(layers);
  const size = placeBoxes(layers);
  const routes = chains.map(({ edge, chain }) => ({ ...edge, points: pointsOf(chain) }));
  return { boxes, routes, ...size, layers: layers.map((layer) => layer.flatMap(({ id }) => id ?? [])) };
}
function connect(start, end) {
  const bends = Array.from({ length: end.layer - start.layer - 1 }, (_, nth) => new Place(null, 0, 4, start.order, start.layer + 1 + nth));
  const chain = [start, ...bends, end];
  chain.slice(1).forEach((place, nth) => {
    place.before.push(chain[nth]);
    chain[nth].after.push(place);
  });
  return chain;
}
function sorted(layers) {
  const sort = (layer, wishOf) => {
    const wishes = new Map(layer.map((place) => [place, wishOf(place)]));
    layer.sort((a, b) => (wishes.get(a) ?? 0) - (wishes.get(b) ?? 0) || a.order - b.order);
    layer.forEach((place, nth) => place.order = nth);
  };
  layers.forEach((layer) => sort(layer, ({ order }) => order));
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(layers);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    for (const [layer, near] of inTurn(layers, sweep)) {
      sort(layer, (place) => mean(place[near], "order") ?? place.order);
    }
    const found = crossings(layers);
    if (found < fewest) {
      fewest = found;
      best = layers.map((layer) => [...layer]);
    }
  }
  return best;
}
function inTurn(layers, sweep) {
  return sweep % 2 === 0 ? layers.map((layer) => [layer, "before"]) : layers.toReversed().map((layer) => [layer, "after"]);
}
function mean(places, member) {
  return places.length === 0 ? null : places.reduce((sum, place) => sum + place[member], 0) / places.length;
}
function crossings(layers) {
  let count = 0;
  for (const layer of layers) {
    const ends = layer.flatMap((place) => place.after.map((other) => other.order).sort((a, b) => a - b));
    ends.forEach((end, nth) => {
      for (let other = nth + 1; other < ends.length; other += 1) {
        count += Number(end > ends[other]);
      }
    });
  }
  return count;
}
function placeVertically(layers) {
  layers.forEach((layer) => settle(layer, () => 0));
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const [layer, near] of inTurn(layers, sweep)) {
      settle(layer, (place) => mean(sweep < SWEEPS - 2 ? place[near] : [...place.before, ...place.after], "y") ?? place.y);
    }
  }
}
function settle(layer, wishOf) {
  let offset = 0;
  const offsets = layer.map((place, nth) => {
    const before = layer[nth - 1];
    const gap = before?.id === null && place.id === null ? GAP_Y / 2 : GAP_Y;
    offset += before ? (before.height + place.height) / 2 + gap : 0;
    return offset;
  });
  const blocks = [];
  layer.forEach((place, nth) => {
    let block = { sum: wishOf(place) - offsets[nth], count: 1 };
    for (let last = blocks.at(-1); last && last.sum / last.count > block.sum / block.count; last = blocks.at(-1)) {
      block = { sum: last.sum + block.sum, count: last.count + block.count };
      blocks.pop();
    }
    blocks.push(block);
  });
  const middles = blocks.flatMap(({ sum, count }) => new Array(count).fill(sum / count));
  layer.forEach((place, nth) => place.y = middles[nth] + offsets[nth]);
}
function placeBoxes(layers) {
  const all = layers.flat();
  const top = Math.min(...all.map(({ y, height }) => y - height / 2));
  const bottom = Math.max(...all.map(({ y, height }) => y + height / 2));
  let left = MARGIN;
  for (const layer of layers) {
    const most = Math.max(...layer.map(({ width }) => width));
    for (const place of layer) {
      place.width = place.id === null ? most : place.width;
      place.x = left + (most - place.width) / 2;
      place.y += MARGIN - top - place.height / 2;
    }
    left += most + GAP_X;
  }
  return { width: left - GAP_X + MARGIN, height: bottom - top + 2 * MARGIN };
}
function pointsOf(chain) {
  return chain.flatMap(({ x, y, width, height }, nth) => {
    const sides = [
      [x, y + height / 2],
      [x + width, y + height / 2]
    ];
    return sides.slice(nth === 0 ? 1 : 0, nth === chain.length - 1 ? 1 : 2);
  });
}
export {
  layoutGraph
};
