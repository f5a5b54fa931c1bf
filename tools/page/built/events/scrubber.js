// events/scrubber.tsx
import { keyOf } from "pspge/base/keys.js";
import { useLayoutEffect, useRef } from "pspge/base/preact.js";
import { nameOf } from "pspge/events/event-names.js";
import { showThumbnails } from "pspge/picture/thumbnails.js";
import { Icon, IconButton } from "pspge/widgets/controls.js";
import { NumberField } from "pspge/widgets/fields.js";
import { jsx, jsxs } from "pspge/base/preact.js";
function Scrubber({ app, selection, theme }) {
  const { events } = app;
  const count = events?.count ?? 0;
  const row = app.row();
  const range = useRef(null);
  const passes = useRef(null);
  useLayoutEffect(() => {
    if (passes.current) {
      drawPasses(passes.current, events?.events ?? []);
    }
  }, [events, theme]);
  useLayoutEffect(() => {
    if (range.current) {
      showThumbnails(app, range.current, (mouse) => eventAt(app, mouse));
    }
  }, []);
  const stepDraw = (direction) => {
    const rows = events?.events ?? [];
    const { event } = app.store.get();
    const next = direction > 0 ? rows.find((other) => other.event > event && other.draw !== null) : rows.findLast((other) => other.event < event && other.draw !== null);
    if (next) {
      app.selectEvent(next.event);
    }
  };
  const name = !events ? "" : row ? nameOf(row) : "end of the run";
  return /* @__PURE__ */ jsxs("div", { class: "scrubber", children: [
    /* @__PURE__ */ jsx(IconButton, { name: "first", label: `First event (${keyOf("firstEvent")})`, onClick: () => app.selectEvent(0) }),
    /* @__PURE__ */ jsx(IconButton, { name: "previous", label: "Draw before", onClick: () => stepDraw(-1) }),
    /* @__PURE__ */ jsxs("div", { class: "scrubber-track", children: [
      /* @__PURE__ */ jsx("canvas", { ref: passes, class: "scrubber-passes", "aria-hidden": "true", title: "Passes" }),
      /* @__PURE__ */ jsx(
        "input",
        {
          ref: range,
          type: "range",
          class: "scrubber-range",
          min: 0,
          max: count,
          value: selection.event,
          "aria-label": "Event",
          "aria-valuetext": row ? `event ${row.event}${row.draw === null ? "" : `, draw ${row.draw}`}: ${row.text}` : name,
          onInput: (event) => app.selectEvent(Number(event.currentTarget.value))
        }
      )
    ] }),
    /* @__PURE__ */ jsx(IconButton, { name: "next", label: "Next draw", onClick: () => stepDraw(1) }),
    /* @__PURE__ */ jsx(IconButton, { name: "last", label: `End of the run (${keyOf("lastEvent")})`, onClick: () => app.selectEvent(count) }),
    /* @__PURE__ */ jsx(NumberField, { "aria-label": "Number of the event", class: "event-number", value: selection.event, most: count, onEnter: (event) => app.selectEvent(event) }),
    /* @__PURE__ */ jsx("span", { class: "muted", children: events && `of ${count}` }),
    /* @__PURE__ */ jsxs("span", { class: "scrubber-text mono", title: name, children: [
      row && /* @__PURE__ */ jsx(Icon, { name: row.clears ? "clear" : row.kind }),
      row && row.draw !== null ? ` draw ${row.draw}: ` : " ",
      name
    ] })
  ] });
}
function eventAt(app, { clientX, currentTarget }) {
  const count = app.events?.count ?? 0;
  if (!count) {
    return null;
  }
  const box = currentTarget.getBoundingClientRect();
  const thumb = box.height / 2;
  const part = (clientX - box.left - thumb) / Math.max(1, box.width - 2 * thumb);
  const event = Math.max(0, Math.min(count - 1, Math.round(part * count)));
  return { event, text: `Event ${event}: ${app.events?.events[event]?.text ?? ""}` };
}
function drawPasses(canvas, rows) {
  canvas.width = 1e3;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (!context || rows.length === 0) {
    return;
  }
  const style = getComputedStyle(canvas);
  const shades = [style.getPropertyValue("--accent"), style.getPropertyValue("--border")];
  let start = 0;
  rows.forEach((row, index) => {
    if (rows[index + 1]?.pass !== row.pass || index === rows.length - 1) {
      if (row.pass !== null) {
        context.fillStyle = shades[row.pass % 2]?.trim() || "#888";
        context.fillRect(1e3 * start / rows.length, 0, Math.max(1, 1e3 * (index + 1 - start) / rows.length), 1);
      }
      start = index + 1;
    }
  });
}
export {
  Scrubber
};
