// The controls that filter and sort the results.

import { OUTCOMES } from "pspge-report/outcomes.js";
import { visible } from "pspge-report/text.js";
import { count, counted, debounce, h } from "pspge/base/dom.js";

/** @typedef {import("pspge-report/results.js").Filter} Filter */

/** Pause after a key before the filter is applied. */
const PAUSE = 80;

/**
 * Creates the controls.
 * @param {import("pspge-report/types.js").Report} report
 * @param {(filter: Filter) => void} onchange
 */
export function createFilter({ renderers, results }, onchange) {
  /** @type {Filter} */
  let filter = { text: "", outcomes: new Set(), renderer: null, order: "badness" };
  const change = (/** @type {Partial<Filter>} */ partial) => {
    filter = { ...filter, ...partial };
    onchange(filter);
  };
  const changeText = debounce(PAUSE, () => change({ text: search.value }));
  const search = h("input", { type: "search", placeholder: "Filter (/)", title: "Words of the case, the message, or the facts", "aria-label": "Filter the results", oninput: changeText });
  search.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") {
      search.blur();
    }
  });

  const toggle = (/** @type {typeof OUTCOMES[number]} */ { id, name, title, mark }) => {
    const number = results.filter(({ outcome }) => outcome === id).length;
    const onclick = () => {
      const outcomes = new Set(filter.outcomes);
      if (!outcomes.delete(id)) {
        outcomes.add(id);
      }
      button.setAttribute("aria-pressed", String(outcomes.has(id)));
      change({ outcomes });
    };
    const button = h("button", { type: "button", class: `outcome-toggle outcome-${id}`, "aria-pressed": "false", title: `${title}: ${counted(number, "result")}`, onclick }, h("span", { "aria-hidden": "true" }, `${mark} `), `${name} ${count(number)}`);
    return number > 0 ? button : null;
  };

  const renderer = h(
    "select",
    { "aria-label": "Renderer", onchange: () => change({ renderer: renderer.value === "" ? null : Number(renderer.value) }) },
    h("option", { value: "" }, "All renderers"),
    renderers.map(({ name }, index) => h("option", { value: index }, visible(name))),
  );
  const order = h(
    "select",
    { "aria-label": "Order", onchange: () => change({ order: order.value === "name" ? "name" : "badness" }) },
    h("option", { value: "badness" }, "Worst first"),
    h("option", { value: "name" }, "By name"),
  );
  const shown = h("span", { class: "muted shown-count", role: "status" });
  const element = h(
    "div",
    { class: "filter", role: "search" },
    h("div", { class: "filter-line" }, search, renderers.length > 1 && renderer, order),
    h("div", { class: "filter-line", role: "group", "aria-label": "Outcomes" }, OUTCOMES.map(toggle), h("span", { class: "spacer" }), shown),
  );
  return {
    element,
    search,
    get: () => filter,
    /** Says how many cases are shown. @param {number} number @param {number} all */
    tell(number, all) {
      shown.textContent = number === all ? counted(all, "case") : `${count(number)} of ${counted(all, "case")}`;
    },
  };
}
