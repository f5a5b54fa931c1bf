// The figures of a result as a table, its expectation, and its facts.

import { decimal, valueText, visible } from "pspge-report/text.js";
import { count, h } from "pspge/base/dom.js";

/**
 * @typedef {import("pspge-report/types.js").Figures} Figures
 * @typedef {import("pspge-report/types.js").Result} Result
 */

/** The rows of the table. @type {readonly [string, (figures: Figures) => string][]} */
const ROWS = [
  ["Match", ({ match }) => match],
  ["Size", ({ width, height }) => `${width}×${height}`],
  ["Differing pixels", ({ differing_pixels: differing, width, height }) => `${count(differing)} (${percent(differing, width * height)})`],
  ["Of these in areas", ({ area_pixels: pixels }) => count(pixels)],
  ["Largest difference", ({ largest_difference: largest }) => count(largest)],
  ["Mean squared error", ({ mse }) => decimal(mse)],
  ["PSNR", ({ psnr }) => decimal(psnr, "∞", " dB")],
  ["SSIM", ({ ssim }) => decimal(ssim)],
  ["Blocks that differ", ({ blocks, block_count: all }) => `${count(blocks)} of ${count(all)}`],
  ["Bias", ({ bias }) => valueText(bias.map((number) => decimal(number)))],
];

/**
 * @param {number} part
 * @param {number} whole
 */
function percent(part, whole) {
  return `${decimal(whole > 0 ? (100 * part) / whole : 0)} %`;
}

/**
 * Returns the figures of picture and depth buffer next to each other; null if there are none.
 * @param {Result} result
 * @returns {HTMLElement | null}
 */
export function figuresPart({ picture, depth }) {
  const columns = [
    { title: "Picture", figures: picture },
    { title: "Depth", figures: depth },
  ].filter(({ figures }) => figures !== null);
  if (columns.length === 0) {
    return null;
  }
  const row = (/** @type {typeof ROWS[number]} */ [name, text]) =>
    h("tr", null, h("th", { scope: "row" }, name), columns.map(({ figures }) => h("td", null, text(/** @type {Figures} */ (figures)))));
  return part(
    "Figures",
    h(
      "table",
      { class: "figures" },
      h("thead", null, h("tr", null, h("td", null), columns.map(({ title }) => h("th", { scope: "col" }, title)))),
      h("tbody", null, ROWS.map(row)),
    ),
  );
}

/**
 * Returns the expectation; null if there is none.
 * @param {Result} result
 * @returns {HTMLElement | null}
 */
export function expectationPart({ expectation }) {
  if (!expectation) {
    return null;
  }
  const { kind, reason, allows } = expectation;
  return part("Expectation", facts([{ name: "kind", value: kind }, { name: "reason", value: reason }, { name: "allows", value: allows }]));
}

/**
 * Returns the facts and files of a result.
 * @param {Result} result
 * @returns {HTMLElement}
 */
export function factsPart(result) {
  const files = [
    { name: "input", value: result.input },
    { name: "reference", value: result.reference ?? "" },
    { name: "depth reference", value: result.depth_reference ?? "" },
  ];
  return part("Facts", facts([...result.facts, ...files]));
}

/** @param {{name: string, value: string}[]} list */
function facts(list) {
  const known = list.filter(({ value }) => value !== "");
  return h("dl", { class: "facts" }, known.map(({ name, value }) => [h("dt", null, visible(name)), h("dd", null, visible(value))]));
}

/**
 * Returns a part of the details with a heading.
 * @param {string} title
 * @param {...import("pspge/base/dom.js").Child} children
 * @returns {HTMLElement}
 */
export function part(title, ...children) {
  return h("section", { class: "part" }, h("h3", null, title), children);
}
