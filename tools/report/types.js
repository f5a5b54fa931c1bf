// The data of the report, as `pspge test` writes them.

/**
 * @typedef {"passed" | "failed" | "expected-failure" | "unexpected-pass" | "error" | "without-reference" | "skipped"} Outcome
 * @typedef {"color" | "depth"} Buffer
 * @typedef {"side" | "flip" | "slider" | "heat"} Mode
 * @typedef {[number, number]} Pixel
 */

/**
 * @typedef {{
 *   passed: number,
 *   failed: number,
 *   expected_failures: number,
 *   unexpected_passes: number,
 *   errors: number,
 *   without_reference: number,
 *   skipped: number,
 *   exact_pictures: number,
 *   compared_pictures: number,
 *   exact_depths: number,
 *   compared_depths: number,
 *   exact_checksums: number,
 *   compared_checksums: number,
 *   differing_pixels: number,
 *   area_pixels: number,
 * }} Totals
 */

/**
 * @typedef {{
 *   match: "exact" | "near" | "area" | "different",
 *   width: number,
 *   height: number,
 *   differing_pixels: number,
 *   largest_difference: number,
 *   mse: number,
 *   psnr: number | null,
 *   ssim: number | null,
 *   area_pixels: number,
 *   blocks: number,
 *   block_count: number,
 *   bias: number[],
 * }} Figures
 */

/**
 * @typedef {{event: number, draw: number | null, text: string}} EventText
 * @typedef {EventText & {covered: number, covered_differing: number}} Suspect
 * @typedef {{
 *   buffer: Buffer,
 *   region: {x: number, y: number, width: number, height: number, pixels: number},
 *   pixel: {x: number, y: number, value: number[], reference: number[]},
 *   first_event: EventText | null,
 *   suspects: Suspect[],
 *   history: {verdict: string, lines: string[]} | null,
 *   divergence: {draw: number, event: number | null, text: string, runs: number, is_own_exact: boolean} | null,
 *   notes: string[],
 * }} Explanation
 */

/**
 * @typedef {{picture: number | null, reference: number | null, depth: number | null, depth_reference: number | null}} Pictures
 * @typedef {{
 *   case: string,
 *   input: string,
 *   renderer: string,
 *   arithmetic: "hardware" | "single" | null,
 *   outcome: Outcome,
 *   message: string | null,
 *   reference: string | null,
 *   depth_reference: string | null,
 *   picture: Figures | null,
 *   depth: Figures | null,
 *   expectation: {kind: string, reason: string, allows: string} | null,
 *   explanation: Explanation | null,
 *   facts: {name: string, value: string}[],
 *   hash: string | null,
 *   pictures: Pictures | null,
 * }} Result
 */

/**
 * @typedef {{outcome: Outcome, differing_pixels: number | null}} ResultSummary
 * @typedef {{case: string, renderer: string, before: ResultSummary | null, now: ResultSummary | null}} Change
 * @typedef {{
 *   title: string,
 *   version: string,
 *   requirement: string,
 *   renderers: {name: string, command: string | null, totals: Totals}[],
 *   cases: number,
 *   other_files: number,
 *   inspector: string | null,
 *   before: {changes: Change[], totals: {name: string, totals: Totals}[]} | null,
 *   results: Result[],
 * }} Report
 */

export {};
