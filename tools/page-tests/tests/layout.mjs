// Controls can be reached in small and in very large windows: none overflows the page, none covers another.

import assert from "node:assert/strict";
import { test } from "node:test";

import { PANELS, withInspector } from "../harness/inspector.mjs";
import { SIGNPOST, WYVERN } from "../harness/inputs.mjs";

const SIZES = [
  { width: 1024, height: 640 },
  { width: 1280, height: 720 },
  { width: 3840, height: 2160 },
];

/** @param {import("../harness/targets.mjs").Target} target */
export function layoutTests(target) {
  for (const viewport of SIZES) {
    for (const [name, path] of [["a list", SIGNPOST], ["a model", WYVERN]]) {
      test(`${viewport.width}x${viewport.height}, ${name}`, async () => {
        await withInspector(
          target,
          path ?? "",
          async (inspector) => {
            const model = path === WYVERN;
            for (const { id } of PANELS.filter((panel) => (panel.id === "model") === model)) {
              await inspector.openPanel(id);
              if (id === "pixel") {
                await inspector.clickPixel(250, 150);
              }
              assert.deepEqual(await inspector.page.evaluate(findFaults), [], `panel ${id}`);
            }
          },
          { viewport },
        );
      });
    }
  }

  test("texts of twice the size, with panels below the picture", async () => {
    await withInspector(target, SIGNPOST, async (inspector) => {
      const { page } = inspector;
      await page.getByRole("button", { name: "View", exact: true }).click();
      await page.getByLabel("Size of texts").selectOption("200");
      await page.getByLabel("below the picture").check();
      await page.keyboard.press("Escape");
      for (const { id } of PANELS.filter((panel) => panel.id !== "model")) {
        await inspector.openPanel(id);
        const { overflow } = await page.evaluate(() => ({ overflow: document.documentElement.scrollWidth - innerWidth }));
        assert.ok(overflow <= 0, `panel ${id} is ${overflow} pixels too wide`);
      }
    });
  });
}

/** Returns faults of the layout. Runs in the page. */
function findFaults() {
  /** @type {string[]} */
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) {
    faults.push(`the page is ${root.scrollWidth}x${root.scrollHeight} in a window of ${innerWidth}x${innerHeight}`);
  }
  /** The part of an element that its ancestors do not cut off. @param {Element} element */
  const visiblePart = (element) => {
    const box = element.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    let isScrolled = false;
    for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(ancestor);
      if (overflowX !== "visible" || overflowY !== "visible") {
        const outer = ancestor.getBoundingClientRect();
        isScrolled ||= overflowX === "auto" || overflowX === "scroll" || overflowY === "auto" || overflowY === "scroll";
        [left, top, right, bottom] = [Math.max(left, outer.left), Math.max(top, outer.top), Math.min(right, outer.right), Math.min(bottom, outer.bottom)];
      }
    }
    return { left, top, right, bottom, isWhole: right - left >= box.width - 1 && bottom - top >= box.height - 1, isScrolled };
  };
  const nameOf = (/** @type {Element} */ element) => `${element.tagName.toLowerCase()} "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}"`;
  const controls = [...document.querySelectorAll("button, input, select, textarea, summary, [role=tab]")];
  for (const control of controls) {
    const style = getComputedStyle(control);
    const box = control.getBoundingClientRect();
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || box.width < 2 || box.height < 2 || style.pointerEvents === "none") {
      continue;
    }
    const { left, top, right, bottom, isWhole, isScrolled } = visiblePart(control);
    if (right - left < 2 || bottom - top < 2) {
      if (!isScrolled) {
        faults.push(`${nameOf(control)} cannot be seen`);
      }
      continue;
    }
    if (!isWhole && !isScrolled) {
      faults.push(`${nameOf(control)} is cut off`);
    }
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isReached = hit && (control.contains(hit) || hit.contains(control) || (control instanceof HTMLInputElement && [...(control.labels ?? [])].some((label) => label.contains(hit))));
    if (!isReached && isWhole) {
      faults.push(`${nameOf(control)} is below ${hit ? nameOf(hit) : "nothing"}`);
    }
  }
  return faults;
}
