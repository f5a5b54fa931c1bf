// panels/passes.tsx
import { counted, hex } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import { folded, graphOf, nodeId } from "pspge/panels/graph-folds.js";
import { badgesOf, Detail, range, targetText } from "pspge/panels/pass-detail.js";
import { PassGraph, STYLES } from "pspge/panels/pass-graph.js";
import { loadPasses, runKey } from "pspge/state/run.js";
import { takeWish } from "pspge/state/wishes.js";
import { Button, Segments, Splitter, Toggle } from "pspge/widgets/controls.js";
import { panelOf, useChanges, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { Table } from "pspge/widgets/virtual-table.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var MOST_NODES = 800;
var OLD = ["old colour", "old stencil", "old depth"];
var VIEWS = { graph: "Graph", table: "Table" };
var numberColumn = (title, about, cell) => ({ title, about, width: Math.max(9, title.length + 3), isNumber: true, cell });
var COLUMNS = [
  numberColumn("pass", "Number of the pass", (row) => row.pass),
  { title: "draws", about: "Numbers of its first and last draw", width: 14, cell: (row) => range(row.first_draw, row.last_draw) },
  { title: "target", about: "The colour buffer", width: 28, cell: (row) => targetText(row.color) },
  { title: "reaches", about: "Whether its result reaches a screen", width: 16, cell: (row) => row.is_shown ? "the screen" : row.is_read ? "other passes" : "nothing" },
  numberColumn("pixels", "Pixels inside the scissor that its draws cover", (row) => row.pixels),
  numberColumn("primitives", "Primitives that are left after clipping and culling", (row) => row.primitives),
  numberColumn("clears", "Draws in clear mode", (row) => row.clears.length),
  numberColumn("textures", "Textures that its draws use", (row) => row.textures.length),
  { title: "reads passes", about: "Passes whose results it samples", width: 20, grows: true, cell: (row) => sampledPasses(row).join(", ") || "none" }
];
var create = panelOf({ id: "passes", title: "Passes", className: "passes-panel", label: "Passes" }, PassesPanel);
function PassesPanel() {
  const { app } = usePanel();
  const { answer: document, problem } = useLoaded(runKey(app), () => loadPasses(app));
  const isEmpty = document !== null && document.passes.length + document.copies.length === 0;
  const message = problem ?? (isEmpty ? "This run draws nothing, so it has no passes." : null);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    message !== null && /* @__PURE__ */ jsx("p", { class: "panel-message", children: message }),
    document && !isEmpty && /* @__PURE__ */ jsx(Passes, { document })
  ] });
}
function Passes({ document }) {
  const { app, selection } = usePanel();
  const [view, setView] = useState("graph");
  const [withOld, setWithOld] = useState(true);
  const [folds, setFolds] = useState(true);
  const [unfolded, setUnfolded] = useState(/* @__PURE__ */ new Set());
  const [chosen, choose] = useState("");
  const nodes = useMemo(() => nodesOf(document, app.store.run()), [document]);
  const graph = useMemo(() => {
    const whole = graphOf(nodes, document.edges.filter((edge) => withOld || !OLD.includes(edge.kind)));
    return folds ? folded(whole, unfolded) : whole;
  }, [nodes, withOld, folds, unfolded]);
  const shownNodes = useMemo(() => graph.nodes.slice(0, MOST_NODES), [graph]);
  useLayoutEffect(() => {
    const wish = takeWish("passes");
    const { event } = selection;
    const pass = wish?.pass ?? document.passes.find((other) => event >= other.first_event && event <= other.last_event)?.pass;
    const copy = document.copies.find((other) => other.event === event);
    if (copy && wish?.pass === void 0) {
      choose(nodeId({ kind: copy.kind, pass: null, event }));
    } else if (pass !== void 0) {
      choose(`pass-${pass}`);
    } else {
      choose((known) => known || (nodes[0]?.id ?? ""));
    }
  }, [document, selection.event, useChanges("panel", "wish")]);
  const fold = (isOn) => {
    setUnfolded(/* @__PURE__ */ new Set());
    setFolds(isOn);
  };
  const open = (node) => {
    if (node.kind === "fold") {
      setUnfolded(/* @__PURE__ */ new Set([...unfolded, node.id]));
      choose(node.id.replace("fold-", ""));
    } else if (node.event !== null) {
      app.selectEvent(node.event);
    }
  };
  const unseen = document.passes.filter((pass) => !pass.is_shown).length;
  const { passes, copies, screens } = document;
  const parts = [counted(passes.length, "pass", "passes"), counted(copies.length, "transfer or copy", "transfers and copies"), counted(screens.length, "screen")];
  const unseenText = unseen > 0 ? ` The results of ${counted(unseen, "pass", "passes")} reach no screen.` : "";
  const limitText = document.is_complete ? "" : " A limit ended the record before the end of the run.";
  const row = document.passes.findIndex(({ pass }) => `pass-${pass}` === chosen);
  const isGraph = view === "graph";
  const controls = useRef(null);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      /* @__PURE__ */ jsx(Segments, { label: "Show as", choices: VIEWS, chosen: view, onChoose: setView }),
      /* @__PURE__ */ jsxs("span", { class: "graph-controls", hidden: !isGraph, children: [
        /* @__PURE__ */ jsx(Toggle, { text: "Contents of before", isOn: withOld, onChange: setWithOld, title: "Edges from a pass to the next one that draws over its colour, stencil or depth" }),
        /* @__PURE__ */ jsx(Toggle, { text: "Fold long runs", isOn: folds, onChange: fold, title: "Show runs of passes that only continue one picture as one node" }),
        /* @__PURE__ */ jsx(Button, { title: "Larger (+)", onClick: () => controls.current?.zoom(1.25), children: "+" }),
        /* @__PURE__ */ jsx(Button, { title: "Smaller (-)", onClick: () => controls.current?.zoom(0.8), children: "−" }),
        /* @__PURE__ */ jsx(Button, { title: "Show the whole graph (0)", onClick: () => controls.current?.fit(), children: "Fit" }),
        /* @__PURE__ */ jsx("span", { class: "muted", children: graph.nodes.length > MOST_NODES && `The graph shows the first ${MOST_NODES} nodes; the table has all passes.` })
      ] }),
      /* @__PURE__ */ jsx("p", { class: "panel-summary", "aria-live": "polite", children: `${parts.join(", ")}.${unseenText}${limitText}` })
    ] }),
    /* @__PURE__ */ jsx("p", { class: "graph-legend", hidden: !isGraph, children: Object.entries(STYLES).map(([style, text]) => /* @__PURE__ */ jsxs("span", { class: "legend-item", children: [
      /* @__PURE__ */ jsx("span", { class: `legend-line edge-${style}`, "aria-hidden": "true" }),
      text
    ] })) }),
    /* @__PURE__ */ jsxs("div", { class: "passes-body", children: [
      /* @__PURE__ */ jsx("div", { class: "passes-view", children: isGraph ? /* @__PURE__ */ jsx(PassGraph, { nodes: shownNodes, edges: graph.edges, chosen: graph.homes.get(chosen) ?? chosen, ...{ choose, open, controls } }) : /* @__PURE__ */ jsx(Table, { label: "Passes", columns: COLUMNS, rows: passes, active: row, onActive: ({ pass }) => choose(`pass-${pass}`), onEnter: ({ last_event: last }) => app.selectEvent(last) }) }),
      /* @__PURE__ */ jsx(Splitter, { label: "Height of the graph", name: "passes", usual: 62, least: 15, most: 90 }),
      /* @__PURE__ */ jsx("div", { class: "pass-detail", role: "region", "aria-label": "Selected pass", children: /* @__PURE__ */ jsx(Detail, { document, node: nodes.find(({ id }) => id === chosen) ?? graph.nodes.find(({ id }) => id === chosen), choose, open }) })
    ] })
  ] });
}
function nodesOf(document, run) {
  const picture = (event, after, source) => ({ run, at: { event, after }, source, max: 128 });
  const plain = { passes: [], badges: [], request: null };
  const passes = document.passes.map((pass) => ({
    id: `pass-${pass.pass}`,
    kind: "pass",
    passes: [pass.pass],
    // A pass follows everything that one of its draws reads.
    event: pass.last_event,
    title: `Pass ${pass.pass}: ${pass.draws === 1 ? "draw" : "draws"} ${range(pass.first_draw, pass.last_draw)}`,
    lines: [targetText(pass.color)],
    badges: badgesOf(pass),
    request: picture(pass.last_event, true, { kind: pass.color_written || !pass.depth?.is_written ? "color" : "depth" })
  }));
  const copies = document.copies.map(({ kind, event, text, is_shown: isShown }) => ({
    ...plain,
    id: nodeId({ kind, pass: null, event }),
    kind,
    event,
    title: kind === "transfer" ? `Transfer, event ${event}` : `Copy by the CPU, event ${event}`,
    lines: [text.replace(/^event \d+[^:]*: /, "")],
    badges: isShown ? [] : ["not shown"]
  }));
  const screens = document.screens.map(({ event, address }, nth) => ({
    ...plain,
    id: nodeId({ kind: "screen", pass: null, event }),
    kind: "screen",
    event,
    title: event === null ? "Screen at the end" : `Screen, event ${event}`,
    lines: [hex(address)],
    request: nth === document.screens.length - 1 ? picture(document.events, false, { kind: "screen" }) : null
  }));
  return [...passes, ...copies, ...screens].sort((a, b) => (a.event ?? Infinity) - (b.event ?? Infinity));
}
function sampledPasses(pass) {
  return [...new Set(pass.textures.flatMap((use) => use.passes))].sort((a, b) => a - b);
}
export {
  create
};
