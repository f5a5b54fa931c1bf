// panels/diff.tsx
import { counted, hex, sentence } from "pspge/base/dom.js";
import { ARITHMETICS } from "pspge/base/edit-text.js";
import { useState } from "pspge/base/preact.js";
import { Pictures, useComparison } from "pspge/panels/diff-pictures.js";
import { fileName } from "pspge/state/files.js";
import { Button, Color, Select, SmallTable, Tabs } from "pspge/widgets/controls.js";
import { NumberField, useTyped } from "pspge/widgets/fields.js";
import { EventLink } from "pspge/widgets/links.js";
import { panelOf, useAnswer, usePanel } from "pspge/widgets/panel.js";
import { useStage } from "pspge/widgets/stage.js";
import { Table } from "pspge/widgets/virtual-table.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var VALUES = [
  { title: "value", about: "Path in the description of the draw", width: 46, grows: true, cell: (row) => row.path },
  { title: "A", width: 26, cell: (row) => row.a ?? "none" },
  { title: "B", width: 26, cell: (row) => row.b ?? "none" }
];
var create = panelOf({ id: "diff", title: "Diff", className: "diff-panel", label: "Diff" }, DiffPanel);
function rivalOf({ rival, input, camera, pose }) {
  return { input, arithmetic: "hardware", edits: [], ...camera && { camera }, ...pose && { pose }, ...rival };
}
function DiffPanel() {
  const { app, selection } = usePanel();
  const { store } = app;
  const { event, rivalEvent } = selection;
  const [part, setPart] = useState("pictures");
  const comparison = useComparison();
  const [isOnStage, stageSwitch] = useStage(true);
  const [a, b] = [rivalOf(selection), store.run()];
  const isSameRun = isSame(a, b) && (rivalEvent === null || rivalEvent === event);
  const { answer, problem } = useAnswer("diff", isSameRun ? null : { request: "diff", a, b, events: rivalEvent === null ? null : [rivalEvent, event] });
  const document = problem === null && answer?.json.document || null;
  const swap = () => store.set({ input: a.input ?? 0, arithmetic: a.arithmetic === "single" ? "single" : "hardware", edits: a.edits ?? [], rival: b });
  const parts = [
    ...isOnStage ? [] : [{ value: "pictures", text: "Pictures" }],
    { value: "registers", text: document ? `Registers (${document.registers.length + document.matrices.length})` : "Registers" },
    { value: "values", text: document ? `Values (${document.value_count})` : "Values" },
    { value: "pixel", text: "Pixel history", isDisabled: document !== null && !document.a_pixel && !document.b_pixel }
  ];
  const shown = isOnStage && part === "pictures" ? "registers" : part;
  return /* @__PURE__ */ jsxs("div", { class: "host", onKeyDown: comparison.press, children: [
    /* @__PURE__ */ jsxs("div", { class: "diff-sides", children: [
      /* @__PURE__ */ jsx(Side, { name: "A", title: "A: compared with", run: a, isRival: true }),
      /* @__PURE__ */ jsx(Button, { title: "Swap the sides", onClick: swap, children: "⇄" }),
      /* @__PURE__ */ jsx(Side, { name: "B", title: "B: this page", run: b })
    ] }),
    /* @__PURE__ */ jsx("p", { class: "diff-verdict", "aria-live": "polite", children: problem ?? (isSameRun ? sameText(rivalEvent) : document ? /* @__PURE__ */ jsx(Verdict, { document }) : "Comparing.") }),
    /* @__PURE__ */ jsxs("div", { class: "table-tabs", children: [
      /* @__PURE__ */ jsx(Tabs, { label: "Results", choices: parts, chosen: shown, onChoose: setPart }),
      stageSwitch
    ] }),
    /* @__PURE__ */ jsxs("div", { class: "diff-content", role: "tabpanel", children: [
      /* @__PURE__ */ jsx(Pictures, { a, b, isShown: isOnStage || shown === "pictures", isOnStage, ...comparison }),
      shown !== "pictures" && (document ? /* @__PURE__ */ jsx(Result, { part: shown, document }) : /* @__PURE__ */ jsx("p", { class: "panel-message", children: "There is no difference to show." }))
    ] })
  ] });
}
function sameText(rivalEvent) {
  const next = rivalEvent === null ? "take the selected one as that of A, then select another." : "select another than that of A.";
  return `Both sides are the same. Make an edit, choose another arithmetic, drop a second file here, or compare two events: ${next}`;
}
function Verdict({ document }) {
  const { event, byte_count: bytes } = document;
  const leftOut = [document.a_is_left_out && "A", document.b_is_left_out && "B"].filter(Boolean);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("strong", { children: sentence(document.text) }),
    " ",
    event !== null && /* @__PURE__ */ jsxs(Fragment, { children: [
      "Go to ",
      /* @__PURE__ */ jsx(EventLink, { event }),
      ". "
    ] }),
    leftOut.length > 0 && `An edit of ${leftOut.join(" and ")} leaves it out. `,
    document.is_other_event && "The events themselves differ. ",
    bytes !== null && document.is_different && `${counted(bytes, "byte")} of memory ${bytes === 1 ? "differs" : "differ"} after it.`
  ] });
}
function Side({ name, title, run, isRival = false }) {
  const { app, selection } = usePanel();
  const { store } = app;
  const [, redraw] = useState({});
  const [edits, typed] = useTyped((run.edits ?? []).join("\n"));
  const changeEdits = async (text) => {
    const wanted = text.split("\n").map((line) => line.trim()).filter(Boolean);
    const rival = { ...rivalOf(store.get()), edits: wanted };
    if (!isRival) {
      await store.setEdits(wanted);
    } else if (wanted.length === 0 || await store.isPossible(rival)) {
      store.set({ rival });
    }
  };
  const change = (part) => store.set(isRival ? { rival: { ...rivalOf(store.get()), ...part } } : part);
  const files = [
    { value: "0", text: fileName(app.input?.name ?? "the file") },
    ...app.rival ? [{ value: "1", text: fileName(app.rival.name) }] : [],
    { value: "open", text: app.rival ? "Open another second file…" : "Open a second file…" }
  ];
  const chooseInput = async (value) => {
    if (value !== "open" || await app.chooseInput(1)) {
      change({ input: value === "0" ? 0 : 1 });
    }
    redraw({});
  };
  return /* @__PURE__ */ jsxs("fieldset", { class: "diff-side", children: [
    /* @__PURE__ */ jsx("legend", { children: title }),
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      /* @__PURE__ */ jsx(Select, { label: "File", name: `File of ${name}`, choices: files, chosen: String(run.input ?? 0), onChoose: (value) => void chooseInput(value) }),
      /* @__PURE__ */ jsx(Select, { label: "Arithmetic", choices: ARITHMETICS, chosen: run.arithmetic ?? "hardware", onChoose: (arithmetic) => change({ arithmetic }) }),
      isRival && /* @__PURE__ */ jsxs(Fragment, { children: [
        /* @__PURE__ */ jsx(
          NumberField,
          {
            label: "Event",
            size: 6,
            placeholder: "same",
            title: "The event of A to compare with the selected event of B; empty to look for the first difference of the runs",
            value: selection.rivalEvent,
            most: app.events?.count ?? 0,
            onEnter: (rivalEvent) => store.set({ rivalEvent }),
            onEmpty: () => store.set({ rivalEvent: null })
          }
        ),
        /* @__PURE__ */ jsx(Button, { title: "Compare the selected event with those that are selected next (v)", onClick: () => store.set({ rivalEvent: store.get().event }), children: "Take the selected" })
      ] })
    ] }),
    /* @__PURE__ */ jsx(
      "textarea",
      {
        ref: edits,
        rows: 2,
        spellcheck: false,
        "aria-label": `Edits of ${name}, one in a line`,
        placeholder: "no edits",
        ...typed,
        onChange: (event) => void changeEdits(event.currentTarget.value)
      }
    )
  ] });
}
function Result({ part, document }) {
  if (part === "registers") {
    return /* @__PURE__ */ jsx("div", { class: "scroll", children: /* @__PURE__ */ jsx(Registers, { document }) });
  }
  if (part === "values") {
    const { value_count: total, values } = document;
    return /* @__PURE__ */ jsxs("div", { class: "diff-values-part", children: [
      /* @__PURE__ */ jsx("p", { class: "muted", children: total > values.length ? `The first ${values.length} of ${total} values that differ.` : counted(total, "value that differs", "values that differ") }),
      /* @__PURE__ */ jsx(Table, { label: "Values that differ", columns: VALUES, rows: values })
    ] });
  }
  const { a_pixel: a, b_pixel: b } = document;
  return /* @__PURE__ */ jsxs("div", { class: "diff-histories", children: [
    /* @__PURE__ */ jsx(History, { name: "A", pixel: a, other: b }),
    /* @__PURE__ */ jsx(History, { name: "B", pixel: b, other: a })
  ] });
}
function History({ name, pixel, other }) {
  if (!pixel) {
    return /* @__PURE__ */ jsxs("section", { children: [
      /* @__PURE__ */ jsx("h3", { children: name }),
      /* @__PURE__ */ jsx("p", { class: "muted", children: "This run has no such pixel." })
    ] });
  }
  const results = new Map(other?.entries.map((entry) => [entry.event, entry.after.bits]));
  const rows = pixel.entries.slice(-200).map(({ event, before, after, verdict }) => {
    const isOther = other !== null && results.get(event) !== after.bits;
    return [/* @__PURE__ */ jsx(EventLink, { event }), /* @__PURE__ */ jsx(Color, { value: before.color }), /* @__PURE__ */ jsx(Color, { value: after.color }), /* @__PURE__ */ jsxs(Fragment, { children: [
      isOther && /* @__PURE__ */ jsx("strong", { class: "is-changing", children: "Differs: " }),
      verdict
    ] })];
  });
  return /* @__PURE__ */ jsxs("section", { children: [
    /* @__PURE__ */ jsx("h3", { children: `${name}: pixel ${pixel.x}, ${pixel.y}` }),
    /* @__PURE__ */ jsx("p", { children: sentence(pixel.verdict) }),
    /* @__PURE__ */ jsx(SmallTable, { heads: ["event", "before", "after", "effect"], rows })
  ] });
}
function isSame(a, b) {
  const whole = (run) => JSON.stringify([run.input ?? 0, run.arithmetic ?? "hardware", run.edits ?? [], run.camera ?? null, run.pose ?? null]);
  return whole(a) === whole(b);
}
function Registers({ document: { registers, matrices } }) {
  if (registers.length + matrices.length === 0) {
    return /* @__PURE__ */ jsx("p", { class: "panel-message", children: "Registers and matrices are the same at this event." });
  }
  const value = (text) => /* @__PURE__ */ jsx("span", { class: "value", children: text ?? "no number" });
  const rows = [
    ...registers.map((row) => [row.register, value(row.a_text), value(row.b_text), writerText(row.a_writer), writerText(row.b_writer)]),
    ...matrices.flatMap(
      ({ matrix, elements, a, b, a_writers: aWriters, b_writers: bWriters }) => elements.map((element, nth) => [`${matrix}[${element}]`, value(a[element]), value(b[element]), writerText(aWriters[nth]), writerText(bWriters[nth])])
    )
  ];
  return /* @__PURE__ */ jsx(SmallTable, { heads: ["register", "A", "B", "written in A by", "written in B by"], rows, hasNames: true });
}
function writerText(writer) {
  if (!writer) {
    return "an edit";
  }
  const { kind, command, address, record } = writer;
  return kind === "command" ? `command ${command} at ${hex(address)}` : kind === "cpu" ? `the CPU, action ${record}` : "the start of the run";
}
export {
  create
};
