// The ten questions that the page is for, asked with mouse and keyboard, about a list whose answers are known.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { PNG } from "pngjs";

import { eventually, withInspector } from "../harness/inspector.mjs";
import { pspge, SCRATCH, SIGNPOST } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

const RED = "#c02020ff";
const BLUE = "#2040c0ff";
const SKY = "#405878ff";
/** The edit that mends the depth test of draw 4. */
const MENDED = "--set ZTEST=GREATER_EQUAL@4";

/** @param {import("../harness/targets.mjs").Target} target */
export function questionTests(target) {
  const ask = (/** @type {string} */ question, /** @type {(inspector: Inspector) => Promise<void>} */ answer, options = {}) =>
    test(question, () => withInspector(target, SIGNPOST, answer, options));

  ask("what is in this frame?", firstSight);
  ask("1. why is this pixel this colour?", whyThisColor);
  ask("2. which draw should have been there, and which test stopped it?", whichTest);
  ask("3. who set this register?", whoSetIt);
  ask("4. is that the fault?", isThatTheFault, { permissions: target.name === "server" ? ["clipboard-read", "clipboard-write"] : [] });
  ask("5. which pixels does this draw cover, and what did it change?", whichPixels);
  ask("5. which of its pixels are lost?", whichLost);
  ask("how far away is this?", depthRanges);
  ask("6. why is this triangle missing?", whyMissing);
  ask("7. which draws use this texture, and with which palette?", whichTexture);
  ask("8. where does this texture come from?", whereFrom);
  ask("9. where does the time go?", whereTimeGoes);
  ask("10. two settings differ: at which draw first?", whichDiffers);
  ask("10. two files differ: at which draw first?", whichFilesDiffer, { isOwn: true });
}

/** @param {Inspector} inspector */
async function firstSight(inspector) {
  const { page } = inspector;
  const matches = (/** @type {RegExp} */ pattern) => eventually(async () => assert.match(await page.locator(".matches").innerText(), pattern));
  // The finished frame, without an overlay.
  await inspector.expectEvent(12);
  await eventually(async () => assert.match(await inspector.pictureLabel(), /0x04000000, 480 by 272 pixels, after event 12$/));
  assert.equal(await inspector.colorAt(250, 150), RED);
  const frame = inspector.panel("frame");
  await eventually(async () => assert.match(await frame.innerText(), /11 draws, 2 passes, 12 events[^]*Pass 0 · 2 draws[^]*Pass 1 · 9 draws[^]*Costliest draws\s+draw 2 Clear colour, stencil, depth[^]*Problems\s+None/));
  const widths = () => frame.locator(".frame-picture").evaluateAll((canvases) => canvases.map((canvas) => /** @type {HTMLCanvasElement} */ (canvas).width));
  await eventually(async () => assert.deepEqual(await widths(), [64, 96]));
  await frame.getByRole("button", { name: "Which draws show nothing, and why?" }).click();
  await matches(/^1 of 12 events match/);
  assert.match(await page.locator(".event-row").innerText(), /Sprite 200×90\s*all killed/);
  await frame.getByRole("button", { name: "What is the costliest draw?" }).click();
  await inspector.expectEvent(2);
  await inspector.panel("state").waitFor({ state: "visible" });
  await inspector.openPanel("frame");
  await frame.getByRole("button", { name: /^Pass 0/ }).click();
  await inspector.expectEvent(1);
  await inspector.press("End");
  await frame.getByRole("button", { name: "Which draws made this pixel?" }).click();
  const verdict = inspector.panel("pixel").locator(".verdict-text");
  await eventually(async () => assert.match(await verdict.innerText(), /^Draw 3 of 11/));
}

/**
 * Returns the colour of a pixel as it is drawn with its overlays.
 * @param {Inspector} inspector
 * @param {number} x
 * @param {number} y
 */
async function drawnAt(inspector, x, y) {
  const place = await inspector.placeOf(x, y);
  await inspector.page.mouse.move(640, 1);
  await inspector.rest();
  return inspector.canvas().evaluate((element, at) => {
    const canvas = /** @type {HTMLCanvasElement} */ (element);
    const box = canvas.getBoundingClientRect();
    // Chromium warns if the page's own canvas is read often.
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    context?.drawImage(canvas, -Math.floor(at.x - box.left), -Math.floor(at.y - box.top));
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  }, place);
}

