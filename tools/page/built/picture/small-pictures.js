// picture/small-pictures.tsx
import { useLayoutEffect, useRef } from "pspge/base/preact.js";
import { paint, requestPicture } from "pspge/picture/paint.js";
import { messageOf } from "pspge/state/engine.js";
import { useApp } from "pspge/widgets/panel.js";
import { jsx } from "pspge/base/preact.js";
var MOST = 2;
var SmallPictures = class {
  constructor(app) {
    this.app = app;
  }
  app;
  requests = /* @__PURE__ */ new Map();
  waiting = [];
  underWay = 0;
  observer = new IntersectionObserver((entries) => this.see(entries), { rootMargin: "200px" });
  /** Paints a canvas as soon as it can be seen. `request` returns the picture to ask for, null if there is none. */
  add(canvas, request) {
    this.requests.set(canvas, request);
    this.observer.observe(canvas);
  }
  /** Forgets a canvas. */
  remove(canvas) {
    this.requests.delete(canvas);
    this.observer.unobserve(canvas);
    this.waiting = this.waiting.filter((element) => element !== canvas);
  }
  see(entries) {
    for (const { target, isIntersecting } of entries) {
      this.waiting = this.waiting.filter((element) => element !== target);
      if (isIntersecting) {
        this.waiting.push(target);
      }
    }
    this.work();
  }
  work() {
    while (this.underWay < MOST) {
      const element = this.waiting.shift();
      if (!element) {
        return;
      }
      const request = this.requests.get(element)?.();
      this.requests.delete(element);
      this.observer.unobserve(element);
      if (request) {
        this.underWay += 1;
        void this.fetch(element, request);
      }
    }
  }
  async fetch(canvas, request) {
    const { hasAlpha, ...picture } = request;
    try {
      const found = await requestPicture(this.app, picture);
      if (found && found.width > 0 && found.height > 0) {
        paint(canvas, found.width, found.height, found.pixels, hasAlpha);
      }
      canvas.classList.add("is-painted");
    } catch (error) {
      canvas.title = messageOf(error);
      canvas.classList.add("is-missing");
    }
    this.underWay -= 1;
    this.work();
  }
};
var shared = null;
function SmallPicture({ request, of, ...props }) {
  const app = useApp();
  const pictures = shared ??= new SmallPictures(app);
  const canvas = useRef(null);
  useLayoutEffect(() => {
    const { current } = canvas;
    if (!current) {
      return void 0;
    }
    pictures.add(current, request);
    return () => pictures.remove(current);
  }, [of]);
  return /* @__PURE__ */ jsx("canvas", { ref: canvas, width: 1, height: 1, "aria-hidden": "true", ...props });
}
export {
  SmallPicture
};
