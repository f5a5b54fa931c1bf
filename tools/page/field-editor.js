// Editors for fields of registers: they take the place of a value until it is chosen.

import { h, swatch } from "pspge/dom.js";

/** @typedef {import("pspge/state.js").Field} Field */

/**
 * Returns a value as it is shown: with a sample if it is a colour, and a box if it is a switch.
 * @param {Field} field
 * @returns {(Node | string)[]}
 */
export function fieldValue({ description, value, text }) {
  if (description.kind === "color" && Array.isArray(value)) {
    return [swatch(value), text];
  }
  if (description.kind === "flag") {
    return [h("span", { "aria-hidden": true }, value ? "☑ " : "☐ "), value ? "on" : "off"];
  }
  return [text];
}

/**
 * Replaces a value by an editor. Enter or a choice takes the value, Escape leaves it.
 * @param {HTMLElement} place
 * @param {Field} field
 * @param {(value: string) => void} take
 */
export function editField(place, field, take) {
  const { description, value, text } = field;
  if (description.kind === "flag") {
    take(value ? "0" : "1");
    return;
  }
  const editor = /** @type {HTMLInputElement | HTMLSelectElement} */ (
    description.values.length > 0 ? chooser(field) : input(field)
  );
  editor.classList.add("field-editor");
  editor.dataset.focus = place.dataset.focus;
  editor.setAttribute("aria-label", `New value of ${description.name}`);
  let isDone = false;
  const finish = (/** @type {boolean} */ isTaken) => {
    if (isDone) {
      return;
    }
    isDone = true;
    const wanted = editor.value.trim();
    editor.replaceWith(place);
    place.focus();
    if (isTaken && wanted !== "" && wanted !== text) {
      take(wanted);
    }
  };
  let isByKey = false;
  editor.addEventListener("pointerdown", () => (isByKey = false));
  editor.addEventListener("keydown", (/** @type {any} */ event) => {
    isByKey = true;
    if (event.key === "Enter" || event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      finish(event.key === "Enter");
    }
  });
  // Each arrow key changes a closed list; only Enter or leaving it takes the choice then.
  editor.addEventListener("change", () => editor instanceof HTMLSelectElement && !isByKey && finish(true));
  editor.addEventListener("blur", () => finish(true));
  place.replaceWith(editor);
  editor.focus();
  if (editor instanceof HTMLInputElement) {
    editor.select();
  }
}

/** @param {Field} field */
function chooser({ description, text }) {
  const options = description.values.map(({ name }) => h("option", { value: name }, name));
  if (!description.values.some(({ name }) => name === text)) {
    options.unshift(h("option", { value: text }, text));
  }
  return h("select", { value: text }, options);
}

/** @param {Field} field */
function input({ description, text }) {
  const bits = description.high - description.low + 1;
  const isWhole = description.kind === "unsigned" || description.kind === "signed";
  const range =
    description.kind === "signed"
      ? { min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 }
      : { min: 0, max: 2 ** bits - 1 };
  const hint =
    description.kind === "color" ? "Colour as #rrggbb" : description.kind === "float" ? "A number" : `${bits} bits`;
  return h("input", {
    class: "mono",
    type: isWhole ? "number" : "text",
    ...(isWhole ? range : {}),
    value: text,
    title: hint,
    spellcheck: false,
    size: 10,
  });
}
