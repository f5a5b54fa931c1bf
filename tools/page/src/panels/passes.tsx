// The panel of render passes: the graph of who reads results of whom, and a table.

import { counted, hex } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import type { PassesDocument, PassInfo, PictureSource, RunRequest } from "pspge/documents.js";
import { folded, type GraphNode, graphOf, nodeId } from "pspge/panels/graph-folds.js";
import { badgesOf, Detail, range, targetText } from "pspge/panels/pass-detail.js";
import { type GraphControls, PassGraph, STYLES } from "pspge/panels/pass-graph.js";
import { loadPasses, runKey } from "pspge/state/run.js";
import { takeWish } from "pspge/state/wishes.js";
import { Button, Segments, Splitter, Toggle } from "pspge/widgets/controls.js";
import { panelOf, useChanges, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { type Column, Table } from "pspge/widgets/virtual-table.js";

/** Most nodes of the graph. */
const MOST_NODES = 800;

/** Kinds of edges that only say that a pass continues a picture. */
const OLD = ["old colour", "old stencil", "old depth"];

const VIEWS = { graph: "Graph", table: "Table" };

const numberColumn = (title: string, about: string, cell: (row: PassInfo) => number): Column<PassInfo> => ({ title, about, width: Math.max(9, title.length + 3), isNumber: true, cell });

const COLUMNS: Column<PassInfo>[] = [
  numberColumn("pass", "Number of the pass", (row) => row.pass),
  { title: "draws", about: "Numbers of its first and last draw", width: 14, cell: (row) => range(row.first_draw, row.last_draw) },
  { title: "target", about: "The colour buffer", width: 28, cell: (row) => targetText(row.color) },
  { title: "reaches", about: "Whether its result reaches a screen", width: 16, cell: (row) => (row.is_shown ? "the screen" : row.is_read ? "other passes" : "nothing") },
  numberColumn("pixels", "Pixels inside the scissor that its draws cover", (row) => row.pixels),
  numberColumn("primitives", "Primitives that are left after clipping and culling", (row) => row.primitives),
  numberColumn("clears", "Draws in clear mode", (row) => row.clears.length),
  numberColumn("textures", "Textures that its draws use", (row) => row.textures.length),
  { title: "reads passes", about: "Passes whose results it samples", width: 20, grows: true, cell: (row) => sampledPasses(row).join(", ") || "none" },
];

export const create = panelOf({ id: "passes", title: "Passes", className: "passes-panel", label: "Passes" }, PassesPanel);

function PassesPanel() {
  const { app } = usePanel();
  const { answer: document, problem } = useLoaded(runKey(app), () => loadPasses(app));
  const isEmpty = document !== null && document.passes.length + document.copies.length === 0;
  const message = problem ?? (isEmpty ? "This run draws nothing, so it has no passes." : null);
  return <>{message !== null && <p class="panel-message">{message}</p>}{document && !isEmpty && <Passes document={document} />}</>;
}

function Passes({ document }: { document: PassesDocument }) {
  const { app, selection } = usePanel();
  const [view, setView] = useState<keyof typeof VIEWS>("graph");
  const [withOld, setWithOld] = useState(true);
  const [folds, setFolds] = useState(true);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
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
    if (copy && wish?.pass === undefined) {
      choose(nodeId({ kind: copy.kind, pass: null, event }));
    } else if (pass !== undefined) {
      choose(`pass-${pass}`);
    } else {
      choose((known) => known || (nodes[0]?.id ?? ""));
    }
  }, [document, selection.event, useChanges("panel", "wish")]);

  const fold = (isOn: boolean) => {
    setUnfolded(new Set());
    setFolds(isOn);
  };
  /** Unfolds a fold, and chooses its first node; of another node, selects its last event. */
  const open = (node: GraphNode) => {
    if (node.kind === "fold") {
      setUnfolded(new Set([...unfolded, node.id]));
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
  const controls = useRef<GraphControls>(null);
  return (
    <>
      <div class="toolbar">
        <Segments label="Show as" choices={VIEWS} chosen={view} onChoose={setView} />
        <span class="graph-controls" hidden={!isGraph}>
          <Toggle text="Contents of before" isOn={withOld} onChange={setWithOld} title="Edges from a pass to the next one that draws over its colour, stencil or depth" />
          <Toggle text="Fold long runs" isOn={folds} onChange={fold} title="Show runs of passes that only continue one picture as one node" />
          <Button title="Larger (+)" onClick={() => controls.current?.zoom(1.25)}>+</Button>
          <Button title="Smaller (-)" onClick={() => controls.current?.zoom(0.8)}>−</Button>
          <Button title="Show the whole graph (0)" onClick={() => controls.current?.fit()}>Fit</Button>
          <span class="muted">{graph.nodes.length > MOST_NODES && `The graph shows the first ${MOST_NODES} nodes; the table has all passes.`}</span>
        </span>
        <p class="panel-summary" aria-live="polite">{`${parts.join(", ")}.${unseenText}${limitText}`}</p>
      </div>
      <p class="graph-legend" hidden={!isGraph}>
        {Object.entries(STYLES).map(([style, text]) => <span class="legend-item"><span class={`legend-line edge-${style}`} aria-hidden="true" />{text}</span>)}
      </p>
      <div class="passes-body">
        <div class="passes-view">
          {isGraph ? (
            <PassGraph nodes={shownNodes} edges={graph.edges} chosen={graph.homes.get(chosen) ?? chosen} {...{ choose, open, controls }} />
          ) : (
            <Table label="Passes" columns={COLUMNS} rows={passes} active={row} onActive={({ pass }) => choose(`pass-${pass}`)} onEnter={({ last_event: last }) => app.selectEvent(last)} />
          )}
        </div>
        <Splitter label="Height of the graph" name="passes" usual={62} least={15} most={90} />
        <div class="pass-detail" role="region" aria-label="Selected pass">
          <Detail document={document} node={nodes.find(({ id }) => id === chosen) ?? graph.nodes.find(({ id }) => id === chosen)} choose={choose} open={open} />
        </div>
      </div>
    </>
  );
}

/** Creates the nodes of the graph, in the order of time. */
function nodesOf(document: PassesDocument, run: RunRequest): GraphNode[] {
  const picture = (event: number, after: boolean, source: PictureSource) => ({ run, at: { event, after }, source, max: 128 });
  const plain = { passes: [], badges: [], request: null };
  const passes = document.passes.map((pass): GraphNode => ({
    id: `pass-${pass.pass}`,
    kind: "pass",
    passes: [pass.pass],
    // A pass follows everything that one of its draws reads.
    event: pass.last_event,
    title: `Pass ${pass.pass}: ${pass.draws === 1 ? "draw" : "draws"} ${range(pass.first_draw, pass.last_draw)}`,
    lines: [targetText(pass.color)],
    badges: badgesOf(pass),
    request: picture(pass.last_event, true, { kind: pass.color_written || !pass.depth?.is_written ? "color" : "depth" }),
  }));
  const copies = document.copies.map(({ kind, event, text, is_shown: isShown }): GraphNode => ({
    ...plain,
    id: nodeId({ kind, pass: null, event }),
    kind: kind as GraphNode["kind"],
    event,
    title: kind === "transfer" ? `Transfer, event ${event}` : `Copy by the CPU, event ${event}`,
    lines: [text.replace(/^event \d+[^:]*: /, "")],
    badges: isShown ? [] : ["not shown"],
  }));
  const screens = document.screens.map(({ event, address }, nth): GraphNode => ({
    ...plain,
    id: nodeId({ kind: "screen", pass: null, event }),
    kind: "screen",
    event,
    title: event === null ? "Screen at the end" : `Screen, event ${event}`,
    lines: [hex(address)],
    request: nth === document.screens.length - 1 ? picture(document.events, false, { kind: "screen" }) : null,
  }));
  return [...passes, ...copies, ...screens].sort((a, b) => (a.event ?? Infinity) - (b.event ?? Infinity));
}

function sampledPasses(pass: PassInfo): number[] {
  return [...new Set(pass.textures.flatMap((use) => use.passes))].sort((a, b) => a - b);
}
