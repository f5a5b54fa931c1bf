// The pictures that the page asks the engine for: the colours of a buffer, or the depth that belongs to it.

import type { PictureSource } from "pspge/documents.js";
import type { App, Buffer } from "pspge/state/app-types.js";
import { EngineError } from "pspge/state/engine.js";
import { loadPasses } from "pspge/state/run.js";

export interface Moment {
  event: number;
  after: boolean;
}

/** Creates the source of the pictures of the selected buffer. */
export function createPictureSource(app: App) {
  const { store, engine } = app;
  /** The largest sizes of buffers in all runs of the file so far. */
  const sizes = new Map<string, { width: number; height: number }>();

  /** Describes the picture of the selected buffer: null if it has no depth. */
  async function describe(event: number): Promise<PictureSource> {
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
   */
  async function request(channel: string, at: Moment) {
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
    const whole = { kind: "memory", address, stride, format, ...largest } as const;
    return engine.latest(channel)({ request: "picture", run, at, source: whole });
  }

  return { request };
}

/**
 * Returns the depth buffer that draws to a colour buffer used last, up to an event.
 * @throws EngineError if no draw to the buffer tests or writes depth
 */
async function depthOf(app: App, target: Buffer, event: number): Promise<{ address: number; stride: number }> {
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
