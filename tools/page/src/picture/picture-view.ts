// A canvas that shows a picture with rulers, pixel grid and values, an overlay of covered pixels, a heat map, and markers.

import { h } from "pspge/base/dom.js";
import { drawHeat, type Heat } from "pspge/picture/heat-map.js";
import { drawFrame, drawGrid, drawMarker, drawRulers, drawValues } from "pspge/picture/picture-drawing.js";
import { listenToGestures } from "pspge/picture/picture-gestures.js";
import { drawOverlay, type Overlay, type OverlayDrawing, prepareOverlay } from "pspge/picture/picture-overlay.js";
import { canvasOf, type Channel, depthRange, type Picture, toImage, valueAt } from "pspge/picture/picture-pixels.js";
import { Viewport } from "pspge/picture/picture-viewport.js";

export interface Options {
  label: string;
  onpick?: (x: number, y: number) => void;
  onhover?: (position: [number, number] | null) => void;
  onchange?: () => void;
}

/** The scale from which the pixel below the mouse has a frame. */
const HOVER_SCALE = 4;

/** The view of a picture. */
export class PictureView {
  private canvas: HTMLCanvasElement;
  element: HTMLElement;
  private context: CanvasRenderingContext2D;
  private viewport: Viewport;
  picture: Picture | null = null;
  private channel: Channel = "color";
  /** The depths that are black and white. */
  range: [number, number] = [0, 0xffff];
  /** The chosen range of depths; null for that of each picture. */
  private chosenDepths: [number, number] | null = null;
  isInverted = false;
  image: HTMLCanvasElement | null = null;
  overlay: Overlay | null = null;
  private overlayDrawing: OverlayDrawing | null = null;
  heat: Heat | null = null;
  private heatImage: HTMLCanvasElement | null = null;
  marker: [number, number] | null = null;
  hover: [number, number] | null = null;
  private isScheduled = false;

  constructor(private options: Options) {
    this.canvas = h("canvas", { class: "picture-canvas", tabindex: 0, role: "img", "aria-label": options.label });
    this.element = h("div", { class: "picture-view" }, this.canvas);
    this.context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
    this.viewport = new Viewport(
      () => ({ width: this.element.clientWidth, height: this.element.clientHeight }),
      () => {
        this.schedule();
        options.onchange?.();
      },
    );
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Returns the scale, in screen pixels for a pixel of the picture. */
  get scale() {
    return this.viewport.scale;
  }

  /** Shows a picture. Zoom and position stay while its size does. */
  setPicture(picture: Picture | null) {
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

  /** Returns the smallest and the largest depth that is told apart. */
  get depths(): [number, number] {
    const [first, last] = this.range;
    return [Math.min(first, last), Math.max(first, last)];
  }

  /** Whether each picture has a range of depths of its own. */
  get isAutomatic() {
    return this.chosenDepths === null;
  }

  /** Chooses a range of depths, or with null that of each picture. */
  setDepths(depths: [number, number] | null) {
    this.chosenDepths = depths;
    this.setRange();
  }

  /** Chooses whether small depths are white. */
  setInverted(isInverted: boolean) {
    this.isInverted = isInverted;
    this.setRange();
  }

  /** Chooses the channel that is drawn. */
  setChannel(channel: Channel) {
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

  /** Shows covered pixels, or null for none. */
  setOverlay(overlay: Overlay | null) {
    this.overlay = overlay;
    this.overlayDrawing = prepareOverlay(overlay, this.color("--overlay"), this.color("--danger"));
    this.schedule();
  }

  /** Shows a heat map over the picture, or null for none. */
  setHeat(heat: Heat | null) {
    this.heat = heat;
    this.heatImage = heat && heat.width > 0 && heat.height > 0 ? drawHeat(heat) : null;
    this.schedule();
  }

  /** Marks a pixel, or null for none. */
  setMarker(marker: [number, number] | null) {
    this.marker = marker;
    this.schedule();
  }

  /** Describes the picture for screen readers. */
  setLabel(label: string) {
    this.canvas.setAttribute("aria-label", label);
  }

  /** Returns the components of a pixel, or its depth; null outside. */
  valueAt(x: number, y: number): number[] | null {
    return valueAt(this.picture, x, y);
  }

  /** Chooses the largest scale at which the whole picture can be seen. */
  fit() {
    this.viewport.fit();
  }

  /** Steps the scale up or down, about a point of the canvas in CSS pixels, or the marker or the middle. */
  zoom(steps: number, about?: [number, number]) {
    this.viewport.zoom(steps, about ?? this.viewport.middle(this.marker));
  }

  /** Sets the scale about the marker if it can be seen, else about the middle. */
  setScale(scale: number) {
    this.viewport.setScale(scale, this.viewport.middle(this.marker));
  }

  /** Moves the picture by CSS pixels. */
  pan(dx: number, dy: number) {
    this.viewport.pan(dx, dy);
  }

  /** Moves the picture so that a pixel can be seen. */
  reveal(x: number, y: number) {
    this.viewport.reveal(x, y);
  }

  /** Takes over scale and position of another view. */
  follow(other: PictureView) {
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

  /** Returns a colour of the theme. */
  color(name: string) {
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

  drawPicture(picture: Picture, image: HTMLCanvasElement) {
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
    const pixelAt = (position: [number, number]) => (this.picture ? this.viewport.pixelAt(...position) : null);
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

/** Draws the pattern that stands for transparency. */
function drawChecker(context: CanvasRenderingContext2D, { left, top, width, height }: { left: number; top: number; width: number; height: number }) {
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
