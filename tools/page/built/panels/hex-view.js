// panels/hex-view.ts
import { h, hex } from "pspge/base/dom.js";
import { VirtualList } from "pspge/widgets/virtual-list.js";
var ROW = 16;
var CHUNK = 4096;
var WINDOW = 1 << 20;
var HUES = 8;
var HexView = class {
  constructor(options) {
    this.options = options;
    this.list = new VirtualList(
      {
        label: "Bytes",
        role: "grid",
        rowHeight: 1.4,
        render: (index) => this.row(index),
        onactive: (index) => options.onactive(this.start + index * ROW)
      },
      hexHeader()
    );
    this.list.element.classList.add("hex-list");
    this.element = h("div", { class: "hex-view" }, this.list.element);
    this.list.setCount(WINDOW / ROW);
  }
  options;
  start = 67108864;
  /** The address that the user asked for; its byte is marked. */
  target = this.start;
  chunks = /* @__PURE__ */ new Map();
  /** The bytes of the moment before, which stay until the new ones have come. */
  before = /* @__PURE__ */ new Map();
  generation = 0;
  isScheduled = false;
  list;
  element;
  /** Asks for all bytes again, because the run or the moment has changed. Bytes that differ then are marked. */
  forget() {
    this.generation += 1;
    for (const [start, chunk] of this.chunks) {
      if (typeof chunk === "object") {
        this.before.set(start, chunk);
      }
    }
    this.chunks.clear();
    this.list.refresh();
  }
  /** Shows an address. */
  show(address) {
    const start = (address & ~(WINDOW - 1)) >>> 0;
    const isOther = start !== this.start;
    this.start = start;
    this.target = address;
    if (isOther) {
      this.list.element.scrollTop = 0;
    }
    this.list.refresh();
    this.list.setActive((address - start) / ROW | 0);
  }
  /** Returns the last writer of a byte, or its place in a file; null if it is not known yet. */
  factsOf(address) {
    const chunk = this.chunks.get((address & ~(CHUNK - 1)) >>> 0);
    if (typeof chunk !== "object") {
      return null;
    }
    const isIn = (part) => address >= part.address && address < part.address + part.length;
    return {
      writer: chunk.writers.find(isIn) ?? null,
      source: chunk.sources.find(isIn) ?? null,
      isMapped: chunk.mapped[address % CHUNK] === 1
    };
  }
  row(index) {
    const address = this.start + index * ROW;
    const start = (address & ~(CHUNK - 1)) >>> 0;
    if (!this.chunks.has(start)) {
      void this.load(start);
    }
    const known = this.chunks.get(start);
    const before = this.before.get(start);
    const chunk = typeof known === "object" ? known : known === "failed" ? null : before;
    const first = h("span", { class: "hex-address", role: "rowheader" }, hex(address));
    if (!chunk) {
      return h("div", { class: "hex-row" }, first, h("span", { class: "muted", role: "gridcell" }, known === "failed" ? "not known" : "…"));
    }
    const writers = chunk.writers.filter((writer) => writer.address < address + ROW && writer.address + writer.length > address);
    const part = { chunk, before: before ?? chunk, writers };
    const groups = [0, 4, 8, 12].map((column) => h("span", { class: "hex-group" }, this.bytes(part, address + column, 4, true)));
    const text = h("span", { class: "hex-text", role: "gridcell" }, this.bytes(part, address, ROW, false));
    const labels = h("span", { class: "hex-writers", role: "gridcell" }, this.labels(writers));
    return h("div", { class: "hex-row" }, first, h("span", { class: "hex-bytes", role: "gridcell" }, groups), text, labels);
  }
  /** Returns bytes or characters as runs with the same marks. */
  bytes({ chunk, before, writers }, address, length, isHex) {
    const runs = [];
    for (let at = address; at < address + length; at += 1) {
      const offset = at % CHUNK;
      const isMapped = chunk.mapped[offset] === 1;
      const value = chunk.bytes[offset] ?? 0;
      const writer = writers.find((one) => at >= one.address && at < one.address + one.length);
      const marks = [
        writer ? `writer-${writer.event % HUES}` : isMapped ? "" : "is-unmapped",
        at === this.target ? "is-target" : "",
        value === before.bytes[offset] ? "" : "is-changed"
      ];
      const mark = marks.filter(Boolean).join(" ");
      const last = runs.at(-1);
      const text = isHex ? byteText(value, isMapped) : characterOf(value, isMapped);
      if (last?.mark === mark) {
        last.text += (isHex ? " " : "") + text;
      } else {
        runs.push({ mark, text });
      }
    }
    return runs.flatMap(({ mark, text }, nth) => [isHex && nth > 0 && " ", h("span", { class: mark }, text)]);
  }
  labels(writers) {
    const events = [...new Map(writers.map((writer) => [writer.event, writer])).values()];
    const links = events.slice(0, 3).map((writer) => {
      const text = writer.draw === null ? `event ${writer.event}` : `draw ${writer.draw}`;
      const props = { type: "button", class: `link writer-${writer.event % HUES}`, tabindex: -1, title: `Select ${text}` };
      return h("button", { ...props, onclick: () => this.options.select(writer.event) }, text);
    });
    return [links, events.length > 3 && ` +${events.length - 3}`];
  }
  async load(start) {
    const { generation } = this;
    this.chunks.set(start, "waiting");
    const answer = await this.options.fetch(start, CHUNK);
    if (generation !== this.generation) {
      return;
    }
    this.chunks.set(start, answer ? chunkOf(start, answer) : "failed");
    this.schedule();
    this.options.onactive(this.start + Math.max(0, this.list.active) * ROW);
  }
  schedule() {
    if (this.isScheduled) {
      return;
    }
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.list.refresh();
    });
  }
};
function hexHeader() {
  const columns = Array.from({ length: ROW }, (_, column) => column.toString(16).padStart(2, "0"));
  const groups = [0, 4, 8, 12].map((first) => h("span", { class: "hex-group" }, columns.slice(first, first + 4).join(" ")));
  return h(
    "div",
    { class: "hex-header", "aria-hidden": true },
    h("span", { class: "hex-address" }, "address"),
    h("span", { class: "hex-bytes" }, groups),
    h("span", { class: "hex-text" }, "characters"),
    h("span", { class: "hex-writers" }, "last writers")
  );
}
function chunkOf(start, { json, bytes }) {
  const { mapped: parts, writers, sources } = json.document;
  const mapped = new Uint8Array(CHUNK);
  for (const { address, length } of parts) {
    mapped.fill(1, address - start, address - start + length);
  }
  return { bytes, mapped, writers, sources };
}
function byteText(value, isMapped) {
  return isMapped ? value.toString(16).padStart(2, "0") : "--";
}
function characterOf(value, isMapped) {
  return !isMapped ? " " : value >= 32 && value < 127 ? String.fromCharCode(value) : "·";
}
export {
  HexView,
  WINDOW
};
