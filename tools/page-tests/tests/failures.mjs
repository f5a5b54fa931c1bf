// What goes wrong around the page: a server that has ended, modules that do not come, files that are none.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { watchedPage } from "../harness/browser.mjs";
import { eventually, Inspector as OtherInspector, withInspector } from "../harness/inspector.mjs";
import { ANEMONE, SIGNPOST } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

/** The browser says in its console that requests fail, as the tests want it. */
const OPTIONS = { isOwn: true, allows: /^console: Failed to load|^failed: |^console: .*ERR_FAILED/ };

/** @param {import("../harness/targets.mjs").Target} target */
export function failureTests(target) {
  const check = (/** @type {string} */ name, /** @type {(inspector: Inspector) => Promise<void>} */ use) => test(name, () => withInspector(target, SIGNPOST, use, OPTIONS));
  check("a server that does not answer is said, and asked again", noServer);
  check("an edit that cannot be checked is not applied", noCheck);
  check("a panel that cannot be loaded says so without the token, and loads again", noPanel);
  check("an error goes away when a good file opens", badFile);
  if (target.name === "server") {
    check("a file that opens in another tab does not change this one", twoTabs);
  }
}

/** @param {Inspector} inspector */
async function end(inspector) {
  await inspector.page.route("**/*", (route) => route.abort());
}

/** Expects that no text of the page holds the token of its address. @param {Inspector} inspector */
async function expectNoToken(inspector) {
  const token = new URL(inspector.page.url()).pathname.replaceAll("/", "");
  assert.ok(token.length >= 16, "the address has a token");
  assert.ok(!(await inspector.page.locator("body").innerText()).includes(token), "the page does not show it");
}

/** @param {Inspector} inspector */
async function noServer(inspector) {
  await inspector.openPanel("state");
  await inspector.selectEvent(4);
  await end(inspector);
  await inspector.press("ArrowDown");
  await eventually(async () => assert.match((await inspector.errors()).join(), /^The server does not answer: .*start it again/));
  assert.equal(await inspector.page.locator(".picture-empty").innerText(), "The server does not answer, so there is no picture.");
  await eventually(async () => assert.equal(await inspector.panel("state").locator(".is-stale").count(), 1));
  await expectNoToken(inspector);
  const again = inspector.page.locator(".errors").getByRole("button", { name: "Try again" });
  await again.click();
  await eventually(async () => assert.equal((await inspector.errors()).length, 1, "it still does not answer"));
  await inspector.page.unroute("**/*");
  await again.click();
  await eventually(async () => assert.match(await inspector.pictureLabel(), /after event 5$/));
  await inspector.panel("state").getByText("State at event 5").waitFor();
  assert.equal(await inspector.panel("state").locator(".is-stale").count(), 0);
  await inspector.rest();
  assert.deepEqual(await inspector.errors(), []);
}

/** @param {Inspector} inspector */
async function noCheck(inspector) {
  await inspector.selectEvent(3);
  await end(inspector);
  await inspector.press("x");
  await eventually(async () => assert.equal((await inspector.errors()).length, 1));
  assert.deepEqual(await inspector.edits(), []);
  assert.match(await inspector.pictureLabel(), /after event 3$/);
}

/** @param {Inspector} inspector */
async function noPanel(inspector) {
  await end(inspector);
  await inspector.press("5");
  const panel = inspector.panel("memory");
  await panel.getByText("The panel Memory cannot be loaded: the server does not answer.").waitFor();
  await expectNoToken(inspector);
  const again = panel.getByRole("button", { name: "Try again" });
  // The text of the first failure is still there, so it does not tell when the second load has failed.
  const failed = inspector.page.waitForEvent("requestfailed");
  await again.click();
  await failed;
  await panel.getByText("The panel Memory cannot be loaded").waitFor();
  await inspector.page.unroute("**/*");
  await again.click();
  await panel.getByLabel("Address").waitFor();
  assert.equal(await inspector.event(), 12);
}

/** @param {Inspector} inspector */
async function badFile(inspector) {
  await inspector.drop("bad.ppdmp", Uint8Array.from([1, 2, 3]));
  await eventually(async () => assert.equal((await inspector.errors()).length, 1));
  assert.match(await inspector.pictureLabel(), /after event 12$/, "the file of before stays");
  await inspector.drop("good.pmdl", readFileSync(ANEMONE));
  await eventually(async () => assert.equal(await inspector.page.locator("h1.file-name").innerText(), "good.pmdl"));
  await inspector.rest();
  assert.deepEqual(await inspector.errors(), []);
}

/** @param {Inspector} inspector */
async function twoTabs(inspector) {
  await inspector.selectEvent(3);
  await inspector.rest();
  const before = await inspector.colorAt(20, 20);
  const other = new OtherInspector(await watchedPage(inspector.address), inspector.address, null);
  try {
    await other.page.goto(inspector.address);
    await other.rest();
    await other.drop("other.pmdl", readFileSync(ANEMONE));
    await eventually(async () => assert.equal(await other.page.locator("h1.file-name").innerText(), "other.pmdl"));
    await other.rest();
    await inspector.press("ArrowDown");
    await inspector.press("ArrowUp");
    await inspector.expectEvent(3);
    await inspector.rest();
    assert.deepEqual(await inspector.colorAt(20, 20), before, "the picture of its own file");
    await inspector.openPanel("passes");
    await inspector.rest();
    assert.deepEqual(await inspector.errors(), []);
    assert.match(await inspector.page.locator("h1.file-name").innerText(), /^signpost/);
  } finally {
    await other.close();
  }
}
