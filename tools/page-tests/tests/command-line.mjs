// The command line that the panel Edits shows draws the picture that the page shows.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";

import { PNG } from "pngjs";

import { watchedPage } from "../harness/browser.mjs";
import { eventually, withInspector } from "../harness/inspector.mjs";
import { ANEMONE, PROGRAM, SCRATCH, SIGNPOST, WYVERN } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

/** @param {import("../harness/targets.mjs").Target} target */
export function commandLineTests(target) {
  const runs = [
    { name: "wireframe of all draws", edits: ["--wireframe"] },
    { name: "wireframe of some draws", edits: ["--wireframe 3-5", "--wireframe=8"] },
    { name: "values", edits: ["--set ZTEST=GREATER_EQUAL@4", "--set=SCISSOR1.x=200", "CLEARMODE.color=0@2", "--set WORLD[0]=0.5@8"] },
    { name: "events left out", edits: ["--skip 5", "--skip=event:10"] },
    { name: "a draw alone", edits: ["--solo 3", "--solo 5"] },
    { name: "all at once", edits: ["--wireframe=4", "--skip 9", "--set BLENDENABLE=1@3-", "--set BLENDMODE.source=FIXED"] },
  ];
  for (const { name, edits } of runs) {
    test(`the command line is complete: ${name}`, () =>
      withInspector(target, SIGNPOST, async (inspector) => {
        const panel = await inspector.openPanel("edits");
        const before = await picture(inspector);
        for (const edit of edits) {
          await panel.getByLabel("New edit").fill(edit);
          await inspector.page.keyboard.press("Enter");
          await eventually(async () => assert.equal(await panel.getByLabel("New edit").inputValue(), "", edit));
        }
        await inspector.rest();
        assert.deepEqual(await inspector.errors(), []);
        const shown = await picture(inspector);
        assert.notDeepEqual(shown.data, before.data, "the edits change the picture");
        sameColors(await drawn(await panel.getByLabel("Command line").inputValue(), SIGNPOST), shown);
      }));
  }

  for (const { name, input, hash, options } of [
    { name: "a level and a group", input: "rover.rlb", hash: "#lod=1&group=1", options: /rover\.rlb --lod 1 --group 1 / },
    { name: "hidden parts of a member", input: "robot.bin", hash: "#member=entity%3A0&hidden=1", options: /'robot\.bin#entity:0' --hidden / },
  ]) {
    test(`the command line is complete: ${name}`, () => {
      const path = join(dirname(WYVERN), input);
      return withInspector(target, path, async (inspector) => {
        const panel = await inspector.openPanel("edits");
        assert.deepEqual(await inspector.errors(), []);
        const line = await panel.getByLabel("Command line").inputValue();
        assert.match(line, options);
        sameColors(await drawn(line, path), await picture(inspector));
      }, { hash });
    });
  }

  test("the command line is complete: a picture in place of a texture", () =>
    withInspector(target, SIGNPOST, async (inspector) => {
      const before = await picture(inspector);
      const textures = await inspector.openPanel("textures");
      await textures.getByRole("option").filter({ hasText: "CLUT8" }).first().click();
      const give = async (/** @type {string} */ name, /** @type {Buffer} */ buffer) => {
        const chooser = inspector.page.waitForEvent("filechooser");
        await textures.getByRole("button", { name: "Replace…" }).click();
        await (await chooser).setFiles({ name, mimeType: "image/png", buffer });
      };
      const png = new PNG({ width: 4, height: 4 });
      png.data.fill(0x80);
      const bytes = PNG.sync.write(png);
      writeFileSync(join(SCRATCH, "grey.png"), bytes);
      await give("grey.png", bytes);
      await inspector.rest();
      assert.deepEqual(await inspector.errors(), []);
      const shown = await picture(inspector);
      assert.ok(Buffer.compare(shown.data, before.data) !== 0, "the picture shows it");
      const edits = await inspector.openPanel("edits");
      const line = await edits.getByLabel("Command line").inputValue();
      assert.match(line, /--replace-texture '?0x[0-9a-f]+=grey\.png'? /);
      sameColors(await drawn(line.replace("=grey.png", `=${join(SCRATCH, "grey.png")}`), SIGNPOST), shown);
      await edits.getByRole("button", { name: "Remove all" }).click();
      await inspector.rest();
      sameColors(await picture(inspector), before);
      await inspector.openPanel("textures");
      await give("grey.png", Buffer.from("no picture"));
      await eventually(async () => assert.match((await inspector.errors()).join(), /grey\.png: .*format/));
    }));

  test("a page opens at the place of a link, once by its code", async () => {
    const place = "#event=3&panel=mesh";
    const server = spawn(PROGRAM, ["view", SIGNPOST, "--no-open", "--port", "0", "--at", `http://127.0.0.1:1/word/${place}`], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const address = await new Promise((resolve) => createInterface({ input: server.stdout }).once("line", resolve));
      const { page, close } = await watchedPage(address);
      await page.goto(address);
      await page.locator("#panel-mesh").waitFor({ state: "visible" });
      await eventually(async () => assert.equal(await page.getByLabel("Number of the event").inputValue(), "3"));
      await close();
    } finally {
      server.kill();
    }
    const { status, stderr } = spawnSync(PROGRAM, ["view", SIGNPOST, "--at", "57"], { encoding: "utf8" });
    assert.equal(status, 2);
    assert.match(stderr, /expected a link that the page has copied/);
  });

  test("the command line is complete: options of the file", async () => {
    // This model has levels of detail, and the option chooses one.
    const args = ["view", "rover.rlb", "--lod", "1", "--no-open", "--port", "0"];
    const server = spawn(PROGRAM, args, { cwd: dirname(WYVERN), stdio: ["ignore", "pipe", "inherit"] });
    try {
      const address = await new Promise((resolve) => createInterface({ input: server.stdout }).once("line", resolve));
      const { page, close } = await watchedPage(address);
      await page.goto(`${address}#panel=edits`);
      await eventually(async () => assert.match(await page.getByLabel("Command line").inputValue(), /^pspge render rover\.rlb --lod 1 /));
      await close();
    } finally {
      server.kill();
    }
  });

  test("the command line is complete: camera, pose and arithmetic of a model", () =>
    withInspector(target, ANEMONE, async (inspector) => {
      await inspector.openPanel("model");
      const stage = inspector.page.locator("section.picture");
      await stage.getByRole("button", { name: "Left", exact: true }).click();
      await stage.getByLabel("Animation", { exact: true }).selectOption({ index: 1 });
      await stage.getByLabel("Frame number").fill("3");
      await inspector.page.keyboard.press("Enter");
      await stage.locator("button.primary").click();
      const panel = await inspector.openPanel("edits");
      await panel.getByLabel("Arithmetic").selectOption("single");
      await inspector.rest();
      assert.deepEqual(await inspector.errors(), []);
      const line = await panel.getByLabel("Command line").inputValue();
      assert.match(line, /--anim 0 --frame 3\b/);
      sameColors(await drawn(line, ANEMONE), await picture(inspector));
    }));
}

