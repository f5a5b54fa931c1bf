// The outcomes of a result: their names, marks, and how bad they are.

/** @typedef {import("pspge-report/types.js").Outcome} Outcome */

/**
 * The outcomes from the worst to the best. `total` is the member of the totals that counts them; `wanted` says whether
 * more of them are better (1), worse (-1), or neither (0).
 * @type {readonly {
 *   id: Outcome,
 *   name: string,
 *   title: string,
 *   mark: string,
 *   total: keyof import("pspge-report/types.js").Totals,
 *   wanted: -1 | 0 | 1,
 * }[]}
 */
export const OUTCOMES = [
  { id: "error", name: "error", title: "Errors", mark: "!", total: "errors", wanted: -1 },
  { id: "unexpected-pass", name: "unexpected pass", title: "Unexpected passes", mark: "✓!", total: "unexpected_passes", wanted: -1 },
  { id: "failed", name: "failed", title: "Failed", mark: "✗", total: "failed", wanted: -1 },
  { id: "expected-failure", name: "expected failure", title: "Expected failures", mark: "(✗)", total: "expected_failures", wanted: 0 },
  { id: "without-reference", name: "no reference", title: "Without reference", mark: "?", total: "without_reference", wanted: 0 },
  { id: "skipped", name: "skipped", title: "Skipped", mark: "–", total: "skipped", wanted: 0 },
  { id: "passed", name: "passed", title: "Passed", mark: "✓", total: "passed", wanted: 1 },
];

const RANKS = new Map(OUTCOMES.map(({ id }, index) => [id, index]));

/**
 * Returns the outcome with a name of the data. Unknown ones count as errors.
 * @param {Outcome} id
 */
export function outcomeOf(id) {
  return /** @type {(typeof OUTCOMES)[number]} */ (OUTCOMES[rankOf(id)]);
}

/**
 * Returns the place of an outcome in the order of badness, 0 for the worst.
 * @param {Outcome} id
 * @returns {number}
 */
export function rankOf(id) {
  return RANKS.get(id) ?? 0;
}

/**
 * Returns whether an outcome makes the run fail.
 * @param {Outcome} id
 * @returns {boolean}
 */
export function isUnexpected(id) {
  return ["error", "unexpected-pass", "failed"].includes(id);
}
