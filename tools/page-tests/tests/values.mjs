// Values that a person types and reads: in which base, in which range, and what is said about those that are refused.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { PNG } from "pngjs";

import { eventually, withInspector } from "../harness/inspector.mjs";
import { SCRATCH, SIGNPOST } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

/** @param {import("../harness/targets.mjs").Target} target */
export function valueTests(target) {
  const check = (/** @type {string} */ name, /** @type {(inspector: Inspector) => Promise<void>} */ use) => test(name, () => withInspector(target, SIGNPOST, use));
  check("numbers of fields are typed in hexadecimal, too", hexadecimal);
  check("a value that a field cannot hold is refused in the field", refused);
  check("numbers outside the state are typed in hexadecimal, and refused out of range", otherNumbers);
  check("old and new values are in one base", oneBase);
  check("clears say which planes they write", planes);
  check("marked pixels do not hide the picture", tint);
  check("an edited value shows that of the file, too", originals);
  check("fields say why nothing can be edited at an event", noScope);
  test("infinities and NaN have one name", () => withInspector(target, infinities(), noNumbers));
}

/**
 * Types a value of the state and confirms it.
 * @param {Inspector} inspector
 * @param {string} field
 * @param {string} text
 */
async function type(inspector, field, text) {
  await inspector.panel("state").getByRole("button", { name: new RegExp(`^${field.replace(".", "\\.")}: `) }).click();
  await inspector.page.keyboard.type(text);
  await inspector.page.keyboard.press("Enter");
}

/** @param {Inspector} inspector */
async function hexadecimal(inspector) {
  await inspector.selectEvent(5);
  await inspector.openPanel("state");
  const typed = [
    ["SCISSOR2.x", "0x100", "SCISSOR2.x=256@5"],
    ["TEXADDR0", "0x1F", "TEXADDR0=0x1f@5"],
    ["TEXSCALEU", "0x2", "TEXSCALEU=2@5"],
    ["TEXLEVEL.bias", "-0x8", "TEXLEVEL.bias=-8@5"],
  ];
  for (const [field = "", text = "", edit = ""] of typed) {
    await type(inspector, field, text);
    await eventually(async () => assert.equal((await inspector.edits()).at(-1), `--set ${edit}`));
    await inspector.rest();
    await inspector.press("z");
    await inspector.rest();
  }
  assert.deepEqual(await inspector.errors(), []);
}

/** @param {Inspector} inspector */
async function refused(inspector) {
  await inspector.selectEvent(5);
  const state = await inspector.openPanel("state");
  const wrong = [
    ["SCISSOR2.x", "99999", "99999 is out of range: 0 to 1023."],
    ["SCISSOR2.x", "-1", "-1 is out of range: 0 to 1023."],
    ["SCISSOR2.x", "abc", "“abc” is no number. Write it as 31 or 0x1f."],
    ["SCISSOR2.x", "1.5", "1.5 is no whole number."],
    ["TEXADDR0", "0x1000000", "0x1000000 is out of range: 0 to 16777215."],
    ["TEXLEVEL.bias", "128", "128 is out of range: -128 to 127."],
    ["TEXSCALEU", "1e39", "1e39 is out of range"],
    ["TEXENVCOLOR", "red", "“red” is no colour. Write it as #rrggbb."],
  ];
  const requests = () => inspector.page.evaluate(() => /** @type {any} */ (window).pageTests.all);
  const before = await requests();
  for (const [field = "", text = "", sentence = ""] of wrong) {
    await type(inspector, field, text);
    const editor = state.locator(".field-editor");
    assert.equal(await editor.inputValue(), text, "what was typed stays");
    assert.equal(await editor.getAttribute("aria-invalid"), "true");
    assert.ok((await state.locator(".field-problem").innerText()).startsWith(sentence), sentence);
    await inspector.page.keyboard.press("Escape");
    assert.equal(await state.locator(".field-problem").count(), 0);
  }
  await inspector.rest();
  assert.equal(await requests(), before, "nothing is asked of the engine");
  assert.deepEqual(await inspector.edits(), []);
  // A matrix element is refused in the same words.
  await state.locator("summary", { hasText: "Matrices" }).click();
  await state.getByLabel("WORLD[0]", { exact: true }).fill("one");
  await inspector.page.keyboard.press("Enter");
  assert.match(await state.locator(".field-problem").innerText(), /^“one” is no number/);
}

