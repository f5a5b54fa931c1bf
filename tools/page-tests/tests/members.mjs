// Members of containers and folders, alternatives of models, and stored textures: all are chosen in the page.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { eventually, withInspector } from "../harness/inspector.mjs";
import { ANEMONE, ROOT, sample, SCRATCH, SIGNPOST, WYVERN } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

const SAMPLES = join(ROOT, "tools", "sample");
const ROVER = join(SAMPLES, "rover.rlb");
const ROBOT = join(SAMPLES, "robot.bin");
/** Files of textures, and how many each stores. */
const TEXTURES = { "lampwing.tmh": 4, "swatches.tm2": 8, "rover-hull.texm": 1 };

/** @param {import("../harness/targets.mjs").Target} target */
export function memberTests(target) {
  test("a member is chosen, and Back leads back", () => withInspector(target, WYVERN, chooseMember));
  test("levels, groups and hidden parts of a model are chosen", () => withInspector(target, ROVER, chooseLevel));
  test("hidden parts of a model are drawn", () => withInspector(target, ROBOT, showHidden));
  test("an address names a member and a level", async () => {
    await withInspector(target, ROVER, async (inspector) => {
      const panel = await inspector.openPanel("model");
      await eventually(async () => assert.equal(await panel.getByLabel("Level of detail").inputValue(), "2"));
      assert.deepEqual(await inspector.errors(), []);
    }, { hash: "#lod=2" });
    await withInspector(target, WYVERN, async (inspector) => {
      await expectTextures(inspector, 4);
      assert.equal(await inspector.page.title(), "lampwing.pac › 2 – pspge");
    }, { hash: "#member=2" });
  });
  test("parts that a file lacks give a message, and the file is shown", () =>
    withInspector(target, ROVER, async (inspector) => {
      await eventually(async () => assert.match((await inspector.errors()).join(), /levels of detail 0, 1, 2/));
      assert.equal(await inspector.page.locator("main").isVisible(), true);
      assert.equal(await inspector.addressPart("lod"), null, "it is not in the address any more");
      const panel = await inspector.openPanel("model");
      assert.equal(await panel.getByLabel("Level of detail").inputValue(), "0");
    }, { hash: "#lod=77" }));
  for (const [name, number] of Object.entries(TEXTURES)) {
    test(`a file of textures is shown as pictures: ${name}`, () =>
      withInspector(target, join(SAMPLES, name), (inspector) => expectTextures(inspector, number)));
  }
  test("a picture has its frames and levels, and is seen from the front", () =>
    withInspector(target, join(SAMPLES, "candle.gim"), async (inspector) => {
      await eventually(async () => assert.match(await cameraText(inspector), /^yaw 0°, pitch 0°/));
      const panel = inspector.panel("model");
      await eventually(async () => assert.equal(await panel.locator(".stored-texture").count(), 9));
      assert.ok((await pictures(inspector)).every((size) => size > 0));
      await panel.getByLabel("Group").selectOption("1");
      await inspector.rest();
      await eventually(async () => assert.equal(await inspector.addressPart("group"), "1"));
      assert.deepEqual(await inspector.errors(), []);
    }));
  test("a flat map is seen from above, also by the events and the command line", () => {
    const path = join(SCRATCH, "flat.pmp");
    writeFileSync(path, flatMap());
    return withInspector(target, path, async (inspector) => {
      await eventually(async () => assert.match(await cameraText(inspector), /^yaw 0°, pitch 90°/));
      assert.equal(await inspector.page.getByRole("button", { name: "Inspect this view" }).isDisabled(), true);
      const edits = await inspector.openPanel("edits");
      assert.match(await edits.getByLabel("Command line").inputValue(), /--view front --yaw 0 --pitch 90 --zoom 1/);
    });
  });
  test("the view of a model is the stage while its panel is chosen", () => withInspector(target, ANEMONE, turnModel));
  if (target.name === "server") {
    test("the files of a folder are a list", () => withInspector(target, folder(), browseFolder));
    test("files of a folder that come and go are told", () => withInspector(target, changingFolder(), followFolder));
    test("hostile members are text", () => withInspector(target, hostileFolder(), async (inspector) => {
      const { page } = inspector;
      await eventually(async () => assert.equal(await page.locator(".members .table-row").count(), 3));
      assert.equal(await page.evaluate(() => "isStolen" in window || document.querySelectorAll("img").length > 0), false);
      assert.match(await page.locator(".members").innerText(), /<img src=x/);
      assert.doesNotMatch(await page.locator(".members").innerText(), /\u202e/);
      for (const row of [0, 1, 2]) {
        await page.locator(".members .table-row").nth(row).click();
        await inspector.rest();
      }
      assert.equal(await page.locator(".members").isVisible(), true, "the page goes on");
    }));
  }
}

