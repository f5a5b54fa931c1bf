// The marked pixels of the selected event: those that its draw covers, those that the event changes, or both: covered
// pixels, apart by whether they change.

import { changedPixels } from "pspge/changed-pixels.js";
import { pictureOf } from "pspge/picture-pixels.js";

/** @typedef {"covered" | "changed" | "result"} MarkKind */
/** @typedef {MarkKind | "none"} Marks */
/** @typedef {import("pspge/picture-overlay.js").Overlay} Overlay */
/** @typedef {{overlay: Overlay | null, changes: number | null}} MarkedPixels `changes` is the number of changed pixels */

/** @type {MarkedPixels} */
const NONE = { overlay: null, changes: null };

/**
 * Returns the marked pixels; null if a newer request has replaced this one.
 * @param {import("pspge/app-types.js").App} app
 * @param {ReturnType<typeof import("pspge/picture-source.js").createPictureSource>} source
 * @param {Marks} marks
 * @returns {Promise<MarkedPixels | null>}
 */
export async function loadMarks(app, source, marks) {
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

/**
 * Adds which covered pixels do not change: tests kill them, or they keep their value.
 * @param {Overlay} covered
 * @param {Overlay | null} changed
 * @returns {Overlay}
 */
function withLost(covered, changed) {
  const lost = covered.mask.map((marked, index) => {
    const x = covered.left + (index % covered.width) - (changed?.left ?? 0);
    const y = covered.top + Math.floor(index / covered.width) - (changed?.top ?? 0);
    const isInside = changed !== null && x >= 0 && y >= 0 && x < changed.width && y < changed.height;
    return Number(marked !== 0 && !(isInside && changed.mask[y * changed.width + x]));
  });
  return { ...covered, lost };
}

/**
 * @param {import("pspge/app-types.js").App} app
 * @param {import("pspge/app-types.js").EventRow} row
 * @returns {Promise<MarkedPixels | null>}
 */
async function loadCovered(app, row) {
  if (row.draw === null || row.is_left_out || !isOwnBuffer(app, row)) {
    return NONE;
  }
  const request = /** @type {const} */ ({ request: "coverage", run: app.store.run(), event: row.event });
  const answer = await app.engine.latest("coverage")(request);
  if (!answer) {
    return null;
  }
  const { left, top, width, height } = answer.json;
  return { overlay: { left, top, width, height, mask: answer.bytes }, changes: null };
}

/**
 * @param {ReturnType<typeof import("pspge/picture-source.js").createPictureSource>} source
 * @param {number} event
 * @returns {Promise<MarkedPixels | null>}
 */
async function loadChanged(source, event) {
  const moments = [false, true].map((after) => source.request(`changed-${after}`, { event, after }));
  const [before, after] = await Promise.all(moments);
  if (!before || !after) {
    return null;
  }
  const { count, ...overlay } = changedPixels(pictureOf(before), pictureOf(after));
  return { overlay, changes: count };
}

/**
 * Returns whether the picture shows the buffer that an event draws to.
 * @param {import("pspge/app-types.js").App} app
 * @param {import("pspge/app-types.js").EventRow} row
 */
function isOwnBuffer(app, row) {
  const { target } = app.store.get();
  const own = row.buffer === null ? null : app.events?.buffers[row.buffer];
  return !target || (own?.address === target.address && own.stride === target.stride);
}
