// The panel of render passes: the graph of who reads results of whom, and a table.

import { counted, h, hex, replace } from "pspge/dom.js";
import { splitter } from "pspge/layout.js";
import { foldRuns, foldSiblings, joinEdges, nodeId, PassGraph } from "pspge/pass-graph.js";
import { loadPasses, passesKey, Thumbnails } from "pspge/passes-document.js";
import { VirtualTable } from "pspge/virtual-table.js";
import { openWith, takeWish } from "pspge/wishes.js";
import { button, drawLinks, eventLink, link, segments, toggle } from "pspge/widgets.js";

/** @typedef {import("pspge/app.js").App} App */
/** @typedef {import("pspge/pass-graph.js").GraphNode} GraphNode */
/** @typedef {import("pspge/store.js").Selection} Selection */

/** Most nodes of the graph. */
const MOST_NODES = 800;
/** Kinds of edges that only say that a pass continues a picture. */
const OLD = ["old colour", "old stencil", "old depth"];

/**
 * Creates the panel of passes.
 * @param {App} app
 */
export function create(app) {
  const panel = new PassesPanel(app);
  return {
    id: "passes",
    title: "Passes",
    key: "6",
    element: panel.element,
    show() {},
    update: (/** @type {Selection} */ selection, /** @type {Set<string>} */ changed) => panel.update(selection, changed),
  };
}

class PassesPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.key = "";
    /** The key of the document that is shown; another one is under way if it differs. */
    this.shownKey = "";
    /** @type {import("pspge/documents.js").PassesDocument | null} */
    this.document = null;
    /** @type {GraphNode[]} All nodes, without folds. */
    this.nodes = [];
    /** @type {Set<string>} */
    this.unfolded = new Set();
    /** @type {Map<string, string>} */
    this.homes = new Map();
    this.thumbnails = new Thumbnails(app);
    this.graph = new PassGraph({
      onselect: (node) => this.choose(node.id),
      onopen: (node) => this.open(node),
      addThumbnail: (canvas, request) => this.thumbnails.add(canvas, request),
    });
    this.table = new VirtualTable({
      label: "Passes",
      columns: this.columns(),
      onactive: (row) => this.choose(`pass-${row.pass}`),
      onenter: (row) => app.selectEvent(row.last_event),
    });
    this.views = segments(
      "Show as",
      [
        { value: "graph", text: "Graph" },
        { value: "table", text: "Table" },
      ],
      (view) => this.showView(view),
    );
    this.withOld = toggle("Contents of before", true, () => this.draw(), "Edges from a pass to the next one that draws over its colour, stencil or depth");
    this.folds = toggle(
      "Fold long runs",
      true,
      () => {
        this.unfolded.clear();
        this.draw();
      },
      "Show runs of passes that only continue one picture as one node",
    );
    this.summary = h("p", { class: "panel-summary", "aria-live": "polite" });
    this.limit = h("span", { class: "muted" });
    this.graphControls = h(
      "span",
      { class: "graph-controls" },
      this.withOld,
      this.folds,
      button("+", () => this.graph.zoom(1.25), "Larger (+)"),
      button("−", () => this.graph.zoom(0.8), "Smaller (-)"),
      button("Fit", () => this.graph.fit(), "Show the whole graph (0)"),
      this.limit,
    );
    this.place = h("div", { class: "passes-view" }, this.graph.element);
    this.detail = h("div", { class: "pass-detail", role: "region", "aria-label": "Selected pass" });
    this.message = h("p", { class: "panel-message", hidden: true });
    this.body = h("div", { class: "passes-body" });
    this.body.append(
      this.place,
      splitter({ label: "Height of the graph", name: "passes", usual: 62, least: 15, most: 90, isVertical: () => false, parent: () => this.body }),
      this.detail,
    );
    this.element = h(
      "section",
      { class: "passes-panel", "aria-label": "Passes" },
      h("div", { class: "toolbar" }, this.views.element, this.graphControls, this.summary),
      legend(),
      this.message,
      this.body,
    );
  }

  columns() {
    const number = (/** @type {string} */ title, /** @type {string} */ about, /** @type {(row: import("pspge/documents.js").PassInfo) => number} */ cell) => ({
      title,
      about,
      width: Math.max(9, title.length + 3),
      isNumber: true,
      cell,
    });
    return /** @type {import("pspge/virtual-table.js").Column<import("pspge/documents.js").PassInfo>[]} */ ([
      number("pass", "Number of the pass", (row) => row.pass),
      { title: "draws", about: "Numbers of its first and last draw", width: 14, cell: (row) => range(row.first_draw, row.last_draw) },
      { title: "target", about: "The colour buffer", width: 28, cell: (row) => targetText(row.color) },
      { title: "reaches", about: "Whether its result reaches a screen", width: 16, cell: (row) => reachText(row) },
      number("pixels", "Pixels inside the scissor that its draws cover", (row) => row.pixels),
      number("primitives", "Primitives that are left after clipping and culling", (row) => row.primitives),
      number("clears", "Draws in clear mode", (row) => row.clears.length),
      number("textures", "Textures that its draws use", (row) => row.textures.length),
      { title: "reads passes", about: "Passes whose results it samples", width: 20, grows: true, cell: (row) => sampledPasses(row).join(", ") || "none" },
    ]);
  }

  /**
   * @param {Selection} selection
   * @param {Set<string>} changed
   */
  update(selection, changed) {
    if (!this.app.events) {
      return;
    }
    if (this.key !== passesKey(this.app)) {
      void this.load();
      return;
    }
    if (this.shownKey !== this.key) {
      // show() takes the wish.
      return;
    }
    const wish = takeWish(this.app, "passes");
    if (wish?.pass !== undefined) {
      this.reveal(`pass-${wish.pass}`);
    } else if (changed.has("event") || changed.has("panel")) {
      this.followEvent(selection.event);
    }
  }

  async load() {
    const key = passesKey(this.app);
    this.key = key;
    this.element.setAttribute("aria-busy", "true");
    try {
      const document = await loadPasses(this.app);
      if (this.key === key) {
        this.shownKey = key;
        this.show(document);
      }
    } catch (error) {
      this.message.hidden = false;
      this.message.textContent = error instanceof Error ? error.message : String(error);
      this.app.fail(error);
    }
    this.element.removeAttribute("aria-busy");
  }

  /** @param {import("pspge/documents.js").PassesDocument} document */
  show(document) {
    this.document = document;
    const isEmpty = document.passes.length + document.copies.length === 0;
    this.message.hidden = !isEmpty;
    this.message.textContent = "This run draws nothing, so it has no passes.";
    this.body.hidden = isEmpty;
    this.nodes = this.nodesOf(document);
    const unseen = document.passes.filter((pass) => !pass.is_shown).length;
    const parts = [
      counted(document.passes.length, "pass", "passes"),
      counted(document.copies.length, "transfer or copy", "transfers and copies"),
      counted(document.screens.length, "screen"),
    ];
    const unseenText = unseen > 0 ? ` The results of ${counted(unseen, "pass", "passes")} reach no screen.` : "";
    const limitText = document.is_complete ? "" : " A limit ended the record before the end of the run.";
    this.summary.textContent = `${parts.join(", ")}.${unseenText}${limitText}`;
    this.table.setItems(document.passes);
    this.draw();
    const wish = takeWish(this.app, "passes");
    if (wish?.pass !== undefined) {
      this.reveal(`pass-${wish.pass}`);
    } else {
      this.followEvent(this.app.store.get().event);
    }
  }

  /**
   * Creates the nodes of the graph, in the order of time.
   * @param {import("pspge/documents.js").PassesDocument} document
   * @returns {GraphNode[]}
   */
  nodesOf(document) {
    const run = this.app.store.run();
    /** @typedef {{time: number, node: GraphNode}} Timed */
    const picture = (/** @type {number} */ event, /** @type {import("pspge/documents.js").PictureSource} */ source) => ({ run, at: { event, after: true }, source, max: 128 });
    const passes = document.passes.map((pass) => /** @type {Timed} */ ({
      // A pass follows everything that one of its draws reads.
      time: pass.last_event,
      node: {
        id: `pass-${pass.pass}`,
        kind: "pass",
        passes: [pass.pass],
        event: pass.last_event,
        title: `Pass ${pass.pass}: ${pass.draws === 1 ? "draw" : "draws"} ${range(pass.first_draw, pass.last_draw)}`,
        lines: [targetText(pass.color)],
        badges: badgesOf(pass),
        request: picture(pass.last_event, pass.color_written || !pass.depth?.is_written ? { kind: "color" } : { kind: "depth" }),
      },
    }));
    const copies = document.copies.map((copy) => /** @type {Timed} */ ({
      time: copy.event,
      node: {
        id: nodeId({ kind: copy.kind, pass: null, event: copy.event }),
        kind: copy.kind,
        passes: [],
        event: copy.event,
        title: copy.kind === "transfer" ? `Transfer, event ${copy.event}` : `Copy by the CPU, event ${copy.event}`,
        lines: [copy.text.replace(/^event \d+[^:]*: /, "")],
        badges: copy.is_shown ? [] : ["not shown"],
        request: null,
      },
    }));
    const last = document.screens[document.screens.length - 1];
    const screens = document.screens.map((screen) => /** @type {Timed} */ ({
      time: screen.event ?? Infinity,
      node: {
        id: nodeId({ kind: "screen", pass: null, event: screen.event }),
        kind: "screen",
        passes: [],
        event: screen.event,
        title: screen.event === null ? "Screen at the end" : `Screen, event ${screen.event}`,
        lines: [hex(screen.address)],
        badges: [],
        request: screen === last ? { run, at: { event: document.events, after: false }, source: { kind: "screen" }, max: 128 } : null,
      },
    }));
    const all = [...passes, ...copies, ...screens];
    return all.sort((a, b) => a.time - b.time).map(({ node }) => node);
  }

  /** Draws the graph anew. */
  draw() {
    if (!this.document) {
      return;
    }
    const isOn = (/** @type {HTMLElement} */ label) => /** @type {HTMLInputElement} */ (label.querySelector("input")).checked;
    const edges = this.document.edges.filter((edge) => isOn(this.withOld) || !OLD.includes(edge.kind));
    this.thumbnails.clear();
    const joined = joinEdges(edges);
    const folded = isOn(this.folds)
      ? foldSiblings(
          foldRuns(this.nodes, joined, this.unfolded, (run) => this.fold(run)),
          this.unfolded,
          (nodes) => this.foldCopies(nodes),
        )
      : { nodes: this.nodes, edges: joined, homes: new Map() };
    this.homes = folded.homes;
    const shown = folded.nodes.slice(0, MOST_NODES);
    const rest = folded.nodes.length - shown.length;
    this.limit.textContent = rest > 0 ? `The graph shows the first ${MOST_NODES} nodes; the table has all passes.` : "";
    this.graph.setGraph(shown, folded.edges);
    if (!this.isFitted) {
      this.isFitted = this.graph.fit(0.75);
    }
    this.graph.select(this.homes.get(this.chosen ?? "") ?? this.chosen ?? "", false);
  }

  /**
   * @param {GraphNode[]} run
   * @returns {GraphNode}
   */
  fold(run) {
    const passes = run.flatMap((node) => node.passes);
    const [first, last] = [passes[0] ?? 0, passes[passes.length - 1] ?? 0];
    const lines = [...new Set(run.flatMap((node) => node.lines))];
    return {
      id: `fold-${first}`,
      kind: "fold",
      passes,
      event: run[run.length - 1]?.event ?? null,
      title: `Passes ${first}–${last}`,
      lines: [`${passes.length} passes, folded`, lines.length === 1 ? (lines[0] ?? "") : `${lines.length} targets`],
      badges: [],
      request: null,
    };
  }

  /**
   * @param {GraphNode[]} copies
   * @returns {GraphNode}
   */
  foldCopies(copies) {
    const [first, last] = [copies[0], copies[copies.length - 1]];
    const isTransfer = first?.kind === "transfer";
    return {
      id: `fold-${first?.id}`,
      kind: "fold",
      passes: [],
      event: last?.event ?? null,
      title: `${copies.length} ${isTransfer ? "transfers" : "copies"}`,
      lines: [`events ${first?.event} to ${last?.event}, folded`, "with the same readers"],
      badges: first?.badges ?? [],
      request: null,
    };
  }

  /** @param {"graph" | "table"} view */
  showView(view) {
    replace(this.place, view === "graph" ? this.graph.element : this.table.element);
    this.graphControls.hidden = view !== "graph";
    this.element.querySelector(".graph-legend")?.toggleAttribute("hidden", view !== "graph");
    this.table.resize();
    if (this.chosen) {
      this.choose(this.chosen);
    }
  }

  /**
   * Unfolds the run of a fold; of another node, selects its last event.
   * @param {GraphNode} node
   */
  open(node) {
    if (node.kind === "fold") {
      this.unfolded.add(node.id);
      this.draw();
      const inside = this.nodes.find((other) => node.passes.includes(other.passes[0] ?? -1) || `fold-${other.id}` === node.id);
      this.reveal(inside?.id ?? node.id);
    } else if (node.event !== null) {
      this.app.selectEvent(node.event);
    }
  }

  /**
   * Selects the pass of an event.
   * @param {number} event
   */
  followEvent(event) {
    if (!this.document) {
      return;
    }
    const pass = this.document.passes.find((other) => event >= other.first_event && event <= other.last_event);
    const copy = this.document.copies.find((other) => other.event === event);
    if (copy) {
      this.reveal(nodeId({ kind: copy.kind, pass: null, event }));
    } else if (pass) {
      this.reveal(`pass-${pass.pass}`);
    } else if (!this.chosen && this.nodes[0]) {
      this.reveal(this.nodes[0].id);
    }
  }

  /** @param {string} id */
  reveal(id) {
    this.choose(id);
    this.graph.select(this.homes.get(id) ?? id, false);
  }

  /** @param {string} id */
  choose(id) {
    this.chosen = id;
    const pass = this.document?.passes.find((other) => `pass-${other.pass}` === id);
    const row = (pass && this.document?.passes.indexOf(pass)) ?? -1;
    if (this.table.active !== row) {
      this.table.setActive(row);
    }
    const node = this.nodes.find((other) => other.id === id) ?? this.graph.nodes.find((other) => other.id === id);
    replace(this.detail, node ? (pass ? this.describePass(pass) : this.describeOther(node)) : null);
  }

  /** @param {import("pspge/documents.js").PassInfo} pass */
  describePass(pass) {
    const { app, document } = this;
    if (!document) {
      return null;
    }
    const target = document.targets.find(
      (other) => other.format && other.address === pass.color.address && other.format === pass.color.format,
    );
    const layout = { ...pass.color, width: target?.width ?? 480, height: target?.height ?? 272, swizzled: false, palette: null };
    const textures = pass.textures.map((use) => {
      const texture = document.textures[use.texture];
      const sources = [
        ...use.passes.map((/** @type {number} */ from) => this.passLink(from)),
        ...use.copies.map((/** @type {number} */ event) => eventLink(app, event)),
      ];
      return h(
        "li",
        null,
        `${texture.width}×${texture.height} ${texture.format} at ${hex(texture.addresses[0])}`,
        sources.length > 0 && [", from ", separate(sources)],
        ": draws ",
        drawLinks(app, use.draws, 8),
      );
    });
    const clears = pass.clears.map((clear) => {
      const parts = [clear.color && "colour", clear.stencil && "stencil", clear.depth && "depth"].filter(Boolean);
      return h("li", null, drawLinks(app, [clear.draw]), ` clears ${parts.join(", ") || "nothing"}`);
    });
    return [
      h(
        "h3",
        null,
        `Pass ${pass.pass}`,
        badgesOf(pass).map((badge) => [" ", h("span", { class: "badge" }, badge)]),
      ),
      h(
        "div",
        { class: "toolbar" },
        button("First draw", () => app.selectEvent(pass.first_event)),
        button("Last draw", () => app.selectEvent(pass.last_event)),
        button("Filter events", () => app.filterEvents(`pass:${pass.pass}`), "List only the events of this pass"),
        button("Show in memory", () => openWith(app, "memory", { layout }), "Show its colour buffer in memory"),
      ),
      factList([
        ["draws", [drawLinks(app, [pass.first_draw]), " to ", drawLinks(app, [pass.last_draw]), ` (${pass.draws})`]],
        ["colour", `${targetText(pass.color)}, ${pass.color_written ? "written" : "not written"}`],
        [
          "depth",
          pass.depth
            ? `${hex(pass.depth.address)}, stride ${pass.depth.stride}, ${[pass.depth.is_tested && "tested", pass.depth.is_written && "written"].filter(Boolean).join(" and ") || "neither tested nor written"}`
            : "not used",
        ],
        ["pixels", `${pass.pixels} covered by ${counted(pass.primitives, "primitive")}`],
        ["drawn to", pass.drawn ? `columns ${pass.drawn.left} to ${pass.drawn.right}, rows ${pass.drawn.top} to ${pass.drawn.bottom}` : "no pixel"],
      ]),
      this.neighbours(`pass-${pass.pass}`, pass.is_read ? "" : "Nothing reads its result."),
      clears.length > 0 && [h("h4", null, "Clears"), h("ul", null, clears.slice(0, 100))],
      textures.length > 0 && [h("h4", null, "Textures"), h("ul", null, textures.slice(0, 200))],
    ];
  }

  /** @param {GraphNode} node */
  describeOther(node) {
    const { app } = this;
    const { event } = node;
    const isLast = node.kind === "screen" && event === null;
    return [
      h(
        "h3",
        null,
        node.title,
        node.badges.map((badge) => [" ", h("span", { class: "badge" }, badge)]),
      ),
      h(
        "div",
        { class: "toolbar" },
        event !== null && node.kind !== "fold" && button("Select event", () => app.selectEvent(event)),
        isLast && button("Select the end", () => app.selectEvent(this.document?.events ?? 0)),
        node.kind === "fold" && button("Unfold", () => this.open(node), "Show its nodes (Enter)"),
      ),
      node.lines.map((line) => h("p", null, line)),
      node.kind === "fold" && node.passes.length > 0 && h("p", { class: "muted" }, "Each of these passes only continues the picture of the one before."),
      this.neighbours(node.id, ""),
    ];
  }

  /**
   * Lists the nodes that a node reads, and its readers.
   * @param {string} id
   * @param {string} nothing
   */
  neighbours(id, nothing) {
    const edges = this.document?.edges ?? [];
    /** @typedef {import("pspge/documents.js").EdgeInfo} Edge */
    /** @param {(edge: Edge) => boolean} belongs @param {"from" | "to"} end */
    const lines = (belongs, end) => {
      /** @type {Map<string, {node: import("pspge/documents.js").NodeInfo, kinds: Set<string>, bytes: number}>} */
      const found = new Map();
      for (const edge of edges.filter(belongs)) {
        const name = nodeId(edge[end]);
        const entry = found.get(name) ?? { node: edge[end], kinds: new Set(), bytes: 0 };
        entry.kinds.add(edge.kind);
        entry.bytes += edge.bytes;
        found.set(name, entry);
      }
      return [...found.values()]
        .slice(0, 100)
        .map(({ node, kinds, bytes }) => h("li", null, this.nodeLink(node), `: ${[...kinds].join(", ")}${bytes > 0 ? `, ${bytes} bytes` : ""}`));
    };
    const isOther = (/** @type {Edge} */ edge) => nodeId(edge.from) !== nodeId(edge.to);
    const reads = lines((edge) => nodeId(edge.to) === id && isOther(edge), "from");
    const readers = lines((edge) => nodeId(edge.from) === id && isOther(edge), "to");
    return [
      reads.length > 0 && [h("h4", null, "Reads"), h("ul", null, reads)],
      readers.length > 0 ? [h("h4", null, "Is read by"), h("ul", null, readers)] : nothing && h("p", null, nothing),
    ];
  }

  /** @param {import("pspge/documents.js").NodeInfo} node */
  nodeLink(node) {
    const id = nodeId(node);
    const text = node.kind === "pass" ? `pass ${node.pass}` : node.event === null ? "the screen at the end" : `${node.kind}, event ${node.event}`;
    return link(text, () => this.reveal(id));
  }

  /** @param {number} pass */
  passLink(pass) {
    return link(`pass ${pass}`, () => this.reveal(`pass-${pass}`));
  }
}

