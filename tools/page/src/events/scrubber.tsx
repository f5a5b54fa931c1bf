// The slider over the events of a run, with its buttons.

import { keyOf } from "pspge/base/keys.js";
import { useLayoutEffect, useRef } from "pspge/base/preact.js";
import { nameOf } from "pspge/events/event-names.js";
import { showThumbnails } from "pspge/picture/thumbnails.js";
import type { App, EventRow, Selection } from "pspge/state/app-types.js";
import { Icon, IconButton } from "pspge/widgets/controls.js";
import { NumberField } from "pspge/widgets/fields.js";

/** The slider over the events with its buttons. `theme` is another value after the colours have changed. */
export function Scrubber({ app, selection, theme }: { app: App; selection: Selection; theme: number }) {
  const { events } = app;
  const count = events?.count ?? 0;
  const row = app.row();
  const range = useRef<HTMLInputElement>(null);
  const passes = useRef<HTMLCanvasElement>(null);
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
  const stepDraw = (direction: 1 | -1) => {
    const rows = events?.events ?? [];
    const { event } = app.store.get();
    const next = direction > 0 ? rows.find((other) => other.event > event && other.draw !== null) : rows.findLast((other) => other.event < event && other.draw !== null);
    if (next) {
      app.selectEvent(next.event);
    }
  };
  const name = !events ? "" : row ? nameOf(row) : "end of the run";
  return (
    <div class="scrubber">
      <IconButton name="first" label={`First event (${keyOf("firstEvent")})`} onClick={() => app.selectEvent(0)} />
      <IconButton name="previous" label="Draw before" onClick={() => stepDraw(-1)} />
      <div class="scrubber-track">
        <canvas ref={passes} class="scrubber-passes" aria-hidden="true" title="Passes" />
        <input
          ref={range}
          type="range"
          class="scrubber-range"
          min={0}
          max={count}
          value={selection.event}
          aria-label="Event"
          aria-valuetext={row ? `event ${row.event}${row.draw === null ? "" : `, draw ${row.draw}`}: ${row.text}` : name}
          onInput={(event) => app.selectEvent(Number(event.currentTarget.value))}
        />
      </div>
      <IconButton name="next" label="Next draw" onClick={() => stepDraw(1)} />
      <IconButton name="last" label={`End of the run (${keyOf("lastEvent")})`} onClick={() => app.selectEvent(count)} />
      <NumberField aria-label="Number of the event" class="event-number" value={selection.event} most={count} onEnter={(event) => app.selectEvent(event)} />
      <span class="muted">{events && `of ${count}`}</span>
      <span class="scrubber-text mono" title={name}>
        {row && <Icon name={row.clears ? "clear" : row.kind} />}
        {row && row.draw !== null ? ` draw ${row.draw}: ` : " "}
        {name}
      </span>
    </div>
  );
}

/** Returns the event below the mouse. */
function eventAt(app: App, { clientX, currentTarget }: PointerEvent) {
  const count = app.events?.count ?? 0;
  if (!count) {
    return null;
  }
  const box = (currentTarget as Element).getBoundingClientRect();
  // The middle of the thumb moves between half its width from both ends.
  const thumb = box.height / 2;
  const part = (clientX - box.left - thumb) / Math.max(1, box.width - 2 * thumb);
  const event = Math.max(0, Math.min(count - 1, Math.round(part * count)));
  return { event, text: `Event ${event}: ${app.events?.events[event]?.text ?? ""}` };
}

/** Draws a stripe for each pass, in turns of two shades. */
function drawPasses(canvas: HTMLCanvasElement, rows: EventRow[]) {
  canvas.width = 1000;
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
        context.fillRect((1000 * start) / rows.length, 0, Math.max(1, (1000 * (index + 1 - start)) / rows.length), 1);
      }
      start = index + 1;
    }
  });
}
