// The inputs of the tests: bundled files, lists of this folder, and recorded frames if there are any.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = dirname(dirname(fileURLToPath(import.meta.url)));
export const ROOT = dirname(dirname(FOLDER));
export const PROGRAM = process.env.PAGE_TESTS_PROGRAM ?? "";

/** A folder for files of this run. */
export const SCRATCH = mkdtempSync(join(tmpdir(), "pspge-page-tests-"));

/** Removes the folder of this run. */
export function removeInputs() {
  rmSync(SCRATCH, { recursive: true, force: true });
}

/**
 * Runs the program.
 * @param {string[]} args
 */
export function pspge(...args) {
  return spawnSync(PROGRAM, args, { encoding: "utf8", maxBuffer: 1 << 28 });
}

/** The list whose events and faults the tests know. */
export const SIGNPOST = join(FOLDER, "inputs", "signpost.ge");
export const WYVERN = join(ROOT, "tools", "sample", "lampwing.pac");
export const ANEMONE = join(ROOT, "tools", "sample", "anemone.pmdl");
/** A file without anything to run. */
export const TEXTURES = join(ROOT, "tools", "sample", "lampwing.tmh");

/** Reads a bundled sample. @param {string} name */
export const sample = (name) => readFileSync(join(ROOT, "tools", "sample", name));

/** Returns a list with five equal draws, and two others. */
export function equalDraws() {
  const path = join(SCRATCH, "equal.ge");
  const square = (/** @type {number} */ left) => `VADDR lo(v${left}) | PRIM primitive=RECTANGLES count=2`;
  const corners = [0, 20, 40, 60, 80];
  const lines = [
    "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271",
    "BASE hi(v0) | VTYPE color=ABGR8888 position=BITS16 through=1",
    ...corners.map(square),
    `BLENDENABLE 1 | ${square(0)}`,
    "BLENDENABLE 0 | VADDR lo(v0) | PRIM primitive=POINTS count=2",
    "FINISH | END",
    ".align 4",
    ...corners.map((left) => `v${left}: .rgba #c02020ff | .s16 ${left} 2 0 | .align 4 | .rgba #c02020ff | .s16 ${left + 10} 10 0 | .align 4`),
  ];
  writeFileSync(path, lines.join("\n"));
  return path;
}

/** Returns the list as a frame dump. */
export function signpostDump() {
  const path = join(SCRATCH, "signpost.ppdmp");
  if (!existsSync(path)) {
    const { status, stderr } = pspge("pack", SIGNPOST, "-o", path);
    if (status !== 0) {
      throw new Error(`the list cannot be packed: ${stderr}`);
    }
  }
  return path;
}

/**
 * @typedef {{name: string, path: string, kind: "list" | "model" | "frame" | "other", isLarge: boolean}} Input
 */

/** Returns the inputs: one of each kind, and recorded frames. @returns {Input[]} */
export function inputs() {
  /** @type {Input[]} */
  const bundled = [
    { name: "signpost.ge", path: SIGNPOST, kind: "list", isLarge: false },
    { name: "signpost.ppdmp", path: signpostDump(), kind: "frame", isLarge: false },
    { name: "lampwing.pac", path: WYVERN, kind: "model", isLarge: false },
    { name: "anemone.pmdl", path: ANEMONE, kind: "model", isLarge: false },
  ];
  return [...bundled, ...recorded()];
}

/** Returns the recorded frames. @returns {Input[]} */
function recorded() {
  const corpus = process.env.PSPGE_CORPUS;
  if (!corpus) {
    return [];
  }
  const names = ["locoroco-tropuca.ppdmp", "wall-e.ppdmp", "need-for-speed-carbon.ppdmp"];
  const paths = names.map((name) => ({ name, path: join(corpus, "frames", name) }));
  return paths.filter(({ path }) => existsSync(path)).map(({ name, path }) => ({ name, path, kind: "frame", isLarge: true }));
}
