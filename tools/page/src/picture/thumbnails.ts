// Small pictures of moments, shown next to the mouse.

import { h, replace } from "pspge/base/dom.js";
import { paint, requestPicture } from "pspge/picture/paint.js";
import type { App } from "pspge/state/app-types.js";
import { runKey } from "pspge/state/run.js";

/** Largest width and height of a small picture. */
const SIZE = 160;
/** Small pictures that are kept. */
const KEPT = 300;
/** Pause before a small picture is asked for, so that a mouse that passes does not ask. */
const PAUSE = 120;

/** Shows small pictures while the mouse is over an element. `find` returns the event at the mouse. */
export function showThumbnails(app: App, host: HTMLElement, find: (event: PointerEvent) => { event: number; text: string } | null) {
  const canvas = h("canvas", { class: "hover-picture-canvas" });
  const caption = h("span", { class: "hover-picture-caption" });
  const box = h("div", { class: "hover-picture", hidden: true, "aria-hidden": true }, canvas, caption);
  document.body.append(box);
  const kept = new Map<string, NonNullable<Awaited<ReturnType<typeof requestPicture>>>>();
  let current = -1;
  let timer: number | undefined;

  const hide = () => {
    clearTimeout(timer);
    current = -1;
    box.hidden = true;
  };

  const load = async (event: number) => {
    const key = runKey(app, event);
    const picture = kept.get(key) ?? (await requestPicture(app, { run: app.store.run(), at: { event, after: true }, source: { kind: "color" }, max: SIZE }, "thumbnail"));
    if (picture) {
      kept.set(key, picture);
    }
    if (kept.size > KEPT) {
      kept.delete(kept.keys().next().value ?? "");
    }
    return picture;
  };

  const show = async (event: number, text: string, mouse: PointerEvent) => {
    // A small picture is a help only: its errors would be in the way.
    const picture = await load(event).catch(() => null);
    if (!picture || current !== event) {
      return;
    }
    paint(canvas, picture.width, picture.height, picture.pixels);
    replace(caption, text);
    box.hidden = false;
    place(mouse);
  };

  const place = (mouse: PointerEvent) => {
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
