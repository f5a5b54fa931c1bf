// messages.js
import { h, honest, iconButton } from "pspge/dom.js";
var MOST = 3;
function announcer() {
  const element = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  return {
    element,
    /** @param {string} text */
    say(text) {
      const shown = honest(text);
      element.textContent = element.textContent === shown ? `${shown} ` : shown;
    }
  };
}
function errorList({ complete, retry, paths }) {
  const element = h("div", { class: "errors", role: "alert" });
  return {
    element,
    /** Takes all messages away, as when another file opens. */
    clear: () => element.replaceChildren(),
    /** @param {unknown} error */
    add(error) {
      const { message: full, code, place } = describe(error);
      const message = withoutFolders(full, paths());
      for (const known of [...element.children]) {
        if (known.getAttribute("data-message") === message) {
          known.remove();
        }
      }
      const row = h(
        "div",
        { class: "error", "data-message": message, "data-code": code },
        h("span", { class: "error-mark", "aria-hidden": true }, code === "address" ? "i" : "!"),
        h("span", { class: "error-text" }, fileText(place.file, message), sentence(message), placeText(place)),
        code === "connection" && h("button", { type: "button", onclick: () => (row.remove(), retry()) }, "Try again"),
        code === "mesh-data-missing" && h("button", { type: "button", onclick: () => (complete(), row.remove()) }, "Choose its second file"),
        iconButton("close", "Close this message", () => row.remove())
      );
      element.append(row);
      while (element.children.length > MOST) {
        element.firstElementChild?.remove();
      }
    }
  };
}
function describe(error) {
  if (error instanceof Error) {
    const { message, code = "page", place = {} } = (
      /** @type {any} */
      error
    );
    return { message: message || String(error), code, place };
  }
  return { message: String(error), code: "page", place: {} };
}
function placeText({ offset, line, column, others = [], omitted = 0 }) {
  const at = [
    typeof line === "number" ? ` Line ${line}, column ${column ?? 1}.` : "",
    typeof offset === "number" ? ` At offset 0x${offset.toString(16)} of the file.` : ""
  ].join("");
  const more = others.map(
    ({ message, line: other }) => `
${typeof other === "number" ? `Line ${other}: ` : ""}${sentence(String(message))}`
  ).join("");
  return `${at}${more}${omitted > 0 ? `
${omitted} more are not shown.` : ""}`;
}
function fileText(file, message) {
  const name = baseName(file ?? "");
  return name === "" || message.includes(name) ? "" : `${name}: `;
}
function baseName(path) {
  return path.split("/").pop() ?? path;
}
function withoutFolders(message, paths) {
  let text = message;
  for (const path of paths) {
    text = path ? text.replaceAll(path, baseName(path)) : text;
  }
  return text;
}
function sentence(message) {
  const start = /^[a-z]+[ ,:]/.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
export {
  announcer,
  errorList
};
