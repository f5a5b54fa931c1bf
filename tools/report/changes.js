// The results that changed since the earlier run.

import { outcomeOf, rankOf } from "pspge-report/outcomes.js";
import { visible } from "pspge-report/text.js";
import { count, counted, h } from "pspge/base/dom.js";

/**
 * @typedef {import("pspge-report/types.js").Change} Change
 * @typedef {import("pspge-report/types.js").ResultSummary} ResultSummary
 */

/**
 * Returns the list of changes; null if there are none.
 * @param {import("pspge-report/types.js").Report} report
 * @param {(name: string, renderer: string) => void} onselect
 * @returns {HTMLElement | null}
 */
export function changesList({ before, renderers }, onselect) {
  const changes = before?.changes ?? [];
  if (changes.length === 0) {
    return null;
  }
  const hasSeveral = renderers.length > 1;
  const item = (/** @type {Change} */ { case: name, renderer, before: old, now }) =>
    h(
      "li",
      null,
      h("button", { type: "button", class: "link", onclick: () => onselect(name, renderer) }, visible(name)),
      hasSeveral && ` (${visible(renderer)})`,
      ": ",
      old ? summaryText(old) : "not there",
      " → ",
      now ? h("span", { class: old ? direction(old, now) : "" }, summaryText(now)) : "not there",
    );
  const list = h("ul", { class: "changes" });
  // Long lists are built when they are opened.
  const ontoggle = () => {
    if (list.childElementCount === 0) {
      list.append(...changes.map(item));
    }
  };
  return h("details", { class: "changes-box", ontoggle }, h("summary", null, `${counted(changes.length, "result")} changed since the earlier run`), list);
}

/** @param {ResultSummary} summary */
function summaryText({ outcome, differing_pixels: differing }) {
  return `${outcomeOf(outcome).name}${differing ? `, ${count(differing)} px` : ""}`;
}

/**
 * @param {ResultSummary} before
 * @param {ResultSummary} now
 */
function direction(before, now) {
  const difference = rankOf(now.outcome) - rankOf(before.outcome) || (before.differing_pixels ?? 0) - (now.differing_pixels ?? 0);
  return difference > 0 ? "is-better" : difference < 0 ? "is-worse" : "";
}
