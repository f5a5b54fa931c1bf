// A report of `pspge test` made of synthetic pictures, and the page that shows it.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { PNG } from "pngjs";

import { filesIn } from "../build.mjs";
import { ROOT, SCRATCH } from "./inputs.mjs";

const TOOLS = join(ROOT, "tools");
export const [WIDTH, HEIGHT] = [480, 272];
/** The region that differs in the pictures of the fixture, and its worst pixel. */
export const REGION = { x: 200, y: 100, width: 120, height: 80, pixels: 9600 };
export const WORST = { x: 231, y: 140 };
/** Case whose name is markup, with quotes and control characters. */
export const HOSTILE = "<img src=x onerror=\"window.isStolen=1\">'; $(rm)\u001b[2J\u202egnp.ppdmp";
export const RENDERERS = ["pspge", "fast", "<b>other</b>"];

/** @param {string} text */
const base64 = (text) => Buffer.from(text).toString("base64");

/**
 * Writes the page of a report to a file, as the command does, and returns its address.
 * @param {string} name
 * @param {unknown} report
 * @param {Buffer[]} pictures
 */
export function writeReport(name, report, pictures) {
  const read = (/** @type {string} */ folder, /** @type {string} */ file) => readFileSync(join(TOOLS, folder, file), "utf8");
  const own = readdirSync(join(TOOLS, "report")).sort();
  const styles = [...["theme.css", "base.css", "dialogs.css"].map((file) => read("page", file)), ...own.filter((file) => file.endsWith(".css")).map((file) => read("report", file))];
  const module = (/** @type {string} */ text) => `data:text/javascript;base64,${base64(text)}`;
  const imports = Object.fromEntries([
    ...own.filter((file) => file.endsWith(".js")).map((file) => [`pspge-report/${file}`, module(read("report", file))]),
    // The command leaves out those that no module of the report imports.
    ...filesIn(join(TOOLS, "page", "built")).map((file) => [`pspge/${file}`, module(read("page/built", file))]),
  ]);
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  const scripts = pictures.map((png, index) => `<script type="image/png" id="picture-${index}">${png.toString("base64")}</script>\n`);
  /** @type {Record<string, string>} */
  const values = {
    style: `<style>\n${styles.join("")}</style>`,
    imports: `<script type="importmap">${JSON.stringify({ imports })}</script>`,
    data: `<script type="application/json" id="report">${json}</script>\n${scripts.join("")}`,
    module: '<script type="module">import "pspge-report/report.js";</script>',
  };
  const page = read("report", "index.html").replace(/<!--pspge:(\w+)-->/g, (_, place) => values[place] ?? "");
  const path = join(SCRATCH, `${name}.html`);
  writeFileSync(path, page);
  return pathToFileURL(path).href;
}

/**
 * Encodes a picture without alpha.
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => number[]} color
 */
export function colorPng(width, height, color) {
  const png = new PNG({ width, height });
  for (let index = 0; index < width * height; index += 1) {
    png.data.set([...color(index % width, Math.floor(index / width)), 255], 4 * index);
  }
  return PNG.sync.write(png, { colorType: 2 });
}

/**
 * Encodes depths in 16 bits of grey.
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => number} depth
 * @param {number} [filterType]
 */
export function depthPng(width, height, depth, filterType = -1) {
  const png = new PNG({ width, height });
  // pngjs takes the values in the order of this machine.
  png.data = Buffer.alloc(2 * width * height);
  for (let index = 0; index < width * height; index += 1) {
    png.data.writeUInt16LE(depth(index % width, Math.floor(index / width)), 2 * index);
  }
  return PNG.sync.write(png, { bitDepth: 16, colorType: 0, inputColorType: 0, inputHasAlpha: false, filterType });
}

/** Whether a pixel is in the region that differs. @param {number} x @param {number} y */
const isInRegion = (x, y) => x >= REGION.x && x < REGION.x + REGION.width && y >= REGION.y && y < REGION.y + REGION.height;

/** The reference of the fixture: hills below a sky. @param {number} x @param {number} y */
export function referenceColor(x, y) {
  const hill = 150 + 40 * Math.sin(x / 60) + 14 * Math.sin(x / 17);
  return y < hill ? [90 + (y >> 2), 130 + (y >> 2), 220] : [60 + ((x ^ y) & 15), Math.max(40, 170 - (y >> 1)), 50];
}

