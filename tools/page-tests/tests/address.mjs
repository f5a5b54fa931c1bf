// The address of the page names a place: the same page opens from it again.

import assert from "node:assert/strict";
import { test } from "node:test";

import { eventually, withInspector } from "../harness/inspector.mjs";
import { ANEMONE, SIGNPOST } from "../harness/inputs.mjs";

const EDIT = "--set ZTEST=GREATER_EQUAL@4";

/** @param {import("../harness/targets.mjs").Target} target */
export function addressTests(target) {
  test("an address restores place, edits and panel", async () => {
    let hash = "";
    await withInspector(target, SIGNPOST, async (inspector) => {
      const edits = await inspector.openPanel("edits");
      await edits.getByLabel("New edit").fill(EDIT);
      await inspector.page.keyboard.press("Enter");
      await inspector.selectEvent(7);
      await inspector.clickPixel(250, 150);
      await inspector.press("f");
      await inspector.press("6");
      await eventually(async () => assert.equal(await inspector.addressPart("panel"), "passes"));
      await eventually(async () => assert.equal(await inspector.addressPart("after"), "0"));
      hash = new URL(inspector.page.url()).hash;
    });
    await withInspector(
      target,
      SIGNPOST,
      async (inspector) => {
        await inspector.expectEvent(7);
        await inspector.panel("passes").waitFor({ state: "visible" });
        await eventually(async () => assert.match(await inspector.pictureLabel(), /before event 7$/));
        assert.deepEqual(await inspector.edits(), [EDIT]);
        assert.equal(await inspector.colorAt(250, 150), "#2040c0ff", "with the edit");
        const panel = await inspector.openPanel("pixel");
        assert.equal(await panel.getByLabel("Column").inputValue(), "250");
        await eventually(async () => assert.match(await panel.locator(".verdict-text").innerText(), /^Draw 4 of 11/));
        assert.deepEqual(await inspector.errors(), []);
      },
      { hash },
    );
  });

  test("back and forward go through places", async () => {
    await withInspector(target, SIGNPOST, async (inspector) => {
      const pause = () => inspector.page.waitForTimeout(500);
      for (const event of [3, 6, 9]) {
        await inspector.selectEvent(event);
        await pause();
      }
      await inspector.page.goBack();
      await inspector.expectEvent(6);
      await inspector.page.goBack();
      await inspector.expectEvent(3);
      await inspector.page.goForward();
      await inspector.expectEvent(6);
      await eventually(async () => assert.match(await inspector.pictureLabel(), /event 6$/));
    });
  });

  test("an address of another file is refused in words", async () => {
    const check = async (/** @type {import("../harness/inspector.mjs").Inspector} */ inspector) => {
      await eventually(async () => assert.match((await inspector.errors()).join(), /address is of another file/));
      await inspector.expectEvent(12);
      assert.deepEqual(await inspector.edits(), []);
    };
    await withInspector(target, SIGNPOST, check, { hash: "#file=0123456789abcdef&event=3&panel=memory&edit=--skip+3" });
  });

  test("a senseless address shows the file", async () => {
    const hashes = [
      "#event=99999999&x=5000&y=77777&panel=nothing",
      "#event=-1&x=-1&y=abc&panel=__proto__&target=zz&camera=NaN,1&pose=1&rival=%7Bnot",
      "#rival=%5B1%5D&target=ffffffff,99999,DXT5,9999,9999&view=depth&vertex=12345678&primitive=12345678&command=999999999",
      "#edit=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E&edit=--set+NOTHING%3D1&edit=--skip",
      `#${"a".repeat(5000)}&%E0%A4%A`,
    ];
    for (const hash of hashes) {
      await withInspector(
        target,
        SIGNPOST,
        async (inspector) => {
          for (const panel of ["pixel", "mesh", "commands", "edits"]) {
            await inspector.openPanel(panel);
          }
          assert.equal(await inspector.page.locator("img").count(), 0, hash);
          for (const error of await inspector.errors()) {
            assert.doesNotMatch(error, /undefined|TypeError|is not a function|\[object/, hash);
          }
          await inspector.leaveField();
          await inspector.press("Home");
          await inspector.expectEvent(0);
        },
        { hash, allows: /^console: Failed to load/ },
      );
    }
  });

  test("an edit of the address that the engine refuses is left out", async () => {
    await withInspector(
      target,
      SIGNPOST,
      async (inspector) => {
        await eventually(async () => assert.deepEqual(await inspector.edits(), [EDIT]));
        await eventually(async () => assert.equal(await inspector.page.locator(".scrubber").getByText("of 12").count(), 1));
        assert.match((await inspector.errors()).join(), /^--set SCISSOR2\.x=99999: .*out of range/);
        await eventually(async () => assert.match(await inspector.pictureLabel(), /after event 7$/));
        assert.equal(await inspector.colorAt(250, 150), "#2040c0ff", "with the other edit");
      },
      { hash: `#event=7&edit=${encodeURIComponent(EDIT)}&edit=--set+SCISSOR2.x%3D99999` },
    );
  });

  test("an address names the camera of a model", async () => {
    let hash = "";
    let commands = "";
    const facts = (/** @type {import("../harness/inspector.mjs").Inspector} */ inspector) => inspector.page.locator(".camera-text").innerText();
    await withInspector(target, ANEMONE, async (inspector) => {
      await inspector.openPanel("model");
      await inspector.page.getByRole("button", { name: "Left", exact: true }).click();
      await inspector.page.getByRole("button", { name: "Inspect this view" }).click();
      await inspector.rest();
      await eventually(async () => assert.match((await inspector.addressPart("camera")) ?? "", /^90,0,1/));
      commands = await facts(inspector);
      hash = new URL(inspector.page.url()).hash;
    });
    await withInspector(
      target,
      ANEMONE,
      async (inspector) => {
        await inspector.openPanel("model");
        await eventually(async () => assert.equal(await facts(inspector), commands));
      },
      { hash },
    );
  });
}
