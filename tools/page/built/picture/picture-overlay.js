// picture/picture-overlay.ts
import { canvasOf } from "pspge/picture/picture-pixels.js";
function prepareOverlay(overlay, color, lostColor) {
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
function wordOf(color) {
  const probe = document.createElement("canvas").getContext("2d");
  let [red, green, blue] = [255, 0, 255];
  if (probe) {
    probe.fillStyle = color;
    probe.fillRect(0, 0, 1, 1);
    [red = 255, green = 0, blue = 255] = probe.getImageData(0, 0, 1, 1).data;
  }
  return (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
}
function outlineOf(width, height, mask) {
  const path = new Path2D();
  const at = (x, y) => x >= 0 && y >= 0 && x < width && y < height && mask[y * width + x] !== 0;
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
function drawOverlay(context, { originX, originY, scale }, overlay, drawing, { color, isTinted }) {
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
  for (const [style, width] of [
    ["rgb(0 0 0 / 0.7)", 3],
    [color, 1.25]
  ]) {
    context.strokeStyle = style;
    context.lineWidth = width / scale;
    context.stroke(drawing.outline);
  }
  context.restore();
}
export {
  drawOverlay,
  prepareOverlay
};
