// picture-values.ts
import { heatColor, heatScale } from "pspge/heat-map.js";
import { brightness, valueAt, valueLines } from "pspge/picture-pixels.js";
var VALUES_SCALE = 32;
function drawValues(context, viewport, { picture, channel, range, heat }) {
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
        const row = y + 0.5 + (index - (lines.length - 1) / 2) * size * 1.15 / scale;
        context.fillText(line, originX + (x + 0.5) * scale, originY + row * scale, scale - 2);
      });
    }
  }
}
function heatBrightness(heat, amount) {
  if (amount === 0) {
    return 0;
  }
  const [red, green, blue] = heatColor(heatScale(heat)(amount));
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
export {
  drawValues
};
