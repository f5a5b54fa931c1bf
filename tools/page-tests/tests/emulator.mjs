// The page of a running emulator: it shows a frame of the game, and records the next one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { startEmulator } from "../harness/emulator.mjs";
import { eventually, withInspector } from "../harness/inspector.mjs";
import { equalDraws, pspge, SCRATCH, SIGNPOST, signpostDump } from "../harness/inputs.mjs";

/** @param {import("../harness/targets.mjs").Target} target */
export function emulatorTests(target) {
  test("the next frame of an emulator is recorded and shown", async () => {
    const second = join(SCRATCH, "second.ppdmp");
    assert.equal(pspge("pack", equalDraws(), "-o", second).status, 0);
    const emulator = await startEmulator([readFileSync(signpostDump()), readFileSync(second)]);
    try {
      const options = { isOwn: true, allows: /^status 502|^console: Failed to load/ };
      await withInspector(target, emulator.address, (inspector) => nextFrames(inspector, emulator), options);
    } finally {
      emulator.close();
    }
  });

  test("a page of a file has no button for the next frame", () =>
    withInspector(target, SIGNPOST, async ({ page }) => {
      assert.equal(await page.getByRole("button", { name: "Next frame" }).count(), 0);
    }));
}

/**
 * @param {import("../harness/inspector.mjs").Inspector} inspector
 * @param {Awaited<ReturnType<typeof startEmulator>>} emulator
 */
async function nextFrames(inspector, emulator) {
  const { page } = inspector;
  const facts = () => page.locator(".file-facts").innerText();
  const button = page.getByRole("button", { name: "Next frame" });
  assert.equal(await page.locator(".file-name").innerText(), "frame.ppdmp");
  await eventually(async () => assert.match(await facts(), /^frame dump.* draws/));
  const first = await facts();
  await button.click();
  await eventually(async () => assert.match(await facts(), /7 draws/));
  await inspector.rest();
  assert.notEqual(await facts(), first, "another frame");
  assert.deepEqual(await inspector.errors(), []);
  emulator.refuse("Recording already in progress");
  await button.click();
  await eventually(async () => assert.match((await inspector.errors()).join(), /No frame was recorded: .*Recording already in progress/));
  assert.match(await facts(), /7 draws/, "the frame before stays");
  emulator.refuse(null);
  await eventually(async () => assert.ok(await button.isEnabled(), "the button can be used again"));
  await button.click();
  await eventually(async () => assert.equal(await facts(), first));
  await inspector.rest();
  assert.deepEqual(await inspector.errors(), [], "the error is gone");
}
