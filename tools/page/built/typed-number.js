// typed-number.js
var NUMBER = /^([+-]?)(0x[0-9a-f]+|0b[01]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;
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
export {
  parseNumber,
  problemOfNumber
};
