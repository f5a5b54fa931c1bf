// picture/picture-pixels.ts
var CHANNELS = { color: "Colour", "alpha-blended": "Colour with alpha", red: "Red", green: "Green", blue: "Blue", alpha: "Stencil (alpha)" };
var COMPONENTS = { red: 0, green: 1, blue: 2, alpha: 3 };
function pictureOf({ json, bytes }) {
  const { width, height, pixels, format } = json;
  const data = pixels === "depth16" ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1) : bytes;
  return { width, height, pixels, data, format };
}
function storedComponents(color, format) {
  return format === "BGR5650" ? color.slice(0, 3) : color;
}
function valueAt(picture, x, y) {
  if (!picture || x < 0 || y < 0 || x >= picture.width || y >= picture.height) {
    return null;
  }
  const index = y * picture.width + x;
  return picture.pixels === "depth16" ? [picture.data[index] ?? 0] : [...picture.data.subarray(4 * index, 4 * index + 4)];
}
function brightness({ pixels }, value, channel, [low, high]) {
  const [red = 0, green = 0, blue = 0] = value;
  if (pixels === "depth16") {
    return Math.max(0, Math.min(255, 255 * (red - low) / (high - low || 1)));
  }
  if (channel === "color" || channel === "alpha-blended") {
    return 0.299 * red + 0.587 * green + 0.114 * blue;
  }
  return value[COMPONENTS[channel]] ?? 0;
}
function valueLines({ pixels, format }, value, channel) {
  const pair = (component) => component.toString(16).padStart(2, "0");
  if (pixels === "depth16") {
    return [(value[0] ?? 0).toString(16).padStart(4, "0")];
  }
  if (channel === "color" || channel === "alpha-blended") {
    const digits = storedComponents(value, format).map(pair);
    return [digits.slice(0, 2).join(""), digits.slice(2).join("")];
  }
  return [pair(value[COMPONENTS[channel]] ?? 0)];
}
function depthRange({ data }) {
  let [low, high, least, most] = [65535, 0, 65535, 0];
  for (const depth of data) {
    least = depth < least ? depth : least;
    most = depth > most ? depth : most;
    if (depth > 0 && depth < 65535) {
      low = depth < low ? depth : low;
      high = depth > high ? depth : high;
    }
  }
  return low < high ? [low, high] : least < most ? [least, most] : [0, 65535];
}
function toImage({ width, height, pixels, data }, channel, range) {
  const image = new ImageData(Math.max(1, width), Math.max(1, height));
  const out = image.data;
  const total = Math.min(width * height, pixels === "depth16" ? data.length : data.length >> 2);
  if (pixels === "depth16") {
    const [low, high] = range;
    const scale = 255 / (high - low || 1);
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
  const offset = COMPONENTS[channel];
  for (let index = 0; index < 4 * total; index += 4) {
    const grey = data[index + offset] ?? 0;
    out[index] = grey;
    out[index + 1] = grey;
    out[index + 2] = grey;
    out[index + 3] = 255;
  }
  return image;
}
function canvasOf(image, canvas = null) {
  const target = canvas ?? document.createElement("canvas");
  if (target.width !== image.width || target.height !== image.height) {
    target.width = image.width;
    target.height = image.height;
  }
  target.getContext("2d")?.putImageData(image, 0, 0);
  return target;
}
export {
  CHANNELS,
  brightness,
  canvasOf,
  depthRange,
  pictureOf,
  storedComponents,
  toImage,
  valueAt,
  valueLines
};
