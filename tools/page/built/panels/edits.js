// panels/edits.tsx
import { ARITHMETICS, normalEdit } from "pspge/base/edit-text.js";
import { keyOf } from "pspge/base/keys.js";
import { quote, wordsOf } from "pspge/base/parts.js";
import { useRef } from "pspge/base/preact.js";
import { runKey } from "pspge/state/run.js";
import { Button, CopyButton, IconButton, Link, Select, useKeptFocus } from "pspge/widgets/controls.js";
import { valueText } from "pspge/widgets/field-editor.js";
import { nameOfEvent } from "pspge/widgets/links.js";
import { panelOf, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var create = panelOf({ id: "edits", title: "Edits", className: "panel edits-panel" }, EditsPanel);
function EditsPanel() {
  const { app, selection } = usePanel();
  const { store } = app;
  const { edits, arithmetic, input, part, camera, pose } = selection;
  const undo = useRef(null);
  const field = useRef(null);
  const area = useRef(null);
  const list = useKeptFocus(undo);
  const submit = (event) => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? "";
    if (text !== "") {
      void store.addEdit(normalEdit(text)).then((isTaken) => {
        if (isTaken && field.current?.value.trim() === text) {
          field.current.value = "";
        }
      });
    }
  };
  const line = commandLine(app.input, selection);
  const selectLine = () => {
    area.current?.focus();
    area.current?.select();
    app.announce("The command line is selected; copy it with Ctrl C.");
  };
  const compare = () => store.set({ rival: { input, ...part && { part }, ...camera && { camera }, ...pose && { pose } }, panel: "diff" });
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "pane-head", children: [
      /* @__PURE__ */ jsx(IconButton, { ref: undo, name: "undo", label: `Undo (${keyOf("undo")})`, disabled: !store.canUndo(), onClick: () => store.undo() }),
      /* @__PURE__ */ jsx(IconButton, { name: "redo", label: `Redo (${keyOf("redo")})`, disabled: !store.canRedo(), onClick: () => store.redo() }),
      /* @__PURE__ */ jsx(Button, { disabled: edits.length === 0, onClick: () => void store.setEdits([]), children: "Remove all" }),
      /* @__PURE__ */ jsx("span", { class: "spacer" }),
      /* @__PURE__ */ jsx(Select, { class: "check", label: "Arithmetic", choices: ARITHMETICS, chosen: arithmetic, onChoose: (chosen) => store.set({ arithmetic: chosen }) })
    ] }),
    /* @__PURE__ */ jsxs("div", { class: "scroll", children: [
      /* @__PURE__ */ jsx("p", { class: "muted", hidden: edits.length > 0, children: "There are no edits: the run is that of the file. Change a value in the panel State, or skip an event." }),
      /* @__PURE__ */ jsx("ol", { class: "edit-list", ...list, children: edits.map((edit) => {
        const event = eventOf(app, edit);
        return /* @__PURE__ */ jsxs("li", { children: [
          /* @__PURE__ */ jsx("code", { children: edit }),
          /* @__PURE__ */ jsx(Change, { edit }),
          event !== null && /* @__PURE__ */ jsx(Link, { onClick: () => app.selectEvent(event), children: edit.includes("event:") ? `event ${event}` : nameOfEvent(app, event) }),
          /* @__PURE__ */ jsx("span", { class: "spacer" }),
          /* @__PURE__ */ jsx(IconButton, { name: "close", label: `Remove ${edit}`, onClick: () => void store.removeEdit(edit) })
        ] }, edit);
      }) }),
      /* @__PURE__ */ jsxs("form", { class: "edit-form", onSubmit: submit, children: [
        /* @__PURE__ */ jsx("input", { ref: field, type: "text", class: "mono", placeholder: "--set ZTEST=ALWAYS@57", "aria-label": "New edit", spellcheck: false, autocomplete: "off" }),
        /* @__PURE__ */ jsx("button", { type: "submit", children: "Add" })
      ] }),
      /* @__PURE__ */ jsx("p", { class: "muted", children: "Forms: --set NAME=VALUE@DRAWS, --skip DRAWS, --solo DRAWS, --wireframe, --wireframe=DRAWS, --cache off@DRAWS. DRAWS are draws (4,7-9) or events (event:9)." }),
      /* @__PURE__ */ jsx("h2", { children: "The same on the command line" }),
      /* @__PURE__ */ jsx("textarea", { ref: area, class: "mono command-line", readOnly: true, rows: 3, "aria-label": "Command line", spellcheck: false, value: line }),
      /* @__PURE__ */ jsxs("div", { class: "button-row", children: [
        /* @__PURE__ */ jsx(CopyButton, { app, label: "Copy as command line", text: () => line, onRefused: selectLine }),
        /* @__PURE__ */ jsx(Button, { title: "Compare this run with the file's own run in the panel Diff", disabled: edits.length === 0 && arithmetic === "hardware", onClick: compare, children: "Compare with the file" })
      ] })
    ] })
  ] });
}
function Change({ edit }) {
  const { app, selection } = usePanel();
  const [, register = "", field = null] = /^--set ([^=.]+)(?:\.([^=]+))?=/.exec(edit) ?? [];
  const event = eventOf(app, edit) ?? app.drawAtOrBefore(selection.event)?.event;
  const run = app.store.run();
  const key = register === "" || event === void 0 ? null : runKey(app, edit, event);
  const { answer } = useLoaded(key, async () => {
    const ask = (edits2) => app.engine.request({ request: "state", run: { ...run, edits: edits2 }, event: event ?? 0 });
    const { edits } = selection;
    const answers = await Promise.all([ask(edits.filter((other) => other !== edit)), ask(edits)]).catch(() => []);
    return answers.map(({ json }) => {
      const rows = json.groups.flatMap((group) => group.registers);
      const fields = rows.find(({ name }) => name === register)?.fields ?? [];
      return fields.filter(({ description }) => field === null || description.name === field).map(({ description, value }) => valueText(description.kind, value)).join(" ");
    });
  });
  return /* @__PURE__ */ jsx("span", { class: "edit-change muted", children: answer?.[0] && ` ${answer.join(" → ")}` });
}
function eventOf(app, edit) {
  const event = /(?:@|--skip )event:(\d+)/.exec(edit);
  const draw = /(?:@|--skip |--solo |--wireframe=)(\d+)/.exec(edit);
  return event ? Number(event[1]) : draw ? app.eventOfDraw(Number(draw[1])) : null;
}
function commandLine(input, { edits, arithmetic, camera, pose }) {
  const values = (option) => edits.filter((edit) => edit.startsWith(option)).map((edit) => edit.slice(option.length).trim());
  const each = (option) => values(option).map((value) => option + quote(value));
  const joined = (option) => values(option).join(",") && option + quote(values(option).join(","));
  const uncached = values("--cache ").map((value) => value.split("@")[1]);
  const parts = [
    "pspge render",
    ...wordsOf(input, input?.name).map(quote),
    ...each("--set "),
    ...each("--replace-texture "),
    joined("--skip "),
    joined("--solo "),
    joined("--wireframe="),
    uncached.length > 0 && `--cache ${quote(uncached.some((place) => place === void 0) ? "off" : `off@${uncached.join(",")}`)}`,
    arithmetic !== "hardware" && `--arithmetic ${arithmetic}`,
    input?.kind === "model" && camera && `--view front --yaw ${camera.yaw} --pitch ${camera.pitch} --zoom ${camera.zoom}`,
    pose && `--anim ${pose.animation} --frame ${pose.frame}`,
    "-o picture.png"
  ];
  return parts.filter(Boolean).join(" ");
}
export {
  create
};
