// The graph of a frame: render passes, transfers, copies and screens, and who reads results of whom.

import { h, reveal } from "pspge/base/dom.js";
import { rem } from "pspge/base/layout.js";
import type { EdgeInfo } from "pspge/documents.js";
import { type Layout, layoutGraph } from "pspge/panels/graph-layout.js";
import type { PictureRequest } from "pspge/picture/small-pictures.js";

type EdgeStyle = "texture" | "data" | "copy" | "screen" | "old";

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
interface GraphEdge {
  from: string;
  to: string;
  kinds: string[];
}

const SVG = "http://www.w3.org/2000/svg";
/** Passes in a row that are folded to one node. */
const FOLD_LEAST = 4;
/** Size of a node in CSS pixels at a scale of 1. */
const NODE = { width: 168, height: 142 };
const SMALL = { width: 168, height: 66 };
/** Size of the text, in CSS pixels, at which the graph is shown at a scale of 1. */
const USUAL_REM = 13;
const SCALES = { least: 0.2, most: 4 };

/** Returns the name of a node of the document. */
export function nodeId({ kind, pass, event }: { kind: string; pass: number | null; event: number | null }): string {
  return kind === "pass" ? `pass-${pass}` : `${kind}-${event ?? "end"}`;
}

/** Returns the style of an edge of some kinds: that of the most telling one. */
function edgeStyle(kinds: readonly string[]): EdgeStyle {
  if (kinds.includes("texture") || kinds.includes("palette")) {
    return "texture";
  }
  if (kinds.includes("vertices") || kinds.includes("indices")) {
    return "data";
  }
  if (kinds.includes("screen")) {
    return "screen";
  }
  return kinds.includes("copy") ? "copy" : "old";
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
  const home = (id: string) => homes.get(id) ?? id;
  const left = new Map<string, GraphEdge>();
  for (const { from, to, kinds } of edges) {
    if (home(from) !== home(to)) {
      left.set(`${home(from)} ${home(to)}`, { from: home(from), to: home(to), kinds });
    }
  }
  const shown = new Set();
  const kept = nodes.flatMap((node) => {
    const id = home(node.id);
    if (shown.has(id)) {
      return [];
    }
    shown.add(id);
    return [folds.get(id) ?? node];
  });
  return { nodes: kept, edges: [...left.values()], homes };
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
  const home = (id: string) => homes.get(id) ?? id;
  const edges = new Map<string, GraphEdge>();
  for (const { from, to, kinds } of graph.edges) {
    edges.set(`${home(from)} ${home(to)}`, { from: home(from), to: home(to), kinds });
  }
  return { nodes, edges: [...edges.values()], homes };
}

interface Options {
  onselect: (node: GraphNode) => void;
  onopen: (node: GraphNode) => void;
  addThumbnail: (canvas: HTMLCanvasElement, request: () => PictureRequest | null) => void;
}

/** The view of the graph. */
export class PassGraph {
  private nodes: GraphNode[] = [];
  private edges: GraphEdge[] = [];
  private layout: Layout | null = null;
  private elements = new Map<string, HTMLElement>();
  private paths: { edge: GraphEdge; group: SVGElement }[] = [];
  private selected: string | null = null;
  private scale = 1;
  private svg = document.createElementNS(SVG, "svg");
  private stage = h("div", { class: "graph-stage", role: "presentation" }, this.svg);
  private sheet = h("div", { class: "graph-sheet", role: "presentation" }, this.stage);
  element = h(
    "div",
    {
      class: "pass-graph",
      tabindex: 0,
      role: "listbox",
      "aria-label": "Graph of passes. Left and right follow the edges, up and down stay in the layer, Enter unfolds.",
    },
    this.sheet,
  );

  constructor(private options: Options) {
    this.svg.setAttribute("class", "graph-edges");
    this.svg.setAttribute("aria-hidden", "true");
    this.element.addEventListener("keydown", (event) => this.press(event));
    this.element.addEventListener("wheel", (event) => this.turnWheel(event), { passive: false });
    this.listenToDrag();
  }

  /** Shows a graph. */
  setGraph(nodes: GraphNode[], edges: GraphEdge[]) {
    this.nodes = nodes;
    this.edges = edges;
    const sizes = nodes.map(({ id, request }) => ({ id, ...(request ? NODE : SMALL) }));
    this.layout = layoutGraph(sizes, edges);
    this.elements.clear();
    this.stage.replaceChildren(this.svg, ...nodes.map((node) => this.node(node)));
    this.drawEdges();
    this.resize();
    this.mark();
  }

