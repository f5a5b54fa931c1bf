// events/event-names.ts
import { count, counted } from "pspge/base/dom.js";
var PRIMITIVES = {
  POINTS: ["point", 1],
  LINES: ["line", 2],
  LINE_STRIP: ["Line strip", 0],
  TRIANGLES: ["triangle", 3],
  TRIANGLE_STRIP: ["Strip", 0],
  TRIANGLE_FAN: ["Fan", 0],
  RECTANGLES: ["sprite", 2]
};
var BLENDS = {
  "ADD SOURCE_ALPHA ONE_MINUS_SOURCE_ALPHA": "alpha",
  "ADD SOURCE_ALPHA DESTINATION_ALPHA": "alpha of both"
};
function nameOf(row) {
  const [name, own] = PRIMITIVES[row.kind === "draw" ? row.primitive ?? "" : ""] ?? [null, 0];
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
function nameOfDraws(sum, draws) {
  const [name, own] = PRIMITIVES[sum.primitive ?? ""] ?? ["draw", 0];
  return own > 0 ? nameOf({ ...sum, box: null }) : counted(draws, name.toLowerCase());
}
function partsOf({ text }) {
  const [, what = text, rest = ""] = /^(.*?) ((?:from|to|at) .*)$/.exec(text) ?? [];
  return [what, rest];
}
function sizeOf({ box }) {
  return box ? `${box.right - box.left + 1}×${box.bottom - box.top + 1}` : "";
}
function placeOf(row) {
  const { box } = row;
  if (box) {
    return `${sizeOf(row)} at ${box.left},${box.top}`;
  }
  return row.draw === null ? partsOf(row)[1] : "";
}
function textureOf({ texture }) {
  return texture ? `${texture.width}×${texture.height} ${texture.format}` : "";
}
function blendOf({ state }) {
  const blend = state.find((word) => word.startsWith("blend "))?.slice(6) ?? "";
  return BLENDS[blend] ?? blend.replace(/^ADD /, "").toLowerCase().replaceAll("_", " ");
}
var TEST = /^(alpha|depth|stencil|color test)\b(?! clamp)/;
function testsOf({ state }) {
  const tests = state.filter((word) => TEST.test(word));
  return tests.join(", ").toLowerCase().replaceAll("_", " ");
}
function effectsOf({ state }) {
  return state.filter((word) => !TEST.test(word) && !word.startsWith("blend ")).join(", ");
}
function killedOf({ covered, passed }) {
  return Math.max(0, covered - passed);
}
function describeDraw(row) {
  const texture = row.texture ? `, texture ${textureOf(row)}` : "";
  const fragments = `${counted(row.covered, "fragment")}, ${count(killedOf(row))} killed`;
  return `Event ${row.event}, draw ${row.draw}, ${nameOf(row)}: ${fragments}, cost ${count(row.cost)}${texture}`;
}
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
export {
  blendOf,
  describeDraw,
  effectsOf,
  killedOf,
  nameOf,
  nameOfDraws,
  placeOf,
  testsOf,
  textureOf
};
