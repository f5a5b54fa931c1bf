// The picture in the middle of the page: buffers at a moment of the run, with a scrubber over the events.

import { colorText, counted, debounce, h, hex, iconButton, replace } from "pspge/dom.js";
import { changedPixels } from "pspge/changed-pixels.js";
import { EngineError } from "pspge/engine.js";
import { keyOf } from "pspge/keys.js";
import { fillLegend } from "pspge/heat-legend.js";
import { CHANNELS, pictureOf, PictureView } from "pspge/picture-view.js";
import { RUN_MEMBERS } from "pspge/store.js";
import { createScrubber } from "pspge/scrubber.js";

/** Members whose change needs another picture. */
const PICTURE_MEMBERS = new Set([...RUN_MEMBERS, "event", "after", "target", "view", "events"]);
/** Pause before the parts that the eye does not wait for: covered pixels, heat, depth of the status line. */
const PAUSE = 120;
/** Pixels that a key moves the picture by, in rem. */
const PAN = 4;

/** @typedef {import("pspge/store.js").Buffer} Buffer */
/** @typedef {"off" | "overdraw" | "cost"} HeatKind */

/**
 * Creates the picture with its toolbar, status line and scrubber.
 * @param {import("pspge/app.js").App} app
 */
export function create(app) {
  const { store, engine } = app;
  const view = new PictureView({
    label: "Picture",
    onpick: (x, y) => pick(x, y),
    onhover: () => updateStatus(),
    onchange: () => updateZoom(),
  });
  /** @type {any} The answer of the picture that is shown. */
  let shown = null;
  /** @type {import("pspge/picture-view.js").Picture | null} Depth at the same moment, for the status line. */
  let depth = null;
  /** @type {"covered" | "changed" | "none"} The pixels of the event that are marked. */
  let marks = "covered";
  /** @type {number | null} Number of pixels that the event changes, if they are marked. */
  let changes = null;
  /** @type {HeatKind} */
  let heat = "off";

  const sourceSelect = h("select", {
    "aria-label": "Buffer",
    title: "The buffer that is shown",
    class: "source-select",
    onchange: chooseSource,
  });
  const viewButtons = /** @type {const} */ ([
    ["color", "Colour"],
    ["depth", "Depth"],
  ]).map(([id, title]) =>
    h(
      "button",
      {
        type: "button",
        class: "toggle",
        title: `${title} (${keyOf("depth")})`,
        "aria-pressed": "false",
        "data-view": id,
        onclick: () => store.set({ view: id }),
      },
      title,
    ),
  );
  const channelSelect = h(
    "select",
    {
      "aria-label": "Channel",
      title: "Channels",
      onchange: () => view.setChannel(/** @type {any} */ (channelSelect.value)),
    },
    CHANNELS.map(([id, title]) => h("option", { value: id }, title)),
  );
  const rangeText = h("span", { class: "range mono", title: "Depth that is shown black and white" });
  const momentButtons = /** @type {const} */ ([
    [false, "Before"],
    [true, "After"],
  ]).map(([after, title]) =>
    h(
      "button",
      {
        type: "button",
        class: "toggle",
        title: `${title} the event (${keyOf("flip")} flips)`,
        "aria-pressed": "false",
        "data-after": after ? "1" : "0",
        onclick: () => store.set({ after }),
      },
      title,
    ),
  );
  const markButtons = /** @type {const} */ ([
    ["covered", "Covered", "Mark the pixels that the draw covers", "highlight"],
    ["changed", "Changed", "Mark the pixels that the event changes", "changed"],
  ]).map(([kind, title, text, action]) =>
    h(
      "button",
      {
        type: "button",
        class: "toggle",
        "aria-pressed": String(kind === marks),
        "data-kind": kind,
        title: `${text} (${keyOf(action)})`,
        onclick: () => toggleMarks(kind),
      },
      title,
    ),
  );
  const heatSelect = h(
    "select",
    {
      "aria-label": "Heat map",
      title: `Heat map (${keyOf("heat")})`,
      onchange: () => setHeat(/** @type {HeatKind} */ (heatSelect.value)),
    },
    [
      ["off", "No heat map"],
      ["overdraw", "Overdraw"],
      ["cost", "Cost"],
    ].map(([value, text]) => h("option", { value }, text)),
  );
  const zoomText = h(
    "button",
    { type: "button", class: "zoom-text mono", title: "Zoom; click for 1:1", onclick: () => view.setScale(1) },
    "1:1",
  );
  const toolbar = h(
    "div",
    { class: "toolbar", role: "group", "aria-label": "Settings of the picture" },
    sourceSelect,
    h("span", { class: "button-group", role: "group", "aria-label": "Colour or depth" }, viewButtons),
    channelSelect,
    rangeText,
    h("span", { class: "button-group", role: "group", "aria-label": "Moment" }, momentButtons),
    h("span", { class: "button-group", role: "group", "aria-label": "Marked pixels" }, markButtons),
    heatSelect,
    h(
      "span",
      { class: "button-group zoom-group", role: "group", "aria-label": "Zoom" },
      iconButton("minus", `Zoom out (${keyOf("zoomOut")})`, () => view.zoom(-1)),
      zoomText,
      iconButton("plus", `Zoom in (${keyOf("zoomIn")})`, () => view.zoom(1)),
      iconButton("fit", `Show the whole picture (${keyOf("fit")})`, () => view.fit()),
    ),
  );
  const legend = h("div", { class: "legend", hidden: true });
  const empty = h("p", { class: "picture-empty", role: "status" }, "The list runs for the first time.");
  const position = h("span", { class: "mono status-position" });
  const value = h("span", { class: "mono status-value" });
  const facts = h("span", { class: "status-facts" });
  const status = h("div", { class: "status" }, position, value, h("span", { class: "spacer" }), facts);
  const scrubber = createScrubber(app);
  const element = h(
    "section",
    { class: "picture", "aria-label": "Picture" },
    toolbar,
    h("div", { class: "picture-stage" }, view.element, legend, empty),
    status,
    scrubber.element,
  );

  function chooseSource() {
    const { events } = app;
    const chosen = sourceSelect.value;
    const buffer = chosen === "screen" ? events?.screen : events?.buffers[Number(chosen)];
    store.set({ target: chosen === "draw" ? null : (buffer ?? null) });
  }

  function updateSources() {
    const { buffers = [], screen = null } = app.events ?? {};
    const { target } = store.get();
    const same = (/** @type {Buffer | null} */ buffer) => JSON.stringify(buffer) === JSON.stringify(target);
    const name = (/** @type {Buffer} */ { address, format, width, height }) =>
      `${hex(address)} ${format} ${width}×${height}`;
    const options = [h("option", { value: "draw" }, "Draw's buffer")];
    if (screen) {
      options.push(
        h("option", { value: "screen", selected: target !== null && same(screen) }, `Screen: ${name(screen)}`),
      );
    }
    const rest = buffers.map((buffer, index) =>
      h("option", { value: String(index), selected: target !== null && same(buffer) && !same(screen) }, name(buffer)),
    );
    replace(sourceSelect, options, h("optgroup", { label: "Buffers of the run" }, rest));
    if (target && sourceSelect.value === "draw") {
      sourceSelect.append(h("option", { value: "custom", selected: true }, name(target)));
    }
  }

  function sourceOfPicture() {
    const { target, view: shownView } = store.get();
    if (shownView === "depth") {
      return { kind: "depth" };
    }
    if (!target) {
      return { kind: "color" };
    }
    const { address, stride, format, width, height } = target;
    return { kind: "memory", address, stride, format, width, height };
  }

  async function loadPicture() {
    if (!app.events) {
      return;
    }
    const { event, after } = store.get();
    try {
      const answer = await engine.latest("picture")({
        request: "picture",
        run: store.run(),
        at: { event, after },
        source: sourceOfPicture(),
      });
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
      empty.hidden = false;
      empty.textContent = "There is no picture at this event.";
      if (isInapplicable(error)) {
        empty.textContent = `There is no picture at this event: ${/** @type {Error} */ (error).message}.`;
      } else {
        app.fail(error);
      }
    }
    const { address, format, width, height } = shown ?? {};
    view.setLabel(
      shown
        ? `${format} picture at ${hex(address)}, ${width} by ${height} pixels, ${after ? "after" : "before"} event ${event}`
        : "No picture",
    );
    const [low, high] = view.range;
    rangeText.textContent = shown?.pixels === "depth16" ? `${hex(low, 4)} to ${hex(high, 4)}` : "";
    updateStatus();
  }

  const loadRest = debounce(PAUSE, () => {
    void loadMarks();
    void loadHeat();
    void loadDepth();
  });

  /** Whether the picture shows the buffer that the selected event draws to. */
  function isOwnBuffer() {
    const row = app.row();
    const { target } = store.get();
    const own = row && row.buffer !== null ? app.events?.buffers[row.buffer] : null;
    return !target || (own?.address === target.address && own.stride === target.stride);
  }

  async function loadMarks() {
    const { event } = store.get();
    try {
      const overlay = await { covered: loadCovered, changed: loadChanged, none: async () => null }[marks]();
      if (overlay !== undefined && store.get().event === event) {
        view.setOverlay(overlay);
        updateStatus();
      }
    } catch (error) {
      view.setOverlay(null);
      if (!isInapplicable(error)) {
        app.fail(error);
      }
    }
  }

  /**
   * Returns the pixels that the draw covers; undefined if a newer request has replaced this one.
   * @returns {Promise<import("pspge/picture-view.js").Overlay | null | undefined>}
   */
  async function loadCovered() {
    const row = app.row();
    if (!row || row.draw === null || row.is_left_out || !isOwnBuffer()) {
      return null;
    }
    const answer = await engine.latest("coverage")({ request: "coverage", run: store.run(), event: row.event });
    if (!answer) {
      return undefined;
    }
    const { left, top, width, height } = answer.json;
    return { left, top, width, height, mask: answer.bytes };
  }

  /**
   * Returns the pixels that differ after the event; undefined if a newer request has replaced this one.
   * @returns {Promise<import("pspge/picture-view.js").Overlay | null | undefined>}
   */
  async function loadChanged() {
    const row = app.row();
    if (!row) {
      return null;
    }
    const moments = [false, true].map((after) =>
      engine.latest(`changed-${after}`)({
        request: "picture",
        run: store.run(),
        at: { event: row.event, after },
        source: sourceOfPicture(),
      }),
    );
    const [before, after] = await Promise.all(moments);
    if (!before || !after) {
      return undefined;
    }
    const { count, ...overlay } = changedPixels(pictureOf(before), pictureOf(after));
    changes = count;
    return overlay;
  }

  async function loadHeat() {
    const buffer = app.shownBuffer();
    if (heat === "off" || !buffer || !app.events) {
      view.setHeat(null);
      legend.hidden = true;
      return;
    }
    const { event, after } = store.get();
    const { address, stride, format } = buffer;
    const request = {
      request: "heat",
      run: store.run(),
      kind: heat,
      at: { event, after },
      buffer: { address, stride, format, width: buffer.width, height: buffer.height },
    };
    try {
      const answer = await engine.latest("heat")(request);
      if (!answer) {
        return;
      }
      const { bytes, json } = answer;
      const values = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
      const { width, height, largest, total } = json;
      const smallest = values.reduce((least, value) => (value > 0 && value < least ? value : least), largest);
      view.setHeat({ width, height, values, smallest, largest });
      fillLegend(legend, heat, { smallest, largest, total });
      legend.hidden = false;
      updateStatus();
    } catch (error) {
      setHeat("off");
      app.fail(error);
    }
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
    heatSelect.value = kind;
    app.announce(kind === "off" ? "The heat map is off." : `Heat map: ${kind}.`);
    void loadHeat();
  }

  /** @param {"covered" | "changed"} kind */
  function toggleMarks(kind) {
    marks = marks === kind ? "none" : kind;
    for (const button of markButtons) {
      button.setAttribute("aria-pressed", String(button.dataset.kind === marks));
    }
    app.announce(marks === "none" ? "No pixels are marked." : `${capital(marks)} pixels are marked.`);
    changes = null;
    updateStatus();
    void loadMarks();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  function pick(x, y) {
    app.pickPixel(x, y);
  }

  function updateStatus() {
    const at = view.hover ?? view.marker;
    const components = at && view.valueAt(...at);
    position.textContent = at ? `x ${at[0]}  y ${at[1]}` : "";
    replace(value, at && components ? describeValue(at, components) : "");
    const row = app.row();
    const covered = row && row.draw !== null ? `draw ${row.draw} covers ${counted(row.covered, "fragment")}` : "";
    const changed = row && changes !== null ? `changes ${counted(changes, "pixel")}` : "";
    facts.textContent = [
      [covered, changed].filter(Boolean).join(", "),
      shown ? `${hex(shown.address)} ${shown.format} ${shown.width}×${shown.height}` : "",
    ]
      .filter(Boolean)
      .join(" · ");
  }

  /**
   * @param {[number, number]} at
   * @param {number[]} components
   */
  function describeValue([x, y], components) {
    if (shown?.pixels === "depth16") {
      return `depth ${hex(components[0], 4)} (${components[0]})`;
    }
    const [red = 0, green = 0, blue = 0, alpha = 0] = components;
    const sample = h("span", { class: "swatch" });
    sample.style.backgroundColor = `rgb(${red} ${green} ${blue})`;
    // The format of 5, 6 and 5 bits has no alpha to store a stencil in.
    const stencil = shown?.format === "BGR5650" ? "" : `  stencil ${alpha}`;
    const parts = [` ${colorText(components)}`, stencil];
    const index = depth && x < depth.width && y < depth.height ? y * depth.width + x : -1;
    if (depth && index >= 0) {
      parts.push(`  depth ${hex(depth.data[index] ?? 0, 4)}`);
    }
    if (view.heat && x < view.heat.width && y < view.heat.height) {
      const amount = view.heat.values[y * view.heat.width + x] ?? 0;
      parts.push(heat === "cost" ? `  cost ${amount / 1000}` : `  ${counted(amount, "fragment")}`);
    }
    return [sample, parts];
  }

  function updateZoom() {
    const { scale } = view;
    zoomText.textContent = scale >= 1 ? `${scale}:1` : `1:${Math.round(1 / scale)}`;
  }

  /**
   * @param {import("pspge/store.js").Selection} selection
   * @param {Set<string>} changed
   */
  function update(selection, changed) {
    if (changed.has("events") || changed.has("target")) {
      updateSources();
    }
    for (const button of viewButtons) {
      button.setAttribute("aria-pressed", String(button.dataset.view === selection.view));
    }
    for (const button of momentButtons) {
      button.setAttribute("aria-pressed", String((button.dataset.after === "1") === selection.after));
    }
    channelSelect.hidden = selection.view === "depth";
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
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    view.pan(dx * PAN * rem, dy * PAN * rem);
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  function movePixel(dx, dy) {
    const { width, height } = view.picture ?? { width: 0, height: 0 };
    if (width === 0) {
      return;
    }
    const [x, y] = store.get().pixel ?? [(width >> 1) - dx, (height >> 1) - dy];
    pick(Math.max(0, Math.min(width - 1, x + dx)), Math.max(0, Math.min(height - 1, y + dy)));
  }

  return {
    element,
    update,
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

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Returns whether an error only says that an event has no such thing.
 * @param {unknown} error
 */
function isInapplicable(error) {
  return error instanceof EngineError && error.code === "inapplicable";
}
