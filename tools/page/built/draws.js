// draws.ts
var drawEvents = /* @__PURE__ */ new WeakMap();
function eventsOfDraws(app) {
  if (!app.events) {
    return /* @__PURE__ */ new Map();
  }
  const known = drawEvents.get(app.events);
  if (known) {
    return known;
  }
  const events = new Map(app.events.events.flatMap(({ draw, event }) => draw === null ? [] : [[draw, event]]));
  drawEvents.set(app.events, events);
  return events;
}
function drawFilter(draws) {
  const ranges = [];
  for (const draw of draws) {
    const last = ranges.at(-1);
    if (last && draw === last[1] + 1) {
      last[1] = draw;
    } else {
      ranges.push([draw, draw]);
    }
  }
  return `draw:${ranges.map(([first, last]) => first === last ? first : `${first}-${last}`).join(",")}`;
}
export {
  drawFilter,
  eventsOfDraws
};
