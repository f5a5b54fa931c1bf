// The graph of a frame: render passes, transfers, copies and screens, and who reads results of whom.

import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from "pspge/base/dagre.js";
import { reveal } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { rem } from "pspge/base/layout.js";
import { useLayoutEffect, useMemo, useRef } from "pspge/base/preact.js";
import type { GraphEdge, GraphNode } from "pspge/panels/graph-folds.js";
import { SmallPicture } from "pspge/picture/small-pictures.js";

/** The styles of edges, with what they lead from a node to another. */
export const STYLES = { texture: "texture or palette", data: "vertices or indices", copy: "copy", screen: "screen", old: "contents of before" };
/** Size of a node in CSS pixels at a scale of 1. */
const NODE = { width: 168, height: 142 };
const SMALL = { width: 168, height: 66 };
/** Lengths around the nodes of the graph, which goes from left to right, and the quickest way to find its columns. */
const GAPS = { rankdir: "LR", ranker: "tight-tree", ranksep: 24, nodesep: 22, edgesep: 8, marginx: 16, marginy: 16 } as const;
/** Room for the label of an edge, in its middle. */
const LABEL = { width: 84, height: 14, labelpos: "c" } as const;
/** Size of the text, in CSS pixels, at which the graph is shown at a scale of 1. */
const USUAL_REM = 13;
const SCALES = { least: 0.2, most: 4 };
/** The scale that is reached at first at least, so that the nodes can be read. */
const READABLE = 0.75;

export interface GraphControls {
  zoom: (factor: number) => void;
  fit: () => void;
}

interface GraphProps {
  nodes: GraphNode[];
  edges: GraphEdge[];
  chosen: string;
  choose: (id: string) => void;
  open: (node: GraphNode) => void;
  controls: { current: GraphControls | null };
}

/** Places nodes, which are in the order of time. Edges to earlier nodes, and those of nodes that are not shown, are left out. */
function placed(nodes: readonly GraphNode[], edges: readonly GraphEdge[]) {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel & GraphEdge>().setGraph({ ...GAPS });
  const times = new Map(nodes.map(({ id }, time) => [id, time]));
  nodes.forEach(({ id, request }) => graph.setNode(id, { ...(request ? NODE : SMALL) }));
  edges.filter(({ from, to }) => (times.get(from) ?? Infinity) < (times.get(to) ?? 0)).forEach((edge) => graph.setEdge(edge.from, edge.to, { ...edge, ...LABEL }));
  const { height = 0 } = layout(graph).graph();
  // The package puts the first of several equal nodes at the bottom: this turns the whole over.
  const places = [...graph.nodes().map((id) => graph.node(id)), ...graph.edges().flatMap((ends) => [graph.edge(ends), ...(graph.edge(ends).points ?? [])])];
  places.forEach((place) => (place.y = height - (place.y ?? 0)));
  return graph;
}

