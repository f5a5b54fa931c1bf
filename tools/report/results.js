// The results by case, their order, and the filter.

import { rankOf } from "pspge-report/outcomes.js";

/**
 * @typedef {import("pspge-report/types.js").Result} Result
 * @typedef {{case: string, cells: (Result | null)[]}} Row a case, with a cell for each renderer
 * @typedef {{
 *   text: string,
 *   outcomes: Set<import("pspge-report/types.js").Outcome>,
 *   renderer: number | null,
 *   order: "badness" | "name",
 * }} Filter An empty set of outcomes means all of them.
 */

const NAMES = new Intl.Collator("en", { numeric: true });

/**
 * Returns a row for each case.
 * @param {import("pspge-report/types.js").Report} report
 * @returns {Row[]}
 */
export function rowsOf({ renderers, results }) {
  const columns = new Map(renderers.map(({ name }, index) => [name, index]));
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const result of results) {
    const column = columns.get(result.renderer);
    if (column === undefined) {
      continue;
    }
    const row = rows.get(result.case) ?? { case: result.case, cells: renderers.map(() => null) };
    row.cells[column] = result;
    rows.set(result.case, row);
  }
  return [...rows.values()];
}

/**
 * Returns the numbers of the columns that a filter shows.
 * @param {number} count
 * @param {Filter} filter
 * @returns {number[]}
 */
export function shownColumns(count, { renderer }) {
  return renderer === null ? Array.from({ length: count }, (_, index) => index) : [renderer];
}

/**
 * Returns the rows with a shown cell that matches the filter, in its order.
 * @param {readonly Row[]} rows
 * @param {readonly number[]} columns
 * @param {Filter} filter
 * @returns {Row[]}
 */
export function filteredRows(rows, columns, { text, outcomes, order }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (/** @type {Result | null | undefined} */ result) =>
    Boolean(result) &&
    (outcomes.size === 0 || outcomes.has(/** @type {Result} */ (result).outcome)) &&
    words.every((word) => searchText(/** @type {Result} */ (result)).includes(word));
  const found = rows.filter(({ cells }) => columns.some((column) => matches(cells[column])));
  const byName = (/** @type {Row} */ a, /** @type {Row} */ b) => NAMES.compare(a.case, b.case);
  if (order === "name") {
    return found.sort(byName);
  }
  const worst = new Map(found.map((row) => [row, worstCell(row, columns)?.result ?? null]));
  return found.sort((a, b) => compareBadness(worst.get(a) ?? null, worst.get(b) ?? null) || byName(a, b));
}

/**
 * Returns the worst result of a row in these columns.
 * @param {Row} row
 * @param {readonly number[]} columns
 * @returns {{column: number, result: Result} | null}
 */
export function worstCell(row, columns) {
  /** @type {{column: number, result: Result} | null} */
  let worst = null;
  for (const column of columns) {
    const result = row.cells[column];
    if (result && (!worst || compareBadness(result, worst.result) < 0)) {
      worst = { column, result };
    }
  }
  return worst;
}

/**
 * Compares two results for sorting, the worse one first.
 * @param {Result | null} a
 * @param {Result | null} b
 * @returns {number}
 */
function compareBadness(a, b) {
  if (!a || !b) {
    return Number(!a) - Number(!b);
  }
  const [left, right] = [badness(a), badness(b)];
  return (
    rankOf(a.outcome) - rankOf(b.outcome) || right.area - left.area || right.differing - left.differing || right.largest - left.largest
  );
}

/** @param {Result} result */
function badness({ picture, depth }) {
  return {
    area: (picture?.area_pixels ?? 0) + (depth?.area_pixels ?? 0),
    differing: (picture?.differing_pixels ?? 0) + (depth?.differing_pixels ?? 0),
    // Depth has 16 bits, colours have 8.
    largest: Math.max(picture?.largest_difference ?? 0, (depth?.largest_difference ?? 0) / 257),
  };
}

/** @type {WeakMap<Result, string>} */
const texts = new WeakMap();

/**
 * Returns the text of a result that the filter searches.
 * @param {Result} result
 */
function searchText(result) {
  let text = texts.get(result);
  if (text === undefined) {
    const facts = result.facts.map(({ name, value }) => `${name} ${value}`);
    const parts = [result.case, result.message, result.expectation?.reason, ...facts];
    text = parts.filter(Boolean).join("\n").toLowerCase();
    texts.set(result, text);
  }
  return text;
}
