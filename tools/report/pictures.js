// The pictures of the selected result: the choice of the mode, the panes, and the magnifier.

import { Magnifier } from "pspge-report/magnifier.js";
import { loadSet, numbersOf } from "pspge-report/picture-set.js";
import { createTools } from "pspge-report/picture-tools.js";
import { Stage } from "pspge-report/stage.js";
import { h, replace } from "pspge/base/dom.js";

/**
 * @typedef {import("pspge-report/types.js").Mode} Mode
 * @typedef {import("pspge-report/types.js").Buffer} Buffer
 * @typedef {import("pspge-report/types.js").Pixel} Pixel
 * @typedef {import("pspge-report/types.js").Result} Result
 * @typedef {{mode: Mode, buffer: Buffer | null, pixel: Pixel | null}} View
 */

/** The section of the pictures. */
export class Pictures {
  /** @param {(view: Partial<View>) => void} onchange called if the user changes the mode, the buffer, or the fixed pixel */
  constructor(onchange) {
    this.onchange = onchange;
    /** @type {Result | null} */
    this.result = null;
    /** @type {View} */
    this.view = { mode: "side", buffer: null, pixel: null };
    /** @type {Buffer} */
    this.buffer = "color";
    /** @type {import("pspge-report/picture-set.js").PictureSet | null} */
    this.set = null;
    /** @type {Pixel | null} The pixel of the magnifier. */
    this.pixel = null;
    this.isFlipped = false;
    this.asked = 0;
    this.stage = new Stage({
      onhover: (pixel) => pixel && !this.view.pixel && this.look(pixel),
      onpick: (pixel) => this.fix(pixel ?? this.pixel),
      onmove: (dx, dy) => this.move(dx, dy),
    });
    this.magnifier = new Magnifier();
    this.tools = createTools({
      onmode: (mode) => onchange({ mode }),
      onbuffer: (buffer) => onchange({ buffer, pixel: null }),
      onfactor: () => this.draw(),
      onflip: () => this.flip(),
      onoutline: () => this.outline(),
    });
    this.status = h("p", { class: "pictures-status", role: "status" });
    const body = h("div", { class: "picture-body" }, this.stage.element, this.magnifier.element);
    this.element = h("section", { class: "pictures", "aria-label": "Pictures" }, this.tools.element, body, this.status);
  }

  /**
   * Shows the pictures of a result.
   * @param {Result | null} result
   * @param {View} view
   */
  show(result, view) {
    const before = this.view;
    const isOther = result !== this.result;
    this.result = result;
    this.view = view;
    const has = (/** @type {Buffer} */ buffer) => Object.values(numbersOf(result?.pictures ?? null, buffer)).some((number) => number !== null);
    this.element.hidden = !has("color") && !has("depth");
    if (this.element.hidden || !result) {
      this.asked += 1;
      this.set = null;
      return;
    }
    const wanted = view.buffer ?? result.explanation?.buffer ?? "color";
    const buffer = has(wanted) ? wanted : wanted === "color" ? "depth" : "color";
    if (isOther || buffer !== this.buffer) {
      this.buffer = buffer;
      this.isFlipped &&= !isOther;
      void this.load(result);
    } else if (view.mode !== before.mode) {
      this.prepare(result);
      this.draw();
    } else {
      this.mark();
    }
    this.element.dataset.mode = view.mode;
    this.tools.update({ mode: view.mode, buffer, hasBoth: has("color") && has("depth"), hasRegion: this.region() !== null });
  }

  /** Keeps the place for the pictures of a result. @param {Result} result */
  prepare(result) {
    const figures = this.buffer === "depth" ? result.depth : result.picture;
    const size = this.set ?? figures ?? { width: 480, height: 272 };
    this.stage.prepare(this.view.mode, { width: size.width, height: size.height }, this.buffer === "depth" ? 0xffff : 0xff);
  }

