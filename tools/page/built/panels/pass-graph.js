// panels/pass-graph.tsx
import { Graph, layout } from "pspge/base/dagre.js";
import { reveal } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { rem } from "pspge/base/layout.js";
import { useLayoutEffect, useMemo, useRef } from "pspge/base/preact.js";
import { SmallPicture } from "pspge/picture/small-pictures.js";
import { jsx, jsxs } from "pspge/base/preact.js";
var STYLES = { texture: "texture or palette", data: "vertices or indices", copy: "copy", screen: "screen", old: "contents of before" };
var NODE = { width: 168, height: 142 };
var SMALL = { width: 168, height: 66 };
var GAPS = { rankdir: "LR", ranker: "tight-tree", ranksep: 24, nodesep: 22, edgesep: 8, marginx: 16, marginy: 16 };
var LABEL = { width: 84, height: 14, labelpos: "c" };
var USUAL_REM = 13;
var SCALES = { least: 0.2, most: 4 };
var READABLE = 0.75;
function placed(nodes, edges) {
  const graph = new Graph().setGraph({ ...GAPS });
  const times = new Map(nodes.map(({ id }, time) => [id, time]));
  nodes.forEach(({ id, request }) => graph.setNode(id, { ...request ? NODE : SMALL }));
  edges.filter(({ from, to }) => (times.get(from) ?? Infinity) < (times.get(to) ?? 0)).forEach((edge) => graph.setEdge(edge.from, edge.to, { ...edge, ...LABEL }));
  const { height = 0 } = layout(graph).graph();
  const places = [...graph.nodes().map((id) => graph.node(id)), ...graph.edges().flatMap((ends) => [graph.edge(ends), ...graph.edge(ends).points ?? []])];
  places.forEach((place) => place.y = height - (place.y ?? 0));
  return graph;
}
function PassGraph({ nodes, edges, chosen, choose, open, controls }) {
  const view = useRef(null);
  const stage = useRef(null);
  const graph = useMemo(() => placed(nodes, edges), [nodes, edges]);
  const { width = 0, height = 0 } = graph.graph();
  const state = useRef({ scale: 1, isFitted: false, pointer: [0, 0] });
  const zoom = (factor, about) => {
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
  const fit = (least = SCALES.least) => {
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
  const press = (event) => {
    if (event.target !== view.current) {
      return;
    }
    const { x: left = 0, y: top = 0 } = graph.hasNode(chosen) ? graph.node(chosen) : {};
    const go = (ids) => () => {
      const ways = ids.map((id) => {
        const { x = 0, y = 0 } = graph.node(id);
        return { id, way: 1e3 * Math.abs(x - left) + Math.abs(y - top) };
      });
      choose(ways.sort((a, b) => a.way - b.way)[0]?.id ?? (graph.hasNode(chosen) ? chosen : nodes[0].id));
    };
    const inColumn = (direction) => graph.nodes().filter((id) => graph.node(id).x === left && direction * ((graph.node(id).y ?? 0) - top) > 0);
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
      Enter: () => nodes.filter(({ id }) => id === chosen).forEach(open)
    });
  };
  const turnWheel = (event) => {
    if (event.ctrlKey && view.current) {
      event.preventDefault();
      const { left, top } = view.current.getBoundingClientRect();
      zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, [event.clientX - left, event.clientY - top]);
    }
  };
  const hold = ({ target, button, pointerId, clientX, clientY }) => {
    if (button === 0 && !target.closest(".graph-node")) {
      view.current?.setPointerCapture(pointerId);
      state.current.pointer = [clientX, clientY];
    }
  };
  const drag = ({ pointerId, clientX, clientY }) => {
    if (view.current?.hasPointerCapture(pointerId)) {
      const [x, y] = state.current.pointer;
      view.current.scrollBy(x - clientX, y - clientY);
      state.current.pointer = [clientX, clientY];
    }
  };
  return /* @__PURE__ */ jsx(
    "div",
    {
      ref: view,
      class: "pass-graph",
      tabIndex: 0,
      role: "listbox",
      "aria-label": "Graph of passes. Left and right follow the edges, up and down stay in the layer, Enter unfolds.",
      "aria-activedescendant": graph.hasNode(chosen) ? `graph-${chosen}` : void 0,
      onKeyDown: press,
      onWheel: turnWheel,
      onPointerDown: hold,
      onPointerMove: drag,
      children: /* @__PURE__ */ jsxs("div", { ref: stage, class: "graph-stage", role: "presentation", style: { width: `${width}px`, height: `${height}px` }, children: [
        /* @__PURE__ */ jsxs("svg", { class: "graph-edges", "aria-hidden": "true", width, height, children: [
          /* @__PURE__ */ jsx("defs", { children: Object.keys(STYLES).map((style) => /* @__PURE__ */ jsx("marker", { id: `arrow-${style}`, class: `arrow edge-${style}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse", children: /* @__PURE__ */ jsx("path", { d: "M0 0 8 4 0 8Z" }) }, style)) }),
          graph.edges().map((ends) => {
            const edge = graph.edge(ends);
            return /* @__PURE__ */ jsx(Edge, { edge, isNear: edge.from === chosen || edge.to === chosen, start: graph.node(edge.from), end: graph.node(edge.to) }, `${edge.from} ${edge.to}`);
          })
        ] }),
        nodes.map((node) => {
          const { id, kind, title, request, lines, badges } = node;
          const { x = 0, y = 0, width: width2, height: height2 } = graph.node(id);
          const place = { left: `${x - width2 / 2}px`, top: `${y - height2 / 2}px`, width: `${width2}px`, height: `${height2}px` };
          return /* @__PURE__ */ jsxs("div", { class: `graph-node is-${kind}`, role: "option", id: `graph-${id}`, "aria-selected": id === chosen, style: place, onClick: () => choose(id), onDblClick: () => open(node), children: [
            /* @__PURE__ */ jsx("span", { class: "card-title", children: title }),
            request && /* @__PURE__ */ jsx("span", { class: "preview-frame", children: /* @__PURE__ */ jsx(SmallPicture, { class: "preview", of: JSON.stringify(request), request: () => request }) }),
            lines.map((line) => /* @__PURE__ */ jsx("span", { class: "card-text", children: line })),
            badges.length > 0 && /* @__PURE__ */ jsx("span", { class: "badges", children: badges.map((badge) => /* @__PURE__ */ jsx("span", { class: "badge", children: badge })) })
          ] }, id);
        })
      ] })
    }
  );
}
function Edge({ edge: { kinds, points = [], x = 0, y = 0 }, isNear, start, end }) {
  const style = edgeStyle(kinds);
  const path = [{ x: (start.x ?? 0) + start.width / 2, y: start.y ?? 0 }, ...points.slice(1, -1), { x: (end.x ?? 0) - end.width / 2, y: end.y ?? 0 }];
  const parts = path.map(({ x: x2, y: y2 }, nth) => {
    const before = path[nth - 1];
    const middle = before && (before.x + x2) / 2;
    return before ? `C${middle} ${before.y} ${middle} ${y2} ${x2} ${y2}` : `M${x2} ${y2}`;
  });
  return /* @__PURE__ */ jsxs("g", { class: `edge edge-${style}${isNear ? " is-near" : ""}`, children: [
    /* @__PURE__ */ jsx("title", { children: kinds.join(", ") }),
    /* @__PURE__ */ jsx("path", { d: parts.join(""), "marker-end": `url(#arrow-${style})` }),
    /* @__PURE__ */ jsx("text", { class: "edge-label", x, y: y - 5, children: labelOf(kinds) })
  ] });
}
function edgeStyle(kinds) {
  const has = (...wanted) => wanted.some((kind) => kinds.includes(kind));
  return has("texture", "palette") ? "texture" : has("vertices", "indices") ? "data" : has("screen") ? "screen" : has("copy") ? "copy" : "old";
}
function labelOf(kinds) {
  const { old = [], other = [] } = Object.groupBy(kinds, (kind) => kind.startsWith("old ") ? "old" : "other");
  return [...other, ...old.map((kind, nth) => nth > 0 ? kind.slice(4) : kind)].join(", ");
}
export {
  PassGraph,
  STYLES
};
