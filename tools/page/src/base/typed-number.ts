// Numbers that a person types: in decimal, or in hexadecimal after 0x. What is no number, or out of range, is refused in
// words, before anything is asked of the engine.

const NUMBER = /^([+-]?)(0x[0-9a-f]+|0b[01]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;

/** Returns the number of a text; null if it is none. */
export function parseNumber(text: string): number | null {
  const found = NUMBER.exec(text.trim().replaceAll("_", ""));
  return found ? (found[1] === "-" ? -1 : 1) * Number(found[2]) : null;
}

/** Returns why a text cannot be the value of a field with this range, both ends inclusive; null if it can. */
export function problemOfNumber(text: string, { least = -Infinity, most = Infinity, isWhole = true }: { least?: number; most?: number; isWhole?: boolean }): string | null {
  const number = parseNumber(text);
  if (number === null) {
    return `“${text}” is no number. Write it as 31 or 0x1f.`;
  }
  if (isWhole && !Number.isInteger(number)) {
    return `${text} is no whole number.`;
  }
  return number < least || number > most ? `${text} is out of range: ${least} to ${most}.` : null;
}

/** Reads numbers and ranges, both ends inclusive: N, A-B, A-, -B, with commas between them; null if a text has others. */
export function parseRanges(text: string): [number, number][] | null {
  const ranges = text.split(",").map((part): [number, number] => {
    const [, first = "", dash = "", last = ""] = /^(?=.*\d)(\d*)(-?)(\d*)$/.exec(part) ?? [];
    return [first + dash === "" ? NaN : Number(first), dash === "" ? Number(first) : last === "" ? Infinity : Number(last)];
  });
  return ranges.some(([first]) => Number.isNaN(first)) ? null : ranges;
}

/** Returns whether one of the ranges holds a number. */
export function isIn(ranges: [number, number][], number: number | null): boolean {
  return number !== null && ranges.some(([first, last]) => number >= first && number <= last);
}
