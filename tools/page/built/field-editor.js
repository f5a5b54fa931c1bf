// field-editor.js
import { colorText, h, hex, swatch } from "pspge/dom.js";
import { parseNumber, problemOfNumber, refuse } from "pspge/typed-number.js";
var LARGEST_FLOAT = 34027e34;
var COLOR = /^#?[0-9a-f]{6}$/i;
function fieldValue({ description, value, text }) {
  if (description.kind === "color" && Array.isArray(value)) {
    return [swatch(value), text];
  }
  if (description.kind === "flag") {
    return [h("span", { "aria-hidden": true }, value ? "☑ " : "☐ "), value ? "on" : "off"];
  }
  return [text];
}
function valueText({ kind }, value) {
  if (Array.isArray(value)) {
    return colorText(value);
  }
  if (typeof value === "boolean") {
    return value ? "on" : "off";
  }
  return value === null ? "no number" : kind === "hexadecimal" ? hex(value, 1) : String(value);
}
function editField(place, field, take) {
  const { description, value, text } = field;
  if (description.kind === "flag") {
    take(value ? "0" : "1");
    return;
  }
  const editor = (
    /** @type {HTMLInputElement | HTMLSelectElement} */
    description.values.length > 0 ? chooser(field) : input(field)
  );
  editor.classList.add("field-editor");
  editor.dataset.focus = place.dataset.focus;
  editor.setAttribute("aria-label", `New value of ${description.name}`);
  let isDone = false;
  const finish = (isTaken, isStaying = false) => {
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
  editor.addEventListener("pointerdown", () => isByKey = false);
  editor.addEventListener("keydown", (event) => {
    isByKey = true;
    if (event.key === "Enter" || event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      finish(event.key === "Enter", true);
    }
  });
  editor.addEventListener("change", () => editor instanceof HTMLSelectElement && !isByKey && finish(true));
  editor.addEventListener("blur", () => finish(true));
  place.replaceWith(editor);
  editor.focus();
  if (editor instanceof HTMLInputElement) {
    editor.select();
  }
}
function chooser({ description, text }) {
  const options = description.values.map(({ name }) => h("option", { value: name }, name));
  if (!description.values.some(({ name }) => name === text)) {
    options.unshift(h("option", { value: text }, text));
  }
  return h("select", { value: text }, options);
}
function input({ description, text }) {
  const { least, most } = rangeOf(description);
  const { kind } = description;
  const hint = kind === "color" ? "Colour as #rrggbb" : kind === "float" ? "A number" : `${least} to ${most}`;
  return h("input", { class: "mono", type: "text", value: text, title: hint, spellcheck: false, size: 10 });
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
  const number = kind === "color" || values.length > 0 ? null : parseNumber(text);
  if (kind === "color") {
    return `#${text.replace("#", "")}`;
  }
  return number === null ? text : kind === "hexadecimal" ? hex(number, 1) : String(number);
}
export {
  editField,
  fieldValue,
  valueText
};
