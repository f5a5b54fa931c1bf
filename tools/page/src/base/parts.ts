// The shown part of a file: a member of a container, and the alternatives of a model, in the address and as options.

import type { InputAnswer, PartSpec } from "pspge/documents.js";

/** Longest path of a member in an address. */
const PATH_MAX = 4096;

/** The part that a file is opened with if none is chosen. */
export const WHOLE: PartSpec = { member: null, lod: null, group: null, hidden: false };

/** Returns whether two parts are the same. */
export function isSamePart(one: PartSpec | null, other: PartSpec | null): boolean {
  return one?.member === other?.member && optionsOf(one).join(" ") === optionsOf(other).join(" ");
}

/** Writes a part as members of an address. */
export function putPart(parts: URLSearchParams, part: PartSpec | null) {
  const named = part && { member: part.member ?? "", lod: part.lod ?? "", group: part.group ?? "", hidden: part.hidden ? "1" : "" };
  for (const [name, value] of Object.entries(named ?? {})) {
    if (value !== "" || (name === "member" && isSamePart(part, WHOLE))) {
      parts.append(name, String(value));
    }
  }
}

/** Reads the part of an address; null if it names none. */
export function partOfHash(hash: string): PartSpec | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const whole = (name: string) => (/^\d{1,9}$/.test(parts.get(name) ?? "") ? Number(parts.get(name)) : null);
  const member = (parts.get("member") ?? "").slice(0, PATH_MAX);
  const isNamed = ["member", "lod", "group", "hidden"].some((name) => parts.has(name));
  return isNamed ? { member: member || null, lod: whole("lod"), group: whole("group"), hidden: parts.get("hidden") === "1" } : null;
}

/** Returns the words of the command line that choose the alternatives of a part. */
function optionsOf(part: PartSpec | null): string[] {
  const number = (name: string, value: number | null | undefined) => (value === null || value === undefined ? [] : [name, String(value)]);
  return [...number("--lod", part?.lod), ...number("--group", part?.group), ...(part?.hidden ? ["--hidden"] : [])];
}

/** Returns the words of a command that open the shown part: its name and all options. */
export function wordsOf(input: Pick<InputAnswer, "options" | "part"> | null, name: string | undefined): string[] {
  return [name ?? "FILE", ...(input?.options ?? []), ...optionsOf(input?.part ?? null)];
}

/** Quotes a word for a shell. */
export function quote(text: string): string {
  return /^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
