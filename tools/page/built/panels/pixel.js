// panels/pixel.tsx
import { colorText, counted, hex, reveal, sentence } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { FragmentSteps } from "pspge/panels/fragment-steps.js";
import { storedComponents } from "pspge/picture/picture-pixels.js";
import { runKey } from "pspge/state/run.js";
import { Mono, Swatch, Toggle, useMore } from "pspge/widgets/controls.js";
import { NumberField } from "pspge/widgets/fields.js";
import { EventLink } from "pspge/widgets/links.js";
import { panelOf, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var SHOWN = 200;
var create = panelOf({ id: "pixel", title: "Pixel", className: "panel pixel-panel" }, PixelPanel);
function PixelPanel() {
  const { app, selection } = usePanel();
  const { pixel } = selection;
  const [isOnlyWritten, setOnlyWritten] = useState(false);
  const buffer = app.shownBuffer();
  const key = pixel && runKey(app, pixel, buffer);
  const { answer: history } = useLoaded(key, () => app.pixelHistory());
  const picked = useRef([]);
  useLayoutEffect(() => {
    picked.current = [...pixel ?? [null, null]];
  }, [pixel]);
  const pick = (axis) => (number) => {
    picked.current[axis] = number;
    const [x = null, y = null] = picked.current;
    if (x !== null && y !== null) {
      app.store.set({ pixel: [x, y] });
    }
  };
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "pane-head", children: [
      /* @__PURE__ */ jsx(NumberField, { label: "x", "aria-label": "Column", class: "coordinate", value: pixel?.[0] ?? null, most: (buffer?.width ?? 1) - 1, onEnter: pick(0) }),
      /* @__PURE__ */ jsx(NumberField, { label: "y", "aria-label": "Row", class: "coordinate", value: pixel?.[1] ?? null, most: (buffer?.height ?? 1) - 1, onEnter: pick(1) }),
      /* @__PURE__ */ jsx("span", { class: "muted", children: buffer && `in ${hex(buffer.address)} ${buffer.format}` }),
      /* @__PURE__ */ jsx("span", { class: "spacer" }),
      /* @__PURE__ */ jsx(Toggle, { text: "only changes", isOn: isOnlyWritten, onChange: setOnlyWritten })
    ] }),
    /* @__PURE__ */ jsxs("div", { class: "scroll", children: [
      /* @__PURE__ */ jsx("div", { class: "verdict", role: "status", children: history && /* @__PURE__ */ jsx(Verdict, { history }) }),
      /* @__PURE__ */ jsx("p", { class: "muted", hidden: pixel !== null, children: "Click a pixel in the picture, or write its column and row above. The arrow keys with Ctrl move it." }),
      /* @__PURE__ */ jsx("ol", { class: "history", children: history && /* @__PURE__ */ jsx(Entries, { history, isOnlyWritten }, `${history.x},${history.y}`) })
    ] })
  ] });
}
function Verdict({ history }) {
  const { before, after, writer, verdict, is_complete: isComplete, entries, draws, target } = history;
  const written = entries.filter((entry) => entry.written).length;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("p", { class: "verdict-text", children: sentence(storedVerdict(verdict, target.format)) }),
    /* @__PURE__ */ jsxs("p", { children: [
      /* @__PURE__ */ jsx(Value, { value: before, format: target.format }),
      " → ",
      /* @__PURE__ */ jsx(Value, { value: after, format: target.format }),
      writer !== null && /* @__PURE__ */ jsxs(Fragment, { children: [
        " last written by ",
        /* @__PURE__ */ jsx(EventLink, { event: writer, after: true })
      ] })
    ] }),
    /* @__PURE__ */ jsxs("p", { class: "muted", children: [
      `${counted(entries.length, "event")} of a run with ${counted(draws, "draw")} touched the pixel, ${written} wrote it. `,
      /* @__PURE__ */ jsx("kbd", { children: keyOf("nextPixelEvent") }),
      " and ",
      /* @__PURE__ */ jsx("kbd", { children: keyOf("previousPixelEvent") }),
      " step through these."
    ] }),
    !isComplete && /* @__PURE__ */ jsx("p", { class: "problem", children: "A limit ended the explanations, so that events may be missing." })
  ] });
}
function Value({ value: { bits, color }, format }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Swatch, { color }),
    /* @__PURE__ */ jsx(Mono, { title: `stored as ${hex(bits)}`, children: colorText(storedComponents(color, format)) })
  ] });
}
function Entries({ history, isOnlyWritten }) {
  const newest = history.entries.filter((entry) => entry.written || !isOnlyWritten).toReversed();
  const [shown, more] = useMore(newest, SHOWN, "earlier");
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    shown.map((entry, index) => /* @__PURE__ */ jsx(Entry, { ...{ entry, history }, isFirst: index === 0 }, entry.event)),
    more && /* @__PURE__ */ jsx("li", { children: more }, "more")
  ] });
}
function Entry({ entry, history: { target: { format }, writer }, isFirst }) {
  const { event, written, before, after, from, fragments } = entry;
  const { selection } = usePanel();
  const item = useRef(null);
  const isSelected = event === selection.event;
  const [isOpen, setOpen] = useState(event === writer || writer === null && isFirst);
  useLayoutEffect(() => {
    if (isSelected) {
      setOpen(true);
      reveal(item.current);
    }
  }, [isSelected]);
  const kind = entry.kind === "draw" ? entry.primitive : entry.kind === "cpu" ? `action of the CPU: ${entry.action}` : "block transfer";
  return /* @__PURE__ */ jsxs("li", { ref: item, class: `entry ${written ? "is-written" : "is-kept"}${isSelected ? " is-selected" : ""}`, "aria-current": isSelected, children: [
    /* @__PURE__ */ jsxs("div", { class: "entry-head", children: [
      /* @__PURE__ */ jsx(EventLink, { event, after: true }),
      /* @__PURE__ */ jsx("span", { class: "muted", children: ` ${kind}` }),
      event === writer && /* @__PURE__ */ jsx("span", { class: "badge", children: "last writer" }),
      /* @__PURE__ */ jsx("span", { class: "spacer" }),
      /* @__PURE__ */ jsx("span", { class: "entry-change", children: written ? /* @__PURE__ */ jsxs(Fragment, { children: [
        /* @__PURE__ */ jsx(Value, { value: before, format }),
        " → ",
        /* @__PURE__ */ jsx(Value, { value: after, format })
      ] }) : /* @__PURE__ */ jsx("span", { class: "muted", children: "not written" }) })
    ] }),
    /* @__PURE__ */ jsx("p", { class: "entry-verdict", children: sentence(withoutDraw(storedVerdict(entry.verdict, format))) }),
    typeof from === "number" && /* @__PURE__ */ jsxs("p", { class: "muted", children: [
      "copied from ",
      /* @__PURE__ */ jsx(Mono, { children: hex(from) })
    ] }),
    fragments.length > 0 && /* @__PURE__ */ jsxs("details", { open: isOpen, onToggle: (toggled) => setOpen(toggled.currentTarget.open), children: [
      /* @__PURE__ */ jsx("summary", { children: fragments.length === 1 ? "Its fragment, step by step" : `${fragments.length} fragments, step by step` }),
      /* @__PURE__ */ jsx("div", { class: "fragments", children: isOpen && fragments.map((fragment) => /* @__PURE__ */ jsx(FragmentSteps, { fragment, event, isOnly: fragments.length === 1, format })) })
    ] })
  ] });
}
function storedVerdict(text, format) {
  return format === "BGR5650" ? text.replace(/(#[0-9a-f]{6})[0-9a-f]{2}\b/g, "$1") : text;
}
function withoutDraw(verdict) {
  return verdict.replace(/^(?:draw|event) \d+(?: of \d+)?[,:] /i, "");
}
export {
  create
};
