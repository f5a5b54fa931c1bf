// picture/thumbnails.ts
import { h, replace } from "pspge/base/dom.js";
import { paint, requestPicture } from "pspge/picture/paint.js";
import { runKey } from "pspge/state/run.js";
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
    const picture = kept.get(key) ?? await requestPicture(app, { run: app.store.run(), at: { event, after: true }, source: { kind: "color" }, max: SIZE }, "thumbnail");
    if (picture) {
      kept.set(key, picture);
    }
    if (kept.size > KEPT) {
      kept.delete(kept.keys().next().value ?? "");
    }
    return picture;
  };
  const show = async (event, text, mouse) => {
    const picture = await load(event).catch(() => null);
    if (!picture || current !== event) {
      return;
    }
    paint(canvas, picture.width, picture.height, picture.pixels);
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
