// The document pspge.passes, which several panels read, and small pictures of what it lists.

import { paint, requestPicture } from "pspge/paint.js";

/** @typedef {import("pspge/app.js").App} App */

/** @typedef {import("pspge/documents.js").PassesDocument} PassesDocument */
/** @typedef {Omit<import("pspge/engine.js").Asked<"picture">, "request"> & {hasAlpha?: boolean}} PictureRequest */

/** @type {WeakMap<object, {key: string, document: Promise<PassesDocument>}>} */
const known = new WeakMap();

/**
 * Returns the passes of the current run. Panels share the answer.
 * @param {App} app
 * @returns {Promise<PassesDocument>}
 */
export function loadPasses(app) {
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

/**
 * Returns a text that is the same as long as the passes are.
 * @param {App} app
 * @returns {string}
 */
export function passesKey(app) {
  return JSON.stringify([app.input?.hash ?? null, app.store.run()]);
}

/** Requests for thumbnails under way at a time. */
const MOST_THUMBNAILS = 2;

/**
 * Fetches small pictures when their canvases come into sight, a few at a time.
 */
export class Thumbnails {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<Element, () => PictureRequest | null>} */
    this.requests = new Map();
    /** @type {Element[]} */
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
        void this.fetch(/** @type {HTMLCanvasElement} */ (element), request);
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
      // A missing thumbnail is no fault of the page: it says so in place.
      canvas.title = error instanceof Error ? error.message : String(error);
      canvas.classList.add("is-missing");
    }
    this.underWay -= 1;
    this.work();
  }
}
