// widgets/fields.tsx
import { useId, useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
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
function TextInput({ value, onEnter, ...props }) {
  const [input, typed] = useTyped(value);
  const enter = () => {
    typed.onBlur();
    if (input.current && onEnter(input.current.value.trim(), input.current) === false) {
      input.current.value = value;
    }
  };
  return /* @__PURE__ */ jsx("input", { ref: input, type: "text", spellcheck: false, autocomplete: "off", ...typed, ...props, onChange: enter });
}
function Field({ label, ...props }) {
  return /* @__PURE__ */ jsxs("label", { class: "field", children: [
    /* @__PURE__ */ jsx("span", { children: label }),
    " ",
    /* @__PURE__ */ jsx(TextInput, { size: 10, ...props })
  ] });
}
function SearchField({ label, value, onSearch, ...props }) {
  const { inputRef, ...rest } = props;
  return /* @__PURE__ */ jsxs("label", { class: "field", children: [
    /* @__PURE__ */ jsx("span", { children: label }),
    " ",
    /* @__PURE__ */ jsx("input", { ref: inputRef, type: "text", spellcheck: false, autocomplete: "off", ...rest, value, onInput: (event) => onSearch(event.currentTarget.value) })
  ] });
}
function Problem({ id, text }) {
  return text === null ? null : /* @__PURE__ */ jsx("span", { class: "field-problem problem", role: "alert", id, children: text });
}
function NumberField({ label, name, value, least = 0, most, isWhole = true, format = String, onEnter, onEmpty, ...props }) {
  const [input, typed] = useTyped(value === null ? "" : format(value));
  const id = useId();
  const before = useRef("");
  const [problem, setProblem] = useState(null);
  const write = (text) => {
    before.current = text;
    if (input.current) {
      input.current.value = text;
    }
  };
  const enter = (text) => {
    typed.onBlur();
    const isEmpty = onEmpty !== void 0 && text.trim() === "";
    const why = isEmpty ? null : problemOfNumber(text, { least, most, isWhole });
    setProblem(why);
    if (isEmpty) {
      onEmpty();
    } else if (why === null) {
      const number = parseNumber(text) ?? least;
      write(format(number));
      onEnter(number);
    }
  };
  const press = (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const number = parseNumber(event.currentTarget.value);
    if (step && number !== null) {
      enter(String(Math.max(least, Math.min(most, number + step))));
    }
  };
  const focus = (event) => {
    before.current = event.currentTarget.value;
    setProblem(null);
  };
  const leave = () => {
    typed.onBlur();
    if (problem !== null) {
      write(before.current);
    }
  };
  const field = /* @__PURE__ */ jsx(
    "input",
    {
      ref: input,
      type: "text",
      spellcheck: false,
      autocomplete: "off",
      "aria-label": name,
      "aria-invalid": problem !== null,
      "aria-describedby": problem === null ? void 0 : id,
      ...typed,
      ...props,
      onChange: (event) => enter(event.currentTarget.value),
      onFocus: focus,
      onKeyDown: press,
      onBlur: leave
    }
  );
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    label === void 0 ? field : /* @__PURE__ */ jsxs("label", { class: "field", children: [
      label,
      " ",
      field
    ] }),
    /* @__PURE__ */ jsx(Problem, { id, text: problem })
  ] });
}
export {
  Field,
  NumberField,
  Problem,
  SearchField,
  TextInput,
  useTyped
};
