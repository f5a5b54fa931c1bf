// Edits: by the field, by values of the state, by keys; undo and redo; edits that make no sense.

import assert from "node:assert/strict";
import { test } from "node:test";

import { eventually, withInspector } from "../harness/inspector.mjs";
import { SIGNPOST } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

const RED = "#c02020ff";
const BLUE = "#2040c0ff";
const SKY = "#405878ff";

/** @param {import("../harness/targets.mjs").Target} target */
export function editTests(target) {
  const check = (/** @type {string} */ name, /** @type {(inspector: Inspector) => Promise<void>} */ use) => test(name, () => withInspector(target, SIGNPOST, use));
  check("edits are added, removed, undone and made again", addAndRemove);
  check("an edit that makes no sense is refused, and all stays as it was", wrongEdit);
  check("undo and the browser's history have the same steps", backAndUndo);
  check("values of the state become edits of their kind", valuesOfState);
  check("events are left out and run alone", leftOut);
  check("arithmetic is a part of the run", arithmetic);
}

/**
 * @param {Inspector} inspector
 * @param {string[]} edits
 */
function expectEdits(inspector, edits) {
  return eventually(async () => assert.deepEqual(await inspector.edits(), edits));
}

/** @param {Inspector} inspector */
async function addAndRemove(inspector) {
  const panel = await inspector.openPanel("edits");
  const add = async (/** @type {string} */ edit) => {
    await panel.getByLabel("New edit").fill(edit);
    await inspector.page.keyboard.press("Enter");
  };
  await add("--set ZTEST=GREATER_EQUAL@4");
  await add("--skip 5");
  await add("CLEARMODE.color=0@0");
  const all = ["--set ZTEST=GREATER_EQUAL@4", "--skip 5", "--set CLEARMODE.color=0@0"];
  await expectEdits(inspector, all);
  await inspector.rest();
  assert.deepEqual(await inspector.errors(), []);
  assert.deepEqual(await panel.getByRole("list").locator("code").allInnerTexts(), all);
  const line = await panel.getByLabel("Command line").inputValue();
  assert.match(line, /--set ZTEST=GREATER_EQUAL@4 --set CLEARMODE\.color=0@0 --skip 5 -o picture\.png$/);

  await panel.getByRole("button", { name: "Remove --skip 5" }).click();
  await expectEdits(inspector, all.filter((edit) => edit !== "--skip 5"));
  await panel.getByRole("button", { name: /^Undo/ }).click();
  await expectEdits(inspector, all);
  await panel.getByRole("button", { name: "Remove all" }).click();
  await expectEdits(inspector, []);
  await inspector.press("z");
  await expectEdits(inspector, all);
  for (const left of [2, 1, 0]) {
    await inspector.press("z");
    await expectEdits(inspector, all.slice(0, left));
  }
  await inspector.rest();
  assert.equal(await panel.getByRole("button", { name: /^Undo/ }).isDisabled(), true);
  for (const made of [1, 2, 3]) {
    await inspector.press("Z");
    await expectEdits(inspector, all.slice(0, made));
  }
  // The same place is edited once.
  await add("--set ZTEST=LESS_EQUAL@4");
  await expectEdits(inspector, ["--set ZTEST=LESS_EQUAL@4", ...all.slice(1)]);
  await panel.getByRole("button", { name: "draw 5", exact: true }).click();
  await inspector.expectEvent(5);
}

