// Texts of files as a person can read them, and as a shell reads them.

/** Characters that do not show, or that change the direction of the text around them. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Returns a text with its control characters written out, such as \x1b. Names of files may contain any of them.
 * @param {string} text
 * @returns {string}
 */
export function visible(text) {
  return text.replace(INVISIBLE, escaped);
}

/** @param {string} char */
function escaped(char) {
  const code = char.charCodeAt(0);
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/**
 * Returns a path as one word of a shell. Control characters are escaped, because a terminal would act on them when the
 * text is pasted.
 * @param {string} path
 * @returns {string}
 */
export function shellWord(path) {
  // The command would take a leading dash for an option.
  const safe = path.startsWith("-") ? `./${path}` : path;
  if (safe.search(INVISIBLE) < 0) {
    return `'${safe.replaceAll("'", "'\\''")}'`;
  }
  return `$'${safe.replace(/[\\']/g, "\\$&").replace(INVISIBLE, escaped)}'`;
}

/**
 * Returns a number with four digits that count.
 * @param {number | null | undefined} number
 * @param {string} [missing]
 * @param {string} [unit]
 * @returns {string}
 */
export function decimal(number, missing = "–", unit = "") {
  if (number === null || number === undefined || !Number.isFinite(number)) {
    return missing;
  }
  return `${Number(number.toPrecision(4))}${unit}`.replace("-", "−");
}

/**
 * Returns a number in few characters, such as 1.2k.
 * @param {number} number
 * @returns {string}
 */
export function short(number) {
  if (number < 1000) {
    return String(number);
  }
  const thousands = number / 1000;
  return thousands < 1000 ? `${thousands < 10 ? thousands.toFixed(1) : Math.round(thousands)}k` : `${(thousands / 1000).toFixed(1)}M`;
}

/**
 * Returns the values of a pixel: red, green and blue, or the depth.
 * @param {readonly (number | string)[]} value
 * @returns {string}
 */
export function valueText(value) {
  return value.join(", ");
}

/**
 * Returns a text of several lines with its other control characters written out.
 * @param {string} text
 * @returns {string}
 */
export function visibleLines(text) {
  return text.split(/\r?\n/).map(visible).join("\n");
}
