// The legend of a heat map.

import { count } from "pspge/base/dom.js";
import { useLayoutEffect, useRef } from "pspge/base/preact.js";
import { heatColor, isLogarithmic } from "pspge/picture/heat-map.js";
import { Mono } from "pspge/widgets/controls.js";

/** Steps of the bar. */
const STEPS = 128;

export interface LegendProps {
  kind: "overdraw" | "cost";
  smallest: number;
  largest: number;
  total: number;
}

/** The legend. Cost is in thousandths of a plain fragment. */
export function HeatLegend({ kind, smallest, largest, total }: LegendProps) {
  const bar = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const context = bar.current?.getContext("2d");
    for (let x = 0; context && x < STEPS; x += 1) {
      context.fillStyle = `rgb(${heatColor(x / (STEPS - 1)).join(" ")})`;
      context.fillRect(x, 0, 1, 1);
    }
  }, []);
  const isCost = kind === "cost";
  const number = (value: number) => (isCost ? String(Math.round(value / 10) / 100) : count(value));
  const sum = count(isCost ? Math.round(total / 1000) : total);
  return (
    <div class="legend">
      <span>{isCost ? "Cost per pixel, 1 = a plain fragment" : "Fragments written per pixel"}</span>
      <Mono>{number(smallest)}</Mono>
      <canvas ref={bar} class="legend-bar" width={STEPS} height={1} aria-hidden="true" />
      <Mono>{number(largest)}</Mono>
      <span>{`sum ${sum}${isLogarithmic({ smallest, largest }) ? ", logarithmic" : ""}`}</span>
    </div>
  );
}
