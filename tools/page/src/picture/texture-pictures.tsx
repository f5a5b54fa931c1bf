// Small pictures of textures in the rows of the list of events. They are asked for when the list rests.

import { debounce } from "pspge/base/dom.js";
import { paint } from "pspge/picture/paint.js";
import type { App, EventRow } from "pspge/state/app-types.js";

/** Largest width and height of a picture, in pixels of the texture. */
const SIZE = 32;
/** Pictures that are kept. */
const KEPT = 600;
/** Pause before pictures are asked for, so that steps through the events do not wait for them. */
const PAUSE = 250;

/** Creates the pictures. */
export function createTexturePictures(app: App) {
  /** The first draw in a row with the same texels, by event. */
  let sources = new Map<number, number>();
  const kept = new Map<number, { width: number; height: number; pixels: Uint8Array }>();
  /** Those without a picture yet. */
  const waiting = new Map<HTMLCanvasElement, number>();
  let isBusy = false;

  const show = (canvas: HTMLCanvasElement, source: number) => {
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
      const request = {
        request: "picture",
        run: app.store.run(),
        at: { event: source, after: false },
        source: { kind: "texture", level: 0 },
        max: SIZE,
      } as const;
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
    /** Forgets the pictures, because the run is another one. */
    setEvents(events: EventRow[]) {
      kept.clear();
      waiting.clear();
      sources = sourcesOf(events);
    },
    /** Returns the picture of a draw's texture; null without one. */
    picture(row: EventRow) {
      const source = sources.get(row.event) ?? row.event;
      const fill = (canvas: HTMLCanvasElement | null) => {
        if (canvas && !show(canvas, source)) {
          waiting.set(canvas, source);
          loadSoon();
        }
      };
      return row.texture && <canvas ref={fill} class="texture-picture" width={0} height={0} aria-hidden="true" />;
    },
  };
}

/**
 * Returns for each draw the first of those before it with the same texels: nothing between them writes memory, the palette,
 * or another texture's registers.
 */
function sourcesOf(events: EventRow[]) {
  const sources = new Map<number, number>();
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