/** @param {Inspector} inspector */
async function wrongEdit(inspector) {
  await inspector.selectEvent(6);
  const panel = await inspector.openPanel("edits");
  const label = await inspector.pictureLabel();
  const wrong = ["--set NOTHING=1", "--set ZTEST=PERHAPS", "--set SCISSOR2.x=99999", "--skip x", "--skip event:99", "--nothing", "--set ZTEST", "--set FRAMEBUFWIDTH.width=<b>1</b>"];
  for (const edit of wrong) {
    await panel.getByLabel("New edit").fill(edit);
    await inspector.page.keyboard.press("Enter");
    await eventually(async () => assert.equal((await inspector.errors()).length, 1, `${edit} is an error`));
    assert.doesNotMatch((await inspector.errors()).join(), /undefined|\[object/, edit);
    await inspector.rest();
    assert.equal(await panel.getByLabel("New edit").inputValue(), edit, "the text can be corrected");
    assert.deepEqual(await inspector.edits(), [], "the edit is no part of the run");
    assert.equal(await panel.getByRole("button", { name: /^Undo/ }).isDisabled(), true, "there is nothing to undo");
    assert.equal(await inspector.pictureLabel(), label, "the picture stays");
    assert.equal(await inspector.event(), 6);
    await inspector.page.getByRole("button", { name: "Close this message" }).click();
  }
  // The picture takes the place of the message first.
  await inspector.rest();
  assert.equal(await inspector.colorAt(250, 150), RED, "the run is that of the file");
}

/** @param {Inspector} inspector */
async function backAndUndo(inspector) {
  const panel = await inspector.openPanel("edits");
  const add = async (/** @type {string} */ edit, /** @type {string[]} */ all) => {
    await panel.getByLabel("New edit").fill(edit);
    await inspector.page.keyboard.press("Enter");
    await expectEdits(inspector, all);
    await inspector.leaveField();
    await inspector.rest({ quiet: 500 });
  };
  await add("--skip 3", ["--skip 3"]);
  await add("--skip 4", ["--skip 3", "--skip 4"]);
  const shown = async (/** @type {string[]} */ edits) => {
    await eventually(async () => assert.deepEqual(await panel.getByRole("list").locator("code").allInnerTexts(), edits));
    await inspector.rest({ quiet: 500 });
  };
  // Back goes to the edits of before, as undo does; both have the same steps.
  await inspector.page.goBack();
  await shown(["--skip 3"]);
  assert.equal(await panel.getByRole("button", { name: /^Undo/ }).isEnabled(), true);
  await inspector.press("z");
  await shown([]);
  await inspector.press("Z");
  await shown(["--skip 3"]);
  await inspector.press("Z");
  await shown(["--skip 3", "--skip 4"]);
  await inspector.press("z");
  await shown(["--skip 3"]);
  await inspector.page.goBack();
  await shown(["--skip 3", "--skip 4"]);
  assert.equal(await panel.getByRole("button", { name: /^Redo/ }).isDisabled(), true, "it is the last step");
}

/** @param {Inspector} inspector */
async function valuesOfState(inspector) {
  await inspector.selectEvent(4);
  const state = await inspector.openPanel("state");
  const scope = state.getByLabel("Events that an edit changes");
  // A switch, here and from here on.
  await state.getByRole("button", { name: /^ZTESTENABLE: / }).click();
  await expectEdits(inspector, ["--set ZTESTENABLE=0@4"]);
  await inspector.rest();
  assert.equal(await inspector.colorAt(250, 150), BLUE);
  await inspector.press("z");
  await scope.selectOption("from");
  await inspector.leaveField();
  await inspector.rest();
  await state.getByRole("button", { name: /^ZTESTENABLE: / }).click();
  await expectEdits(inspector, ["--set ZTESTENABLE=0@4-"]);
  await inspector.press("z");
  await inspector.rest();
  // A number of a field, in all events.
  await scope.selectOption("all");
  await inspector.leaveField();
  await state.getByRole("button", { name: /^SCISSOR2\.x: / }).click();
  await inspector.page.keyboard.type("199");
  await inspector.page.keyboard.press("Enter");
  await expectEdits(inspector, ["--set SCISSOR2.x=199"]);
  await inspector.rest();
  assert.equal(await inspector.colorAt(198, 150), RED);
  assert.match(await inspector.pictureLabel(), /480 by 272 pixels/, "the picture keeps its size");
  assert.equal(await inspector.colorAt(250, 150), "#00000000");
  // Escape leaves the value.
  await state.getByRole("button", { name: /^SCISSOR2\.y: / }).click();
  await inspector.page.keyboard.type("7");
  await inspector.page.keyboard.press("Escape");
  await inspector.rest();
  await expectEdits(inspector, ["--set SCISSOR2.x=199"]);
  assert.deepEqual(await inspector.errors(), []);
}

/** @param {Inspector} inspector */
async function leftOut(inspector) {
  await inspector.selectEvent(3);
  const row = inspector.page.locator(".event-row", { has: inspector.page.getByTitle("Event 3, draw 3") });
  await row.hover();
  await row.getByRole("button", { name: /^Skip this event/ }).click();
  await expectEdits(inspector, ["--skip event:3"]);
  await inspector.rest();
  assert.equal(await inspector.colorAt(150, 100), SKY, "without the red square");
  // The transfer, too.
  await inspector.selectEvent(10);
  await inspector.press("x");
  await inspector.rest();
  assert.equal(await inspector.colorAt(401, 201), SKY, "without the transfer");
  await inspector.press("z");
  await inspector.press("z");
  await inspector.selectEvent(9);
  await inspector.press("o");
  await expectEdits(inspector, ["--solo 9"]);
  await inspector.rest();
  assert.notEqual(await inspector.colorAt(60, 60), "#c3cad4ff", "the smoke without the sky");
  assert.deepEqual(await inspector.errors(), []);
}

/** @param {Inspector} inspector */
async function arithmetic(inspector) {
  const panel = await inspector.openPanel("edits");
  await panel.getByLabel("Arithmetic").selectOption("single");
  await eventually(async () => assert.equal(await inspector.addressPart("arithmetic"), "single"));
  await inspector.rest();
  assert.match(await panel.getByLabel("Command line").inputValue(), /--arithmetic single/);
  assert.deepEqual(await inspector.errors(), []);
}