/** @param {Inspector} inspector */
async function whichLost(inspector) {
  // All fragments of draw 4 are killed; draw 3 loses none.
  await inspector.press("t");
  await inspector.selectEvent(3);
  const kept = await drawnAt(inspector, 250, 70);
  await inspector.selectEvent(4);
  const lost = await drawnAt(inspector, 250, 150);
  assert.notDeepEqual(lost, kept, "both are over the same red");
  await inspector.press("h");
  await inspector.rest();
  assert.notDeepEqual(await drawnAt(inspector, 250, 150), lost, "covered pixels alone have one colour");
}

/** @param {Inspector} inspector */
async function depthRanges(inspector) {
  const { page } = inspector;
  const range = page.getByRole("group", { name: "Range of depths" });
  assert.equal(await range.isVisible(), false, "colours have no range");
  await inspector.press("d");
  await range.waitFor({ state: "visible" });
  const ends = async () => [await range.getByLabel("Depth that is black").inputValue(), await range.getByLabel("Depth that is white").inputValue()];
  // The cleared depth and that of the red square; a range of a single depth would show nothing.
  const automatic = ["0x0000", "0x2000"];
  await eventually(async () => assert.deepEqual(await ends(), automatic));
  await range.getByRole("button", { name: "All" }).click();
  assert.deepEqual(await ends(), ["0x0000", "0xffff"]);
  const [dark = 0] = await drawnAt(inspector, 250, 150);
  await range.getByLabel("Invert").check();
  const [bright = 0] = await drawnAt(inspector, 250, 150);
  assert.ok(Math.abs(255 - dark - bright) <= 1, `${dark} becomes ${bright}`);
  await range.getByLabel("Depth that is white").fill("0x4000");
  await page.keyboard.press("Enter");
  assert.deepEqual(await ends(), ["0x0000", "0x4000"]);
  assert.match((await range.getByRole("img").getAttribute("aria-label")) ?? "", /of 130560 pixels are within the range/);
  await range.getByRole("button", { name: "Automatic" }).click();
  assert.deepEqual(await ends(), automatic);
}

/** @param {Inspector} inspector */
async function whyThisColor(inspector) {
  await inspector.clickPixel(250, 150);
  const panel = inspector.panel("pixel");
  const verdict = panel.locator(".verdict-text");
  await eventually(async () => assert.equal(await verdict.innerText(), `Draw 3 of 11, rectangle 0: written, ${RED} over ${SKY}.`));
  const history = await panel.locator(".history > li .entry-verdict").allInnerTexts();
  assert.deepEqual(history, [
    "Rectangle 0: killed by depth: 0x3000 LESS 0x2000 fails.",
    `Rectangle 0: written, ${RED} over ${SKY}.`,
    `Rectangle 0: cleared, ${SKY} over #00000000.`,
  ]);
  // The steps of the last writer are open: its depth test always passes.
  assert.match(await panel.getByRole("row", { name: /^Depth test/ }).last().innerText(), /0x2000 ALWAYS ✓ passes/);
  // By keyboard: fifty pixels to the right and one up there is only the sky.
  await inspector.press("Control+ArrowUp");
  for (let step = 0; step < 50; step += 1) {
    await inspector.page.keyboard.press("Control+ArrowRight");
  }
  await eventually(async () => assert.match(await verdict.innerText(), /^Draw 2 of 11/));
}

/** @param {Inspector} inspector */
async function whichTest(inspector) {
  await inspector.selectEvent(12);
  await inspector.clickPixel(250, 150);
  const killed = inspector.panel("pixel").locator(".history > li", { hasText: "killed by depth" });
  await killed.locator("summary").waitFor();
  if (!(await killed.locator(".steps").isVisible())) {
    await killed.locator("summary").click();
  }
  assert.match(await killed.locator(".steps").innerText(), /Depth test\s+0x3000 < 0x2000 ✗ fails/);
  await killed.getByRole("button", { name: "draw 4", exact: true }).click();
  await inspector.expectEvent(4);
  // The next key goes to the event that changed the pixel before: the red square.
  await inspector.press("p");
  await inspector.expectEvent(3);
}

