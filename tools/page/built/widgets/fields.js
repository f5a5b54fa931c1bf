// widgets/fields.tsx
import { useId, useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var PLAIN = { type: "text", spellcheck: false, autocomplete: "off" };
function useTyped(value) {
  const input = useRef(null);
  const isTyped = useRef(false);
  useLayoutEffect(() => {
    if (input.current && !isTyped.current) {
      input.current.value = value;
    }
  }, [value]);
  const listeners = {
    onInput: () => {
      isTyped.current = true;
    },
    onBlur: () => {
      isTyped.current = false;
    }
  };
  return [input, listeners];
}
function TextInput({ label, value, check, onEnter, ...props }) {
  const [input, typed] = useTyped(value);
  const id = useId();
  const [problem, setProblem] = useState(null);
  const enter = ({ currentTarget: field2 }) => {
    typed.onBlur();
    const text = field2.value.trim();
    const why = check?.(text) ?? null;
    setProblem(why);
    const shown = why === null && onEnter(text);
    if (typeof shown === "string") {
      field2.value = shown;
    }
  };
  const leave = ({ currentTarget: field2 }) => {
    typed.onBlur();
    if (problem !== null) {
      field2.value = value;
    }
  };
  const field = /* @__PURE__ */ jsx(
    "input",
    {
      ref: input,
      ...PLAIN,
      "aria-invalid": problem !== null,
      "aria-describedby": problem === null ? void 0 : id,
      ...props,
      onInput: typed.onInput,
      onChange: enter,
      onFocus: () => setProblem(null),
      onBlur: leave
    }
  );
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    label === void 0 ? field : /* @__PURE__ */ jsxs("label", { class: "field", children: [
      /* @__PURE__ */ jsx("span", { children: label }),
      " ",
      field
    ] }),
    /* @__PURE__ */ jsx(Problem, { id, text: problem })
  ] });
}
function SearchField({ label, onSearch, inputRef, ...props }) {
  const search = (event) => onSearch(event.currentTarget.value);
  return /* @__PURE__ */ jsxs("label", { class: "field", children: [
    /* @__PURE__ */ jsx("span", { children: label }),
    " ",
    /* @__PURE__ */ jsx("input", { ref: inputRef, ...PLAIN, ...props, onInput: search })
  ] });
}
function Problem({ id, text }) {
  return text === null ? null : /* @__PURE__ */ jsx("span", { class: "field-problem problem", role: "alert", id, children: text });
}
function NumberField({ value, least = 0, most, isWhole = true, format = String, onEnter, onEmpty, ...props }) {
  const check = (text) => onEmpty && text === "" ? null : problemOfNumber(text, { least, most, isWhole });
  const enter = (text) => {
    const number = parseNumber(text);
    number === null ? onEmpty?.() : onEnter(number);
    return number === null ? "" : format(number);
  };
  const press = ({ key, currentTarget: field }) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[key];
    const number = parseNumber(field.value);
    if (step && number !== null) {
      field.value = String(Math.max(least, Math.min(most, number + step)));
      field.dispatchEvent(new Event("change"));
    }
  };
  return /* @__PURE__ */ jsx(TextInput, { value: value === null ? "" : format(value), check, onEnter: enter, onKeyDown: press, ...props });
}
export {
  NumberField,
  Problem,
  SearchField,
  TextInput,
  useTyped
};
