// The panel of render passes: the graph of who reads results of whom, and a table.

import { count, counted, hex } from "pspge/base/dom.js";
import { type ComponentChild, useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import type { EdgeInfo, NodeInfo, PassesDocument, PassInfo, PictureSource, RunRequest, TargetInfo } from "pspge/documents.js";
import { foldRuns, foldSiblings, type GraphNode, joinEdges, nodeId } from "pspge/panels/graph-folds.js";
import { type GraphControls, PassGraph } from "pspge/panels/pass-graph.js";
import { loadPasses, runKey } from "pspge/state/run.js";
import { openWith, takeWish } from "pspge/state/wishes.js";
import { Button, DrawLinks, EventLink, Facts, Link, Segments, Separated, Splitter, Toggle } from "pspge/widgets/controls.js";
import { panelOf, useApp, useChanges, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { type Column, Table } from "pspge/widgets/virtual-table.js";

/** Most nodes of the graph. */
const MOST_NODES = 800;
/** Kinds of edges that only say that a pass continues a picture. */
const OLD = ["old colour", "old stencil", "old depth"];

const VIEWS = [
  { value: "graph", text: "Graph" },
  { value: "table", text: "Table" },
] as const;

const number = (title: string, about: string, cell: (row: PassInfo) => number): Column<PassInfo> => ({ title, about, width: Math.max(9, title.length + 3), isNumber: true, cell });
const COLUMNS: Column<PassInfo>[] = [
  number("pass", "Number of the pass", (row) => row.pass),
  { title: "draws", about: "Numbers of its first and last draw", width: 14, cell: (row) => range(row.first_draw, row.last_draw) },
  { title: "target", about: "The colour buffer", width: 28, cell: (row) => targetText(row.color) },
  { title: "reaches", about: "Whether its result reaches a screen", width: 16, cell: (row) => (row.is_shown ? "the screen" : row.is_read ? "other passes" : "nothing") },
  number("pixels", "Pixels inside the scissor that its draws cover", (row) => row.pixels),
  number("primitives", "Primitives that are left after clipping and culling", (row) => row.primitives),
  number("clears", "Draws in clear mode", (row) => row.clears.length),
  number("textures", "Textures that its draws use", (row) => row.textures.length),
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
  const [view, setView] = useState<"graph" | "table">("graph");
  const [withOld, setWithOld] = useState(true);
  const [folds, setFolds] = useState(true);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [chosen, choose] = useState("");
  const nodes = useMemo(() => nodesOf(document, app.store.run()), [document]);
  const graph = useMemo(() => {
    const edges = joinEdges(document.edges.filter((edge) => withOld || !OLD.includes(edge.kind)));
    return folds ? foldSiblings(foldRuns(nodes, edges, new Set(unfolded), foldOf), new Set(unfolded), foldOfCopies) : { nodes, edges, homes: new Map<string, string>() };
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

  /** Unfolds the run of a fold; of another node, selects its last event. */
  const open = (node: GraphNode) => {
    if (node.kind === "fold") {
      setUnfolded(new Set([...unfolded, node.id]));
      choose(nodes.find((other) => node.passes.includes(other.passes[0] ?? -1) || `fold-${other.id}` === node.id)?.id ?? node.id);
    } else if (node.event !== null) {
      app.selectEvent(node.event);
    }
  };
  const unseen = document.passes.filter((pass) => !pass.is_shown).length;
  const parts = [counted(document.passes.length, "pass", "passes"), counted(document.copies.length, "transfer or copy", "transfers and copies"), counted(document.screens.length, "screen")];
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
          <Toggle
            text="Fold long runs"
            isOn={folds}
            onChange={(isOn) => {
              setUnfolded(new Set());
              setFolds(isOn);
            }}
            title="Show runs of passes that only continue one picture as one node"
          />
          <Button title="Larger (+)" onClick={() => controls.current?.zoom(1.25)}>+</Button>
          <Button title="Smaller (-)" onClick={() => controls.current?.zoom(0.8)}>−</Button>
          <Button title="Show the whole graph (0)" onClick={() => controls.current?.fit()}>Fit</Button>
          <span class="muted">{graph.nodes.length > MOST_NODES && `The graph shows the first ${MOST_NODES} nodes; the table has all passes.`}</span>
        </span>
        <p class="panel-summary" aria-live="polite">{`${parts.join(", ")}.${unseenText}${limitText}`}</p>
      </div>
      {isGraph && <Legend />}
      <div class="passes-body">
        <div class="passes-view">
          {isGraph ? <PassGraph nodes={shownNodes} edges={graph.edges} chosen={graph.homes.get(chosen) ?? chosen} {...{ choose, open, controls }} /> : <Table label="Passes" columns={COLUMNS} rows={document.passes} active={row} onActive={({ pass }) => choose(`pass-${pass}`)} onEnter={({ last_event: last }) => app.selectEvent(last)} />}
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
  const picture = (event: number, source: PictureSource) => ({ run, at: { event, after: true }, source, max: 128 });
  const plain = { passes: [], badges: [], request: null };
  const passes = document.passes.map((pass) => ({
    // A pass follows everything that one of its draws reads.
    time: pass.last_event,
    node: {
      id: `pass-${pass.pass}`,
      kind: "pass" as const,
      passes: [pass.pass],
      event: pass.last_event,
      title: `Pass ${pass.pass}: ${pass.draws === 1 ? "draw" : "draws"} ${range(pass.first_draw, pass.last_draw)}`,
      lines: [targetText(pass.color)],
      badges: badgesOf(pass),
      request: picture(pass.last_event, { kind: pass.color_written || !pass.depth?.is_written ? "color" : "depth" }),
    },
  }));
  const copies = document.copies.map(({ kind, event, text, is_shown: isShown }) => ({
    time: event,
    node: {
      ...plain,
      id: nodeId({ kind, pass: null, event }),
      kind: kind as GraphNode["kind"],
      event,
      title: kind === "transfer" ? `Transfer, event ${event}` : `Copy by the CPU, event ${event}`,
      lines: [text.replace(/^event \d+[^:]*: /, "")],
      badges: isShown ? [] : ["not shown"],
    },
  }));
  const last = document.screens.at(-1);
  const screens = document.screens.map((screen) => ({
    time: screen.event ?? Infinity,
    node: {
      ...plain,
      id: nodeId({ kind: "screen", pass: null, event: screen.event }),
      kind: "screen" as const,
      event: screen.event,
      title: screen.event === null ? "Screen at the end" : `Screen, event ${screen.event}`,
      lines: [hex(screen.address)],
      request: screen === last ? { run, at: { event: document.events, after: false }, source: { kind: "screen" as const }, max: 128 } : null,
    },
  }));
  return [...passes, ...copies, ...screens].sort((a, b) => a.time - b.time).map(({ node }) => node);
}

function foldOf(run: GraphNode[]): GraphNode {
  const passes = run.flatMap((node) => node.passes);
  const lines = [...new Set(run.flatMap((node) => node.lines))];
  return {
    id: `fold-${passes[0] ?? 0}`,
    kind: "fold",
    passes,
    event: run.at(-1)?.event ?? null,
    title: `Passes ${passes[0] ?? 0}–${passes.at(-1) ?? 0}`,
    lines: [`${passes.length} passes, folded`, lines.length === 1 ? (lines[0] ?? "") : `${lines.length} targets`],
    badges: [],
    request: null,
  };
}

function foldOfCopies(copies: GraphNode[]): GraphNode {
  const [first, last] = [copies[0], copies.at(-1)];
  return {
    id: `fold-${first?.id}`,
    kind: "fold",
    passes: [],
    event: last?.event ?? null,
    title: `${copies.length} ${first?.kind === "transfer" ? "transfers" : "copies"}`,
    lines: [`events ${first?.event} to ${last?.event}, folded`, "with the same readers"],
    badges: first?.badges ?? [],
    request: null,
  };
}

interface DetailProps {
  document: PassesDocument;
  node: GraphNode | undefined;
  choose: (id: string) => void;
  open: (node: GraphNode) => void;
}

/** Describes the chosen node. */
function Detail({ document, node, choose, open }: DetailProps) {
  const app = useApp();
  const pass = document.passes.find((other) => `pass-${other.pass}` === node?.id);
  if (!node) {
    return null;
  }
  if (pass) {
    return <PassDetail document={document} pass={pass} choose={choose} />;
  }
  const { kind, event } = node;
  return (
    <>
      <Title text={node.title} badges={node.badges} />
      <div class="toolbar">
        {event !== null && kind !== "fold" && <Button onClick={() => app.selectEvent(event)}>Select event</Button>}
        {event === null && kind === "screen" && <Button onClick={() => app.selectEvent(document.events)}>Select the end</Button>}
        {kind === "fold" && <Button title="Show its nodes (Enter)" onClick={() => open(node)}>Unfold</Button>}
      </div>
      {node.lines.map((line) => <p>{line}</p>)}
      {kind === "fold" && node.passes.length > 0 && <p class="muted">Each of these passes only continues the picture of the one before.</p>}
      <Neighbours edges={document.edges} id={node.id} nothing="" choose={choose} />
    </>
  );
}

function Title({ text, badges }: { text: string; badges: string[] }) {
  return (
    <h3>
      {text}
      {badges.map((badge) => <>{" "}<span class="badge">{badge}</span></>)}
    </h3>
  );
}

function PassDetail({ document, pass, choose }: { document: PassesDocument; pass: PassInfo; choose: (id: string) => void }) {
  const app = useApp();
  const { color, depth, drawn } = pass;
  const target = document.targets.find((other) => other.format && other.address === color.address && other.format === color.format);
  const layout = { ...color, width: target?.width ?? 480, height: target?.height ?? 272, swizzled: false, palette: null };
  const depthUse = depth && [depth.is_tested && "tested", depth.is_written && "written"].filter(Boolean).join(" and ");
  const rows: [string, ComponentChild][] = [
    ["draws", <><DrawLinks draws={[pass.first_draw]} /> to <DrawLinks draws={[pass.last_draw]} />{` (${pass.draws})`}</>],
    ["colour", `${targetText(color)}, ${pass.color_written ? "written" : "not written"}`],
    ["depth", depth ? `${hex(depth.address)}, stride ${depth.stride}, ${depthUse || "neither tested nor written"}` : "not used"],
    ["pixels", `${count(pass.pixels)} covered by ${counted(pass.primitives, "primitive")}`],
    ["drawn to", drawn ? `columns ${drawn.left} to ${drawn.right}, rows ${drawn.top} to ${drawn.bottom}` : "no pixel"],
  ];
  return (
    <>
      <Title text={`Pass ${pass.pass}`} badges={badgesOf(pass)} />
      <div class="toolbar">
        <Button onClick={() => app.selectEvent(pass.first_event)}>First draw</Button>
        <Button onClick={() => app.selectEvent(pass.last_event)}>Last draw</Button>
        <Button title="List only the events of this pass" onClick={() => app.filterEvents(`pass:${pass.pass}`)}>Filter events</Button>
        <Button title="Show its colour buffer in memory" onClick={() => openWith(app, "memory", { layout })}>Show in memory</Button>
      </div>
      <Facts rows={rows} />
      <Neighbours edges={document.edges} id={`pass-${pass.pass}`} nothing={pass.is_read ? "" : "Nothing reads its result."} choose={choose} />
      <Titled title="Clears">
        {pass.clears.slice(0, 100).map(({ draw, ...planes }) => (
          <li>
            <DrawLinks draws={[draw]} />
            {` clears ${[planes.color && "colour", planes.stencil && "stencil", planes.depth && "depth"].filter(Boolean).join(", ") || "nothing"}`}
          </li>
        ))}
      </Titled>
      <Titled title="Textures">
        {pass.textures.slice(0, 200).map((use) => {
          const texture = document.textures[use.texture];
          const sources = [
            ...use.passes.map((from) => <Link onClick={() => choose(`pass-${from}`)}>{`pass ${from}`}</Link>),
            ...use.copies.map((event) => <EventLink event={event} />),
          ];
          return (
            <li>
              {`${texture?.width}×${texture?.height} ${texture?.format} at ${hex(texture?.addresses[0])}`}
              {sources.length > 0 && ", from "}
              <Separated items={sources} />
              {": draws "}
              <DrawLinks draws={use.draws} most={8} />
            </li>
          );
        })}
      </Titled>
    </>
  );
}

/** A list with its title, or what stands for an empty one. */
function Titled({ title, nothing = "", children }: { title: string; nothing?: string; children: ComponentChild[] }) {
  if (children.length === 0) {
    return nothing ? <p>{nothing}</p> : null;
  }
  return <><h4>{title}</h4><ul>{children}</ul></>;
}

/** The nodes that a node reads, and its readers. */
function Neighbours({ edges, id, nothing, choose }: { edges: EdgeInfo[]; id: string; nothing: string; choose: (id: string) => void }) {
  const lines = (own: "from" | "to", end: "from" | "to") => {
    const found = new Map<string, { node: NodeInfo; kinds: Set<string>; bytes: number }>();
    for (const edge of edges.filter((other) => nodeId(other[own]) === id && nodeId(other[end]) !== id)) {
      const name = nodeId(edge[end]);
      const entry = found.get(name) ?? { node: edge[end], kinds: new Set(), bytes: 0 };
      entry.kinds.add(edge.kind);
      entry.bytes += edge.bytes;
      found.set(name, entry);
    }
    return [...found].slice(0, 100).map(([name, { node, kinds, bytes }]) => (
      <li key={name}>
        <Link onClick={() => choose(name)}>{node.kind === "pass" ? `pass ${node.pass}` : node.event === null ? "the screen at the end" : `${node.kind}, event ${node.event}`}</Link>
        {`: ${[...kinds].join(", ")}${bytes > 0 ? `, ${counted(bytes, "byte")}` : ""}`}
      </li>
    ));
  };
  return <><Titled title="Reads">{lines("to", "from")}</Titled><Titled title="Is read by" nothing={nothing}>{lines("from", "to")}</Titled></>;
}

function range(first: number, last: number): string {
  return first === last ? String(first) : `${first}–${last}`;
}

function targetText({ address, stride, format }: TargetInfo): string {
  return `${hex(address)} ${format} ${stride}`;
}

function badgesOf(pass: PassInfo): string[] {
  return [...(pass.is_read ? [] : ["not read"]), ...(pass.is_read && !pass.is_shown ? ["not shown"] : [])];
}

function sampledPasses(pass: PassInfo): number[] {
  return [...new Set(pass.textures.flatMap((use) => use.passes))].sort((a, b) => a - b);
}

function Legend() {
  const styles = [
    ["texture", "texture or palette"],
    ["data", "vertices or indices"],
    ["copy", "copy"],
    ["screen", "screen"],
    ["old", "contents of before"],
  ];
  return (
    <p class="graph-legend">
      {styles.map(([style, text]) => <span class="legend-item"><span class={`legend-line edge-${style}`} aria-hidden="true" />{text}</span>)}
    </p>
  );
}
