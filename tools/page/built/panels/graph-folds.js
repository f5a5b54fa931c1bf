// panels/graph-folds.ts
var FOLD_LEAST = 4;
function nodeId({ kind, pass, event }) {
  return kind === "pass" ? `pass-${pass}` : `${kind}-${event ?? "end"}`;
}
function joinEdges(edges) {
  const joined = /* @__PURE__ */ new Map();
  for (const edge of edges) {
    const [from, to] = [nodeId(edge.from), nodeId(edge.to)];
    const key = `${from} ${to}`;
    const known = joined.get(key) ?? { from, to, kinds: [] };
    joined.set(key, known);
    if (from !== to && !known.kinds.includes(edge.kind)) {
      known.kinds.push(edge.kind);
    }
  }
  return [...joined.values()].filter(({ kinds }) => kinds.length > 0);
}
function foldRuns(nodes, edges, unfolded, join) {
  const next = /* @__PURE__ */ new Map();
  const previous = /* @__PURE__ */ new Map();
  for (const { from, to } of edges) {
    next.set(from, next.has(from) ? null : to);
    previous.set(to, previous.has(to) ? null : from);
  }
  const homes = /* @__PURE__ */ new Map();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const folds = /* @__PURE__ */ new Map();
  for (const start of nodes) {
    if (start.kind !== "pass" || homes.has(start.id)) {
      continue;
    }
    const run = [start];
    for (let at = start; ; ) {
      const after = byId.get(next.get(at.id));
      if (!after || after.kind !== "pass" || previous.get(after.id) !== at.id || homes.has(after.id)) {
        break;
      }
      run.push(after);
      at = after;
    }
    const inner = run.slice(1, -1);
    const fold = inner.length >= FOLD_LEAST ? join(inner) : null;
    if (fold && !unfolded.has(fold.id)) {
      folds.set(fold.id, fold);
      inner.forEach(({ id }) => homes.set(id, fold.id));
    }
  }
  const kept = new Map(nodes.map((node) => homes.get(node.id) ?? node.id).map((id) => [id, folds.get(id) ?? byId.get(id)]));
  return { nodes: [...kept.values()].filter((node) => node !== void 0), edges: redirect(edges, homes), homes };
}
function foldSiblings(graph, unfolded, join) {
  const ends = /* @__PURE__ */ new Map();
  for (const { from, to, kinds } of graph.edges) {
    ends.set(from, [...ends.get(from) ?? [], `> ${to} ${kinds}`]);
    ends.set(to, [...ends.get(to) ?? [], `< ${from} ${kinds}`]);
  }
  const groups = /* @__PURE__ */ new Map();
  for (const node of graph.nodes) {
    if (node.kind === "transfer" || node.kind === "copy") {
      const key = `${node.kind} ${(ends.get(node.id) ?? []).sort().join(";")}`;
      groups.set(key, [...groups.get(key) ?? [], node]);
    }
  }
  const homes = new Map(graph.homes);
  const folds = /* @__PURE__ */ new Map();
  for (const siblings of groups.values()) {
    const fold = siblings.length >= FOLD_LEAST ? join(siblings) : null;
    if (fold && siblings[0] && !unfolded.has(fold.id)) {
      folds.set(siblings[0].id, fold);
      siblings.forEach(({ id }) => homes.set(id, fold.id));
    }
  }
  const nodes = graph.nodes.flatMap((node) => folds.get(node.id) ?? (homes.has(node.id) && node.kind !== "fold" ? [] : [node]));
  return { nodes, edges: redirect(graph.edges, homes), homes };
}
function redirect(edges, homes) {
  const home = (id) => homes.get(id) ?? id;
  const left = edges.map(({ from, to, kinds }) => ({ from: home(from), to: home(to), kinds })).filter(({ from, to }) => from !== to);
  return [...new Map(left.map((edge) => [`${edge.from} ${edge.to}`, edge])).values()];
}
export {
  foldRuns,
  foldSiblings,
  joinEdges,
  nodeId
};
