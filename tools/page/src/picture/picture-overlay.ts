// Marked pixels over a picture, such as those that a draw covers: a tint and an outline.

import type { Place } from "pspge/picture/picture-drawing.js";
import { canvasOf } from "pspge/picture/picture-pixels.js";

export interface Overlay {
  left: number;
  top: number;
  width: number;
  height: number;
  mask: Uint8Array;
  /** Not 0 at marked pixels that the draw covers in vain. */
  lost?: Uint8Array;
}
export interface OverlayDrawing {
  image: HTMLCanvasElement;
  outline: Path2D;
  /** The number of pixels. */
  marked: number;
}

/** Prepares the drawing of an overlay; null if it marks no pixel. Pixels that are covered in vain have `lostColor`. */
export function prepareOverlay(overlay: Overlay | null, color: string, lostColor: string): OverlayDrawing | null {
  if (!overlay || overlay.width === 0 || overlay.height === 0) {
    return null;
  }
  const { width, height, mask, lost } = overlay;
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const [word, lostWord] = [wordOf(color), wordOf(lostColor)];
  let marked = 0;
  for (let index = 0; index < width * height; index += 1) {
    if (mask[index]) {
      pixels[index] = lost?.[index] ? lostWord : word;
      marked += 1;
    }
  }
  return { image: canvasOf(image), outline: outlineOf(width, height, mask), marked };
}

/** Returns a colour as the word of a pixel. */
function wordOf(color: string) {
  const probe = document.createElement("canvas").getContext("2d");
  let [red, green, blue] = [255, 0, 255];
  if (probe) {
    probe.fillStyle = color;
    probe.fillRect(0, 0, 1, 1);
    [red = 255, green = 0, blue = 255] = probe.getImageData(0, 0, 1, 1).data;
  }
  // Canvases hold red in the lowest byte on all machines with little-endian order, which browsers have.
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Returns the edges between covered and other pixels, runs of them as one line. */
function outlineOf(width: number, height: number, mask: Uint8Array): Path2D {
  const path = new Path2D();
  const at = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && mask[y * width + x] !== 0;
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

/** Draws an overlay with the origin and scale of a view. */
export function drawOverlay(context: CanvasRenderingContext2D, { originX, originY, scale }: Place, overlay: Overlay, drawing: OverlayDrawing, { color, isTinted }: { color: string; isTinted: boolean }) {
  const [left, top] = [originX + overlay.left * scale, originY + overlay.top * scale];
  context.imageSmoothingEnabled = false;
  if (isTinted) {
    context.globalAlpha = 0.4;
    context.drawImage(drawing.image, left, top, overlay.width * scale, overlay.height * scale);
    context.globalAlpha = 1;
  }
  context.save();
  context.translate(left, top);
  context.scale(scale, scale);
  // Light on dark, so that the outline can be seen on every colour.
  for (const [style, width] of ([
    ["rgb(0 0 0 / 0.7)", 3],
    [color, 1.25],
  ] as const)) {
    context.strokeStyle = style;
    context.lineWidth = width / scale;
    context.stroke(drawing.outline);
  }
  context.restore();
}
