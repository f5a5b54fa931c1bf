// The picture in the middle of the page: buffers at a moment of the run, with a scrubber over the events.

import { debounce, h, hex } from "pspge/base/dom.js";
import { rem } from "pspge/base/layout.js";
import { render, signal } from "pspge/base/preact.js";
import type { PictureAnswer } from "pspge/documents.js";
import { Scrubber } from "pspge/events/scrubber.js";
import { ModelStage } from "pspge/mesh/model-stage.js";
import { modelViewOf } from "pspge/mesh/model-view.js";
import { ZOOM_STEP } from "pspge/mesh/orbit.js";
import { DepthRange } from "pspge/picture/depth-range.js";
import { HeatLegend, type LegendProps } from "pspge/picture/heat-legend.js";
import { loadMarks, type MarkKind, type Marks } from "pspge/picture/picture-marks.js";
import { type Channel, type Picture, pictureOf } from "pspge/picture/picture-pixels.js";
import { createPictureSource } from "pspge/picture/picture-source.js";
import { Status } from "pspge/picture/picture-status.js";
import { type HeatKind, Toolbar } from "pspge/picture/picture-toolbar.js";
import { PictureView } from "pspge/picture/picture-view.js";
import type { App, Selection, StageKeys } from "pspge/state/app-types.js";
import { type Answer, EngineError } from "pspge/state/engine.js";
import { RUN_MEMBERS } from "pspge/state/store.js";
import { Host } from "pspge/widgets/panel.js";

/** Members whose change needs another picture. */
const PICTURE_MEMBERS = new Set([...RUN_MEMBERS, "event", "after", "target", "view", "events"]);
/** Pause before the parts that the eye does not wait for: covered pixels, heat, depth of the status line. */
const PAUSE = 120;
/** Distance that a key moves the picture by, in rem. */
const PAN = 4;

/** Creates the picture with its toolbar, status line and scrubber. */
export function create(app: App) {
  const { store, engine } = app;
  const view = new PictureView({
    label: "Picture",
    onpick: (x, y) => app.pickPixel(x, y),
    onhover: () => updateStatus(),
    onchange: () => {
      scale.value = view.scale;
    },
  });
  const source = createPictureSource(app);
  /** The answer of the picture that is shown. */
  const shown = signal<PictureAnswer | null>(null);
  /** Depth at the same moment, for the status line. */
  const depth = signal<Picture | null>(null);
  /** The pixels of the event that are marked. */
  const marks = signal<Marks>("covered");
  /** Number of pixels that the event changes, if they are marked. */
  const changes = signal<number | null>(null);
  const heat = signal<HeatKind>("off");
  const legend = signal<LegendProps | null>(null);
  /** Why there is no picture. */
  const missing = signal<string | null>("The list runs for the first time.");
  const scale = signal(view.scale);
  const channel = signal<Channel>("color");
  const selected = signal(store.get());
  /** Counts the changes of the events, of the theme, and of what the view holds. */
  const [runs, themes, looks] = [signal(0), signal(0), signal(0)];

  function isModelShown({ panel }: Selection) {
    return app.input?.kind === "model" && panel === "model";
  }

  /** What keys do with what is on the stage. */
  function keys(): StageKeys {
    const model = isModelShown(store.get()) ? modelViewOf(app) : null;
    return model ? { zoom: (direction) => model.zoom(ZOOM_STEP ** direction), fit: () => model.reset(), pan: () => {} } : (app.stage.peek()?.keys ?? view);
  }

  function Chrome() {
    runs.value;
    // The model itself is on the stage while its panel is chosen; with the others it is the picture that the run draws.
    if (isModelShown(selected.value)) {
      return <ModelStage app={app} view={modelViewOf(app)} selection={selected.value} />;
    }
    const timeline = <Scrubber app={app} selection={selected.value} theme={themes.value} />;
    if (app.stage.value) {
      return <><div class="picture-stage"><Host element={app.stage.value.element} /></div>{timeline}</>;
    }
    return (
      <>
        <Toolbar
          {...{ app, view, toggleMarks, setHeat }}
          selection={selected.value}
          scale={scale.value}
          channel={channel.value}
          setChannel={(next) => {
            channel.value = next;
            view.setChannel(next);
          }}
          marks={marks.value}
          heat={heat.value}
        />
        <Range />
        <div class="picture-stage">
          <Host element={view.element} />
          {legend.value && <HeatLegend {...legend.value} />}
          <p class="picture-empty" role="status" hidden={missing.value === null}>{missing.value}</p>
        </div>
        <StatusLine />
        {timeline}
      </>
    );
  }

  function Range() {
    looks.value;
    return shown.value?.pixels === "depth16" && view.picture ? <DepthRange view={view} picture={view.picture} depths={view.depths} onChange={updateStatus} /> : null;
  }

  function StatusLine() {
    looks.value;
    return <Status {...{ app, view }} shown={shown.value} depth={depth.value} heat={heat.value} changes={changes.value} />;
  }

  const element = h("section", { class: "picture", "aria-label": "Picture" });
  render(<Chrome />, element);

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

  /** Shows the screen at the end of the run while the events of a file are on their way. */
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
      // The events fail for the same reason, and the page says so. A run may also show no screen.
    }
  }

  /** Says in place of the picture why there is none. */
  function showMissing(error: unknown) {
    const isKnown = error instanceof EngineError;
    missing.value =
      isKnown && error.code === "connection" ? "The server does not answer, so there is no picture." : `There is no picture at this event${isKnown ? `: ${error.message}` : ""}.`;
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

  function showHeat({ bytes, json }: Answer<"heat">, kind: "overdraw" | "cost") {
    const values = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    const { width, height, largest, total } = json;
    const smallest = values.reduce((least, value) => (value > 0 && value < least ? value : least), largest);
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
    // Draws without a depth buffer have no depth to show.
    const answer = await engine.latest("status-depth")({ request: "picture", run: store.run(), at: { event, after }, source: { kind: "depth" } }).catch(() => null);
    depth.value = answer && pictureOf(answer);
  }

  function setHeat(kind: HeatKind) {
    heat.value = kind;
    app.announce(kind === "off" ? "The heat map is off." : `Heat map: ${kind}.`);
    void loadHeat();
  }

  function toggleMarks(kind: MarkKind) {
    const chosen = marks.peek() === kind ? "none" : kind;
    marks.value = chosen;
    const spoken = { covered: "Covered", changed: "Changed", result: "Changed and unchanged" };
    app.announce(chosen === "none" ? "No pixels are marked." : `${spoken[chosen]} pixels are marked.`);
    changes.value = null;
    void loadMarked();
  }

  function update(selection: Selection, changed: Set<string>) {
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

  function pan(dx: number, dy: number) {
    keys().pan(dx * PAN * rem(), dy * PAN * rem());
  }

  /** Picks the pixel next to the picked one, or to the middle of the picture. */
  function movePixel(dx: number, dy: number) {
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
      heat: () => setHeat(({ off: "overdraw", overdraw: "cost", cost: "off" } as const)[heat.peek()]),
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
      pixelDown: () => movePixel(0, 1),
    },
  };
}

/** Returns whether an error only says that an event has no such thing. */
function isInapplicable(error: unknown): boolean {
  return error instanceof EngineError && error.code === "inapplicable";
}
