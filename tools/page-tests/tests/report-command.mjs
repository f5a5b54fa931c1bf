// The report that the command writes, with its look.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { watchedPage } from "../harness/browser.mjs";
import { PROGRAM, SCRATCH, signpostDump, WYVERN } from "../harness/inputs.mjs";
import { eventually } from "../harness/inspector.mjs";
import { compare, hasKnownFonts } from "./snapshots.mjs";

/** Writes a report on two cases and three renderers, of which one is wrong at draw 70 of the wyvern. */
function report() {
  const folder = join(SCRATCH, "cases");
  const results = join(SCRATCH, "results");
  mkdirSync(folder, { recursive: true });
  copyFileSync(signpostDump(), join(folder, "signpost.ppdmp"));
  const run = (/** @type {string[]} */ ...args) => {
    // Names in the report must not depend on the folder of this run.
    const { status, stderr } = spawnSync(PROGRAM, args, { cwd: SCRATCH, encoding: "utf8" });
    assert.ok(status === 0 || (args[0] === "test" && status === 1), stderr);
  };
  run("pack", WYVERN, "-o", join(folder, "lampwing.ppdmp"), "-q");
  for (const name of ["lampwing", "signpost"]) {
    run("render", join(folder, `${name}.ppdmp`), "-o", join(folder, `${name}.png`), "-q");
  }
  const wrong = `wrong='${PROGRAM}' render {in} -o {out} -q --set ZTEST=NEVER@40-80`;
  run("test", "cases", "--renderer", "pspge", "--renderer", "pspge-single", "--renderer", wrong, "-o", "results", "-q");
  return join(results, "report.html");
}

export function reportCommandTests() {
  test("the report of the command opens from disk", async (context) => {
    const path = report();
    assert.ok(existsSync(path), path);
    const url = pathToFileURL(path).href;
    const { page, problems, close } = await watchedPage(url, { viewport: { width: 1280, height: 720 } });
    try {
      await page.goto(`${url}#${new URLSearchParams({ case: "lampwing.ppdmp", renderer: "wrong" })}`);
      await eventually(async () => {
        const text = await page.locator("body").innerText();
        assert.match(text, /2 of 2 cases fail|1 of 2 cases fails/);
        assert.match(text, /first differs from pspge's after draw \d+, event \d+/);
      });
      assert.deepEqual(problems, []);
      await page.mouse.move(640, 1);
      await page.waitForTimeout(500);
      if (await hasKnownFonts({ page })) {
        compare("report", await page.screenshot());
      } else {
        context.diagnostic("the fonts are not those of the snapshots");
      }
    } finally {
      await close();
    }
  });
}
