// page/messages.tsx
import { h, honest, sentence } from "pspge/base/dom.js";
import { render, signal } from "pspge/base/preact.js";
import { EngineError, messageOf } from "pspge/state/engine.js";
import { Button, IconButton } from "pspge/widgets/controls.js";
import { jsx, jsxs } from "pspge/base/preact.js";
var MOST = 3;
function announcer() {
  const element = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  return {
    element,
    say(text) {
      const shown = honest(text);
      element.textContent = element.textContent === shown ? `${shown} ` : shown;
    }
  };
}
function errorList({ complete, retry, paths }) {
  const element = h("div", { class: "errors", role: "alert" });
  const messages = signal([]);
  const without = (message) => messages.peek().filter((known) => known.message !== message);
  const remove = ({ message }) => {
    messages.value = without(message);
  };
  const Errors = () => messages.value.map((shown) => /* @__PURE__ */ jsxs("div", { class: "error", "data-message": shown.message, "data-code": shown.code, children: [
    /* @__PURE__ */ jsx("span", { class: "error-mark", "aria-hidden": "true", children: shown.code === "address" ? "i" : "!" }),
    /* @__PURE__ */ jsxs("span", { class: "error-text", children: [
      fileText(shown.place.file, shown.message),
      sentence(shown.message),
      placeText(shown.place)
    ] }),
    shown.code === "connection" && /* @__PURE__ */ jsx(Button, { onClick: () => (remove(shown), retry()), children: "Try again" }),
    shown.code === "mesh-data-missing" && /* @__PURE__ */ jsx(Button, { onClick: () => (complete(), remove(shown)), children: "Choose its second file" }),
    /* @__PURE__ */ jsx(IconButton, { name: "close", label: "Close this message", onClick: () => remove(shown) })
  ] }, shown.message));
  render(/* @__PURE__ */ jsx(Errors, {}), element);
  return {
    element,
    /** Takes all messages away, as when another file opens. */
    clear() {
      messages.value = [];
    },
    add(error) {
      const message = shortened(withoutFolders(messageOf(error), paths()));
      const { code, place } = error instanceof EngineError ? error : { code: "page", place: {} };
      messages.value = [...without(message), { message, code, place }].slice(-MOST);
    }
  };
}
function placeText({ offset, line, column, others = [], omitted = 0 }) {
  const at = [
    typeof line === "number" ? ` Line ${line}, column ${column ?? 1}.` : "",
    typeof offset === "number" ? ` At offset 0x${offset.toString(16)} of the file.` : ""
  ].join("");
  const more = others.map(({ message, line: other }) => `
${typeof other === "number" ? `Line ${other}: ` : ""}${sentence(message)}`).join("");
  return `${at}${more}${omitted > 0 ? `
${omitted} more are not shown.` : ""}`;
}
function shortened(message) {
  return message.replace(/\S{300,}/g, (word) => `${word.slice(0, 80)}…${word.slice(-20)}`);
}
function fileText(file, message) {
  const name = baseName(file ?? "");
  return name === "" || message.includes(name) ? "" : `${name}: `;
}
function baseName(path) {
  return path.split("/").pop() ?? path;
}
function withoutFolders(message, paths) {
  return paths.reduce((text, path) => path ? text.replaceAll(path, baseName(path)) : text, message);
}
export {
  announcer,
  errorList
};
