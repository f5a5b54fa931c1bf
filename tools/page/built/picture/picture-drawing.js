// picture/picture-drawing.ts
import { rem } from "pspge/base/layout.js";
import { heatColor, heatScale } from "pspge/picture/heat-map.js";
import { brightness, valueAt, valueLines } from "pspge/picture/picture-pixels.js";
var GRID_SCALE = 8;
var STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3];
function drawGrid(context, viewport) {
  const { scale, originX, originY } = viewport;
  if (scale < GRID_SCALE) {
    return;
  }
  const { left, right, top, bottom } = viewport.visible();
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
}
function drawRulers(context, viewport, options) {
  const { width, height, ruler } = viewport.area();
  const { color } = options;
  context.fillStyle = color("--surface-2");
  context.fillRect(0, 0, width, ruler);
  context.fillRect(0, 0, ruler, height);
  context.strokeStyle = color("--border");
  context.lineWidth = 1;
  context.font = `${Math.round(0.72 * rem())}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const isVertical of [false, true]) {
    drawPosition(context, viewport, isVertical, options.marker, color("--accent"));
    drawPosition(context, viewport, isVertical, options.hover, color("--muted"));
    context.fillStyle = color("--muted");
    drawTicks(context, viewport, isVertical);
  }
  context.fillStyle = color("--surface-2");
  context.fillRect(0, 0, ruler, ruler);
}
function drawPosition(context, viewport, isVertical, pixel, color) {
  if (!pixel) {
    return;
  }
  const { scale, originX, originY } = viewport;
  const { ruler } = viewport.area();
  const length = Math.max(1, scale);
  context.globalAlpha = 0.35;
  context.fillStyle = color;
  if (isVertical) {
    context.fillRect(0, originY + pixel[1] * scale, ruler, length);
  } else {
    context.fillRect(originX + pixel[0] * scale, 0, length, ruler);
  }
  context.globalAlpha = 1;
}
function drawTicks(context, viewport, isVertical) {
  const { scale, picture } = viewport;
  const { width, height, ruler } = viewport.area();
  const step = STEPS.find((pixels) => pixels * scale >= 3.2 * rem()) ?? 2e3;
  const [origin, size, length] = isVertical ? [viewport.originY, picture.height, height] : [viewport.originX, picture.width, width];
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
var DIRECTIONS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1]
];
function drawFrame(context, { originX, originY, scale }, [x, y], { line, color }) {
  context.strokeStyle = color;
  context.lineWidth = line;
  context.strokeRect(originX + x * scale - line / 2, originY + y * scale - line / 2, scale + line, scale + line);
}
function drawMarker(context, place, pixel) {
  const { originX, originY, scale } = place;
  const [middleX, middleY] = [originX + (pixel[0] + 0.5) * scale, originY + (pixel[1] + 0.5) * scale];
  const gap = Math.max(scale / 2, 2) + 2;
  for (const [color, width] of [
    ["#000", 4],
    ["#fff", 2]
  ]) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    for (const [dx, dy] of DIRECTIONS) {
      context.moveTo(middleX + dx * gap, middleY + dy * gap);
      context.lineTo(middleX + dx * (gap + 8), middleY + dy * (gap + 8));
    }
    context.stroke();
  }
  drawFrame(context, place, pixel, { line: 3, color: "#000" });
  drawFrame(context, place, pixel, { line: 1, color: "#fff" });
}
export {
  drawFrame,
  drawGrid,
  drawMarker,
  drawRulers,
  drawValues
};
