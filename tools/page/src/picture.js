// The picture in the middle of the page: buffers at a moment of the run, with a scrubber over the events.

import { createDepthRange } from "pspge/depth-range.js";
import { debounce, h, hex } from "pspge/dom.js";
import { EngineError } from "pspge/engine.js";
import { fillLegend } from "pspge/heat-legend.js";
import { rem } from "pspge/layout.js";
import { loadMarks } from "pspge/picture-marks.js";
import { createPictureSource } from "pspge/picture-source.js";
import { createStatus } from "pspge/picture-status.js";
import { createPictureToolbar } from "pspge/picture-toolbar.js";
import { pictureOf, PictureView } from "pspge/picture-view.js";
import { createScrubber } from "pspge/scrubber.js";
import { RUN_MEMBERS } from "pspge/store.js";

/** Members whose change needs another picture. */
const PICTURE_MEMBERS = new Set([...RUN_MEMBERS, "event", "after", "target", "view", "events"]);
/** Pause before the parts that the eye does not wait for: covered pixels, heat, depth of the status line. */
const PAUSE = 120;
/** Distance that a key moves the picture by, in rem. */
const PAN = 4;

/** @typedef {import("pspge/picture-toolbar.js").HeatKind} HeatKind */

/**
 * Creates the picture with its toolbar, status line and scrubber.
 * @param {import("pspge/app.js").App} app
 */
