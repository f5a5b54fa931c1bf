// edit-text.js
function editOf(edits, place, row) {
  return edits.findLast((edit) => isOn(edit, place) && covers(edit, row)) ?? null;
}
function isOn(edit, place) {
  const name = /^--set[ =]\s*([^=\s]+)\s*=/.exec(edit)?.[1] ?? "";
  return name === place || place.startsWith(`${name}.`) || name.startsWith(`${place}.`);
}
function covers(edit, row) {
  const at = edit.lastIndexOf("@");
  if (at < 0 || !row) {
    return at < 0;
  }
  return edit.slice(at + 1).split(",").some((part) => {
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
export {
  editOf
};
