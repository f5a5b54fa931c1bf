// panels/graph-layout.ts
var GAP_X = 108;
var GAP_Y = 22;
var MARGIN = 16;
var SWEEPS = 10;
function layoutGraph(nodes, edges) {
  const rank = new Map(nodes.map(({ id }, nth) => [id, nth]));
  const forward = edges.filter(({ from, to }) => (rank.get(from) ?? Infinity) < (rank.get(to) ?? -1));
  const layerOf = layersOf(nodes, forward);
  const places = /* @__PURE__ */ new Map();
  for (const { id, width, height } of nodes) {
    places.set(id, { id, isBend: false, width, height, layer: layerOf.get(id) ?? 0, order: rank.get(id) ?? 0, y: 0, before: [], after: [] });
  }
  const chains = forward.map((edge) => ({ edge, chain: connect(places, edge) }));
  const layers = groupByLayer([...places.values()]);
  sortLayers(layers);
  placeVertically(layers);
  return finish(layers, chains);
}
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
function group(items, key) {
  const groups = /* @__PURE__ */ new Map();
  for (const item of items) {
    groups.set(key(item), [...groups.get(key(item)) ?? [], item]);
  }
  return groups;
}
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
function groupByLayer(places) {
  const count = Math.max(0, ...places.map(({ layer }) => layer)) + 1;
  const layers = Array.from({ length: count }, () => []);
  for (const place of places) {
    layers[place.layer]?.push(place);
  }
  layers.forEach((layer) => renumber(layer.sort((a, b) => a.order - b.order)));
  return layers;
}
function renumber(layer) {
  layer.forEach((place, nth) => {
    place.order = nth;
  });
}
function sortLayers(layers) {
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
function mean(values, otherwise) {
  return values.length === 0 ? otherwise : values.reduce((sum, value) => sum + value, 0) / values.length;
}
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
function placeVertically(layers) {
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
function settle(layer, wishOf) {
  const wanted = layer.map(wishOf);
  const offsets = [];
  layer.forEach((place, nth2) => {
    const before = layer[nth2 - 1];
    offsets.push(before ? (offsets[nth2 - 1] ?? 0) + (before.height + place.height) / 2 + (before.isBend && place.isBend ? GAP_Y / 2 : GAP_Y) : 0);
  });
  const blocks = [];
  layer.forEach((_, nth2) => {
    blocks.push({ sum: (wanted[nth2] ?? 0) - (offsets[nth2] ?? 0), count: 1 });
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
function finish(layers, chains) {
  const all = layers.flat();
  const top = Math.min(...all.map((place) => place.y - place.height / 2), Infinity);
  const bottom = Math.max(...all.map((place) => place.y + place.height / 2), -Infinity);
  const shift = Number.isFinite(top) ? MARGIN - top : 0;
  let x = MARGIN;
  const starts = [];
  const widths = [];
  for (const layer of layers) {
    const width = Math.max(0, ...layer.map((place) => place.width));
    starts.push(x);
    widths.push(width);
    x += width + GAP_X;
  }
  const boxes = /* @__PURE__ */ new Map();
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
function pointsOf(chain, boxes, starts, widths, shift) {
  return chain.flatMap((place, nth) => {
    const y = place.y + shift;
    const box = boxes.get(place.id);
    if (box) {
      return [[nth === 0 ? box.x + box.width : box.x, y]];
    }
    const start = starts[place.layer] ?? 0;
    return [[start, y], [start + (widths[place.layer] ?? 0), y]];
  });
}
export {
  layoutGraph
};
