// The start of the page: it builds the layout, opens the file, loads the events of the run, and tells the panels what
// has changed.

import { announcer, errorList } from "pspge/messages.js";
import { debounce, h, replace } from "pspge/dom.js";
import { helpDialog, notesDialog } from "pspge/dialogs.js";
import { createEngine, EngineError } from "pspge/engine.js";
import { create as createEvents } from "pspge/events.js";
import { acceptDrops, saveFile, startArea } from "pspge/files.js";
import { createHeader } from "pspge/header.js";
import { keyOf, listenToKeys } from "pspge/keys.js";
import { remember, setting, splitter, tabList } from "pspge/layout.js";
import { create as createPicture } from "pspge/picture.js";
import { otherFileArea } from "pspge/other-file.js";
import { createStore, fileOfHash, RUN_MEMBERS } from "pspge/store.js";

/**
 * @typedef {import("pspge/store.js").Selection} Selection
 * @typedef {import("pspge/store.js").Buffer} Buffer
 * @typedef {{
 *   event: number, kind: "draw" | "patch" | "immediate" | "transfer" | "cpu", draw: number | null, command: number,
 *   address: number, text: string, primitive: string | null, vertices: number | null, pass: number | null,
 *   buffer: number | null, texture: {address: number, format: string, width: number, height: number} | null,
 *   covered: number, box: {left: number, top: number, right: number, bottom: number} | null, cost: number,
 *   registers: string[], is_left_out: boolean, is_clear: boolean,
 * }} EventRow
 * @typedef {{code: string, severity: "information" | "problem", message: string, [member: string]: any}} Note
 * @typedef {{count: number, events: EventRow[], buffers: Buffer[], screen: Buffer | null, notes: Note[], ended: string, is_complete: boolean}} Events
 * @typedef {{name: string, hash: string, info: any, kind: "model" | "frame" | "list" | "other", is_runnable: boolean, notes: Note[]}} Input
 * @typedef {{
 *   id: string, title: string, key: string, element: HTMLElement,
 *   show: () => void, update: (selection: Selection, changed: Set<string>) => void | Promise<void>,
 * }} Panel
 * @typedef {{
 *   store: import("pspge/store.js").Store,
 *   engine: import("pspge/engine.js").Engine,
 *   input: Input | null,
 *   rival: Input | null,
 *   events: Events | null,
 *   openPanel: (id: string) => void,
 *   selectEvent: (event: number, options?: {after?: boolean}) => void,
 *   fail: (error: unknown) => void,
 *   announce: (text: string) => void,
 *   row: () => EventRow | null,
 *   drawAtOrBefore: (event: number) => EventRow | null,
 *   eventOfDraw: (draw: number) => number | null,
 *   eventOfCommand: (command: number) => number | null,
 *   showCommand: (command: number) => void,
 *   shownBuffer: () => Buffer | null,
 *   pixelHistory: () => Promise<any>,
 *   filterEvents: (text: string) => void,
 *   pickPixel: (x: number, y: number, target?: Buffer | null) => void,
 *   openFile: (name: string, bytes: Uint8Array, input?: number) => Promise<void>,
 *   save: (name: string, mediaType: string, bytes: Uint8Array) => void,
 *   export: (what: "gltf" | "png" | "dump" | "trim") => Promise<void>,
 * }} App
 */

/** The panels, in the order of their tabs. All but the last have a digit as their key. */
const PANELS = [
  ["state", "State"],
  ["pixel", "Pixel"],
  ["mesh", "Mesh"],
  ["textures", "Textures"],
  ["memory", "Memory"],
  ["passes", "Passes"],
  ["commands", "Commands"],
  ["diff", "Diff"],
  ["model", "Model"],
  ["edits", "Edits"],
];

/** Pause before the panels follow the selection, so that steps through events stay fast. */
const PANEL_PAUSE = 120;

/**
 * Builds the page.
 * @param {HTMLElement} root
 */
