// picture/heat-legend.tsx
import { count } from "pspge/base/dom.js";
import { useLayoutEffect, useRef } from "pspge/base/preact.js";
import { heatColor, isLogarithmic } from "pspge/picture/heat-map.js";
import { Mono } from "pspge/widgets/controls.js";
import { jsx, jsxs } from "pspge/base/preact.js";
var STEPS = 128;
function HeatLegend({ kind, smallest, largest, total }) {
  const bar = useRef(null);
  useLayoutEffect(() => {
    const context = bar.current?.getContext("2d");
    for (let x = 0; context && x < STEPS; x += 1) {
      context.fillStyle = `rgb(${heatColor(x / (STEPS - 1)).join(" ")})`;
      context.fillRect(x, 0, 1, 1);
    }
  }, []);
  const isCost = kind === "cost";
  const number = (value) => isCost ? String(Math.round(value / 10) / 100) : count(value);
  const sum = count(isCost ? Math.round(total / 1e3) : total);
  return /* @__PURE__ */ jsxs("div", { class: "legend", children: [
    /* @__PURE__ */ jsx("span", { children: isCost ? "Cost per pixel, 1 = a plain fragment" : "Fragments written per pixel" }),
    /* @__PURE__ */ jsx(Mono, { children: number(smallest) }),
    /* @__PURE__ */ jsx("canvas", { ref: bar, class: "legend-bar", width: STEPS, height: 1, "aria-hidden": "true" }),
    /* @__PURE__ */ jsx(Mono, { children: number(largest) }),
    /* @__PURE__ */ jsx("span", { children: `sum ${sum}${isLogarithmic({ smallest, largest }) ? ", logarithmic" : ""}` })
  ] });
}
export {
  HeatLegend
};
