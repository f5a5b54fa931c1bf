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

/** Passes in a row that are folded to one node. */
const FOLD_LEAST = 4;

/** Returns the name of a node of the document. */
export function nodeId({ kind, pass, event }: { kind: string; pass: number | null; event: number | null }): string {
  return kind === "pass" ? `pass-${pass}` : `${kind}-${event ?? "end"}`;
}

/** Joins the edges between the same nodes. */
export function joinEdges(edges: readonly EdgeInfo[]): GraphEdge[] {
  const joined = new Map<string, GraphEdge>();
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

export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** The fold of each folded node. */
  homes: Map<string, string>;
}
/** Creates the node of a fold. */
type Join = (nodes: GraphNode[]) => GraphNode;

/** Folds long runs of passes of which each one only continues the picture of the one before. Those in `unfolded` stay open. */
export function foldRuns(nodes: readonly GraphNode[], edges: readonly GraphEdge[], unfolded: ReadonlySet<string>, join: Join): Graph {
  const next = new Map();
  const previous = new Map();
  for (const { from, to } of edges) {
    next.set(from, next.has(from) ? null : to);
    previous.set(to, previous.has(to) ? null : from);
  }
  const homes = new Map<string, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const folds = new Map<string, GraphNode>();
  for (const start of nodes) {
    if (start.kind !== "pass" || homes.has(start.id)) {
      continue;
    }
    const run = [start];
    for (let at = start; ;) {
      const after = byId.get(next.get(at.id));
      if (!after || after.kind !== "pass" || previous.get(after.id) !== at.id || homes.has(after.id)) {
        break;
      }
      run.push(after);
      at = after;
    }
    // The ends stay: they say where the run comes from and who reads it.
    const inner = run.slice(1, -1);
    const fold = inner.length >= FOLD_LEAST ? join(inner) : null;
    if (fold && !unfolded.has(fold.id)) {
      folds.set(fold.id, fold);
      inner.forEach(({ id }) => homes.set(id, fold.id));
    }
  }
  const kept = new Map(nodes.map((node) => homes.get(node.id) ?? node.id).map((id) => [id, folds.get(id) ?? byId.get(id)]));
  return { nodes: [...kept.values()].filter((node) => node !== undefined), edges: redirect(edges, homes), homes };
}

/** Folds transfers and copies that read the same nodes and have the same readers. Those in `unfolded` stay open. */
export function foldSiblings(graph: Graph, unfolded: ReadonlySet<string>, join: Join): Graph {
  const ends = new Map<string, string[]>();
  for (const { from, to, kinds } of graph.edges) {
    ends.set(from, [...(ends.get(from) ?? []), `> ${to} ${kinds}`]);
    ends.set(to, [...(ends.get(to) ?? []), `< ${from} ${kinds}`]);
  }
  const groups = new Map<string, GraphNode[]>();
  for (const node of graph.nodes) {
    if (node.kind === "transfer" || node.kind === "copy") {
      const key = `${node.kind} ${(ends.get(node.id) ?? []).sort().join(";")}`;
      groups.set(key, [...(groups.get(key) ?? []), node]);
    }
  }
  const homes = new Map(graph.homes);
  /** Folds by the node that they stand for first. */
  const folds = new Map<string, GraphNode>();
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

/** Leads the edges of folded nodes to their folds. Those inside a fold go. */
function redirect(edges: readonly GraphEdge[], homes: ReadonlyMap<string, string>): GraphEdge[] {
  const home = (id: string) => homes.get(id) ?? id;
  const left = edges.map(({ from, to, kinds }) => ({ from: home(from), to: home(to), kinds })).filter(({ from, to }) => from !== to);
  return [...new Map(left.map((edge) => [`${edge.from} ${edge.to}`, edge])).values()];
}
