// Editors for fields of registers: they take the place of a value until it is chosen.

import { colorText, h, hex, swatch } from "pspge/dom.js";
import { parseNumber, problemOfNumber, refuse } from "pspge/typed-number.js";

/** @typedef {import("pspge/state.js").Field} Field */
/** @typedef {import("pspge/state.js").FieldDescription} FieldDescription */

/** The largest number that the 24 bits of a float hold. */
const LARGEST_FLOAT = 3.4027e38;
const COLOR = /^#?[0-9a-f]{6}$/i;

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
 * Returns another value of a field, as a person reads it: in the base in which the engine writes those of its kind.
 * @param {FieldDescription} description
 * @param {any} value
 * @returns {string}
 */
export function valueText({ kind }, value) {
  if (Array.isArray(value)) {
    return colorText(value);
  }
  if (typeof value === "boolean") {
    return value ? "on" : "off";
  }
  return value === null ? "no number" : kind === "hexadecimal" ? hex(value, 1) : String(value);
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
  // A value that is refused stays in the field with the reason. Who leaves the field leaves the value as it was.
  const finish = (/** @type {boolean} */ isTaken, /** @type {boolean} */ isStaying = false) => {
    if (isDone) {
      return;
    }
    const wanted = editor.value.trim();
    const problem = isTaken && wanted !== "" ? problemOf(description, wanted) : null;
    refuse(editor, problem);
    if (problem && isStaying) {
      return;
    }
    isDone = true;
    editor.replaceWith(place);
    place.focus();
    if (isTaken && !problem && wanted !== "" && wanted !== text) {
      take(written(description, wanted));
    }
  };
  let isByKey = false;
  editor.addEventListener("pointerdown", () => (isByKey = false));
  editor.addEventListener("keydown", (/** @type {any} */ event) => {
    isByKey = true;
    if (event.key === "Enter" || event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      finish(event.key === "Enter", true);
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
  const { least, most } = rangeOf(description);
  const { kind } = description;
  const hint = kind === "color" ? "Colour as #rrggbb" : kind === "float" ? "A number" : `${least} to ${most}`;
  return h("input", { class: "mono", type: "text", value: text, title: hint, spellcheck: false, size: 10 });
}

/** @param {FieldDescription} description */
function rangeOf({ kind, low, high }) {
  const count = 2 ** (high - low + 1);
  return kind === "float"
    ? { least: -LARGEST_FLOAT, most: LARGEST_FLOAT, isWhole: false }
    : kind === "signed"
      ? { least: -count / 2, most: count / 2 - 1 }
      : { least: 0, most: count - 1 };
}

/**
 * Returns why a text cannot be the value of a field; null if it can.
 * @param {FieldDescription} description
 * @param {string} text
 */
function problemOf(description, text) {
  if (description.values.some(({ name }) => name === text)) {
    return null;
  }
  if (description.kind === "color") {
    return COLOR.test(text) ? null : `“${text}” is no colour. Write it as #rrggbb.`;
  }
  return problemOfNumber(text, rangeOf(description));
}

/**
 * Writes a value as edits have it: in the base in which the page shows the field.
 * @param {FieldDescription} description
 * @param {string} text
 */
function written({ kind, values }, text) {
  const number = kind === "color" || values.length > 0 ? null : parseNumber(text);
  if (kind === "color") {
    return `#${text.replace("#", "")}`;
  }
  return number === null ? text : kind === "hexadecimal" ? hex(number, 1) : String(number);
}
