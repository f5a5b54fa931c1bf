// The magnifier: the neighbourhood of a pixel in reference and picture, and its values.

import { h, replace, swatch } from "pspge/base/dom.js";
import { valueAt } from "pspge/picture/picture-pixels.js";

/** @typedef {import("pspge-report/types.js").Pixel} Pixel */

/** Pixels on each side of the selected one. */
const REACH = 5;
/** Pixels across the neighbourhood. */
const ACROSS = 2 * REACH + 1;
/** Size of a pixel on the canvas. */
const SCALE = 16;

/** A panel that shows one pixel. */
export class Magnifier {
  constructor() {
    this.views = /** @type {const} */ (["reference", "picture"]).map((which) => {
      const canvas = h("canvas", { class: "zoom-canvas", width: ACROSS * SCALE, height: ACROSS * SCALE, "aria-hidden": "true" });
      const title = which === "reference" ? "Reference" : "Picture";
      return { which, canvas, element: h("div", { class: "zoom" }, h("div", { class: "zoom-title" }, title), canvas) };
    });
    this.position = h("p", { class: "zoom-position" });
    this.values = h("table", { class: "values" });
    // Screen readers hear the values only if the keyboard moves the pixel.
    this.live = h("p", { class: "visually-hidden", role: "status" });
    this.element = h(
      "section",
      { class: "magnifier", "aria-label": "Magnifier" },
      this.views.map(({ element }) => element),
      h("div", { class: "zoom-values" }, this.position, this.values),
      this.live,
    );
  }

  /**
   * Shows a pixel.
   * @param {import("pspge-report/picture-set.js").PictureSet | null} set
   * @param {Pixel | null} pixel
   * @param {{isFixed?: boolean, isSpoken?: boolean}} [options]
   */
  show(set, pixel, { isFixed = false, isSpoken = false } = {}) {
    for (const { which, canvas } of this.views) {
      drawAround(canvas, set?.image(which) ?? null, pixel);
    }
    if (!set || !pixel) {
      replace(this.position, h("span", { class: "muted" }, "Point at a pixel"));
      replace(this.values);
      return;
    }
    const [x, y] = pixel;
    const state = h("span", { class: "muted" }, isFixed ? "fixed; click again to release" : "click to fix");
    replace(this.position, h("span", { class: "mono zoom-place" }, `x ${x} y ${y}`), " ", state);
    const [reference, picture] = [valueAt(set.reference, x, y), valueAt(set.picture, x, y)];
    const channels = set.isDepth ? ["Depth"] : ["R", "G", "B"];
    const difference = reference && picture ? channels.map((_, index) => (picture[index] ?? 0) - (reference[index] ?? 0)) : null;
    replace(
      this.values,
      h("thead", null, h("tr", null, h("td", null), channels.map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        null,
        valueRow("Reference", reference, set.reference ? "outside" : "missing", channels.length),
        valueRow("Picture", picture, set.picture ? "outside" : "missing", channels.length),
        differenceRow(difference, channels.length),
      ),
    );
    if (isSpoken) {
      const text = (/** @type {number[] | null} */ value) => value?.slice(0, channels.length).join(", ") ?? "outside";
      this.live.textContent = `x ${x}, y ${y}: reference ${text(reference)}; picture ${text(picture)}`;
    }
  }
}

/**
 * @param {string} name
 * @param {number[] | null} value
 * @param {string} missing the text if there is no value
 * @param {number} channels
 */
function valueRow(name, value, missing, channels) {
  const sample = value && channels === 3 ? swatch(value) : null;
  const cells = value
    ? value.slice(0, channels).map((component) => h("td", null, component))
    : h("td", { colspan: channels, class: "muted" }, missing);
  return h("tr", null, h("th", { scope: "row" }, sample, name), cells);
}

/**
 * @param {number[] | null} difference
 * @param {number} channels
 */
function differenceRow(difference, channels) {
  const cell = (/** @type {number} */ number) => h("td", { class: number === 0 ? "" : "problem" }, number > 0 ? `+${number}` : String(number).replace("-", "−"));
  return h("tr", null, h("th", { scope: "row" }, "Difference"), difference?.map(cell) ?? h("td", { colspan: channels }, "–"));
}

/**
 * Draws the pixels around one, and marks it.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLCanvasElement | null} image
 * @param {Pixel | null} pixel
 */
function drawAround(canvas, image, pixel) {
  const context = canvas.getContext("2d");
  if (!context) {
    return;
  }
  context.clearRect(0, 0, canvas.width, canvas.height);
  if (!image || !pixel) {
    return;
  }
  context.imageSmoothingEnabled = false;
  context.drawImage(image, (REACH - pixel[0]) * SCALE, (REACH - pixel[1]) * SCALE, image.width * SCALE, image.height * SCALE);
  const at = REACH * SCALE;
  context.lineWidth = 2;
  context.strokeStyle = "#000";
  context.strokeRect(at - 2, at - 2, SCALE + 4, SCALE + 4);
  context.strokeStyle = "#fff";
  context.strokeRect(at, at, SCALE, SCALE);
}