/** @param {Inspector} inspector */
async function whoSetIt(inspector) {
  await inspector.selectEvent(4);
  const state = await inspector.openPanel("state");
  const row = state.getByRole("row", { name: /ZTEST/ }).filter({ hasText: "LESS" });
  assert.match(await row.innerText(), /LESS was ALWAYS/);
  await row.getByTitle(/^Written by command 82 at 0x0880022c/).click();
  const commands = inspector.panel("commands");
  await commands.waitFor({ state: "visible" });
  const active = commands.locator(".table-row.is-active");
  await eventually(async () => assert.match(await active.innerText(), /82[^]*ZTEST LESS[^]*0x0880022c/));
  const reference = commands.getByRole("region", { name: "Reference of the selected command" });
  await eventually(async () => assert.match(await reference.innerText(), /ZTEST[^]*Sets the comparison for the depth test[^]*GREATER_EQUAL/));
}

/** @param {Inspector} inspector */
async function isThatTheFault(inspector) {
  await inspector.selectEvent(4);
  assert.equal(await inspector.colorAt(250, 150), RED);
  const state = await inspector.openPanel("state");
  await state.getByRole("button", { name: /^ZTEST: LESS/ }).click();
  const choice = state.getByLabel(/^New value of/);
  await choice.selectOption("GREATER_EQUAL");
  await inspector.rest();
  await eventually(async () => assert.equal(await inspector.colorAt(250, 150), BLUE, "the picture follows"));
  await eventually(async () => assert.deepEqual(await inspector.edits(), [MENDED]));

  const edits = await inspector.openPanel("edits");
  assert.match(await edits.getByRole("list").innerText(), /--set ZTEST=GREATER_EQUAL@4/);
  const line = await edits.getByLabel("Command line").inputValue();
  assert.match(line, /^pspge render \S*signpost\.ge --set ZTEST=GREATER_EQUAL@4 -o picture\.png$/);
  await edits.getByRole("button", { name: "Copy as command line" }).click();
  if (inspector.address.startsWith("http")) {
    await eventually(async () => assert.equal(await inspector.page.evaluate(() => navigator.clipboard.readText()), line));
  }
  const picture = join(SCRATCH, "mended.png");
  const { status, stderr } = pspge("render", SIGNPOST, ...line.split(" ").slice(3, 5), "-o", picture);
  assert.equal(status, 0, stderr);
  const { data, width } = PNG.sync.read(readFileSync(picture));
  assert.deepEqual([...data.subarray(4 * (150 * width + 250)).subarray(0, 3)], [0x20, 0x40, 0xc0], "the command line draws the same");

  await inspector.press("z");
  await inspector.rest();
  assert.equal(await inspector.colorAt(250, 150), RED, "after the undo");
  await inspector.press("Control+y");
  await inspector.rest();
  assert.equal(await inspector.colorAt(250, 150), BLUE, "after the redo");
}

/** @param {Inspector} inspector */
async function whichPixels(inspector) {
  await inspector.selectEvent(5);
  assert.match(await inspector.page.locator(".status-facts").innerText(), /draw 5 covers 16.384 fragments/);
  const marked = await inspector.canvas().screenshot();
  await inspector.press("h");
  await inspector.rest();
  assert.equal(await inspector.page.getByRole("button", { name: "Covered" }).getAttribute("aria-pressed"), "false");
  const plain = await inspector.canvas().screenshot();
  assert.notDeepEqual(marked, plain, "the covered pixels are marked");
  await inspector.press("h");

  const yellow = await inspector.colorAt(380, 84);
  await inspector.press("f");
  await eventually(async () => assert.match(await inspector.pictureLabel(), /before event 5$/));
  await inspector.rest();
  assert.equal(await inspector.colorAt(380, 84), SKY, "before");
  await inspector.press("f");
  await eventually(async () => assert.match(await inspector.pictureLabel(), /after event 5$/));
  await inspector.rest();
  assert.equal(await inspector.colorAt(380, 84), yellow, "after");
  assert.notEqual(yellow, SKY);
}

