// The marked pixels of the selected event: those that its draw covers, or those that the event changes.

import { changedPixels } from "pspge/changed-pixels.js";
import { pictureOf } from "pspge/picture-pixels.js";

/** @typedef {"covered" | "changed" | "none"} Marks */
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
  return marks === "covered" ? loadCovered(app, row) : loadChanged(source, row.event);
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
  const request = { request: "coverage", run: app.store.run(), event: row.event };
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
