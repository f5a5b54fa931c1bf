// panels/state.tsx
import { counted } from "pspge/base/dom.js";
import { editOf } from "pspge/base/edit-text.js";
import { useState } from "pspge/base/preact.js";
import { DerivedState } from "pspge/panels/derived-state.js";
import { Matrices } from "pspge/panels/matrices.js";
import { Heads, Mono, Select, Toggle } from "pspge/widgets/controls.js";
import { EditableValue, FieldValue, valueText } from "pspge/widgets/field-editor.js";
import { Writer } from "pspge/widgets/links.js";
import { panelOf, useAnswer, usePanel } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var SCOPES = { this: "this event", from: "from here on", all: "all events" };
var create = panelOf({ id: "state", title: "State", className: "panel state-panel" }, StatePanel);
function StatePanel() {
  const { app, selection } = usePanel();
  const { store } = app;
  const [search, setSearch] = useState("");
  const [onlyChanged, setOnlyChanged] = useState(false);
  const [hideZero, setHideZero] = useState(false);
  const [scope, setScope] = useState("this");
  const [isMatrixOpen, setMatrixOpen] = useState(false);
  const [closed] = useState(() => /* @__PURE__ */ new Set());
  const event = Math.min(selection.event, app.events?.count ?? 0);
  const others = selection.edits.filter((edit) => !edit.startsWith("--set "));
  const { answer } = useAnswer("state", { request: "state", run: store.run(), event });
  const isSet = others.length < selection.edits.length;
  const unset = useAnswer("state of the file", isSet ? { request: "state", run: { ...store.run(), edits: others }, event } : null);
  const row = answer ? app.events?.events[answer.request.event ?? 0] ?? null : null;
  const editScope = () => {
    const here = !row || row.kind === "cpu" ? null : row.draw === null ? `event:${row.event}` : String(row.draw);
    const next = row && app.events?.events.find((other) => other.event >= row.event && other.draw !== null)?.draw;
    const later = scope === "from" && typeof next === "number" ? `${next}-` : null;
    const places = [row?.draw !== null && later ? null : here, later].filter(Boolean);
    return scope === "all" ? "" : places.length > 0 ? `@${places.join(",")}` : null;
  };
  const events = editScope();
  const subject = row ? "An action of the CPU uses no registers" : "Nothing is drawn at the end of the run";
  const against = events === null ? `${subject}, so no value can be changed here. “Edits change” above can name other events.` : null;
  const addEdit = (name, value) => {
    const edit = `--set ${name}=${value}${events}`;
    void store.addEdit(edit).then((isTaken) => isTaken && app.announce(`Edit: ${edit}`));
  };
  const { previous_event: previous = null, changes = [] } = answer?.json.document ?? {};
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isShown = (register) => (!onlyChanged || register.before !== null) && (!hideZero || !register.is_zero) && words.every((word) => `${register.name} ${register.text} ${register.meaning}`.toLowerCase().includes(word));
  const groups = (answer?.json.groups ?? []).map(({ name, registers }) => ({ name, registers: registers.filter(isShown) })).filter(({ registers }) => registers.length > 0);
  const registersOfFile = unset.answer?.json.groups.flatMap(({ registers }) => registers) ?? [];
  const originals = new Map(registersOfFile.flatMap(({ name, fields }) => fields.map(({ description, value }) => [`${name}.${description.name}`, value])));
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "pane-head", children: [
      /* @__PURE__ */ jsx("input", { type: "search", placeholder: "Search registers", "aria-label": "Search registers", spellcheck: false, value: search, onInput: (typed) => setSearch(typed.currentTarget.value) }),
      /* @__PURE__ */ jsx(Toggle, { text: "only changed", isOn: onlyChanged, onChange: setOnlyChanged }),
      /* @__PURE__ */ jsx(Toggle, { text: "hide zero", isOn: hideZero, onChange: setHideZero }),
      /* @__PURE__ */ jsx(Select, { class: "check", label: "edits change", name: "Events that an edit changes", title: "Events that an edit changes", choices: SCOPES, chosen: scope, onChoose: setScope })
    ] }),
    /* @__PURE__ */ jsx("div", { class: "scroll", children: answer && /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsxs("p", { class: "state-heading", children: [
        /* @__PURE__ */ jsx("strong", { children: row ? `State at event ${row.event}` : "State at the end of the run" }),
        ` · ${changes.length === 0 ? "no register" : counted(changes.length, "register")} changed since ${previous ? `event ${previous.event}` : "the start"}`
      ] }),
      /* @__PURE__ */ jsx("div", { class: "derived", children: /* @__PURE__ */ jsx(DerivedState, { state: answer.json.document.state }) }),
      /* @__PURE__ */ jsx("p", { class: "muted", role: "status", hidden: against === null, children: against }),
      /* @__PURE__ */ jsx("div", { class: "state-groups", children: groups.map(({ name, registers }) => /* @__PURE__ */ jsx(Group, { name, registers, answer: answer.json, ...{ row, closed, originals, against, addEdit } }, name)) }),
      groups.length === 0 && /* @__PURE__ */ jsx("p", { class: "muted", children: "No register matches." }),
      /* @__PURE__ */ jsxs("details", { class: "group", onToggle: (toggled) => setMatrixOpen(toggled.currentTarget.open), children: [
        /* @__PURE__ */ jsx("summary", { children: "Matrices" }),
        /* @__PURE__ */ jsx("div", { class: "matrices", children: isMatrixOpen && /* @__PURE__ */ jsx(Matrices, { document: answer.json.document, addEdit: against === null ? addEdit : null }) })
      ] })
    ] }) })
  ] });
}
function Group({ name, registers, closed, ...shared }) {
  const changed = registers.filter(({ before }) => before !== null).length;
  return /* @__PURE__ */ jsxs("details", { class: "group", open: !closed.has(name), onToggle: ({ currentTarget }) => currentTarget.open ? closed.delete(name) : closed.add(name), children: [
    /* @__PURE__ */ jsxs("summary", { children: [
      name,
      changed > 0 && /* @__PURE__ */ jsx("span", { class: "badge", title: "Registers that have changed since the event before", children: `${changed} changed` })
    ] }),
    /* @__PURE__ */ jsxs("table", { class: "registers", children: [
      /* @__PURE__ */ jsxs("colgroup", { children: [
        /* @__PURE__ */ jsx("col", { class: "name-column" }),
        /* @__PURE__ */ jsx("col", {}),
        /* @__PURE__ */ jsx("col", { class: "writer-column" })
      ] }),
      /* @__PURE__ */ jsx(Heads, { class: "visually-hidden", names: ["Register", "Fields", "Writer"] }),
      /* @__PURE__ */ jsx("tbody", { children: registers.map((register) => /* @__PURE__ */ jsx(Register, { register, ...shared }, register.name)) })
    ] })
  ] });
}
function Register({ register, answer, row, originals, against, addEdit }) {
  const { selection } = usePanel();
  const isChanged = register.before !== null;
  const change = answer.document.changes.find((other) => other.register === register.name);
  const reason = register.fixed ?? against;
  const isOnly = register.fields.length === 1;
  return /* @__PURE__ */ jsxs("tr", { class: isChanged ? "is-changed" : register.is_zero ? "is-zero" : "", children: [
    /* @__PURE__ */ jsxs("th", { scope: "row", title: register.meaning, children: [
      isChanged && /* @__PURE__ */ jsx("span", { class: "change-mark", title: `Changed; before: ${register.before_text || register.before}`, children: "●" }),
      register.name
    ] }),
    /* @__PURE__ */ jsxs("td", { class: "fields", children: [
      register.fields.length === 0 && /* @__PURE__ */ jsx(Mono, { children: register.text }),
      register.fields.map((field) => {
        const { description } = field;
        const before = change?.fields?.[description.name]?.before;
        const place = isOnly ? register.name : `${register.name}.${description.name}`;
        const edit = editOf(selection.edits, place, row);
        const original = `${register.name}.${description.name}`;
        return /* @__PURE__ */ jsxs("span", { class: `field${before === void 0 ? "" : " is-changed"}`, children: [
          !isOnly && /* @__PURE__ */ jsx("span", { class: "field-name", title: description.description, children: description.name }),
          edit !== null && /* @__PURE__ */ jsx("span", { class: "badge", title: `${edit}; the value of the file comes first`, children: originals.has(original) ? `${valueText(description.kind, originals.get(original))} →` : "edited" }),
          reason === null ? /* @__PURE__ */ jsx(EditableValue, { place, field, take: (value) => addEdit(place, value) }) : /* @__PURE__ */ jsx("span", { class: "value mono", title: `${description.description}
${reason}`, children: /* @__PURE__ */ jsx(FieldValue, { field }) }),
          before !== void 0 && /* @__PURE__ */ jsx("span", { class: "was", title: "The value before", children: ` was ${valueText(description.kind, before)}` })
        ] }, description.name);
      })
    ] }),
    /* @__PURE__ */ jsx("td", { class: "writer", children: /* @__PURE__ */ jsx(Writer, { writer: register.writer }) })
  ] });
}
export {
  create
};
