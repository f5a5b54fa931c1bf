// page/dialogs.tsx
import { counted, h, hex } from "pspge/base/dom.js";
import { KEYS, shownKey, VIEW_KEYS } from "pspge/base/keys.js";
import { render } from "pspge/base/preact.js";
import { allNotes } from "pspge/state/run.js";
import { Button, Heads, Link } from "pspge/widgets/controls.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var QUESTIONS = [
  ["Why is this pixel this colour?", "Click it in the picture. The panel Pixel has the verdict and its history; its links select draws."],
  ["Which pixels does a draw cover?", "Select it. The picture marks them; f flips between before and after it."],
  ["Who set this register?", "The panel State names the writer of each value; the link shows the command."],
  ["Is that the fault?", "Click a value in State and change it. The picture follows; Edits lists all changes."],
  ["Why is this triangle missing?", "The panel Mesh lists the primitives of a draw with their result and its reason."],
  ["Which draws use this texture?", "The panel Textures names them; its button filters the events."],
  ["Where does this texture come from?", "The panel Passes shows which pass drew it."],
  ["Who draws this target, and who reads it?", "Click its address in the list of events; the panel Passes names both."],
  ["Which command drew this?", "Double-click the event, or press Enter on it: the panel Commands shows its commands and calls."],
  ["Which draw differs first?", "Drop a second file on the panel Diff, or compare edits with the file there."],
  ["Where does the time go?", "Events have bars of their cost; the heat maps of the picture show it by pixel."]
];
function Dialog({ title, children }) {
  const id = `dialog-${title.toLowerCase()}`;
  return /* @__PURE__ */ jsxs("dialog", { class: "dialog", "aria-labelledby": id, onClick: ({ target, currentTarget }) => target === currentTarget && currentTarget.close(), children: [
    /* @__PURE__ */ jsxs("div", { class: "dialog-head", children: [
      /* @__PURE__ */ jsx("h2", { id, children: title }),
      /* @__PURE__ */ jsx(Button, { onClick: (event) => event.currentTarget.closest("dialog")?.close(), children: "Close" })
    ] }),
    children
  ] });
}
function dialogOf(contents) {
  const element = h("div", { class: "host" });
  const dialog = () => element.querySelector("dialog");
  return {
    element,
    show() {
      render(
        contents(() => dialog()?.close()),
        element
      );
      dialog()?.showModal();
    }
  };
}
function helpDialog() {
  return dialogOf(() => /* @__PURE__ */ jsx(Help, {}));
}
function Help() {
  const all = [...KEYS, ...VIEW_KEYS];
  return /* @__PURE__ */ jsx(Dialog, { title: "Help", children: /* @__PURE__ */ jsxs("div", { class: "help", children: [
    /* @__PURE__ */ jsx("dl", { class: "questions", children: QUESTIONS.map(([question, answer]) => /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("dt", { children: question }),
      /* @__PURE__ */ jsx("dd", { children: answer })
    ] })) }),
    /* @__PURE__ */ jsx("div", { class: "key-tables", children: [...new Set(all.map(({ group }) => group))].map((group) => /* @__PURE__ */ jsxs("table", { class: "keys", children: [
      /* @__PURE__ */ jsx("caption", { children: group }),
      /* @__PURE__ */ jsx(Heads, { class: "visually-hidden", names: ["Key", "Effect"] }),
      /* @__PURE__ */ jsx("tbody", { children: all.filter((key) => key.group === group).map(({ keys, text }) => /* @__PURE__ */ jsxs("tr", { children: [
        /* @__PURE__ */ jsx("td", { children: (keys.length > 3 ? [`${keys[0]} – ${keys.at(-1)}`] : keys.map(shownKey)).map((key) => /* @__PURE__ */ jsxs(Fragment, { children: [
          /* @__PURE__ */ jsx("kbd", { children: key }),
          " "
        ] })) }),
        /* @__PURE__ */ jsx("td", { children: text })
      ] })) })
    ] })) })
  ] }) });
}
function notesDialog(app) {
  return dialogOf((close) => /* @__PURE__ */ jsx(Notes, { app, close }));
}
function Notes({ app, close }) {
  const { events } = app;
  const notes = allNotes(app);
  return /* @__PURE__ */ jsx(Dialog, { title: "Notes", children: /* @__PURE__ */ jsxs("div", { class: "notes", children: [
    events && /* @__PURE__ */ jsx("p", { children: `The run: ${events.ended}${events.is_complete ? "" : "; it is not complete"}.` }),
    notes.length > 0 ? /* @__PURE__ */ jsxs("table", { children: [
      /* @__PURE__ */ jsx(Heads, { names: ["Kind", "Note", "Place"] }),
      /* @__PURE__ */ jsx("tbody", { children: notes.map((note) => /* @__PURE__ */ jsxs("tr", { class: `note-${note.severity}`, children: [
        /* @__PURE__ */ jsx("td", { children: note.severity === "problem" ? "Problem" : "Information" }),
        /* @__PURE__ */ jsxs("td", { children: [
          note.message,
          note.count > 1 && ` (${counted(note.count, "time")})`
        ] }),
        /* @__PURE__ */ jsx("td", { children: /* @__PURE__ */ jsx(Place, { note, show: (command) => (close(), app.showCommand(command)) }) })
      ] })) })
    ] }) : /* @__PURE__ */ jsx("p", { children: "There are no notes: nothing is missing, guessed or left out." })
  ] }) });
}
function Place({ note: { command, address, offset, part }, show }) {
  if (typeof command === "number") {
    return /* @__PURE__ */ jsx(Link, { onClick: () => show(command), children: `command ${command} at ${hex(address)}` });
  }
  return /* @__PURE__ */ jsx(Fragment, { children: [part, typeof offset === "number" ? `offset ${hex(offset, 1)}` : null].filter(Boolean).join(", ") });
}
export {
  helpDialog,
  notesDialog
};