function start(root) {
  const announcements = announcer();
  const store = createStore(() => app.input?.hash ?? null);
  const errors = errorList({ undo: () => void (store.undo() || store.setEdits([])) });
  const engine = createEngine();

  /** @type {App} */
  const app = {
    store,
    engine,
    input: null,
    rival: null,
    events: null,
    openPanel: (id) => store.set({ panel: id }),
    selectEvent,
    fail: (error) => errors.add(error),
    announce: announcements.say,
    row: () => app.events?.events[store.get().event] ?? null,
    drawAtOrBefore,
    eventOfDraw: (draw) => eventsOfDraws.get(draw) ?? null,
    eventOfCommand: (command) =>
      app.events?.events.find((row) => row.command >= command)?.event ?? app.events?.count ?? null,
    showCommand,
    shownBuffer,
    pixelHistory,
    filterEvents: (text) => eventsPanel.filter(text),
    pickPixel,
    openFile,
    save: saveFile,
    export: exportFile,
  };

  const header = createHeader(app, {
    help: () => help.show(),
    notes: showNotes,
    theme: setTheme,
    dock: setDock,
    textSize: setTextSize,
  });
  const help = helpDialog();
  const notes = notesDialog(app);
  const picture = createPicture(app);
  const eventsPanel = createEvents(app);
  const tabs = tabList({
    label: "Panels",
    tabs: PANELS.map(([id = "", title = ""], index) => ({
      id,
      title,
      hint: index < 9 ? `${title} (${index + 1})` : `${title} (${keyOf("edits")})`,
    })),
    onchoose: (id) => app.openPanel(id),
  });
  const side = h("section", { class: "side", "aria-label": "Panels" }, tabs.list, tabs.panels);
  const work = h("div", { class: "work" });
  const isRight = () => work.dataset.dock !== "below";
  const sideSplitter = splitter({
    label: "Size of the panels",
    name: "side",
    usual: 46,
    least: 15,
    most: 80,
    fromEnd: true,
    isVertical: isRight,
    parent: () => work,
  });
  work.append(picture.element, sideSplitter, side);
  const main = h("main", { class: "main" });
  main.append(
    eventsPanel.element,
    splitter({
      label: "Width of the events",
      name: "events",
      usual: 24,
      least: 10,
      most: 60,
      isVertical: () => true,
      parent: () => main,
    }),
    work,
  );
  const startPage = startArea(app);
  const otherFile = otherFileArea();
  replace(
    root,
    header.element,
    errors.element,
    startPage,
    otherFile.element,
    main,
    help.element,
    notes.element,
    announcements.element,
  );

  /** @type {Map<number, number>} Events by the numbers of their draws. */
  let eventsOfDraws = new Map();
  /** @type {Map<string, Promise<Panel | null>>} */
  const panels = new Map();
  let pending = new Set(["panel"]);
  let mustChooseEvent = true;

  /**
   * Loads a panel when it is shown first. A panel that fails to load shows why.
   * @param {string} id
   * @returns {Promise<Panel | null>}
   */
  function panelOf(id) {
    const known = panels.get(id);
    if (known) {
      return known;
    }
    const place = tabs.panel(id);
    const loaded = import(`pspge/${id}.js`)
      .then((module) => {
        const panel = /** @type {Panel} */ (module.create(app));
        // The heading is for screen readers; sighted users have the tab.
        place?.replaceChildren(h("h2", { class: "visually-hidden" }, panel.title), panel.element);
        return panel;
      })
      .catch((error) => {
        place?.replaceChildren(
          h("p", { class: "problem", role: "alert" }, `This panel cannot be loaded: ${error?.message ?? error}`),
        );
        return null;
      });
    panels.set(id, loaded);
    return loaded;
  }

  /** Tells the visible panel what has changed. */
  async function updatePanel() {
    const { panel: id } = store.get();
    if (!app.input?.is_runnable) {
      return;
    }
    const panel = await panelOf(id);
    if (!panel || store.get().panel !== id) {
      return;
    }
    const changed = pending;
    pending = new Set();
    try {
      if (changed.has("panel")) {
        panel.show();
      }
      await panel.update(store.get(), changed);
    } catch (error) {
      app.fail(error);
    }
  }
  const updatePanelSoon = debounce(PANEL_PAUSE, () => void updatePanel());
  const loadEventsSoon = debounce(PANEL_PAUSE, () => void loadEvents());

  store.subscribe((selection, changed) => {
    for (const name of changed) {
      pending.add(name);
    }
    if (changed.has("panel")) {
      tabs.choose(PANELS.some(([id]) => id === selection.panel) ? selection.panel : "state");
      void updatePanel();
    }
    if (changed.has("camera") || changed.has("pose")) {
      loadEventsSoon();
    } else if (RUN_MEMBERS.some((name) => changed.has(name))) {
      void loadEvents();
    }
    picture.update(selection, changed);
    eventsPanel.update(selection, changed);
    if (["events", "input", "edits"].some((name) => changed.has(name))) {
      header.update();
    }
    updatePanelSoon();
  });

  /** Loads the events of the run; those before stay until they have come. */
  async function loadEvents() {
    if (!app.input?.is_runnable) {
      return;
    }
    const spec = JSON.stringify(store.run());
    try {
      const answer = await engine.latest("events")({ request: "events", run: store.run() });
      if (!answer || spec !== JSON.stringify(store.run())) {
        return;
      }
      app.events = /** @type {Events} */ (answer.json);
    } catch (error) {
      app.fail(error);
      picture.fail();
      return;
    }
    const { count, events } = app.events;
    eventsOfDraws = new Map(events.flatMap((row) => (row.draw === null ? [] : [[row.draw, row.event]])));
    const event = mustChooseEvent ? (drawAtOrBefore(count)?.event ?? count) : Math.min(store.get().event, count);
    mustChooseEvent = false;
    store.set({ event }, { replace: true, also: ["events"] });
    if (!app.events.is_complete) {
      app.announce(`The run is not complete: ${app.events.ended}.`);
    }
  }

  /**
   * @param {number} event
   * @param {{after?: boolean}} [options]
   */
  function selectEvent(event, options = {}) {
    const count = app.events?.count ?? 0;
    const wanted = Math.max(0, Math.min(event, count));
    const { after = store.get().after } = options;
    const isSame = wanted === store.get().event;
    store.set({ event: wanted, after, ...(isSame ? {} : { vertex: null, primitive: null, command: null }) });
  }

  /**
   * Returns the last draw up to an event.
   * @param {number} event
   * @returns {EventRow | null}
   */
  function drawAtOrBefore(event) {
    const rows = app.events?.events ?? [];
    for (let index = Math.min(event, rows.length - 1); index >= 0; index -= 1) {
      const row = rows[index];
      if (row && row.draw !== null) {
        return row;
      }
    }
    return null;
  }

  /** Shows the command with a number, at the event that it precedes. @param {number} command */
  function showCommand(command) {
    const event = app.eventOfCommand(command);
    if (event !== null) {
      selectEvent(event);
      store.set({ command, panel: "commands" });
    }
  }

  /** Returns the buffer that the picture shows: the chosen one, or that of the event's draw. */
  function shownBuffer() {
    const { target, event } = store.get();
    if (target) {
      return target;
    }
    const row = drawAtOrBefore(event) ?? app.events?.events.find((row) => row.buffer !== null);
    const buffer = row && row.buffer !== null ? app.events?.buffers[row.buffer] : null;
    return buffer ?? app.events?.screen ?? null;
  }

  /** @type {{key: string, answer: Promise<any>} | null} */
  let history = null;

  /** Returns the history of the picked pixel over the whole run; null if none is picked. */
  async function pixelHistory() {
    const { pixel } = store.get();
    const buffer = shownBuffer();
    if (!pixel || !app.events) {
      return null;
    }
    const target = buffer && { address: buffer.address, stride: buffer.stride, format: buffer.format };
    const request = { request: "pixel", run: store.run(), x: pixel[0], y: pixel[1], ...(target && { target }) };
    const key = JSON.stringify(request);
    if (history?.key !== key) {
      const answer = engine
        .latest("pixel")(request)
        .then((answer) => answer?.json.document ?? null);
      history = { key, answer };
      const forget = () => {
        history = history?.key === key ? null : history;
      };
      answer.then((document) => document ?? forget(), forget);
    }
    return history.answer;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {Buffer | null} [target]
   */
  function pickPixel(x, y, target) {
    store.set({ pixel: [x, y], ...(target === undefined ? {} : { target }) });
    app.openPanel("pixel");
  }

  /**
   * Opens a file: the one to inspect, or input 1 to compare it with.
   * @param {string} name
   * @param {Uint8Array} bytes
   * @param {number} [input]
   */
  async function openFile(name, bytes, input = 0) {
    try {
      app.announce(`Opening ${name}.`);
      const { json } = await engine.request({ request: "open", input, name }, bytes);
      if (input === 0) {
        takeInput(/** @type {Input} */ (json), false);
        return;
      }
      app.rival = /** @type {Input} */ (json);
      app.announce(`${name} is open to compare with.`);
      const { rival } = store.get();
      store.set({ rival: { ...(rival ?? {}), input: 1 } });
      store.publish(new Set(["rival"]));
    } catch (error) {
      app.fail(error);
    }
  }

  /**
   * Shows a file that the engine has opened.
   * @param {Input} input
   * @param {boolean} isFirst whether the page's address may name a place in it
   */
  function takeInput(input, isFirst) {
    app.input = input;
    app.events = null;
    mustChooseEvent = true;
    const named = fileOfHash(location.hash);
    if (isFirst && location.hash.length > 1 && (named === null || named === input.hash)) {
      store.readAddress();
      mustChooseEvent = !new URLSearchParams(location.hash.slice(1)).has("event");
    } else {
      if (isFirst && named !== null && named !== input.hash) {
        app.fail(new EngineError("address", "The page's address is of another file, so its place is not shown."));
      }
      store.reset();
    }
    if (input.kind === "model" && !new URLSearchParams(location.hash.slice(1)).has("panel")) {
      store.set({ panel: "model" }, { replace: true });
    }
    tabs.show("model", input.kind === "model");
    document.title = `${input.name} – pspge`;
    startPage.hidden = true;
    main.hidden = !input.is_runnable;
    otherFile.element.hidden = input.is_runnable;
    otherFile.update(input);
    tabs.choose(store.get().panel);
    header.update();
    store.publish(new Set([...Object.keys(store.get()), "events"]));
  }

  /** Saves a picture or a part of the run. @param {"gltf" | "png" | "dump" | "trim"} what */
  async function exportFile(what) {
    const { event, after } = store.get();
    try {
      const at = what === "png" || what === "trim" ? { at: { event, after } } : {};
      const { json, bytes } = await engine.request({ request: "export", run: store.run(), what, ...at });
      saveFile(json.name, json.media_type, bytes);
      app.announce(`${json.name} is saved.`);
    } catch (error) {
      app.fail(error);
    }
  }

  function showNotes() {
    notes.show();
  }

  /** @param {"light" | "dark" | "system"} theme */
  function setTheme(theme) {
    remember("theme", theme);
    const isDark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    store.publish(new Set(["theme"]));
  }

  /** @param {"right" | "below"} dock */
  function setDock(dock) {
    remember("dock", dock);
    work.dataset.dock = dock;
    sideSplitter.dispatchEvent(new Event("layout"));
  }

  /** @param {number} percent */
  function setTextSize(percent) {
    remember("text-size", String(percent));
    document.documentElement.style.setProperty("--text-scale", String(percent / 100));
  }

  const step = (/** @type {number} */ steps) => selectEvent(store.get().event + steps);

  /** @param {1 | -1} direction */
  async function stepPixelEvent(direction) {
    try {
      const document = await pixelHistory();
      if (!document) {
        app.announce("No pixel is picked.");
        return;
      }
      const { event } = store.get();
      const changes = document.entries
        .filter((/** @type {any} */ entry) => entry.written)
        .map((/** @type {any} */ entry) => entry.event);
      const next =
        direction > 0
          ? changes.find((/** @type {number} */ other) => other > event)
          : changes.findLast((/** @type {number} */ other) => other < event);
      if (next === undefined) {
        app.announce(direction > 0 ? "No later event changes the pixel." : "No earlier event changes the pixel.");
      } else {
        selectEvent(next);
      }
    } catch (error) {
      app.fail(error);
    }
  }

  listenToKeys({
    nextEvent: () => step(1),
    previousEvent: () => step(-1),
    firstEvent: () => selectEvent(0),
    lastEvent: () => selectEvent(app.events?.count ?? 0),
    nextPixelEvent: () => void stepPixelEvent(1),
    previousPixelEvent: () => void stepPixelEvent(-1),
    filter: () => eventsPanel.focusFilter(),
    skip: () => eventsPanel.toggleSkip(store.get().event),
    solo: () => eventsPanel.toggleSolo(store.get().event),
    ...picture.actions,
    panel: (digit) => app.openPanel(PANELS[Number(digit) - 1]?.[0] ?? "state"),
    edits: () => app.openPanel("edits"),
    undo: () => app.announce(store.undo() ? "The edit is undone." : "There is no edit to undo."),
    redo: () => app.announce(store.redo() ? "The edit is made again." : "There is no edit to make again."),
    help: () => help.show(),
    escape: () => {
      const { activeElement } = document;
      if (document.querySelector(":popover-open")) {
        document.querySelectorAll(":popover-open").forEach((menu) => /** @type {HTMLElement} */ (menu).hidePopover());
        return;
      }
      if (
        activeElement instanceof HTMLElement &&
        activeElement !== document.body &&
        activeElement.matches("input, select, textarea")
      ) {
        activeElement.blur();
      } else {
        store.set({ pixel: null });
      }
    },
  });

  acceptDrops((name, bytes) => openFile(name, bytes, app.input && store.get().panel === "diff" ? 1 : 0));
  window.addEventListener("popstate", () => {
    const named = fileOfHash(location.hash);
    if (app.input && (named === null || named === app.input.hash)) {
      store.publish(store.readAddress());
    }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
    setTheme(/** @type {any} */ (setting("theme", "system"))),
  );
  setTheme(/** @type {any} */ (setting("theme", "system")));
  setDock(setting("dock", "right") === "below" ? "below" : "right");
  setTextSize(Number(setting("text-size", "100")) || 100);
  main.hidden = true;

  /** Opens the file that the page comes with. */
  async function openFirst() {
    const file = await engine.start();
    if (file) {
      takeInput((await engine.request({ request: "open", input: 0, name: file.name }, file.bytes)).json, true);
    } else if (engine.kind === "http") {
      takeInput((await engine.request({ request: "input", input: 0 })).json, true);
      // After a reload the server still has the file to compare with.
      app.rival = await engine.request({ request: "input", input: 1 }).then(
        ({ json }) => json,
        () => null,
      );
      store.publish(new Set(["rival"]));
    }
  }
  startPage.classList.add("is-loading");
  openFirst()
    .catch((error) => {
      if (!(error instanceof EngineError) || error.code !== "no-file") {
        app.fail(error);
      }
    })
    .finally(() => startPage.classList.remove("is-loading"));
}

/** A triangle in a square. It comes from here, because the page asks nobody for other files. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%231857b8'/%3E%3Cpath d='M8 3 13 13H3Z' fill='none' stroke='white' stroke-width='1.6' stroke-linejoin='round'/%3E%3C/svg%3E";

const root = document.getElementById("app");
if (root) {
  document.head.append(h("link", { rel: "icon", href: ICON }));
  start(root);
}