/** Returns the picture at the end of the run, as the page saves it. @param {Inspector} inspector */
async function picture(inspector) {
  await inspector.press("End");
  await inspector.page.getByRole("button", { name: "Save", exact: true }).click();
  const [download] = await Promise.all([
    inspector.page.waitForEvent("download"),
    inspector.page.getByRole("button", { name: /^Picture at this event/ }).click(),
  ]);
  return PNG.sync.read(readFileSync(await download.path()));
}

/**
 * Returns the picture of a command line, which runs in the folder of its input.
 * @param {string} line
 * @param {string} input
 */
async function drawn(line, input) {
  const path = join(SCRATCH, `drawn-${Math.random().toString(16).slice(2)}.png`);
  assert.match(line, /^pspge render .* -o picture\.png$/);
  const command = line.replace(/^pspge/, '"$PROGRAM"').replace("picture.png", '"$PICTURE"');
  const env = { ...process.env, PROGRAM, PICTURE: path };
  const { status, stderr } = spawnSync("sh", ["-c", command], { cwd: dirname(input), encoding: "utf8", env });
  assert.equal(status, 0, `${line}: ${stderr}`);
  return PNG.sync.read(readFileSync(path));
}

/**
 * Expects two pictures to have the same colours. Only one may have an alpha channel.
 * @param {PNG} actual
 * @param {PNG} expected
 */
function sameColors(actual, expected) {
  const colors = (/** @type {PNG} */ { data }) => data.filter((_, index) => index % 4 < 3);
  assert.deepEqual([actual.width, actual.height], [expected.width, expected.height]);
  assert.ok(Buffer.compare(colors(actual), colors(expected)) === 0, "the colours are the same");
}
