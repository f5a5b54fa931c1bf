// picture-rulers.ts
import { rem } from "pspge/layout.js";
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
export {
  drawGrid,
  drawRulers
};
