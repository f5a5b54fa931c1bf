// mesh.js
import { counted, h, replace } from "pspge/dom.js";
import { tableButton } from "pspge/export.js";
import { buildGeometry, spacesOf, styleOf, STYLES } from "pspge/mesh-geometry.js";
import { fragmentSentence, memoryColumns, primitiveColumns, stageColumns } from "pspge/mesh-columns.js";
import { MeshView } from "pspge/mesh-view.js";
import { splitter } from "pspge/layout.js";
import { VirtualTable } from "pspge/virtual-table.js";
import { button, Loader, requestPicture, segments, select, tabs, toggle } from "pspge/widgets.js";
var SPACES = (
  /** @type {const} */
  [
    { value: "model", text: "Model", title: "Before the transform, after morphing and skinning" },
    { value: "world", text: "World", title: "World space" },
    { value: "view", text: "View", title: "View space: the eye is at 0, 0, 0 and looks along -z" },
    { value: "clip", text: "Clip", title: "Clip space divided by w: the view volume is the cube" },
    { value: "screen", text: "Screen", title: "Columns and rows of the buffer, after clipping" }
  ]
);
var FATES = (
  /** @type {Record<string, string>} */
  {
    dropped: "dropped",
    "outside-screen": "outside the screen space",
    culled: "culled",
    "no-area": "without area",
    "outside-buffer": "outside the buffer",
    "no-pixel": "between pixel centres",
    "outside-scissor": "outside the scissor",
    unknown: "not counted",
    killed: "killed by tests",
    drawn: "drawn"
  }
);
function create(app) {
  const panel = new MeshPanel(app);
  return {
    id: "mesh",
    title: "Mesh",
    key: "3",
    element: panel.element,
    show: () => panel.view.redraw(),
    update: (selection, changed) => panel.update(selection, changed)
  };
}
var MeshPanel = class {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.report = null;
    this.shownTable = null;
    this.wantedSpace = /** @type {Space | null} */
    null;
    this.view = new MeshView((hit) => this.pick(hit));
    this.summary = h("p", { class: "mesh-summary", "aria-live": "polite" });
    this.legend = h("div", { class: "mesh-legend", role: "list", "aria-label": "Styles of primitives by their result" });
    this.skipped = h("p", { class: "mesh-skipped" });
    this.spaces = segments("Space", SPACES, (space) => this.chooseSpace(space));
    this.tabs = tabs(
      "Tables",
      [
        { value: "primitives", text: "Primitives" },
        { value: "stages", text: "Stages" },
        { value: "memory", text: "In memory" }
      ],
      (table) => this.showTable(table)
    );
    this.primitives = new VirtualTable({
      label: "Primitives",
      columns: primitiveColumns((row) => this.fate(row)),
      onactive: (row) => app.store.set({ primitive: row.number }),
      rowClass: (row) => `style-${STYLES[styleOf(row.fate, row.clipped)]?.id}`
    });
    const tableOf = (label) => new VirtualTable({
      label,
      columns: (
        /** @type {import("pspge/virtual-table.js").Column<any>[]} */
        []
      ),
      onactive: (row) => app.store.set({ vertex: row.number }),
      onenter: (row) => this.selectPrimitiveOf(row.number)
    });
    this.stages = tableOf("Vertices on their way to the screen");
    this.memory = tableOf("Vertices in memory");
    this.normals = toggle("Normals", false, (normals) => this.view.setOptions({ normals }), "Normals of the vertices, in model space");
    this.table = h("div", { class: "mesh-table", role: "tabpanel" });
    this.body = h("div", { class: "mesh-body" });
    this.body.append(
      this.top(),
      splitter({ label: "Height of the view", name: "mesh", usual: 55, least: 15, most: 85, isVertical: () => false, parent: () => this.body }),
      h("div", { class: "mesh-tables" }, h("div", { class: "table-tabs" }, this.tabs.element, tableButton(app, () => this.csv())), this.table)
    );
    this.message = h("p", { class: "panel-message", hidden: true });
    this.element = h("section", { class: "mesh-panel", "aria-label": "Mesh" }, this.message, this.summary, this.body);
    this.loader = new Loader(app, "draw", this.element);
    this.showTable("primitives");
  }
  top() {
    const { view } = this;
    const option = (text, name, title) => toggle(text, view.options[name], (isOn) => view.setOptions({ [name]: isOn }), title);
    const coloring = select(
      "Colour",
      [
        { value: "fate", text: "by result" },
        { value: "color", text: "of vertices" },
        { value: "texture", text: "of texture" }
      ],
      (value) => this.color(
        /** @type {"fate" | "color" | "texture"} */
        value
      )
    );
    const controls = h(
      "div",
      { class: "toolbar" },
      this.spaces.element,
      option("Faces", "fill", "Fill primitives"),
      option("Edges", "edges", "Draw the edges of primitives"),
      option("Points", "points", "Draw all vertices as points"),
      this.normals,
      option("Undrawn", "undrawn", "Show primitives that are culled, dropped, clipped away or killed"),
      option("Picture", "backdrop", "Show the buffer after the draw under the primitives, in screen space"),
      coloring.element,
      button("Fit drawn", () => view.frame("drawn"), "Show the primitives that are drawn"),
      button("Fit all", () => view.frame("all"), "Show all vertices (Home)"),
      button("Fit selection", () => view.frame("selection"), "Show the selected primitive or vertex (.)")
    );
    if (!view.isAvailable) {
      this.body.classList.add("is-without-view");
      const missing = h("p", { class: "panel-message" }, "This browser has no WebGL, so the mesh is not drawn. The tables work without it.");
      return h("div", { class: "mesh-top" }, missing, this.legend);
    }
    return h("div", { class: "mesh-top" }, controls, view.element, this.legend, this.skipped);
  }
  /**
   * Shows the selection.
   * @param {Selection} selection
   * @param {Set<string>} changed
   */
  update(selection, changed) {
    if (!this.app.events) {
      return;
    }
    if (changed.has("theme")) {
      this.view.redraw();
    }
    const row = this.app.events.events[selection.event];
    if (!(row && ["draw", "patch", "immediate"].includes(row.kind))) {
      this.refuse(row ? `Event ${selection.event} is no draw, so it has no mesh: ${row.text}` : "Select a draw to see its mesh.");
      this.loader.forget();
      return;
    }
    if (row?.is_left_out) {
      this.refuse(`An edit leaves out draw ${row.draw}, so it has no mesh.`);
      this.loader.forget();
      return;
    }
    void this.loader.load(
      { request: "draw", run: this.app.store.run(), event: selection.event },
      ({ json }) => this.setReport(json.document, selection.event),
      (message) => this.refuse(message)
    );
    if (this.report && (changed.has("vertex") || changed.has("primitive"))) {
      this.showSelection();
    }
  }
  /** @param {string} message */
  refuse(message) {
    this.report = null;
    this.message.hidden = false;
    this.message.textContent = message;
    this.summary.hidden = true;
    this.body.hidden = true;
  }
  /**
   * @param {import("pspge/documents.js").DrawReportDocument} report
   * @param {number} event
   */
  setReport(report, event) {
    const isOther = this.report?.event.event !== event;
    this.report = report;
    this.message.hidden = true;
    this.summary.hidden = false;
    this.body.hidden = false;
    replace(this.summary, ...this.sentences(report));
    this.primitives.setItems(report.primitives);
    this.stages.setColumns(stageColumns(report));
    this.stages.setItems(report.vertices);
    this.memory.setColumns(memoryColumns(report));
    this.memory.setItems(report.source_vertices);
    this.tabs.setText("primitives", `Primitives (${report.primitives.length})`);
    this.tabs.setText("stages", `Stages (${report.vertices.length})`);
    this.tabs.setText("memory", `In memory (${report.source_vertices.length})`);
    this.showLegend(report);
    const spaces = spacesOf(report);
    this.spaces.enable(spaces);
    const space = this.wantedSpace && spaces.includes(this.wantedSpace) ? this.wantedSpace : this.usualSpace(spaces);
    this.spaces.set(space);
    this.showSpace(space, !isOther);
    void this.loadImages(event);
    this.showSelection();
  }
  /**
   * @param {Space[]} spaces
   * @returns {Space}
   */
  usualSpace(spaces) {
    return spaces.includes("world") ? "model" : "screen";
  }
  /** @param {import("pspge/documents.js").DrawReportDocument} report */
  sentences(report) {
    const total = report.primitives.length;
    const fates = report.fates.map(({ fate, count }) => `${count} ${FATES[fate] ?? fate}`);
    const what = report.event.draw === null ? `Event ${report.event.event}` : `Draw ${report.event.draw}`;
    const list = total === 0 ? "no primitive" : `${counted(total, "primitive")}: ${fates.join(", ")}`;
    const overdraw = report.overdraw.largest > 1 ? ` It covers pixels up to ${report.overdraw.largest} times.` : "";
    const end = report.is_complete ? "" : " A limit cut the lists and counts short.";
    return [
      h("strong", null, `${what}, ${String(report.primitive).toLowerCase().replace("_", " ")}: `),
      `${list}. ${fragmentSentence(report.fragments)}${overdraw}${end}`
    ];
  }
  /** @param {import("pspge/documents.js").DrawReportDocument} report */
  showLegend(report) {
    const counts = STYLES.map(() => 0);
    for (const { fate, clipped } of report.primitives) {
      const style = styleOf(fate, clipped);
      counts[style] = (counts[style] ?? 0) + 1;
    }
    const items = STYLES.map(({ id, name }, style) => ({ id, name, count: counts[style] ?? 0 })).filter((item) => item.count > 0);
    replace(
      this.legend,
      ...items.map(
        ({ id, name, count }) => h("span", { class: "legend-item", role: "listitem" }, h("span", { class: `legend-sample style-${id}`, "aria-hidden": true }), `${count} ${name}`)
      )
    );
  }
  /** @param {import("pspge/documents.js").PrimitiveInfo} primitive */
  fate({ fate, clipped }) {
    const style = STYLES[styleOf(fate, clipped)];
    const text = FATES[fate] ?? fate;
    return [h("span", { class: `legend-sample style-${style?.id}`, "aria-hidden": true }), clipped ? `${text}, clipped` : text];
  }
  /** @param {Space} space */
  chooseSpace(space) {
    this.wantedSpace = space;
    this.showSpace(space, false);
  }
  /**
   * @param {Space} space
   * @param {boolean} keepsCamera
   */
  showSpace(space, keepsCamera) {
    const { report, view } = this;
    if (!report) {
      return;
    }
    const geometry = buildGeometry(report, space);
    view.setFrames([
      { left: 0, top: 0, right: 479, bottom: 271, name: "screen" },
      { ...report.state.scissor, name: "scissor" }
    ]);
    view.setGeometry(geometry, keepsCamera && view.geometry?.space === space);
    this.normals.querySelector("input").disabled = geometry.normals.length === 0;
    const notes = [
      geometry.notFinite > 0 && `${counted(geometry.notFinite, "vertex", "vertices")} without a finite position here`,
      geometry.behind > 0 && `${counted(geometry.behind, "vertex", "vertices")} behind the eye or outside the range of this space`,
      geometry.skipped > 0 && `${counted(geometry.skipped, "primitive")} not shown because of that`
    ].filter(Boolean);
    this.skipped.textContent = notes.length > 0 ? `${notes.join("; ")}.` : "";
  }
  /** @param {"fate" | "color" | "texture"} coloring */
  color(coloring) {
    this.view.setOptions({ coloring });
  }
  /**
   * Loads the texture and the picture under the primitives.
   * @param {number} event
   */
  async loadImages(event) {
    const run = this.app.store.run();
    const load = async (name, source, after) => {
      const pixels = await requestPicture(this.app, { run, at: { event, after }, source }, `mesh-${name}`).catch(() => null);
      if (pixels && this.report?.event.event === event) {
        this.view.setImage(name, pixels);
      }
    };
    if (!this.report) {
      return;
    }
    const hasTexture = this.report.state.texture.enabled && !this.report.state.clear.enabled;
    this.view.setImage("texture", null);
    this.view.setImage("backdrop", null);
    await Promise.all([load("backdrop", { kind: "color" }, true), hasTexture ? load("texture", { kind: "texture", level: 0 }, false) : null]);
  }
  /** @param {Table} table */
  showTable(table) {
    const list = { primitives: this.primitives, stages: this.stages, memory: this.memory }[table];
    this.shownTable = list;
    replace(this.table, list.element);
    this.table.setAttribute("aria-label", list.table.label);
    list.resize();
    this.showSelection();
  }
  csv() {
    const { shownTable } = this;
    return { name: `draw-${this.report?.event.draw ?? ""}-${shownTable?.table.label.toLowerCase().replaceAll(" ", "-")}`, csv: shownTable?.csv() ?? "" };
  }
  /** @param {{vertex: number | null, primitive: number | null}} hit */
  pick({ vertex, primitive }) {
    const found = primitive === null ? void 0 : this.report?.primitives[primitive];
    this.app.store.set({ vertex, primitive: found?.number ?? null });
    this.app.announce(found ? `Primitive ${found.number}: ${found.reason}` : "No primitive there");
  }
  /** @param {number} vertex */
  selectPrimitiveOf(vertex) {
    const found = this.report?.primitives.find((primitive) => primitive.vertices.includes(vertex));
    if (found) {
      this.app.store.set({ primitive: found.number });
      this.tabs.set("primitives");
      this.showTable("primitives");
    }
  }
  showSelection() {
    const { report } = this;
    if (!report) {
      return;
    }
    const { vertex, primitive } = this.app.store.get();
    const position = report.primitives.findIndex((row) => row.number === primitive);
    this.view.setSelection({
      vertex: vertex !== null && vertex < report.vertices.length ? vertex : null,
      primitive: position < 0 ? null : position
    });
    for (
      const [list, active] of
      /** @type {[VirtualTable<any>, number][]} */
      [
        [this.primitives, position],
        [this.stages, vertex ?? -1],
        [this.memory, vertex ?? -1]
      ]
    ) {
      if (list.active !== active) {
        list.setActive(active);
      }
    }
  }
};
export {
  create
};