/** @param {Inspector} inspector */
async function otherNumbers(inspector) {
  const field = inspector.page.getByLabel("Number of the event");
  await field.fill("0xa");
  await field.press("Enter");
  await inspector.expectEvent(10);
  await field.fill("99999");
  await field.press("Enter");
  assert.equal(await inspector.page.locator(".scrubber .field-problem").innerText(), "99999 is out of range: 0 to 12.");
  await eventually(async () => assert.equal(await inspector.addressPart("event"), "10"));
  await inspector.leaveField();
  await inspector.expectEvent(10);
  const pixel = await inspector.openPanel("pixel");
  await pixel.getByLabel("Column").fill("0xfa");
  await pixel.getByLabel("Row").fill("0x96");
  await inspector.page.keyboard.press("Enter");
  await eventually(async () => assert.deepEqual([await inspector.addressPart("x"), await inspector.addressPart("y")], ["250", "150"]));
  await pixel.getByLabel("Column").fill("480");
  await inspector.page.keyboard.press("Enter");
  assert.equal(await pixel.locator(".field-problem").innerText(), "480 is out of range: 0 to 479.");
}

/** @param {Inspector} inspector */
async function oneBase(inspector) {
  await inspector.selectEvent(5);
  const state = await inspector.openPanel("state");
  const row = state.getByRole("row", { name: /TEXADDR0/ });
  assert.match(await row.innerText(), /0x110000\s+was 0x0\b/);
  await inspector.selectEvent(6);
  assert.match(await row.innerText(), /0x[0-9a-f]+\s+was 0x110000\b/);
}

/** @param {Inspector} inspector */
async function planes(inspector) {
  const fact = (/** @type {string} */ name) => inspector.panel("state").locator(".facts dt", { hasText: name }).locator("xpath=following-sibling::dd[1]");
  await inspector.openPanel("state");
  await inspector.selectEvent(0);
  assert.equal(await fact("Clears").innerText(), "colour, stencil");
  assert.equal(await fact("Writes").count(), 0, "a clear has one list of planes");
  await inspector.selectEvent(2);
  assert.equal(await fact("Clears").innerText(), "colour, stencil, depth");
  await inspector.selectEvent(4);
  assert.equal(await fact("Writes").innerText(), "colour, stencil, depth");
  await inspector.selectEvent(5);
  assert.equal(await fact("Writes").innerText(), "colour, stencil");
  const panel = await inspector.openPanel("edits");
  for (const edit of ["CLEARMODE.color=0@2", "CLEARMODE.stencil=0@2"]) {
    await panel.getByLabel("New edit").fill(edit);
    await inspector.page.keyboard.press("Enter");
    await inspector.rest();
  }
  await inspector.openPanel("state");
  await inspector.selectEvent(2);
  assert.equal(await fact("Clears").innerText(), "depth");
}

/** @param {Inspector} inspector */
async function originals(inspector) {
  await inspector.selectEvent(5);
  const state = await inspector.openPanel("state");
  await type(inspector, "SCISSOR2.x", "0x40");
  const row = state.getByRole("row", { name: /SCISSOR2/ });
  await eventually(async () => assert.match(await row.innerText(), /479 →[^]*64/));
  await inspector.selectEvent(6);
  await eventually(async () => assert.doesNotMatch(await row.innerText(), /→/), 2000);
  const edits = await inspector.openPanel("edits");
  await eventually(async () => assert.equal((await edits.locator(".edit-change").innerText()).trim(), "479 → 64"));
  const field = edits.getByLabel("New edit");
  await field.fill("DITHERENABLE=1");
  await inspector.page.keyboard.press("Enter");
  await eventually(async () => assert.equal((await edits.locator(".edit-change").nth(1).innerText()).trim(), "off → on"));
}

