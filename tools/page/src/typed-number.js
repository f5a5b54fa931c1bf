// Numbers that a person types: in decimal, or in hexadecimal after 0x. What is no number, or out of range, is refused in
// words next to its field, before anything is asked of the engine.

import { h } from "pspge/dom.js";

const NUMBER = /^([+-]?)(0x[0-9a-f]+|0b[01]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;
let problems = 0;

/**
 * Returns the number of a text; null if it is none.
 * @param {string} text
 * @returns {number | null}
 */
export function parseNumber(text) {
  const found = NUMBER.exec(text.trim().replaceAll("_", ""));
  return found ? (found[1] === "-" ? -1 : 1) * Number(found[2]) : null;
}

/**
 * Returns why a text cannot be the value of a field; null if it can.
 * @param {string} text
 * @param {{least?: number, most?: number, isWhole?: boolean}} range both ends inclusive
 * @returns {string | null}
 */
export function problemOfNumber(text, { least = -Infinity, most = Infinity, isWhole = true }) {
  const number = parseNumber(text);
  if (number === null) {
    return `“${text}” is no number. Write it as 31 or 0x1f.`;
  }
  if (isWhole && !Number.isInteger(number)) {
    return `${text} is no whole number.`;
  }
  return number < least || number > most ? `${text} is out of range: ${least} to ${most}.` : null;
}

/**
 * Says next to a field why its value is refused, or takes that back with null.
 * @param {HTMLElement} field
 * @param {string | null} sentence
 */
export function refuse(field, sentence) {
  const place = field.closest("label") ?? field;
  const known = place.nextElementSibling;
  if (known?.classList.contains("field-problem")) {
    known.remove();
  }
  field.removeAttribute("aria-describedby");
  field.setAttribute("aria-invalid", String(sentence !== null));
  if (sentence !== null) {
    problems += 1;
    const id = `field-problem-${problems}`;
    place.after(h("span", { class: "field-problem problem", role: "alert", id }, sentence));
    field.setAttribute("aria-describedby", id);
  }
}

/**
 * Creates a field for a number. A number out of range stays in the field with the reason until the field is left.
 * @param {{least?: number, most: () => number, isWhole?: boolean, [prop: string]: any}} options `most` returns the largest
 * number that is possible now; all others are props of the element
 * @param {(number: number) => void} take
 */
export function numberInput({ least = 0, most, isWhole = true, ...props }, take) {
  const input = h("input", { type: "text", spellcheck: false, autocomplete: "off", ...props });
  let before = "";
  const enter = () => {
    const problem = problemOfNumber(input.value, { least, most: most(), isWhole });
    refuse(input, problem);
    if (problem === null) {
      before = input.value;
      take(parseNumber(input.value) ?? least);
    }
  };
  input.addEventListener("focus", () => {
    before = input.value;
    refuse(input, null);
  });
  input.addEventListener("change", enter);
  input.addEventListener("keydown", ({ key }) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[key];
    const number = parseNumber(input.value);
    if (step && number !== null) {
      input.value = String(Math.max(least, Math.min(most(), number + step)));
      enter();
    }
  });
  input.addEventListener("blur", () => {
    if (input.getAttribute("aria-invalid") === "true") {
      input.value = before;
    }
  });
  return input;
}