/** Shows the list of members, and returns its rows. @param {Inspector} inspector */
async function memberRows({ page }) {
  const list = page.locator(".members");
  if (!(await list.isVisible())) {
    await page.getByRole("button", { name: "Members", exact: true }).click();
  }
  await list.locator(".table-row").first().waitFor();
  return list.locator(".table-row");
}

/** @param {Inspector} inspector */
function cameraText(inspector) {
  return inspector.page.locator(".camera-text").innerText();
}

/** Returns the number of pixels of each texture that are not transparent. @param {Inspector} inspector */
function pictures({ page }) {
  return page.locator(".stored-texture canvas").evaluateAll((canvases) =>
    canvases.map((canvas) => {
      const { width, height } = /** @type {HTMLCanvasElement} */ (canvas);
      if (width === 0) {
        return 0;
      }
      // A copy, because reading the page's own canvas often would be reported as a problem of the page.
      const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
      copy?.drawImage(/** @type {HTMLCanvasElement} */ (canvas), 0, 0);
      const { data } = copy?.getImageData(0, 0, width, height) ?? { data: [] };
      return [...data].filter((value, at) => at % 4 === 3 && value > 0).length;
    }),
  );
}

/**
 * @param {Inspector} inspector
 * @param {number} number
 */
async function expectTextures(inspector, number) {
  await eventually(async () => {
    const sizes = await pictures(inspector);
    assert.equal(sizes.length, number);
    assert.ok(sizes.every((size) => size > 0), `all have pixels: ${sizes}`);
  });
  assert.deepEqual(await inspector.errors(), []);
}

/** @param {Inspector} inspector */
async function chooseMember(inspector) {
  const { page } = inspector;
  const rows = await memberRows(inspector);
  assert.deepEqual(await rows.locator("> :nth-child(2)").allInnerTexts(), ["pmo", "ahi", "tmh", "mh-anim"]);
  const hash = await inspector.addressPart("file");
  await rows.nth(2).click();
  await expectTextures(inspector, 4);
  await eventually(async () => assert.equal(await inspector.addressPart("member"), "2"));
  assert.equal(await inspector.addressPart("file"), hash, "the same file");
  assert.equal(await page.locator("h1.file-name").innerText(), "lampwing.pac › 2");
  // The next member is chosen by a key, and its events are its own.
  await rows.nth(2).click();
  await page.keyboard.press("Home");
  await page.locator("main").waitFor();
  await eventually(async () => assert.equal(await inspector.addressPart("member"), "0"));
  await inspector.rest();
  await page.goBack();
  await expectTextures(inspector, 4);
  await page.goBack();
  await page.locator("main").waitFor();
  await eventually(async () => assert.equal(await inspector.addressPart("member"), null));
  await page.goForward();
  await expectTextures(inspector, 4);
  await page.reload();
  await expectTextures(inspector, 4);
}

/** @param {Inspector} inspector */
async function chooseLevel(inspector) {
  const { page } = inspector;
  const panel = await inspector.openPanel("model");
  const draws = () => page.locator(".file-facts").innerText();
  const vertices = async () => {
    await panel.getByRole("tab", { name: "File" }).click();
    const text = await panel.locator(".facts").innerText();
    return Number(/vertices\s+(\d+)/.exec(text)?.[1]);
  };
  await inspector.rest();
  const [fine, facts] = [await vertices(), await draws()];
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await panel.getByLabel("Level of detail").selectOption("2");
  await eventually(async () => assert.equal(await inspector.addressPart("lod"), "2"));
  await inspector.rest();
  assert.ok((await vertices()) < fine, "a coarser level has fewer vertices");
  assert.match(await cameraText(inspector), /^yaw 180°/, "the camera stays");
  await panel.getByLabel("Group").selectOption("1");
  await eventually(async () => assert.equal(await inspector.addressPart("group"), "1"));
  await inspector.rest();
  assert.notEqual(await draws(), facts, "the events are those of the part");
  await page.goBack();
  await eventually(async () => assert.equal(await panel.getByLabel("Group").inputValue(), "0"));
  await page.goBack();
  await eventually(async () => assert.equal(await panel.getByLabel("Level of detail").inputValue(), "0"));
  await inspector.rest();
  assert.equal(await draws(), facts);
  assert.deepEqual(await inspector.errors(), []);
}

