// Comparing: two draws, two moments of memory; and what leads from one place of the run to another.

import assert from "node:assert/strict";
import { test } from "node:test";

import { eventually, withInspector } from "../harness/inspector.mjs";
import { SIGNPOST } from "../harness/inputs.mjs";

/** @typedef {import("../harness/inspector.mjs").Inspector} Inspector */

/** @param {import("../harness/targets.mjs").Target} target */
export function compareTests(target) {
  const ask = (/** @type {string} */ question, /** @type {(inspector: Inspector) => Promise<void>} */ answer) => test(question, () => withInspector(target, SIGNPOST, answer));

  ask("in what do two draws differ?", twoDraws);
  ask("who reads and writes this buffer?", usesOfBuffer);
  ask("which bytes has the run changed since then?", changesOfBuffer);
  ask("which command of the whole run does this?", wholeRun);
  ask("what did somebody else note here?", notes);
}

/** Returns a text without the spaces between thousands. @param {import("playwright-core").Locator} locator */
async function plain(locator) {
  return (await locator.innerText()).replaceAll(/(\d)\s(?=\d{3})/g, "$1");
}

/** @param {Inspector} inspector */
async function twoDraws(inspector) {
  await inspector.selectEvent(3);
  await inspector.press("v");
  const panel = inspector.panel("diff");
  await eventually(async () => assert.match(await panel.innerText(), /select another than that of A/));
  await inspector.selectEvent(4);
  const verdict = panel.locator(".diff-verdict");
  await eventually(async () => assert.match(await verdict.innerText(), /^Draw 3 and draw 4 differ in .*register/));
  await panel.getByRole("tab", { name: /^Registers/ }).click();
  await eventually(async () => assert.match(await panel.innerText(), /VADDR/));
  // The address names the event, so that somebody else sees the same.
  await eventually(async () => assert.match(inspector.page.url(), /rival-event=3/));
  await panel.getByLabel("Event", { exact: true }).fill("");
  await panel.getByLabel("Event", { exact: true }).press("Enter");
  await eventually(async () => assert.match(await verdict.innerText(), /^Both sides are the same/));
  await panel.getByLabel("Event", { exact: true }).fill("9999");
  await panel.getByLabel("Event", { exact: true }).press("Enter");
  await eventually(async () => assert.match(await panel.innerText(), /9999 is out of range: 0 to 12/));
  assert.match(await verdict.innerText(), /^Both sides are the same/, "a wrong number changes nothing");
}

/** @param {Inspector} inspector */
async function usesOfBuffer(inspector) {
  const panel = await inspector.openPanel("memory");
  await panel.getByRole("radio", { name: "Uses" }).click();
  await eventually(async () => assert.match(await plain(panel.locator(".memory-table .panel-summary")), /^\d+ writes and \d+ reads? of 557056 bytes at 0x04000000\.$/));
  const rows = panel.getByRole("grid", { name: "Events that use the bytes" });
  const first = await rows.locator(".table-row").first().innerText();
  assert.match(first, /draws colour/);
  await rows.locator(".table-row").first().getByRole("button").click();
  await inspector.expectEvent(Number(first.split(/\s+/)[0]));
}

/** @param {Inspector} inspector */
async function changesOfBuffer(inspector) {
  await inspector.selectEvent(3);
  const panel = await inspector.openPanel("memory");
  await panel.getByRole("radio", { name: "Changes" }).click();
  const summary = panel.locator(".memory-table .panel-summary");
  await eventually(async () => assert.match(await plain(summary), /^\d+ bytes of 557056 at 0x04000000 differ\.$/));
  const all = Number((await plain(summary)).split(" ")[0]);
  await panel.getByRole("button", { name: "Take the selected" }).click();
  await eventually(async () => assert.ok(Number((await plain(summary)).split(" ")[0]) < all, "a draw changes fewer bytes than the run so far"));
  await panel.getByRole("radio", { name: "Before" }).click();
  await eventually(async () => assert.match(await summary.innerText(), /^0 bytes /));
}

/** @param {Inspector} inspector */
async function notes(inspector) {
  const { page } = inspector;
  await inspector.selectEvent(4);
  await inspector.press("b");
  const field = page.getByLabel("New note on the selected event");
  await eventually(async () => assert.ok(await field.evaluate((element) => element === document.activeElement)));
  await page.keyboard.type("all killed?");
  await page.keyboard.press("Enter");
  await page.getByLabel("Note on event 4").waitFor();
  await eventually(async () => assert.match(page.url(), /note=4\+all\+killed%3F/));
  await inspector.leaveField();
  await inspector.selectEvent(7);
  // Somebody who gets the address sees the note, and goes to its event.
  await page.reload();
  await inspector.rest();
  const frame = await inspector.openPanel("frame");
  assert.equal(await frame.getByLabel("Note on event 4").inputValue(), "all killed?");
  await frame.locator(".frame-notes li").getByRole("button").first().click();
  await inspector.expectEvent(4);
  await frame.getByRole("button", { name: "Remove this note" }).click();
  await eventually(async () => assert.doesNotMatch(page.url(), /note=/));
}

/** @param {Inspector} inspector */
async function wholeRun(inspector) {
  const { page } = inspector;
  await inspector.selectEvent(4);
  const panel = await inspector.openPanel("commands");
  await panel.getByRole("radio", { name: "Whole run" }).click();
  const summary = panel.locator(".panel-summary");
  await eventually(async () => assert.match(await summary.innerText(), /^\d+ commands in the run\.$/));
  const total = Number((await plain(summary)).split(" ")[0]);
  const rows = panel.getByRole("grid", { name: /^Commands/ });
  assert.equal(Number(await rows.getAttribute("aria-rowcount")), total);
  // The command of the selected event is in sight.
  await eventually(async () => assert.match(await panel.locator(".command-stack strong").innerText(), /^PRIM \(\d+\)$/));
  const filter = panel.getByLabel("Filter");
  await filter.fill("FINISH");
  await filter.press("Enter");
  await eventually(async () => assert.match(await panel.locator(".command-stack strong").innerText(), /^FINISH \(\d+\)$/));
  await inspector.leaveField();
  await eventually(async () => assert.match(page.url(), /command=\d+/));
  await page.goBack();
  await eventually(async () => assert.match(await panel.locator(".command-stack strong").innerText(), /^PRIM \(\d+\)$/));
  await panel.getByRole("radio", { name: "Event" }).click();
  await filter.fill("");
  await eventually(async () => assert.match(await summary.innerText(), /up to draw 4/));
  await panel.getByRole("radio", { name: "Whole run" }).click();
  await eventually(async () => assert.equal(Number(await rows.getAttribute("aria-rowcount")), total, "all again"));
  await eventually(async () => assert.match(await panel.locator(".command-stack strong").innerText(), /^PRIM \(\d+\)$/));
  await filter.fill("no such command");
  await panel.getByRole("button", { name: "Back to" }).click();
  await eventually(async () => assert.match(await page.locator("[aria-live]").allInnerTexts().then((texts) => texts.join()), /No command before number \d+ has this text; 0 in the whole run/));
}
