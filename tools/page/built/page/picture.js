// page/picture.tsx
import { debounce, h, hex } from "pspge/base/dom.js";
import { rem } from "pspge/base/layout.js";
import { render, signal } from "pspge/base/preact.js";
import { Scrubber } from "pspge/events/scrubber.js";
import { ModelStage } from "pspge/mesh/model-stage.js";
import { modelViewOf } from "pspge/mesh/model-view.js";
import { ZOOM_STEP } from "pspge/mesh/orbit.js";
import { DepthRange } from "pspge/picture/depth-range.js";
import { HeatLegend } from "pspge/picture/heat-legend.js";
import { loadMarks } from "pspge/picture/picture-marks.js";
import { pictureOf } from "pspge/picture/picture-pixels.js";
import { createPictureSource } from "pspge/picture/picture-source.js";
import { Status } from "pspge/picture/picture-status.js";
import { Toolbar } from "pspge/picture/picture-toolbar.js";
import { PictureView } from "pspge/picture/picture-view.js";
import { EngineError } from "pspge/state/engine.js";
import { RUN_MEMBERS } from "pspge/state/store.js";
import { Host } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var PICTURE_MEMBERS = /* @__PURE__ */ new Set([...RUN_MEMBERS, "event", "after", "target", "view", "events"]);
var PAUSE = 120;
var PAN = 4;
function create(app) {
  const { store, engine } = app;
  const view = new PictureView({
    label: "Picture",
    onpick: (x, y) => app.pickPixel(x, y),
    onhover: () => updateStatus(),
    onchange: () => {
      scale.value = view.scale;
    }
  });
  const source = createPictureSource(app);
  const shown = signal(null);
  const depth = signal(null);
  const marks = signal("covered");
  const changes = signal(null);
  const heat = signal("off");
  const legend = signal(null);
  const missing = signal("The list runs for the first time.");
  const scale = signal(view.scale);
  const channel = signal("color");
  const selected = signal(store.get());
  const [runs, themes, looks] = [signal(0), signal(0), signal(0)];
  function isModelShown({ panel }) {
    return app.input?.kind === "model" && panel === "model";
  }
  function keys() {
    const model = isModelShown(store.get()) ? modelViewOf(app) : null;
    return model ? { zoom: (direction) => model.zoom(ZOOM_STEP ** direction), fit: () => model.reset(), pan: () => {
    } } : app.stage.peek()?.keys ?? view;
  }
  function Chrome() {
    runs.value;
    if (isModelShown(selected.value)) {
      return /* @__PURE__ */ jsx(ModelStage, { app, view: modelViewOf(app), selection: selected.value });
    }
    const timeline = /* @__PURE__ */ jsx(Scrubber, { app, selection: selected.value, theme: themes.value });
    if (app.stage.value) {
      return /* @__PURE__ */ jsxs(Fragment, { children: [
        /* @__PURE__ */ jsx("div", { class: "picture-stage", children: /* @__PURE__ */ jsx(Host, { element: app.stage.value.element }) }),
        timeline
      ] });
    }
    return /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx(
        Toolbar,
        {
          ...{ app, view, toggleMarks, setHeat },
          selection: selected.value,
          scale: scale.value,
          channel: channel.value,
          setChannel: (next) => {
            channel.value = next;
            view.setChannel(next);
          },
          marks: marks.value,
          heat: heat.value
        }
      ),
      /* @__PURE__ */ jsx(Range, {}),
      /* @__PURE__ */ jsxs("div", { class: "picture-stage", children: [
        /* @__PURE__ */ jsx(Host, { element: view.element }),
        legend.value && /* @__PURE__ */ jsx(HeatLegend, { ...legend.value }),
        /* @__PURE__ */ jsx("p", { class: "picture-empty", role: "status", hidden: missing.value === null, children: missing.value })
      ] }),
      /* @__PURE__ */ jsx(StatusLine, {}),
      timeline
    ] });
  }
  function Range() {
    looks.value;
    return shown.value?.pixels === "depth16" && view.picture ? /* @__PURE__ */ jsx(DepthRange, { view, picture: view.picture, depths: view.depths, onChange: updateStatus }) : null;
  }
  function StatusLine() {
    looks.value;
    return /* @__PURE__ */ jsx(Status, { ...{ app, view }, shown: shown.value, depth: depth.value, heat: heat.value, changes: changes.value });
  }
  const element = h("section", { class: "picture", "aria-label": "Picture" });
  render(/* @__PURE__ */ jsx(Chrome, {}), element);
  const updateStatus = () => {
    looks.value += 1;
  };
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
      view.setPicture(pictureOf(answer));
      shown.value = answer.json;
      missing.value = answer.json.width > 0 ? null : "The buffer has no pixels.";
    } catch (error) {
      view.setPicture(null);
      shown.value = null;
      showMissing(error);
    }
    const { address, format, width, height } = shown.peek() ?? {};
    view.setLabel(shown.peek() ? `${format} picture at ${hex(address)}, ${width} by ${height} pixels, ${after ? "after" : "before"} event ${event}` : "No picture");
    updateStatus();
  }
  async function preview() {
    try {
      const answer = await app.engine.latest("picture")({ request: "picture", run: store.run(), source: { kind: "screen" } });
      if (!answer || app.events) {
        return;
      }
      view.setPicture(pictureOf(answer));
      view.setLabel(`The screen at the end of the run, ${answer.json.width} by ${answer.json.height} pixels`);
      missing.value = null;
    } catch {
    }
  }
  function showMissing(error) {
    const isKnown = error instanceof EngineError;
    missing.value = isKnown && error.code === "connection" ? "The server does not answer, so there is no picture." : `There is no picture at this event${isKnown ? `: ${error.message}` : ""}.`;
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
      const marked = await loadMarks(app, source, marks.peek());
      if (marked && store.get().event === event) {
        changes.value = marked.changes;
        view.setOverlay(marked.overlay);
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
    const kind = heat.peek();
    if (kind === "off" || !buffer || !app.events) {
      view.setHeat(null);
      legend.value = null;
      return;
    }
    const { event, after } = store.get();
    const { address, stride, format, width, height } = buffer;
    const at = { event, after };
    const target = { address, stride, format, width, height };
    try {
      const answer = await engine.latest("heat")({ request: "heat", run: store.run(), kind, at, buffer: target });
      if (answer) {
        showHeat(answer, kind);
      }
    } catch (error) {
      setHeat("off");
      app.fail(error);
    }
  }
  function showHeat({ bytes, json }, kind) {
    const values = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    const { width, height, largest, total } = json;
    const smallest = values.reduce((least, value) => value > 0 && value < least ? value : least, largest);
    view.setHeat({ width, height, values, smallest, largest });
    legend.value = { kind, smallest, largest, total };
    updateStatus();
  }
  async function loadDepth() {
    depth.value = null;
    const { event, after, view: shownView, target } = store.get();
    if (shownView === "depth" || target || !app.events) {
      return;
    }
    const answer = await engine.latest("status-depth")({ request: "picture", run: store.run(), at: { event, after }, source: { kind: "depth" } }).catch(() => null);
    depth.value = answer && pictureOf(answer);
  }
  function setHeat(kind) {
    heat.value = kind;
    app.announce(kind === "off" ? "The heat map is off." : `Heat map: ${kind}.`);
    void loadHeat();
  }
  function toggleMarks(kind) {
    const chosen = marks.peek() === kind ? "none" : kind;
    marks.value = chosen;
    const spoken = { covered: "Covered", changed: "Changed", result: "Changed and unchanged" };
    app.announce(chosen === "none" ? "No pixels are marked." : `${spoken[chosen]} pixels are marked.`);
    changes.value = null;
    void loadMarked();
  }
  function update(selection, changed) {
    selected.value = selection;
    runs.value += Number(changed.has("events"));
    themes.value += Number(changed.has("theme"));
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
        changes.value = null;
      }
      void loadPicture();
      loadRest();
    }
    updateStatus();
  }
  function pan(dx, dy) {
    keys().pan(dx * PAN * rem(), dy * PAN * rem());
  }
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
        missing.value = "The list cannot run.";
      }
    },
    actions: {
      flip: () => store.set({ after: !store.get().after }, { replace: true }),
      highlight: () => toggleMarks("covered"),
      changed: () => toggleMarks("changed"),
      result: () => toggleMarks("result"),
      depth: () => store.set({ view: store.get().view === "depth" ? "color" : "depth" }),
      heat: () => setHeat({ off: "overdraw", overdraw: "cost", cost: "off" }[heat.peek()]),
      zoomIn: () => keys().zoom(1),
      zoomOut: () => keys().zoom(-1),
      fit: () => keys().fit(),
      panLeft: () => pan(1, 0),
      panRight: () => pan(-1, 0),
      panUp: () => pan(0, 1),
      panDown: () => pan(0, -1),
      pixelLeft: () => movePixel(-1, 0),
      pixelRight: () => movePixel(1, 0),
      pixelUp: () => movePixel(0, -1),
      pixelDown: () => movePixel(0, 1)
    }
  };
}
function isInapplicable(error) {
  return error instanceof EngineError && error.code === "inapplicable";
}
export {
  create
};
