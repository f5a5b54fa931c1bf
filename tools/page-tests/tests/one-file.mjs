// The page as one file: it is saved from the menu with the shown part, opens at the same place, and needs no network.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { PNG } from "pngjs";

import { eventually, withInspector } from "../harness/inspector.mjs";
import { pspge, ROOT, SCRATCH, SIGNPOST, WYVERN } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */
/** @typedef {import("../harness/targets.mjs").Target} Target */

const ROVER = join(ROOT, "tools", "sample", "rover.rlb");
const ITEM = "The page as one file (HTML)";
/** A window in which the list of members is shown at first. */
const WIDE = { width: 1700, height: 900 };

/** @param {Target} target */
export function oneFileTests(target) {
  const hasEngine = pspge("view", "-o", join(SCRATCH, "engine.html")).status === 0;
  if (!hasEngine) {
    test("a program without the engine says how to get it", () =>
      withInspector(target, SIGNPOST, async (inspector) => {
        await inspector.page.getByRole("button", { name: "Save", exact: true }).click();
        await inspector.page.getByRole("button", { name: ITEM }).click();
        await eventually(async () => assert.match((await inspector.errors()).join(), /run `cargo dev web` in its source, and build it again/));
      }, { allows: /501/ }));
    return;
  }
  test("a level of a model is saved with its page, and again from there", () => saveAndOpen(target, ROVER, "#lod=1&camera=90,0,1", async (inspector) => {
    const panel = await inspector.openPanel("model");
    await eventually(async () => assert.equal(await panel.getByLabel("Level of detail").inputValue(), "1"));
    assert.match(await inspector.page.locator(".camera-text").innerText(), /^yaw 90°/);
  }));
  test("a member is saved with its page, and again from there", () => saveAndOpen(target, WYVERN, "#member=2", async ({ page }) => {
    await eventually(async () => assert.equal(await page.locator(".stored-texture canvas").count(), 4));
    assert.equal(await page.locator("h1.file-name").innerText(), "lampwing.pac › 2");
  }));
  test("a picture in place of a texture is saved with its page, and again from there", () => savePicture(target));
  if (target.name === "server") {
    test("a folder is saved with its page, by the command and by the menu", () => wholeFolder(target));
    test("a member of a file in a folder is saved with its page", () => memberInFolder(target));
  }
  test("the page as one file runs no foreign code and asks nobody", () => confined(target));
}

/** Saves the page of a place and returns an address of the file. @param {Inspector} inspector @param {string} name */
async function savePage(inspector, name) {
  await inspector.page.getByRole("button", { name: "Save", exact: true }).click();
  const [download] = await Promise.all([inspector.page.waitForEvent("download"), inspector.page.getByRole("button", { name: ITEM }).click()]);
  const path = join(SCRATCH, `${name}-${download.suggestedFilename()}`);
  writeFileSync(path, readFileSync(await download.path()));
  return pathToFileURL(path).href;
}

/** A target of a page that is a file already. @param {Target} target @param {string} address @returns {Target} */
function fileAt(target, address) {
  return { ...target, mustDrop: false, address: async () => address };
}

/**
 * Saves a place as a page, opens that, and saves it again.
 * @param {Target} target
 * @param {string} input
 * @param {string} hash
 * @param {(inspector: Inspector) => Promise<void>} check
 */
async function saveAndOpen(target, input, hash, check) {
  const [first, second] = ["first", "second"].map((name) => `${target.name}-${name}-${hash.replace(/\W/g, "")}`);
  let address = "";
  await withInspector(target, input, async (inspector) => {
    await check(inspector);
    address = await savePage(inspector, first ?? "");
  }, { hash });
  for (const name of [second, null]) {
    await withInspector(fileAt(target, address), input, async (inspector) => {
      await check(inspector);
      assert.deepEqual(await inspector.errors(), []);
      address = name ? await savePage(inspector, name) : address;
    });
  }
}

