// A view of bytes in hexadecimal, with their characters and their last writers.

import { h, hex } from "pspge/base/dom.js";
import type { Answer } from "pspge/state/engine.js";
import { VirtualList } from "pspge/widgets/virtual-list.js";

/** Bytes of a row. */
const ROW = 16;
/** Bytes that are asked for at a time. */
const CHUNK = 4096;
/** Bytes of which the view shows rows: browsers limit the height of a list. */
export const WINDOW = 1 << 20;
/** Colours of writers, after which they repeat. */
const HUES = 8;

type Memory = Answer<"memory">["json"]["document"];
/** `mapped` has a 1 for each byte that exists. */
interface Chunk {
  bytes: Uint8Array;
  mapped: Uint8Array;
  writers: Memory["writers"];
  sources: Memory["sources"];
}
interface Options {
  fetch: (address: number, length: number) => Promise<Answer<"memory"> | null>;
  select: (event: number) => void;
  onactive: (address: number) => void;
}

/** A list of rows of bytes. */
export class HexView {
  private start = 0x0400_0000;
  /** The address that the user asked for; its byte is marked. */
  target = this.start;
  private chunks = new Map<number, Chunk | "waiting" | "failed">();
  /** The bytes of the moment before, which stay until the new ones have come. */
  private before = new Map<number, Chunk>();
  private generation = 0;
  private isScheduled = false;
  private list: VirtualList;
  element: HTMLElement;

  constructor(private options: Options) {
    this.list = new VirtualList(
      {
        label: "Bytes",
        role: "grid",
        rowHeight: 1.4,
        render: (index) => this.row(index),
        onactive: (index) => options.onactive(this.start + index * ROW),
      },
      hexHeader(),
    );
    this.list.element.classList.add("hex-list");
    this.element = h("div", { class: "hex-view" }, this.list.element);
    this.list.setCount(WINDOW / ROW);
  }

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
  show(address: number) {
    const start = (address & ~(WINDOW - 1)) >>> 0;
    const isOther = start !== this.start;
    this.start = start;
    this.target = address;
    if (isOther) {
      this.list.element.scrollTop = 0;
    }
    this.list.refresh();
    this.list.setActive(((address - start) / ROW) | 0);
  }

  /** Returns the last writer of a byte, or its place in a file; null if it is not known yet. */
  factsOf(address: number) {
    const chunk = this.chunks.get((address & ~(CHUNK - 1)) >>> 0);
    if (typeof chunk !== "object") {
      return null;
    }
    const isIn = (part: { address: number; length: number }) => address >= part.address && address < part.address + part.length;
    return {
      writer: chunk.writers.find(isIn) ?? null,
      source: chunk.sources.find(isIn) ?? null,
      isMapped: chunk.mapped[address % CHUNK] === 1,
    };
  }

  private row(index: number) {
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
  private bytes({ chunk, before, writers }: { chunk: Chunk; before: Chunk; writers: Chunk["writers"] }, address: number, length: number, isHex: boolean) {
    const runs: { mark: string; text: string }[] = [];
    for (let at = address; at < address + length; at += 1) {
      const offset = at % CHUNK;
      const isMapped = chunk.mapped[offset] === 1;
      const value = chunk.bytes[offset] ?? 0;
      const writer = writers.find((one) => at >= one.address && at < one.address + one.length);
      const marks = [
        writer ? `writer-${writer.event % HUES}` : isMapped ? "" : "is-unmapped",
        at === this.target ? "is-target" : "",
        value === before.bytes[offset] ? "" : "is-changed",
      ];
      const mark = marks.filter(Boolean).join(" ");
      const last = runs.at(-1);
      const text = isHex ? byteText(value, isMapped) : characterOf(value, isMapped);
      // A space between bytes belongs to both only if they look the same.
      if (last?.mark === mark) {
        last.text += (isHex ? " " : "") + text;
      } else {
        runs.push({ mark, text });
      }
    }
    return runs.flatMap(({ mark, text }, nth) => [isHex && nth > 0 && " ", h("span", { class: mark }, text)]);
  }

  private labels(writers: Chunk["writers"]) {
    const events = [...new Map(writers.map((writer) => [writer.event, writer])).values()];
    const links = events.slice(0, 3).map((writer) => {
      const text = writer.draw === null ? `event ${writer.event}` : `draw ${writer.draw}`;
      // Links inside the rows of a list are no stops of Tab: the line below the list has them, too.
      const props = { type: "button", class: `link writer-${writer.event % HUES}`, tabindex: -1, title: `Select ${text}` };
      return h("button", { ...props, onclick: () => this.options.select(writer.event) }, text);
    });
    return [links, events.length > 3 && ` +${events.length - 3}`];
  }

  private async load(start: number) {
    const { generation } = this;
    this.chunks.set(start, "waiting");
    const answer = await this.options.fetch(start, CHUNK);
    if (generation !== this.generation) {
      return;
    }
    this.chunks.set(start, answer ? chunkOf(start, answer) : "failed");
    // Many chunks may come at once while the list is scrolled.
    this.schedule();
    this.options.onactive(this.start + Math.max(0, this.list.active) * ROW);
  }

  private schedule() {
    if (this.isScheduled) {
      return;
    }
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.list.refresh();
    });
  }
}

function hexHeader() {
  const columns = Array.from({ length: ROW }, (_, column) => column.toString(16).padStart(2, "0"));
  const groups = [0, 4, 8, 12].map((first) => h("span", { class: "hex-group" }, columns.slice(first, first + 4).join(" ")));
  return h(
    "div",
    { class: "hex-header", "aria-hidden": true },
    h("span", { class: "hex-address" }, "address"),
    h("span", { class: "hex-bytes" }, groups),
    h("span", { class: "hex-text" }, "characters"),
    h("span", { class: "hex-writers" }, "last writers"),
  );
}

function chunkOf(start: number, { json, bytes }: Answer<"memory">): Chunk {
  const { mapped: parts, writers, sources } = json.document;
  const mapped = new Uint8Array(CHUNK);
  for (const { address, length } of parts) {
    mapped.fill(1, address - start, address - start + length);
  }
  return { bytes, mapped, writers, sources };
}

function byteText(value: number, isMapped: boolean) {
  return isMapped ? value.toString(16).padStart(2, "0") : "--";
}

function characterOf(value: number, isMapped: boolean) {
  return !isMapped ? " " : value >= 0x20 && value < 0x7f ? String.fromCharCode(value) : "·";
}
