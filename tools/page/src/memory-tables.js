// Tables of a part of memory: the events that use it, and the bytes that differ between two moments.

import { count, counted, h, hex, replace } from "pspge/dom.js";
import { tableButton } from "pspge/export.js";
import { VirtualTable } from "pspge/virtual-table.js";
import { button, eventLink, Loader, numberField } from "pspge/widgets.js";

/** @typedef {import("pspge/app.js").App} App */
/** @typedef {{address: number, length: number}} Part */
/** @typedef {{address: number, before: Uint8Array, after: Uint8Array}} Change */

/** Bytes of a change that the table shows. */
const SHOWN = 16;
/** Equal bytes between two changes that are still one row. */
const GAP = 4;

/** The words for uses: those that read, and those that write. */
const USES = /** @type {Record<string, [string, string]>} */ ({
  texture: ["samples as texture", ""],
  palette: ["uses as palette", ""],
  vertices: ["reads as vertices", ""],
  indices: ["reads as indices", ""],
  copy: ["copies from", "copies to"],
  screen: ["shows", ""],
  color: ["blends with", "draws colour"],
  stencil: ["tests stencil", ""],
  depth: ["tests depth", "draws depth"],
  cpu: ["", "the CPU writes"],
});

/** The events of the run that read or write a part of memory. */
export class UsesTable {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.summary = h("p", { class: "panel-summary", "aria-live": "polite" });
    this.table = new VirtualTable({
      label: "Events that use the bytes",
      columns: [
        { title: "event", about: "Number of the event", width: 8, isNumber: true, cell: (row) => row.event ?? "end" },
        { title: "who", about: "The draw, or another event", width: 16, cell: (row) => (row.event === null ? "the end" : eventLink(app, row.event)) },
        { title: "use", about: "How it uses the bytes", width: 22, grows: true, cell: (row) => USES[row.kind]?.[row.is_write ? 1 : 0] || row.kind },
        { title: "bytes", about: "How many of the bytes", width: 10, isNumber: true, cell: (row) => row.bytes },
      ],
      onenter: (row) => row.event !== null && app.selectEvent(row.event),
      rowClass: (row) => `${row.is_write ? "is-changing" : ""} ${row.event === app.store.get().event ? "is-event" : ""}`,
    });
    const save = tableButton(app, () => ({ name: `uses-${hex(this.part.address)}`, csv: this.table.csv() }));
    this.element = h("div", { class: "memory-table" }, h("div", { class: "toolbar" }, this.summary, save), this.table.element);
    this.loader = new Loader(app, "memory-uses", this.element);
    /** @type {Part} */
    this.part = { address: 0, length: 0 };
  }

  /** @param {Part} part */
  show(part) {
    this.part = part;
    const run = this.app.store.run();
    void this.loader.load(
      { request: "memory", run, at: { event: 0 }, uses: true, ...part },
      ({ json }) => {
        const uses = json.document.uses ?? [];
        const writes = uses.filter((use) => use.is_write).length;
        replace(this.summary, `${counted(writes, "write")} and ${counted(uses.length - writes, "read")} of ${counted(part.length, "byte")} at ${hex(part.address)}.`);
        this.table.setItems(uses);
      },
      (message) => replace(this.summary, message),
    );
    this.table.refresh();
  }
}

/** The bytes of a part of memory that differ between the moment before an event and the shown one. */
export class ChangesTable {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.summary = h("p", { class: "panel-summary", "aria-live": "polite" });
    const bytes = (/** @type {Uint8Array} */ bytes) => [...bytes.subarray(0, SHOWN)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ") + (bytes.length > SHOWN ? " …" : "");
    this.table = new VirtualTable({
      label: "Bytes that differ",
      columns: [
        { title: "address", about: "Address of the first byte", width: 12, cell: (/** @type {Change} */ row) => hex(row.address) },
        { title: "bytes", about: "Number of bytes", width: 8, isNumber: true, cell: (row) => row.before.length },
        { title: "before", about: "The bytes before the other event", width: 48, cell: (row) => bytes(row.before) },
        { title: "now", about: "The bytes at the moment that the panel shows", width: 48, grows: true, cell: (row) => bytes(row.after) },
      ],
    });
    this.since = numberField("Compare with the moment before event", { size: 7, least: 0, most: () => app.events?.count ?? 0 }, (event) => app.store.set({ rivalEvent: event }));
    const take = button("Take the selected", () => app.store.set({ rivalEvent: app.store.get().event }), "Compare with the moment before the selected event");
    const save = tableButton(app, () => ({ name: `changes-${hex(this.part.address)}`, csv: this.table.csv() }));
    this.element = h("div", { class: "memory-table" }, h("div", { class: "toolbar" }, this.since.element, take, save), this.summary, this.table.element);
    this.loaders = ["before", "now"].map((name) => new Loader(app, `memory-changes-${name}`, this.element));
    /** @type {(Uint8Array | null)[]} */
    this.sides = [null, null];
    /** @type {Part} */
    this.part = { address: 0, length: 0 };
  }

  /**
   * @param {Part} part
   * @param {{event: number, after: boolean}} now
   */
  show(part, now) {
    this.part = part;
    const event = this.app.store.get().rivalEvent ?? 0;
    if (document.activeElement !== this.since.input) {
      this.since.input.value = String(event);
    }
    for (const [side, at] of [{ event, after: false }, now].entries()) {
      void this.loaders[side]?.load(
        { request: "memory", run: this.app.store.run(), at, ...part },
        ({ bytes }) => {
          this.sides[side] = bytes;
          this.list();
        },
        (message) => {
          this.sides[side] = null;
          replace(this.summary, message);
        },
      );
    }
  }

  list() {
    const [before, now] = this.sides;
    if (!before || !now || before.length !== now.length) {
      return;
    }
    const changes = changesOf(this.part.address, before, now);
    const differing = before.reduce((sum, byte, at) => sum + Number(byte !== now[at]), 0);
    replace(this.summary, `${counted(differing, "byte")} of ${count(before.length)} at ${hex(this.part.address)} ${differing === 1 ? "differs" : "differ"}.`);
    this.table.setItems(changes);
  }
}

/**
 * Lists the bytes that differ, with a few equal ones between them.
 * @param {number} address
 * @param {Uint8Array} before
 * @param {Uint8Array} now
 * @returns {Change[]}
 */
export function changesOf(address, before, now) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (let at = 0; at < before.length; at += 1) {
    if (before[at] === now[at]) {
      continue;
    }
    const last = ranges[ranges.length - 1];
    if (last && at - last[1] <= GAP) {
      last[1] = at + 1;
    } else {
      ranges.push([at, at + 1]);
    }
  }
  return ranges.map(([start, end]) => ({ address: address + start, before: before.subarray(start, end), after: now.subarray(start, end) }));
}
