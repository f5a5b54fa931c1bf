// Errors as a list under the header, and texts for screen readers.

import { h, honest, iconButton } from "pspge/dom.js";

/** Most errors that are shown at once; older ones go. */
const MOST = 3;

/** Creates the region in which screen readers hear what has happened. */
export function announcer() {
  const element = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  return {
    element,
    /** @param {string} text */
    say(text) {
      // The same text twice would not be read again.
      const shown = honest(text);
      element.textContent = element.textContent === shown ? `${shown}\u00a0` : shown;
    },
  };
}

/**
 * Creates the list of errors.
 * @param {{complete: () => void, retry: () => void, paths: () => (string | undefined)[]}} options `complete` asks for
 * further files of a model that cannot be opened alone; `retry` asks the server again; `paths` returns the names of the open files, which messages name
 * without folders, as the header does
 */
export function errorList({ complete, retry, paths }) {
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
        code === "mesh-data-missing" &&
          h("button", { type: "button", onclick: () => (complete(), row.remove()) }, "Choose its second file"),
        iconButton("close", "Close this message", () => row.remove()),
      );
      element.append(row);
      while (element.children.length > MOST) {
        element.firstElementChild?.remove();
      }
    },
  };
}

/**
 * @param {unknown} error
 * @returns {{message: string, code: string, place: any}}
 */
function describe(error) {
  if (error instanceof Error) {
    const { message, code = "page", place = {} } = /** @type {any} */ (error);
    return { message: message || String(error), code, place };
  }
  return { message: String(error), code: "page", place: {} };
}

/**
 * Describes the place of an error in its file, and further errors of an assembly text.
 * @param {{offset?: number | null, line?: number | null, column?: number | null, others?: any[], omitted?: number}} place
 */
function placeText({ offset, line, column, others = [], omitted = 0 }) {
  const at = [
    typeof line === "number" ? ` Line ${line}, column ${column ?? 1}.` : "",
    typeof offset === "number" ? ` At offset 0x${offset.toString(16)} of the file.` : "",
  ].join("");
  const more = others
    .map(
      ({ message, line: other }) =>
        `\n${typeof other === "number" ? `Line ${other}: ` : ""}${sentence(String(message))}`,
    )
    .join("");
  return `${at}${more}${omitted > 0 ? `\n${omitted} more are not shown.` : ""}`;
}

/**
 * Names the file of an error, if its message does not.
 * @param {string | null | undefined} file
 * @param {string} message
 */
function fileText(file, message) {
  const name = baseName(file ?? "");
  return name === "" || message.includes(name) ? "" : `${name}: `;
}

/**
 * Returns the name of a file without its folders.
 * @param {string} path
 */
function baseName(path) {
  return path.split("/").pop() ?? path;
}

/**
 * Names files in a message without their folders.
 * @param {string} message
 * @param {(string | undefined)[]} paths
 */
function withoutFolders(message, paths) {
  let text = message;
  for (const path of paths) {
    text = path ? text.replaceAll(path, baseName(path)) : text;
  }
  return text;
}

/**
 * Makes a sentence of a message: most of the engine's start small and have no full stop.
 * @param {string} message
 */
function sentence(message) {
  const start = /^[a-z]+[ ,:]/.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