export function PassGraph({ nodes, edges, chosen, choose, open, controls }: GraphProps) {
  const view = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const graph = useMemo(() => placed(nodes, edges), [nodes, edges]);
  const { width = 0, height = 0 } = graph.graph();
  const state = useRef({ scale: 1, isFitted: false, pointer: [0, 0] });

  /** Magnifies the graph around the middle of the view or a place in it. */
  const zoom = (factor: number, about?: [number, number]) => {
    const element = view.current;
    if (!element || !stage.current) {
      return;
    }
    const [x, y] = about ?? [element.clientWidth / 2, element.clientHeight / 2];
    const scale = Math.max(SCALES.least, Math.min(SCALES.most, state.current.scale * factor));
    const ratio = scale / state.current.scale;
    state.current.scale = scale;
    stage.current.style.zoom = String(scale);
    stage.current.classList.toggle("is-small", scale < 0.55);
    element.scrollLeft = (element.scrollLeft + x) * ratio - x;
    element.scrollTop = (element.scrollTop + y) * ratio - y;
  };
  /** Shows the whole graph, at no smaller scale than `least`. Returns whether it can be seen at all. */
  const fit = (least: number = SCALES.least): boolean => {
    const { clientWidth = 0, clientHeight = 0 } = view.current ?? {};
    const usual = rem() / USUAL_REM;
    const scale = Math.min(clientWidth / width, clientHeight / height, usual);
    zoom(Math.max(least * usual, scale) / state.current.scale);
    return clientWidth > 0;
  };
  controls.current = { zoom, fit };
  useLayoutEffect(() => {
    state.current.isFitted ||= fit(READABLE);
    reveal(stage.current?.querySelector("[aria-selected=true]"));
  }, [graph, chosen]);

  const press = (event: KeyboardEvent) => {
    if (event.target !== view.current) {
      return;
    }
    const { x: left = 0, y: top = 0 } = graph.hasNode(chosen) ? graph.node(chosen) : {};
    /** Selects the node to which the way is shortest, first from left to right. */
    const go = (ids: string[]) => () => {
      const ways = ids.map((id) => {
        const { x = 0, y = 0 } = graph.node(id);
        return { id, way: 1000 * Math.abs(x - left) + Math.abs(y - top) };
      });
      choose(ways.sort((a, b) => a.way - b.way)[0]?.id ?? (graph.hasNode(chosen) ? chosen : nodes[0].id));
    };
    const inColumn = (direction: number) => graph.nodes().filter((id) => graph.node(id).x === left && direction * ((graph.node(id).y ?? 0) - top) > 0);
    takeKey(event, {
      ArrowUp: go(inColumn(-1)),
      ArrowDown: go(inColumn(1)),
      ArrowLeft: go(graph.predecessors(chosen) ?? []),
      ArrowRight: go(graph.successors(chosen) ?? []),
      Home: go([nodes[0].id]),
      End: go(nodes.slice(-1).map(({ id }) => id)),
      "+": () => zoom(1.25),
      "=": () => zoom(1.25),
      "-": () => zoom(0.8),
      0: () => fit(),
      Enter: () => nodes.filter(({ id }) => id === chosen).forEach(open),
    });
  };
  const turnWheel = (event: WheelEvent) => {
    if (event.ctrlKey && view.current) {
      event.preventDefault();
      const { left, top } = view.current.getBoundingClientRect();
      zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, [event.clientX - left, event.clientY - top]);
    }
  };
  /** Begins to drag the background. */
  const hold = ({ target, button, pointerId, clientX, clientY }: PointerEvent) => {
    if (button === 0 && !(target as Element).closest(".graph-node")) {
      view.current?.setPointerCapture(pointerId);
      state.current.pointer = [clientX, clientY];
    }
  };
  const drag = ({ pointerId, clientX, clientY }: PointerEvent) => {
    if (view.current?.hasPointerCapture(pointerId)) {
      const [x, y] = state.current.pointer;
      view.current.scrollBy(x - clientX, y - clientY);
      state.current.pointer = [clientX, clientY];
    }
  };
  return (
    <div
      ref={view}
      class="pass-graph"
      tabIndex={0}
      role="listbox"
      aria-label="Graph of passes. Left and right follow the edges, up and down stay in the layer, Enter unfolds."
      aria-activedescendant={graph.hasNode(chosen) ? `graph-${chosen}` : undefined}
      onKeyDown={press}
      onWheel={turnWheel}
      onPointerDown={hold}
      onPointerMove={drag}
    >
      <div ref={stage} class="graph-stage" role="presentation" style={{ width: `${width}px`, height: `${height}px` }}>
        <svg class="graph-edges" aria-hidden="true" width={width} height={height}>
          <defs>
            {Object.keys(STYLES).map((style) => (
              <marker key={style} id={`arrow-${style}`} class={`arrow edge-${style}`} viewBox="0 0 8 8" refX={7} refY={4} markerWidth={8} markerHeight={8} orient="auto" markerUnits="userSpaceOnUse">
                <path d="M0 0 8 4 0 8Z" />
              </marker>
            ))}
          </defs>
          {graph.edges().map((ends) => {
            const edge = graph.edge(ends);
            return <Edge key={`${edge.from} ${edge.to}`} edge={edge} isNear={edge.from === chosen || edge.to === chosen} start={graph.node(edge.from)} end={graph.node(edge.to)} />;
          })}
        </svg>
        {nodes.map((node) => {
          const { id, kind, title, request, lines, badges } = node;
          const { x = 0, y = 0, width, height } = graph.node(id);
          const place = { left: `${x - width / 2}px`, top: `${y - height / 2}px`, width: `${width}px`, height: `${height}px` };
          return (
            <div key={id} class={`graph-node is-${kind}`} role="option" id={`graph-${id}`} aria-selected={id === chosen} style={place} onClick={() => choose(id)} onDblClick={() => open(node)}>
              <span class="card-title">{title}</span>
              {request && <span class="preview-frame"><SmallPicture class="preview" of={JSON.stringify(request)} request={() => request} /></span>}
              {lines.map((line) => <span class="card-text">{line}</span>)}
              {badges.length > 0 && <span class="badges">{badges.map((badge) => <span class="badge">{badge}</span>)}</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** An edge from the right side of a node to the left side of another. */
function Edge({ edge: { kinds, points = [], x = 0, y = 0 }, isNear, start, end }: { edge: EdgeLabel & GraphEdge; isNear: boolean; start: NodeLabel; end: NodeLabel }) {
  const style = edgeStyle(kinds);
  const path = [{ x: (start.x ?? 0) + start.width / 2, y: start.y ?? 0 }, ...points.slice(1, -1), { x: (end.x ?? 0) - end.width / 2, y: end.y ?? 0 }];
  const parts = path.map(({ x, y }, nth) => {
    const before = path[nth - 1];
    const middle = before && (before.x + x) / 2;
    return before ? `C${middle} ${before.y} ${middle} ${y} ${x} ${y}` : `M${x} ${y}`;
  });
  return (
    <g class={`edge edge-${style}${isNear ? " is-near" : ""}`}>
      <title>{kinds.join(", ")}</title>
      <path d={parts.join("")} marker-end={`url(#arrow-${style})`} />
      <text class="edge-label" x={x} y={y - 5}>{labelOf(kinds)}</text>
    </g>
  );
}

/** Returns the style of an edge of some kinds: that of the most telling one. */
function edgeStyle(kinds: readonly string[]): keyof typeof STYLES {
  const has = (...wanted: string[]) => wanted.some((kind) => kinds.includes(kind));
  return has("texture", "palette") ? "texture" : has("vertices", "indices") ? "data" : has("screen") ? "screen" : has("copy") ? "copy" : "old";
}

/** Returns the label of an edge; "old" is said once. */
function labelOf(kinds: readonly string[]): string {
  const { old = [], other = [] } = Object.groupBy(kinds, (kind) => (kind.startsWith("old ") ? "old" : "other"));
  return [...other, ...old.map((kind, nth) => (nth > 0 ? kind.slice(4) : kind))].join(", ");
}
