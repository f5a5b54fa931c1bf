// scrubber.js
import { h, icon, iconButton, replace } from "pspge/dom.js";
import { nameOf } from "pspge/event-names.js";
import { keyOf } from "pspge/keys.js";
import { showThumbnails } from "pspge/thumbnails.js";
import { numberInput } from "pspge/typed-number.js";
function createScrubber(app) {
  const { store } = app;
  const range = h("input", {
    type: "range",
    min: 0,
    max: 0,
    value: "0",
    "aria-label": "Event",
    class: "scrubber-range"
  });
  range.addEventListener("input", () => app.selectEvent(Number(range.value)));
  const passes = h("canvas", { class: "scrubber-passes", "aria-hidden": true, title: "Passes" });
  const number = numberInput(
    { most: () => app.events?.count ?? 0, class: "event-number", "aria-label": "Number of the event" },
    (event) => {
      app.selectEvent(event);
      number.value = String(event);
    }
  );
  let shown = -1;
  const total = h("span", { class: "muted" });
  const text = h("span", { class: "scrubber-text mono" });
  const stepDraw = (direction) => {
    const rows = app.events?.events ?? [];
    const { event } = store.get();
    const next = direction > 0 ? rows.find((row) => row.event > event && row.draw !== null) : rows.findLast((row) => row.event < event && row.draw !== null);
    if (next) {
      app.selectEvent(next.event);
    }
  };
  const element = h(
    "div",
    { class: "scrubber" },
    iconButton("first", `First event (${keyOf("firstEvent")})`, () => app.selectEvent(0)),
    iconButton("previous", "Draw before", () => stepDraw(-1)),
    h("div", { class: "scrubber-track" }, passes, range),
    iconButton("next", "Next draw", () => stepDraw(1)),
    iconButton("last", `End of the run (${keyOf("lastEvent")})`, () => app.selectEvent(app.events?.count ?? 0)),
    number,
    total,
    text
  );
  showThumbnails(app, range, (mouse) => {
    const box = range.getBoundingClientRect();
    const count = app.events?.count ?? 0;
    if (!count) {
      return null;
    }
    const thumb = box.height / 2;
    const part = (mouse.clientX - box.left - thumb) / Math.max(1, box.width - 2 * thumb);
    const event = Math.max(0, Math.min(count - 1, Math.round(part * count)));
    return { event, text: `Event ${event}: ${app.events?.events[event]?.text ?? ""}` };
  });
  function drawPasses() {
    const rows = app.events?.events ?? [];
    passes.width = 1e3;
    passes.height = 1;
    const context = passes.getContext("2d");
    if (!context || rows.length === 0) {
      return;
    }
    const style = getComputedStyle(passes);
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
  return {
    element,
    /**
     * @param {import("pspge/store.js").Selection} selection
     * @param {Set<string>} changed
     */
    update(selection, changed) {
      if (changed.has("events") || changed.has("theme")) {
        const count = app.events?.count ?? 0;
        range.max = String(count);
        total.textContent = `of ${count}`;
        drawPasses();
      }
      const row = app.row();
      range.value = String(selection.event);
      if (shown !== selection.event) {
        shown = selection.event;
        number.value = String(shown);
      }
      const name = !app.events ? "" : row ? nameOf(row) : "end of the run";
      range.setAttribute(
        "aria-valuetext",
        row ? `event ${row.event}${row.draw === null ? "" : `, draw ${row.draw}`}: ${row.text}` : name
      );
      replace(
        text,
        row ? icon(row.clears ? "clear" : row.kind) : null,
        row && row.draw !== null ? ` draw ${row.draw}: ` : " ",
        name
      );
      text.title = name;
    }
  };
}
export {
  createScrubber
};
