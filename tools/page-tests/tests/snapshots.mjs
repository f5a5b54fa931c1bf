// Pictures of all panels, compared with those in the repository.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

import { FAILURES, PANELS, withInspector } from "../harness/inspector.mjs";
import { ROOT, SIGNPOST, WYVERN } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

const FOLDER = join(ROOT, "snapshots", "page");
const FONTS = join(FOLDER, "fonts.json");
const MUST_UPDATE = Boolean(process.env.PAGE_TESTS_UPDATE);
/** Share of the pixels that may differ, such as by another version of the browser. */
const TOLERANCE = 0.01;

/** @param {import("../harness/targets.mjs").Target} target */
export function snapshotTests(target) {
  for (const { id } of PANELS) {
    test(`panel ${id}`, async (context) => {
      const isModel = id === "model";
      await withInspector(target, isModel ? WYVERN : SIGNPOST, async (inspector) => {
        if (!(await hasKnownFonts(inspector))) {
          context.skip("the fonts are not those of the snapshots");
          return;
        }
        await show(inspector, id);
        compare(id, await inspector.page.screenshot());
      }, { colorScheme: isLight(id) ? "light" : "dark" });
    });
  }
}

/** Every other panel is shown in light. @param {string} id */
function isLight(id) {
  return PANELS.findIndex((panel) => panel.id === id) % 2 === 1;
}

/**
 * Shows a panel with something in it.
 * @param {Inspector} inspector
 * @param {string} id
 */
async function show(inspector, id) {
  const { page } = inspector;
  if (id === "model") {
    await inspector.openPanel(id);
  } else {
    await inspector.selectEvent(id === "mesh" ? 8 : id === "textures" ? 7 : 4);
  }
  if (id === "pixel") {
    await inspector.clickPixel(250, 150);
  } else if (id === "diff" || id === "edits") {
    const edits = await inspector.openPanel("edits");
    await edits.getByLabel("New edit").fill("ZTEST=GREATER_EQUAL@4");
    await page.keyboard.press("Enter");
    await inspector.rest();
  }
  await inspector.openPanel(id);
  // Neither the mouse nor the focus is a part of the picture.
  await page.mouse.move(640, 1);
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
  await inspector.rest({ quiet: 500 });
}

/** Returns whether texts are as wide as in the snapshots. @param {{page: import("playwright-core").Page}} shown */
export async function hasKnownFonts({ page }) {
  const widths = await page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d");
    const { fontFamily } = getComputedStyle(document.body);
    const mono = getComputedStyle(document.documentElement).getPropertyValue("--mono");
    return [fontFamily, mono].map((family) => {
      if (context) {
        context.font = `100px ${family}`;
      }
      return Math.round(context?.measureText("Sphinx of black quartz, judge my vow 0123456789").width ?? 0);
    });
  });
  if (MUST_UPDATE) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(FONTS, `${JSON.stringify({ widths })}\n`);
    return true;
  }
  return existsSync(FONTS) && JSON.stringify(JSON.parse(readFileSync(FONTS, "utf8")).widths) === JSON.stringify(widths);
}

/**
 * Compares a screenshot with a snapshot.
 * @param {string} id
 * @param {Buffer} screenshot
 */
export function compare(id, screenshot) {
  const shown = halved(PNG.sync.read(screenshot));
  const path = join(FOLDER, `${id}.self.png`);
  if (MUST_UPDATE) {
    writeFileSync(path, PNG.sync.write(shown, { colorType: 2, filterType: -1, deflateLevel: 9 }));
    return;
  }
  assert.ok(existsSync(path), `${path} is missing; --update writes it`);
  const expected = PNG.sync.read(readFileSync(path));
  assert.deepEqual([shown.width, shown.height], [expected.width, expected.height]);
  const difference = new PNG({ width: shown.width, height: shown.height });
  const differing = pixelmatch(expected.data, shown.data, difference.data, shown.width, shown.height, { threshold: 0.15 });
  if (differing > TOLERANCE * shown.width * shown.height) {
    mkdirSync(FAILURES, { recursive: true });
    const [now, changes] = [join(FAILURES, `${id}.png`), join(FAILURES, `${id}.difference.png`)];
    writeFileSync(now, PNG.sync.write(shown));
    writeFileSync(changes, PNG.sync.write(difference));
    assert.fail(`panel ${id} looks different: ${differing} pixels; now ${now}, differences ${changes}; --update takes it`);
  }
}

/**
 * Returns a picture at half its size and with 5 bits a channel, which keeps the repository small.
 * @param {PNG} picture
 */
function halved({ width, height, data }) {
  const half = new PNG({ width: width >> 1, height: height >> 1 });
  for (let at = 0; at < half.data.length; at += 1) {
    const [pixel, channel] = [at >> 2, at & 3];
    const [x, y] = [pixel % half.width, Math.floor(pixel / half.width)];
    const corner = 4 * (2 * y * width + 2 * x) + channel;
    const four = [corner, corner + 4, corner + 4 * width, corner + 4 * width + 4].map((place) => data[place] ?? 0);
    const mean = (four.reduce((sum, value) => sum + value, 2)) >> 2;
    half.data[at] = (mean & 0xf8) | (mean >> 5);
  }
  return half;
}
