// The panel Edits: the changes that are tried on the run, with undo and as a command line.

import { h, iconButton, keepFocus, replace } from "pspge/dom.js";
import { valueText } from "pspge/field-editor.js";
import { keyOf } from "pspge/keys.js";
import { normalEdit } from "pspge/store.js";

/**
 * Creates the panel.
 * @param {import("pspge/app.js").App} app
 */
export function create(app) {
  const { store } = app;
  const list = h("ol", { class: "edit-list" });
  const none = h(
    "p",
    { class: "muted" },
    "There are no edits: the run is that of the file. Change a value in the panel State, or skip an event.",
  );
  const line = h("textarea", {
    class: "mono command-line",
    readonly: true,
    rows: 3,
    "aria-label": "Command line",
    spellcheck: false,
  });
  const undo = iconButton("undo", `Undo (${keyOf("undo")})`, () => store.undo());
  const redo = iconButton("redo", `Redo (${keyOf("redo")})`, () => store.redo());
  const clear = h("button", { type: "button", onclick: () => void store.setEdits([]) }, "Remove all");
  const field = h("input", {
    type: "text",
    class: "mono",
    placeholder: "--set ZTEST=ALWAYS@57",
    "aria-label": "New edit",
    spellcheck: false,
    autocomplete: "off",
  });
  const form = h("form", { class: "edit-form" }, field, h("button", { type: "submit" }, "Add"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text !== "") {
      void store.addEdit(normalEdit(text)).then((isTaken) => {
        if (isTaken && field.value.trim() === text) {
          field.value = "";
        }
      });
    }
  });
  const arithmetic = h(
    "select",
    { "aria-label": "Arithmetic", onchange: () => store.set({ arithmetic: arithmetic.value === "single" ? "single" : "hardware" }) },
    [
      ["hardware", "hardware (PSP)"],
      ["single", "single (emulators)"],
    ].map(([value, text]) => h("option", { value }, text)),
  );
  const copy = h("button", { type: "button", onclick: () => void copyLine() }, "Copy as command line");
  const compare = h(
    "button",
    { type: "button", title: "Compare this run with the file's own run in the panel Diff", onclick: compareWithFile },
    "Compare with the file",
  );
  const element = h(
    "div",
    { class: "panel edits-panel" },
    h(
      "div",
      { class: "pane-head" },
      undo,
      redo,
      clear,
      h("span", { class: "spacer" }),
      h("label", { class: "check" }, "Arithmetic", arithmetic),
    ),
    h(
      "div",
      { class: "scroll" },
      none,
      list,
      form,
      h(
        "p",
        { class: "muted" },
        "Forms: --set NAME=VALUE@DRAWS, --skip DRAWS, --solo DRAWS, --wireframe, --wireframe=DRAWS, --cache off@DRAWS. DRAWS are draws (4,7-9) or events (event:9).",
      ),
      h("h2", null, "The same on the command line"),
      line,
      h("div", { class: "button-row" }, copy, compare),
    ),
  );

  async function copyLine() {
    try {
      await navigator.clipboard.writeText(line.value);
      app.announce("The command line is copied.");
      copy.textContent = "Copied";
      setTimeout(() => (copy.textContent = "Copy as command line"), 1500);
    } catch {
      // Without the permission the user copies it by hand.
      line.focus();
      line.select();
      app.announce("The command line is selected; copy it with Ctrl C.");
    }
  }

  function compareWithFile() {
    const { input, camera, pose } = store.get();
    store.set({ rival: { input, ...(camera && { camera }), ...(pose && { pose }) }, panel: "diff" });
  }

  return {
    id: "edits",
    title: "Edits",
    key: "e",
    element,
    show() {},
    /** @param {import("pspge/store.js").Selection} selection */
    update(selection) {
      const { edits } = selection;
      none.hidden = edits.length > 0;
      undo.disabled = !store.canUndo();
      redo.disabled = !store.canRedo();
      clear.disabled = edits.length === 0;
      compare.disabled = edits.length === 0 && selection.arithmetic === "hardware";
      arithmetic.value = selection.arithmetic;
      const rows = edits.map((edit) =>
        h(
          "li",
          null,
          h("code", null, edit),
          changeOf(edit),
          placeLink(edit),
          h("span", { class: "spacer" }),
          iconButton("close", `Remove ${edit}`, () => void store.removeEdit(edit), { "data-focus": edit }),
        ),
      );
      const hadFocus = list.contains(document.activeElement);
      keepFocus(list, () => replace(list, rows));
      if (hadFocus && rows.length === 0) {
        undo.focus();
      }
      line.value = commandLine(app.input, selection);
    },
  };

  /** Says which value an edit replaces, as soon as the engine tells it: off → on. @param {string} edit */
  function changeOf(edit) {
    const [, register = "", field = null] = /^--set ([^=.]+)(?:\.([^=]+))?=/.exec(edit) ?? [];
    const place = h("span", { class: "edit-change muted" });
    const { edits } = store.get();
    const event = eventOf(edit) ?? app.drawAtOrBefore(store.get().event)?.event;
    if (register === "" || event === undefined) {
      return place;
    }
    const ask = (/** @type {string[]} */ run) => app.engine.request({ request: "state", run: { ...store.run(), edits: run }, event });
    void Promise.all([ask(edits.filter((other) => other !== edit)), ask(edits)]).then(
      (answers) => {
        const [before, after] = answers.map(({ json }) => {
          const rows = json.groups.flatMap((group) => group.registers);
          const row = rows.find(({ name }) => name === register);
          const fields = row?.fields.filter(({ description }) => field === null || description.name === field) ?? [];
          return fields.map(({ description, value }) => valueText(description, value)).join(" ");
        });
        place.textContent = before ? ` ${before} → ${after}` : "";
      },
      // The edit itself says enough.
      () => undefined,
    );
    return place;
  }

  /** Returns the event of an edit; null if it has none. @param {string} edit */
  function eventOf(edit) {
    const event = /(?:@|--skip )event:(\d+)/.exec(edit);
    const draw = /(?:@|--skip |--solo |--wireframe=)(\d+)/.exec(edit);
    return event ? Number(event[1]) : draw ? app.eventOfDraw(Number(draw[1])) : null;
  }

  /** Links to the event of an edit, if it has one. @param {string} edit */
  function placeLink(edit) {
    const number = eventOf(edit);
    const draw = number === null || edit.includes("event:") ? null : app.events?.events[number]?.draw;
    return number === null
      ? null
      : h(
          "button",
          { type: "button", class: "link", onclick: () => app.selectEvent(number) },
          draw === null || draw === undefined ? `event ${number}` : `draw ${draw}`,
        );
  }
}

