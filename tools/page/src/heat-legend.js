// The legend of a heat map.

import { count, h, replace } from "pspge/dom.js";
import { heatColor, isLogarithmic } from "pspge/heat-map.js";

/** Steps of the bar. */
const STEPS = 128;

/**
 * Fills the legend of a heat map. Cost is in thousandths of a plain fragment.
 * @param {HTMLElement} legend
 * @param {"overdraw" | "cost"} kind
 * @param {{smallest: number, largest: number, total: number}} range
 */
export function fillLegend(legend, kind, { smallest, largest, total }) {
  const isCost = kind === "cost";
  const number = (/** @type {number} */ value) => (isCost ? String(Math.round(value / 10) / 100) : count(value));
  const sum = count(isCost ? Math.round(total / 1000) : total);
  replace(
    legend,
    h("span", null, isCost ? "Cost per pixel, 1 = a plain fragment" : "Fragments written per pixel"),
    h("span", { class: "mono" }, number(smallest)),
    bar(),
    h("span", { class: "mono" }, number(largest)),
    h("span", null, `sum ${sum}${isLogarithmic({ smallest, largest }) ? ", logarithmic" : ""}`),
  );
}

function bar() {
  const canvas = h("canvas", { class: "legend-bar", width: STEPS, height: 1, "aria-hidden": true });
  const context = canvas.getContext("2d");
  for (let x = 0; context && x < STEPS; x += 1) {
    context.fillStyle = `rgb(${heatColor(x / (STEPS - 1)).join(" ")})`;
    context.fillRect(x, 0, 1, 1);
  }
  return canvas;
}
