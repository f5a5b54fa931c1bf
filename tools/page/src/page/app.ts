// The start of the page: it connects the engine, the selection, the picture, the events and the panels.

import { h, honest, replace } from "pspge/base/dom.js";
import { listenToKeys } from "pspge/base/keys.js";
import { splitter } from "pspge/base/layout.js";
import { effect, signal } from "pspge/base/preact.js";
import type { RunRequest } from "pspge/documents.js";
import { create as createEvents } from "pspge/events/events.js";
import { helpDialog, notesDialog } from "pspge/page/dialogs.js";
import { createHeader } from "pspge/page/header.js";
import { createMembers } from "pspge/page/members.js";
import { announcer, errorList } from "pspge/page/messages.js";
import { otherFileArea } from "pspge/page/other-file.js";
import { createPanels, panelColumns, panelOfDigit } from "pspge/page/panels.js";
import { create as createPicture } from "pspge/page/picture.js";
import { startArea } from "pspge/page/start-area.js";
import type { App } from "pspge/state/app-types.js";
import { createAppearance } from "pspge/state/appearance.js";
import { createEngine } from "pspge/state/engine.js";
import { acceptDrops, fileName, saveFile } from "pspge/state/files.js";
import { createInput } from "pspge/state/input.js";
import { createPixelHistory } from "pspge/state/pixel-history.js";
import { createRunEvents } from "pspge/state/run-events.js";
import { createStore, RUN_MEMBERS } from "pspge/state/store.js";
import { openWith } from "pspge/state/wishes.js";

/** Things whose change the header shows. */
const HEADER_MEMBERS = ["events", "input", "edits"];

/** Builds the page. */
function start(root: HTMLElement) {
  const announcements = announcer();
  const store = createStore(() => app.input?.hash ?? null, isPossible);
  const errors = errorList({
    complete: () => app.completeInput?.(),
    retry: () => (app.input ? store.publish(new Set([...Object.keys(store.get()), "events"])) : void input.openFirst()),
    paths: () => [app.input?.name, app.rival?.name],
  });

  /** Whether a run is possible with its edits; the engine says why not. */
  async function isPossible(run: RunRequest) {
    return (await app.attempt(app.engine.request({ request: "state", run, event: 0 }))) !== undefined;
  }

  const app: App = {
    store,
    engine: createEngine(),
    input: null,
    rival: null,
    events: null,
    openPanel: (id) => store.set({ panel: id }),
    chosenPanel: signal(store.get().panel),
    stage: signal(null),
    selectEvent: (event, options) => run.select(event, options),
    fail: (error) => errors.add(error),
    attempt: (work) => work.catch((error: unknown) => void errors.add(error)),
    forgetErrors: () => errors.clear(),
    announce: announcements.say,
    row: () => app.events?.events[store.get().event] ?? null,
    drawAtOrBefore: (event) => run.drawAtOrBefore(event),
    eventOfDraw: (draw) => run.ofDraw(draw),
    eventOfCommand: (command) => run.ofCommand(command),
    showCommand: (command) => run.showCommand(command),
    shownBuffer: () => run.shownBuffer(),
    pixelHistory: () => pixelHistory.load(),
    filterEvents: (text) => events.filter(text),
    pickPixel(x, y, target) {
      store.set({ pixel: [x, y], ...(target === undefined ? {} : { target }) });
      app.openPanel("pixel");
    },
    numberToOpen: () => (app.input && store.get().panel === "diff" ? 1 : 0),
    chooseInput: (number) => input.choose(number),
    choosePart: (part) => input.choosePart(part),
    completeInput: null,
    save: saveFile,
    savePage: () => input.savePage(),
    export: (what, draws) => input.save(what, draws),
  };

  const run = createRunEvents(app, () => picture.fail());
  const pixelHistory = createPixelHistory(app);
  const picture = createPicture(app);
  const events = createEvents(app);
  const panels = createPanels(app);
  const work = workArea(app, picture.element, panels.element);
  const main = mainArea(events.element, work.element);
  main.append(panels.floating);
  const help = helpDialog();
  const notes = notesDialog(app);
  const members = createMembers(app);
  const header = createHeader(app, {
    members() {
      members.toggle();
      header.update();
    },
    hasMembers: members.isShown,
    nextFrame: () => input.nextFrame(),
    help: () => help.show(),
    notes: () => notes.show(),
    appearance: (name, value) => appearance(name, value),
    panels,
  });
  const startPage = startArea(app);
  const otherFile = otherFileArea(app);
  const shown = h("div", { class: "shown" }, members.element, otherFile.element, main);
  replace(
    root,
    header.element,
    errors.element,
    startPage,
    shown,
    help.element,
    notes.element,
    announcements.element,
  );

  store.subscribe((selection, changed) => {
    if (changed.has("camera") || changed.has("pose")) {
      run.loadSoon();
    } else if (RUN_MEMBERS.some((name) => changed.has(name))) {
      void run.load();
    }
    app.chosenPanel.value = selection.panel;
    picture.update(selection, changed);
    events.update(selection, changed);
    panels.update(selection, changed);
    if (HEADER_MEMBERS.some((name) => changed.has(name))) {
      header.update();
    }
  });
  const appearance = createAppearance({
    ontheme: () => store.publish(new Set(["theme"])),
    ondock: work.setDock,
  });

  const input = createInput(app, (opened, hasEvent) => {
    run.chooseFirst(!hasEvent);
    document.title = `${honest([fileName(opened.container), opened.part.member].filter(Boolean).join(" › "))} – pspge`;
    startPage.hidden = true;
    main.hidden = !opened.is_runnable;
    otherFile.element.hidden = opened.is_runnable;
    if (!opened.is_runnable) {
      otherFile.update(opened);
    } else if (!hasEvent) {
      void picture.preview();
    }
    panels.showTabs();
    members.update();
    header.update();
  });

  listenToKeys({
    nextEvent: () => run.step(1),
    previousEvent: () => run.step(-1),
    firstEvent: () => run.select(0),
    lastEvent: () => run.select(app.events?.count ?? 0),
    nextPixelEvent: () => void pixelHistory.step(1),
    previousPixelEvent: () => void pixelHistory.step(-1),
    filter: () => events.focusFilter(),
    skip: () => events.toggleSkip(store.get().event),
    solo: () => events.toggleSolo(store.get().event),
    compare() {
      const { event } = store.get();
      store.set({ rivalEvent: event, panel: "diff" });
      app.announce(`Event ${event} is compared with the next that you select.`);
    },
    note() {
      openWith(app, "frame", { isNote: true });
    },
    ...picture.actions,
    panel: (digit) => app.openPanel(panelOfDigit(digit)),
    frame: () => app.openPanel("frame"),
    edits: () => app.openPanel("edits"),
    keep: () => panels.toggleKept(),
    undo: () => app.announce(store.undo() ? "The edit is undone." : "There is no edit to undo."),
    redo: () => app.announce(store.redo() ? "The edit is made again." : "There is no edit to make again."),
    help: () => help.show(),
    escape: () => leave() || store.set({ pixel: null }),
  });
  acceptDrops((files) => input.open(files, app.numberToOpen()));
  window.addEventListener("popstate", () => void input.followAddress());

  main.hidden = true;
  startPage.classList.add("is-loading");
  void input.openFirst().finally(() => startPage.classList.remove("is-loading"));
}

