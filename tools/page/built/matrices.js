// matrices.js
import { h } from "pspge/dom.js";
import { parseNumber, problemOfNumber, refuse } from "pspge/typed-number.js";
var MATRICES = (
  /** @type {const} */
  [
    ["world", "WORLD", "World"],
    ["view", "VIEW", "View"],
    ["projection", "PROJECTION", "Projection"],
    ["texture", "TEXTURE", "Texture"]
  ]
);
var BONE_ELEMENTS = 12;
function matrixTables(document, addEdit, writerLink) {
  const { matrices } = document.state;
  const changes = (name) => document.matrix_changes.find((change) => change.matrix === name);
  const table = (name, edit, title, rows, first) => matrixTable({
    title,
    rows,
    edit,
    first,
    change: changes(name),
    writers: document.matrix_writers[name] ?? [],
    addEdit,
    writerLink
  });
  return [
    ...MATRICES.map(([name, edit, title]) => table(name, edit, title, matrices[name], 0)),
    ...matrices.bones.map(
      (rows, bone) => table("bones", "BONE", `Bone ${bone}`, rows, bone * BONE_ELEMENTS)
    )
  ];
}
function matrixTable({ title, rows, edit, first, change, writers, addEdit, writerLink }) {
  const columns = rows[0]?.length ?? 0;
  const cell = (value, index) => {
    const position = change?.elements.indexOf(first + index) ?? -1;
    const before = change && position >= 0 ? change.before[first + index] : void 0;
    const text = numberText(value);
    const content = addEdit ? elementEditor(`${edit}[${first + index}]`, text, addEdit) : text;
    return h(
      "td",
      {
        class: `mono${before === void 0 ? "" : " is-changed"}`,
        title: before === void 0 ? "" : `before: ${numberText(before)}`
      },
      before === void 0 ? null : h("span", { class: "change-mark" }, "●"),
      content
    );
  };
  const writer = writers[first];
  return h(
    "table",
    { class: "matrix" },
    h("caption", null, title, " ", writer ? writerLink(writer) : null),
    h(
      "tbody",
      null,
      rows.map(
        (row, line) => h(
          "tr",
          null,
          row.map((value, column) => cell(value, line * columns + column))
        )
      )
    )
  );
}
function elementEditor(name, text, addEdit) {
  const input = h("input", { class: "matrix-element mono", value: text, "aria-label": name, spellcheck: false });
  input.addEventListener("change", () => {
    const value = input.value.trim() || text;
    const problem = value === text ? null : problemOfNumber(value, { isWhole: false });
    refuse(input, problem);
    if (problem === null && value !== text) {
      addEdit(name, String(parseNumber(value)));
    }
    input.value = value;
  });
  return input;
}
function numberText(value) {
  return value === null ? "no number" : String(Number(value.toPrecision(6)));
}
export {
  matrixTables
};
