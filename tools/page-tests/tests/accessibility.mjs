// axe finds no violations of WCAG 2 A and AA, in light and in dark.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { PANELS, withInspector } from "../harness/inspector.mjs";
import { SIGNPOST, WYVERN } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = { runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }, resultTypes: ["violations"] };

/**
 * @param {Inspector} inspector
 * @param {string} place
 */
async function checkPlace({ page }, place) {
  const violations = await page.evaluate(async (rules) => {
    const { violations: found } = await /** @type {any} */ (window).axe.run(document, rules);
    return found.map((/** @type {any} */ { id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((/** @type {any} */ node) => `${node.html.slice(0, 160)} (${node.any.concat(node.all).map((/** @type {any} */ check) => check.message).join("; ")})`).join(" | ")} (${nodes.length} in all)`);
  }, RULES);
  return violations.map((/** @type {string} */ violation) => `${place}: ${violation}`);
}

/** @param {import("../harness/targets.mjs").Target} target */
export function accessibilityTests(target) {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const check = (/** @type {string} */ name, /** @type {string | null} */ input, /** @type {(inspector: Inspector) => Promise<string[]>} */ use) =>
      test(`${name}, ${colorScheme}`, async () => {
        await withInspector(
          target,
          input,
          async (inspector) => {
            await inspector.page.evaluate(AXE);
            assert.deepEqual(await use(inspector), []);
          },
          { colorScheme },
        );
      });
    check("the page without a file", null, (inspector) => checkPlace(inspector, "start"));
    check("all panels", SIGNPOST, panels);
    check("dialogs, menus and errors", SIGNPOST, dialogs);
    check("the panel of a model", WYVERN, async (inspector) => {
      await inspector.openPanel("model");
      return checkPlace(inspector, "model");
    });
  }
}

/** @param {Inspector} inspector */
async function panels(inspector) {
  const found = [];
  await inspector.selectEvent(4);
  await inspector.clickPixel(250, 150);
  const edits = await inspector.openPanel("edits");
  await edits.getByLabel("New edit").fill("ZTEST=GREATER_EQUAL");
  await inspector.page.keyboard.press("Enter");
  for (const { id } of PANELS.filter((panel) => panel.id !== "model")) {
    await inspector.openPanel(id);
    found.push(...(await checkPlace(inspector, id)));
  }
  return found;
}

/** @param {Inspector} inspector */
async function dialogs(inspector) {
  const { page } = inspector;
  const found = [];
  await inspector.press("?");
  found.push(...(await checkPlace(inspector, "help")));
  await page.keyboard.press("Escape");
  for (const name of ["Save", "View", "Terms of the filter"]) {
    await page.getByRole("button", { name, exact: true }).click();
    found.push(...(await checkPlace(inspector, name)));
    await page.keyboard.press("Escape");
  }
  const edits = await inspector.openPanel("edits");
  await edits.getByLabel("New edit").fill("NOTHING=1");
  await page.keyboard.press("Enter");
  await inspector.rest();
  found.push(...(await checkPlace(inspector, "an error")));
  return found;
}