/**
 * @param {number} first
 * @param {number} last
 */
function range(first, last) {
  return first === last ? String(first) : `${first}–${last}`;
}

/** @param {import("pspge/documents.js").TargetInfo} color */
function targetText({ address, stride, format }) {
  return `${hex(address)} ${format} ${stride}`;
}

/** @param {import("pspge/documents.js").PassInfo} pass */
function reachText(pass) {
  return pass.is_shown ? "the screen" : pass.is_read ? "other passes" : "nothing";
}

/** @param {import("pspge/documents.js").PassInfo} pass */
function badgesOf(pass) {
  return [!pass.is_read && "not read", pass.is_read && !pass.is_shown && "not shown"].filter((badge) => typeof badge === "string");
}

/**
 * @param {import("pspge/documents.js").PassInfo} pass
 * @returns {number[]}
 */
function sampledPasses(pass) {
  return [...new Set(/** @type {number[]} */ (pass.textures.flatMap((use) => use.passes)))].sort((a, b) => a - b);
}

/** @param {Node[]} nodes */
function separate(nodes) {
  return nodes.flatMap((node, nth) => (nth > 0 ? [", ", node] : [node]));
}

/** @param {[string, import("pspge/dom.js").Child][]} rows */
function factList(rows) {
  return h(
    "dl",
    { class: "facts" },
    rows.map(([name, text]) => [h("dt", null, name), h("dd", null, text)]),
  );
}

function legend() {
  const styles = [
    ["texture", "texture or palette"],
    ["data", "vertices or indices"],
    ["copy", "copy"],
    ["screen", "screen"],
    ["old", "contents of before"],
  ];
  return h(
    "p",
    { class: "graph-legend" },
    styles.map(([style, text]) => h("span", { class: "legend-item" }, h("span", { class: `legend-line edge-${style}`, "aria-hidden": true }), text)),
  );
}
