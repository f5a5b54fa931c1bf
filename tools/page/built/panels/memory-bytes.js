// panels/memory-bytes.tsx
import { hex } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useState } from "pspge/base/preact.js";
import { fileName } from "pspge/state/files.js";
import { runKey } from "pspge/state/run.js";
import { EventLink } from "pspge/widgets/links.js";
import { usePanel } from "pspge/widgets/panel.js";
import { Table } from "pspge/widgets/virtual-table.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var ROW = 16;
var CHUNK = 4096;
var WINDOW = 1 << 20;
var HUES = 8;
var GROUPS = [0, 4, 8, 12];
var HEADS = GROUPS.map((group) => [0, 1, 2, 3].map((nth) => byteText(group + nth, true)).join(" ")).join("  ");
function Bytes({ isShown, address: target }) {
  const { app, selection } = usePanel();
  const { event, after } = selection;
  const run = app.store.run();
  const moment = runKey(app, event, after);
  const [chunks] = useState(() => /* @__PURE__ */ new Map());
  const [, redraw] = useState({});
  const [chosen, choose] = useState(target);
  const start = (target & ~(WINDOW - 1)) >>> 0;
  const rows = useMemo(() => Array.from({ length: WINDOW / ROW }, (_, row) => start + row * ROW), [start]);
  useLayoutEffect(() => choose(target), [isShown, target]);
  const knownAt = (address) => {
    const first = (address & ~(CHUNK - 1)) >>> 0;
    const known = chunks.get(first);
    if (known?.moment === moment) {
      return known;
    }
    const asked = { moment, now: null, before: known?.now ?? known?.before ?? null, isFailed: false };
    chunks.set(first, asked);
    const answer = app.attempt(app.engine.request({ request: "memory", run, at: { event, after }, address: first, length: CHUNK }));
    void answer.then((found) => {
      Object.assign(asked, found ? { now: chunkOf(first, found) } : { isFailed: true });
      redraw({});
    });
    return asked;
  };
  const writersOf = (address, length) => {
    const { now, before } = knownAt(address);
    return (now ?? before)?.writers.filter((writer) => writer.address < address + length && writer.address + writer.length > address) ?? [];
  };
  const runs = (address, length, gap, textOf) => {
    const { now, before } = knownAt(address);
    const chunk = now ?? before;
    const writers = writersOf(address, length);
    const found = [];
    for (let at = address; chunk && at < address + length; at += 1) {
      const offset = at % CHUNK;
      const isMapped = chunk.mapped[offset] === 1;
      const writer = writers.find((part) => at >= part.address && at < part.address + part.length);
      const marks = [
        writer ? `writer-${writer.event % HUES}` : isMapped ? "" : "is-unmapped",
        at === target && "is-target",
        before && chunk.bytes[offset] !== before.bytes[offset] && "is-changed"
      ];
      const mark = marks.filter(Boolean).join(" ");
      const text = textOf(chunk.bytes[offset], isMapped);
      const last = found.at(-1);
      if (last?.mark === mark) {
        last.text += gap + text;
      } else {
        found.push({ mark, text });
      }
    }
    return found.map(({ mark, text }, nth) => /* @__PURE__ */ jsxs(Fragment, { children: [
      nth > 0 && gap,
      /* @__PURE__ */ jsx("span", { class: mark, children: text })
    ] }));
  };
  const bytesOf = (address) => {
    const { now, before, isFailed } = knownAt(address);
    if (isFailed || !(now ?? before)) {
      return /* @__PURE__ */ jsx("span", { class: "muted", children: isFailed ? "not known" : "…" });
    }
    return /* @__PURE__ */ jsx("span", { class: "hex-bytes", children: GROUPS.map((group, nth) => /* @__PURE__ */ jsxs(Fragment, { children: [
      nth > 0 && "  ",
      runs(address + group, 4, " ", byteText)
    ] })) });
  };
  const linksOf = (address) => {
    const events = [...new Set(writersOf(address, ROW).map((writer) => writer.event))];
    const links = events.slice(0, 3).map((writer) => /* @__PURE__ */ jsx(EventLink, { event: writer, class: `writer-${writer % HUES}`, tabIndex: -1 }));
    return /* @__PURE__ */ jsxs("span", { class: "hex-writers", children: [
      links,
      events.length > 3 && ` +${events.length - 3}`
    ] });
  };
  const columns = [
    { title: "address", width: 12, isHead: true, cell: (address) => hex(address) },
    { title: HEADS, about: "The bytes", width: 53, cell: bytesOf },
    { title: "characters", width: 19, cell: (address) => runs(address, ROW, "", characterOf) },
    { title: "last writers", width: 20, grows: true, cell: linksOf }
  ];
  return isShown ? /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("div", { class: "memory-bytes", children: /* @__PURE__ */ jsx(
      Table,
      {
        label: "Bytes",
        columns,
        rows,
        active: (chosen - start) / ROW | 0,
        onActive: (row) => choose(target >= row && target < row + ROW ? target : row)
      }
    ) }),
    /* @__PURE__ */ jsx("p", { class: "memory-facts", "aria-live": "off", children: /* @__PURE__ */ jsx(ByteFacts, { chunk: knownAt(chosen).now, byte: chosen, after }) })
  ] }) : null;
}
function ByteFacts({ chunk, byte, after }) {
  if (!chunk) {
    return /* @__PURE__ */ jsx(Fragment, { children: " " });
  }
  const isIn = (part) => byte >= part.address && byte < part.address + part.length;
  const [writer, source] = [chunk.writers.find(isIn), chunk.sources.find(isIn)];
  const nobody = chunk.mapped[byte % CHUNK] === 1 ? `No event ${after ? "up to and with" : "before"} the selected one wrote ${hex(byte)}.` : `There is no memory at ${hex(byte)}.`;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    writer ? /* @__PURE__ */ jsxs(Fragment, { children: [
      `${hex(byte)} was written last by `,
      /* @__PURE__ */ jsx(EventLink, { event: writer.event }),
      "."
    ] }) : nobody,
    source && ` It was loaded from ${fileName(source.file)} at ${hex(source.file_offset + byte - source.address, 6)}.`
  ] });
}
function chunkOf(start, { json, bytes }) {
  const { mapped: parts, writers, sources } = json.document;
  const mapped = new Uint8Array(CHUNK);
  parts.forEach(({ address, length }) => mapped.fill(1, address - start, address - start + length));
  return { bytes, mapped, writers, sources };
}
function byteText(value, isMapped) {
  return isMapped ? value.toString(16).padStart(2, "0") : "--";
}
function characterOf(value, isMapped) {
  return !isMapped ? " " : value >= 32 && value < 127 ? String.fromCharCode(value) : "·";
}
export {
  Bytes,
  WINDOW
};