/** @param {Inspector} inspector */
async function whyMissing(inspector) {
  await inspector.selectEvent(8);
  const mesh = await inspector.openPanel("mesh");
  const summary = mesh.locator(".mesh-summary");
  await eventually(async () => assert.match(await summary.innerText(), /^Draw 8, triangles: 5 primitives:/));
  const rows = mesh.getByRole("grid", { name: "Primitives" }).locator(".table-row");
  const texts = await rows.allInnerTexts();
  const fates = texts.map((text) => text.split(/\s*\n\s*/).slice(0, 3));
  assert.deepEqual(fates.map(([number, fate]) => [number, fate]), [
    ["0", "drawn"],
    ["1", "culled"],
    ["2", "dropped"],
    ["3", "without area"],
    ["4", "drawn, clipped"],
  ]);
  assert.match(fates[1]?.[2] ?? "", /it runs counter-clockwise/);
  assert.match(fates[2]?.[2] ?? "", /outside the 4096x4096 screen space/);
  assert.match(fates[4]?.[2] ?? "", /clipped at the near plane/);
  await rows.nth(1).click();
  await eventually(async () => assert.equal(await inspector.addressPart("primitive"), "1"));
  // By keyboard: the next row of the table.
  await inspector.page.keyboard.press("ArrowDown");
  await eventually(async () => assert.equal(await inspector.addressPart("primitive"), "2"));
  await inspector.expectEvent(8);
}

/** @param {Inspector} inspector */
async function whichTexture(inspector) {
  const textures = await inspector.openPanel("textures");
  const cards = textures.getByRole("listbox", { name: "Textures" }).getByRole("option");
  await eventually(async () => assert.equal(await cards.count(), 3));
  await cards.nth(1).click();
  const detail = textures.getByRole("region", { name: "Selected texture" });
  await inspector.rest();
  await eventually(async () => assert.match(await detail.innerText(), /CLUT8[^]*0x08800470[^]*Draws\s+6\s+Palette[^]*0x088004b0/));
  await cards.nth(2).click();
  await inspector.rest();
  await eventually(async () => assert.match(await detail.innerText(), /CLUT8[^]*0x08800470[^]*Draws\s+7\s+Palette[^]*0x088004d0/));
  await detail.getByRole("button", { name: "7", exact: true }).click();
  await inspector.expectEvent(7);
  await detail.getByRole("button", { name: "Filter events" }).click();
  await eventually(async () => assert.match(await inspector.page.locator(".matches").innerText(), /^1 of 12 events match/));
  // Both draws have the same texels.
  await inspector.page.getByLabel("Filter events").fill("texture:0x08800470");
  await eventually(async () => assert.match(await inspector.page.locator(".matches").innerText(), /^2 of 12 events match/));
}

/** @param {Inspector} inspector */
async function whereFrom(inspector) {
  await inspector.selectEvent(5);
  const textures = await inspector.openPanel("textures");
  const detail = textures.getByRole("region", { name: "Selected texture" });
  await eventually(async () => assert.match(await detail.innerText(), /Its texels were drawn by pass 0/));
  await detail.getByRole("button", { name: "Show its passes" }).click();
  const passes = inspector.panel("passes");
  await passes.waitFor({ state: "visible" });
  await inspector.rest();
  const selected = passes.getByRole("region", { name: "Selected pass" });
  await eventually(async () => assert.match(await selected.innerText(), /^Pass 0[^]*0x04110000[^]*pass 1: texture/));
  await selected.getByRole("button", { name: "Last draw" }).click();
  await inspector.expectEvent(1);
  await eventually(async () => assert.match(await inspector.pictureLabel(), /0x04110000, \d+ by \d+ pixels, after event 1/));
}

