// The matrices of a state as tables.

import { h } from "pspge/dom.js";
import { parseNumber, problemOfNumber, refuse } from "pspge/typed-number.js";

/** @typedef {import("pspge/state.js").Writer} Writer */

/** The matrices: name in documents, name in edits, title. */
const MATRICES = /** @type {const} */ ([
  ["world", "WORLD", "World"],
  ["view", "VIEW", "View"],
  ["projection", "PROJECTION", "Projection"],
  ["texture", "TEXTURE", "Texture"],
]);
const BONE_ELEMENTS = 12;

/**
 * Returns the tables of all matrices. `addEdit` takes the name of an element and its new value; null if nothing can be
 * edited.
 * @param {import("pspge/documents.js").StateDocument} document
 * @param {((name: string, value: string) => void) | null} addEdit
 * @param {(writer: Writer) => Node} writerLink
 * @returns {Node[]}
 */
export function matrixTables(document, addEdit, writerLink) {
  const { matrices } = document.state;
  const changes = (/** @type {string} */ name) =>
    document.matrix_changes.find((change) => change.matrix === name);
  const table = (
    /** @type {string} */ name,
    /** @type {string} */ edit,
    /** @type {string} */ title,
    /** @type {(number | null)[][]} */ rows,
    /** @type {number} */ first,
  ) =>
    matrixTable({
      title,
      rows,
      edit,
      first,
      change: changes(name),
      writers: document.matrix_writers[name] ?? [],
      addEdit,
      writerLink,
    });
  return [
    ...MATRICES.map(([name, edit, title]) => table(name, edit, title, matrices[name], 0)),
    ...matrices.bones.map((rows, bone) =>
      table("bones", "BONE", `Bone ${bone}`, rows, bone * BONE_ELEMENTS),
    ),
  ];
}

/**
 * @param {{title: string, rows: (number | null)[][], edit: string, first: number, change: import("pspge/documents.js").MatrixChange | undefined, writers: Writer[], addEdit: ((name: string, value: string) => void) | null, writerLink: (writer: Writer) => Node}} options
 */
function matrixTable({ title, rows, edit, first, change, writers, addEdit, writerLink }) {
  const columns = rows[0]?.length ?? 0;
  const cell = (/** @type {number | null} */ value, /** @type {number} */ index) => {
    const position = change?.elements.indexOf(first + index) ?? -1;
    const before = change && position >= 0 ? change.before[first + index] : undefined;
    const text = numberText(value);
    const content = addEdit ? elementEditor(`${edit}[${first + index}]`, text, addEdit) : text;
    return h(
      "td",
      {
        class: `mono${before === undefined ? "" : " is-changed"}`,
        title: before === undefined ? "" : `before: ${numberText(before)}`,
      },
      before === undefined ? null : h("span", { class: "change-mark" }, "●"),
      content,
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
      rows.map((row, line) =>
        h(
          "tr",
          null,
          row.map((value, column) => cell(value, line * columns + column)),
        ),
      ),
    ),
  );
}

/**
 * @param {string} name
 * @param {string} text
 * @param {(name: string, value: string) => void} addEdit
 */
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

/** @param {number | null} value */
function numberText(value) {
  return value === null ? "no number" : String(Number(value.toPrecision(6)));
}
