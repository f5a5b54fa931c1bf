// widgets/field-editor.tsx
import { colorText, hex } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { useId, useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";
import { Swatch } from "pspge/widgets/controls.js";
import { Problem } from "pspge/widgets/fields.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var LARGEST_FLOAT = 34027e34;
var COLOR = /^#?[0-9a-f]{6}$/i;
function FieldValue({ field: { description, value, text } }) {
  if (description.kind === "color" && Array.isArray(value)) {
    return /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx(Swatch, { color: value }),
      text
    ] });
  }
  if (description.kind === "flag") {
    return /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("span", { "aria-hidden": "true", children: value ? "☑ " : "☐ " }),
      value ? "on" : "off"
    ] });
  }
  return /* @__PURE__ */ jsx(Fragment, { children: text });
}
function valueText(kind, value) {
  if (Array.isArray(value)) {
    return colorText(value);
  }
  if (typeof value === "boolean") {
    return value ? "on" : "off";
  }
  return kind === "hexadecimal" ? hex(value, 1) : String(value ?? "no number");
}
function EditableValue({ place, field, take }) {
  const [isEdited, setEdited] = useState(false);
  const button = useRef(null);
  useLayoutEffect(() => isEdited ? () => button.current?.focus() : void 0, [isEdited]);
  const { description, value } = field;
  if (isEdited) {
    return /* @__PURE__ */ jsx(Editor, { field, take, end: () => setEdited(false) });
  }
  const edit = () => description.kind === "flag" ? take(value ? "0" : "1") : setEdited(true);
  return /* @__PURE__ */ jsxs("button", { ref: button, type: "button", class: "value mono", title: `${description.description}
Click to try another value.`, onClick: edit, children: [
    /* @__PURE__ */ jsxs("span", { class: "visually-hidden", children: [
      place,
      ": "
    ] }),
    /* @__PURE__ */ jsx(FieldValue, { field })
  ] });
}
function Editor({ field, take, end }) {
  const { description, text } = field;
  const id = useId();
  const editor = useRef(null);
  const isDone = useRef(false);
  const isByKey = useRef(false);
  const [problem, setProblem] = useState(null);
  useLayoutEffect(() => {
    if (editor.current) {
      editor.current.value = text;
      editor.current.focus();
      editor.current.select?.();
    }
  }, []);
  const finish = (isTaken, mayStay = false) => {
    const wanted = editor.current?.value.trim() ?? "";
    const isOther = isTaken && wanted !== "" && wanted !== text;
    const why = isOther ? problemOf(description, wanted) : null;
    setProblem(why);
    if (isDone.current || why && mayStay) {
      return;
    }
    isDone.current = true;
    end();
    if (isOther && !why) {
      take(written(description, wanted));
    }
  };
  const press = (event) => {
    isByKey.current = true;
    takeKey(event, { Enter: () => finish(true, true), Escape: () => finish(false) });
  };
  const shared = {
    ref: editor,
    "aria-label": `New value of ${description.name}`,
    "aria-invalid": problem !== null,
    "aria-describedby": problem === null ? void 0 : id,
    onPointerDown: () => isByKey.current = false,
    onKeyDown: press,
    onBlur: () => finish(true)
  };
  if (description.values.length > 0) {
    const names = description.values.map(({ name }) => name);
    return (
      // Each arrow key changes a closed list; only Enter or leaving it takes the choice then.
      /* @__PURE__ */ jsx("select", { class: "field-editor", ...shared, onChange: () => isByKey.current || finish(true), children: (names.includes(text) ? names : [text, ...names]).map((name) => /* @__PURE__ */ jsx("option", { value: name, children: name })) })
    );
  }
  const { kind } = description;
  const { least, most } = rangeOf(description);
  const hint = kind === "color" ? "Colour as #rrggbb" : kind === "float" ? "A number" : `${least} to ${most}`;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("input", { class: "field-editor mono", type: "text", title: hint, spellcheck: false, size: 10, ...shared }),
    /* @__PURE__ */ jsx(Problem, { id, text: problem })
  ] });
}
function rangeOf({ kind, low, high }) {
  const count = 2 ** (high - low + 1);
  return kind === "float" ? { least: -LARGEST_FLOAT, most: LARGEST_FLOAT, isWhole: false } : kind === "signed" ? { least: -count / 2, most: count / 2 - 1 } : { least: 0, most: count - 1 };
}
function problemOf(description, text) {
  if (description.values.some(({ name }) => name === text)) {
    return null;
  }
  if (description.kind === "color") {
    return COLOR.test(text) ? null : `“${text}” is no colour. Write it as #rrggbb.`;
  }
  return problemOfNumber(text, rangeOf(description));
}
function written({ kind, values }, text) {
  if (kind === "color") {
    return `#${text.replace("#", "")}`;
  }
  const number = values.length > 0 ? null : parseNumber(text);
  return number === null ? text : kind === "hexadecimal" ? hex(number, 1) : String(number);
}
export {
  EditableValue,
  FieldValue,
  valueText
};
