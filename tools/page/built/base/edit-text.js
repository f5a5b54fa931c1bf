// base/edit-text.ts
import { isIn, parseRanges } from "pspge/base/typed-number.js";
var ARITHMETICS = { hardware: "hardware (PSP)", single: "single (emulators)" };
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
  const parts = edit.slice(at + 1).split(",");
  return parts.some((part) => isIn(parseRanges(part.replace("event:", "")) ?? [], part.startsWith("event:") ? row.event : row.draw));
}
function normalEdit(text) {
  const [, option, value = ""] = /^(--[a-z-]+)(?:[\s=]+(.*))?$/s.exec(text.trim()) ?? [];
  if (!option) {
    return `--set ${text.trim()}`;
  }
  return option === "--wireframe" ? `--wireframe=${value || "0-"}` : `${option} ${value}`.trim();
}
function placeOf(edit) {
  if (edit.startsWith("--solo ")) {
    return "--solo";
  }
  const set = /^--set[ =]\s*([^=]+)=(?:.*?)(@[^@]*)?$/.exec(edit);
  return set ? `--set ${set[1]}${set[2] ?? ""}` : edit;
}
export {
  ARITHMETICS,
  editOf,
  normalEdit,
  placeOf
};
