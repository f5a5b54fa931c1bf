// The graph of a frame: render passes, transfers, copies and screens, and who reads results of whom.

import { reveal } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { rem } from "pspge/base/layout.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import type { GraphEdge, GraphNode } from "pspge/panels/graph-folds.js";
import { layoutGraph } from "pspge/panels/graph-layout.js";
import { SmallPicture, SmallPictures } from "pspge/picture/small-pictures.js";
import { useApp } from "pspge/widgets/panel.js";

/** The styles of edges, with what they lead from a node to another. */
export const STYLES = { texture: "texture or palette", data: "vertices or indices", copy: "copy", screen: "screen", old: "contents of before" };
/** Size of a node in CSS pixels at a scale of 1. */
const NODE = { width: 168, height: 142 };
const SMALL = { width: 168, height: 66 };
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

export function PassGraph({ nodes, edges, chosen, choose, open, controls }: GraphProps) {
  const app = useApp();
  const view = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [pictures] = useState(() => new SmallPictures(app));
  const layout = useMemo(() => layoutGraph(nodes.map(({ id, request }) => ({ id, ...(request ? NODE : SMALL) })), edges), [nodes, edges]);
  const state = useRef({ scale: 1, isFitted: false, drag: null as { x: number; y: number } | null });

  /** Magnifies the graph around the middle of the view or a place in it. */
  const zoom = (factor: number, about?: [number, number]) => {
    const [element, sheet] = [view.current, stage.current?.parentElement];
    if (!element || !stage.current || !sheet) {
      return;
    }
    const [x, y] = about ?? [element.clientWidth / 2, element.clientHeight / 2];
    const scale = Math.max(SCALES.least, Math.min(SCALES.most, state.current.scale * factor));
    const ratio = scale / state.current.scale;
    state.current.scale = scale;
    Object.assign(sheet.style, { width: `${layout.width * scale}px`, height: `${layout.height * scale}px` });
    stage.current.style.transform = `scale(${scale})`;
    stage.current.classList.toggle("is-small", scale < 0.55);
    element.scrollLeft = (element.scrollLeft + x) * ratio - x;
    element.scrollTop = (element.scrollTop + y) * ratio - y;
  };
  /** Shows the whole graph, at no smaller scale than `least`. Returns whether it can be seen at all. */
  const fit = (least: number = SCALES.least): boolean => {
    const { clientWidth = 0, clientHeight = 0 } = view.current ?? {};
    const usual = rem() / USUAL_REM;
    const scale = Math.min(clientWidth / layout.width, clientHeight / layout.height, usual);
    zoom(Math.max(least * usual, scale) / state.current.scale);
    return clientWidth > 0;
  };
  controls.current = { zoom, fit };
  useLayoutEffect(() => zoom(1), [layout]);
  useLayoutEffect(() => {
    state.current.isFitted ||= fit(READABLE);
    const node = stage.current?.querySelector("[aria-selected=true]");
    if (node) {
      reveal(node);
    }
  }, [layout, chosen]);

  const press = (event: KeyboardEvent) => {
    if (event.target !== view.current) {
      return;
    }
    const { layer = 0, y = 0 } = layout.boxes.get(chosen) ?? {};
    const inLayer = layout.layers[layer];
    const distance = (id: string) => {
      const other = layout.boxes.get(id);
      return other ? Math.abs(other.layer - layer) * 1000 + Math.abs(other.y - y) : Infinity;
    };
    const nearest = (ids: string[]) => ids.sort((a, b) => distance(a) - distance(b))[0];
    const go = (id: string | undefined) => () => choose(layout.boxes.has(chosen) ? (id ?? chosen) : nodes[0].id);
    takeKey(event, {
      ArrowUp: go(inLayer[inLayer.indexOf(chosen) - 1]),
      ArrowDown: go(inLayer[inLayer.indexOf(chosen) + 1]),
      ArrowLeft: go(nearest(edges.filter(({ to }) => to === chosen).map(({ from }) => from))),
      ArrowRight: go(nearest(edges.filter(({ from }) => from === chosen).map(({ to }) => to))),
      Home: go(nodes[0].id),
      End: go(nodes.at(-1)?.id),
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
  /** The background can be dragged. */
  const drag = ({ type, target, button, clientX: x, clientY: y }: PointerEvent) => {
    const { current } = state;
    if (type === "pointerdown") {
      current.drag = button === 0 && !(target as Element).closest(".graph-node") ? { x, y } : null;
    } else if (type !== "pointermove") {
      current.drag = null;
    } else if (current.drag) {
      view.current?.scrollBy(current.drag.x - x, current.drag.y - y);
      current.drag = { x, y };
    }
  };
  const joined = new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge]));
  return (
    <div
      ref={view}
      class="pass-graph"
      tabIndex={0}
      role="listbox"
      aria-label="Graph of passes. Left and right follow the edges, up and down stay in the layer, Enter unfolds."
      aria-activedescendant={layout.boxes.has(chosen) ? `graph-${chosen}` : undefined}
      onKeyDown={press}
      onWheel={turnWheel}
      onPointerDown={drag}
      onPointerMove={drag}
      onPointerUp={drag}
      onPointerLeave={drag}
      onPointerCancel={drag}
    >
      <div class="graph-sheet" role="presentation">
        <div ref={stage} class="graph-stage" role="presentation" style={{ width: `${layout.width}px`, height: `${layout.height}px` }}>
          <svg class="graph-edges" aria-hidden="true" width={layout.width} height={layout.height}>
            <defs>
              {Object.keys(STYLES).map((style) => (
                <marker key={style} id={`arrow-${style}`} class={`arrow edge-${style}`} viewBox="0 0 8 8" refX={7} refY={4} markerWidth={8} markerHeight={8} orient="auto" markerUnits="userSpaceOnUse">
                  <path d="M0 0 8 4 0 8Z" />
                </marker>
              ))}
            </defs>
            {layout.routes.map(({ from, to, points }) => (
              <Edge key={`${from} ${to}`} kinds={joined.get(`${from} ${to}`)?.kinds ?? []} points={points} isNear={from === chosen || to === chosen} />
            ))}
          </svg>
          {nodes.map((node) => {
            const { id, kind, title, request, lines, badges } = node;
            const { x = 0, y = 0, width = 0, height = 0 } = layout.boxes.get(id) ?? {};
            const place = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
            return (
              <div key={id} class={`graph-node is-${kind}`} role="option" id={`graph-${id}`} aria-selected={id === chosen} style={place} onClick={() => choose(id)} onDblClick={() => open(node)}>
                <span class="card-title">{title}</span>
                {request && <span class="preview-frame"><SmallPicture pictures={pictures} class="preview" of={JSON.stringify(request)} request={() => request} /></span>}
                {lines.map((line) => <span class="card-text">{line}</span>)}
                {badges.length > 0 && <span class="badges">{badges.map((badge) => <span class="badge">{badge}</span>)}</span>}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Edge({ kinds, points, isNear }: { kinds: readonly string[]; points: [number, number][]; isNear: boolean }) {
  const style = edgeStyle(kinds);
  const parts = points.map(([x, y], nth) => {
    const before = points[nth - 1];
    if (!before) {
      return `M${x} ${y}`;
    }
    const bend = (x - before[0]) / 2;
    return before[1] === y ? `L${x} ${y}` : `C${before[0] + bend} ${before[1]} ${x - bend} ${y} ${x} ${y}`;
  });
  const last = points.at(-1) ?? [0, 0];
  const before = points.at(-2) ?? last;
  return (
    <g class={`edge edge-${style}${isNear ? " is-near" : ""}`}>
      <title>{kinds.join(", ")}</title>
      <path d={parts.join("")} marker-end={`url(#arrow-${style})`} />
      <text class="edge-label" x={(before[0] + last[0]) / 2} y={(before[1] + last[1]) / 2 - 5}>{labelOf(kinds)}</text>
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
  const old = kinds.filter((kind) => kind.startsWith("old ")).map((kind) => kind.slice(4));
  const others = kinds.filter((kind) => !kind.startsWith("old "));
  return [...others, ...(old.length > 0 ? [`old ${old.join(", ")}`] : [])].join(", ");
}
