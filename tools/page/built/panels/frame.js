// panels/frame.tsx
import { count, counted, hex } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useRef } from "pspge/base/preact.js";
import { groupEvents } from "pspge/events/event-groups.js";
import { nameOf } from "pspge/events/event-names.js";
import { SmallPicture } from "pspge/picture/small-pictures.js";
import { allNotes, runKey } from "pspge/state/run.js";
import { takeWish } from "pspge/state/wishes.js";
import { Button, IconButton, Mono, useKeptFocus } from "pspge/widgets/controls.js";
import { TextInput } from "pspge/widgets/fields.js";
import { EventLink } from "pspge/widgets/links.js";
import { panelOf, usePanel } from "pspge/widgets/panel.js";
import { jsx, jsxs } from "pspge/base/preact.js";
var PASSES = 12;
var COSTLIEST = 5;
var PROBLEMS = 8;
var NOTE_MOST = 200;
var SIZE = 96;
var create = panelOf({ id: "frame", title: "Frame", className: "panel frame-panel" }, FramePanel);
function FramePanel() {
  const { app } = usePanel();
  const events = app.events?.events;
  const { passes, draws, total } = useMemo(() => {
    const all = events ?? [];
    return {
      passes: groupEvents(all).filter((part) => "rows" in part),
      draws: all.filter(({ draw }) => draw !== null).sort((a, b) => b.cost - a.cost),
      total: all.reduce((sum, { cost }) => sum + cost, 0)
    };
  }, [events]);
  const facts = [counted(draws.length, "draw"), counted(passes.length, "pass", "passes"), counted(events?.length ?? 0, "event")];
  return /* @__PURE__ */ jsxs("div", { class: "scroll", children: [
    /* @__PURE__ */ jsxs("p", { children: [
      /* @__PURE__ */ jsx("strong", { children: facts.join(", ") }),
      `. The run: ${app.events?.ended ?? ""}${app.events?.is_complete ? "" : "; it is not complete"}.`
    ] }),
    /* @__PURE__ */ jsx(Questions, { worst: draws[0] }),
    /* @__PURE__ */ jsx("h2", { children: "Notes" }),
    /* @__PURE__ */ jsx(Notes, {}),
    /* @__PURE__ */ jsx("h2", { children: "Passes" }),
    /* @__PURE__ */ jsxs("ol", { class: "frame-passes", children: [
      passes.slice(0, PASSES).map((pass) => /* @__PURE__ */ jsx(Pass, { ...{ pass, total } }, pass.pass)),
      passes.length > PASSES && /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsx(Button, { onClick: () => app.openPanel("passes"), children: `${count(passes.length - PASSES)} more passes` }) })
    ] }),
    /* @__PURE__ */ jsx("h2", { children: "Costliest draws" }),
    /* @__PURE__ */ jsx("ol", { class: "frame-draws", children: draws.slice(0, COSTLIEST).map((row) => /* @__PURE__ */ jsxs("li", { children: [
      /* @__PURE__ */ jsx(EventLink, { event: row.event }),
      ` ${nameOf(row)} · ${share(row.cost, total)}`
    ] }, row.event)) }),
    /* @__PURE__ */ jsx("h2", { children: "Problems" }),
    /* @__PURE__ */ jsx(Problems, {})
  ] });
}
function Questions({ worst }) {
  const { app } = usePanel();
  const pickMiddle = () => {
    const { width, height } = app.shownBuffer() ?? { width: 0, height: 0 };
    app.pickPixel(width >> 1, height >> 1);
  };
  const showWorst = () => {
    if (worst) {
      app.filterEvents("top:20");
      app.selectEvent(worst.event);
      app.openPanel("state");
    }
  };
  const questions = [
    ["Which draws made this pixel?", "Picks the pixel in the middle; click another one in the picture", pickMiddle],
    ["Which draws show nothing, and why?", "Lists the draws without a fragment that passes all tests", () => app.filterEvents("fate:killed,empty")],
    ["What is the costliest draw?", "Lists the 20 events that cost most, and selects the first", showWorst]
  ];
  return /* @__PURE__ */ jsx("div", { class: "frame-questions", role: "group", "aria-label": "Questions", children: questions.map(([text, title, act]) => /* @__PURE__ */ jsx(Button, { title, onClick: act, children: text }, text)) });
}
function Notes() {
  const { app, selection } = usePanel();
  const { notes, event } = selection;
  const field = useRef(null);
  const list = useKeptFocus(field);
  const set = (changed) => app.store.set({ notes: changed });
  const add = () => {
    const text = field.current?.value.trim() ?? "";
    if (field.current && text !== "") {
      field.current.value = "";
      set([...notes, { event: app.store.get().event, text }]);
    }
  };
  useLayoutEffect(() => {
    if (takeWish("frame")?.isNote) {
      field.current?.focus();
    }
  });
  return /* @__PURE__ */ jsxs("div", { class: "frame-notes", ...list, children: [
    notes.length > 0 && /* @__PURE__ */ jsx("ul", { children: notes.map((note) => /* @__PURE__ */ jsxs("li", { children: [
      /* @__PURE__ */ jsx(EventLink, { event: note.event }),
      " ",
      /* @__PURE__ */ jsx(TextInput, { value: note.text, maxLength: NOTE_MOST, "aria-label": `Note on event ${note.event}`, onEnter: (text) => set(notes.map((other) => other === note ? { ...note, text } : other)) }),
      /* @__PURE__ */ jsx(IconButton, { name: "close", label: "Remove this note", onClick: () => set(notes.filter((other) => other !== note)) })
    ] }, `${note.event} ${note.text}`)) }),
    /* @__PURE__ */ jsxs("p", { children: [
      /* @__PURE__ */ jsxs("label", { children: [
        `Event ${event}: `,
        /* @__PURE__ */ jsx(
          "input",
          {
            ref: field,
            type: "text",
            class: "note-field",
            maxLength: NOTE_MOST,
            placeholder: "What is to be seen here?",
            "aria-label": "New note on the selected event",
            onKeyDown: ({ key }) => key === "Enter" && add()
          }
        )
      ] }),
      " ",
      /* @__PURE__ */ jsx(Button, { title: "Keep this note and the event in the address of the page (b)", onClick: add, children: "Add" })
    ] })
  ] });
}
function Pass({ pass, total }) {
  const { app } = usePanel();
  const last = pass.rows.findLast(({ draw }) => draw !== null)?.event;
  const buffer = pass.buffer === null ? null : app.events?.buffers[pass.buffer];
  const request = last === void 0 ? null : { run: app.store.run(), at: { event: last, after: true }, source: { kind: "color" }, max: SIZE };
  return /* @__PURE__ */ jsx("li", { children: /* @__PURE__ */ jsxs("button", { type: "button", class: "frame-pass", title: "Select the last draw of this pass", onClick: () => last !== void 0 && app.selectEvent(last), children: [
    /* @__PURE__ */ jsx(SmallPicture, { class: "frame-picture", of: runKey(app, last), request: () => request }),
    /* @__PURE__ */ jsxs("span", { children: [
      /* @__PURE__ */ jsx("strong", { children: `Pass ${pass.pass}` }),
      ` · ${counted(pass.draws, "draw")} · ${share(pass.cost, total)} of the cost`
    ] }),
    /* @__PURE__ */ jsx(Mono, { class: "mono muted", children: buffer && `${hex(buffer.address)} ${buffer.format} ${buffer.width}×${buffer.height}` })
  ] }) });
}
function Problems() {
  const { app } = usePanel();
  const found = allNotes(app).filter(({ severity }) => severity === "problem");
  if (found.length === 0) {
    return /* @__PURE__ */ jsx("p", { class: "muted", children: "None: nothing is missing, guessed or left out." });
  }
  return /* @__PURE__ */ jsxs("ul", { children: [
    found.slice(0, PROBLEMS).map(({ message, count: times }) => /* @__PURE__ */ jsxs("li", { children: [
      message,
      times > 1 && ` (${counted(times, "time")})`
    ] })),
    found.length > PROBLEMS && /* @__PURE__ */ jsx("li", { children: `${count(found.length - PROBLEMS)} more in the notes above.` })
  ] });
}
function share(part, whole) {
  const percent = 100 * part / Math.max(1, whole);
  return percent < 1 ? "less than 1 %" : `${Math.round(percent)} %`;
}
export {
  create
};
