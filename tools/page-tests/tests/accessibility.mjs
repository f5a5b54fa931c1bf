// axe finds no violations of WCAG 2 A and AA, in dark and, with PSPGE_LONG_CHECKS set, in light.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import { PANELS, withInspector } from "../harness/inspector.mjs";
import { SIGNPOST, TEXTURES, WYVERN } from "../harness/inputs.mjs";

/**
 * @typedef {import("../harness/inspector.mjs").Inspector} Inspector
 * @typedef {(place: string, name: string) => Promise<void>} Check checks a part of the page, a selector
 */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = {
  dark: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] },
  // The themes differ in their colours only.
  light: { type: "rule", values: ["color-contrast"] },
};

/** @param {import("../harness/targets.mjs").Target} target */
export function accessibilityTests(target) {
  const isLong = Boolean(process.env.PSPGE_LONG_CHECKS);
  if (!isLong) {
    console.log("page tests: contrasts of the light theme are skipped: set PSPGE_LONG_CHECKS to check them");
  }
  for (const colorScheme of /** @type {const} */ (isLong ? ["dark", "light"] : ["dark"])) {
    const add = (/** @type {string} */ name, /** @type {string | null} */ input, /** @type {(inspector: Inspector, check: Check) => Promise<void>} */ use) =>
      test(`${name}, ${colorScheme}`, async () => {
        await withInspector(
          target,
          input,
          async (inspector) => {
            await inspector.page.evaluate(AXE);
            /** @type {string[]} */
            const found = [];
            await use(inspector, async (place, part) => {
              found.push(...(await violations(inspector, place, part, RULES[colorScheme])));
            });
            assert.deepEqual(found, []);
          },
          { colorScheme },
        );
      });
    add("the page without a file", null, (_, check) => check("html", "start"));
    add("a file without a list", TEXTURES, (_, check) => check("html", "other file"));
    add("all panels", SIGNPOST, panels);
    add("members and the stage", WYVERN, async (inspector, check) => {
      await inspector.page.getByRole("button", { name: "Members", exact: true }).click();
      await inspector.page.locator(".members .table-row").first().waitFor();
      await check(".members", "members");
      await check(".picture", "stage");
      await inspector.openPanel("model");
      await inspector.panel("model").getByRole("tab", { name: /^Textures/ }).click();
      await inspector.page.locator(".stored-texture canvas").first().waitFor();
      await check("#panel-model", "textures");
    });
    add("panels that are docked and float", SIGNPOST, async (inspector, check) => {
      const { page } = inspector;
      for (const [id, place] of [["memory", "below"], ["passes", "right"], ["state", "floating"]]) {
        await inspector.openPanel(id ?? "");
        await page.getByRole("button", { name: "View", exact: true }).click();
        await page.locator(".menu select").first().selectOption(place ?? "");
        await page.keyboard.press("Escape");
      }
      await inspector.openPanel("frame");
      await check("main", "docked");
    });
    add("dialogs, menus and errors", SIGNPOST, dialogs);
    add("the panel of a model", WYVERN, async (inspector, check) => {
      await inspector.openPanel("model");
      await check("#panel-model", "model");
    });
  }
}

/**
 * @param {Inspector} inspector
 * @param {string} place
 * @param {string} name
 * @param {{type: string, values: string[]}} runOnly
 * @returns {Promise<string[]>}
 */
async function violations({ page }, place, name, runOnly) {
  const found = await page.evaluate(
    async ([context, rules]) => {
      const { violations: all } = await /** @type {any} */ (window).axe.run(context, { runOnly: rules, resultTypes: ["violations"] });
      const reasons = (/** @type {any} */ { html, any, all: every }) => `${html.slice(0, 160)} (${[...any, ...every].map(({ message }) => message).join("; ")})`;
      return all.map((/** @type {any} */ { id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(reasons).join(" | ")} (${nodes.length} in all)`);
    },
    /** @type {const} */ ([place, runOnly]),
  );
  return found.map((/** @type {string} */ violation) => `${name}: ${violation}`);
}

/**
 * @param {Inspector} inspector
 * @param {Check} check
 */
async function panels(inspector, check) {
  await inspector.selectEvent(4);
  await inspector.clickPixel(250, 150);
  const edits = await inspector.openPanel("edits");
  await edits.getByLabel("New edit").fill("ZTEST=GREATER_EQUAL");
  await inspector.page.keyboard.press("Enter");
  await inspector.rest();
  await check("html", "the whole page");
  for (const { id } of PANELS.filter((panel) => panel.id !== "model")) {
    await inspector.openPanel(id);
    await check(`#panel-${id}`, id);
    if (id === "diff") {
      await check(".picture", "pictures of both sides in the middle");
    }
  }
}

/**
 * @param {Inspector} inspector
 * @param {Check} check
 */
async function dialogs(inspector, check) {
  const { page } = inspector;
  await inspector.press("?");
  await check("dialog[open]", "help");
  await page.keyboard.press("Escape");
  for (const name of ["Save", "View", "Terms of the filter", "More settings of the picture"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await check("[popover]:popover-open", name);
    await page.keyboard.press("Escape");
  }
  const edits = await inspector.openPanel("edits");
  await edits.getByLabel("New edit").fill("NOTHING=1");
  await page.keyboard.press("Enter");
  await inspector.rest();
  await check(".errors", "an error");
}
