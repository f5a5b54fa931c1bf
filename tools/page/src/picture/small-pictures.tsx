// Small pictures of what panels list, which are asked for when they come into sight.

import { useLayoutEffect, useRef } from "pspge/base/preact.js";
import { paint, requestPicture } from "pspge/picture/paint.js";
import type { App } from "pspge/state/app-types.js";
import { type Asked, messageOf } from "pspge/state/engine.js";
import { useApp } from "pspge/widgets/panel.js";

export type PictureRequest = Omit<Asked<"picture">, "request"> & { hasAlpha?: boolean };

/** Requests under way at a time. */
const MOST = 2;

/** Fetches pictures when their canvases come into sight, a few at a time. */
class SmallPictures {
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
      // A missing picture is no fault of the page: it says so in place.
      canvas.title = messageOf(error);
      canvas.classList.add("is-missing");
    }
    this.underWay -= 1;
    this.work();
  }
}

/** Those of all panels. */
let shared: SmallPictures | null = null;

/** A small picture. `request` is called when it comes into sight, and again for another `of`. */
export function SmallPicture({ request, of, ...props }: { request: () => PictureRequest | null; of: unknown; class: string }) {
  const app = useApp();
  const pictures = (shared ??= new SmallPictures(app));
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const { current } = canvas;
    if (!current) {
      return undefined;
    }
    pictures.add(current, request);
    return () => pictures.remove(current);
  }, [of]);
  return <canvas ref={canvas} width={1} height={1} aria-hidden="true" {...props} />;
}
