// The details of the selected result.

import { explanationPart } from "pspge-report/explanation.js";
import { expectationPart, factsPart, figuresPart, part } from "pspge-report/figures.js";
import { commandLine, commandsOf, inspectorAddress } from "pspge-report/links.js";
import { outcomeOf } from "pspge-report/outcomes.js";
import { Pictures } from "pspge-report/pictures.js";
import { shellWord, visible, visibleLines } from "pspge-report/text.js";
import { h, replace } from "pspge/base/dom.js";

/**
 * @typedef {import("pspge-report/types.js").Result} Result
 * @typedef {import("pspge-report/pictures.js").View} View
 */

/** The pane of the details. */
export class Details {
  /**
   * @param {import("pspge-report/types.js").Report} report
   * @param {(view: Partial<View>) => void} onview called if the user changes the mode, the buffer, or the fixed pixel
   */
  constructor(report, onview) {
    this.report = report;
    this.onview = onview;
    /** @type {Result | null} */
    this.result = null;
    this.head = h("div", { class: "details-head" });
    this.pictures = new Pictures(onview);
    this.parts = h("div", { class: "parts" });
    this.commands = h("div", { class: "commands" });
    this.scroll = h("div", { class: "details-scroll", tabindex: 0, role: "region", "aria-label": "Details", "data-scrolls": "" }, this.pictures.element, this.parts);
    this.element = h("section", { class: "details", "aria-label": "Selected result" }, this.head, this.scroll);
  }

  /**
   * Shows a result.
   * @param {Result | null} result
   * @param {View} view
   * @param {string} missing the text if there is no result
   */
  show(result, view, missing) {
    if (result !== this.result || !result) {
      this.result = result;
      this.scroll.scrollTop = 0;
      replace(this.head, result ? this.heading(result) : h("p", { class: "muted" }, missing));
      this.fill(result);
    }
    this.pictures.show(result, view);
    if (result) {
      replace(this.commands, commandsOf(result, view.pixel).map(commandLine));
    }
  }

  /** @param {Result} result */
  heading(result) {
    const { name, mark } = outcomeOf(result.outcome);
    const message = result.message === null ? null : visible(result.message);
    const address = inspectorAddress(this.report.inspector, result);
    const arithmetic = result.arithmetic === null ? null : `drawn by pspge with ${result.arithmetic} arithmetic`;
    return [
      h("h2", { class: "details-title", title: visible(result.case) }, visible(result.case)),
      h(
        "p",
        { class: "details-line" },
        h("span", { class: `outcome outcome-${result.outcome}` }, h("span", { "aria-hidden": "true" }, `${mark} `), name),
        h("span", { class: "details-renderer", title: arithmetic }, visible(result.renderer)),
        h("span", { class: "details-message", title: message }, message),
        address && h("a", { class: "button", href: address, target: "_blank", rel: "noopener" }, "Open in the inspector"),
      ),
    ];
  }

  /** Returns the whole message of a result without a picture, and the command that should have drawn it. @param {Result} result */
  errorPart({ outcome, message, renderer, input }) {
    const command = this.report.renderers.find(({ name }) => name === renderer)?.command;
    if (outcome !== "error") {
      return null;
    }
    return part(
      "Error",
      message === null ? h("p", null, "The renderer said nothing.") : h("pre", { class: "error-log", tabindex: 0 }, visibleLines(message)),
      command ? commandLine(command.replaceAll("{in}", shellWord(input)).replaceAll("{out}", "picture.png")) : null,
    );
  }

  /** @param {Result | null} result */
  fill(result) {
    if (!result) {
      replace(this.parts);
      return;
    }
    const onpixel = (/** @type {import("pspge-report/types.js").Pixel} */ pixel, /** @type {import("pspge-report/types.js").Buffer} */ buffer) => {
      this.onview({ pixel, buffer });
      this.scroll.scrollTop = 0;
    };
    replace(
      this.parts,
      h("div", { class: "part-column" }, this.errorPart(result), explanationPart(result, this.report.inspector, onpixel), expectationPart(result), part("Commands", this.commands)),
      h("div", { class: "part-column" }, figuresPart(result), factsPart(result)),
    );
  }
}