/** The picture of the fixture, which is too bright in the region. @param {number} x @param {number} y */
export function pictureColor(x, y) {
  const [red = 0, green = 0, blue = 0] = referenceColor(x, y);
  if (x === WORST.x && y === WORST.y) {
    return [255, green, blue];
  }
  return isInRegion(x, y) ? [Math.min(255, red + 1 + ((x + y) & 31)), green, blue] : [red, green, blue];
}

/** @param {number} x @param {number} y */
export const referenceDepth = (x, y) => 20_000 + 60 * x + 7 * y;
/** @param {number} x @param {number} y */
export const pictureDepth = (x, y) => referenceDepth(x, y) + (isInRegion(x, y) ? 1 + (x & 3) : 0) - (x === WORST.x && y === WORST.y ? 4000 : 0);

/** Returns the pictures of the fixture by their numbers. */
export function fixturePictures() {
  const small = (/** @type {number} */ add) => colorPng(64, 32, (x, y) => [4 * x, 8 * y, add + (x === y ? 40 : 0)]);
  return [
    colorPng(WIDTH, HEIGHT, pictureColor),
    colorPng(WIDTH, HEIGHT, referenceColor),
    depthPng(WIDTH, HEIGHT, pictureDepth),
    depthPng(WIDTH, HEIGHT, referenceDepth),
    small(0),
    small(20),
    colorPng(512, HEIGHT, pictureColor),
    Buffer.from("no picture"),
  ];
}

/** @param {number} differing @param {Record<string, unknown>} [other] */
const figures = (differing, other) => ({
  match: differing === 0 ? "exact" : "different",
  width: WIDTH,
  height: HEIGHT,
  differing_pixels: differing,
  largest_difference: differing === 0 ? 0 : 187,
  mse: differing / 1000,
  psnr: differing === 0 ? null : 31.25,
  ssim: 0.98765,
  area_pixels: differing >> 1,
  blocks: Math.min(510, differing >> 6),
  block_count: 510,
  bias: [0.5, 0, -0.25],
  ...other,
});

/** @param {string} name @param {string} renderer @param {string} outcome @param {Record<string, unknown>} [other] */
const result = (name, renderer, outcome, other) => ({
  case: name,
  input: `/frames/${name}`,
  renderer,
  outcome,
  message: null,
  reference: `/frames/${name}.png`,
  depth_reference: null,
  picture: null,
  depth: null,
  expectation: null,
  explanation: null,
  facts: [],
  hash: "0123456789abcdef",
  pictures: null,
  ...other,
});

const EXPLANATION = {
  buffer: "color",
  region: REGION,
  pixel: { ...WORST, value: pictureColor(WORST.x, WORST.y), reference: referenceColor(WORST.x, WORST.y) },
  first_event: { event: 812, draw: 40, text: "PRIM TRIANGLE_STRIP 4, texture 64×64 CLUT8" },
  suspects: [
    { event: 815, draw: 41, text: "PRIM TRIANGLES 36, fog, blend ADD", covered: 12_000, covered_differing: 9600 },
    { event: 812, draw: 40, text: "PRIM TRIANGLE_STRIP 4", covered: 20_000, covered_differing: 4100 },
  ],
  history: { verdict: "drawn by draw 41, blended over draw 40", lines: ["event 3 clear: 0,0,0", "event 812 draw 40: 63,134,52", "event 815 draw 41: 255,134,52"] },
  divergence: { draw: 41, event: 815, text: "PRIM TRIANGLES 36, fog, blend ADD", runs: 9, is_own_exact: true },
  notes: ["The draws before 41 are equal in both."],
};

