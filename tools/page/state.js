// The panel State: all registers before an event, who wrote them, and editors for their values.

import { h, keepFocus, replace } from "pspge/dom.js";
import { editOf } from "pspge/edit-text.js";
import { editField, fieldValue, valueText } from "pspge/field-editor.js";
import { matrixTables } from "pspge/matrices.js";
import { derivedState } from "pspge/derived-state.js";

/**
 * @typedef {{kind: "start" | "command" | "cpu", command: number | null, address: number | null, file_offset: number | null, record: number | null}} Writer
 * @typedef {{name: string, low: number, high: number, kind: string, description: string, values: {value: number, name: string}[]}} FieldDescription
 * @typedef {{description: FieldDescription, value: any, text: string}} Field
 * @typedef {{name: string, argument: number, text: string, meaning: string, fields: Field[], is_zero: boolean, before: number | null, before_text: string | null, writer: Writer, fixed: string | null}} Register
 */

/** Members whose change needs the state anew. */
const MEMBERS = ["panel", "event", "edits", "arithmetic", "input", "events", "camera", "pose"];

/**
 * Creates the panel.
 * @param {import("pspge/app.js").App} app
 */
export function create(app) {
  const { store } = app;
  /** @type {any} */
  let answer = null;
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
    h("div", { class: "scroll" }, heading, derived, groups, none, matrices),
  );
  /** @type {Set<string>} Groups that the user has closed. */
  const closed = new Set();

  for (const control of [search, onlyChanged, hideZero]) {
    control.addEventListener("input", () => showGroups());
  }
  matrices.addEventListener("toggle", () => showMatrices());

  /** Returns the events of an edit, as its text has them after the @; null for all. */
  function editScope() {
    const row = app.row();
    const number = row === null ? null : row.draw === null ? `event:${row.event}` : String(row.draw);
    if (scope.value === "all" || number === null) {
      return "";
    }
    return `@${number}${scope.value === "from" ? "-" : ""}`;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  function addEdit(name, value) {
    const edit = `--set ${name}=${value}${editScope()}`;
    void store.addEdit(edit).then((isTaken) => isTaken && app.announce(`Edit: ${edit}`));
  }

  /** Whether registers can be set at the selected event. */
  function reasonAgainstEdits() {
    const row = app.row();
    if (!row) {
      return "At the end of the run nothing is drawn that an edit could change.";
    }
    return row.kind === "cpu" ? "Actions of the CPU use no registers." : null;
  }

  function showHeading() {
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
    const change = answer.document.changes.find((/** @type {any} */ change) => change.register === register.name);
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
      const mark = edit === null ? null : h("span", { class: "badge", title: edit }, "edited");
      const was =
        before === undefined
          ? null
          : h("span", { class: "was", title: "The value before" }, ` was ${valueText(field.description, before)}`);
      return h("span", { class: `field${before === undefined ? "" : " is-changed"}` }, label, value, mark, was);
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
        const loaded = await app.engine.latest("state")({
          request: "state",
          run: store.run(),
          event: Math.min(selection.event, app.events.count),
        });
        if (!loaded) {
          return;
        }
        answer = loaded.json;
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
