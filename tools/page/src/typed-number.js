// Numbers that a person types: in decimal, or in hexadecimal after 0x. What is no number, or out of range, is refused in
// words, before anything is asked of the engine.

const NUMBER = /^([+-]?)(0x[0-9a-f]+|0b[01]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;

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