/** Creates the area of the picture and the panels, which are at its right or below it. */
function workArea(app: App, picture: HTMLElement, panels: HTMLElement) {
  const element = h("div", { class: "work" });
  // This panel has pictures of its own, which need more room than the one beside it, unless they are in its place.
  const isLarge = () => app.chosenPanel.value === "diff" && app.stage.value === null;
  const divider = splitter({
    label: "Size of the panels",
    name: "side",
    variant: () => (isLarge() ? "-large" : ""),
    usual: () => (element.dataset.dock !== "below" && panelColumns() > 1 ? (window.innerWidth >= 3200 ? 55 : 60) : isLarge() && window.innerWidth >= 1280 ? 64 : 46),
    least: 15,
    most: 80,
    fromEnd: true,
    isVertical: () => element.dataset.dock !== "below",
    parent: () => element,
  });
  element.append(picture, divider, panels);
  const arrange = () => divider.dispatchEvent(new Event("layout"));
  window.addEventListener("resize", arrange);
  effect(() => {
    isLarge();
    arrange();
  });
  return {
    element,
    setDock(dock: string) {
      element.dataset.dock = dock;
      arrange();
    },
  };
}

/** Creates the area of the events and all that is at their right. */
function mainArea(events: HTMLElement, work: HTMLElement) {
  const element = h("main", { class: "main" });
  const divider = splitter({
    label: "Width of the events",
    name: "events",
    usual: 24,
    least: 10,
    most: 60,
    isVertical: () => true,
    parent: () => element,
  });
  element.append(events, divider, work);
  return element;
}

/** Closes the open menu, or leaves the focused text field. Returns whether there was one. */
function leave() {
  const menus: NodeListOf<HTMLElement> = document.querySelectorAll(":popover-open");
  menus.forEach((menu) => menu.hidePopover());
  const { activeElement } = document;
  const isField = activeElement instanceof HTMLElement && activeElement.matches("input, select, textarea");
  if (menus.length === 0 && isField) {
    activeElement.blur();
  }
  return menus.length > 0 || isField;
}

/** A triangle in a square. It comes from here, because the page asks nobody for other files. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%231857b8'/%3E%3Cpath d='M8 3 13 13H3Z' fill='none' stroke='white' stroke-width='1.6' stroke-linejoin='round'/%3E%3C/svg%3E";

const root = document.getElementById("app");
if (root) {
  document.head.append(h("link", { rel: "icon", href: ICON }));
  start(root);
}
