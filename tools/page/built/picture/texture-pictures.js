// picture/texture-pictures.tsx
import { debounce } from "pspge/base/dom.js";
import { paint } from "pspge/picture/paint.js";
import { jsx } from "pspge/base/preact.js";
var SIZE = 32;
var KEPT = 600;
var PAUSE = 250;
function createTexturePictures(app) {
  let sources = /* @__PURE__ */ new Map();
  const kept = /* @__PURE__ */ new Map();
  const waiting = /* @__PURE__ */ new Map();
  let isBusy = false;
  const show = (canvas, source) => {
    const picture = kept.get(source);
    if (picture) {
      paint(canvas, picture.width, picture.height, picture.pixels, true);
    }
    return picture !== void 0;
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
      const request = {
        request: "picture",
        run: app.store.run(),
        at: { event: source, after: false },
        source: { kind: "texture", level: 0 },
        max: SIZE
      };
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
    setEvents(events) {
      kept.clear();
      waiting.clear();
      sources = sourcesOf(events);
    },
    /** Returns the picture of a draw's texture; null without one. */
    picture(row) {
      const source = sources.get(row.event) ?? row.event;
      const fill = (canvas) => {
        if (canvas && !show(canvas, source)) {
          waiting.set(canvas, source);
          loadSoon();
        }
      };
      return row.texture && /* @__PURE__ */ jsx("canvas", { ref: fill, class: "texture-picture", width: 0, height: 0, "aria-hidden": "true" });
    }
  };
}
function sourcesOf(events) {
  const sources = /* @__PURE__ */ new Map();
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
export {
  createTexturePictures
};
