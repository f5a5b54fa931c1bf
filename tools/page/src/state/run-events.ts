// The events of the run: loading them, finding them by draws and commands, and selecting one.

import { debounce } from "pspge/base/dom.js";
import type { App, EventRow } from "pspge/state/app-types.js";
import { EngineError } from "pspge/state/engine.js";

/** Pause before the events follow a camera that moves. */
const PAUSE = 120;

/** Creates the events of the run, which are in `app.events` when they have been loaded. `onfail` is called if they cannot be. */
export function createRunEvents(app: App, onfail: () => void) {
  const { store, engine } = app;
  /** Events by the numbers of their draws. */
  let eventsOfDraws = new Map<number, number>();
  let mustChoose = true;

  /** Loads the events of the run; those before stay until they have come. */
  async function load() {
    if (!app.input?.is_runnable) {
      return;
    }
    const spec = JSON.stringify(store.run());
    try {
      const answer = await engine.latest("events")({ request: "events", run: store.run() });
      if (!answer || spec !== JSON.stringify(store.run())) {
        return;
      }
      app.events = answer.json;
    } catch (error) {
      app.fail(error);
      if (!leaveOutEdits(error)) {
        onfail();
      }
      return;
    }
    const { count, events } = app.events;
    eventsOfDraws = new Map(events.flatMap((row) => (row.draw === null ? [] : [[row.draw, row.event]])));
    const event = mustChoose ? count : Math.min(store.get().event, count);
    mustChoose = false;
    // A command of an event that the run has no more is not shown any more.
    store.set({ event, ...(event !== store.get().event && { command: null }) }, { replace: true, also: ["events"] });
    if (!app.events.is_complete) {
      app.announce(`The run is not complete: ${app.events.ended}.`);
    }
  }

  /** Leaves out an edit of the page's address that the engine refuses, so that the run without it is shown. */
  function leaveOutEdits(error: unknown) {
    const { edits } = store.get();
    const isEdit = error instanceof EngineError && error.code === "edit" && edits.length > 0;
    if (isEdit) {
      const others = edits.filter((edit) => !error.message.startsWith(edit));
      store.correctEdits(others.length < edits.length ? others : []);
    }
    return isEdit;
  }

  /** Selects an event, or the end of the run. */
  function select(event: number, options: { after?: boolean } = {}) {
    const wanted = Math.max(0, Math.min(event, app.events?.count ?? 0));
    const { after = store.get().after } = options;
    const isSame = wanted === store.get().event;
    store.set({ event: wanted, after, ...(isSame ? {} : { vertex: null, primitive: null, command: null }) });
  }

  /** Returns the last draw up to an event. */
  function drawAtOrBefore(event: number): EventRow | null {
    return app.events?.events.findLast((row) => row.event <= event && row.draw !== null) ?? null;
  }

  /** Returns the event that a command leads to: the first one that follows it, or the end of the run; null without events. */
  function ofCommand(command: number): number | null {
    // An action of the CPU has the number of the command after it.
    const next = app.events?.events.find((row) => (row.kind === "cpu" ? row.command > command : row.command >= command));
    return next?.event ?? app.events?.count ?? null;
  }

  return {
    load,
    loadSoon: debounce(PAUSE, () => void load()),
    /** Chooses what is selected when the events have come first: the end of the run, or the event of the page's address. */
    chooseFirst(isEnd: boolean) {
      mustChoose = isEnd;
    },
    select,
    step: (steps: number) => select(store.get().event + steps),
    drawAtOrBefore,
    ofCommand,
    ofDraw: (draw: number) => eventsOfDraws.get(draw) ?? null,
    /** Shows the command with a number, at the event that it leads to. */
    showCommand(command: number) {
      const event = ofCommand(command);
      if (event !== null) {
        select(event);
        store.set({ command, panel: "commands" });
      }
    },
    /** Returns the buffer that the picture shows: the chosen one, or that of the event's draw. */
    shownBuffer() {
      const { target, event } = store.get();
      const screen = app.events && event >= app.events.count ? app.events.screen : null;
      if (target ?? screen) {
        return target ?? screen;
      }
      const row = drawAtOrBefore(event) ?? app.events?.events.find((other) => other.buffer !== null);
      const buffer = row && row.buffer !== null ? app.events?.buffers[row.buffer] : null;
      return buffer ?? app.events?.screen ?? null;
    },
  };
}
