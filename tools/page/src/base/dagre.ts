// The package that lays out graphs, in a module of its own, so that only the panel that shows a graph loads it.

export { Graph, layout } from "@dagrejs/dagre";
export type { EdgeLabel, GraphLabel, NodeLabel, Point } from "@dagrejs/dagre";
