// picture/picture-viewport.ts
import { rem } from "pspge/base/layout.js";
var SCALES = [1 / 4, 1 / 3, 1 / 2, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
var USED = 0.75;
var PART = 20;
function fittingScale(room) {
  const whole = SCALES.findLast((scale) => scale <= room) ?? SCALES[0] ?? 1;
  return (whole / room) ** 2 < USED ? Math.max(1 / PART, Math.floor(room * PART) / PART) : whole;
}
var Viewport = class {
  /** `canvas` measures the canvas; `onchange` is called after the scale or the position has changed. */
  constructor(canvas, onchange) {
    this.canvas = canvas;
    this.onchange = onchange;
  }
  canvas;
  onchange;
  picture = { width: 0, height: 0 };
  scale = 1;
  isFitted = true;
  originX = 0;
  originY = 0;
  /** Returns the sizes of the canvas and of its rulers. */
  area() {
    return { ...this.canvas(), ruler: Math.round(1.25 * rem()) };
  }
  /** Sets the size of the picture. Zoom and position stay while it does. */
  setPicture({ width, height }) {
    if (width === this.picture.width && height === this.picture.height) {
      return;
    }
    this.picture = { width, height };
    this.settle();
  }
  /** Adapts to another size of the canvas or of the picture. */
  settle() {
    if (this.isFitted) {
      this.fit();
    } else {
      this.keepInSight();
    }
  }
  /** Chooses the largest scale at which the whole picture can be seen, and centres it. */
  fit() {
    const { width, height, ruler } = this.area();
    this.isFitted = true;
    if (this.picture.width === 0 || width === 0) {
      return;
    }
    const room = Math.min((width - ruler) / this.picture.width, (height - ruler) / this.picture.height);
    this.scale = fittingScale(room);
    this.originX = ruler + Math.round((width - ruler - this.picture.width * this.scale) / 2);
    this.originY = ruler + Math.round((height - ruler - this.picture.height * this.scale) / 2);
    this.onchange();
  }
  /** Takes over scale and position of another viewport, without calling `onchange`. */
  follow({ scale, originX, originY, isFitted }) {
    Object.assign(this, { scale, originX, originY, isFitted });
  }
  /** Steps the scale up or down about a point of the canvas. */
  zoom(steps, about) {
    const larger = SCALES.filter((scale) => scale > this.scale + 1e-6);
    const smaller = SCALES.filter((scale) => scale < this.scale - 1e-6);
    this.setScale((steps > 0 ? larger[Math.min(steps, larger.length) - 1] : smaller.at(steps)) ?? this.scale, about);
  }
  /** Sets the scale; a point of the canvas stays in its place. */
  setScale(scale, [x, y]) {
    const [pictureX, pictureY] = [(x - this.originX) / this.scale, (y - this.originY) / this.scale];
    this.scale = scale;
    this.isFitted = false;
    this.originX = Math.round(x - pictureX * scale);
    this.originY = Math.round(y - pictureY * scale);
    this.keepInSight();
    this.onchange();
  }
  /** Moves the picture. */
  pan(dx, dy) {
    this.originX += dx;
    this.originY += dy;
    this.isFitted = false;
    this.keepInSight();
    this.onchange();
  }
  /** Moves the picture so that a pixel can be seen. */
  reveal(x, y) {
    const { width, height, ruler } = this.area();
    const [left, top] = [this.originX + x * this.scale, this.originY + y * this.scale];
    if (left < ruler || top < ruler || left + this.scale > width || top + this.scale > height) {
      this.originX = Math.round((width + ruler) / 2 - (x + 0.5) * this.scale);
      this.originY = Math.round((height + ruler) / 2 - (y + 0.5) * this.scale);
      this.onchange();
    }
  }
  /** Keeps at least a part of the picture in sight. */
  keepInSight() {
    const { width, height, ruler } = this.area();
    const margin = 2 * rem();
    const clamp = (origin, size, room) => Math.max(ruler + margin - size * this.scale, Math.min(room - margin, origin));
    this.originX = clamp(this.originX, this.picture.width, width);
    this.originY = clamp(this.originY, this.picture.height, height);
  }
  /** Returns the point about which a zoom without mouse works: the middle of a pixel if it can be seen, else of the canvas. */
  middle(pixel) {
    const { width, height, ruler } = this.area();
    if (pixel) {
      const x = this.originX + (pixel[0] + 0.5) * this.scale;
      const y = this.originY + (pixel[1] + 0.5) * this.scale;
      if (x > ruler && y > ruler && x < width && y < height) {
        return [x, y];
      }
    }
    return [(width + ruler) / 2, (height + ruler) / 2];
  }
  /** Returns the pixels that can be seen: first and end column, first and end row. */
  visible() {
    const { width, height, ruler } = this.area();
    const first = (origin) => Math.max(0, Math.floor((ruler - origin) / this.scale));
    const end = (origin, room, most) => Math.min(most, Math.ceil((room - origin) / this.scale));
    return {
      left: first(this.originX),
      right: end(this.originX, width, this.picture.width),
      top: first(this.originY),
      bottom: end(this.originY, height, this.picture.height)
    };
  }
  /** Returns the pixel at a point of the canvas; null outside the picture. */
  pixelAt(left, top) {
    const x = Math.floor((left - this.originX) / this.scale);
    const y = Math.floor((top - this.originY) / this.scale);
    return x >= 0 && y >= 0 && x < this.picture.width && y < this.picture.height ? [x, y] : null;
  }
};
export {
  SCALES,
  Viewport
};