  /** Reads the pictures, and draws them unless others are wanted by then. @param {Result} result */
  async load(result) {
    this.asked += 1;
    const { asked } = this;
    this.set = null;
    this.pixel = null;
    this.prepare(result);
    this.mark();
    this.say("");
    try {
      const set = result.pictures && (await loadSet(result.pictures, this.buffer));
      if (asked !== this.asked) {
        return;
      }
      this.set = set;
      this.prepare(result);
      const { explanation } = result;
      const worst = explanation?.buffer === this.buffer ? explanation.pixel : null;
      this.pixel = worst ? [worst.x, worst.y] : (set?.worstPixel() ?? [0, 0]);
      this.draw();
      this.say(set ? sizesSentence(set) : "");
    } catch (error) {
      if (asked === this.asked) {
        this.say(error instanceof Error ? error.message : String(error), true);
      }
    }
  }

  /**
   * @param {string} text
   * @param {boolean} [isProblem]
   */
  say(text, isProblem = false) {
    replace(this.status, text);
    this.status.classList.toggle("problem", isProblem);
  }

  /** Draws the pictures of the mode. */
  draw() {
    if (this.set) {
      this.stage.draw(this.set, { isFlipped: this.isFlipped, factor: this.tools.factor() ?? this.set.usualFactor() });
    }
    this.mark();
  }

  /** Shows the outline and the selected pixel. @param {boolean} [isSpoken] */
  mark(isSpoken = false) {
    const { pixel: fixed } = this.view;
    const isInside = fixed && this.set && fixed[0] < this.set.width && fixed[1] < this.set.height;
    this.pixel = isInside ? fixed : this.pixel;
    this.outline();
    this.stage.select(this.set && this.pixel);
    this.magnifier.show(this.set, this.pixel, { isFixed: Boolean(isInside), isSpoken });
  }

  /** Returns the worst region, if it is in the buffer that is shown. */
  region() {
    const explanation = this.result?.explanation;
    return explanation?.buffer === this.buffer ? explanation.region : null;
  }

  outline() {
    this.stage.outline(this.tools.outline.checked && this.set ? this.region() : null);
  }

  toggleOutline() {
    this.tools.outline.checked = !this.tools.outline.checked;
    this.outline();
  }

  /** Swaps reference and picture in place. */
  flip() {
    if (this.element.hidden) {
      return;
    }
    this.isFlipped = this.view.mode === "flip" ? !this.isFlipped : true;
    if (this.view.mode === "flip") {
      this.draw();
    } else {
      this.onchange({ mode: "flip" });
    }
  }

  /** Changes between colour and depth. */
  changeBuffer() {
    if (this.tools.hasBuffers() && !this.element.hidden) {
      this.onchange({ buffer: this.buffer === "color" ? "depth" : "color", pixel: null });
    }
  }

  /** Looks at a pixel. @param {Pixel} pixel */
  look(pixel) {
    this.pixel = pixel;
    this.mark();
  }

  /** Fixes a pixel, or releases it if it is fixed. @param {Pixel | null} pixel */
  fix(pixel) {
    const { pixel: fixed } = this.view;
    const isSame = fixed && pixel && fixed[0] === pixel[0] && fixed[1] === pixel[1];
    this.onchange({ pixel: isSame ? null : pixel });
  }

  /**
   * Moves the selected pixel.
   * @param {number} dx
   * @param {number} dy
   */
  move(dx, dy) {
    if (!this.set) {
      return;
    }
    const [x, y] = this.pixel ?? [0, 0];
    const along = (/** @type {number} */ at, /** @type {number} */ size) => Math.max(0, Math.min(size - 1, at));
    this.pixel = [along(x + dx, this.set.width), along(y + dy, this.set.height)];
    if (this.view.pixel) {
      this.onchange({ pixel: this.pixel });
    }
    this.mark(true);
  }
}

/** @param {import("pspge-report/picture-set.js").PictureSet} set */
function sizesSentence({ picture, reference, mayCompare }) {
  if (!picture || !reference) {
    return "";
  }
  if (!mayCompare) {
    return "Picture and reference have other kinds of values, so they are not compared.";
  }
  const [a, b] = [reference, picture].map(({ width, height }) => `${width}×${height}`);
  return a === b ? "" : `The reference has ${a} pixels, the picture ${b}. The common part is compared, from the upper left corner.`;
}
