// The place of the pictures: three panes, of which the mode shows one or all.

import { heatLegend } from "pspge-report/legend.js";
import { Pane } from "pspge-report/pane.js";
import { h, replace } from "pspge/base/dom.js";

/**
 * @typedef {import("pspge-report/types.js").Mode} Mode
 * @typedef {import("pspge-report/types.js").Pixel} Pixel
 * @typedef {import("pspge-report/picture-set.js").PictureSet} PictureSet
 */

/** Space between two panes, in CSS pixels. */
const GAP = 8;
/** Height that pictures may use, as a share of the window. */
const HEIGHT_SHARE = 0.62;

/** The panes, their divider and their legend. */
export class Stage {
  /** @param {ConstructorParameters<typeof Pane>[0]} actions */
  constructor(actions) {
    this.panes = [new Pane(actions), new Pane(actions), new Pane(actions)];
    this.main = /** @type {Pane} */ (this.panes[0]);
    this.range = h("input", { type: "range", class: "divider-range", min: 0, max: 1000, value: 500, "aria-label": "Divider: the reference is on its left", oninput: () => this.divide() });
    this.below = h("div", { class: "stage-below" });
    this.row = h("div", { class: "stage-row" }, this.panes.map(({ element }) => element));
    this.element = h("div", { class: "stage" }, this.row, this.below);
    this.size = { width: 480, height: 272 };
    /** @type {Mode} */
    this.mode = "side";
    this.limit = 255;
    new ResizeObserver(() => this.fit()).observe(this.element);
    this.listenToDivider();
    this.divide();
  }

  /**
   * Sets the mode and the size, so that the place is kept until the pictures are read.
   * @param {Mode} mode
   * @param {{width: number, height: number}} size
   * @param {number} limit largest difference that is possible
   */
  prepare(mode, size, limit) {
    this.mode = mode;
    this.size = size;
    this.element.dataset.mode = mode;
    for (const pane of this.panes) {
      pane.resize(size.width, size.height);
      pane.show(null, "…");
      pane.element.hidden = pane !== this.main && mode !== "side";
    }
    if (mode === "slider") {
      replace(this.below, this.range);
    } else if (mode === "heat") {
      replace(this.below, heatLegend(limit));
    } else {
      replace(this.below);
    }
    this.fit();
  }

  /**
   * Draws the pictures.
   * @param {PictureSet} set
   * @param {{isFlipped: boolean, factor: number}} options
   */
  draw(set, { isFlipped, factor }) {
    const [first, second, third] = this.panes;
    const [reference, picture] = [set.image("reference"), set.image("picture")];
    switch (this.mode) {
      case "flip":
        this.main.show(isFlipped ? picture : reference, `${isFlipped ? "Picture" : "Reference"} (f flips)`);
        break;
      case "slider":
        this.main.show(reference, "Reference on the left, picture on the right", picture);
        break;
      case "heat":
        this.main.show(set.heat(), set.mayCompare ? "Heat map of the differences" : "No difference");
        break;
      default:
        first?.show(reference, reference ? "Reference" : "No reference");
        second?.show(set.amplified(factor), set.mayCompare ? `Difference × ${factor}` : "No difference");
        third?.show(picture, picture ? "Picture" : "No picture");
    }
    this.main.caption.classList.toggle("is-flipped", this.mode === "flip" && isFlipped);
  }

  /** @param {import("pspge-report/pane.js").Box | null} box */
  outline(box) {
    this.panes.forEach((pane) => pane.outline(box));
  }

  /** @param {Pixel | null} pixel */
  select(pixel) {
    this.panes.forEach((pane) => pane.select(pixel));
  }

  /** Makes the pictures as large as the place allows: by a whole factor, unless even one is too large. */
  fit() {
    const { width, height } = this.size;
    const shown = this.mode === "side" ? this.panes.length : 1;
    const room = (this.element.clientWidth - (shown - 1) * GAP) / shown;
    if (room <= 0) {
      return;
    }
    const dots = window.devicePixelRatio || 1;
    const most = Math.min(room / width, (window.innerHeight * HEIGHT_SHARE) / height);
    const whole = Math.floor(most * dots) / dots;
    const scale = whole > 0 ? whole : Math.min(1 / dots, room / width);
    this.row.classList.toggle("is-small", scale * dots < 1);
    this.element.style.setProperty("--pane-width", `${Math.floor(scale * width)}px`);
  }

  /** Moves the divider to the value of its range. */
  divide() {
    const share = Number(this.range.value) / 1000;
    this.main.divide(share);
    this.range.setAttribute("aria-valuetext", `${Math.round(100 * share)} % reference`);
  }

  /** Lets the pointer drag the divider in the picture. */
  listenToDivider() {
    const { divider, frame } = this.main;
    divider.addEventListener("pointerdown", (event) => {
      divider.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    divider.addEventListener("pointermove", (event) => {
      if (divider.hasPointerCapture(event.pointerId)) {
        const box = frame.getBoundingClientRect();
        this.range.value = String(Math.round((1000 * (event.clientX - box.left)) / box.width));
        this.divide();
      }
    });
  }
}
