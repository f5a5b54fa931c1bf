// What the page saves: tables as comma-separated values, textures as pictures.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { PNG } from "pngjs";

import { withInspector } from "../harness/inspector.mjs";
import { SIGNPOST } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

/** @param {import("../harness/targets.mjs").Target} target */
export function saveTests(target) {
  const check = (/** @type {string} */ name, /** @type {(inspector: Inspector) => Promise<void>} */ use) => test(name, () => withInspector(target, SIGNPOST, use));
  check("tables are saved as comma-separated values", tables);
  check("a texture is saved as a picture", texture);
  check("the geometry of a draw and of a pass is saved", geometry);
  test("links and commands are copied", () => withInspector(target, SIGNPOST, copies, { permissions: ["clipboard-read", "clipboard-write"] }));
}

/**
 * Returns the name and the bytes of a file that a button of a panel saves.
 * @param {Inspector} inspector
 * @param {import("playwright-core").Locator} panel
 * @param {string} button
 */
async function saved(inspector, panel, button) {
  const [download] = await Promise.all([inspector.page.waitForEvent("download"), panel.getByRole("button", { name: button }).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** @param {Inspector} inspector */
async function tables(inspector) {
  await inspector.selectEvent(8);
  const mesh = await inspector.openPanel("mesh");
  const primitives = await saved(inspector, mesh, "Save CSV");
  assert.equal(primitives.name, "draw-8-primitives.csv");
  const lines = primitives.bytes.toString("utf8").split("\r\n");
  assert.match(lines[0] ?? "", /^primitive,result,reason,vertices/);
  assert.equal(lines.length, 7, "five primitives, a head, and the end");
  assert.match(lines[2] ?? "", /^1,culled,/);
  await mesh.getByRole("tab", { name: /^Stages/ }).click();
  const stages = await saved(inspector, mesh, "Save CSV");
  assert.equal(stages.bytes.toString("utf8").trim().split("\r\n").length, 16, "15 vertices");
  const commands = await saved(inspector, await inspector.openPanel("commands"), "Save CSV");
  assert.equal(commands.name, "commands-to-event-8.csv");
  assert.match(commands.bytes.toString("utf8"), /VTYPE color=ABGR8888 position=FLOAT/);
}

/** @param {Inspector} inspector */
async function geometry(inspector) {
  await inspector.selectEvent(8);
  const item = async (/** @type {string} */ name) => {
    await inspector.page.getByRole("button", { name: "Save", exact: true }).click();
    return saved(inspector, inspector.page.locator("header"), name);
  };
  const draw = await item("Geometry of draw 8 (glTF, .glb)");
  assert.match(draw.name, /^signpost-\d+\.glb$/);
  assert.equal(draw.bytes.toString("latin1", 0, 4), "glTF");
  const pass = await item("Geometry of pass 1 (glTF, .glb)");
  assert.match(pass.name, /^signpost-\d+-\d+\.glb$/);
  assert.ok(pass.bytes.length >= draw.bytes.length, "a pass has more than one of its draws");
  const shown = await item("Picture as it is shown, with overlays (PNG)");
  assert.equal(shown.name, "shown.png");
}

/** @param {Inspector} inspector */
async function copies(inspector) {
  const { page } = inspector;
  await inspector.selectEvent(8);
  const copied = async (/** @type {string} */ name) => {
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await page.keyboard.press("Escape");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied("Copy the link to this place"), page.url());
  const command = await copied("Copy the command that opens this place");
  assert.match(command, /^pspge view \S*signpost\.ge --at '#file=[0-9a-f]+&event=8&[^']*'$/);
  assert.equal(await copied("Copy the command that writes this place as one file"), `${command} -o page.html`);
}

/** @param {Inspector} inspector */
async function texture(inspector) {
  await inspector.selectEvent(7);
  const { name, bytes } = await saved(inspector, await inspector.openPanel("textures"), "Save PNG");
  const picture = PNG.sync.read(bytes);
  assert.match(name, /^texture-\d+\.png$/);
  assert.deepEqual([picture.width, picture.height, ...picture.data.subarray(0, 4)], [4, 4, 0xb0, 0xff, 0xff, 0xff]);
}
