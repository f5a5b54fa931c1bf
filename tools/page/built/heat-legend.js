// heat-legend.js
import { count, h, replace } from "pspge/dom.js";
import { heatColor, isLogarithmic } from "pspge/heat-map.js";
var STEPS = 128;
function fillLegend(legend, kind, { smallest, largest, total }) {
  const isCost = kind === "cost";
  const number = (value) => isCost ? String(Math.round(value / 10) / 100) : count(value);
  const sum = count(isCost ? Math.round(total / 1e3) : total);
  replace(
    legend,
    h("span", null, isCost ? "Cost per pixel, 1 = a plain fragment" : "Fragments written per pixel"),
    h("span", { class: "mono" }, number(smallest)),
    bar(),
    h("span", { class: "mono" }, number(largest)),
    h("span", null, `sum ${sum}${isLogarithmic({ smallest, largest }) ? ", logarithmic" : ""}`)
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
export {
  fillLegend
};
