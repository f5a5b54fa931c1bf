// The draws of a run: their events, and filters of them.

import type { App } from "pspge/app-types.js";

const drawEvents = new WeakMap<object, Map<number, number>>();

/** Returns the event of each draw of the run. */
export function eventsOfDraws(app: App): Map<number, number> {
  if (!app.events) {
    return new Map();
  }
  const known = drawEvents.get(app.events);
  if (known) {
    return known;
  }
  const events = new Map(app.events.events.flatMap(({ draw, event }) => (draw === null ? [] : [[draw, event]])));
  drawEvents.set(app.events, events);
  return events;
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
