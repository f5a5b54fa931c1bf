// The panel of a draw's mesh: its vertices and primitives in tables, and in a view in three dimensions.

import { counted } from "pspge/base/dom.js";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import type { DrawReportDocument, Moment, PictureSource, PrimitiveInfo } from "pspge/documents.js";
import { fragmentSentence, memoryColumns, primitiveColumns, stageColumns } from "pspge/mesh/mesh-columns.js";
import { buildGeometry, type Space, spacesOf, styleOf, STYLES } from "pspge/mesh/mesh-geometry.js";
import type { MeshOptions } from "pspge/mesh/mesh-renderer.js";
import { MeshView } from "pspge/mesh/mesh-view.js";
import { requestPicture } from "pspge/picture/paint.js";
import { runKey } from "pspge/state/run.js";
import { Button, Segments, Select, Splitter, Tabs, Toggle } from "pspge/widgets/controls.js";
import { SaveTable } from "pspge/widgets/export.js";
import { Host, panelOf, useAnswer, useApp, useChanges, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { OnStage, useStage } from "pspge/widgets/stage.js";
import { Table } from "pspge/widgets/virtual-table.js";

type Tab = "primitives" | "stages" | "memory";

const SPACES = [
  { value: "model", text: "Model", title: "Before the transform, after morphing and skinning" },
  { value: "world", text: "World", title: "World space" },
  { value: "view", text: "View", title: "View space: the eye is at 0, 0, 0 and looks along -z" },
  { value: "clip", text: "Clip", title: "Clip space divided by w: the view volume is the cube" },
  { value: "screen", text: "Screen", title: "Columns and rows of the buffer, after clipping" },
] as const;

const COLORINGS = { fate: "by result", color: "of vertices", texture: "of texture" };

const SWITCHES = [
  ["fill", "Faces", "Fill primitives"],
  ["edges", "Edges", "Draw the edges of primitives"],
  ["points", "Points", "Draw all vertices as points"],
  ["normals", "Normals", "Normals of the vertices, in model space"],
  ["undrawn", "Undrawn", "Show primitives that are culled, dropped, clipped away or killed"],
  ["backdrop", "Picture", "Show the buffer after the draw under the primitives, in screen space"],
] as const;

/** Fates that the texts of the page name with other words. */
const FATES: Record<string, string> = {
  "outside-screen": "outside the screen space",
  "no-area": "without area",
  "outside-buffer": "outside the buffer",
  "no-pixel": "between pixel centres",
  "outside-scissor": "outside the scissor",
  unknown: "not counted",
  killed: "killed by tests",
};

const shownStyle = ({ fate, clipped }: PrimitiveInfo) => STYLES[styleOf(fate, clipped)];
const PRIMITIVE_COLUMNS = primitiveColumns((primitive) => (
  <><Sample style={shownStyle(primitive).id} />{`${FATES[primitive.fate] ?? primitive.fate}${primitive.clipped ? ", clipped" : ""}`}</>
));

export const create = panelOf({ id: "mesh", title: "Mesh", className: "mesh-panel", label: "Mesh" }, MeshPanel);

function MeshPanel() {
  const { app, selection } = usePanel();
  const { event } = selection;
  const row = app.events?.events[event];
  const isDraw = row && ["draw", "patch", "immediate"].includes(row.kind);
  const against = !row
    ? "Select a draw to see its mesh."
    : !isDraw
      ? `Event ${event} is no draw, so it has no mesh: ${row.text}`
      : row.is_left_out
        ? `An edit leaves out draw ${row.draw}, so it has no mesh.`
        : null;
  const { answer, problem } = useAnswer("draw", against === null ? { request: "draw", run: app.store.run(), event } : null);
  const message = against ?? problem;
  // The view stays for the next draw, because browsers allow few of its kind.
  const shown = useRef<DrawReportDocument | null>(null);
  shown.current = answer?.json.document ?? shown.current;
  return (
    <>{message !== null && <p class="panel-message">{message}</p>}{shown.current && <Mesh report={shown.current} isHidden={message !== null} />}</>
  );
}

function Mesh({ report, isHidden }: { report: DrawReportDocument; isHidden: boolean }) {
  const { app, selection } = usePanel();
  const { store } = app;
  const { vertex, primitive } = selection;
  const [tab, setTab] = useState<Tab>("primitives");
  const [isOnStage, stageSwitch] = useStage(false);
  const latest = useRef(report);
  latest.current = report;
  const [view] = useState(
    () =>
      new MeshView(({ vertex: hit, primitive: position }) => {
        const found = position === null ? undefined : latest.current.primitives[position];
        store.set({ vertex: hit, primitive: found?.number ?? null });
        app.announce(found ? `Primitive ${found.number}: ${found.reason}` : "No primitive there");
      }),
  );
  const table = useRef<{ csv: () => string }>(null);
  const { stages, memory } = useMemo(() => ({ stages: stageColumns(report), memory: memoryColumns(report) }), [report]);
  const select = ({ number }: { number: number }) => store.set({ vertex: number });
  const selectPrimitiveOf = ({ number }: { number: number }) => {
    const found = report.primitives.find((one) => one.vertices.includes(number));
    if (found) {
      store.set({ primitive: found.number });
      setTab("primitives");
    }
  };
  const vertices = { active: vertex ?? -1, onActive: select, onEnter: selectPrimitiveOf, tableRef: table };
  const tables: { value: Tab; text: string; label: string }[] = [
    { value: "primitives", text: `Primitives (${report.primitives.length})`, label: "Primitives" },
    { value: "stages", text: `Stages (${report.vertices.length})`, label: "Vertices on their way to the screen" },
    { value: "memory", text: `In memory (${report.source_vertices.length})`, label: "Vertices in memory" },
  ];
  const label = tables.find(({ value }) => value === tab)?.label ?? "";
  return (
    <>
      <p class="mesh-summary" aria-live="polite" hidden={isHidden}><Summary report={report} /></p>
      <div class={`mesh-body${view.isAvailable && !isOnStage ? "" : " is-without-view"}`} hidden={isHidden}>
        <OnStage isOn={isOnStage} keys={view.keys}><View view={view} report={report} /></OnStage>
        <Splitter label="Height of the view" name="mesh" usual={55} least={15} most={85} />
        <div class="mesh-tables">
          <div class="table-tabs">
            <Tabs label="Tables" choices={tables} chosen={tab} onChoose={setTab} />
            {view.isAvailable && stageSwitch}
            <SaveTable name={`draw-${report.event.draw ?? ""}-${label.toLowerCase().replaceAll(" ", "-")}`} table={table} />
          </div>
          <div class="mesh-table" role="tabpanel" aria-label={label}>
            {tab === "primitives" && (
              <Table
                key={tab}
                label={label}
                columns={PRIMITIVE_COLUMNS}
                rows={report.primitives}
                active={report.primitives.findIndex(({ number }) => number === primitive)}
                onActive={({ number }) => store.set({ primitive: number })}
                rowClass={(primitive) => `style-${shownStyle(primitive).id}`}
                tableRef={table}
              />
            )}
            {tab === "stages" && <Table key={tab} label={label} columns={stages} rows={report.vertices} {...vertices} />}
            {tab === "memory" && <Table key={tab} label={label} columns={memory} rows={report.source_vertices} {...vertices} />}
          </div>
        </div>
      </div>
    </>
  );
}

function Summary({ report }: { report: DrawReportDocument }) {
  const { primitives, fates, event, overdraw, fragments, primitive, is_complete: isComplete } = report;
  const counts = fates.map(({ fate, count }) => `${count} ${FATES[fate] ?? fate}`);
  const what = event.draw === null ? `Event ${event.event}` : `Draw ${event.draw}`;
  const list = primitives.length === 0 ? "no primitive" : `${counted(primitives.length, "primitive")}: ${counts.join(", ")}`;
  const times = overdraw.largest > 1 ? ` It covers pixels up to ${overdraw.largest} times.` : "";
  return (
    <>
      <strong>{`${what}, ${String(primitive).toLowerCase().replace("_", " ")}: `}</strong>
      {`${list}. ${fragmentSentence(fragments)}${times}${isComplete ? "" : " A limit cut the lists and counts short."}`}
    </>
  );
}

/** The view in three dimensions with its controls. */
function View({ view, report }: { view: MeshView; report: DrawReportDocument }) {
  const { selection } = usePanel();
  const [options, setOptions] = useState<MeshOptions>(view.options);
  // The space that the user has chosen; draws without it show another one.
  const [wanted, setWanted] = useState<Space | null>(null);
  const spaces = spacesOf(report);
  const space = wanted && spaces.includes(wanted) ? wanted : spaces.includes("world") ? "model" : "screen";
  const geometry = useMemo(() => buildGeometry(report, space), [report, space]);
  const { event } = report.event;
  const shownEvent = useRef<number | null>(null);

  useLayoutEffect(() => {
    view.setFrames([
      { left: 0, top: 0, right: 479, bottom: 271, name: "screen" },
      { ...report.state.scissor, name: "scissor" },
    ]);
    view.setGeometry(geometry, shownEvent.current === event && view.geometry?.space === space);
    shownEvent.current = event;
  }, [geometry]);
  useLayoutEffect(() => view.setOptions(options), [options]);
  useLayoutEffect(() => {
    const { vertex, primitive } = selection;
    const position = report.primitives.findIndex(({ number }) => number === primitive);
    view.setSelection({ vertex: vertex !== null && vertex < report.vertices.length ? vertex : null, primitive: position < 0 ? null : position });
  }, [report, selection.vertex, selection.primitive]);
  useLayoutEffect(() => view.redraw(), [useChanges("theme", "panel")]);
  useImage(view, "backdrop", { kind: "color" }, { event, after: true });
  useImage(view, "texture", report.state.texture.enabled && !report.state.clear.enabled ? { kind: "texture", level: 0 } : null, { event, after: false });

  if (!view.isAvailable) {
    return (
      <div class="mesh-top">
        <p class="panel-message">This browser has no WebGL, so the mesh is not drawn. The tables work without it.</p>
        <Legend primitives={report.primitives} />
      </div>
    );
  }
  const skipped = [
    geometry.notFinite > 0 && `${counted(geometry.notFinite, "vertex", "vertices")} without a finite position here`,
    geometry.behind > 0 && `${counted(geometry.behind, "vertex", "vertices")} behind the eye or outside the range of this space`,
    geometry.skipped > 0 && `${counted(geometry.skipped, "primitive")} not shown because of that`,
  ].filter(Boolean);
  return (
    <div class="mesh-top">
      <div class="toolbar">
        <Segments label="Space" choices={SPACES.map((choice) => ({ ...choice, isDisabled: !spaces.includes(choice.value) }))} chosen={space} onChoose={setWanted} />
        {SWITCHES.map(([name, text, title]) => (
          <Toggle key={name} text={text} title={title} isOn={options[name]} isDisabled={name === "normals" && geometry.normals.length === 0} onChange={(isOn) => setOptions({ ...options, [name]: isOn })} />
        ))}
        <Select label="Colour" choices={COLORINGS} chosen={options.coloring} onChoose={(coloring) => setOptions({ ...options, coloring })} />
        <Button title="Show the primitives that are drawn" onClick={() => view.frame("drawn")}>Fit drawn</Button>
        <Button title="Show all vertices (Home)" onClick={() => view.frame("all")}>Fit all</Button>
        <Button title="Show the selected primitive or vertex (.)" onClick={() => view.frame("selection")}>Fit selection</Button>
      </div>
      <Host element={view.element} />
      <Legend primitives={report.primitives} />
      <p class="mesh-skipped">{skipped.length > 0 && `${skipped.join("; ")}.`}</p>
    </div>
  );
}

/** Gives the view a texture, or the picture under the primitives. Without them the mesh shows as much. */
function useImage(view: MeshView, name: "texture" | "backdrop", source: PictureSource | null, at: Moment) {
  const app = useApp();
  const run = app.store.run();
  const load = async () => source && requestPicture(app, { run, at, source }, `mesh-${name}`).catch(() => null);
  const { answer, isCurrent } = useLoaded(source && runKey(app, source, at), load);
  useEffect(() => view.setImage(name, isCurrent ? answer : null), [answer, isCurrent]);
}

function Sample({ style }: { style: string }) {
  return <span class={`legend-sample style-${style}`} aria-hidden="true" />;
}

function Legend({ primitives }: { primitives: PrimitiveInfo[] }) {
  const groups = useMemo(() => Map.groupBy(primitives, shownStyle), [primitives]);
  const shown = STYLES.filter((style) => groups.has(style));
  return (
    <div class="mesh-legend" role="list" aria-label="Styles of primitives by their result">
      {shown.map((style) => <span key={style.id} class="legend-item" role="listitem"><Sample style={style.id} />{`${groups.get(style)?.length} ${style.name}`}</span>)}
    </div>
  );
}