/** Returns the report: 300 cases of three renderers. */
export function fixtureReport() {
  const results = [];
  for (let index = 0; index < 294; index += 1) {
    for (const renderer of RENDERERS) {
      const name = `dumps/${String(1000 + index)} ULUS${10_000 + index}_0001 Game ${index}.ppdmp`;
      const kind = index % 29 === 5 && renderer !== "pspge" ? "expected-failure" : index % 41 === 7 ? "without-reference" : index % 53 === 9 ? "skipped" : "passed";
      const expectation = kind === "expected-failure" ? { kind: "known difference", reason: "Fog is rounded otherwise", allows: "500 pixels" } : null;
      const picture = kind === "passed" ? figures(0) : kind === "expected-failure" ? figures(300 + index) : null;
      results.push(result(name, renderer, kind, { expectation, picture, message: kind === "expected-failure" ? `differs in ${300 + index} pixels, by 187 at most` : null }));
    }
  }
  const colors = { picture: 0, reference: 1, depth: null, depth_reference: null };
  const failed = { message: "differs in 9601 pixels, by 192 at most", picture: figures(9601, { largest_difference: 192 }), facts: [{ name: "issue", value: "11928" }, { name: "game", value: "UCUS98703" }, { name: "note", value: "Fog on the hills." }] };
  const pursuit = "dumps/11216 UCUS98703_0001 Pursuit Force.ppdmp";
  results.push(
    result(pursuit, "pspge", "passed", { picture: figures(0), depth: figures(0) }),
    result(pursuit, "fast", "failed", { ...failed, depth: figures(9600, { largest_difference: 4000 }), depth_reference: "/frames/d.png", explanation: EXPLANATION, pictures: { ...colors, depth: 2, depth_reference: 3 } }),
    result(pursuit, RENDERERS[2] ?? "", "failed", { ...failed, message: "differs in 40 pixels, by 20 at most", picture: figures(40, { width: 64, height: 32 }), pictures: { ...colors, picture: 4, reference: 5 } }),
    result("dumps/crash.ppdmp", "pspge", "passed", { picture: figures(0) }),
    result("dumps/crash.ppdmp", "fast", "error", { message: "crashed: signal 11\nlast words\u001b[2J", reference: "/frames/crash.png", pictures: { picture: null, reference: 1, depth: null, depth_reference: null } }),
    result("dumps/unexpected.ppdmp", "fast", "unexpected-pass", { message: "passes, but a failure is expected", picture: figures(0) }),
    result("dumps/wide.ppdmp", "fast", "failed", { message: "has another size", picture: figures(200), pictures: { ...colors, picture: 6 } }),
    result("dumps/broken.ppdmp", "fast", "failed", { message: "differs", picture: figures(100), pictures: { ...colors, picture: 7 } }),
    result(HOSTILE, "fast", "failed", { message: "<script>window.isStolen=1</script>", picture: figures(50), facts: [{ name: "<i>note</i>", value: "</script><b>bold</b>" }] }),
  );
  const totals = (/** @type {string} */ renderer) => {
    const own = results.filter((one) => one.renderer === renderer);
    const count = (/** @type {string} */ outcome) => own.filter((one) => one.outcome === outcome).length;
    return {
      passed: count("passed"),
      failed: count("failed"),
      expected_failures: count("expected-failure"),
      unexpected_passes: count("unexpected-pass"),
      errors: count("error"),
      without_reference: count("without-reference"),
      skipped: count("skipped"),
      exact_pictures: own.filter((one) => /** @type {any} */ (one.picture)?.match === "exact").length,
      compared_pictures: own.filter((one) => one.picture).length,
      exact_depths: own.filter((one) => /** @type {any} */ (one.depth)?.match === "exact").length,
      compared_depths: own.filter((one) => one.depth).length,
      differing_pixels: own.reduce((sum, one) => sum + (/** @type {any} */ (one.picture)?.differing_pixels ?? 0), 0),
      area_pixels: 0,
    };
  };
  const renderers = RENDERERS.map((name) => ({ name, command: name === "pspge" ? null : `./${name} --frame {in} {out}`, totals: totals(name) }));
  const before = totals("fast");
  return {
    title: "dumps",
    version: "0.9.0",
    requirement: "near (8)",
    renderers,
    cases: 300,
    other_files: 4,
    inspector: "inspector.html",
    before: {
      changes: [{ case: pursuit, renderer: "fast", before: { outcome: "passed", differing_pixels: 0 }, now: { outcome: "failed", differing_pixels: 9601 } }],
      totals: [{ name: "fast", totals: { ...before, passed: before.passed + 1, failed: before.failed - 1, differing_pixels: before.differing_pixels - 9601 } }],
    },
    results,
  };
}