/**
 * Writes a run as a command line. Options that may be given once have their values joined.
 * @param {import("pspge/app-types.js").Input | null} input
 * @param {import("pspge/store.js").Selection} selection
 * @returns {string}
 */
export function commandLine(input, { edits, arithmetic, camera, pose }) {
  const parts = ["pspge render", quote(input?.name ?? "FILE"), ...(input?.options ?? []).map(quote)];
  const joined = (/** @type {string} */ option) =>
    edits.filter((edit) => edit.startsWith(option)).map((edit) => edit.slice(option.length).trim());
  for (const edit of edits) {
    if (edit.startsWith("--set ")) {
      parts.push(`--set ${quote(edit.slice("--set ".length).trim())}`);
    }
  }
  for (const [option, separator] of /** @type {const} */ ([
    ["--skip ", " "],
    ["--solo ", " "],
    ["--wireframe=", "="],
  ])) {
    const values = joined(option);
    if (values.length > 0) {
      parts.push(`${option.trim().replace(/=$/, "")}${separator}${quote(values.join(","))}`);
    }
  }
  const uncached = joined("--cache ").map((value) => value.split("@")[1]);
  if (uncached.length > 0) {
    parts.push(`--cache ${quote(uncached.some((place) => place === undefined) ? "off" : `off@${uncached.join(",")}`)}`);
  }
  if (arithmetic !== "hardware") {
    parts.push(`--arithmetic ${arithmetic}`);
  }
  if (input?.kind === "model" && camera) {
    parts.push(`--view front --yaw ${camera.yaw} --pitch ${camera.pitch} --zoom ${camera.zoom}`);
  }
  if (pose) {
    parts.push(`--anim ${pose.animation} --frame ${pose.frame}`);
  }
  parts.push("-o picture.png");
  return parts.join(" ");
}

/** @param {string} text */
function quote(text) {
  return /^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