export function create(app) {
  const { store, engine } = app;
  const view = new PictureView({
    label: "Picture",
    onpick: (x, y) => app.pickPixel(x, y),
    onhover: () => updateStatus(),
    onchange: () => toolbar.updateZoom(),
  });
  const source = createPictureSource(app);
  /** @type {import("pspge/documents.js").PictureAnswer | null} The answer of the picture that is shown. */
  let shown = null;
  /** @type {import("pspge/picture-view.js").Picture | null} Depth at the same moment, for the status line. */
  let depth = null;
  /** @type {import("pspge/picture-marks.js").Marks} The pixels of the event that are marked. */
  let marks = "covered";
  /** @type {number | null} Number of pixels that the event changes, if they are marked. */
  let changes = null;
  /** @type {HeatKind} */
  let heat = "off";

  const toolbar = createPictureToolbar(app, view, { toggleMarks, setHeat });
  toolbar.setMarks(marks);
  const legend = h("div", { class: "legend", hidden: true });
  const empty = h("p", { class: "picture-empty", role: "status" }, "The list runs for the first time.");
  const status = createStatus(app, view);
  const range = createDepthRange(view, () => updateStatus());
  const scrubber = createScrubber(app);
  const element = h(
    "section",
    { class: "picture", "aria-label": "Picture" },
    toolbar.element,
    range.element,
    h("div", { class: "picture-stage" }, view.element, legend, empty),
    status.element,
    scrubber.element,
  );

  const updateStatus = () => status.update({ shown, depth, heat, changes });

  async function loadPicture() {
    if (!app.events) {
      return;
    }
    const { event, after } = store.get();
    try {
      const answer = await source.request("picture", { event, after });
      if (!answer) {
        return;
      }
      shown = answer.json;
      view.setPicture(pictureOf(answer));
      empty.hidden = shown.width > 0;
      empty.textContent = "The buffer has no pixels.";
    } catch (error) {
      shown = null;
      view.setPicture(null);
      showMissing(error);
    }
    const { address, format, width, height } = shown ?? {};
    view.setLabel(
      shown
        ? `${format} picture at ${hex(address)}, ${width} by ${height} pixels, ${after ? "after" : "before"} event ${event}`
        : "No picture",
    );
    range.update();
  }

  /** Shows the screen at the end of the run while the events of a file are on their way. */
  async function preview() {
    try {
      const request = /** @type {const} */ ({ request: "picture", run: store.run(), source: { kind: "screen" } });
      const answer = await app.engine.latest("picture")(request);
      if (!answer || app.events) {
        return;
      }
      view.setPicture(pictureOf(answer));
      view.setLabel(`The screen at the end of the run, ${answer.json.width} by ${answer.json.height} pixels`);
      empty.hidden = true;
    } catch {
      // The events fail for the same reason, and the page says so. A run may also show no screen.
    }
  }

  /** Says in place of the picture why there is none. @param {unknown} error */
  function showMissing(error) {
    empty.hidden = false;
    const isKnown = error instanceof EngineError;
    empty.textContent = `There is no picture at this event${isKnown ? `: ${error.message}` : ""}.`;
    if (isKnown && error.code === "connection") {
      empty.textContent = "The server does not answer, so there is no picture.";
    }
    if (!isInapplicable(error)) {
      app.fail(error);
    }
  }

  const loadRest = debounce(PAUSE, () => {
    void loadMarked();
    void loadHeat();
    void loadDepth();
  });

  async function loadMarked() {
    const { event } = store.get();
    try {
      const marked = await loadMarks(app, source, marks);
      if (marked && store.get().event === event) {
        changes = marked.changes;
        view.setOverlay(marked.overlay);
        updateStatus();
      }
    } catch (error) {
      view.setOverlay(null);
      if (!isInapplicable(error)) {
        app.fail(error);
      }
    }
  }

  async function loadHeat() {
    const buffer = app.shownBuffer();
    if (heat === "off" || !buffer || !app.events) {
      view.setHeat(null);
      legend.hidden = true;
      return;
    }
    const { event, after } = store.get();
    const { address, stride, format, width, height } = buffer;
    const at = { event, after };
    const target = { address, stride, format, width, height };
    try {
      const request = /** @type {const} */ ({ request: "heat", run: store.run(), kind: heat, at, buffer: target });
      const answer = await engine.latest("heat")(request);
      if (answer) {
        showHeat(answer, heat);
      }
    } catch (error) {
      setHeat("off");
      app.fail(error);
    }
  }

  /**
   * @param {import("pspge/engine.js").Answer<"heat">} answer
   * @param {"overdraw" | "cost"} kind
   */
  function showHeat({ bytes, json }, kind) {
    const values = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    const { width, height, largest, total } = json;
    const smallest = values.reduce((least, value) => (value > 0 && value < least ? value : least), largest);
    view.setHeat({ width, height, values, smallest, largest });
    fillLegend(legend, kind, { smallest, largest, total });
    legend.hidden = false;
    updateStatus();
  }

  async function loadDepth() {
    depth = null;
    const { event, after, view: shownView, target } = store.get();
    if (shownView === "depth" || target || !app.events || !shown) {
      return;
    }
    try {
      const answer = await engine.latest("status-depth")({
        request: "picture",
        run: store.run(),
        at: { event, after },
        source: { kind: "depth" },
      });
      depth = answer ? pictureOf(answer) : null;
      updateStatus();
    } catch {
      // Draws without a depth buffer have no depth to show.
      depth = null;
    }
  }

  /** @param {HeatKind} kind */
  function setHeat(kind) {
    heat = kind;
    toolbar.setHeat(kind);
    app.announce(kind === "off" ? "The heat map is off." : `Heat map: ${kind}.`);
    void loadHeat();
  }

  /** @param {import("pspge/picture-marks.js").MarkKind} kind */
  function toggleMarks(kind) {
    marks = marks === kind ? "none" : kind;
    toolbar.setMarks(marks);
    const spoken = { covered: "Covered", changed: "Changed", result: "Changed and unchanged" };
    app.announce(marks === "none" ? "No pixels are marked." : `${spoken[marks]} pixels are marked.`);
    changes = null;
    updateStatus();
    void loadMarked();
  }

  /**
   * @param {import("pspge/store.js").Selection} selection
   * @param {Set<string>} changed
   */
  function update(selection, changed) {
    if (changed.has("events") || changed.has("target")) {
      toolbar.updateSources();
    }
    toolbar.update(selection);
    if (changed.has("theme")) {
      view.setOverlay(view.overlay);
    }
    if (changed.has("pixel")) {
      view.setMarker(selection.pixel);
      if (selection.pixel) {
        view.reveal(...selection.pixel);
      }
    }
    if ([...changed].some((name) => PICTURE_MEMBERS.has(name))) {
      if (changed.has("event")) {
        view.setOverlay(null);
        changes = null;
      }
      void loadPicture();
      loadRest();
    }
    scrubber.update(selection, changed);
    updateStatus();
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  function pan(dx, dy) {
    view.pan(dx * PAN * rem(), dy * PAN * rem());
  }

  /**
   * Picks the pixel next to the picked one, or to the middle of the picture.
   * @param {number} dx
   * @param {number} dy
   */
  function movePixel(dx, dy) {
    const { width, height } = view.picture ?? { width: 0, height: 0 };
    if (width === 0) {
      return;
    }
    const [x, y] = store.get().pixel ?? [(width >> 1) - dx, (height >> 1) - dy];
    app.pickPixel(Math.max(0, Math.min(width - 1, x + dx)), Math.max(0, Math.min(height - 1, y + dy)));
  }

  return {
    element,
    update,
    preview,
    /** Tells that the list cannot run. */
    fail() {
      if (!app.events) {
        empty.textContent = "The list cannot run.";
      }
    },
    actions: {
      flip: () => store.set({ after: !store.get().after }, { replace: true }),
      highlight: () => toggleMarks("covered"),
      changed: () => toggleMarks("changed"),
      result: () => toggleMarks("result"),
      depth: () => store.set({ view: store.get().view === "depth" ? "color" : "depth" }),
      heat: () => setHeat(/** @type {const} */ ({ off: "overdraw", overdraw: "cost", cost: "off" })[heat]),
      zoomIn: () => view.zoom(1),
      zoomOut: () => view.zoom(-1),
      fit: () => view.fit(),
      panLeft: () => pan(1, 0),
      panRight: () => pan(-1, 0),
      panUp: () => pan(0, 1),
      panDown: () => pan(0, -1),
      pixelLeft: () => movePixel(-1, 0),
      pixelRight: () => movePixel(1, 0),
      pixelUp: () => movePixel(0, -1),
      pixelDown: () => movePixel(0, 1),
    },
  };
}

/**
 * Returns whether an error only says that an event has no such thing.
 * @param {unknown} error
 */
function isInapplicable(error) {
  return error instanceof EngineError && error.code === "inapplicable";
}
