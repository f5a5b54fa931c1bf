// The legend of the heat map.

import { differenceColor } from "pspge-report/picture-set.js";
import { count, h } from "pspge/base/dom.js";

/** Steps of the bar. */
const STEPS = 128;

/**
 * Creates the legend of the heat map.
 * @param {number} limit largest difference that is possible
 * @returns {HTMLElement}
 */
export function heatLegend(limit) {
  const canvas = h("canvas", { class: "legend-bar", width: STEPS, height: 1, "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  for (let x = 0; context && x < STEPS; x += 1) {
    context.fillStyle = `rgb(${differenceColor(limit ** (x / (STEPS - 1)), limit).join(" ")})`;
    context.fillRect(x, 0, 1, 1);
  }
  const ticks = limit > 255 ? [1, 16, 256, 4096, limit] : [1, 4, 16, 64, limit];
  const tick = (/** @type {number} */ value) => {
    const element = h("span", { class: "legend-tick" }, count(value));
    element.style.left = `${(100 * Math.log(value)) / Math.log(limit)}%`;
    return element;
  };
  const name = limit > 255 ? "Difference of the depth" : "Largest difference of red, green and blue";
  return h(
    "div",
    { class: "legend" },
    h("span", null, `${name}, logarithmic`),
    h("div", { class: "legend-scale" }, canvas, h("div", { class: "legend-ticks" }, ticks.map(tick))),
    h("span", { class: "muted" }, "grey: equal"),
  );
}
