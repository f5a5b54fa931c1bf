// The dialogs: help, and notes on the file and its run.

import { counted, h, hex, replace } from "pspge/dom.js";
import { KEYS, VIEW_KEYS, shownKey } from "pspge/keys.js";

/**
 * Creates a dialog with a heading and a button that closes it.
 * @param {string} title
 * @param {HTMLElement} content
 * @returns {HTMLDialogElement}
 */
function dialog(title, content) {
  const id = `dialog-${title.toLowerCase().replace(/\W+/g, "-")}`;
  const close = h("button", { type: "button", onclick: () => element.close() }, "Close");
  const element = h(
    "dialog",
    { class: "dialog", "aria-labelledby": id },
    h("div", { class: "dialog-head" }, h("h2", { id }, title), close),
    content,
  );
  element.addEventListener("click", (event) => {
    if (event.target === element) {
      element.close();
    }
  });
  return element;
}

/** Creates the help: all keys, and how to start. */
export function helpDialog() {
  const all = [...KEYS, ...VIEW_KEYS];
  const groups = [...new Set(all.map(({ group }) => group))];
  const tables = groups.map((group) =>
    h(
      "table",
      { class: "keys" },
      h("caption", null, group),
      h(
        "thead",
        { class: "visually-hidden" },
        h("tr", null, h("th", { scope: "col" }, "Key"), h("th", { scope: "col" }, "Effect")),
      ),
      h(
        "tbody",
        null,
        all.filter((key) => key.group === group).map(({ keys, text }) =>
          h(
            "tr",
            null,
            h(
              "td",
              null,
              shownKeys(keys).map((key) => [h("kbd", null, key), " "]),
            ),
            h("td", null, text),
          ),
        ),
      ),
    ),
  );
  const questions = [
    [
      "Why is this pixel this colour?",
      "Click it in the picture. The panel Pixel has the verdict and its history; its links select draws.",
    ],
    ["Which pixels does a draw cover?", "Select it. The picture marks them; f flips between before and after it."],
    ["Who set this register?", "The panel State names the writer of each value; the link shows the command."],
    ["Is that the fault?", "Click a value in State and change it. The picture follows; Edits lists all changes."],
    ["Why is this triangle missing?", "The panel Mesh lists the primitives of a draw with their result and its reason."],
    ["Which draws use this texture?", "The panel Textures names them; its button filters the events."],
    ["Where does this texture come from?", "The panel Passes shows which pass drew it."],
    ["Which draw differs first?", "Drop a second file on the panel Diff, or compare edits with the file there."],
    ["Where does the time go?", "Events have bars of their cost; the heat maps of the picture show it by pixel."],
  ];
  const content = h(
    "div",
    { class: "help" },
    h(
      "dl",
      { class: "questions" },
      questions.map(([question, answer]) => [h("dt", null, question), h("dd", null, answer)]),
    ),
    h("div", { class: "key-tables" }, tables),
  );
  const element = dialog("Help", content);
  return { element, show: () => element.showModal() };
}

/** @param {string[]} keys */
function shownKeys(keys) {
  return keys.length > 3 ? [`${keys[0]} – ${keys[keys.length - 1]}`] : keys.map(shownKey);
}

/**
 * Returns the notes on the file and on the run.
 * @param {import("pspge/app.js").App} app
 * @returns {import("pspge/app.js").Note[]}
 */
export function allNotes(app) {
  return [...(app.input?.notes ?? []), ...(app.events?.notes ?? [])];
}

/**
 * Creates the dialog of the notes.
 * @param {import("pspge/app.js").App} app
 */
export function notesDialog(app) {
  const content = h("div", { class: "notes" });
  const element = dialog("Notes", content);
  const row = (/** @type {import("pspge/app.js").Note} */ note) =>
    h(
      "tr",
      { class: `note-${note.severity}` },
      h("td", null, note.severity === "problem" ? "Problem" : "Information"),
      h("td", null, note.message, note.count > 1 ? ` (${counted(note.count, "time")})` : ""),
      h(
        "td",
        null,
        placeOf(app, note, () => element.close()),
      ),
    );
  return {
    element,
    show() {
      const notes = allNotes(app);
      const ended = app.events
        ? h("p", null, `The run: ${app.events.ended}${app.events.is_complete ? "" : "; it is not complete"}.`)
        : null;
      const table = h(
        "table",
        null,
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["Kind", "Note", "Place"].map((title) => h("th", { scope: "col" }, title)),
          ),
        ),
        h("tbody", null, notes.map(row)),
      );
      replace(
        content,
        ended,
        notes.length > 0 ? table : h("p", null, "There are no notes: nothing is missing, guessed or left out."),
      );
      element.showModal();
    },
  };
}

/**
 * @param {import("pspge/app.js").App} app
 * @param {import("pspge/app.js").Note} note
 * @param {() => void} close
 */
function placeOf(app, note, close) {
  const { command, address, offset, part } = note;
  if (typeof command === "number") {
    const onclick = () => {
      close();
      app.showCommand(command);
    };
    return h("button", { type: "button", class: "link", onclick }, `command ${command} at ${hex(address)}`);
  }
  return [part, typeof offset === "number" ? `offset ${hex(offset, 1)}` : null].filter(Boolean).join(", ");
}
