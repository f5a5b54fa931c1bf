// A canvas that shows a picture: zoom, pan, rulers, pixel grid, values, single channels, an overlay of covered pixels,
// a heat map, and a marker.

import { h } from "pspge/dom.js";

/**
 * @typedef {{width: number, height: number, pixels: "rgba8" | "depth16", data: Uint8Array | Uint16Array}} Picture
 * @typedef {"color" | "alpha-blended" | "red" | "green" | "blue" | "alpha"} Channel
 * @typedef {{left: number, top: number, width: number, height: number, mask: Uint8Array}} Overlay
 * @typedef {{width: number, height: number, values: Uint32Array, smallest?: number, largest: number}} Heat
 * @typedef {{label: string, onpick?: (x: number, y: number) => void, onhover?: (position: [number, number] | null) => void, onchange?: () => void}} Options
 */

/** The scales that the view offers, in screen pixels for a pixel of the picture. */
export const SCALES = [1 / 4, 1 / 3, 1 / 2, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
const GRID_SCALE = 8;
const VALUES_SCALE = 32;

/** The channels, by the names that users read. */
export const CHANNELS = /** @type {const} */ ([
  ["color", "Colour"],
  ["alpha-blended", "Colour with alpha"],
  ["red", "Red"],
  ["green", "Green"],
  ["blue", "Blue"],
  ["alpha", "Stencil (alpha)"],
]);

/** Colours of the heat map from cold to hot, evenly spaced. */
const HEAT_STOPS = [
  [13, 8, 135],
  [84, 2, 163],
  [139, 10, 165],
  [185, 50, 137],
  [219, 92, 104],
  [244, 136, 73],
  [254, 188, 43],
  [240, 249, 33],
];

/**
 * Returns the colour of a share of the largest value.
 * @param {number} share 0 to 1
 * @returns {[number, number, number]}
 */
export function heatColor(share) {
  const position = Math.max(0, Math.min(1, share)) * (HEAT_STOPS.length - 1);
  const index = Math.min(Math.floor(position), HEAT_STOPS.length - 2);
  const part = position - index;
  const [low = [], high = []] = [HEAT_STOPS[index], HEAT_STOPS[index + 1]];
  const mix = (/** @type {number} */ axis) => Math.round((low[axis] ?? 0) * (1 - part) + (high[axis] ?? 0) * part);
  return [mix(0), mix(1), mix(2)];
}

/**
 * Returns a picture from an answer of the engine.
 * @param {{json: any, bytes: Uint8Array}} answer
 * @returns {Picture}
 */
export function pictureOf({ json, bytes }) {
  const { width, height, pixels } = json;
  const data = pixels === "depth16" ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1) : bytes;
  return { width, height, pixels, data };
}

/**
 * Returns the smallest and largest depth of a picture.
 * @param {Picture} picture
 * @returns {[number, number]}
 */
export function depthRange({ data }) {
  let [low, high] = [0xffff, 0];
  for (const depth of data) {
    low = Math.min(low, depth);
    high = Math.max(high, depth);
  }
  return low <= high ? [low, high] : [0, 0xffff];
}

/**
 * Draws a picture to an image of the same size.
 * @param {Picture} picture
 * @param {Channel} channel
 * @param {[number, number]} range smallest and largest depth
 * @returns {ImageData}
 */
export function toImage({ width, height, pixels, data }, channel, range) {
  const image = new ImageData(Math.max(1, width), Math.max(1, height));
  const out = image.data;
  const total = Math.min(width * height, pixels === "depth16" ? data.length : data.length >> 2);
  if (pixels === "depth16") {
    const [low, high] = range;
    const scale = 255 / Math.max(1, high - low);
    for (let index = 0; index < total; index += 1) {
      const grey = ((data[index] ?? 0) - low) * scale;
      out[4 * index] = grey;
      out[4 * index + 1] = grey;
      out[4 * index + 2] = grey;
      out[4 * index + 3] = 255;
    }
    return image;
  }
  if (channel === "color" || channel === "alpha-blended") {
    out.set(data.subarray(0, 4 * total));
    if (channel === "color") {
      for (let index = 3; index < 4 * total; index += 4) {
        out[index] = 255;
      }
    }
    return image;
  }
  const offset = { red: 0, green: 1, blue: 2, alpha: 3 }[channel];
  for (let index = 0; index < 4 * total; index += 4) {
    const grey = data[index + offset] ?? 0;
    out[index] = grey;
    out[index + 1] = grey;
    out[index + 2] = grey;
    out[index + 3] = 255;
  }
  return image;
}

