// The history of the picked pixel, which the panel Pixel shows and the keys step through.

import type { PixelDocument } from "pspge/documents.js";
import type { App } from "pspge/state/app-types.js";

/** Creates the history. Its answer is kept until another pixel is picked or the run changes. */
export function createPixelHistory(app: App) {
  const { store, engine } = app;
  let kept: { key: string; answer: Promise<PixelDocument | null> } | null = null;

  /** Returns the history of the picked pixel over the whole run; null if none is picked. */
  async function load(): Promise<PixelDocument | null> {
    const { pixel } = store.get();
    const buffer = app.shownBuffer();
    if (!pixel || !app.events) {
      return null;
    }
    const target = buffer && { address: buffer.address, stride: buffer.stride, format: buffer.format };
    const request = { request: "pixel", run: store.run(), x: pixel[0], y: pixel[1], ...(target && { target }) } as const;
    const key = JSON.stringify(request);
    if (kept?.key !== key) {
      const answer = engine
        .latest("pixel")(request)
        .then((answer) => answer?.json.document ?? null);
      kept = { key, answer };
      const forget = () => {
        kept = kept?.key === key ? null : kept;
      };
      answer.then((document) => document ?? forget(), forget);
    }
    return kept.answer;
  }

  /** Selects the next event that changes the pixel, or the one before. */
  async function step(direction: 1 | -1) {
    const document = await app.attempt(load());
    if (!document) {
      // An error says so itself.
      return document === null && app.announce("No pixel is picked.");
    }
    const { event } = store.get();
    const changes = document.entries.filter((entry) => entry.written).map((entry) => entry.event);
    const next = direction > 0 ? changes.find((other) => other > event) : changes.findLast((other) => other < event);
    return next === undefined ? app.announce(`No ${direction > 0 ? "later" : "earlier"} event changes the pixel.`) : app.selectEvent(next);
  }

  return { load, step };
}
