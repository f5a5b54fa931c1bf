// state/whole-run.ts
import { messageOf } from "pspge/state/engine.js";
import { runKey } from "pspge/state/run.js";
var PART = 1e3;
var MOST = 5e5;
var WholeRun = class {
  /** `onchange` is called after each change. */
  constructor(app, onchange) {
    this.app = app;
    this.onchange = onchange;
  }
  app;
  onchange;
  /** The run and its file. */
  key = "";
  items = [];
  /** Number of the first command of the list. */
  first = 0;
  /** Number of commands of the run; 0 as long as it is not known. */
  total = 0;
  /** The command that shall be shown. */
  wanted = 0;
  /** Why the last part could not be loaded. */
  problem = null;
  /** Counts the changes of the list. */
  changes = 0;
  parts = /* @__PURE__ */ new Map();
  /** Asks for the part of a command, Infinity for the last one, and lists those around it. */
  show(command) {
    const key = runKey(this.app);
    if (key !== this.key) {
      this.key = key;
      this.total = 0;
      this.parts.clear();
    }
    this.wanted = Math.max(0, command);
    if (this.total === 0) {
      this.load(Number.isFinite(command) ? this.wanted : 0);
    } else {
      this.wanted = Math.min(this.wanted, this.total - 1);
      if (this.wanted < this.first || this.wanted >= this.first + this.items.length) {
        this.list();
      }
      this.load(this.wanted);
    }
    this.change();
  }
  change(problem = null) {
    this.problem = problem;
    this.changes += 1;
    this.onchange();
  }
  /** Begins a list around the wanted command. */
  list() {
    this.wanted = Math.min(this.wanted, this.total - 1);
    this.first = Math.max(0, Math.min(this.wanted - MOST / 2, this.total - MOST));
    this.items = new Array(Math.min(MOST, this.total));
    this.parts.clear();
  }
  /** Asks for the part of a command, unless it is there or on its way. */
  load(command) {
    const part = Math.floor(command / PART);
    if (this.parts.has(part)) {
      return;
    }
    const { key } = this;
    const run = this.app.store.run();
    this.parts.set(part, "waiting");
    this.app.engine.request({ request: "commands", run, event: 0, first: part * PART, limit: PART }).then(
      ({ json }) => key === this.key && this.add(part, json),
      (error) => {
        this.parts.delete(part);
        this.change(messageOf(error));
      }
    );
  }
  add(part, json) {
    if (this.total === 0) {
      this.total = json.total;
      this.list();
    }
    this.parts.set(part, { callers: json.callers });
    for (const command of json.commands) {
      const index = command.command - this.first;
      if (index >= 0 && index < this.items.length) {
        this.items[index] = command;
      }
    }
    this.change();
    this.load(this.wanted);
  }
  /** Returns the wanted command, if it is there. */
  wantedCommand() {
    return this.items[this.wanted - this.first] ?? null;
  }
  /** Returns the commands of a part up to one of them, and the addresses of the calls around the first. */
  upTo(command) {
    const start = Math.floor(command / PART) * PART;
    const known = this.parts.get(start / PART);
    const commands = this.items.slice(Math.max(0, start - this.first), command - this.first + 1);
    return { commands, callers: known && known !== "waiting" ? known.callers : [] };
  }
};
export {
  WholeRun
};
