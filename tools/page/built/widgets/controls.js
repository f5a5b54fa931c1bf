// widgets/controls.tsx
import { colorText } from "pspge/base/dom.js";
import { ICONS } from "pspge/base/icons.js";
import { placeBelow, rem, splitter } from "pspge/base/layout.js";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";
import { Host, useApp } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
function Button(props) {
  return /* @__PURE__ */ jsx("button", { type: "button", ...props });
}
function Link(props) {
  return /* @__PURE__ */ jsx(Button, { ...props, class: `link ${props.class ?? ""}`.trim() });
}
function Icon({ name }) {
  return /* @__PURE__ */ jsx("svg", { viewBox: "0 0 16 16", class: `icon icon-${name}`, "aria-hidden": "true", children: /* @__PURE__ */ jsx("path", { d: ICONS[name] }) });
}
function IconButton({ name, label, ...props }) {
  return /* @__PURE__ */ jsx(Button, { class: "icon-button", title: label, "aria-label": label, ...props, children: /* @__PURE__ */ jsx(Icon, { name }) });
}
function CopyButton({ app, label, text, onRefused, ...props }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const copied = text();
    try {
      await navigator.clipboard.writeText(copied);
      setCopied(true);
      app.announce("Copied.");
      setTimeout(() => setCopied(false), 1500);
    } catch {
      onRefused(copied);
    }
  };
  return /* @__PURE__ */ jsx(Button, { ...props, onClick: () => void copy(), children: isCopied ? "Copied" : label });
}
function Swatch({ color }) {
  const [red = 0, green = 0, blue = 0] = color;
  return /* @__PURE__ */ jsx("span", { class: "swatch", "aria-hidden": "true", style: { backgroundColor: `rgb(${red} ${green} ${blue})` } });
}
function Color({ value }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Swatch, { color: value }),
    /* @__PURE__ */ jsx(Mono, { children: colorText(value) })
  ] });
}
function Mono(props) {
  return /* @__PURE__ */ jsx("span", { class: "mono", ...props });
}
function Facts({ rows }) {
  return /* @__PURE__ */ jsx("dl", { class: "facts", children: rows.filter(([, text]) => text !== null && text !== "").map(([name, text]) => /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("dt", { children: name }),
    /* @__PURE__ */ jsx("dd", { children: text })
  ] })) });
}
function Heads({ names, ...props }) {
  return /* @__PURE__ */ jsx("thead", { ...props, children: /* @__PURE__ */ jsx("tr", { children: names.map((name) => /* @__PURE__ */ jsx("th", { scope: "col", children: name })) }) });
}
function Separated({ items }) {
  return /* @__PURE__ */ jsx(Fragment, { children: items.flatMap((item, index) => index > 0 ? [", ", item] : [item]) });
}
function Segments(props) {
  return /* @__PURE__ */ jsx(Chooser, { ...props, groupClass: "segments", groupRole: "radiogroup", role: "radio", state: "aria-checked" });
}
function Tabs(props) {
  return /* @__PURE__ */ jsx(Chooser, { ...props, groupClass: "subtabs", groupRole: "tablist", role: "tab", state: "aria-selected" });
}
var STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
function Chooser(props) {
  const { label, choices, chosen, onChoose, groupClass, groupRole, role, state } = props;
  const press = (event) => {
    const by = STEPS[event.key];
    const usable = choices.filter(({ isDisabled }) => !isDisabled);
    const next = usable[(usable.findIndex(({ value }) => value === chosen) + (by ?? 0) + usable.length) % usable.length];
    if (by === void 0 || !next) {
      return;
    }
    onChoose(next.value);
    event.currentTarget.children[choices.indexOf(next)].focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return /* @__PURE__ */ jsx("div", { class: groupClass, role: groupRole, "aria-label": label, onKeyDown: press, children: choices.map(({ value, text, title, isDisabled = false }) => /* @__PURE__ */ jsx(Button, { role, title, disabled: isDisabled, tabIndex: value === chosen ? 0 : -1, ...{ [state]: String(value === chosen) }, onClick: () => onChoose(value), children: text }, value)) });
}
function Toggle({ text, isOn, onChange, title, isDisabled = false }) {
  return /* @__PURE__ */ jsxs("label", { class: "check", title, children: [
    /* @__PURE__ */ jsx("input", { type: "checkbox", checked: isOn, disabled: isDisabled, onChange: (event) => onChange(event.currentTarget.checked) }),
    " ",
    text
  ] });
}
function Options({ choices }) {
  return /* @__PURE__ */ jsx(Fragment, { children: choices.map(({ value, text }) => /* @__PURE__ */ jsx("option", { value, children: text }, value)) });
}
function Select({ label, name = label, choices, chosen, onChoose, ...props }) {
  const { class: className = "field", ...rest } = props;
  return /* @__PURE__ */ jsxs("label", { class: className, children: [
    /* @__PURE__ */ jsx("span", { children: label }),
    " ",
    /* @__PURE__ */ jsx("select", { "aria-label": name, value: chosen, onChange: (event) => onChoose(event.currentTarget.value), ...rest, children: /* @__PURE__ */ jsx(Options, { choices }) })
  ] });
}
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
function EventLink({ event, after = false }) {
  const app = useApp();
  const select = () => app.selectEvent(event, after ? { after } : {});
  return /* @__PURE__ */ jsx(Link, { title: app.events?.events[event]?.text ?? `Select event ${event}`, onClick: select, children: nameOfEvent(app, event) });
}
function nameOfEvent(app, event) {
  const draw = app.events?.events[event]?.draw ?? null;
  return draw === null ? `event ${event}` : `draw ${draw}`;
}
function DrawLinks({ draws, most = 24 }) {
  const app = useApp();
  const [shown, setShown] = useState(most);
  useEffect(() => setShown(most), [draws]);
  return /* @__PURE__ */ jsxs("span", { class: "draw-links", children: [
    draws.slice(0, shown).map((draw) => {
      const event = app.eventOfDraw(draw);
      return event === null ? /* @__PURE__ */ jsx("span", { children: draw }, draw) : /* @__PURE__ */ jsx(Link, { title: `Select draw ${draw}`, onClick: () => app.selectEvent(event), children: draw }, draw);
    }),
    shown < draws.length && /* @__PURE__ */ jsx(Link, { onClick: () => setShown(shown + 500), children: `${draws.length - shown} more` })
  ] });
}
function Splitter({ label, name, usual, least, most, isVertical = false }) {
  const now = useRef(isVertical);
  now.current = isVertical;
  const [element] = useState(() => {
    const border = splitter({ label, name, usual, least, most, isVertical: () => now.current, parent: () => border.parentElement?.parentElement ?? null });
    return border;
  });
  useLayoutEffect(() => {
    element.dispatchEvent(new Event("layout"));
  }, [isVertical]);
  return /* @__PURE__ */ jsx(Host, { element });
}
function useNarrow(least) {
  const [element, setElement] = useState(null);
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    if (!element) {
      return void 0;
    }
    const observer = new ResizeObserver(() => element.clientWidth > 0 && setNarrow(element.clientWidth < least * rem()));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, isNarrow];
}
function useKeptFocus(fallback) {
  const ref = useRef(null);
  const last = useRef(null);
  const controls = () => [...ref.current?.querySelectorAll("button, input") ?? []];
  useLayoutEffect(() => {
    if (last.current && !last.current.control.isConnected) {
      const left = controls();
      (left[Math.min(last.current.index, left.length - 1)] ?? fallback?.current)?.focus({ preventScroll: true });
    }
  });
  const focus = ({ target }) => {
    last.current = { control: target, index: controls().indexOf(target) };
  };
  const leave = ({ relatedTarget }) => {
    last.current = relatedTarget ? null : last.current;
  };
  return { ref, onFocusIn: focus, onFocusOut: leave };
}
function closeMenu({ currentTarget }) {
  currentTarget.closest("[popover]")?.hidePopover();
}
function Menu({ label, title, menuClass = "menu", button: props, children }) {
  const button = useRef(null);
  const popover = useRef(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (popover.current && button.current) {
      placeBelow(popover.current, button.current);
    }
  }, []);
  const toggle = ({ newState }) => {
    setOpen(newState === "open");
    if (newState === "open") {
      popover.current?.querySelector("button, input, select")?.focus();
    }
  };
  return /* @__PURE__ */ jsxs("span", { class: "menu-holder", children: [
    /* @__PURE__ */ jsx(
      Button,
      {
        ref: button,
        class: "menu-button",
        title,
        "aria-haspopup": "true",
        "aria-expanded": isOpen,
        onClick: () => {
          setOpen(true);
          popover.current?.togglePopover();
        },
        ...props,
        children: label
      }
    ),
    /* @__PURE__ */ jsx("div", { ref: popover, class: menuClass, popover: "auto", onToggle: toggle, children: typeof children === "function" ? isOpen && children() : children })
  ] });
}
export {
  Button,
  Color,
  CopyButton,
  DrawLinks,
  EventLink,
  Facts,
  Field,
  Heads,
  Icon,
  IconButton,
  Link,
  Menu,
  Mono,
  NumberField,
  Options,
  Problem,
  SearchField,
  Segments,
  Select,
  Separated,
  Splitter,
  Swatch,
  Tabs,
  TextInput,
  Toggle,
  closeMenu,
  nameOfEvent,
  useKeptFocus,
  useNarrow,
  useTyped
};
