// The values of pixels, written into them when they are large enough.

import { type Heat, heatColor, heatScale } from "pspge/heat-map.js";
import { brightness, type Channel, type Picture, valueAt, valueLines } from "pspge/picture-pixels.js";
import type { Viewport } from "pspge/picture-viewport.js";

/** The scale from which values are written. */
const VALUES_SCALE = 32;

interface Contents {
  picture: Picture;
  channel: Channel;
  range: [number, number];
  heat: Heat | null;
}

/** Writes the value of each visible pixel into it: of the heat map if there is one, else of the picture. */
export function drawValues(context: CanvasRenderingContext2D, viewport: Viewport, { picture, channel, range, heat }: Contents) {
  const { scale, originX, originY } = viewport;
  if (scale < VALUES_SCALE) {
    return;
  }
  const { left, right, top, bottom } = viewport.visible();
  const size = Math.min(Math.floor(scale * 0.29), 16);
  context.font = `${size}px ui-monospace, "DejaVu Sans Mono", monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const value = valueAt(picture, x, y) ?? [];
      const amount = heat?.values[y * heat.width + x] ?? 0;
      const lines = heat ? [String(amount)] : valueLines(picture, value, channel);
      const light = heat ? heatBrightness(heat, amount) : brightness(picture, value, channel, range);
      context.fillStyle = light < 128 ? "#fff" : "#000";
      lines.forEach((line, index) => {
        const row = y + 0.5 + ((index - (lines.length - 1) / 2) * size * 1.15) / scale;
        context.fillText(line, originX + (x + 0.5) * scale, originY + row * scale, scale - 2);
      });
    }
  }
}

function heatBrightness(heat: Heat, amount: number) {
  if (amount === 0) {
    return 0;
  }
  const [red, green, blue] = heatColor(heatScale(heat)(amount));
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
