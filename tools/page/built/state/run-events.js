// state/run-events.ts
import { debounce } from "pspge/base/dom.js";
import { EngineError } from "pspge/state/engine.js";
var PAUSE = 120;
function createRunEvents(app, onfail) {
  const { store, engine } = app;
  let eventsOfDraws = /* @__PURE__ */ new Map();
  let mustChoose = true;
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
    eventsOfDraws = new Map(events.flatMap((row) => row.draw === null ? [] : [[row.draw, row.event]]));
    const event = mustChoose ? count : Math.min(store.get().event, count);
    mustChoose = false;
    store.set({ event, ...event !== store.get().event && { command: null } }, { replace: true, also: ["events"] });
    if (!app.events.is_complete) {
      app.announce(`The run is not complete: ${app.events.ended}.`);
    }
  }
  function leaveOutEdits(error) {
    const { edits } = store.get();
    const isEdit = error instanceof EngineError && error.code === "edit" && edits.length > 0;
    if (isEdit) {
      const others = edits.filter((edit) => !error.message.startsWith(edit));
      store.correctEdits(others.length < edits.length ? others : []);
    }
    return isEdit;
  }
  function select(event, options = {}) {
    const wanted = Math.max(0, Math.min(event, app.events?.count ?? 0));
    const { after = store.get().after } = options;
    const isSame = wanted === store.get().event;
    store.set({ event: wanted, after, ...isSame ? {} : { vertex: null, primitive: null, command: null } });
  }
  function drawAtOrBefore(event) {
    return app.events?.events.findLast((row) => row.event <= event && row.draw !== null) ?? null;
  }
  function ofCommand(command) {
    const next = app.events?.events.find((row) => row.kind === "cpu" ? row.command > command : row.command >= command);
    return next?.event ?? app.events?.count ?? null;
  }
  return {
    load,
    loadSoon: debounce(PAUSE, () => void load()),
    /** Chooses what is selected when the events have come first: the end of the run, or the event of the page's address. */
    chooseFirst(isEnd) {
      mustChoose = isEnd;
    },
    select,
    step: (steps) => select(store.get().event + steps),
    drawAtOrBefore,
    ofCommand,
    ofDraw: (draw) => eventsOfDraws.get(draw) ?? null,
    /** Shows the command with a number, at the event that it leads to. */
    showCommand(command) {
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
    }
  };
}
export {
  createRunEvents
};
