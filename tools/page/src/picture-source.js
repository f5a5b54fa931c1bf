// The pictures that the page asks the engine for: the colours of a buffer, or the depth that belongs to it.

import { EngineError } from "pspge/engine.js";
import { loadPasses } from "pspge/passes-document.js";

/** @typedef {import("pspge/app-types.js").App} App */
/** @typedef {import("pspge/app-types.js").Buffer} Buffer */
/** @typedef {{event: number, after: boolean}} Moment */

/**
 * Creates the source of the pictures of the selected buffer.
 * @param {App} app
 */
export function createPictureSource(app) {
  const { store, engine } = app;
  /** @type {Map<string, {width: number, height: number}>} The largest sizes of buffers in all runs of the file so far. */
  const sizes = new Map();

  /**
   * Describes the picture of the selected buffer: null if it has no depth.
   * @param {number} event
   * @returns {Promise<import("pspge/documents.js").PictureSource>}
   */
  async function describe(event) {
    const { target, view } = store.get();
    if (!target) {
      // The end of the run shows the finished frame, which need not be the last buffer that was drawn to.
      const isFinished = app.events && app.events.screen && event >= app.events.count;
      return { kind: view === "color" && isFinished ? "screen" : view };
    }
    if (view === "color") {
      const { address, stride, format, width, height } = target;
      return { kind: "memory", address, stride, format, width, height };
    }
    const depth = await depthOf(app, target, event);
    const { address, stride } = depth;
    return { kind: "memory", address, stride, format: "DEPTH16", width: Math.min(target.width, stride), height: target.height };
  }

  /**
   * Returns the picture of the selected buffer; null if a newer request has replaced this one. A buffer keeps its largest
   * size: an edit of the scissor may make it smaller, but flipping the edit must not move the picture.
   * @param {string} channel of the engine's queue
   * @param {Moment} at
   */
  async function request(channel, at) {
    const run = store.run();
    const source = await describe(at.event);
    const answer = await engine.latest(channel)({ request: "picture", run, at, source });
    if (!answer) {
      return null;
    }
    const { address, stride, format, width, height } = answer.json;
    const key = JSON.stringify([app.input?.hash, address, stride, format]);
    const known = sizes.get(key) ?? { width: 0, height: 0 };
    const largest = { width: Math.max(width, known.width), height: Math.max(height, known.height) };
    sizes.set(key, largest);
    if (address === null || (largest.width === width && largest.height === height)) {
      return answer;
    }
    const whole = /** @type {const} */ ({ kind: "memory", address, stride, format, ...largest });
    return engine.latest(channel)({ request: "picture", run, at, source: whole });
  }

  return { request };
}

/**
 * Returns the depth buffer that draws to a colour buffer used last, up to an event.
 * @param {App} app
 * @param {Buffer} target
 * @param {number} event
 * @returns {Promise<{address: number, stride: number}>}
 * @throws {EngineError} if no draw to the buffer tests or writes depth
 */
async function depthOf(app, target, event) {
  const { passes } = await loadPasses(app);
  const pass = passes.findLast(
    ({ color, depth, first_event: first }) =>
      depth !== null && first <= event && color.address === target.address && color.stride === target.stride,
  );
  if (!pass?.depth) {
    throw new EngineError("inapplicable", "no draw to this buffer has tested or written depth so far");
  }
  return pass.depth;
}
