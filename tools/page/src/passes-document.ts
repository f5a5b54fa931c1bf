// The document pspge.passes, which several panels read, and small pictures of what it lists.

import type { App } from "pspge/app-types.js";
import type { PassesDocument } from "pspge/documents.js";
import { type Asked, messageOf } from "pspge/engine.js";
import { paint, requestPicture } from "pspge/paint.js";
import { runKey } from "pspge/run.js";

export type PictureRequest = Omit<Asked<"picture">, "request"> & { hasAlpha?: boolean };

let known: { key: string; document: Promise<PassesDocument> } | null = null;

/** Returns the passes of the current run. Panels share the answer. */
export function loadPasses(app: App): Promise<PassesDocument> {
  const key = runKey(app);
  if (known?.key !== key) {
    const document = app.engine.request({ request: "passes", run: app.store.run() }).then(({ json }) => json.document);
    const asked = { key, document };
    known = asked;
    document.catch(() => (known = known === asked ? null : known));
  }
  return known.document;
}

/** Requests for thumbnails under way at a time. */
const MOST_THUMBNAILS = 2;

/** Fetches small pictures when their canvases come into sight, a few at a time. */
export class Thumbnails {
  private requests = new Map<Element, () => PictureRequest | null>();
  private waiting: Element[] = [];
  private underWay = 0;
  private observer = new IntersectionObserver((entries) => this.see(entries), { rootMargin: "200px" });

  constructor(private app: App) {}

  /** Paints a canvas as soon as it can be seen. `request` returns the picture to ask for, null if there is none. */
  add(canvas: HTMLCanvasElement, request: () => PictureRequest | null) {
    this.requests.set(canvas, request);
    this.observer.observe(canvas);
  }

  /** Forgets a canvas. */
  remove(canvas: HTMLCanvasElement) {
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

  private see(entries: IntersectionObserverEntry[]) {
    for (const { target, isIntersecting } of entries) {
      this.waiting = this.waiting.filter((element) => element !== target);
      if (isIntersecting) {
        this.waiting.push(target);
      }
    }
    this.work();
  }

  private work() {
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
        void this.fetch(element as HTMLCanvasElement, request);
      }
    }
  }

  private async fetch(canvas: HTMLCanvasElement, request: PictureRequest) {
    const { hasAlpha, ...picture } = request;
    try {
      const found = await requestPicture(this.app, picture);
      if (found && found.width > 0 && found.height > 0) {
        paint(canvas, found.width, found.height, found.pixels, hasAlpha);
      }
      canvas.classList.add("is-painted");
    } catch (error) {
      // A missing thumbnail is no fault of the page: it says so in place.
      canvas.title = messageOf(error);
      canvas.classList.add("is-missing");
    }
    this.underWay -= 1;
    this.work();
  }
}