/** @param {Inspector} inspector */
async function showHidden(inspector) {
  const panel = await inspector.openPanel("model");
  const before = await shownModel(inspector);
  await panel.getByLabel("Hidden parts").check();
  await eventually(async () => assert.equal(await inspector.addressPart("hidden"), "1"));
  await inspector.rest();
  await eventually(async () => assert.notEqual(await shownModel(inspector), before));
  await panel.getByLabel("Hidden parts").uncheck();
  await eventually(async () => assert.equal(await shownModel(inspector), before));
}

/**
 * Returns the picture of the model. It waits for the first one, because the page asks for it only once its place has a size.
 * @param {Inspector} inspector
 */
async function shownModel(inspector) {
  const canvas = inspector.page.locator(".picture .model-canvas");
  const width = () => canvas.evaluate((element) => /** @type {HTMLCanvasElement} */ (element).width);
  await eventually(async () => assert.ok((await width()) > 1));
  // Another one follows if the place changes its size after that.
  await inspector.rest();
  return canvas.evaluate((element) => /** @type {HTMLCanvasElement} */ (element).toDataURL());
}

/** @param {Inspector} inspector */
async function turnModel(inspector) {
  const { page } = inspector;
  await inspector.openPanel("model");
  const stage = page.locator(".picture .model-stage");
  const box = await stage.boundingBox();
  assert.ok(box && box.width > 400 && box.height > 400, "it is in the middle of the page");
  const before = await shownModel(inspector);
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 200, { steps: 4 });
  await page.mouse.up();
  assert.match(await cameraText(inspector), /^yaw 345°, pitch 20°/);
  await inspector.rest();
  assert.notEqual(await shownModel(inspector), before);
  await page.getByRole("tab", { name: /^Bones/ }).focus();
  await inspector.press("+");
  assert.match(await cameraText(inspector), /zoom 1\.2$/);
  await inspector.press("0");
  assert.match(await cameraText(inspector), /^yaw 35°, pitch 20°, zoom 1$/);
  await stage.focus();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("button", { name: "Inspect this view" }).click();
  const turned = (await cameraText(inspector)).split(",")[0] ?? "";
  await eventually(async () => assert.equal(`yaw ${((await inspector.addressPart("camera")) ?? "").split(",")[0]}°`, turned));
  await inspector.openPanel("state");
  assert.equal(await stage.isVisible(), false, "other panels show the picture of the run");
  await inspector.canvas().waitFor();
  await inspector.openPanel("model");
  assert.ok((await cameraText(inspector)).startsWith(turned), "the view is as it was");
}

/** Writes a folder of files and returns its path. */
function folder() {
  const path = join(SCRATCH, "collection");
  mkdirSync(join(path, "inner"), { recursive: true });
  for (const name of ["rover.rlb", "swatches.tm2", "lampwing.pac"]) {
    copyFileSync(join(SAMPLES, name), join(path, "inner", name));
  }
  copyFileSync(SIGNPOST, join(path, "signpost.ge"));
  return path;
}

/** @param {Inspector} inspector */
async function browseFolder(inspector) {
  const { page } = inspector;
  const rows = await memberRows(inspector);
  const names = () => rows.locator(".member-name").allInnerTexts();
  assert.deepEqual(await names(), ["inner/lampwing.pac", "inner/rover.rlb", "inner/swatches.tm2", "signpost.ge"]);
  await page.getByText("A folder of files").waitFor();
  await rows.nth(2).click();
  await expectTextures(inspector, 8);
  await rows.nth(3).click();
  await eventually(async () => assert.match(await page.locator(".file-facts").innerText(), /display list · \d+ draws/));
  await page.goBack();
  await expectTextures(inspector, 8);
  // A container in the folder shows its own members below it.
  await rows.nth(0).click();
  await page.locator("main").waitFor();
  await eventually(async () => assert.equal((await names()).length, 8));
  await rows.nth(3).click();
  await expectTextures(inspector, 4);
  await eventually(async () => assert.equal(await inspector.addressPart("member"), "inner/lampwing.pac/2"));
  assert.match(await page.locator("h1.file-name").innerText(), /^collection › inner › lampwing\.pac › 2$/);
}

