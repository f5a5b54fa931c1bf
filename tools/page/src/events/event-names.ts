// The words for events: names as a person would say them, and the facts by which equal names differ.

import { count, counted } from "pspge/base/dom.js";
import type { EventRow } from "pspge/state/app-types.js";

/** The primitives as short names, and how many vertices each takes of its own; 0 for those that share them. */
const PRIMITIVES: Record<string, [string, number]> = {
  POINTS: ["point", 1],
  LINES: ["line", 2],
  LINE_STRIP: ["Line strip", 0],
  TRIANGLES: ["triangle", 3],
  TRIANGLE_STRIP: ["Strip", 0],
  TRIANGLE_FAN: ["Fan", 0],
  RECTANGLES: ["sprite", 2],
};

/** Usual ways to blend, by the words of the command. */
const BLENDS: Record<string, string> = {
  "ADD SOURCE_ALPHA ONE_MINUS_SOURCE_ALPHA": "alpha",
  "ADD SOURCE_ALPHA DESTINATION_ALPHA": "alpha of both",
};

/** Returns the name of an event, as a person would say it: a clear, sprites, a strip of so many vertices, a copy. */
export function nameOf(row: EventRow): string {
  const [name, own] = PRIMITIVES[row.kind === "draw" ? (row.primitive ?? "") : ""] ?? [null, 0];
  if (row.clears) {
    const { color, stencil, depth } = row.clears;
    const planes = [color && "colour", stencil && "stencil", depth && "depth"].filter(Boolean).join(", ");
    return `Clear ${planes && sizeOf(row) ? `${planes} ${sizeOf(row)}` : "nothing"}`;
  }
  if (name === null || row.vertices === null) {
    return capital(partsOf(row)[0]);
  }
  if (own === 0) {
    return `${name} of ${row.vertices}`;
  }
  const amount = Math.floor(row.vertices / own);
  return amount === 1 && sizeOf(row) ? `${capital(name)} ${sizeOf(row)}` : counted(amount, name);
}

/** Returns the name of equal draws together. `sum` is the first with the vertices of all. */
export function nameOfDraws(sum: EventRow, draws: number) {
  const [name, own] = PRIMITIVES[sum.primitive ?? ""] ?? ["draw", 0];
  return own > 0 ? nameOf({ ...sum, box: null }) : counted(draws, name.toLowerCase());
}

/** Returns the text of an event in two parts: what it does, and from and to which addresses. */
function partsOf({ text }: EventRow): [string, string] {
  const [, what = text, rest = ""] = /^(.*?) ((?:from|to|at) .*)$/.exec(text) ?? [];
  return [what, rest];
}

/** Returns the size of the pixels that an event covers; an empty text if there are none. */
function sizeOf({ box }: EventRow) {
  return box ? `${box.right - box.left + 1}×${box.bottom - box.top + 1}` : "";
}

/** Returns where an event works: the box of its pixels, or its addresses. */
export function placeOf(row: EventRow) {
  const { box } = row;
  if (box) {
    return `${sizeOf(row)} at ${box.left},${box.top}`;
  }
  return row.draw === null ? partsOf(row)[1] : "";
}

/** Returns the size and format of an event's texture. */
export function textureOf({ texture }: EventRow) {
  return texture ? `${texture.width}×${texture.height} ${texture.format}` : "";
}

/** Returns how a draw blends, in short; an empty text if it does not. */
export function blendOf({ state }: EventRow) {
  const blend = state.find((word) => word.startsWith("blend "))?.slice(6) ?? "";
  return BLENDS[blend] ?? blend.replace(/^ADD /, "").toLowerCase().replaceAll("_", " ");
}

const TEST = /^(alpha|depth|stencil|color test)\b(?! clamp)/;

/** Returns the tests of a draw. */
export function testsOf({ state }: EventRow) {
  const tests = state.filter((word) => TEST.test(word));
  return tests.join(", ").toLowerCase().replaceAll("_", " ");
}

/** Returns the other effects that are on for a draw, such as light and fog. */
export function effectsOf({ state }: EventRow) {
  return state.filter((word) => !TEST.test(word) && !word.startsWith("blend ")).join(", ");
}

/** Returns how many fragments of an event tests kill. */
export function killedOf({ covered, passed }: EventRow) {
  return Math.max(0, covered - passed);
}

/** Returns the facts on a draw that its small picture has as caption. */
export function describeDraw(row: EventRow): string {
  const texture = row.texture ? `, texture ${textureOf(row)}` : "";
  const fragments = `${counted(row.covered, "fragment")}, ${count(killedOf(row))} killed`;
  return `Event ${row.event}, draw ${row.draw}, ${nameOf(row)}: ${fragments}, cost ${count(row.cost)}${texture}`;
}

function capital(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
