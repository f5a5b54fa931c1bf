// base/typed-number.ts
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
function parseRanges(text) {
  const ranges = text.split(",").map((part) => {
    const [, first = "", dash = "", last = ""] = /^(?=.*\d)(\d*)(-?)(\d*)$/.exec(part) ?? [];
    return [first + dash === "" ? NaN : Number(first), dash === "" ? Number(first) : last === "" ? Infinity : Number(last)];
  });
  return ranges.some(([first]) => Number.isNaN(first)) ? null : ranges;
}
function isIn(ranges, number) {
  return number !== null && ranges.some(([first, last]) => number >= first && number <= last);
}
export {
  isIn,
  parseNumber,
  parseRanges,
  problemOfNumber
};