/** The view of a picture. */
export class PictureView {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.canvas = h("canvas", { class: "picture-canvas", tabindex: 0, role: "img", "aria-label": options.label });
    this.element = h("div", { class: "picture-view" }, this.canvas);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {Channel} */
    this.channel = "color";
    /** @type {[number, number]} */
    this.range = [0, 0xffff];
    this.scale = 1;
    this.isFitted = true;
    this.originX = 0;
    this.originY = 0;
    /** @type {HTMLCanvasElement | null} */
    this.image = null;
    /** @type {Overlay | null} */
    this.overlay = null;
    /** @type {{image: HTMLCanvasElement, outline: Path2D} | null} */
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

  /**
   * Shows a picture. Zoom and position stay while its size does.
   * @param {Picture | null} picture
   */
  setPicture(picture) {
    const isOtherSize = picture?.width !== this.picture?.width || picture?.height !== this.picture?.height;
    this.picture = picture;
    this.range = picture?.pixels === "depth16" ? depthRange(picture) : [0, 0xffff];
    this.drawImage();
    if (isOtherSize && this.isFitted) {
      this.fit();
    } else if (isOtherSize) {
      this.keepInSight();
    }
    this.schedule();
  }

  /** @param {Channel} channel */
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
    this.overlayDrawing =
      overlay && overlay.width > 0 && overlay.height > 0 ? drawOverlay(overlay, this.color("--overlay")) : null;
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
    const { picture } = this;
    if (!picture || x < 0 || y < 0 || x >= picture.width || y >= picture.height) {
      return null;
    }
    const index = y * picture.width + x;
    return picture.pixels === "depth16"
      ? [picture.data[index] ?? 0]
      : [...picture.data.subarray(4 * index, 4 * index + 4)];
  }

  /** Returns the sizes of the canvas and of the rulers, in CSS pixels. */
  area() {
    const { clientWidth, clientHeight } = this.element;
    const ruler = Math.round(1.25 * rem());
    return { width: clientWidth, height: clientHeight, ruler };
  }

  /** Chooses the largest scale at which the whole picture can be seen. */
  fit() {
    const { picture } = this;
    const { width, height, ruler } = this.area();
    this.isFitted = true;
    if (!picture || width === 0) {
      return;
    }
    const room = Math.min((width - ruler) / picture.width, (height - ruler) / picture.height);
    const fitting = SCALES.filter((scale) => scale <= room);
    this.scale = fitting[fitting.length - 1] ?? SCALES[0] ?? 1;
    this.center();
    this.changed();
  }

  center() {
    const { width, height, ruler } = this.area();
    const [pictureWidth, pictureHeight] = [this.picture?.width ?? 0, this.picture?.height ?? 0];
    this.originX = ruler + Math.round((width - ruler - pictureWidth * this.scale) / 2);
    this.originY = ruler + Math.round((height - ruler - pictureHeight * this.scale) / 2);
  }

  /**
   * Steps the scale up or down, about a point of the canvas or the marker or the middle.
   * @param {number} steps
   * @param {[number, number]} [about] in CSS pixels
   */
  zoom(steps, about) {
    const current = SCALES.findIndex((scale) => scale >= this.scale - 1e-6);
    this.setScale(SCALES[Math.max(0, Math.min(SCALES.length - 1, current + steps))] ?? 1, about);
  }

  /**
   * Sets the scale about a point of the canvas; without one, about the marker if it can be seen, else the middle.
   * @param {number} scale
   * @param {[number, number]} [about]
   */
  setScale(scale, about) {
    const [x, y] = about ?? this.middle();
    const [pictureX, pictureY] = [(x - this.originX) / this.scale, (y - this.originY) / this.scale];
    this.scale = scale;
    this.isFitted = false;
    this.originX = Math.round(x - pictureX * scale);
    this.originY = Math.round(y - pictureY * scale);
    this.keepInSight();
    this.changed();
  }

  /** @returns {[number, number]} */
  middle() {
    const { width, height, ruler } = this.area();
    if (this.marker) {
      const x = this.originX + (this.marker[0] + 0.5) * this.scale;
      const y = this.originY + (this.marker[1] + 0.5) * this.scale;
      if (x > ruler && y > ruler && x < width && y < height) {
        return [x, y];
      }
    }
    return [(width + ruler) / 2, (height + ruler) / 2];
  }

  /**
   * Moves the picture by CSS pixels.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.originX += dx;
    this.originY += dy;
    this.isFitted = false;
    this.keepInSight();
    this.changed();
  }

  /**
   * Moves the picture so that a pixel can be seen.
   * @param {number} x
   * @param {number} y
   */
  reveal(x, y) {
    const { width, height, ruler } = this.area();
    const [left, top] = [this.originX + x * this.scale, this.originY + y * this.scale];
    if (left < ruler || top < ruler || left + this.scale > width || top + this.scale > height) {
      this.originX = Math.round((width + ruler) / 2 - (x + 0.5) * this.scale);
      this.originY = Math.round((height + ruler) / 2 - (y + 0.5) * this.scale);
      this.changed();
    }
  }

  /** Keeps at least a part of the picture in sight. */
  keepInSight() {
    const { width, height, ruler } = this.area();
    const margin = 2 * rem();
    const [pictureWidth, pictureHeight] = [
      (this.picture?.width ?? 0) * this.scale,
      (this.picture?.height ?? 0) * this.scale,
    ];
    this.originX = Math.max(ruler + margin - pictureWidth, Math.min(width - margin, this.originX));
    this.originY = Math.max(ruler + margin - pictureHeight, Math.min(height - margin, this.originY));
  }

  changed() {
    this.schedule();
    this.options.onchange?.();
  }

  resize() {
    const { width, height } = this.area();
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    if (this.isFitted) {
      this.fit();
    } else {
      this.keepInSight();
    }
    this.draw();
  }

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
    const { context } = this;
    const ratio = window.devicePixelRatio || 1;
    const { width, height, ruler } = this.area();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.color("--canvas");
    context.fillRect(0, 0, width, height);
    if (!this.picture || !this.image) {
      return;
    }
    context.save();
    context.beginPath();
    context.rect(ruler, ruler, width, height);
    context.clip();
    this.drawPicture();
    this.drawGrid();
    this.drawOverlayAndMarkers();
    context.restore();
    this.drawRulers(width, height, ruler);
  }

  drawPicture() {
    const { context, picture, image, scale, originX, originY } = this;
    if (!picture || !image) {
      return;
    }
    const [width, height] = [picture.width * scale, picture.height * scale];
    if (this.channel === "alpha-blended" && picture.pixels === "rgba8") {
      drawChecker(context, originX, originY, width, height);
    }
    context.imageSmoothingEnabled = scale < 1;
    context.drawImage(image, originX, originY, width, height);
    if (this.heatImage) {
      context.fillStyle = "rgb(16 16 20 / 0.72)";
      context.fillRect(originX, originY, width, height);
      context.drawImage(this.heatImage, originX, originY, this.heatImage.width * scale, this.heatImage.height * scale);
    }
  }

  /** Returns the pixels that can be seen: first and end column, first and end row. */
  visible() {
    const { picture, scale, originX, originY } = this;
    const { width, height, ruler } = this.area();
    const first = (/** @type {number} */ origin) => Math.max(0, Math.floor((ruler - origin) / scale));
    const end = (/** @type {number} */ origin, /** @type {number} */ size, /** @type {number} */ most) =>
      Math.min(most, Math.ceil((size - origin) / scale));
    return {
      left: first(originX),
      right: end(originX, width, picture?.width ?? 0),
      top: first(originY),
      bottom: end(originY, height, picture?.height ?? 0),
    };
  }

  drawGrid() {
    const { context, scale, originX, originY } = this;
    if (scale < GRID_SCALE) {
      return;
    }
    const { left, right, top, bottom } = this.visible();
    context.strokeStyle = "rgb(128 128 128 / 0.35)";
    context.lineWidth = 1;
    context.beginPath();
    for (let x = left; x <= right; x += 1) {
      context.moveTo(originX + x * scale + 0.5, originY + top * scale);
      context.lineTo(originX + x * scale + 0.5, originY + bottom * scale);
    }
    for (let y = top; y <= bottom; y += 1) {
      context.moveTo(originX + left * scale, originY + y * scale + 0.5);
      context.lineTo(originX + right * scale, originY + y * scale + 0.5);
    }
    context.stroke();
    if (scale >= VALUES_SCALE) {
      this.drawValues();
    }
  }

  /** Writes the value of each visible pixel into it. */
  drawValues() {
    const { context, scale, originX, originY } = this;
    const { left, right, top, bottom } = this.visible();
    const size = Math.min(Math.floor(scale * 0.29), 16);
    context.font = `${size}px ui-monospace, "DejaVu Sans Mono", monospace`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) {
        const value = this.valueAt(x, y) ?? [];
        const lines = this.heat ? [String(this.heat.values[y * this.heat.width + x] ?? 0)] : this.valueLines(value);
        context.fillStyle = this.isDarkAt(value, x, y) ? "#fff" : "#000";
        lines.forEach((line, index) => {
          const row = y + 0.5 + ((index - (lines.length - 1) / 2) * size * 1.15) / scale;
          context.fillText(line, originX + (x + 0.5) * scale, originY + row * scale, scale - 2);
        });
      }
    }
  }

  /**
   * @param {number[]} value
   * @returns {string[]}
   */
  valueLines(value) {
    const pair = (/** @type {number} */ index) => (value[index] ?? 0).toString(16).padStart(2, "0");
    if (this.picture?.pixels === "depth16") {
      return [(value[0] ?? 0).toString(16).padStart(4, "0")];
    }
    if (this.channel === "color" || this.channel === "alpha-blended") {
      return [pair(0) + pair(1), pair(2) + pair(3)];
    }
    return [pair({ red: 0, green: 1, blue: 2, alpha: 3 }[this.channel])];
  }

  /**
   * @param {number[]} value
   * @param {number} x
   * @param {number} y
   */
  isDarkAt(value, x, y) {
    if (this.heat) {
      const heat = this.heat.values[y * this.heat.width + x] ?? 0;
      const [red, green, blue] = heatColor(heat > 0 ? heatScale(this.heat)(heat) : 0);
      return heat === 0 || 0.299 * red + 0.587 * green + 0.114 * blue < 128;
    }
    if (this.picture?.pixels === "depth16") {
      const [low, high] = this.range;
      return ((value[0] ?? 0) - low) / Math.max(1, high - low) < 0.5;
    }
    const [red = 0, green = 0, blue = 0, alpha = 0] = value;
    if (this.channel === "color" || this.channel === "alpha-blended") {
      return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
    }
    return { red, green, blue, alpha }[this.channel] < 128;
  }

  drawOverlayAndMarkers() {
    const { context, scale, originX, originY, overlay, overlayDrawing } = this;
    if (overlay && overlayDrawing) {
      const [left, top] = [originX + overlay.left * scale, originY + overlay.top * scale];
      context.imageSmoothingEnabled = false;
      if (!this.heat) {
        context.globalAlpha = 0.4;
        context.drawImage(overlayDrawing.image, left, top, overlay.width * scale, overlay.height * scale);
        context.globalAlpha = 1;
      }
      context.save();
      context.translate(left, top);
      context.scale(scale, scale);
      // Light on dark, so that the outline can be seen on every colour.
      for (const [style, width] of /** @type {const} */ ([
        ["rgb(0 0 0 / 0.7)", 3],
        [this.color("--overlay"), 1.25],
      ])) {
        context.strokeStyle = style;
        context.lineWidth = width / scale;
        context.stroke(overlayDrawing.outline);
      }
      context.restore();
    }
    if (this.hover && scale >= 4) {
      this.drawFrame(this.hover, 1, "rgb(128 128 128 / 0.9)");
    }
    if (this.marker) {
      this.drawMarker(this.marker);
    }
  }

  /**
   * @param {[number, number]} position
   * @param {number} line
   * @param {string} style
   */
  drawFrame([x, y], line, style) {
    const { context, scale, originX, originY } = this;
    context.strokeStyle = style;
    context.lineWidth = line;
    context.strokeRect(originX + x * scale - line / 2, originY + y * scale - line / 2, scale + line, scale + line);
  }

  /** @param {[number, number]} position */
  drawMarker([x, y]) {
    const { context, scale, originX, originY } = this;
    const [middleX, middleY] = [originX + (x + 0.5) * scale, originY + (y + 0.5) * scale];
    const gap = Math.max(scale / 2, 2) + 2;
    for (const [style, width] of /** @type {const} */ ([
      ["#000", 4],
      ["#fff", 2],
    ])) {
      context.strokeStyle = style;
      context.lineWidth = width;
      context.beginPath();
      for (const [dx, dy] of /** @type {const} */ ([
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ])) {
        context.moveTo(middleX + dx * gap, middleY + dy * gap);
        context.lineTo(middleX + dx * (gap + 8), middleY + dy * (gap + 8));
      }
      context.stroke();
    }
    this.drawFrame([x, y], 3, "#000");
    this.drawFrame([x, y], 1, "#fff");
  }

  /**
   * @param {number} width
   * @param {number} height
   * @param {number} ruler
   */
  drawRulers(width, height, ruler) {
    const { context, scale } = this;
    context.fillStyle = this.color("--surface-2");
    context.fillRect(0, 0, width, ruler);
    context.fillRect(0, 0, ruler, height);
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((step) => step * scale >= 3.2 * rem()) ?? 2000;
    context.fillStyle = this.color("--muted");
    context.strokeStyle = this.color("--border");
    context.lineWidth = 1;
    context.font = `${Math.round(0.72 * rem())}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    this.drawTicks(false, step, width, ruler);
    this.drawTicks(true, step, height, ruler);
    context.fillStyle = this.color("--surface-2");
    context.fillRect(0, 0, ruler, ruler);
  }

  /**
   * @param {boolean} isVertical
   * @param {number} step
   * @param {number} length
   * @param {number} ruler
   */
  drawTicks(isVertical, step, length, ruler) {
    const { context, scale, picture, hover, marker } = this;
    const origin = isVertical ? this.originY : this.originX;
    const size = (isVertical ? picture?.height : picture?.width) ?? 0;
    const axis = isVertical ? 1 : 0;
    for (const [position, style] of /** @type {const} */ ([
      [marker, "--accent"],
      [hover, "--muted"],
    ])) {
      if (position) {
        context.globalAlpha = 0.35;
        context.fillStyle = this.color(style);
        const from = origin + position[axis] * scale;
        context.fillRect(
          isVertical ? 0 : from,
          isVertical ? from : 0,
          isVertical ? ruler : Math.max(1, scale),
          isVertical ? Math.max(1, scale) : ruler,
        );
        context.globalAlpha = 1;
      }
    }
    context.fillStyle = this.color("--muted");
    context.beginPath();
    for (let value = 0; value <= size; value += step) {
      const at = Math.round(origin + value * scale) + 0.5;
      if (at < ruler || at > length) {
        continue;
      }
      context.moveTo(isVertical ? 0 : at, isVertical ? at : 0);
      context.lineTo(isVertical ? ruler : at, isVertical ? at : ruler);
      context.save();
      context.translate(isVertical ? ruler / 2 : at + 3, isVertical ? at + 3 : ruler / 2);
      if (isVertical) {
        context.rotate(Math.PI / 2);
      }
      context.fillText(String(value), 0, 0);
      context.restore();
    }
    context.stroke();
  }

  /**
   * Returns the pixel at a point of the canvas; null outside the picture.
   * @param {MouseEvent} event
   * @returns {[number, number] | null}
   */
  pixelAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left - this.originX) / this.scale);
    const y = Math.floor((event.clientY - box.top - this.originY) / this.scale);
    const { width, height } = this.picture ?? { width: 0, height: 0 };
    return x >= 0 && y >= 0 && x < width && y < height ? [x, y] : null;
  }

  /** @param {[number, number] | null} hover */
  setHover(hover) {
    this.hover = hover;
    this.options.onhover?.(hover);
    this.schedule();
  }

  listen() {
    const { canvas } = this;
    /** @type {{x: number, y: number, moved: boolean} | null} */
    let drag = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button > 1) {
        return;
      }
      drag = { x: event.clientX, y: event.clientY, moved: event.button === 1 };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      this.setHover(this.pixelAt(event));
      if (!drag) {
        return;
      }
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (drag.moved || Math.hypot(dx, dy) > 3) {
        drag = { x: event.clientX, y: event.clientY, moved: true };
        canvas.classList.add("is-dragged");
        this.pan(dx, dy);
      }
    });
    const end = (/** @type {PointerEvent} */ event) => {
      const pixel = drag && !drag.moved && event.type === "pointerup" ? this.pixelAt(event) : null;
      drag = null;
      canvas.classList.remove("is-dragged");
      if (pixel) {
        this.options.onpick?.(...pixel);
      }
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("pointerleave", () => this.setHover(null));
    let turned = 0;
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        turned += event.deltaY * (event.deltaMode === 1 ? 40 : 1);
        if (Math.abs(turned) >= 40) {
          const box = canvas.getBoundingClientRect();
          this.zoom(turned < 0 ? 1 : -1, [event.clientX - box.left, event.clientY - box.top]);
          turned = 0;
        }
      },
      { passive: false },
    );
  }
}

/** Returns the root font size in CSS pixels. */
function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/**
 * @param {ImageData} image
 * @param {HTMLCanvasElement | null} [canvas] one to use again
 * @returns {HTMLCanvasElement}
 */
function canvasOf(image, canvas = null) {
  const target = canvas ?? document.createElement("canvas");
  if (target.width !== image.width || target.height !== image.height) {
    target.width = image.width;
    target.height = image.height;
  }
  target.getContext("2d")?.putImageData(image, 0, 0);
  return target;
}

/**
 * @param {Heat} heat
 * @returns {HTMLCanvasElement}
 */
function drawHeat(heat) {
  const { width, height, values } = heat;
  const image = new ImageData(width, height);
  const table = Array.from({ length: 256 }, (_, index) => heatColor(index / 255));
  const scale = heatScale(heat);
  for (let index = 0; index < width * height; index += 1) {
    const value = values[index] ?? 0;
    if (value > 0) {
      const [red, green, blue] = table[Math.round(255 * scale(value))] ?? [0, 0, 0];
      image.data.set([red, green, blue, 235], 4 * index);
    }
  }
  return canvasOf(image);
}

/**
 * Returns the scale of a heat map: linear if the largest value is at most 16 times the smallest, else logarithmic,
 * because most pixels then have small values.
 * @param {{smallest?: number, largest: number}} range of the values that are not 0
 * @returns {(value: number) => number} from a value to a share, 0 to 1
 */
export function heatScale(range) {
  const { smallest = 1, largest } = range;
  if (largest <= smallest) {
    return () => 0.5;
  }
  if (!isLogarithmic(range)) {
    return (value) => (value - smallest) / (largest - smallest);
  }
  return (value) => Math.log(value / smallest) / Math.log(largest / smallest);
}

/**
 * Returns whether the heat map of these values has a logarithmic scale.
 * @param {{smallest?: number, largest: number}} range
 */
export function isLogarithmic({ smallest = 1, largest }) {
  return largest > 16 * smallest;
}

/**
 * @param {Overlay} overlay
 * @param {string} color
 */
function drawOverlay({ width, height, mask }, color) {
  const probe = document.createElement("canvas").getContext("2d");
  let [red, green, blue] = [255, 0, 255];
  if (probe) {
    probe.fillStyle = color;
    probe.fillRect(0, 0, 1, 1);
    [red = 255, green = 0, blue = 255] = probe.getImageData(0, 0, 1, 1).data;
  }
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  // Canvases hold red in the lowest byte on all machines with little-endian order, which browsers have.
  const word = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  for (let index = 0; index < width * height; index += 1) {
    if (mask[index]) {
      pixels[index] = word;
    }
  }
  return { image: canvasOf(image), outline: outlineOf(width, height, mask) };
}

/**
 * Returns the edges between covered and other pixels, runs of them as one line.
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} mask
 * @returns {Path2D}
 */
export function outlineOf(width, height, mask) {
  const path = new Path2D();
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    x >= 0 && y >= 0 && x < width && y < height && mask[y * width + x] !== 0;
  for (let y = 0; y <= height; y += 1) {
    let start = -1;
    for (let x = 0; x <= width; x += 1) {
      const isEdge = x < width && at(x, y) !== at(x, y - 1);
      if (isEdge && start < 0) {
        start = x;
      } else if (!isEdge && start >= 0) {
        path.moveTo(start, y);
        path.lineTo(x, y);
        start = -1;
      }
    }
  }
  for (let x = 0; x <= width; x += 1) {
    let start = -1;
    for (let y = 0; y <= height; y += 1) {
      const isEdge = y < height && at(x, y) !== at(x - 1, y);
      if (isEdge && start < 0) {
        start = y;
      } else if (!isEdge && start >= 0) {
        path.moveTo(x, start);
        path.lineTo(x, y);
        start = -1;
      }
    }
  }
  return path;
}

/**
 * Draws the pattern that stands for transparency.
 * @param {CanvasRenderingContext2D} context
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} height
 */
function drawChecker(context, left, top, width, height) {
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
