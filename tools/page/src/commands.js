// The panel of the commands that lead to an event, or of all commands of the run, with the reference text of the selected
// one.

import { counted, h, hex, replace } from "pspge/dom.js";
import { tableButton } from "pspge/export.js";
import { splitter } from "pspge/layout.js";
import { VirtualTable } from "pspge/virtual-table.js";
import { button, field, link, Loader, segments, stackWhenNarrow, toggle } from "pspge/widgets.js";
import { WholeRun } from "pspge/whole-run.js";
import { openWith } from "pspge/wishes.js";

/** @typedef {import("pspge/app.js").App} App */

/** @typedef {import("pspge/store.js").Selection} Selection */

/** Most commands that are asked for at once. */
const LIMIT = 50_000;
/** Commands that go on at another address. */
const BRANCHES = ["CALL", "JUMP", "BJUMP"];

/**
 * Creates the panel of commands.
 * @param {App} app
 */
export function create(app) {
  const panel = new CommandsPanel(app);
  return {
    id: "commands",
    title: "Commands",
    key: "7",
    element: panel.element,
    show() {},
    update: (/** @type {Selection} */ selection, /** @type {Set<string>} */ changed) => panel.update(selection, changed),
  };
}

class CommandsPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {import("pspge/documents.js").CommandDocument[]} */
    this.commands = [];
    /** The event whose commands are shown. */
    this.event = -1;
    /** @type {number | null} */
    this.eventCommand = null;
    this.leftOut = 0;
    /** Addresses of the calls around the first command. @type {number[]} */
    this.callers = [];
    this.whole = new WholeRun(app, { onpart: (isNew) => this.showWhole(isNew), onfail: (message) => this.refuse(message) });
    /** Numbers of commands that changed a register. @type {Set<number>} */
    this.changing = new Set();
    /** @type {Map<string, Promise<import("pspge/engine.js").Answer<"reference">>>} */
    this.references = new Map();
    /** @type {import("pspge/documents.js").CommandDocument | null} */
    this.shown = null;
    this.summary = h("p", { class: "panel-summary", "aria-live": "polite" });
    this.scope = segments(
      "Commands",
      [
        { value: "event", text: "Event", title: "The commands from the event before up to this one" },
        { value: "run", text: "Whole run", title: "All commands of the run" },
      ],
      () => this.setScope(),
    );
    this.filter = field("Filter", { size: 18, placeholder: "TEX, 0x0880…", title: "Part of the text, of the address or of the number" }, () => {});
    this.filter.input.addEventListener("input", () => this.list());
    this.filter.input.addEventListener("keydown", (event) => event.key === "Enter" && void this.find(event.shiftKey));
    this.finders = [
      button("Run to", () => void this.find(false), "Go to the next command of the whole run with this text, address or number (Enter)"),
      button("Back to", () => void this.find(true), "Go to the last such command before (Shift Enter)"),
    ];
    this.stack = h("p", { class: "command-stack", "aria-label": "Calls around the selected command" });
    this.onlyChanges = toggle("Only changes", false, () => this.list(), "Only commands that changed a register since the event before");
    this.table = new VirtualTable({
      label: "Commands since the event before",
      columns: [
        { title: "command", about: "Number of the command in the run", width: 11, isNumber: true, cell: (row) => row.command },
        { title: "●", about: "Whether the command changed a value", width: 3, cell: (row) => this.mark(row) },
        { title: "text", about: "The command as assembly text, indented by the depth of calls", width: 34, grows: true, cell: (row) => this.text(row) },
        { title: "address", about: "Address of the word", width: 12, cell: (row) => hex(row.address) },
        { title: "file offset", about: "Offset of the word in its file", width: 11, cell: (row) => (row.file_offset === null ? "–" : hex(row.file_offset, 6)) },
        {
          title: "word",
          about: "The number of the command in the upper 8 bits, the argument in the lower 24",
          width: 10,
          cell: (row) => row.word.toString(16).padStart(8, "0"),
        },
      ],
      onactive: (row) => this.choose(row),
      missing: (index) => this.whole.load(this.whole.first + index),
      rowClass: (row) => [this.changing.has(row.command) && "is-changing", row.command === this.eventCommand && "is-event"].filter(Boolean).join(" "),
    });
    this.save = tableButton(app, () => ({ name: `commands-to-event-${this.event}`, csv: this.table.csv() }));
    this.reference = h("div", { class: "command-reference", tabindex: 0, role: "region", "aria-label": "Reference of the selected command" });
    this.message = h("p", { class: "panel-message", hidden: true });
    this.body = h("div", { class: "commands-body" });
    const border = splitter({
      label: "Size of the reference",
      name: "commands",
      usual: 60,
      least: 20,
      most: 85,
      isVertical: () => !this.body.classList.contains("is-narrow"),
      parent: () => this.body,
    });
    this.body.append(this.table.element, border, this.reference);
    stackWhenNarrow(this.body, 60, border);
    this.element = h(
      "section",
      { class: "commands-panel", "aria-label": "Commands" },
      h("div", { class: "toolbar" }, this.scope.element, this.filter.element, this.finders, this.onlyChanges, this.save, this.summary),
      this.message,
      this.stack,
      this.body,
    );
    this.loader = new Loader(app, "commands", this.element);
  }

  /**
   * @param {Selection} selection
   * @param {Set<string>} changed
   */
  update(selection, changed) {
    const { command } = selection;
    const isStale = changed.has("event") && !changed.has("command") && command !== null && this.eventOf(command) !== selection.event;
    const wanted = isStale ? null : command;
    if (this.isWhole()) {
      this.eventCommand = this.app.row()?.command ?? null;
      this.whole.show(wanted ?? this.eventCommand ?? Infinity);
      this.showWhole(false);
      return;
    }
    const event = wanted === null ? selection.event : (this.eventOf(wanted) ?? selection.event);
    void this.loader.load(
      { request: "commands", run: this.app.store.run(), event, limit: LIMIT },
      ({ json }) => this.setCommands(json, event, wanted),
      (message) => this.refuse(message),
    );
    if (this.event === event) {
      this.activate(wanted);
      this.summarize(this.table.items.length);
    }
    if (isStale) {
      this.app.store.set({ command: null }, { replace: true });
    }
  }

  isWhole() {
    return this.scope.get() === "run";
  }

  setScope() {
    const isWhole = this.isWhole();
    // Only some of all commands are there to be saved; `pspge trace` prints them.
    this.save.hidden = isWhole;
    /** @type {HTMLInputElement} */ (this.onlyChanges.querySelector("input")).disabled = isWhole;
    this.shown = null;
    this.event = -1;
    this.changing = new Set();
    this.loader.forget();
    if (isWhole) {
      this.showWhole(true);
    }
    this.update(this.app.store.get(), new Set());
  }

  /** Shows the commands of the whole run that are there. @param {boolean} isNew whether the list is another one */
  showWhole(isNew) {
    const { whole } = this;
    if (!this.isWhole()) {
      return;
    }
    this.message.hidden = true;
    this.body.hidden = false;
    if (isNew) {
      this.table.setItems(whole.items);
      const last = whole.first + whole.items.length - 1;
      const part = whole.items.length < whole.total ? `, ${whole.first} to ${last} are listed` : "";
      replace(this.summary, whole.total > 0 ? `${counted(whole.total, "command")} in the run${part}.` : "Loading the commands of the run.");
    } else {
      this.table.refresh();
    }
    const row = whole.wantedCommand();
    if (whole.wanted - whole.first !== this.table.active) {
      this.table.setActive(whole.wanted - whole.first);
    }
    if (row && row !== this.shown) {
      void this.showReference(row);
    }
  }

  /**
   * Goes to the next command of the run with the text of the filter, or to the last one before.
   * @param {boolean} backwards
   */
  async find(backwards) {
    const text = this.filter.input.value.trim();
    const from = this.app.store.get().command ?? this.shown?.command ?? this.eventCommand ?? 0;
    if (text === "") {
      this.filter.input.focus();
      return;
    }
    try {
      const { json } = await this.app.engine.request({ request: "find-command", run: this.app.store.run(), text, from, backwards });
      if (json.command === null) {
        const where = backwards ? "before" : "after";
        const answer = `No command ${where} number ${from} has this text; ${json.count} in the whole run have it.`;
        replace(this.summary, answer);
        this.app.announce(answer);
        return;
      }
      this.goTo(json.command);
      this.app.announce(`Command ${json.command}, one of ${json.count} with this text.`);
    } catch (error) {
      this.app.fail(error);
    }
  }

  /** Selects a command as a step of the browser's history, with the event that it leads to. @param {number} command */
  goTo(command) {
    if (this.isWhole()) {
      this.app.store.set({ command });
    } else {
      this.app.showCommand(command);
    }
  }

  /**
   * Returns the event that a command leads to: the first one that follows it, or the end of the run.
   * @param {number} command
   * @returns {number | null}
   */
  eventOf(command) {
    /** @type {{event: number, command: number, kind: string}[] | undefined} */
    const events = this.app.events?.events;
    if (!events) {
      return null;
    }
    const selected = events[this.app.store.get().event];
    // Actions of the CPU share the number of the next command. If the selected event fits, it is meant.
    const before = events[this.app.store.get().event - 1];
    if (selected && isReached(selected, command) && !(before && isReached(before, command))) {
      return selected.event;
    }
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = events[middle];
      if (row && isReached(row, command)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** @param {string} message */
  refuse(message) {
    this.message.hidden = false;
    this.message.textContent = message;
    this.body.hidden = true;
  }

  /**
   * @param {import("pspge/documents.js").CommandsAnswer} json
   * @param {number} event
   * @param {number | null} wanted
   */
  setCommands(json, event, wanted) {
    this.message.hidden = true;
    this.body.hidden = false;
    this.commands = json.commands;
    this.callers = json.callers;
    this.event = event;
    this.eventCommand = json.event_command;
    this.changing = new Set();
    this.leftOut = json.left_out ?? 0;
    this.list();
    this.activate(wanted ?? this.eventCommand);
    void this.markChanges(event);
  }

  /** Lists the commands that pass the filter. */
  list() {
    if (this.isWhole()) {
      return;
    }
    const filter = this.filter.input.value.trim().toLowerCase();
    const onlyChanges = /** @type {HTMLInputElement} */ (this.onlyChanges.querySelector("input")).checked;
    const passes = (/** @type {import("pspge/documents.js").CommandDocument} */ row) => filter === "" || `${row.text} ${hex(row.address)} ${row.command}`.toLowerCase().includes(filter);
    const rows = this.commands.filter((row) => passes(row) && (!onlyChanges || this.changing.has(row.command)));
    this.table.setItems(rows);
    this.summarize(rows.length);
    this.table.setActive(rows.findIndex((row) => row.command === this.shown?.command));
  }

  /** @param {number} shown */
  summarize(shown) {
    const { event, app } = this;
    const row = app.events?.events[event];
    const what = row ? (row.draw === null ? `event ${event}` : `draw ${row.draw}`) : "the end of the run";
    const parts = [`${counted(this.commands.length, "command")} up to ${what}`];
    if (shown < this.commands.length) {
      parts.push(`${shown} shown`);
    }
    if (this.changing.size > 0) {
      parts.push(`${this.changing.size} changed a register`);
    }
    if (this.leftOut > 0) {
      parts.push(`${this.leftOut} more are not listed`);
    }
    const goTo = event === app.store.get().event ? null : [" ", link(`Select ${what}`, () => app.selectEvent(event))];
    replace(this.summary, `${parts.join(", ")}.`, goTo);
  }

  /** @param {number | null} command */
  activate(command) {
    const index = this.table.items.findIndex((row) => row.command === (command ?? this.eventCommand));
    const row = this.table.items[index < 0 ? this.table.items.length - 1 : index];
    if (row && row !== this.shown) {
      this.table.setActive(index < 0 ? this.table.items.length - 1 : index);
      void this.showReference(row);
    }
  }

  /** @param {import("pspge/documents.js").CommandDocument} row */
  choose(row) {
    this.app.store.set({ command: row.command }, { replace: true });
    void this.showReference(row);
  }

  /**
   * Marks the commands that changed registers since the event before.
   * @param {number} event
   */
  async markChanges(event) {
    const run = this.app.store.run();
    const answer = await this.app.engine
      .latest("commands-state")({ request: "state", run, event })
      .catch(() => null);
    if (!answer || this.event !== event) {
      return;
    }
    const { changes, matrix_changes: matrices } = answer.json.document;
    const writers = [...changes.map((change) => change.writer), ...matrices.flatMap((change) => change.writers)];
    this.changing = new Set(writers.map((writer) => writer.command).filter((command) => command !== null));
    this.list();
  }

  /** @param {import("pspge/documents.js").CommandDocument} row */
  mark(row) {
    return this.changing.has(row.command) ? h("span", { class: "change-mark", title: "Changed a register" }, "●") : null;
  }

  /** @param {import("pspge/documents.js").CommandDocument} row */
  text(row) {
    const indent = h("span", { class: "call-depth", "aria-hidden": true });
    indent.style.width = `${Math.min(row.depth, 16) * 2}ch`;
    const space = row.text.indexOf(" ");
    const [name, rest] = space < 0 ? [row.text, ""] : [row.text.slice(0, space), row.text.slice(space)];
    const next = BRANCHES.includes(row.name) ? link(rest.trim(), () => this.goTo(row.command + 1), "Go to the command that follows in the run") : rest;
    return [indent, h("span", { class: "command-name" }, name), next === rest ? rest : [" ", next]];
  }

  /**
   * Returns the calls around a command, the outermost first: their commands, or their addresses if they are not listed.
   * @param {import("pspge/documents.js").CommandDocument} row
   * @returns {(import("pspge/documents.js").CommandDocument | number)[]}
   */
  callsAround(row) {
    const { commands, callers } = this.isWhole() ? this.whole.upTo(row.command) : this;
    /** @type {(import("pspge/documents.js").CommandDocument | number)[]} */
    const calls = [...callers];
    let before = null;
    for (const command of commands) {
      calls.length = Math.min(calls.length, command.depth);
      if (calls.length < command.depth && before) {
        calls.push(before);
      }
      if (command.command >= row.command) {
        break;
      }
      before = command;
    }
    return calls;
  }

  /** Shows the calls around a command, with links. @param {import("pspge/documents.js").CommandDocument} row */
  showStack(row) {
    const calls = this.callsAround(row).map((call) =>
      typeof call === "number"
        ? link(hex(call), () => this.openMemory(call), "Show the word of the call in memory")
        : link(`${hex(call.address)} (${call.command})`, () => this.goTo(call.command), `Go to ${call.text}`),
    );
    replace(this.stack, h("span", { class: "muted" }, "List"), calls.map((call) => [" › ", call]), " › ", h("strong", null, `${row.name} (${row.command})`));
  }

  /** @param {import("pspge/documents.js").CommandDocument} row */
  async showReference(row) {
    this.shown = row;
    this.showStack(row);
    const known = this.references.get(row.name) ?? this.app.engine.request({ request: "reference", name: row.name });
    this.references.set(row.name, known);
    try {
      const answer = await known;
      if (this.shown === row) {
        replace(this.reference, ...this.describe(row, answer.json.document));
        this.reference.scrollTop = 0;
      }
    } catch (error) {
      this.references.delete(row.name);
      this.app.fail(error);
    }
  }

  /**
   * @param {import("pspge/documents.js").CommandDocument} row
   * @param {import("pspge/documents.js").OpcodeDocument} reference
   */
  describe(row, reference) {
    const { app } = this;
    const facts = [
      `command 0x${reference.code.toString(16).padStart(2, "0")}`,
      reference.context_saved ? "saved with the context" : "not saved with the context",
      `known from ${reference.evidence === "hardware" ? "hardware tests" : "documents"} (${reference.source})`,
    ];
    const { target } = row;
    const links = [
      link("Show its word in memory", () => this.openMemory(row.address)),
      target !== null && link(`Show ${hex(target)} in memory`, () => this.openMemory(target)),
      row.command !== this.eventCommand || this.event === app.store.get().event || this.event < 0 ? null : link("Select its event", () => app.selectEvent(this.event)),
      ...this.steps(row),
    ];
    return [
      h("h3", null, reference.name),
      h("p", null, reference.description),
      h("pre", { class: "command-line" }, row.text),
      h("p", { class: "links" }, links),
      reference.fields.length > 0 && this.fields(row, reference),
      reference.details && h("p", { class: "details" }, reference.details),
      h("p", { class: "muted" }, `${facts.join("; ")}.`),
      h(
        "dl",
        { class: "facts" },
        h("dt", null, "after reset"),
        h("dd", null, h("code", null, reference.reset)),
        h("dt", null, "example"),
        h("dd", null, h("code", null, reference.example)),
        h("dt", null, "reference"),
        h(
          "dd",
          null,
          reference.sections.map((/** @type {string} */ section) => h("div", null, h("code", null, section))),
        ),
      ),
    ];
  }

  /**
   * Returns links to other commands of the run, and to the event that a command leads to.
   * @param {import("pspge/documents.js").CommandDocument} row
   */
  steps(row) {
    const { app } = this;
    const event = this.eventOf(row.command);
    const caller = this.callsAround(row).at(-1);
    const listed = this.isWhole() ? this.whole.items : this.commands;
    const over = row.name === "CALL" ? listed.find((other) => other && other.command > row.command && other.depth <= row.depth) : null;
    return [
      event !== null && event !== app.store.get().event && link(`Run to here: select event ${event}`, () => app.selectEvent(event), "Select the first event after this command"),
      over && over.command > row.command + 1 && link(`Step over to ${over.command}`, () => this.goTo(over.command), "Go to the command after the call"),
      typeof caller === "object" && link(`Step out to ${caller.command}`, () => this.goTo(caller.command), "Go to the call that the command is in"),
    ];
  }

  /**
   * @param {import("pspge/documents.js").CommandDocument} row
   * @param {import("pspge/documents.js").OpcodeDocument} reference
   */
  fields(row, reference) {
    const lines = reference.fields.map((of) => {
      const value = row.fields[of.name];
      const values = of.values.map((named) => h("span", { class: named.name === value ? "is-value" : "" }, `${named.value} ${named.name}`));
      return h(
        "tr",
        null,
        h("th", { scope: "row" }, of.name),
        h("td", { class: "bits" }, of.low === of.high ? of.low : `${of.low}–${of.high}`),
        h("td", { class: "value" }, fieldText(value, of.kind)),
        h("td", null, of.description, values.length > 0 && h("div", { class: "named-values" }, values)),
      );
    });
    const heads = ["field", "bits", "value", "meaning"].map((text) => h("th", { scope: "col" }, text));
    return h("table", { class: "plain-table" }, h("thead", null, h("tr", null, heads)), h("tbody", null, lines));
  }

  /** @param {number} address */
  openMemory(address) {
    openWith(this.app, "memory", { address });
  }
}

/**
 * Returns whether a command was executed up to an event.
 * @param {{command: number, kind: string}} event
 * @param {number} command
 */
function isReached(event, command) {
  return event.kind === "cpu" ? command < event.command : command <= event.command;
}

/**
 * Formats the value of a field.
 * @param {any} value
 * @param {string} kind
 * @returns {string}
 */
export function fieldText(value, kind) {
  if (value === null || value === undefined) {
    return "not finite";
  }
  if (Array.isArray(value)) {
    return `#${value.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
  }
  if (typeof value === "boolean") {
    return value ? "on" : "off";
  }
  return kind === "hexadecimal" && typeof value === "number" ? hex(value, 1) : String(value);
}
