// The run that the page shows: what tells it from others, and filters of its draws.

import type { App } from "pspge/app-types.js";

/** Returns a text that is the same as long as the run and these values are. */
export function runKey(app: App, ...values: unknown[]): string {
  return JSON.stringify([...values, app.store.run(), app.input?.hash]);
}

/** Returns the text of the filter that only these draws pass. They are in rising order. */
export function drawFilter(draws: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const draw of draws) {
    const last = ranges.at(-1);
    if (last && draw === last[1] + 1) {
      last[1] = draw;
    } else {
      ranges.push([draw, draw]);
    }
  }
  return `draw:${ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(",")}`;
}