  node(node: GraphNode) {
    const box = this.layout?.boxes.get(node.id);
    const canvas = node.request && h("canvas", { class: "preview", width: 1, height: 1, "aria-hidden": true });
    const element = h(
      "div",
      {
        class: `graph-node is-${node.kind}`,
        role: "option",
        id: `graph-${node.id}`,
        "aria-selected": "false",
        onclick: () => this.select(node.id, true),
        ondblclick: () => this.options.onopen(node),
      },
      h("span", { class: "card-title" }, node.title),
      canvas && h("span", { class: "preview-frame" }, canvas),
      node.lines.map((line) => h("span", { class: "card-text" }, line)),
      node.badges.length > 0 && h("span", { class: "badges" }, node.badges.map((badge) => h("span", { class: "badge" }, badge))),
    );
    if (box) {
      element.style.left = `${box.x}px`;
      element.style.top = `${box.y}px`;
      element.style.width = `${box.width}px`;
      element.style.height = `${box.height}px`;
    }
    if (canvas) {
      this.options.addThumbnail(canvas, () => node.request);
    }
    this.elements.set(node.id, element);
    return element;
  }

  drawEdges() {
    const { layout } = this;
    this.svg.replaceChildren(arrowHeads());
    this.paths = [];
    if (!layout) {
      return;
    }
    this.svg.setAttribute("width", String(layout.width));
    this.svg.setAttribute("height", String(layout.height));
    const edges = new Map(this.edges.map((edge) => [`${edge.from} ${edge.to}`, edge]));
    for (const { from, to, points } of layout.routes) {
      const edge = edges.get(`${from} ${to}`);
      if (edge) {
        const group = edgeElement(edge, points);
        this.svg.append(group);
        this.paths.push({ edge, group });
      }
    }
  }

  resize() {
    const { layout, scale } = this;
    this.sheet.style.width = `${(layout?.width ?? 0) * scale}px`;
    this.sheet.style.height = `${(layout?.height ?? 0) * scale}px`;
    this.stage.style.width = `${layout?.width ?? 0}px`;
    this.stage.style.height = `${layout?.height ?? 0}px`;
    this.stage.style.transform = `scale(${scale})`;
    this.stage.classList.toggle("is-small", scale < 0.55);
  }

  /** Selects a node and scrolls to it. `tells` says whether `onselect` is called. */
  select(id: string, tells: boolean) {
    const node = this.nodes.find((other) => other.id === id);
    if (!node) {
      return;
    }
    this.selected = id;
    this.mark();
    const element = this.elements.get(id);
    if (element) {
      reveal(element);
    }
    if (tells) {
      this.options.onselect(node);
    }
  }

  mark() {
    for (const [id, element] of this.elements) {
      element.setAttribute("aria-selected", String(id === this.selected));
    }
    for (const { edge, group } of this.paths) {
      group.classList.toggle("is-near", edge.from === this.selected || edge.to === this.selected);
    }
    if (this.selected && this.elements.has(this.selected)) {
      this.element.setAttribute("aria-activedescendant", `graph-${this.selected}`);
    } else {
      this.element.removeAttribute("aria-activedescendant");
    }
  }

