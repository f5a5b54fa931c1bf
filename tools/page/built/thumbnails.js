// thumbnails.ts
import { h, replace } from "pspge/dom.js";
import { pictureOf, toImage } from "pspge/picture-pixels.js";
import { runKey } from "pspge/run.js";
var SIZE = 160;
var KEPT = 300;
var PAUSE = 120;
function showThumbnails(app, host, find) {
  const canvas = h("canvas", { class: "hover-picture-canvas" });
  const caption = h("span", { class: "hover-picture-caption" });
  const box = h("div", { class: "hover-picture", hidden: true, "aria-hidden": true }, canvas, caption);
  document.body.append(box);
  const kept = /* @__PURE__ */ new Map();
  let current = -1;
  let timer;
  const hide = () => {
    clearTimeout(timer);
    current = -1;
    box.hidden = true;
  };
  const load = async (event) => {
    const key = runKey(app, event);
    const known = kept.get(key);
    if (known) {
      return known;
    }
    const answer = await app.engine.latest("thumbnail")({ request: "picture", run: app.store.run(), at: { event, after: true }, source: { kind: "color" }, max: SIZE });
    if (!answer) {
      return null;
    }
    const image = toImage(pictureOf(answer), "color", [0, 65535]);
    kept.set(key, image);
    if (kept.size > KEPT) {
      kept.delete(kept.keys().next().value ?? "");
    }
    return image;
  };
  const show = async (event, text, mouse) => {
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
  const place = (mouse) => {
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
export {
  showThumbnails
};
