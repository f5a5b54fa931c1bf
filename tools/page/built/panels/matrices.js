// panels/matrices.tsx
import { capital, decimal } from "pspge/base/dom.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";
import { TextInput } from "pspge/widgets/fields.js";
import { Writer } from "pspge/widgets/links.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var MATRICES = ["world", "view", "projection", "texture"];
var BONE_ELEMENTS = 12;
function Matrices(props) {
  const { matrices } = props.document.state;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    MATRICES.map((name) => /* @__PURE__ */ jsx(Matrix, { name, edit: name.toUpperCase(), title: capital(name), rows: matrices[name], first: 0, ...props }, name)),
    matrices.bones.map((rows, bone) => /* @__PURE__ */ jsx(Matrix, { name: "bones", edit: "BONE", title: `Bone ${bone}`, rows, first: bone * BONE_ELEMENTS, ...props }, bone))
  ] });
}
function Matrix({ name, edit, title, rows, first, document, addEdit }) {
  const change = document.matrix_changes.find(({ matrix }) => matrix === name);
  const writer = document.matrix_writers[name]?.[first];
  const cell = (value, element) => {
    const before = change?.elements.includes(element) ? change.before[element] : void 0;
    const text = decimal(value);
    const place = `${edit}[${element}]`;
    const check = (typed) => typed === "" || typed === text ? null : problemOfNumber(typed, { isWhole: false });
    const enter = (typed) => typed === "" || typed === text ? text : addEdit?.(place, String(parseNumber(typed)));
    return /* @__PURE__ */ jsxs("td", { class: `mono${before === void 0 ? "" : " is-changed"}`, title: before === void 0 ? "" : `before: ${decimal(before)}`, children: [
      before !== void 0 && /* @__PURE__ */ jsx("span", { class: "change-mark", children: "●" }),
      addEdit ? /* @__PURE__ */ jsx(TextInput, { class: "matrix-element mono", "aria-label": place, value: text, check, onEnter: enter }) : text
    ] });
  };
  return /* @__PURE__ */ jsxs("table", { class: "matrix", children: [
    /* @__PURE__ */ jsxs("caption", { children: [
      title,
      " ",
      writer && /* @__PURE__ */ jsx(Writer, { writer })
    ] }),
    /* @__PURE__ */ jsx("tbody", { children: rows.map((row, line) => /* @__PURE__ */ jsx("tr", { children: row.map((value, column) => cell(value, first + line * row.length + column)) })) })
  ] });
}
export {
  Matrices
};