  press(event: KeyboardEvent) {
    if (event.target !== this.element || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const { key } = event;
    const to = this.neighbour(key);
    if (to) {
      this.select(to, true);
    } else if (key === "+" || key === "=") {
      this.zoom(1.25);
    } else if (key === "-") {
      this.zoom(0.8);
    } else if (key === "0") {
      this.fit();
    } else if (key === "Enter" && this.selected) {
      const node = this.nodes.find((other) => other.id === this.selected);
      if (node) {
        this.options.onopen(node);
      }
    } else if (!key.startsWith("Arrow") && key !== "Home" && key !== "End") {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Returns the node that a key leads to. */
  neighbour(key: string): string | null {
    const { layout, selected } = this;
    const box = selected ? layout?.boxes.get(selected) : null;
    if (!layout || !selected || !box || key === "Home") {
      return key.startsWith("Arrow") || key === "Home" ? (this.nodes[0]?.id ?? null) : null;
    }
    if (key === "End") {
      return this.nodes[this.nodes.length - 1]?.id ?? null;
    }
    const layer = layout.layers[box.layer] ?? [];
    const at = layer.indexOf(selected);
    if (key === "ArrowUp" || key === "ArrowDown") {
      return layer[at + (key === "ArrowUp" ? -1 : 1)] ?? null;
    }
    if (key !== "ArrowLeft" && key !== "ArrowRight") {
      return null;
    }
    const ends =
      key === "ArrowLeft"
        ? this.edges.filter(({ to }) => to === selected).map(({ from }) => from)
        : this.edges.filter(({ from }) => from === selected).map(({ to }) => to);
    const distance = (id: string) => {
      const other = layout.boxes.get(id);
      return other ? Math.abs(other.layer - box.layer) * 1000 + Math.abs(other.y - box.y) : Infinity;
    };
    return ends.sort((a, b) => distance(a) - distance(b))[0] ?? null;
  }

  /** Magnifies the graph around the middle of the view or a place in it. */
  zoom(factor: number, about?: [number, number]) {
    const { element } = this;
    const [x, y] = about ?? [element.clientWidth / 2, element.clientHeight / 2];
    const scale = Math.max(SCALES.least, Math.min(SCALES.most, this.scale * factor));
    const ratio = scale / this.scale;
    this.scale = scale;
    this.resize();
    element.scrollLeft = (element.scrollLeft + x) * ratio - x;
    element.scrollTop = (element.scrollTop + y) * ratio - y;
  }

  /** Shows the whole graph, at no smaller scale than `least`, so that it stays readable. Returns whether it can be seen at all. */
  fit(least: number = SCALES.least): boolean {
    const { layout, element } = this;
    if (!layout || element.clientWidth === 0) {
      return false;
    }
    const usual = rem() / USUAL_REM;
    const scale = Math.min(element.clientWidth / layout.width, element.clientHeight / layout.height, usual);
    this.zoom(Math.max(least * usual, scale) / this.scale);
    return true;
  }

  turnWheel(event: WheelEvent) {
    if (!event.ctrlKey) {
      return;
    }
    event.preventDefault();
    const { left, top } = this.element.getBoundingClientRect();
    this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, [event.clientX - left, event.clientY - top]);
  }

  /** Lets the background be dragged. */
  listenToDrag() {
    const { element } = this;
    let drag: { x: number; y: number } | null = null;
    element.addEventListener("pointerdown", (event) => {
      const isNode = event.target instanceof Element && event.target.closest(".graph-node");
      if (!isNode && event.button === 0) {
        drag = { x: event.clientX, y: event.clientY };
      }
    });
    element.addEventListener("pointermove", (event) => {
      if (!drag) {
        return;
      }
      element.scrollLeft -= event.clientX - drag.x;
      element.scrollTop -= event.clientY - drag.y;
      drag = { x: event.clientX, y: event.clientY };
    });
    const end = () => {
      drag = null;
    };
    element.addEventListener("pointerup", end);
    element.addEventListener("pointerleave", end);
    element.addEventListener("pointercancel", end);
  }
}

/** Creates an element of SVG. */
function svg(tag: string, attributes: Record<string, string | number>, ...children: Node[]) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** Returns the label of an edge; "old" is said once. */
function labelOf(kinds: readonly string[]) {
  const old = kinds.filter((kind) => kind.startsWith("old ")).map((kind) => kind.slice(4));
  const others = kinds.filter((kind) => !kind.startsWith("old "));
  return [...others, ...(old.length > 0 ? [`old ${old.join(", ")}`] : [])].join(", ");
}

function arrowHeads() {
  const styles: EdgeStyle[] = ["texture", "data", "copy", "screen", "old"];
  return svg(
    "defs",
    {},
    ...styles.map((style) => {
      const box = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8 };
      return svg("marker", { id: `arrow-${style}`, class: `arrow edge-${style}`, ...box, orient: "auto", markerUnits: "userSpaceOnUse" }, svg("path", { d: "M0 0 8 4 0 8Z" }));
    }),
  );
}

function edgeElement({ kinds }: GraphEdge, points: [number, number][]) {
  const style = edgeStyle(kinds);
  const parts = points.map(([x, y], nth) => {
    const before = points[nth - 1];
    if (!before) {
      return `M${x} ${y}`;
    }
    const bend = (x - before[0]) / 2;
    return before[1] === y ? `L${x} ${y}` : `C${before[0] + bend} ${before[1]} ${x - bend} ${y} ${x} ${y}`;
  });
  const last = points[points.length - 1] ?? [0, 0];
  const before = points[points.length - 2] ?? last;
  const text = svg("text", { class: "edge-label", x: (before[0] + last[0]) / 2, y: (before[1] + last[1]) / 2 - 5 });
  text.textContent = labelOf(kinds);
  const title = svg("title", {});
  title.textContent = kinds.join(", ");
  return svg("g", { class: `edge edge-${style}` }, title, svg("path", { d: parts.join(""), "marker-end": `url(#arrow-${style})` }), text);
}
