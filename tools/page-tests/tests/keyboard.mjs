// All keys of the help dialog.

import assert from "node:assert/strict";
import { test } from "node:test";

import { eventually, PANELS, withInspector } from "../harness/inspector.mjs";
import { SIGNPOST } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

/** Keys as the help shows them, by their groups. Every one has a test below. */
const KEYS = {
  Events: ["↓", "→", "j", "↑", "←", "k", "Home", "End", "n", "p", "/", "x", "o", "v", "b"],
  Picture: ["f", "h", "c", "t", "d", "m", "+", "=", "-", "0", "Shift ←", "Shift →", "Shift ↑", "Shift ↓", "Ctrl ←", "Ctrl →", "Ctrl ↑", "Ctrl ↓"],
  Page: ["1 – 9", "i", "e", "w", "z", "Ctrl z", "Shift z", "Ctrl y", "?", "Esc"],
};

/** @param {import("../harness/targets.mjs").Target} target */
export function keyboardTests(target) {
  const check = (/** @type {string} */ name, /** @type {(inspector: Inspector) => Promise<void>} */ use) => test(name, () => withInspector(target, SIGNPOST, use));
  check("help lists the keys, and Escape closes it", help);
  check("keys of events", eventKeys);
  check("keys of the picked pixel's events", pixelEventKeys);
  check("keys that leave events out", runKeys);
  check("keys of the picture", pictureKeys);
  check("keys that move the picture and the pixel", moveKeys);
  check("keys of panels", panelKeys);
  check("fields keep their keys", fieldKeys);
  check("Tab reaches every region", tabKey);
}

/** @param {Inspector} inspector */
async function help(inspector) {
  await inspector.press("?");
  const dialog = inspector.page.getByRole("dialog", { name: "Help" });
  await dialog.waitFor();
  for (const [group, keys] of Object.entries(KEYS)) {
    const shown = await dialog.getByRole("table", { name: group }).locator("kbd").allInnerTexts();
    assert.deepEqual(shown, keys, `keys of ${group}; tests have to cover all`);
  }
  await inspector.page.keyboard.press("k");
  await inspector.expectEvent(12);
  await inspector.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await inspector.page.keyboard.press("k");
  await inspector.expectEvent(11);
}

/** @param {Inspector} inspector */
async function eventKeys(inspector) {
  await inspector.expectEvent(12);
  const steps = /** @type {const} */ ([
    ["Home", 0], ["ArrowDown", 1], ["ArrowRight", 2], ["j", 3], ["ArrowUp", 2], ["ArrowLeft", 1], ["k", 0], ["k", 0], ["End", 12], ["j", 12],
  ]);
  for (const [key, event] of steps) {
    await inspector.press(key);
    await inspector.expectEvent(event);
  }
  await eventually(async () => assert.match(await inspector.pictureLabel(), /event 12$/));
  await inspector.press("/");
  const field = inspector.page.getByLabel("Filter events");
  await eventually(async () => assert.equal(await field.evaluate((element) => element === document.activeElement), true));
  await inspector.page.keyboard.type("kind:transfer");
  await inspector.page.keyboard.press("Enter");
  await inspector.expectEvent(10);
}

/** @param {Inspector} inspector */
async function pixelEventKeys(inspector) {
  await inspector.clickPixel(60, 60);
  await inspector.selectEvent(2);
  for (const event of [9, 9]) {
    await inspector.press("n");
    await inspector.rest();
    await inspector.expectEvent(event);
  }
  await inspector.press("p");
  await inspector.expectEvent(2);
}

/** @param {Inspector} inspector */
async function runKeys(inspector) {
  await inspector.selectEvent(3);
  const steps = /** @type {[string, string[]][]} */ ([
    ["x", ["--skip event:3"]], ["x", []], ["o", ["--solo 3"]], ["o", []], ["x", ["--skip event:3"]], ["z", []], ["Z", ["--skip event:3"]], ["Control+z", []], ["Control+y", ["--skip event:3"]],
  ]);
  for (const [key, edits] of steps) {
    await inspector.press(key);
    await eventually(async () => assert.deepEqual(await inspector.edits(), edits, `after ${key}`));
  }
  const row = inspector.page.locator(".event-row", { has: inspector.page.getByTitle("Event 3, draw 3") });
  await eventually(async () => assert.match(await row.innerText(), /skipped/));
}

