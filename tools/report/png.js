// A reader of PNG files with exact values. A canvas has 8 bits a channel, and some browsers change the values that are read from it.

/** @typedef {import("pspge/picture/picture-pixels.js").Picture} Picture */

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Channels by the type of colour: grey, RGB, grey with alpha, RGBA. Palettes are left out. */
const CHANNELS = /** @type {Record<number, number>} */ ({ 0: 1, 2: 3, 4: 2, 6: 4 });
/** Largest width and height. */
const LIMIT = 8192;

/**
 * Reads a PNG: 16-bit grey as depth, everything else as RGBA with 8 bits a channel.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Picture>}
 */
export async function readPng(bytes) {
  const { header, data } = readChunks(bytes);
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  const [depth, type, interlace] = [header.getUint8(8), header.getUint8(9), header.getUint8(12)];
  if (width === 0 || height === 0 || width > LIMIT || height > LIMIT) {
    throw new Error(`its size is ${width}×${height}`);
  }
  const channels = CHANNELS[type];
  if (channels === undefined || (depth !== 8 && depth !== 16) || interlace !== 0) {
    return readByBrowser(bytes);
  }
  const unit = channels * (depth >> 3);
  const stride = width * unit;
  const inflated = new Response(new Blob(data).stream().pipeThrough(new DecompressionStream("deflate")));
  const rows = new Uint8Array(await inflated.arrayBuffer());
  if (rows.length < height * (stride + 1)) {
    throw new Error("it ends too early");
  }
  const values = unfilter(rows, height, stride, unit);
  return depth === 16 && channels === 1 ? depthPicture(values, width, height) : colorPicture(values, width, height, channels, depth >> 3);
}

/**
 * Returns the header of a PNG and its compressed data.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function readChunks(bytes) {
  if (SIGNATURE.some((byte, index) => bytes[index] !== byte)) {
    throw new Error("it is no PNG");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  /** @type {DataView | null} */
  let header = null;
  const data = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    const end = at + 8 + length;
    if (end > bytes.length) {
      break;
    }
    if (type === 0x49484452 && length >= 13) {
      header = new DataView(bytes.buffer, bytes.byteOffset + at + 8, length);
    } else if (type === 0x49444154) {
      data.push(bytes.subarray(at + 8, end));
    }
    at = end + 4;
  }
  if (!header) {
    throw new Error("it has no header");
  }
  return { header, data };
}

/**
 * Undoes the filters of the rows.
 * @param {Uint8Array} rows each with its filter in front
 * @param {number} height
 * @param {number} stride
 * @param {number} unit bytes of a pixel
 */
function unfilter(rows, height, stride, unit) {
  const out = new Uint8Array(height * stride);
  for (let y = 0; y < height; y += 1) {
    const from = y * (stride + 1);
    const filter = rows[from] ?? 0;
    const to = y * stride;
    if (filter > 4) {
      throw new Error(`row ${y} has the unknown filter ${filter}`);
    }
    for (let x = 0; x < stride; x += 1) {
      const left = x >= unit ? /** @type {number} */ (out[to + x - unit]) : 0;
      const above = y > 0 ? /** @type {number} */ (out[to + x - stride]) : 0;
      const corner = x >= unit && y > 0 ? /** @type {number} */ (out[to + x - stride - unit]) : 0;
      out[to + x] = /** @type {number} */ (rows[from + 1 + x]) + prediction(filter, left, above, corner);
    }
  }
  return out;
}

/**
 * Returns the value that a filter expects from the bytes around it.
 * @param {number} filter
 * @param {number} left
 * @param {number} above
 * @param {number} corner
 */
function prediction(filter, left, above, corner) {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const [toLeft, toAbove, toCorner] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
      if (toLeft <= toAbove && toLeft <= toCorner) {
        return left;
      }
      return toAbove <= toCorner ? above : corner;
    }
    default:
      return 0;
  }
}

/**
 * @param {Uint8Array} values
 * @param {number} width
 * @param {number} height
 * @returns {Picture}
 */
function depthPicture(values, width, height) {
  const data = new Uint16Array(width * height);
  for (let index = 0; index < data.length; index += 1) {
    data[index] = ((values[2 * index] ?? 0) << 8) | (values[2 * index + 1] ?? 0);
  }
  return { width, height, pixels: "depth16", data };
}

/**
 * @param {Uint8Array} values
 * @param {number} width
 * @param {number} height
 * @param {number} channels
 * @param {number} size bytes of a channel, of which the first one counts
 * @returns {Picture}
 */
function colorPicture(values, width, height, channels, size) {
  const data = new Uint8Array(width * height * 4);
  const isGrey = channels < 3;
  const hasAlpha = channels === 2 || channels === 4;
  for (let index = 0; index < width * height; index += 1) {
    const from = index * channels * size;
    const to = 4 * index;
    data[to] = values[from] ?? 0;
    data[to + 1] = values[isGrey ? from : from + size] ?? 0;
    data[to + 2] = values[isGrey ? from : from + 2 * size] ?? 0;
    data[to + 3] = hasAlpha ? (values[from + (channels - 1) * size] ?? 0) : 255;
  }
  return { width, height, pixels: "rgba8", data };
}

/**
 * Reads the rarer kinds of PNG with the browser's own decoder.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Picture>}
 */
async function readByBrowser(bytes) {
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }), { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  if (!context) {
    throw new Error("the browser has no canvas");
  }
  context.drawImage(bitmap, 0, 0);
  return { width, height, pixels: "rgba8", data: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer) };
}
