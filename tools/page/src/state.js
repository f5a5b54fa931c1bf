// The panel State: all registers before an event, who wrote them, and editors for their values.

import { h, keepFocus, replace } from "pspge/dom.js";
import { editOf } from "pspge/edit-text.js";
import { editField, fieldValue, valueText } from "pspge/field-editor.js";
import { matrixTables } from "pspge/matrices.js";
import { derivedState } from "pspge/derived-state.js";

/**
 * @typedef {import("pspge/documents.js").WriterInfo} Writer
 * @typedef {import("pspge/documents.js").FieldDescription} FieldDescription
 * @typedef {import("pspge/documents.js").FieldRow} Field
 * @typedef {import("pspge/documents.js").RegisterRow} Register
 */

/** Members whose change needs the state anew. */
const MEMBERS = ["panel", "event", "edits", "arithmetic", "input", "events", "camera", "pose"];

/**
 * Creates the panel.
 * @param {import("pspge/app.js").App} app
 */
export function create(app) {
  const { store } = app;
  /** @type {import("pspge/documents.js").StateAnswer | null} */
  let answer = null;
  /** @type {Map<string, any>} Values of the file itself, if edits set others. */
  let originals = new Map();
  const search = h("input", {
    type: "search",
    placeholder: "Search registers",
    "aria-label": "Search registers",
    spellcheck: false,
  });
  const onlyChanged = h("input", { type: "checkbox" });
  const hideZero = h("input", { type: "checkbox" });
  const scope = h(
    "select",
    { "aria-label": "Events that an edit changes", title: "Events that an edit changes" },
    [
      ["this", "this event"],
      ["from", "from here on"],
      ["all", "all events"],
    ].map(([value, text]) => h("option", { value }, text)),
  );
  const heading = h("p", { class: "state-heading" });
  const derived = h("div", { class: "derived" });
  const noEdits = h("p", { class: "muted", role: "status", hidden: true });
  const groups = h("div", { class: "state-groups" });
  const matrices = h("details", { class: "group" }, h("summary", null, "Matrices"), h("div", { class: "matrices" }));
  const none = h("p", { class: "muted", hidden: true }, "No register matches.");
  const element = h(
    "div",
    { class: "panel state-panel" },
    h(
      "div",
      { class: "pane-head" },
      search,
      h("label", { class: "check" }, onlyChanged, "only changed"),
      h("label", { class: "check" }, hideZero, "hide zero"),
      h("label", { class: "check" }, "edits change", scope),
    ),
    h("div", { class: "scroll" }, heading, derived, noEdits, groups, none, matrices),
  );
  /** @type {Set<string>} Groups that the user has closed. */
  const closed = new Set();

  for (const control of [search, onlyChanged, hideZero, scope]) {
    control.addEventListener("input", () => showGroups());
  }
  scope.addEventListener("input", () => showMatrices());
  matrices.addEventListener("toggle", () => showMatrices());

  /** Returns the events of an edit, as its text has them after the @. They are all draws and transfers without one. */
  function editScope() {
    const row = app.row();
    if (scope.value === "all" || !row) {
      return "";
    }
    const here = row.draw !== null ? String(row.draw) : row.kind === "cpu" ? null : `event:${row.event}`;
    // A range of events could hold actions of the CPU, which have no registers; a range of draws cannot.
    const next = app.events?.events.find(({ event, draw }) => event >= row.event && draw !== null)?.draw;
    const later = scope.value === "from" && next !== undefined ? `${next}-` : null;
    return `@${[row.draw !== null && later ? null : here, later].filter(Boolean).join(",")}`;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  function addEdit(name, value) {
    const edit = `--set ${name}=${value}${editScope()}`;
    void store.addEdit(edit).then((isTaken) => isTaken && app.announce(`Edit: ${edit}`));
  }

  /** Returns why no register can be set at the selected event; null if they can. */
  function reasonAgainstEdits() {
    const row = app.row();
    if (scope.value === "all" || (row && row.kind !== "cpu")) {
      return null;
    }
    const isPossible = scope.value === "from" && row !== null && editScope() !== "@";
    const subject = row ? "An action of the CPU uses no registers" : "Nothing is drawn at the end of the run";
    return isPossible ? null : `${subject}, so no value can be changed here. “Edits change” above can name other events.`;
  }

  function showHeading() {
    if (!answer) {
      return;
    }
    const { document } = answer;
    const row = app.row();
    const previous = document.previous_event;
    const changes = document.changes.length;
    replace(
      heading,
      h("strong", null, row ? `State at event ${row.event}` : "State at the end of the run"),
      ` · ${changes === 0 ? "no register" : changes === 1 ? "1 register" : `${changes} registers`} changed since ${previous ? `event ${previous.event}` : "the start"}`,
    );
  }

  function showGroups() {
    if (!answer) {
      return;
    }
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isShown = (/** @type {Register} */ register) =>
      (!onlyChanged.checked || register.before !== null) &&
      (!hideZero.checked || !register.is_zero) &&
      words.every((word) => `${register.name} ${register.text} ${register.meaning}`.toLowerCase().includes(word));
    const against = reasonAgainstEdits();
    replace(noEdits, against);
    noEdits.hidden = against === null;
    const shown = answer.groups.map((/** @type {{name: string, registers: Register[]}} */ group) => {
      const registers = group.registers.filter(isShown);
      return registers.length === 0 ? null : groupElement(group.name, registers, against);
    });
    none.hidden = shown.some(Boolean);
    keepFocus(groups, () => replace(groups, shown));
  }

  /**
   * @param {string} name
   * @param {Register[]} registers
   * @param {string | null} against
   */
  function groupElement(name, registers, against) {
    const changed = registers.filter(({ before }) => before !== null).length;
    const details = h(
      "details",
      { class: "group", open: !closed.has(name) },
      h(
        "summary",
        null,
        name,
        changed > 0 &&
          h(
            "span",
            { class: "badge", title: "Registers that have changed since the event before" },
            `${changed} changed`,
          ),
      ),
      h(
        "table",
        { class: "registers" },
        h("colgroup", null, h("col", { class: "name-column" }), h("col"), h("col", { class: "writer-column" })),
        h(
          "thead",
          { class: "visually-hidden" },
          h(
            "tr",
            null,
            ["Register", "Fields", "Writer"].map((title) => h("th", { scope: "col" }, title)),
          ),
        ),
        h(
          "tbody",
          null,
          registers.map((register) => registerRow(register, against)),
        ),
      ),
    );
    details.addEventListener("toggle", () => (details.open ? closed.delete(name) : closed.add(name)));
    return details;
  }

  /**
   * @param {Register} register
   * @param {string | null} against
   */
  function registerRow(register, against) {
    const isChanged = register.before !== null;
    const change = answer?.document.changes.find((change) => change.register === register.name);
    const reason = register.fixed ?? against;
    const fields = register.fields.map((field) => {
      const { name } = field.description;
      const before = change?.fields?.[name]?.before;
      const place = register.fields.length === 1 ? register.name : `${register.name}.${name}`;
      const label =
        register.fields.length === 1
          ? null
          : h("span", { class: "field-name", title: field.description.description }, name);
      const value =
        reason === null
          ? editableValue(place, field)
          : h("span", { class: "value mono", title: `${field.description.description}\n${reason}` }, fieldValue(field));
      const edit = editOf(store.get().edits, place, app.row());
      const original = `${register.name}.${name}`;
      const mark =
        edit === null
          ? null
          : h("span", { class: "badge", title: `${edit}; the value of the file comes first` }, originals.has(original) ? `${valueText(field.description, originals.get(original))} →` : "edited");
      const was =
        before === undefined
          ? null
          : h("span", { class: "was", title: "The value before" }, ` was ${valueText(field.description, before)}`);
      return h("span", { class: `field${before === undefined ? "" : " is-changed"}` }, label, mark, value, was);
    });
    return h(
      "tr",
      { class: isChanged ? "is-changed" : register.is_zero ? "is-zero" : "" },
      h(
        "th",
        { scope: "row", title: register.meaning },
        isChanged &&
          h(
            "span",
            { class: "change-mark", title: `Changed; before: ${register.before_text || register.before}` },
            "●",
          ),
        register.name,
      ),
      h("td", { class: "fields" }, fields.length > 0 ? fields : h("span", { class: "mono" }, register.text)),
      h("td", { class: "writer" }, writerLink(register.writer)),
    );
  }

  /**
   * @param {string} place
   * @param {Field} field
   */
  function editableValue(place, field) {
    const button = h(
      "button",
      {
        type: "button",
        class: "value mono",
        title: `${field.description.description}\nClick to try another value.`,
        "data-focus": place,
      },
      h("span", { class: "visually-hidden" }, `${place}: `),
      fieldValue(field),
    );
    button.addEventListener("click", () => editField(button, field, (value) => addEdit(place, value)));
    return button;
  }

  /** @param {Writer} writer */
  function writerLink(writer) {
    if (writer.kind === "command" && writer.command !== null) {
      const { command } = writer;
      const title = `Written by command ${command}${writer.address === null ? "" : ` at 0x${(writer.address >>> 0).toString(16).padStart(8, "0")}`}. Show it`;
      return h(
        "button",
        {
          type: "button",
          class: "link mono",
          title,
          "data-focus": `writer ${command}`,
          onclick: () => app.showCommand(command),
        },
        `#${command}`,
      );
    }
    return writer.kind === "cpu"
      ? h("span", { class: "muted", title: `Action ${writer.record} of the CPU` }, "CPU")
      : h("span", { class: "muted", title: "The value is that of the start" }, "start");
  }

  function showMatrices() {
    const place = /** @type {HTMLElement} */ (matrices.lastElementChild);
    if (!matrices.open || !answer) {
      place.replaceChildren();
      return;
    }
    const against = reasonAgainstEdits();
    replace(
      place,
      matrixTables(answer.document, against === null ? addEdit : null, (writer) => writerLink(writer)),
    );
  }

  return {
    id: "state",
    title: "State",
    key: "1",
    element,
    show() {},
    /**
     * @param {import("pspge/store.js").Selection} selection
     * @param {Set<string>} changed
     */
    async update(selection, changed) {
      if (!app.events || ![...changed].some((name) => MEMBERS.includes(name))) {
        return;
      }
      element.classList.add("is-loading");
      try {
        const ask = (/** @type {string} */ channel, /** @type {string[]} */ edits) =>
          app.engine.latest(channel)({ request: "state", run: { ...store.run(), edits }, event: Math.min(selection.event, app.events?.count ?? 0) });
        const others = selection.edits.filter((edit) => !edit.startsWith("--set "));
        const isSet = others.length < selection.edits.length;
        const [loaded, unset] = await Promise.all([ask("state", selection.edits), isSet ? ask("state of the file", others) : null]);
        if (!loaded || (isSet && !unset)) {
          return;
        }
        answer = loaded.json;
        originals = new Map(unset?.json.groups.flatMap(valuesOfGroup));
      } finally {
        element.classList.remove("is-loading");
      }
      const edited = element.querySelector(".field-editor");
      if (edited) {
        // A new state must not take away the field that the user types in.
        return;
      }
      showHeading();
      replace(derived, derivedState(answer.document.state, app));
      showGroups();
      showMatrices();
    },
  };
}

/**
 * Returns the values of a group's fields by their names.
 * @param {{registers: Register[]}} group
 * @returns {[string, any][]}
 */
function valuesOfGroup({ registers }) {
  return registers.flatMap(({ name, fields }) => fields.map(({ description, value }) => /** @type {[string, any]} */ ([`${name}.${description.name}`, value])));
}
