// panels/pass-graph.tsx
import { reveal } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { rem } from "pspge/base/layout.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import { layoutGraph } from "pspge/panels/graph-layout.js";
import { SmallPicture, SmallPictures } from "pspge/picture/small-pictures.js";
import { useApp } from "pspge/widgets/panel.js";
import { jsx, jsxs } from "pspge/base/preact.js";
var STYLES = { texture: "texture or palette", data: "vertices or indices", copy: "copy", screen: "screen", old: "contents of before" };
var NODE = { width: 168, height: 142 };
var SMALL = { width: 168, height: 66 };
var USUAL_REM = 13;
var SCALES = { least: 0.2, most: 4 };
var READABLE = 0.75;
function PassGraph({ nodes, edges, chosen, choose, open, controls }) {
  const app = useApp();
  const view = useRef(null);
  const stage = useRef(null);
  const [pictures] = useState(() => new SmallPictures(app));
  const layout = useMemo(() => layoutGraph(nodes.map(({ id, request }) => ({ id, ...request ? NODE : SMALL })), edges), [nodes, edges]);
  const state = useRef({ scale: 1, isFitted: false, drag: null });
  const zoom = (factor, about) => {
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
  const fit = (least = SCALES.least) => {
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
  const press = (event) => {
    if (event.target !== view.current) {
      return;
    }
    const { layer = 0, y = 0 } = layout.boxes.get(chosen) ?? {};
    const inLayer = layout.layers[layer];
    const distance = (id) => {
      const other = layout.boxes.get(id);
      return other ? Math.abs(other.layer - layer) * 1e3 + Math.abs(other.y - y) : Infinity;
    };
    const nearest = (ids) => ids.sort((a, b) => distance(a) - distance(b))[0];
    const go = (id) => () => choose(layout.boxes.has(chosen) ? id ?? chosen : nodes[0].id);
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
  const drag = ({ type, target, button, clientX: x, clientY: y }) => {
    const { current } = state;
    if (type === "pointerdown") {
      current.drag = button === 0 && !target.closest(".graph-node") ? { x, y } : null;
    } else if (type !== "pointermove") {
      current.drag = null;
    } else if (current.drag) {
      view.current?.scrollBy(current.drag.x - x, current.drag.y - y);
      current.drag = { x, y };
    }
  };
  const joined = new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge]));
  return /* @__PURE__ */ jsx(
    "div",
    {
      ref: view,
      class: "pass-graph",
      tabIndex: 0,
      role: "listbox",
      "aria-label": "Graph of passes. Left and right follow the edges, up and down stay in the layer, Enter unfolds.",
      "aria-activedescendant": layout.boxes.has(chosen) ? `graph-${chosen}` : void 0,
      onKeyDown: press,
      onWheel: turnWheel,
      onPointerDown: drag,
      onPointerMove: drag,
      onPointerUp: drag,
      onPointerLeave: drag,
      onPointerCancel: drag,
      children: /* @__PURE__ */ jsx("div", { class: "graph-sheet", role: "presentation", children: /* @__PURE__ */ jsxs("div", { ref: stage, class: "graph-stage", role: "presentation", style: { width: `${layout.width}px`, height: `${layout.height}px` }, children: [
        /* @__PURE__ */ jsxs("svg", { class: "graph-edges", "aria-hidden": "true", width: layout.width, height: layout.height, children: [
          /* @__PURE__ */ jsx("defs", { children: Object.keys(STYLES).map((style) => /* @__PURE__ */ jsx("marker", { id: `arrow-${style}`, class: `arrow edge-${style}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse", children: /* @__PURE__ */ jsx("path", { d: "M0 0 8 4 0 8Z" }) }, style)) }),
          layout.routes.map(({ from, to, points }) => /* @__PURE__ */ jsx(Edge, { kinds: joined.get(`${from} ${to}`)?.kinds ?? [], points, isNear: from === chosen || to === chosen }, `${from} ${to}`))
        ] }),
        nodes.map((node) => {
          const { id, kind, title, request, lines, badges } = node;
          const { x = 0, y = 0, width = 0, height = 0 } = layout.boxes.get(id) ?? {};
          const place = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
          return /* @__PURE__ */ jsxs("div", { class: `graph-node is-${kind}`, role: "option", id: `graph-${id}`, "aria-selected": id === chosen, style: place, onClick: () => choose(id), onDblClick: () => open(node), children: [
            /* @__PURE__ */ jsx("span", { class: "card-title", children: title }),
            request && /* @__PURE__ */ jsx("span", { class: "preview-frame", children: /* @__PURE__ */ jsx(SmallPicture, { pictures, class: "preview", of: JSON.stringify(request), request: () => request }) }),
            lines.map((line) => /* @__PURE__ */ jsx("span", { class: "card-text", children: line })),
            badges.length > 0 && /* @__PURE__ */ jsx("span", { class: "badges", children: badges.map((badge) => /* @__PURE__ */ jsx("span", { class: "badge", children: badge })) })
          ] }, id);
        })
      ] }) })
    }
  );
}
function Edge({ kinds, points, isNear }) {
  const style = edgeStyle(kinds);
  const parts = points.map(([x, y], nth) => {
    const before2 = points[nth - 1];
    if (!before2) {
      return `M${x} ${y}`;
    }
    const bend = (x - before2[0]) / 2;
    return before2[1] === y ? `L${x} ${y}` : `C${before2[0] + bend} ${before2[1]} ${x - bend} ${y} ${x} ${y}`;
  });
  const last = points.at(-1) ?? [0, 0];
  const before = points.at(-2) ?? last;
  return /* @__PURE__ */ jsxs("g", { class: `edge edge-${style}${isNear ? " is-near" : ""}`, children: [
    /* @__PURE__ */ jsx("title", { children: kinds.join(", ") }),
    /* @__PURE__ */ jsx("path", { d: parts.join(""), "marker-end": `url(#arrow-${style})` }),
    /* @__PURE__ */ jsx("text", { class: "edge-label", x: (before[0] + last[0]) / 2, y: (before[1] + last[1]) / 2 - 5, children: labelOf(kinds) })
  ] });
}
function edgeStyle(kinds) {
  const has = (...wanted) => wanted.some((kind) => kinds.includes(kind));
  return has("texture", "palette") ? "texture" : has("vertices", "indices") ? "data" : has("screen") ? "screen" : has("copy") ? "copy" : "old";
}
function labelOf(kinds) {
  const old = kinds.filter((kind) => kind.startsWith("old ")).map((kind) => kind.slice(4));
  const others = kinds.filter((kind) => !kind.startsWith("old "));
  return [...others, ...old.length > 0 ? [`old ${old.join(", ")}`] : []].join(", ");
}
export {
  PassGraph,
  STYLES
};
