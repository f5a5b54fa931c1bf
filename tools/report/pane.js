// One picture on the page: its canvas, its caption, the outline of a region, and the selected pixel.

import { h } from "pspge/base/dom.js";

/** @typedef {import("pspge-report/types.js").Pixel} Pixel */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/** Pixels that the arrow keys go with Shift. */
const FAR = 10;
/** The directions of the arrow keys. @type {Record<string, Pixel | undefined>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A picture that the user can point at. */
export class Pane {
  /**
   * @param {{
   *   onhover: (pixel: Pixel | null) => void,
   *   onpick: (pixel: Pixel | null) => void,
   *   onmove: (dx: number, dy: number) => void,
   * }} actions `onpick` has null for the key that picks the selected pixel
   */
  constructor(actions) {
    this.caption = h("figcaption", { class: "pane-caption" });
    this.canvas = h("canvas", { class: "pane-canvas", tabindex: 0, role: "img", width: 1, height: 1 });
    this.cover = h("canvas", { class: "pane-cover", "aria-hidden": "true", hidden: true, width: 1, height: 1 });
    this.divider = h("div", { class: "pane-divider", hidden: true });
    this.region = h("div", { class: "pane-region", hidden: true });
    this.mark = h("div", { class: "pane-mark", hidden: true });
    this.frame = h("div", { class: "pane-frame" }, this.canvas, this.cover, this.region, this.mark, this.divider);
    this.element = h("figure", { class: "pane" }, this.caption, this.frame);
    /** @type {Pixel | null} */
    this.hovered = null;
    const hover = (/** @type {Pixel | null} */ pixel) => {
      this.hovered = pixel;
      actions.onhover(pixel);
    };
    this.canvas.addEventListener("pointermove", (event) => hover(this.pixelAt(event)));
    this.canvas.addEventListener("pointerleave", () => hover(null));
    // The position of a click is rounded, so it can be in another pixel than the one that was shown.
    this.canvas.addEventListener("click", (event) => actions.onpick(this.hovered ?? this.pixelAt(event)));
    this.canvas.addEventListener("keydown", (event) => this.key(event, actions));
  }

  /**
   * Sets the size in pixels of the picture, before there is an image.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.frame.style.aspectRatio = `${width} / ${height}`;
    for (const canvas of [this.canvas, this.cover]) {
      canvas.width = width;
      canvas.height = height;
    }
  }

  /**
   * Draws an image; without one the pane is empty.
   * @param {HTMLCanvasElement | null} image
   * @param {string} title
   * @param {HTMLCanvasElement | null} [cover] an image over the right part
   */
  show(image, title, cover = null) {
    paint(this.canvas, image);
    paint(this.cover, cover);
    this.cover.hidden = this.divider.hidden = cover === null;
    this.caption.textContent = title;
    const { width, height } = this.canvas;
    this.canvas.setAttribute("aria-label", `${title}, ${width} by ${height} pixels. The arrow keys select a pixel.`);
  }

  /**
   * Moves the divider.
   * @param {number} share of the width
   */
  divide(share) {
    this.cover.style.clipPath = `inset(0 0 0 ${100 * share}%)`;
    this.divider.style.left = `${100 * share}%`;
  }

  /** @param {Box | null} box */
  outline(box) {
    this.place(this.region, box);
  }

  /** @param {Pixel | null} pixel */
  select(pixel) {
    this.place(this.mark, pixel && { x: pixel[0], y: pixel[1], width: 1, height: 1 });
  }

  /**
   * @param {HTMLElement} element
   * @param {Box | null} box
   */
  place(element, box) {
    element.hidden = box === null;
    if (box) {
      const { width, height } = this.canvas;
      element.style.left = `${(100 * box.x) / width}%`;
      element.style.top = `${(100 * box.y) / height}%`;
      element.style.width = `${(100 * box.width) / width}%`;
      element.style.height = `${(100 * box.height) / height}%`;
    }
  }

  /**
   * Returns the pixel below the pointer.
   * @param {MouseEvent} event
   * @returns {Pixel}
   */
  pixelAt({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const { width, height } = this.canvas;
    const along = (/** @type {number} */ share, /** @type {number} */ size) => Math.max(0, Math.min(size - 1, Math.floor(share * size)));
    return [along((clientX - box.left) / box.width, width), along((clientY - box.top) / box.height, height)];
  }

  /**
   * @param {KeyboardEvent} event
   * @param {{onpick: (pixel: null) => void, onmove: (dx: number, dy: number) => void}} actions
   */
  key(event, actions) {
    const direction = DIRECTIONS[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey || (!direction && event.key !== "Enter")) {
      return;
    }
    event.preventDefault();
    if (direction) {
      const step = event.shiftKey ? FAR : 1;
      actions.onmove(direction[0] * step, direction[1] * step);
    } else {
      actions.onpick(null);
    }
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLCanvasElement | null} image
 */
function paint(canvas, image) {
  const context = canvas.getContext("2d");
  context?.clearRect(0, 0, canvas.width, canvas.height);
  if (image) {
    context?.drawImage(image, 0, 0);
  }
}
