// The pictures of a result: picture and reference of the colour or depth buffer, and the images that are drawn of them.

import { readPng } from "pspge-report/png.js";
import { heatColor } from "pspge/picture/heat-map.js";
import { amplify, comparePictures } from "pspge/picture/picture-difference.js";
import { canvasOf, depthRange, toImage } from "pspge/picture/picture-pixels.js";

/**
 * @typedef {import("pspge/picture/picture-pixels.js").Picture} Picture
 * @typedef {import("pspge-report/types.js").Pixel} Pixel
 * @typedef {import("pspge-report/types.js").Buffer} Buffer
 */

/** Share of the colours of the heat map that the smallest difference has, so that it can be seen on black. */
const COLDEST = 0.25;
/** Share of the differing pixels that the automatic factor does not make brighter than white. */
const USUAL = 0.9;
/** Brightness of pixels without a difference in the heat map. */
const DIMMED = 0.3;

/**
 * Returns the colour of a difference in the heat map. The scale is logarithmic and the same for all results.
 * @param {number} value 1 or more
 * @param {number} largest of all differences that are possible: 255 or 65535
 * @returns {[number, number, number]}
 */
export function differenceColor(value, largest) {
  return heatColor(COLDEST + ((1 - COLDEST) * Math.log(value)) / Math.log(largest));
}

/**
 * Returns the numbers of the embedded pictures of a buffer.
 * @param {import("pspge-report/types.js").Pictures | null} pictures
 * @param {Buffer} buffer
 * @returns {{picture: number | null, reference: number | null}}
 */
export function numbersOf(pictures, buffer) {
  if (buffer === "depth") {
    return { picture: pictures?.depth ?? null, reference: pictures?.depth_reference ?? null };
  }
  return { picture: pictures?.picture ?? null, reference: pictures?.reference ?? null };
}

/**
 * Reads an embedded picture.
 * @param {number | null} number
 * @returns {Promise<Picture | null>}
 */
async function embedded(number) {
  if (number === null) {
    return null;
  }
  const text = document.getElementById(`picture-${number}`)?.textContent?.trim();
  if (!text) {
    throw new Error(`picture ${number} is missing`);
  }
  try {
    return await readPng(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
  } catch (error) {
    throw new Error(`Picture ${number} cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

/**
 * Reads the pictures of a buffer.
 * @param {import("pspge-report/types.js").Pictures} pictures
 * @param {Buffer} buffer
 */
export async function loadSet(pictures, buffer) {
  const numbers = numbersOf(pictures, buffer);
  const [picture, reference] = await Promise.all([embedded(numbers.picture), embedded(numbers.reference)]);
  return new PictureSet(picture, reference);
}

/** A picture with its reference. One of them can be missing. */
export class PictureSet {
  /**
   * @param {Picture | null} picture
   * @param {Picture | null} reference
   */
  constructor(picture, reference) {
    this.picture = picture;
    this.reference = reference;
    const both = [picture, reference].filter((one) => one !== null);
    this.width = Math.max(1, ...both.map(({ width }) => width));
    this.height = Math.max(1, ...both.map(({ height }) => height));
    this.isDepth = both[0]?.pixels === "depth16";
    const ranges = this.isDepth ? both.map(depthRange) : [];
    /** @type {[number, number]} The depths that are drawn as black and white, the same for both pictures. */
    this.range = [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
    this.mayCompare = picture !== null && reference !== null && picture.pixels === reference.pixels;
    this.difference = picture && reference && this.mayCompare ? comparePictures(reference, picture) : null;
    /** Largest difference that is possible. */
    this.limit = this.isDepth ? 0xffff : 0xff;
    /** @type {Map<string, HTMLCanvasElement>} */
    this.images = new Map();
  }

  /** Returns the pixel with the largest difference. @returns {Pixel | null} */
  worstPixel() {
    const { difference } = this;
    const index = difference && difference.largest > 0 ? difference.values.indexOf(difference.largest) : -1;
    return difference && index >= 0 ? [index % difference.width, Math.floor(index / difference.width)] : null;
  }

  /**
   * Returns the factor that makes most differences as bright as possible, a power of two. A few large differences do not
   * count, because all others would be black.
   */
  usualFactor() {
    const { values = [] } = this.difference ?? {};
    const found = Uint32Array.from(values).filter((value) => value > 0).sort();
    const usual = (found[Math.floor(USUAL * found.length)] ?? 0) / (this.isDepth ? 256 : 1);
    return usual > 0 ? 2 ** Math.max(0, Math.floor(Math.log2(255 / usual))) : 1;
  }

  /**
   * Returns the picture or its reference as an image; null if it is missing.
   * @param {"picture" | "reference"} which
   */
  image(which) {
    const picture = this[which];
    return picture && this.keep(which, () => canvasOf(toImage(picture, "color", this.range)));
  }

  /**
   * Returns an image of the differences.
   * @param {number} factor
   */
  amplified(factor) {
    const { picture, reference } = this;
    if (!this.mayCompare || !picture || !reference) {
      return null;
    }
    return this.keep(`difference ${factor}`, () => canvasOf(toImage(amplify(reference, picture, factor), "color", this.range)));
  }

  /** Returns the heat map of the differences, over the reference in dark grey. */
  heat() {
    const { difference } = this;
    const reference = this.image("reference");
    return difference && reference && this.keep("heat", () => canvasOf(this.drawHeat(difference, reference)));
  }

  /**
   * @param {import("pspge/picture/picture-difference.js").Difference} difference
   * @param {HTMLCanvasElement} reference
   */
  drawHeat({ width, height, values }, reference) {
    const image = new ImageData(width, height);
    const under = reference.getContext("2d")?.getImageData(0, 0, width, height).data ?? image.data;
    for (let index = 0; index < width * height; index += 1) {
      const to = 4 * index;
      const value = values[index] ?? 0;
      const grey = Math.round(DIMMED * (0.299 * (under[to] ?? 0) + 0.587 * (under[to + 1] ?? 0) + 0.114 * (under[to + 2] ?? 0)));
      const [red, green, blue] = value > 0 ? differenceColor(value, this.limit) : [grey, grey, grey];
      image.data.set([red, green, blue, 255], to);
    }
    return image;
  }

  /**
   * @param {string} name
   * @param {() => HTMLCanvasElement} draw
   */
  keep(name, draw) {
    const image = this.images.get(name) ?? draw();
    this.images.set(name, image);
    return image;
  }
}
