// The texts of edits: how they are written, and which register and which events they are on.

import { isIn, parseRanges } from "pspge/base/typed-number.js";
import type { EventRow } from "pspge/documents.js";

/** The ways to calculate that a run may choose. */
export const ARITHMETICS = { hardware: "hardware (PSP)", single: "single (emulators)" };

type Place = Pick<EventRow, "event" | "draw">;

/** Returns the last edit that sets a register or a field, such as BLENDMODE.source, at an event; null if none does. */
export function editOf(edits: string[], place: string, row: Place | null): string | null {
  return edits.findLast((edit) => isOn(edit, place) && covers(edit, row)) ?? null;
}

function isOn(edit: string, place: string) {
  const name = /^--set[ =]\s*([^=\s]+)\s*=/.exec(edit)?.[1] ?? "";
  return name === place || place.startsWith(`${name}.`) || name.startsWith(`${place}.`);
}

/** Returns whether the events of an edit, which follow its last "@", hold an event. Without one, all do. */
function covers(edit: string, row: Place | null) {
  const at = edit.lastIndexOf("@");
  if (at < 0 || !row) {
    return at < 0;
  }
  const parts = edit.slice(at + 1).split(",");
  return parts.some((part) => isIn(parseRanges(part.replace("event:", "")) ?? [], part.startsWith("event:") ? row.event : row.draw));
}

/**
 * Writes an edit in the form that the engine takes, as the command line also takes others: --set is the usual one, a value
 * follows a space or an equals sign, and --wireframe alone is that of all draws.
 */
export function normalEdit(text: string): string {
  const [, option, value = ""] = /^(--[a-z-]+)(?:[\s=]+(.*))?$/s.exec(text.trim()) ?? [];
  if (!option) {
    return `--set ${text.trim()}`;
  }
  return option === "--wireframe" ? `--wireframe=${value || "0-"}` : `${option} ${value}`.trim();
}

/** Returns the part of an edit that says what it is on, without its value. */
export function placeOf(edit: string): string {
  if (edit.startsWith("--solo ")) {
    // The command line takes the option once.
    return "--solo";
  }
  const set = /^--set[ =]\s*([^=]+)=(?:.*?)(@[^@]*)?$/.exec(edit);
  return set ? `--set ${set[1]}${set[2] ?? ""}` : edit;
}
