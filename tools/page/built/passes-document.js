// passes-document.js
import { paint, requestPicture } from "pspge/paint.js";
var known = /* @__PURE__ */ new WeakMap();
function loadPasses(app) {
  const run = app.store.run();
  const key = passesKey(app);
  const old = known.get(app);
  if (old?.key === key) {
    return old.document;
  }
  const document = app.engine.request({ request: "passes", run }).then(({ json }) => json.document);
  known.set(app, { key, document });
  document.catch(() => known.delete(app));
  return document;
}
function passesKey(app) {
  return JSON.stringify([app.input?.hash ?? null, app.store.run()]);
}
var MOST_THUMBNAILS = 2;
var Thumbnails = class {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.requests = /* @__PURE__ */ new Map();
    this.waiting = [];
    this.underWay = 0;
    this.observer = new IntersectionObserver((entries) => this.see(entries), { rootMargin: "200px" });
  }
  /**
   * Paints a canvas as soon as it can be seen. `request` returns the picture to ask for, null if there is none.
   * @param {HTMLCanvasElement} canvas
   * @param {() => PictureRequest | null} request
   */
  add(canvas, request) {
    this.requests.set(canvas, request);
    this.observer.observe(canvas);
  }
  /** Forgets a canvas. @param {HTMLCanvasElement} canvas */
  remove(canvas) {
    this.requests.delete(canvas);
    this.observer.unobserve(canvas);
    this.waiting = this.waiting.filter((element) => element !== canvas);
  }
  /** Forgets all canvases. */
  clear() {
    this.observer.disconnect();
    this.requests.clear();
    this.waiting = [];
  }
  /** @param {IntersectionObserverEntry[]} entries */
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
    while (this.underWay < MOST_THUMBNAILS) {
      const element = this.waiting.shift();
      if (!element) {
        return;
      }
      const request = this.requests.get(element)?.();
      this.requests.delete(element);
      this.observer.unobserve(element);
      if (request) {
        this.underWay += 1;
        void this.fetch(
          /** @type {HTMLCanvasElement} */
          element,
          request
        );
      }
    }
  }
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {PictureRequest} request
   */
  async fetch(canvas, request) {
    const { hasAlpha, ...picture } = request;
    try {
      const found = await requestPicture(this.app, picture);
      if (found && found.width > 0 && found.height > 0) {
        paint(canvas, found.width, found.height, found.pixels, Boolean(hasAlpha));
      }
      canvas.classList.add("is-painted");
    } catch (error) {
      canvas.title = error instanceof Error ? error.message : String(error);
      canvas.classList.add("is-missing");
    }
    this.underWay -= 1;
    this.work();
  }
};
export {
  Thumbnails,
  loadPasses,
  passesKey
};
