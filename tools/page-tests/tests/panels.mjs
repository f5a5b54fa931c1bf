// Every panel opens on every kind of input, without errors of the console and without failed requests.

import assert from "node:assert/strict";
import { test } from "node:test";

import { eventually, PANELS, withInspector } from "../harness/inspector.mjs";
import { inputs, sample, SIGNPOST, TEXTURES } from "../harness/inputs.mjs";

/** @param {import("../harness/targets.mjs").Target} target */
export function panelTests(target) {
  for (const { name, path, kind } of inputs()) {
    test(`all panels open: ${name}`, async () => {
      await withInspector(target, path, async (inspector) => {
        await inspector.openPanel("frame");
        await eventually(async () => assert.match(await inspector.pictureLabel(), /picture at 0x0[0-9a-f]+, \d+ by \d+ pixels/));
        for (const { id } of PANELS) {
          if (id === "model" && kind !== "model") {
            continue;
          }
          const panel = await inspector.openPanel(id);
          const text = await panel.innerText();
          assert.ok(text.trim().length > 20, `panel ${id} has contents: ${text}`);
          assert.doesNotMatch(text, /undefined|NaN|\[object /, `panel ${id}`);
          assert.deepEqual(await inspector.errors(), [], `panel ${id}`);
        }
      });
    });
  }

  test("a step keeps what stays the same, with the focus", async () => {
    await withInspector(target, SIGNPOST, async (inspector) => {
      await inspector.selectEvent(4);
      const state = await inspector.openPanel("state");
      const value = state.getByRole("button", { name: /^SCISSOR2\.x: / });
      await value.focus();
      await value.evaluate((element) => Object.assign(element, { isMarked: true }));
      await inspector.page.keyboard.press("j");
      await state.getByText("State at event 5").waitFor();
      assert.deepEqual(await value.evaluate((element) => ["isMarked" in element, element === document.activeElement]), [true, true]);
    });
  });

  test("bytes keep the marks of those that have changed while something else is shown", async () => {
    await withInspector(target, SIGNPOST, async (inspector) => {
      await inspector.selectEvent(0);
      const memory = await inspector.openPanel("memory");
      await memory.getByRole("radio", { name: "Bytes" }).click();
      await memory.getByRole("textbox", { name: "Address" }).fill("0x04000000");
      await inspector.page.keyboard.press("Enter");
      await inspector.rest();
      await inspector.selectEvent(8);
      const changed = memory.locator(".hex-bytes .is-changed");
      await changed.first().waitFor();
      const count = await changed.count();
      await memory.getByRole("radio", { name: "Picture" }).click();
      await memory.getByRole("radio", { name: "Bytes" }).click();
      await inspector.rest();
      assert.equal(await changed.count(), count);
    });
  });

  test("a run of passes that is unfolded shows all of its passes", async () => {
    await withInspector(target, SIGNPOST, async (inspector) => {
      // The page as one file loads modules only for itself.
      await inspector.openPanel("passes");
      const counts = await inspector.page.evaluate(async () => {
        // The page's own module, by its name in the import map.
        const name = "pspge/panels/graph-folds.js";
        const { folded, graphOf } = await import(name);
        const passes = Array.from({ length: 12 }, (_, pass) => ({ id: `pass-${pass}`, kind: "pass", passes: [pass], event: pass, lines: [], badges: [] }));
        const node = (/** @type {number} */ pass) => ({ kind: "pass", pass, event: null });
        const graph = graphOf(passes, passes.slice(1).map((_, pass) => ({ from: node(pass), to: node(pass + 1), kind: "old colour" })));
        return [[], ["fold-pass-1"]].map((unfolded) => folded(graph, new Set(unfolded)).nodes.map((/** @type {{id: string}} */ { id }) => id).join(" "));
      });
      assert.deepEqual(counts, ["pass-0 fold-pass-1 pass-11", Array.from({ length: 12 }, (_, pass) => `pass-${pass}`).join(" ")]);
    });
  });

  test("the background of the graph of passes follows the pointer that drags it", async () => {
    await withInspector(target, SIGNPOST, async (inspector) => {
      const { page } = inspector;
      await inspector.openPanel("passes");
      const graph = page.locator(".pass-graph");
      await graph.focus();
      for (let times = 0; times < 8; times += 1) {
        await page.keyboard.press("+");
      }
      const scroll = () => graph.evaluate((element) => [element.scrollLeft, element.scrollTop]);
      await graph.evaluate((element) => element.scrollTo(60, 60));
      const before = await scroll();
      const [x, y] = await graph.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const places = Array.from({ length: 400 }, (_, nth) => [left + (width * (1 + (nth % 18))) / 20, top + (height * (1 + Math.floor(nth / 22))) / 20]);
        const free = places.find(([column = 0, row = 0]) => {
          const found = document.elementFromPoint(column, row);
          return found && element.contains(found) && !found.closest(".graph-node");
        });
        return free ?? [0, 0];
      });
      assert.ok(x && y, "some background is free");
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 20, y - 15);
      await page.mouse.move(x + 30, y + 10);
      await page.mouse.up();
      await page.mouse.move(x - 40, y - 40);
      const after = await scroll();
      assert.deepEqual(after, [before[0] - 30, before[1] - 10]);
    });
  });

  test("a command is shown at the event after it, not at an action of the CPU before it", async () => {
    await withInspector(target, SIGNPOST, async ({ page }) => {
      const found = await page.evaluate(async () => {
        const name = "pspge/state/run-events.js";
        const { createRunEvents } = await import(name);
        const kinds = ["draw", "cpu", "draw", "cpu"];
        const events = [4, 9, 9, 10].map((command, event) => ({ event, command, kind: kinds[event], draw: null }));
        const selected = { event: 0, after: true };
        const store = { get: () => selected, set: (/** @type {object} */ part) => Object.assign(selected, part) };
        const run = createRunEvents({ store, engine: {}, events: { count: 4, events } }, () => {});
        return [4, 8, 9, 10].map((command) => {
          run.showCommand(command);
          return [selected.event, run.ofCommand(command)];
        });
      });
      assert.deepEqual(found, [[0, 0], [1, 1], [2, 2], [4, 4]]);
    });
  });

  test("a file without a list says so and shows its contents", async () => {
    await withInspector(target, TEXTURES, async (inspector) => {
      const contents = inspector.page.getByRole("region", { name: "Contents of the file" });
      assert.match(await contents.innerText(), /Textures[^]*format tmh[^]*texture 0[^]*256×128 CLUT8/);
      for (const { key } of PANELS) {
        await inspector.press(key);
      }
      await inspector.press("j");
      await inspector.press("m");
      await inspector.rest();
      assert.deepEqual(await inspector.errors(), []);
      assert.equal(await contents.isVisible(), true);
    });
  });

  test("the page starts without a file", async () => {
    await withInspector(target, null, async (inspector) => {
      assert.equal(await inspector.page.getByRole("button", { name: "Choose files" }).isVisible(), true);
      assert.deepEqual(await inspector.errors(), []);
    });
  });

  test("the files of one model open together", async () => {
    const [model, skeleton, textures] = ["lampwing-102.pmo", "lampwing-102.ahi", "lampwing.tmh"].map(sample);
    // As the monsters of Monster Hunter Portable 3rd are: tables, and mesh data in a second file.
    const start = model.readUInt32LE(0x34);
    const first = { name: "monster.bin", bytes: model.subarray(0, start) };
    const second = { name: "meshes.bin", bytes: model.subarray(start) };
    await withInspector(target, null, async (inspector) => {
      await inspector.drop(first.name, first.bytes);
      const choose = inspector.page.getByRole("button", { name: "Choose its second file" });
      await choose.waitFor();
      assert.match((await inspector.errors()).join(), /has to be given as mesh data/);
      const chooser = inspector.page.waitForEvent("filechooser");
      await choose.click();
      await (await chooser).setFiles({ name: second.name, mimeType: "", buffer: second.bytes });
      const facts = async () => {
        const panel = await inspector.openPanel("model");
        await panel.getByRole("tab", { name: "File" }).click();
        return panel.innerText();
      };
      await eventually(async () => assert.match(await facts(), /meshes\.bin \(mesh-data\)/));
      assert.deepEqual(await inspector.errors(), []);
      const others = [second, { name: "bones.bin", bytes: skeleton }, { name: "skin.bin", bytes: textures }];
      await inspector.dropAll([...others, first]);
      await eventually(async () =>
        assert.match(await facts(), /skin\.bin \(textures\), bones\.bin \(skeleton\), meshes\.bin \(mesh-data\)/),
      );
      assert.deepEqual(await inspector.errors(), []);
    }, { isOwn: true });
  });
}
