// The texts of edits: which register and which events they are on.

/**
 * Returns the last edit that sets a register or a field at an event; null if none does.
 * @param {string[]} edits
 * @param {string} place such as ZTEST or BLENDMODE.source
 * @param {{event: number, draw: number | null} | null} row
 * @returns {string | null}
 */
export function editOf(edits, place, row) {
  return edits.findLast((edit) => isOn(edit, place) && covers(edit, row)) ?? null;
}

/**
 * @param {string} edit
 * @param {string} place
 */
function isOn(edit, place) {
  const name = /^--set[ =]\s*([^=\s]+)\s*=/.exec(edit)?.[1] ?? "";
  return name === place || place.startsWith(`${name}.`) || name.startsWith(`${place}.`);
}

/**
 * Returns whether the events of an edit, which follow its last @, hold an event. All do without an @.
 * @param {string} edit
 * @param {{event: number, draw: number | null} | null} row
 */
function covers(edit, row) {
  const at = edit.lastIndexOf("@");
  if (at < 0 || !row) {
    return at < 0;
  }
  return edit
    .slice(at + 1)
    .split(",")
    .some((part) => {
      const isEvent = part.startsWith("event:");
      const number = isEvent ? row.event : row.draw;
      const range = /^(\d*)(-?)(\d*)$/.exec(part.replace("event:", ""));
      if (number === null || !range) {
        return false;
      }
      const [, first = "", dash = "", last = ""] = range;
      const end = dash === "" ? Number(first) : last === "" ? Infinity : Number(last);
      return number >= Number(first) && number <= end;
    });
}
