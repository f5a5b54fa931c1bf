// Small pictures of moments, shown next to the mouse.

import { h, replace } from "pspge/dom.js";
import { pictureOf, toImage } from "pspge/picture-pixels.js";

/** Largest width and height of a small picture. */
const SIZE = 160;
/** Small pictures that are kept. */
const KEPT = 300;
/** Pause before a small picture is asked for, so that a mouse that passes does not ask. */
const PAUSE = 120;

/**
 * Shows small pictures while the mouse is over an element.
 * @param {import("pspge/app.js").App} app
 * @param {HTMLElement} host
 * @param {(event: PointerEvent) => {event: number, text: string} | null} find the event at the mouse
 */
export function showThumbnails(app, host, find) {
  const canvas = h("canvas", { class: "hover-picture-canvas" });
  const caption = h("span", { class: "hover-picture-caption" });
  const box = h("div", { class: "hover-picture", hidden: true, "aria-hidden": true }, canvas, caption);
  document.body.append(box);
  /** @type {Map<string, ImageData>} */
  const kept = new Map();
  let current = -1;
  /** @type {number | undefined} */
  let timer;

  const hide = () => {
    clearTimeout(timer);
    current = -1;
    box.hidden = true;
  };

  const load = async (/** @type {number} */ event) => {
    const run = app.store.run();
    const key = JSON.stringify([app.input?.hash, run, event]);
    const known = kept.get(key);
    if (known) {
      return known;
    }
    const request = /** @type {const} */ ({ request: "picture", run, at: { event, after: true }, source: { kind: "color" }, max: SIZE });
    const answer = await app.engine.latest("thumbnail")(request);
    if (!answer) {
      return null;
    }
    const image = toImage(pictureOf(answer), "color", [0, 0xffff]);
    kept.set(key, image);
    for (const old of kept.keys()) {
      if (kept.size <= KEPT) {
        break;
      }
      kept.delete(old);
    }
    return image;
  };

  const show = async (/** @type {number} */ event, /** @type {string} */ text, /** @type {PointerEvent} */ mouse) => {
    // A small picture is a help only: its errors would be in the way.
    const image = await load(event).catch(() => null);
    if (!image || current !== event) {
      return;
    }
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d")?.putImageData(image, 0, 0);
    replace(caption, text);
    box.hidden = false;
    place(mouse);
  };

  const place = (/** @type {PointerEvent} */ mouse) => {
    const { offsetWidth: width, offsetHeight: height } = box;
    const left = Math.min(mouse.clientX + 18, window.innerWidth - width - 4);
    const below = mouse.clientY + 18;
    const top = below + height > window.innerHeight - 4 ? mouse.clientY - height - 12 : below;
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
  };

  host.addEventListener("pointermove", (mouse) => {
    const found = mouse.buttons === 0 ? find(mouse) : null;
    if (!found) {
      hide();
      return;
    }
    if (found.event === current) {
      if (!box.hidden) {
        place(mouse);
      }
      return;
    }
    current = found.event;
    clearTimeout(timer);
    timer = setTimeout(() => void show(found.event, found.text, mouse), PAUSE);
  });
  host.addEventListener("pointerleave", hide);
  host.addEventListener("pointerdown", hide);
  document.addEventListener("keydown", hide);
}