/** @param {Inspector} inspector */
async function whereTimeGoes(inspector) {
  const bars = inspector.page.locator(".event-row .cost-bar");
  const widths = await bars.evaluateAll((elements) => elements.map((element) => parseFloat(/** @type {HTMLElement} */ (element).style.width)));
  assert.equal(widths.length, 12);
  assert.equal(widths.indexOf(Math.max(...widths)), 2, `the clear of the screen costs most: ${widths}`);
  await inspector.selectEvent(12);
  await inspector.press("m");
  await inspector.rest();
  const legend = inspector.page.locator(".picture .legend");
  await eventually(async () => assert.match(await legend.innerText(), /Fragments written per pixel/));
  const place = await inspector.placeOf(60, 60);
  await inspector.page.mouse.move(place.x, place.y);
  await eventually(async () => assert.match(await inspector.page.locator(".status-value").innerText(), /\b5 fragments/, "the clear and four layers of smoke"));
  await inspector.press("m");
  await inspector.rest();
  await eventually(async () => assert.match(await legend.innerText(), /Cost per pixel/));
  await inspector.page.locator("section.picture .toolbar [aria-haspopup]").click();
  await inspector.page.getByRole("combobox", { name: /^Heat map/ }).selectOption("off");
  await eventually(async () => assert.equal(await legend.isVisible(), false));
}

/** @param {Inspector} inspector */
async function whichDiffers(inspector) {
  const edits = await inspector.openPanel("edits");
  await edits.getByLabel("New edit").fill("ZTEST=GREATER_EQUAL");
  await inspector.page.keyboard.press("Enter");
  await inspector.rest();
  await edits.getByRole("button", { name: "Compare with the file" }).click();
  const diff = inspector.panel("diff");
  await diff.waitFor({ state: "visible" });
  const verdict = diff.locator(".diff-verdict");
  await eventually(async () => assert.match(await verdict.innerText(), /first difference is draw 4, event 4: 18000 pixels of the colour buffer from 200,100 to 399,189/));
  await verdict.getByRole("button", { name: "draw 4", exact: true }).click();
  await inspector.expectEvent(4);
  await inspector.rest();
  // The pictures are in the middle of the page, in place of that of the run.
  const stage = inspector.page.locator("section.picture");
  await eventually(async () => assert.match(await stage.locator(".diff-counts").innerText(), /^18.?000 of 130.?560 pixels differ/));
  await diff.getByRole("tab", { name: /^Registers/ }).click();
  await eventually(async () => assert.match(await diff.innerText(), /ZTEST\s+LESS\s+GREATER_EQUAL\s+command 82 at 0x0880022c\s+an edit/));
  await diff.getByRole("tab", { name: "Pixel history" }).click();
  await eventually(async () => assert.match(await diff.innerText(), /A: pixel 200, 100[^]*killed by depth[^]*B: pixel 200, 100/));
  const caption = () => inspector.page.locator(".picture-caption").first().innerText();
  await stage.getByRole("radio", { name: /^Flip/ }).click();
  await eventually(async () => assert.equal(await caption(), "A"));
  await inspector.page.keyboard.press("f");
  await eventually(async () => assert.equal(await caption(), "B"));
  // In the panel they are the first of its parts, and the middle shows the run again.
  await diff.getByLabel("In the middle").uncheck();
  await inspector.canvas().waitFor();
  await diff.getByRole("tab", { name: "Pictures" }).click();
  await diff.getByRole("radio", { name: "Heat map" }).click();
  await eventually(async () => assert.match(await caption(), /Largest difference/));
}

/** @param {Inspector} inspector */
async function whichFilesDiffer(inspector) {
  const text = readFileSync(SIGNPOST, "utf8");
  const mended = text.replace("ZTEST LESS", "ZTEST GREATER");
  assert.notEqual(mended, text);
  const diff = await inspector.openPanel("diff");
  await inspector.drop("mended.ge", Buffer.from(mended));
  const verdict = diff.locator(".diff-verdict");
  await eventually(async () => assert.match(await verdict.innerText(), /first difference is draw 4, event 4: 18000 pixels/));
  assert.equal(await diff.getByLabel("File of A").locator("option:checked").innerText(), "mended.ge");
  await diff.getByTitle("Swap the sides").click();
  await inspector.rest();
  await eventually(async () => assert.equal(await diff.getByLabel("File of B").locator("option:checked").innerText(), "mended.ge"));
  await eventually(async () => assert.match(await verdict.innerText(), /draw 4, event 4/));
  await inspector.openPanel("frame");
  await inspector.selectEvent(12);
  await eventually(async () => assert.equal(await inspector.colorAt(250, 150), BLUE, "the page shows the other file"));
}
