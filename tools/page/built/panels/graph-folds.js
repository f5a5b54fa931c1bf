// panels/graph-folds.ts
var FOLD_LEAST = 4;
function nodeId({ kind, pass, event }) {
  return kind === "pass" ? `pass-${pass}` : `${kind}-${event ?? "end"}`;
}
function graphOf(nodes, edges) {
  return { nodes, edges: joined(edges.map(({ from, to, kind }) => ({ from: nodeId(from), to: nodeId(to), kinds: [kind] }))), homes: /* @__PURE__ */ new Map() };
}
function joined(edges) {
  const groups = Map.groupBy(edges.filter(({ from, to }) => from !== to), ({ from, to }) => `${from} ${to}`);
  return [...groups.values()].map((same) => ({ ...same[0], kinds: [...new Set(same.flatMap(({ kinds }) => kinds))] }));
}
function folded(graph, unfolded) {
  const runs = fold(graph, runsOf(graph), unfolded);
  return fold(runs, siblingsOf(runs), unfolded);
}
function fold({ nodes, edges, homes }, groups, unfolded) {
  const long = groups.filter(({ length }) => length >= FOLD_LEAST).map((group) => ({ group, fold: foldOf(group) }));
  const folds = new Map(long.filter(({ fold: { id } }) => !unfolded.has(id)).flatMap(({ group, fold: fold2 }) => group.map(({ id }) => [id, fold2])));
  const home = (id) => folds.get(id)?.id ?? id;
  return {
    nodes: [...new Set(nodes.map((node) => folds.get(node.id) ?? node))],
    edges: joined(edges.map(({ from, to, kinds }) => ({ from: home(from), to: home(to), kinds }))),
    homes: new Map([...homes, ...[...folds.keys()].map((id) => [id, home(id)])])
  };
}
function runsOf({ nodes, edges }) {
  const passes = new Map(nodes.filter(({ kind }) => kind === "pass").map((node) => [node.id, node]));
  const out = Map.groupBy(edges, ({ from }) => from);
  const into = Map.groupBy(edges, ({ to }) => to);
  const next = ({ id }) => {
    const [edge, ...others] = out.get(id) ?? [];
    return edge && others.length === 0 && into.get(edge.to)?.length === 1 ? passes.get(edge.to) : void 0;
  };
  const seen = /* @__PURE__ */ new Set();
  return [...passes.values()].map((start) => {
    const run = [];
    for (let node = start; node && !seen.has(node); node = next(node)) {
      seen.add(node);
      run.push(node);
    }
    return run.slice(1, -1);
  });
}
function siblingsOf({ nodes, edges }) {
  const ends = edges.flatMap(({ from, to, kinds }) => [{ id: from, text: `> ${to} ${kinds}` }, { id: to, text: `< ${from} ${kinds}` }]);
  const endsOf = Map.groupBy(ends, ({ id }) => id);
  const key = ({ kind, id }) => [kind, ...(endsOf.get(id) ?? []).map(({ text }) => text).sort()].join(";");
  return [...Map.groupBy(nodes.filter(({ kind }) => kind === "transfer" || kind === "copy"), key).values()];
}
function foldOf(group) {
  const [first, last] = [group[0], group[group.length - 1]];
  const targets = [...new Set(group.flatMap(({ lines }) => lines))];
  const ofPasses = {
    title: `Passes ${first.passes[0]}–${last.passes[0]}`,
    lines: [`${group.length} passes, folded`, targets.length === 1 ? targets[0] : `${targets.length} targets`],
    badges: []
  };
  const ofCopies = {
    title: `${group.length} ${first.kind === "transfer" ? "transfers" : "copies"}`,
    lines: [`events ${first.event} to ${last.event}, folded`, "with the same readers"],
    badges: first.badges
  };
  const passes = group.flatMap((node) => node.passes);
  return { id: `fold-${first.id}`, kind: "fold", passes, event: last.event, request: null, ...first.kind === "pass" ? ofPasses : ofCopies };
}
export {
  folded,
  graphOf,
  nodeId
};
