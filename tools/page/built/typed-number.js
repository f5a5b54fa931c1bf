// typed-number.js
import { h } from "pspge/dom.js";
var NUMBER = /^([+-]?)(0x[0-9a-f]+|0b[01]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;
var problems = 0;
function parseNumber(text) {
  const found = NUMBER.exec(text.trim().replaceAll("_", ""));
  return found ? (found[1] === "-" ? -1 : 1) * Number(found[2]) : null;
}
function problemOfNumber(text, { least = -Infinity, most = Infinity, isWhole = true }) {
  const number = parseNumber(text);
  if (number === null) {
    return `“${text}” is no number. Write it as 31 or 0x1f.`;
  }
  if (isWhole && !Number.isInteger(number)) {
    return `${text} is no whole number.`;
  }
  return number < least || number > most ? `${text} is out of range: ${least} to ${most}.` : null;
}
function refuse(field, sentence) {
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
function numberInput({ least = 0, most, isWhole = true, ...props }, take) {
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
export {
  numberInput,
  parseNumber,
  problemOfNumber,
  refuse
};
