// The time from a key to the picture of the next event. It is printed and never a failure: machines differ.

import { test } from "node:test";

import { withInspector } from "../harness/inspector.mjs";
import { inputs } from "../harness/inputs.mjs";

/** Keys that are measured. */
const KEYS = 30;
/** Keys in one direction; less than half of the events of any input. */
const RUN = 5;

/** @param {import("../harness/targets.mjs").Target} target */
export function latencyTests(target) {
  // A model is on the stage as its interactive view, which has no picture of an event.
  for (const { name, path } of inputs().filter(({ kind }) => kind !== "model")) {
    test(`time to the next picture: ${name}`, async (context) => {
      await withInspector(target, path, async (inspector) => {
        const { page } = inspector;
        await page.evaluate(watchPictures);
        await inspector.selectEvent(Math.floor((await inspector.event()) / 2));
        /** @type {number[]} */
        const times = [];
        for (let key = 0; key < KEYS; key += 1) {
          // Some forwards, some backwards.
          await inspector.press(Math.floor(key / RUN) % 2 === 0 ? "j" : "k");
          const time = await page.evaluate(() => /** @type {any} */ (window).nextPicture());
          if (time !== null) {
            times.push(time);
          }
        }
        times.sort((a, b) => a - b);
        const [median = NaN, slow = NaN] = [0.5, 0.95].map((part) => times[Math.floor(times.length * part)]);
        context.diagnostic(`${target.name}, ${name}: median ${median.toFixed(0)} ms, 95 % within ${slow.toFixed(0)} ms, ${times.length} keys`);
      });
    });
  }
}

/** Measures the time from a key to the frame that shows the new picture. Runs in the page. */
function watchPictures() {
  const canvas = document.querySelector("section.picture .picture-view canvas");
  let pressed = 0;
  /** @type {number | null} */
  let shown = null;
  document.addEventListener("keydown", () => {
    pressed = performance.now();
    shown = null;
  }, true);
  new MutationObserver(() => {
    // The description changes with the picture, which the next frame shows.
    requestAnimationFrame(() => requestAnimationFrame(() => (shown ??= performance.now() - pressed)));
  }).observe(/** @type {Element} */ (canvas), { attributes: true, attributeFilter: ["aria-label"] });
  /** @type {any} */ (window).nextPicture = async () => {
    const end = performance.now() + 2000;
    while (shown === null && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return shown;
  };
}