/** @param {Target} target */
async function savePicture(target) {
  const png = new PNG({ width: 4, height: 4 });
  png.data.fill(0x80);
  const shown = (/** @type {Inspector} */ inspector) => inspector.canvas().evaluate((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL());
  let [address, expected] = ["", ""];
  await withInspector(target, SIGNPOST, async (inspector) => {
    const textures = await inspector.openPanel("textures");
    await textures.getByRole("option").filter({ hasText: "CLUT8" }).first().click();
    const before = await shown(inspector);
    const chooser = inspector.page.waitForEvent("filechooser");
    await textures.getByRole("button", { name: "Replace…" }).click();
    await (await chooser).setFiles({ name: "grey & co.png", mimeType: "image/png", buffer: PNG.sync.write(png) });
    await eventually(async () => assert.notEqual(await shown(inspector), before));
    await inspector.rest();
    expected = await shown(inspector);
    address = await savePage(inspector, `${target.name}-picture`);
  });
  for (const name of [`${target.name}-picture-again`, null]) {
    await withInspector(fileAt(target, address), SIGNPOST, async (inspector) => {
      await eventually(async () => assert.equal(await shown(inspector), expected));
      assert.deepEqual(await inspector.errors(), []);
      address = name ? await savePage(inspector, name) : address;
    });
  }
}

/** Writes a folder with a model in a container, textures and a list, and returns its path. */
function folder() {
  const path = join(SCRATCH, "pages");
  mkdirSync(join(path, "inner"), { recursive: true });
  copyFileSync(WYVERN, join(path, "inner", "lampwing.pac"));
  copyFileSync(join(ROOT, "tools", "sample", "swatches.tm2"), join(path, "swatches.tm2"));
  copyFileSync(SIGNPOST, join(path, "signpost.ge"));
  return path;
}

/** @param {Target} target */
async function wholeFolder(target) {
  const written = join(SCRATCH, "whole-folder.html");
  const { status, stderr } = pspge("view", folder(), "-o", written);
  assert.equal(status, 0, stderr);
  let saved = "";
  await withInspector(target, folder(), async (inspector) => {
    saved = await savePage(inspector, "folder");
  }, { viewport: WIDE });
  for (const address of [pathToFileURL(written).href, saved]) {
    await withInspector(fileAt(target, address), folder(), async ({ page }) => {
      const rows = page.locator(".members .table-row");
      await eventually(async () => assert.match((await rows.locator(".member-name").allInnerTexts()).join(), /^inner\/lampwing\.pac,.*signpost\.ge\.ppdmp,swatches\.tm2$/));
      await rows.filter({ hasText: "signpost" }).click();
      await eventually(async () => assert.match(await page.locator(".file-facts").innerText(), /frame dump.* 11 draws/));
      await rows.filter({ hasText: "swatches" }).click();
      await page.locator(".stored-texture canvas").first().waitFor();
      assert.deepEqual(await page.locator(".errors .error-text").allInnerTexts(), []);
    }, { viewport: WIDE });
  }
}

/** @param {Target} target */
async function memberInFolder(target) {
  let saved = "";
  await withInspector(target, folder(), async (inspector) => {
    await inspector.page.locator(".stored-texture canvas").first().waitFor();
    saved = await savePage(inspector, "member");
  }, { hash: "#member=inner%2Flampwing.pac%2F2" });
  await withInspector(fileAt(target, saved), folder(), async ({ page }) => {
    await eventually(async () => assert.equal(await page.locator(".stored-texture canvas").count(), 4));
    assert.deepEqual(await page.locator(".errors .error-text").allInnerTexts(), []);
  });
}

/** @param {Target} target */
async function confined(target) {
  const path = join(SCRATCH, `confined-${target.name}.html`);
  assert.equal(pspge("view", SIGNPOST, "-o", path).status, 0);
  const allows = /Content Security Policy|example\.invalid|net::ERR/;
  await withInspector(fileAt(target, pathToFileURL(path).href), SIGNPOST, async ({ page }) => {
    const stolen = await page.evaluate(async () => {
      const holder = /** @type {any} */ (window);
      const add = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes, text = "") => {
        const element = document.createElement(tag);
        Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
        element.textContent = text;
        document.body.append(element);
      };
      add("script", {}, "window.isStolen = 1");
      add("script", { src: "data:text/javascript,window.isStolen=2" });
      add("script", { type: "module", src: "data:text/javascript,window.isStolen=3" });
      add("img", { src: "data:,", onerror: "window.isStolen=4" });
      const refused = [];
      for (const ask of [() => fetch("https://example.invalid/"), () => fetch("data:text/plain,1")]) {
        try {
          await ask();
          refused.push(false);
        } catch {
          refused.push(true);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { isStolen: holder.isStolen ?? null, refused };
    });
    assert.deepEqual(stolen, { isStolen: null, refused: [true, true] });
  }, { allows });
}
