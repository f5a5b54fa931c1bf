// A canvas that shows a picture with rulers, pixel grid and values, an overlay of covered pixels, a heat map, and markers.

import { h } from "pspge/dom.js";
import { drawHeat } from "pspge/heat-map.js";
import { listenToGestures } from "pspge/picture-gestures.js";
import { drawFrame, drawMarker } from "pspge/picture-markers.js";
import { drawOverlay, prepareOverlay } from "pspge/picture-overlay.js";
import { canvasOf, depthRange, toImage, valueAt } from "pspge/picture-pixels.js";
import { drawGrid, drawRulers } from "pspge/picture-rulers.js";
import { drawValues } from "pspge/picture-values.js";
import { Viewport } from "pspge/picture-viewport.js";

// Users of the view need these, too.
export { CHANNELS, pictureOf } from "pspge/picture-pixels.js";

/** @typedef {import("pspge/picture-pixels.js").Picture} Picture */
/** @typedef {import("pspge/picture-pixels.js").Channel} Channel */
/** @typedef {import("pspge/picture-overlay.js").Overlay} Overlay */
/** @typedef {import("pspge/heat-map.js").Heat} Heat */
/** @typedef {{label: string, onpick?: (x: number, y: number) => void, onhover?: (position: [number, number] | null) => void, onchange?: () => void}} Options */

/** The scale from which the pixel below the mouse has a frame. */
const HOVER_SCALE = 4;

/** The view of a picture. */
export class PictureView {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.canvas = h("canvas", { class: "picture-canvas", tabindex: 0, role: "img", "aria-label": options.label });
    this.element = h("div", { class: "picture-view" }, this.canvas);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.viewport = new Viewport({
      canvas: () => ({ width: this.element.clientWidth, height: this.element.clientHeight }),
      onchange: () => {
        this.schedule();
        options.onchange?.();
      },
    });
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {Channel} */
    this.channel = "color";
    /** @type {[number, number]} The depths that are black and white. */
    this.range = [0, 0xffff];
    /** @type {[number, number] | null} The chosen range of depths; null for that of each picture. */
    this.chosenDepths = null;
    this.isInverted = false;
    /** @type {HTMLCanvasElement | null} */
    this.image = null;
    /** @type {Overlay | null} */
    this.overlay = null;
    /** @type {import("pspge/picture-overlay.js").OverlayDrawing | null} */
    this.overlayDrawing = null;
    /** @type {Heat | null} */
    this.heat = null;
    /** @type {HTMLCanvasElement | null} */
    this.heatImage = null;
    /** @type {[number, number] | null} */
    this.marker = null;
    /** @type {[number, number] | null} */
    this.hover = null;
    this.isScheduled = false;
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Returns the scale, in screen pixels for a pixel of the picture. */
  get scale() {
    return this.viewport.scale;
  }

  /**
   * Shows a picture. Zoom and position stay while its size does.
   * @param {Picture | null} picture
   */
  setPicture(picture) {
    this.picture = picture;
    this.setRange();
    if (picture) {
      this.viewport.setPicture(picture);
    }
    this.schedule();
  }

  setRange() {
    const [low, high] = this.chosenDepths ?? (this.picture?.pixels === "depth16" ? depthRange(this.picture) : [0, 0xffff]);
    this.range = this.isInverted ? [high, low] : [low, high];
    this.drawImage();
    this.schedule();
  }

  /** Returns the smallest and the largest depth that is told apart. @returns {[number, number]} */
  get depths() {
    const [first, last] = this.range;
    return [Math.min(first, last), Math.max(first, last)];
  }

  /** Whether each picture has a range of depths of its own. */
  get isAutomatic() {
    return this.chosenDepths === null;
  }

  /** Chooses a range of depths, or with null that of each picture. @param {[number, number] | null} depths */
  setDepths(depths) {
    this.chosenDepths = depths;
    this.setRange();
  }

  /** @param {boolean} isInverted whether small depths are white */
  setInverted(isInverted) {
    this.isInverted = isInverted;
    this.setRange();
  }

  /**
   * Chooses the channel that is drawn.
   * @param {Channel} channel
   */
  setChannel(channel) {
    this.channel = channel;
    this.drawImage();
    this.schedule();
  }

  drawImage() {
    if (!this.picture || this.picture.width === 0 || this.picture.height === 0) {
      this.image = null;
      return;
    }
    this.image = canvasOf(toImage(this.picture, this.channel, this.range), this.image);
  }

  /**
   * Shows covered pixels, or null for none.
   * @param {Overlay | null} overlay
   */
  setOverlay(overlay) {
    this.overlay = overlay;
    this.overlayDrawing = prepareOverlay(overlay, this.color("--overlay"), this.color("--danger"));
    this.schedule();
  }

  /**
   * Shows a heat map over the picture, or null for none.
   * @param {Heat | null} heat
   */
  setHeat(heat) {
    this.heat = heat;
    this.heatImage = heat && heat.width > 0 && heat.height > 0 ? drawHeat(heat) : null;
    this.schedule();
  }

  /**
   * Marks a pixel, or null for none.
   * @param {[number, number] | null} marker
   */
  setMarker(marker) {
    this.marker = marker;
    this.schedule();
  }

  /**
   * Describes the picture for screen readers.
   * @param {string} label
   */
  setLabel(label) {
    this.canvas.setAttribute("aria-label", label);
  }