/** @param {Inspector} inspector */
async function pictureKeys(inspector) {
  const { page } = inspector;
  await inspector.selectEvent(5);
  await inspector.press("f");
  await eventually(async () => assert.match(await inspector.pictureLabel(), /before event 5/));
  await inspector.press("f");
  await eventually(async () => assert.match(await inspector.pictureLabel(), /after event 5/));
  const isPressed = async (/** @type {string} */ name) => (await page.getByRole("button", { name, exact: true }).getAttribute("aria-pressed")) === "true";
  const covered = await isPressed("Covered");
  await inspector.press("h");
  assert.notEqual(await isPressed("Covered"), covered);
  await inspector.press("c");
  assert.equal(await isPressed("Changed"), true);
  await inspector.rest();
  await eventually(async () => assert.match(await page.locator(".status-facts").innerText(), /changes 16.384 pixels/));
  await inspector.press("c");
  assert.equal(await isPressed("Changed"), false);
  await inspector.press("t");
  assert.equal(await isPressed("Result"), true);
  await inspector.press("t");
  assert.equal(await isPressed("Result"), false);
  await inspector.press("d");
  assert.equal(await isPressed("Depth"), true);
  await eventually(async () => assert.match(await inspector.pictureLabel(), /^DEPTH16 picture|depth/i));
  await inspector.press("d");
  assert.equal(await isPressed("Colour"), true);
  for (const heat of ["overdraw", "cost", "off"]) {
    await inspector.press("m");
    assert.equal(await page.getByRole("combobox", { name: /^Heat map/, includeHidden: true }).inputValue(), heat);
  }
  const zoom = async () => {
    const [over = "", under = ""] = (await page.locator(".zoom-text").innerText()).split(":");
    return Number(over) / Number(under);
  };
  await inspector.press("0");
  const fitted = await zoom();
  await inspector.press("+");
  assert.ok((await zoom()) > fitted);
  await inspector.press("-");
  assert.ok((await zoom()) <= fitted);
  await inspector.press("=");
  await inspector.press("=");
  assert.ok((await zoom()) > fitted);
  await inspector.press("0");
  assert.ok((await zoom()) <= fitted);
}

/** @param {Inspector} inspector */
async function moveKeys(inspector) {
  const { page } = inspector;
  const middle = async () => {
    const box = await inspector.canvas().boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const found = /x (\d+)\s+y (\d+)/.exec(await page.locator(".status-position").innerText());
    return [Number(found?.[1]), Number(found?.[2])];
  };
  const [x = 0, y = 0] = await middle();
  await inspector.press("Shift+ArrowLeft");
  const [leftX = 0] = await middle();
  assert.ok(leftX !== x, "moved sideways");
  await inspector.press("Shift+ArrowRight");
  assert.deepEqual(await middle(), [x, y], "and back");
  await inspector.press("Shift+ArrowUp");
  const [, upY = 0] = await middle();
  assert.ok(upY !== y, "moved up or down");
  await inspector.press("Shift+ArrowDown");
  assert.deepEqual(await middle(), [x, y], "and back");

  await inspector.clickPixel(100, 50);
  const steps = /** @type {const} */ ([["ArrowRight", 101, 50], ["ArrowDown", 101, 51], ["ArrowLeft", 100, 51], ["ArrowUp", 100, 50]]);
  for (const [key, column, row] of steps) {
    await inspector.press(`Control+${key}`);
    await eventually(async () => assert.deepEqual([await inspector.addressPart("x"), await inspector.addressPart("y")], [String(column), String(row)]));
  }
  await inspector.press("Escape");
  await eventually(async () => assert.equal(await inspector.addressPart("x"), null));
}

/** @param {Inspector} inspector */
async function panelKeys(inspector) {
  for (const { id, title } of PANELS.filter(({ id }) => id !== "model")) {
    await inspector.openPanel(id);
    assert.equal(await inspector.page.getByRole("tab", { name: title, exact: true }).getAttribute("aria-selected"), "true");
  }
  // The tabs by their own keys.
  await inspector.page.getByRole("tab", { name: "State", exact: true }).click();
  await inspector.page.keyboard.press("ArrowRight");
  await inspector.panel("pixel").waitFor({ state: "visible" });
  await inspector.page.keyboard.press("Home");
  await inspector.panel("frame").waitFor({ state: "visible" });
}

/** @param {Inspector} inspector */
async function fieldKeys(inspector) {
  const state = await inspector.openPanel("state");
  await state.getByLabel("Search registers").click();
  await inspector.page.keyboard.type("fxjo2?");
  await inspector.expectEvent(12);
  assert.equal(await state.getByLabel("Search registers").inputValue(), "fxjo2?");
  assert.equal(await state.isVisible(), true);
  assert.equal(await inspector.page.getByRole("dialog").count(), 0);
  assert.deepEqual(await inspector.edits(), []);
  await inspector.page.keyboard.press("Escape");
  await inspector.leaveField();
  await inspector.page.keyboard.press("k");
  await inspector.expectEvent(11);
}

/** @param {Inspector} inspector */
async function tabKey(inspector) {
  await inspector.leaveField();
  /** @type {Set<string>} */
  const regions = new Set();
  for (let step = 0; step < 70; step += 1) {
    await inspector.page.keyboard.press("Tab");
    const place = await inspector.page.evaluate(() => {
      const { activeElement } = document;
      const style = activeElement && getComputedStyle(activeElement);
      const isSeen = activeElement?.matches(":focus-visible") && style && (style.outlineStyle !== "none" || style.boxShadow !== "none");
      return { region: activeElement?.closest("header, .events, .picture, .side")?.className ?? "", isSeen: Boolean(isSeen), name: activeElement?.outerHTML.slice(0, 120) ?? "" };
    });
    if (place.region !== "") {
      assert.ok(place.isSeen, `the focus can be seen: ${place.name}`);
      regions.add(place.region.split(" ")[0] ?? "");
    }
  }
  assert.deepEqual([...regions].sort(), ["events", "header", "picture", "side"]);
}