/** Writes a folder whose files come and go, and returns its path. */
function changingFolder() {
  const path = join(SCRATCH, "changing");
  mkdirSync(path, { recursive: true });
  for (const name of ["a.ge", "b.ge", "c.ge"]) {
    copyFileSync(SIGNPOST, join(path, name));
  }
  copyFileSync(WYVERN, join(path, "d.pac"));
  return path;
}

/** @param {Inspector} inspector */
async function followFolder(inspector) {
  const { page } = inspector;
  const path = changingFolder();
  const rows = await memberRows(inspector);
  const news = () => page.locator(".members-news").innerText();
  const expectRows = (/** @type {string[]} */ names) => eventually(async () => assert.deepEqual(await rows.locator(".member-name").allInnerTexts(), names));
  await expectRows(["a.ge", "b.ge", "c.ge", "d.pac"]);
  assert.equal(await news(), "");
  await rows.nth(0).click();
  await page.locator("main").waitFor();
  // The tab gets the focus again after the folder has changed.
  copyFileSync(SIGNPOST, join(path, "later.ge"));
  rmSync(join(path, "b.ge"));
  copyFileSync(WYVERN, join(path, "c.ge"));
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expectRows(["a.ge", "c.ge", "d.pac", "later.ge"]);
  assert.equal(await news(), "New: later.ge. Gone: b.ge.");
  assert.deepEqual(await rows.locator("> :nth-child(2)").allInnerTexts(), ["ge", "pac", "pac", "ge"], "the formats are those of now");
  assert.equal(await rows.locator("xpath=self::*[@aria-selected='true']").innerText().then((text) => text.split("\n")[0]), "a.ge", "the shown one stays chosen");
  await rows.nth(3).click();
  await eventually(async () => assert.equal(await inspector.addressPart("member"), "later.ge"));
  assert.equal(await news(), "", "they are told until another file is shown");
  // A file that is gone meanwhile does not open, and leaves the list.
  rmSync(join(path, "c.ge"));
  await rows.nth(1).click();
  await expectRows(["a.ge", "d.pac", "later.ge"]);
  assert.equal(await news(), "Gone: c.ge.");
  assert.match((await inspector.errors()).join(), /c\.ge/);
  assert.equal(await inspector.addressPart("member"), "later.ge", "what was shown stays");
  // An address may name a file that came after the last look into the folder.
  copyFileSync(SIGNPOST, join(path, "last.ge"));
  await inspector.rest();
  await page.goto(`${inspector.address}#member=last.ge`);
  await eventually(async () => assert.match(await page.locator("h1.file-name").innerText(), /last\.ge$/));
  await inspector.rest();
}

/** Writes a folder with files that deceive and returns its path. */
function hostileFolder() {
  const path = join(SCRATCH, "hostile");
  mkdirSync(path, { recursive: true });
  const names = ["<img src=x onerror=\"window.isStolen=1\">.ge", "a\u202ecap.egnu", "damaged.pac"];
  const contents = ["FINISH | END\n", Uint8Array.from([1, 2, 3]), sample("lampwing.pac").subarray(0, 100)];
  names.forEach((name, index) => writeFileSync(join(path, name), contents[index] ?? ""));
  return path;
}

/** Returns a map whose instances are flat. */
function flatMap() {
  const bytes = Buffer.from(sample("reedling.pmp"));
  for (let instance = 0; instance < bytes.readUInt16LE(0x10); instance += 1) {
    const at = 0x20 + instance * 0x30;
    // The height of the place, and the scale along the vertical axis.
    bytes.writeFloatLE(0, at + 4);
    bytes.writeFloatLE(0.02, at + 28);
  }
  return bytes;
}
