// What the graph of a frame shows: nodes and edges of the passes, with long runs folded.

import type { EdgeInfo } from "pspge/documents.js";
import type { PictureRequest } from "pspge/picture/small-pictures.js";

export interface GraphNode {
  id: string;
  kind: "pass" | "transfer" | "copy" | "screen" | "fold";
  passes: number[];
  event: number | null;
  title: string;
  lines: string[];
  badges: string[];
  /** That of its small picture. */
  request: PictureRequest | null;
}
export interface GraphEdge {
  from: string;
  to: string;
  kinds: string[];
}
export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** The fold of each folded node. */
  homes: ReadonlyMap<string, string>;
}

/** Nodes that are folded to one at least. */
const FOLD_LEAST = 4;

/** Returns the name of a node of the document. */
export function nodeId({ kind, pass, event }: { kind: string; pass: number | null; event: number | null }): string {
  return kind === "pass" ? `pass-${pass}` : `${kind}-${event ?? "end"}`;
}

/** Creates a graph without folds. */
export function graphOf(nodes: GraphNode[], edges: readonly EdgeInfo[]): Graph {
  return { nodes, edges: joined(edges.map(({ from, to, kind }) => ({ from: nodeId(from), to: nodeId(to), kinds: [kind] }))), homes: new Map() };
}

/** Joins the edges between the same nodes, and leaves out those from a node to itself. */
function joined(edges: readonly GraphEdge[]): GraphEdge[] {
  const groups = Map.groupBy(edges.filter(({ from, to }) => from !== to), ({ from, to }) => `${from} ${to}`);
  return [...groups.values()].map((same) => ({ ...same[0], kinds: [...new Set(same.flatMap(({ kinds }) => kinds))] }));
}

/** Folds long runs of passes, and many transfers or copies of a kind. The folds in `unfolded` stay open. */
export function folded(graph: Graph, unfolded: ReadonlySet<string>): Graph {
  const runs = fold(graph, runsOf(graph), unfolded);
  return fold(runs, siblingsOf(runs), unfolded);
}

function fold({ nodes, edges, homes }: Graph, groups: GraphNode[][], unfolded: ReadonlySet<string>): Graph {
  const long = groups.filter(({ length }) => length >= FOLD_LEAST).map((group) => ({ group, fold: foldOf(group) }));
  const folds = new Map(long.filter(({ fold: { id } }) => !unfolded.has(id)).flatMap(({ group, fold }) => group.map(({ id }) => [id, fold])));
  const home = (id: string) => folds.get(id)?.id ?? id;
  return {
    nodes: [...new Set(nodes.map((node) => folds.get(node.id) ?? node))],
    edges: joined(edges.map(({ from, to, kinds }) => ({ from: home(from), to: home(to), kinds }))),
    homes: new Map([...homes, ...[...folds.keys()].map((id) => [id, home(id)] as const)]),
  };
}

/**
 * Returns the runs of passes of which each one only continues the picture of the one before. Their ends are left out: they
 * say where a run comes from and who reads it.
 */
function runsOf({ nodes, edges }: Graph): GraphNode[][] {
  const passes = new Map(nodes.filter(({ kind }) => kind === "pass").map((node) => [node.id, node]));
  const out = Map.groupBy(edges, ({ from }) => from);
  const into = Map.groupBy(edges, ({ to }) => to);
  const next = ({ id }: GraphNode) => {
    const [edge, ...others] = out.get(id) ?? [];
    return edge && others.length === 0 && into.get(edge.to)?.length === 1 ? passes.get(edge.to) : undefined;
  };
  const seen = new Set<GraphNode>();
  return [...passes.values()].map((start) => {
    const run: GraphNode[] = [];
    for (let node: GraphNode | undefined = start; node && !seen.has(node); node = next(node)) {
      seen.add(node);
      run.push(node);
    }
    return run.slice(1, -1);
  });
}

/** Returns the groups of transfers, and of copies, that read the same nodes and have the same readers. */
function siblingsOf({ nodes, edges }: Graph): GraphNode[][] {
  const ends = edges.flatMap(({ from, to, kinds }) => [{ id: from, text: `> ${to} ${kinds}` }, { id: to, text: `< ${from} ${kinds}` }]);
  const endsOf = Map.groupBy(ends, ({ id }) => id);
  const key = ({ kind, id }: GraphNode) => [kind, ...(endsOf.get(id) ?? []).map(({ text }) => text).sort()].join(";");
  return [...Map.groupBy(nodes.filter(({ kind }) => kind === "transfer" || kind === "copy"), key).values()];
}

/** Creates the node that some are folded to. */
function foldOf(group: GraphNode[]): GraphNode {
  const [first, last] = [group[0], group[group.length - 1]];
  const targets = [...new Set(group.flatMap(({ lines }) => lines))];
  const ofPasses = {
    title: `Passes ${first.passes[0]}–${last.passes[0]}`,
    lines: [`${group.length} passes, folded`, targets.length === 1 ? targets[0] : `${targets.length} targets`],
    badges: [],
  };
  const ofCopies = {
    title: `${group.length} ${first.kind === "transfer" ? "transfers" : "copies"}`,
    lines: [`events ${first.event} to ${last.event}, folded`, "with the same readers"],
    badges: first.badges,
  };
  const passes = group.flatMap((node) => node.passes);
  return { id: `fold-${first.id}`, kind: "fold", passes, event: last.event, request: null, ...(first.kind === "pass" ? ofPasses : ofCopies) };
}
