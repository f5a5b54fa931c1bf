// The head of the page: the verdict, and the totals of each renderer against the earlier run.

import { changesList } from "pspge-report/changes.js";
import { OUTCOMES } from "pspge-report/outcomes.js";
import { visible } from "pspge-report/text.js";
import { count, counted, h } from "pspge/base/dom.js";

/**
 * @typedef {import("pspge-report/types.js").Report} Report
 * @typedef {import("pspge-report/types.js").Totals} Totals
 * @typedef {import("pspge-report/results.js").Row} Row
 */

/** The columns of the table: the outcomes, the good one first, and other figures. */
const COLUMNS = [
  ...[...OUTCOMES.slice(-1), ...OUTCOMES.slice(2, 4), ...OUTCOMES.slice(0, 2).reverse(), ...OUTCOMES.slice(4, 6)].map(({ title, total, wanted, id }) => ({ title, total, wanted, of: null, id })),
  { title: "Exact pictures", total: /** @type {const} */ ("exact_pictures"), wanted: 1, of: /** @type {const} */ ("compared_pictures"), id: "" },
  { title: "Exact depth buffers", total: /** @type {const} */ ("exact_depths"), wanted: 1, of: /** @type {const} */ ("compared_depths"), id: "" },
  { title: "Exact checksums", total: /** @type {const} */ ("exact_checksums"), wanted: 1, of: /** @type {const} */ ("compared_checksums"), id: "" },
  { title: "Differing pixels", total: /** @type {const} */ ("differing_pixels"), wanted: -1, of: null, id: "" },
];

/**
 * Returns the verdict on the run.
 * @param {Report} report
 * @param {readonly Row[]} rows
 * @returns {{text: string, isGood: boolean}}
 */
export function verdict({ cases, renderers }, rows) {
  const having = (/** @type {string[]} */ outcomes) => rows.filter(({ cells }) => cells.some((cell) => cell && outcomes.includes(cell.outcome)));
  const failing = having(["failed", "error"]);
  const failed = new Set(failing);
  const surprising = having(["unexpected-pass"]).filter((row) => !failed.has(row)).length;
  const number = failing.length;
  const first = `${number === 0 ? "None" : count(number)} of ${counted(cases, "case")} ${number > 1 ? "fail" : "fails"}`;
  // A renderer of several may pass them all.
  const some = number > 0 && renderers.length > 1 ? ` with at least one of ${counted(renderers.length, "renderer")}` : "";
  const second = surprising > 0 ? `, ${count(surprising)} ${surprising === 1 ? "passes" : "pass"} unexpectedly` : "";
  return { text: first + some + second, isGood: number === 0 && surprising === 0 };
}

/**
 * Creates the head.
 * @param {Report} report
 * @param {readonly Row[]} rows
 * @param {{onhelp: () => void, onselect: (name: string, renderer: string) => void}} actions
 * @returns {HTMLElement}
 */
export function createHead(report, rows, { onhelp, onselect }) {
  const { text, isGood } = verdict(report, rows);
  const others = report.other_files > 0 ? `, ${counted(report.other_files, "other file")}` : "";
  const about = `${counted(report.cases, "case")}${others} · has to match: ${report.requirement} · pspge ${report.version}`;
  document.title = `${text}: ${visible(report.title)}`;
  return h(
    "header",
    { class: "head" },
    h(
      "div",
      { class: "head-line" },
      h("h1", null, visible(report.title)),
      h("p", { class: `verdict ${isGood ? "is-good" : "is-bad"}` }, text),
      h("p", { class: "muted about" }, visible(about)),
      h("button", { type: "button", onclick: onhelp }, "Keys"),
    ),
    h(
      "div",
      { class: "head-scroll", role: "region", "aria-label": "Totals", tabindex: 0, "data-scrolls": "" },
      totalsTable(report),
      changesList(report, onselect),
    ),
  );
}

/** @param {Report} report */
function totalsTable({ renderers, before }) {
  const earlier = new Map((before?.changes.length ? before.totals : []).map(({ name, totals }) => [name, totals]));
  // A column without any figure only takes space, but the number of passed and failed is always of interest.
  const all = [...renderers.map(({ totals }) => totals), ...earlier.values()];
  const used = COLUMNS.filter(({ total, of, id }) => ["passed", "failed"].includes(id) || all.some((totals) => totals[of ?? total] > 0));
  const row = (/** @type {Report["renderers"][number]} */ { name, command, totals }) =>
    h(
      "tr",
      null,
      h("th", { scope: "row", title: command && visible(command) }, visible(name)),
      used.map((column) => h("td", { class: `total total-${column.id}` }, totalText(column, totals, earlier.get(name) ?? null))),
    );
  return h(
    "table",
    { class: "totals" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "Renderer"), used.map(({ title }) => h("th", { scope: "col", class: "total" }, title)))),
    h("tbody", null, renderers.map(row)),
  );
}

/**
 * @param {typeof COLUMNS[number]} column
 * @param {Totals} totals
 * @param {Totals | null} earlier
 */
function totalText({ total, of, wanted }, totals, earlier) {
  const number = totals[total];
  const change = earlier ? number - earlier[total] : 0;
  const kind = change * wanted > 0 ? "is-better" : change * wanted < 0 ? "is-worse" : "";
  const sign = change > 0 ? "+" : "−";
  return [
    h("span", { class: number > 0 ? "number" : "number is-zero" }, of && totals[of] === 0 ? "–" : count(number)),
    of && totals[of] > 0 && ` of ${count(totals[of])}`,
    change !== 0 && h("span", { class: `delta ${kind}`, title: "against the earlier run" }, ` ${sign}${count(Math.abs(change))}`),
  ];
}