/** @param {Inspector} inspector */
async function noScope(inspector) {
  const state = await inspector.openPanel("state");
  const value = state.getByRole("button", { name: /^SCISSOR2\.x: / });
  const scope = state.getByLabel("Events that an edit changes");
  await inspector.selectEvent(3);
  assert.equal(await value.count(), 1);
  await inspector.press("End");
  await inspector.rest();
  await state.getByText(/^Nothing is drawn at the end of the run, so no value can be changed here/).waitFor();
  assert.equal(await value.count(), 0);
  await scope.selectOption("all");
  assert.equal(await state.getByText(/^Nothing is drawn/).count(), 0);
  await value.click();
  await inspector.page.keyboard.type("200");
  await inspector.page.keyboard.press("Enter");
  await eventually(async () => assert.deepEqual(await inspector.edits(), ["--set SCISSOR2.x=200"]));
}

/** @param {Inspector} inspector */
async function tint(inspector) {
  const shown = async (/** @type {number} */ x, /** @type {number} */ y) => {
    const place = await inspector.placeOf(x, y);
    await inspector.page.mouse.move(0, 0);
    const clip = { x: Math.floor(place.x), y: Math.floor(place.y), width: 1, height: 1 };
    return [...PNG.sync.read(await inspector.page.screenshot({ clip })).data.subarray(0, 3)];
  };
  await inspector.selectEvent(2);
  assert.deepEqual(await shown(150, 100), [0x40, 0x58, 0x78], "a draw over the whole picture does not hide it");
  await inspector.selectEvent(3);
  assert.notDeepEqual(await shown(150, 100), [0xc0, 0x20, 0x20], "the pixels of a smaller one are tinted");
}

/** Returns a list whose viewport is infinitely wide, and whose world matrix begins with NaN. */
function infinities() {
  const path = join(SCRATCH, "infinities.ge");
  const lines = [
    "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271",
    ".word 0x427f8000",
    "WORLDMATRIXNUMBER 0",
    ".word 0x3b7fc000",
    "BASE hi(v) | VTYPE color=ABGR8888 position=FLOAT",
    "VADDR lo(v) | PRIM primitive=TRIANGLES count=3",
    "FINISH | END",
    ".align 4",
    "v: .rgba #c02020ff | .f32 0 0 0 | .rgba #c02020ff | .f32 1 0 0 | .rgba #c02020ff | .f32 0 1 0",
  ];
  writeFileSync(path, lines.join("\n"));
  return path;
}

/** @param {Inspector} inspector */
async function noNumbers(inspector) {
  await inspector.selectEvent(0);
  const state = await inspector.openPanel("state");
  const viewport = state.locator(".facts dt", { hasText: "Viewport" }).locator("xpath=following-sibling::dd[1]");
  await eventually(async () => assert.match(await viewport.innerText(), /^no number×/));
  await state.locator("summary", { hasText: "Matrices" }).click();
  assert.equal(await state.getByLabel("WORLD[0]", { exact: true }).inputValue(), "no number");
  const mesh = await inspector.openPanel("mesh");
  await mesh.getByRole("tab", { name: /^Stages/ }).click();
  await eventually(async () => assert.match(await mesh.innerText(), /no number/));
  const commands = await inspector.openPanel("commands");
  await commands.locator(".table-row", { hasText: "VIEWPORTXSCALE" }).click();
  const reference = commands.getByRole("region", { name: "Reference of the selected command" });
  await eventually(async () => assert.match(await reference.innerText(), /VIEWPORTXSCALE[^]*no number/));
  assert.deepEqual(await inspector.errors(), []);
}
