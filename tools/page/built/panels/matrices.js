// panels/matrices.tsx
import { decimal } from "pspge/base/dom.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";
import { TextInput } from "pspge/widgets/fields.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var MATRICES = [
  ["world", "WORLD", "World"],
  ["view", "VIEW", "View"],
  ["projection", "PROJECTION", "Projection"],
  ["texture", "TEXTURE", "Texture"]
];
var BONE_ELEMENTS = 12;
function Matrices({ document, ...shared }) {
  const { matrices } = document.state;
  const table = (name, edit, title, rows, first) => /* @__PURE__ */ jsx(
    Matrix,
    {
      ...{ title, rows, edit, first },
      change: document.matrix_changes.find((change) => change.matrix === name),
      writer: document.matrix_writers[name]?.[first],
      ...shared
    },
    title
  );
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    MATRICES.map(([name, edit, title]) => table(name, edit, title, matrices[name], 0)),
    matrices.bones.map((rows, bone) => table("bones", "BONE", `Bone ${bone}`, rows, bone * BONE_ELEMENTS))
  ] });
}
function Matrix({ title, rows, edit, first, change, writer, addEdit, writerLink }) {
  const cell = (value, element) => {
    const before = change?.elements.includes(element) ? change.before[element] : void 0;
    const text = decimal(value);
    const name = `${edit}[${element}]`;
    const check = (typed) => typed === "" || typed === text ? null : problemOfNumber(typed, { isWhole: false });
    const enter = (typed) => typed === "" || typed === text ? text : addEdit?.(name, String(parseNumber(typed)));
    return /* @__PURE__ */ jsxs("td", { class: `mono${before === void 0 ? "" : " is-changed"}`, title: before === void 0 ? "" : `before: ${decimal(before)}`, children: [
      before !== void 0 && /* @__PURE__ */ jsx("span", { class: "change-mark", children: "●" }),
      addEdit ? /* @__PURE__ */ jsx(TextInput, { class: "matrix-element mono", "aria-label": name, value: text, check, onEnter: enter }) : text
    ] });
  };
  return /* @__PURE__ */ jsxs("table", { class: "matrix", children: [
    /* @__PURE__ */ jsxs("caption", { children: [
      title,
      " ",
      writer && writerLink(writer)
    ] }),
    /* @__PURE__ */ jsx("tbody", { children: rows.map((row, line) => /* @__PURE__ */ jsx("tr", { children: row.map((value, column) => cell(value, first + line * row.length + column)) })) })
  ] });
}
export {
  Matrices
};
