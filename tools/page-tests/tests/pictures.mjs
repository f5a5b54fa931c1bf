// Pictures of the engine as WebAssembly are those of the native one, byte for byte.

import assert from "node:assert/strict";
import { test } from "node:test";

import { withInspector } from "../harness/inspector.mjs";
import { inputs } from "../harness/inputs.mjs";

/** Moments of each input. */
const MOMENTS = 20;

/** @typedef {import("../harness/targets.mjs").Target} Target */

/**
 * @param {Target} server
 * @param {Target} file
 */
export function pictureTests(server, file) {
  for (const { name, path } of inputs()) {
    test(`WebAssembly draws as the native program: ${name}`, async () => {
      const native = await picturesOf(server, path);
      const wasm = await picturesOf(file, path);
      assert.equal(native.length, 3 * MOMENTS);
      const sizes = native.filter((picture) => !picture.startsWith("error"));
      assert.ok(sizes.length >= 2 * MOMENTS && new Set(sizes).size > 3, `there are different pictures: ${new Set(sizes).size}`);
      assert.deepEqual(wasm, native);
    });
  }
}

/**
 * Returns the pictures at moments of a run, each as a text with its hash, from the engine of the page.
 * @param {Target} target
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function picturesOf(target, path) {
  /** @type {string[]} */
  let pictures = [];
  await withInspector(target, path, async (inspector) => {
    pictures = await inspector.page.evaluate(async (moments) => {
      // The page's own modules, by their names in its import map.
      const name = "pspge/state/engine.js";
      const { createEngine } = await import(name);
      const engine = createEngine();
      const input = await engine.start();
      if (input) {
        const [file] = input.files;
        await engine.request({ request: "open", input: 0, name: file.name }, file.bytes);
      }
      const { json } = await engine.request({ request: "events" });
      const found = [];
      for (let moment = 0; moment < moments; moment += 1) {
        const at = { event: Math.round((json.count * moment) / (moments - 1)), after: moment % 2 === 1 };
        for (const kind of ["color", "depth", "screen"]) {
          try {
            const answer = await engine.request({ request: "picture", at, source: { kind } });
            const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", answer.bytes));
            const { width, height, format, address } = answer.json;
            found.push(`${kind} at ${at.event}: ${width}x${height} ${format} ${address} ${[...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`);
          } catch (error) {
            found.push(`error: ${/** @type {Error} */ (error).message}`);
          }
        }
      }
      return found;
    }, MOMENTS);
  });
  return pictures;
}
