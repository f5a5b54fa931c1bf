// Small pictures of textures in the rows of the list of events. They are asked for when the list rests.

import { debounce, h } from "pspge/dom.js";
import { paint } from "pspge/widgets.js";

/** @typedef {import("pspge/app-types.js").App} App */
/** @typedef {import("pspge/app-types.js").EventRow} EventRow */

/** Largest width and height of a picture, in pixels of the texture. */
const SIZE = 32;
/** Pictures that are kept. */
const KEPT = 600;
/** Pause before pictures are asked for, so that steps through the events do not wait for them. */
const PAUSE = 250;

/** Creates the pictures. @param {App} app */
export function createTexturePictures(app) {
  /** @type {Map<number, number>} The first draw in a row with the same texels, by event. */
  let sources = new Map();
  /** @type {Map<number, {width: number, height: number, pixels: Uint8Array}>} */
  const kept = new Map();
  /** @type {Map<HTMLCanvasElement, number>} Those without a picture yet. */
  const waiting = new Map();
  let isBusy = false;

  const show = (/** @type {HTMLCanvasElement} */ canvas, /** @type {number} */ source) => {
    const picture = kept.get(source);
    if (picture) {
      paint(canvas, picture.width, picture.height, picture.pixels, true);
    }
    return picture !== undefined;
  };

  async function load() {
    if (isBusy) {
      return;
    }
    isBusy = true;
    for (const [canvas, source] of waiting) {
      waiting.delete(canvas);
      if (!canvas.isConnected || show(canvas, source)) {
        continue;
      }
      // A small picture is a help only: its errors would be in the way.
      const request = /** @type {const} */ ({
        request: "picture",
        run: app.store.run(),
        at: { event: source, after: false },
        source: { kind: "texture", level: 0 },
        max: SIZE,
      });
      const answer = await app.engine.latest("texture-row")(request).catch(() => null);
      if (answer && answer.json.width > 0) {
        kept.set(source, { width: answer.json.width, height: answer.json.height, pixels: answer.bytes });
        show(canvas, source);
      }
      if (kept.size > KEPT) {
        kept.delete(kept.keys().next().value ?? 0);
      }
    }
    isBusy = false;
  }
  const loadSoon = debounce(PAUSE, () => void load());

  return {
    /** Forgets the pictures, because the run is another one. @param {EventRow[]} events */
    setEvents(events) {
      kept.clear();
      waiting.clear();
      sources = sourcesOf(events);
    },
    /** Returns the picture of a draw's texture; null without one. @param {EventRow} row */
    picture(row) {
      if (!row.texture) {
        return null;
      }
      const canvas = h("canvas", { class: "texture-picture", width: 0, height: 0, "aria-hidden": "true" });
      const source = sources.get(row.event) ?? row.event;
      if (!show(canvas, source)) {
        waiting.set(canvas, source);
        loadSoon();
      }
      return canvas;
    },
  };
}

/**
 * Returns for each draw the first of those before it with the same texels: nothing between them writes memory, the palette,
 * or another texture's registers.
 * @param {EventRow[]} events
 */
function sourcesOf(events) {
  /** @type {Map<number, number>} */
  const sources = new Map();
  let [source, likeness] = [-1, ""];
  for (const row of events) {
    const { texture, registers, event } = row;
    const isOther = row.draw === null || registers.some((name) => /^(CLUT|LOADCLUT|TEX)/.test(name));
    if (isOther) {
      likeness = "";
    }
    if (texture) {
      const here = `${texture.address} ${texture.format} ${texture.width} ${texture.height}`;
      source = here === likeness ? source : event;
      likeness = here;
      sources.set(event, source);
    }
  }
  return sources;
}
