// The explanation of a difference in sentences.

import { part } from "pspge-report/figures.js";
import { inspectorAddress } from "pspge-report/links.js";
import { valueText, visible } from "pspge-report/text.js";
import { count, counted, h, swatch } from "pspge/base/dom.js";

/**
 * @typedef {import("pspge-report/types.js").Explanation} Explanation
 * @typedef {import("pspge-report/types.js").Pixel} Pixel
 * @typedef {{address: (event: number) => string | null, onpixel: (pixel: Pixel, buffer: import("pspge-report/types.js").Buffer) => void}} Ways
 */

/**
 * Returns the explanation of a result; null if there is none.
 * @param {import("pspge-report/types.js").Result} result
 * @param {string | null} inspector
 * @param {Ways["onpixel"]} onpixel called to show a pixel
 * @returns {HTMLElement | null}
 */
export function explanationPart(result, inspector, onpixel) {
  const { explanation } = result;
  if (!explanation) {
    return null;
  }
  const ways = { address: (/** @type {number} */ event) => inspectorAddress(inspector, result, event), onpixel };
  return part(
    "Explanation",
    regionText(explanation, ways),
    divergenceText(explanation, ways),
    firstEventText(explanation, ways),
    suspectsList(explanation, ways),
    explanation.notes.map((note) => h("p", { class: "note" }, visible(note))),
    history(explanation),
  );
}

/**
 * @param {Explanation} explanation
 * @param {Ways} ways
 */
function regionText({ buffer, region, pixel }, { onpixel }) {
  const name = buffer === "depth" ? " of the depth buffer" : "";
  const sample = (/** @type {number[]} */ value) => [value.length >= 3 ? swatch(value) : null, valueText(value)];
  const button = h("button", { type: "button", class: "link", onclick: () => onpixel([pixel.x, pixel.y], buffer) }, `${pixel.x},${pixel.y}`);
  return h(
    "p",
    null,
    `The worst region${name} is ${region.width}×${region.height} pixels at ${region.x},${region.y}; `,
    `${counted(region.pixels, "pixel")} in it ${region.pixels === 1 ? "differs" : "differ"}. The worst pixel is `,
    button,
    ": ",
    sample(pixel.value),
    " instead of ",
    sample(pixel.reference),
    ".",
  );
}

/**
 * @param {Explanation} explanation
 * @param {Ways} ways
 */
function divergenceText({ divergence }, { address }) {
  if (!divergence) {
    return null;
  }
  const { draw, event, text, runs } = divergence;
  const start = "The renderer's picture first differs from pspge's after ";
  const how = ` (found in ${counted(runs, "run")})`;
  return h("p", { class: "divergence" }, start, place(draw, event, address), eventText(text), h("span", { class: "muted" }, how));
}

/**
 * @param {Explanation} explanation
 * @param {Ways} ways
 */
function firstEventText({ first_event: first }, { address }) {
  if (!first) {
    return null;
  }
  return h("p", null, "The first event of pspge's run that touches the region is ", place(first.draw, first.event, address), eventText(first.text));
}

/**
 * @param {Explanation} explanation
 * @param {Ways} ways
 */
function suspectsList({ suspects }, { address }) {
  if (suspects.length === 0) {
    return null;
  }
  const item = (/** @type {import("pspge-report/types.js").Suspect} */ { draw, event, text, covered, covered_differing: differing }) =>
    h(
      "li",
      null,
      place(draw, event, address),
      eventText(text),
      h("span", { class: "muted" }, ` covers ${count(differing)} of the differing pixels, ${count(covered)} in all`),
    );
  return [h("p", null, "Draws that cover the differing pixels best:"), h("ol", { class: "suspects" }, suspects.map(item))];
}

/**
 * Returns the words for a draw and its event, as a link to the inspector if there is one.
 * @param {number | null} draw
 * @param {number | null} event
 * @param {Ways["address"]} address
 */
function place(draw, event, address) {
  const words = [draw === null ? null : `draw ${draw}`, event === null ? null : `event ${event}`].filter(Boolean).join(", ");
  const href = event === null ? null : address(event);
  return href ? h("a", { href, target: "_blank", rel: "noopener" }, words) : words;
}

/**
 * Returns the sentence on an event after its number, which is already shown.
 * @param {string} text
 */
function eventText(text) {
  return [": ", h("code", null, visible(text.replace(/^event \d+(, draw \d+)? /, "")))];
}

/** @param {Explanation} explanation */
function history({ history: found, pixel }) {
  if (!found) {
    return null;
  }
  return h(
    "details",
    { class: "history" },
    h("summary", null, `History of the pixel ${pixel.x},${pixel.y} in pspge: ${visible(found.verdict)}`),
    h("ol", null, found.lines.map((line) => h("li", null, h("code", null, visible(line))))),
  );
}
