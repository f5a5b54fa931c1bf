// The marked pixels of the selected event: those that its draw covers, those that the event changes, or both: covered
// pixels, apart by whether they change.

import type { Overlay } from "pspge/picture/picture-overlay.js";
import { type Picture, pictureOf } from "pspge/picture/picture-pixels.js";
import type { createPictureSource } from "pspge/picture/picture-source.js";
import type { App, EventRow } from "pspge/state/app-types.js";

export type MarkKind = "covered" | "changed" | "result";
export type Marks = MarkKind | "none";
interface MarkedPixels {
  overlay: Overlay | null;
  /** The number of changed pixels, if they are marked. */
  changes: number | null;
}

const NONE: MarkedPixels = { overlay: null, changes: null };

/** Returns the marked pixels; null if a newer request has replaced this one. */
export async function loadMarks(app: App, source: ReturnType<typeof createPictureSource>, marks: Marks): Promise<MarkedPixels | null> {
  const row = app.row();
  if (!row || marks === "none") {
    return NONE;
  }
  if (marks !== "result") {
    return marks === "covered" ? loadCovered(app, row) : loadChanged(source, row.event);
  }
  const [covered, changed] = await Promise.all([loadCovered(app, row), loadChanged(source, row.event)]);
  return covered && changed && { overlay: covered.overlay && withLost(covered.overlay, changed.overlay), changes: changed.changes };
}

/** Adds which covered pixels do not change: tests kill them, or they keep their value. */
function withLost(covered: Overlay, changed: Overlay | null): Overlay {
  const lost = covered.mask.map((marked, index) => {
    const x = covered.left + (index % covered.width) - (changed?.left ?? 0);
    const y = covered.top + Math.floor(index / covered.width) - (changed?.top ?? 0);
    const isInside = changed !== null && x >= 0 && y >= 0 && x < changed.width && y < changed.height;
    return Number(marked !== 0 && !(isInside && changed.mask[y * changed.width + x]));
  });
  return { ...covered, lost };
}

async function loadCovered(app: App, row: EventRow): Promise<MarkedPixels | null> {
  if (row.draw === null || row.is_left_out || !isOwnBuffer(app, row)) {
    return NONE;
  }
  const request = { request: "coverage", run: app.store.run(), event: row.event } as const;
  const answer = await app.engine.latest("coverage")(request);
  if (!answer) {
    return null;
  }
  const { left, top, width, height } = answer.json;
  return { overlay: { left, top, width, height, mask: answer.bytes }, changes: null };
}

async function loadChanged(source: ReturnType<typeof createPictureSource>, event: number): Promise<MarkedPixels | null> {
  const moments = [false, true].map((after) => source.request(`changed-${after}`, { event, after }));
  const [before, after] = await Promise.all(moments);
  if (!before || !after) {
    return null;
  }
  const { count, ...overlay } = changedPixels(pictureOf(before), pictureOf(after));
  return { overlay, changes: count };
}

/** Returns whether the picture shows the buffer that an event draws to. */
function isOwnBuffer(app: App, row: EventRow) {
  const { target } = app.store.get();
  const own = row.buffer === null ? null : app.events?.buffers[row.buffer];
  return !target || (own?.address === target.address && own.stride === target.stride);
}

/** Returns the box around the pixels that differ, with a mask of them, and their number. */
function changedPixels(before: Picture, after: Picture): Overlay & { count: number } {
  const { width, height } = after;
  const none = { left: 0, top: 0, width: 0, height: 0, mask: new Uint8Array(), count: 0 };
  if (before.width !== width || before.height !== height || before.data.length !== after.data.length) {
    return none;
  }
  const [old, now] = [wordsOf(before), wordsOf(after)];
  let [left, top, right, bottom, count] = [width, height, -1, -1, 0];
  for (let index = 0; index < width * height; index += 1) {
    if (old[index] !== now[index]) {
      const [x, y] = [index % width, Math.floor(index / width)];
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
      count += 1;
    }
  }
  if (count === 0) {
    return none;
  }
  const box = { left, top, width: right - left + 1, height: bottom - top + 1 };
  const mask = new Uint8Array(box.width * box.height);
  for (let y = 0; y < box.height; y += 1) {
    for (let x = 0; x < box.width; x += 1) {
      const index = (top + y) * width + left + x;
      mask[y * box.width + x] = old[index] === now[index] ? 0 : 1;
    }
  }
  return { ...box, mask, count };
}

/** Returns one number for each pixel. */
function wordsOf({ pixels, data }: Picture) {
  return pixels === "depth16" ? data : new Uint32Array(data.buffer, data.byteOffset, data.length >> 2);
}
