// widgets/controls.tsx
import { colorText } from "pspge/base/dom.js";
import { ICONS } from "pspge/base/icons.js";
import { takeKey } from "pspge/base/keys.js";
import { rem, splitter } from "pspge/base/layout.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import { Host } from "pspge/widgets/panel.js";
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
function SmallTable({ class: className = "plain-table", heads, rows, hasNames = false }) {
  return /* @__PURE__ */ jsxs("table", { class: className, children: [
    /* @__PURE__ */ jsx(Heads, { names: heads }),
    /* @__PURE__ */ jsx("tbody", { children: rows.map((row) => /* @__PURE__ */ jsx("tr", { children: row.map((cell, nth) => hasNames && nth === 0 ? /* @__PURE__ */ jsx("th", { scope: "row", children: cell }) : /* @__PURE__ */ jsx("td", { children: cell })) })) })
  ] });
}
function Separated({ items }) {
  return /* @__PURE__ */ jsx(Fragment, { children: items.flatMap((item, index) => index > 0 ? [", ", item] : [item]) });
}
function listOf(choices) {
  const list = choices instanceof Array ? choices : Object.entries(choices).map(([value, text]) => ({ value, text }));
  return list.map((choice) => typeof choice === "string" ? { value: choice, text: choice } : choice);
}
function Segments(props) {
  return /* @__PURE__ */ jsx(Chooser, { ...props, groupClass: "segments", groupRole: "radiogroup", role: "radio", state: "aria-checked" });
}
function Tabs(props) {
  return /* @__PURE__ */ jsx(Chooser, { ...props, groupClass: "subtabs", groupRole: "tablist", role: "tab", state: "aria-selected" });
}
function Chooser(props) {
  const { label, chosen, onChoose, groupClass, groupRole, role, state } = props;
  const choices = listOf(props.choices);
  const press = (event) => {
    const usable = choices.filter(({ isDisabled }) => !isDisabled);
    const step = (by) => () => {
      const next = usable[(usable.findIndex(({ value }) => value === chosen) + by + usable.length) % usable.length];
      onChoose(next.value);
      event.currentTarget.children[choices.indexOf(next)].focus();
    };
    takeKey(event, { ArrowLeft: step(-1), ArrowUp: step(-1), ArrowRight: step(1), ArrowDown: step(1) });
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
  return /* @__PURE__ */ jsx(Fragment, { children: listOf(choices).map(({ value, text }) => /* @__PURE__ */ jsx("option", { value, children: text }, value)) });
}
function Select({ label, name = label, choices, chosen, onChoose, ...props }) {
  const { class: className = "field", ...rest } = props;
  return /* @__PURE__ */ jsxs("label", { class: className, children: [
    /* @__PURE__ */ jsx("span", { children: label }),
    " ",
    /* @__PURE__ */ jsx("select", { "aria-label": name, value: chosen, onChange: (event) => onChoose(event.currentTarget.value), ...rest, children: /* @__PURE__ */ jsx(Options, { choices }) })
  ] });
}
function Splitter({ variant = "", isVertical = false, ...options }) {
  const element = useMemo(() => {
    const border = splitter({ ...options, variant: () => variant, isVertical: () => isVertical, parent: () => border.parentElement?.parentElement ?? null });
    return border;
  }, [isVertical, variant]);
  return /* @__PURE__ */ jsx(Host, { element });
}
function useMore(items, atOnce, word = "more") {
  const [shown, setShown] = useState(atOnce);
  const left = items.length - shown;
  const more = /* @__PURE__ */ jsx(Button, { onClick: () => setShown(shown + atOnce), children: `Show ${Math.min(left, atOnce)} ${word} of ${left}` });
  return [items.slice(0, shown), left > 0 && more];
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
export {
  Button,
  Color,
  CopyButton,
  Facts,
  Heads,
  Icon,
  IconButton,
  Link,
  Mono,
  Options,
  Segments,
  Select,
  Separated,
  SmallTable,
  Splitter,
  Swatch,
  Tabs,
  Toggle,
  useKeptFocus,
  useMore,
  useNarrow
};