  /**
   * Returns the components of a pixel, or its depth; null outside.
   * @param {number} x
   * @param {number} y
   * @returns {number[] | null}
   */
  valueAt(x, y) {
    return valueAt(this.picture, x, y);
  }

  /** Chooses the largest scale at which the whole picture can be seen. */
  fit() {
    this.viewport.fit();
  }

  /**
   * Steps the scale up or down, about a point of the canvas or the marker or the middle.
   * @param {number} steps
   * @param {[number, number]} [about] in CSS pixels
   */
  zoom(steps, about) {
    this.viewport.zoom(steps, about ?? this.viewport.middle(this.marker));
  }

  /**
   * Sets the scale about the marker if it can be seen, else about the middle.
   * @param {number} scale
   */
  setScale(scale) {
    this.viewport.setScale(scale, this.viewport.middle(this.marker));
  }

  /**
   * Moves the picture by CSS pixels.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.viewport.pan(dx, dy);
  }

  /**
   * Moves the picture so that a pixel can be seen.
   * @param {number} x
   * @param {number} y
   */
  reveal(x, y) {
    this.viewport.reveal(x, y);
  }

  /**
   * Takes over scale and position of another view.
   * @param {PictureView} other
   */
  follow(other) {
    this.viewport.follow(other.viewport);
    this.schedule();
  }

  resize() {
    const { width, height } = this.viewport.area();
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.viewport.settle();
    this.draw();
  }

  /** Draws everything anew at the next frame of the screen. */
  schedule() {
    if (this.isScheduled) {
      return;
    }
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.draw();
    });
  }

  /**
   * Returns a colour of the theme.
   * @param {string} name
   */
  color(name) {
    return getComputedStyle(this.element).getPropertyValue(name).trim() || "#888";
  }

  draw() {
    const { context, viewport, picture, image } = this;
    const ratio = window.devicePixelRatio || 1;
    const { width, height, ruler } = viewport.area();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.color("--canvas");
    context.fillRect(0, 0, width, height);
    if (!picture || !image) {
      return;
    }
    context.save();
    context.beginPath();
    context.rect(ruler, ruler, width, height);
    context.clip();
    this.drawPicture(picture, image);
    drawGrid(context, viewport);
    drawValues(context, viewport, { picture, channel: this.channel, range: this.range, heat: this.heat });
    this.drawOverlayAndMarkers();
    context.restore();
    drawRulers(context, viewport, { marker: this.marker, hover: this.hover, color: (name) => this.color(name) });
  }

  /**
   * @param {Picture} picture
   * @param {HTMLCanvasElement} image
   */
  drawPicture(picture, image) {
    const { context, heatImage } = this;
    const { scale, originX, originY } = this.viewport;
    const [width, height] = [picture.width * scale, picture.height * scale];
    if (this.channel === "alpha-blended" && picture.pixels === "rgba8") {
      drawChecker(context, { left: originX, top: originY, width, height });
    }
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(image, originX, originY, width, height);
    if (heatImage) {
      context.fillStyle = "rgb(16 16 20 / 0.72)";
      context.fillRect(originX, originY, width, height);
      context.drawImage(heatImage, originX, originY, heatImage.width * scale, heatImage.height * scale);
    }
  }

  drawOverlayAndMarkers() {
    const { context, viewport, overlay, overlayDrawing } = this;
    if (overlay && overlayDrawing) {
      const { width, height } = this.picture ?? { width: 0, height: 0 };
      // A tint over most of the picture would hide it; its outline is enough.
      const isMost = 2 * overlayDrawing.marked > width * height;
      const style = { color: this.color("--overlay"), isTinted: !this.heat && (!isMost || overlay.lost !== undefined) };
      drawOverlay(context, viewport, overlay, overlayDrawing, style);
    }
    if (this.hover && viewport.scale >= HOVER_SCALE) {
      drawFrame(context, viewport, this.hover, { line: 1, color: "rgb(128 128 128 / 0.9)" });
    }
    if (this.marker) {
      drawMarker(context, viewport, this.marker);
    }
  }

  listen() {
    const pixelAt = (/** @type {[number, number]} */ position) =>
      this.picture ? this.viewport.pixelAt(...position) : null;
    listenToGestures(this.canvas, {
      hover: (position) => {
        this.hover = position && pixelAt(position);
        this.options.onhover?.(this.hover);
        this.schedule();
      },
      pan: (dx, dy) => this.pan(dx, dy),
      pick: (position) => {
        const pixel = pixelAt(position);
        if (pixel) {
          this.options.onpick?.(...pixel);
        }
      },
      zoom: (steps, position) => this.zoom(steps, position),
    });
  }
}

/**
 * Draws the pattern that stands for transparency.
 * @param {CanvasRenderingContext2D} context
 * @param {{left: number, top: number, width: number, height: number}} box
 */
function drawChecker(context, { left, top, width, height }) {
  const tile = document.createElement("canvas");
  tile.width = 16;
  tile.height = 16;
  const tileContext = tile.getContext("2d");
  if (!tileContext) {
    return;
  }
  tileContext.fillStyle = "#b8b8b8";
  tileContext.fillRect(0, 0, 16, 16);
  tileContext.fillStyle = "#8f8f8f";
  tileContext.fillRect(0, 0, 8, 8);
  tileContext.fillRect(8, 8, 8, 8);
  const pattern = context.createPattern(tile, "repeat");
  if (pattern) {
    context.fillStyle = pattern;
    context.fillRect(left, top, width, height);
  }
}
