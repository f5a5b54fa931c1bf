// Controls can be reached in small and in very large windows: none overflows the page, none covers another.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { eventually, PANELS, withInspector } from "../harness/inspector.mjs";
import { ROOT, SIGNPOST, WYVERN } from "../harness/inputs.mjs";

const SIZES = [
  { width: 1024, height: 640 },
  { width: 1280, height: 720 },
  { width: 3840, height: 2160 },
];

/** @param {import("../harness/targets.mjs").Target} target */
export function layoutTests(target) {
  for (const viewport of SIZES) {
    for (const [name, path] of [["a list", SIGNPOST], ["a model", WYVERN]]) {
      test(`${viewport.width}x${viewport.height}, ${name}`, async () => {
        await withInspector(
          target,
          path ?? "",
          async (inspector) => {
            const model = path === WYVERN;
            for (const { id } of PANELS.filter((panel) => (panel.id === "model") === model)) {
              await inspector.openPanel(id);
              if (id === "pixel") {
                await inspector.clickPixel(250, 150);
              }
              assert.deepEqual(await inspector.page.evaluate(findFaults), [], `panel ${id}`);
            }
          },
          { viewport },
        );
      });
    }
  }

  for (const { viewport, shown } of [
    { viewport: { width: 1280, height: 720 }, shown: ["mesh"] },
    { viewport: { width: 1600, height: 900 }, shown: ["state", "mesh"] },
    { viewport: { width: 2600, height: 1400 }, shown: ["state", "mesh", "textures"] },
  ]) {
    test(`${shown.length} panels stand side by side at ${viewport.width} pixels`, () =>
      withInspector(
        target,
        SIGNPOST,
        async (inspector) => {
          await inspector.openPanel("textures");
          await inspector.openPanel("state");
          await inspector.openPanel("mesh");
          await inspector.selectEvent(6);
          const ids = await inspector.page.locator(".tab-panel:visible").evaluateAll((panels) => panels.map((panel) => panel.id.replace("panel-", "")));
          assert.deepEqual(ids, shown);
          assert.equal(await inspector.page.locator(".tabs > [aria-selected=true]").innerText(), "Mesh");
          // All of them follow the selection.
          if (shown.includes("state")) {
            await inspector.panel("state").getByText("State at event 6").waitFor();
            const panels = inspector.page.locator(".tab-panel:visible");
            const widths = await panels.evaluateAll((elements) => elements.map((element) => element.clientWidth));
            assert.ok(Math.min(...widths) > 300, `the panels are wide enough: ${widths}`);
          }
          await inspector.openPanel("pixel");
          assert.equal(await inspector.panel("state").isVisible(), shown.length > 1, "the panel that is kept stays");
          assert.deepEqual(await inspector.errors(), []);
        },
        { viewport },
      ));
  }

  test("panels are kept beside others by key, mouse and workspace", () =>
    withInspector(
      target,
      SIGNPOST,
      async (inspector) => {
        const { page } = inspector;
        const expectShown = (/** @type {string[]} */ ids) =>
          eventually(async () => assert.deepEqual(await page.locator(".tab-panel:visible").evaluateAll((panels) => panels.map((panel) => panel.id.replace("panel-", ""))), ids));
        await expectShown(["frame", "state"]);
        // Another panel leaves the one that is kept.
        await inspector.openPanel("mesh");
        await expectShown(["state", "mesh"]);
        await inspector.press("w");
        await inspector.openPanel("state");
        await inspector.press("w");
        await inspector.openPanel("memory");
        await expectShown(["mesh", "memory"]);
        const keeper = inspector.panel("mesh").getByRole("button", { name: /^Keep Mesh/ });
        assert.equal(await keeper.getAttribute("aria-pressed"), "true");
        await keeper.click();
        await inspector.openPanel("commands");
        await expectShown(["memory", "commands"]);
        await page.getByRole("tab", { name: "Pixel", exact: true }).dragTo(page.locator(".tab-panels"));
        await expectShown(["pixel", "commands"]);
        await page.getByRole("button", { name: "View", exact: true }).click();
        await page.getByRole("button", { name: "Compare", exact: true }).click();
        await expectShown(["diff", "edits"]);
        // The page remembers it.
        await inspector.rest();
        await inspector.panel("edits").getByLabel("New edit").waitFor();
        await inspector.panel("diff").locator(".diff-verdict").waitFor();
        await page.reload();
        await inspector.rest();
        await inspector.openPanel("memory");
        await expectShown(["memory", "edits"]);
      },
      { viewport: { width: 1600, height: 900 } },
    ));

  test("a workspace is drawn once", () =>
    withInspector(target, SIGNPOST, async (inspector) => {
      const { page } = inspector;
      await page.evaluate(() => {
        // Whenever the panels are drawn, the chosen tab is brought into sight.
        const { getComputedStyle } = window;
        const count = (/** @type {Element} */ element) => document.body.dataset.drawn = String(Number(document.body.dataset.drawn ?? 0) + Number(element.matches(".tabs")));
        window.getComputedStyle = (element, ...others) => (count(element), getComputedStyle.call(window, element, ...others));
      });
      for (const name of ["Usual", "Mesh"]) {
        await page.evaluate(() => delete document.body.dataset.drawn);
        await page.getByRole("button", { name: "View", exact: true }).click();
        await page.getByRole("button", { name, exact: true }).click();
        await inspector.rest();
        assert.equal(await page.evaluate(() => document.body.dataset.drawn), "1", name);
      }
    }));

  test("panels dock, split and float by mouse, and workspaces remember it", () =>
    withInspector(target, SIGNPOST, async (inspector) => {
      const { page } = inspector;
      const place = async (/** @type {string} */ tab, /** @type {string} */ onto, /** @type {[number, number]} */ [x, y]) => {
        // A panel that was placed before and still loads moves the places to drop this one.
        await inspector.rest();
        const box = await page.locator(onto).boundingBox();
        assert.ok(box);
        await page.getByRole("tab", { name: tab, exact: true }).dragTo(page.locator(onto), { targetPosition: { x: box.width * x, y: box.height * y } });
      };
      /** The sides of a panel. @param {string} id */
      const boxOf = async (id) => {
        const { x = 0, y = 0, width = 0, height = 0 } = (await inspector.panel(id).boundingBox()) ?? {};
        return { left: x, top: y, right: x + width, bottom: y + height };
      };
      await inspector.openPanel("state");
      // Memory below the tabs, and Passes at the left of Memory.
      await place("Memory", ".tab-panels", [0.5, 0.95]);
      await inspector.panel("memory").waitFor();
      await place("Passes", ".docked", [0.05, 0.5]);
      await eventually(async () => {
        const [state, memory, passes] = await Promise.all(["state", "memory", "passes"].map(boxOf));
        assert.ok(state && memory && passes);
        assert.ok(state.bottom <= memory.top && memory.bottom > memory.top, "Memory is below the tabs");
        assert.ok(passes.right <= memory.left && passes.top === memory.top && passes.right > passes.left, "Passes is left of Memory");
      });
      assert.deepEqual(await page.evaluate(findFaults), []);
      // They stay while other panels are chosen, and follow the selection.
      await inspector.openPanel("mesh");
      assert.equal(await inspector.panel("memory").isVisible(), true);
      assert.equal(await inspector.panel("state").isVisible(), false);
      // Their border is moved by keys.
      const border = page.getByRole("separator", { name: "Border between panels" }).first();
      const { top } = await boxOf("memory");
      await border.focus();
      await page.keyboard.press("ArrowUp");
      await eventually(async () => assert.ok((await boxOf("memory")).top < top - 2));
      // Another one in its place, and one that floats where it is dropped.
      await place("Textures", ".docked >> nth=1", [0.5, 0.5]);
      await inspector.panel("textures").waitFor();
      assert.equal(await inspector.panel("memory").isVisible(), false);
      await place("Pixel", "section.picture .picture-stage", [0.5, 0.3]);
      const floating = page.locator(".floating");
      await eventually(async () => assert.equal(await floating.locator("#panel-pixel").isVisible(), true));
      const before = await boxOf("pixel");
      const title = await floating.locator(".panel-title h2").boundingBox();
      assert.ok(title);
      await page.mouse.move(title.x + 5, title.y + 5);
      await page.mouse.down();
      await page.mouse.move(title.x - 45, title.y + 65, { steps: 3 });
      await page.mouse.up();
      const after = await boxOf("pixel");
      assert.deepEqual([after.left - before.left, after.top - before.top].map(Math.round), [-50, 60]);
      await page.mouse.move(after.right - 2, after.bottom - 2);
      await page.mouse.down();
      await page.mouse.move(after.right + 58, after.bottom + 38, { steps: 3 });
      await page.mouse.up();
      await eventually(async () => assert.ok((await boxOf("pixel")).right > after.right + 40));
      const placed = async () => ({ pixel: await boxOf("pixel"), passes: await boxOf("passes"), textures: await boxOf("textures") });
      const remembered = await placed();
      await page.reload();
      await inspector.rest();
      await eventually(async () => assert.deepEqual(await placed(), remembered));
      // Another workspace has its own places, and one that is chosen again is reset.
      const workspace = async (/** @type {string} */ name) => {
        await page.getByRole("button", { name: "View", exact: true }).click();
        await page.getByRole("button", { name, exact: true }).click();
        await inspector.rest();
      };
      await workspace("Mesh");
      assert.equal(await page.locator(".docked, .floating").count(), 0);
      await workspace("Usual");
      await eventually(async () => assert.deepEqual(await placed(), remembered));
      await place("Passes", ".tabs", [0.98, 0.5]);
      await eventually(async () => assert.equal(await page.locator(".docked").count(), 1));
      await workspace("Usual");
      assert.equal(await page.locator(".docked, .floating").count(), 0);
      assert.deepEqual(await inspector.errors(), []);
    }));

  test("panels dock and float by keyboard", () =>
    withInspector(target, SIGNPOST, async (inspector) => {
      const { page } = inspector;
      /** Chooses in lists of the menu View. @param {Record<string, string>} choices */
      const choose = async (choices) => {
        await page.getByRole("button", { name: "View", exact: true }).focus();
        await page.keyboard.press("Enter");
        for (const [list, label] of Object.entries(choices)) {
          await page.getByLabel(list, { exact: true }).selectOption({ label });
        }
        await page.keyboard.press("Escape");
      };
      await inspector.openPanel("memory");
      await choose({ "Place of Memory": "dock right of" });
      await inspector.openPanel("mesh");
      await choose({ "Dock beside": "Memory", "Place of Mesh": "dock above" });
      await eventually(async () => {
        const [memory, mesh] = await Promise.all(["memory", "mesh"].map((id) => inspector.panel(id).boundingBox()));
        assert.ok(memory && mesh && mesh.x === memory.x && mesh.y + mesh.height <= memory.y, "Mesh is above Memory");
      });
      await inspector.openPanel("state");
      await choose({ "Place of State": "floating" });
      const move = inspector.panel("state").getByRole("button", { name: /^Move State/ });
      const before = await inspector.panel("state").boundingBox();
      await move.focus();
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Shift+ArrowRight");
      const after = await inspector.panel("state").boundingBox();
      assert.ok(before && after);
      assert.deepEqual([after.x - before.x, after.y - before.y, after.width - before.width].map(Math.round), [-16, 16, 16]);
      await inspector.expectEvent(12);
      for (const title of ["State", "Mesh", "Memory"]) {
        await page.getByRole("button", { name: `Put ${title} back among the tabs` }).press("Enter");
      }
      assert.equal(await page.locator(".docked, .floating").count(), 0);
      assert.deepEqual(await inspector.errors(), []);
    }));

  test("a mesh and a texture are shown in the middle, and go back into their panel", () =>
    withInspector(target, SIGNPOST, async (inspector) => {
      const stage = inspector.page.locator("section.picture .picture-stage");
      await inspector.selectEvent(6);
      for (const [id = "", view = ""] of [["mesh", ".mesh-view"], ["textures", ".texture-detail .picture-view, .stage-part .picture-view"]]) {
        const panel = await inspector.openPanel(id);
        await panel.locator(view).waitFor();
        await panel.getByLabel("In the middle").check();
        await stage.locator(view).waitFor();
        assert.equal(await panel.locator(view).count(), 0, id);
        const box = await stage.locator(view).boundingBox();
        assert.ok(box && box.width > 480 && box.height > 300, `${id}: it has the room of the picture`);
        // Keys go to it, steps are followed, and another panel brings the picture back.
        await inspector.press("+");
        await inspector.press("0");
        await inspector.press("j");
        await inspector.expectEvent(id === "mesh" ? 7 : 8);
        assert.deepEqual(await inspector.page.evaluate(findFaults), [], id);
        await inspector.openPanel("state");
        await inspector.canvas().waitFor();
        await inspector.openPanel(id);
        await stage.locator(view).waitFor();
        await panel.getByLabel("In the middle").uncheck();
        await panel.locator(view).waitFor();
        await inspector.canvas().waitFor();
      }
      assert.deepEqual(await inspector.errors(), []);
    }));

  test("a picture is fitted by a fraction where a whole scale wastes room", () =>
    withInspector(target, SIGNPOST, async (inspector) => {
      const zoom = () => inspector.page.locator(".zoom-text").innerText();
      const used = async () => {
        const [over = "", under = ""] = (await zoom()).split(":");
        const box = await inspector.canvas().boundingBox();
        const scale = Number(over) / Number(under);
        return Math.max((scale * 480) / ((box?.width ?? 0) - 20), (scale * 272) / ((box?.height ?? 0) - 20));
      };
      for (const [width, height] of [[1100, 700], [1280, 720], [1500, 900], [1590, 900]]) {
        await inspector.page.setViewportSize({ width: width ?? 0, height: height ?? 0 });
        await inspector.press("0");
        await eventually(async () => {
          const part = await used();
          assert.ok(part > 0.85 && part <= 1.02, `${part} of the room at ${width}`);
        });
      }
      assert.match(await zoom(), /^1\.\d+:1$/);
    }));

  test("the list of events shows the columns that fit beside the list of members, also in a wide font", () =>
    withInspector(
      target,
      join(ROOT, "tools", "sample"),
      async (inspector) => {
        const { page } = inspector;
        await page.locator(".members .table-row", { hasText: "lampwing.pac" }).first().click();
        await page.locator(".event-row").first().waitFor();
        for (const font of ["", "bold 1em 'DejaVu Serif'", "bold 1em 'DejaVu Sans Mono'"]) {
          for (const width of [25, 40, 55]) {
            await page.evaluate(
              ([font, width]) => {
                /** @type {HTMLElement | null} */ (document.querySelector(".events"))?.style.setProperty("font", String(font));
                /** @type {HTMLElement | null} */ (document.querySelector(".main"))?.style.setProperty("--events", `${width}%`);
              },
              [font, width],
            );
            await eventually(async () => {
              const { list, header, heads, cells } = await page.evaluate(() => {
                const sides = (/** @type {string} */ row) => [...document.querySelectorAll(`${row} > span`)].map((cell) => Math.round(cell.getBoundingClientRect().left));
                const widthOf = (/** @type {string} */ name) => document.querySelector(name)?.[name === ".event-header" ? "scrollWidth" : "clientWidth"] ?? 0;
                return { list: widthOf(".events .virtual-list"), header: widthOf(".event-header"), heads: sides(".event-header"), cells: sides(".event-row:not(.is-end)") };
              });
              assert.ok(heads.length >= 2 && header <= list, `${font} ${width}: ${heads.length} columns of ${header} in ${list} pixels`);
              heads.forEach((head, at) => assert.ok(Math.abs(head - (cells[at] ?? 0)) <= 1, `${font} ${width}: column ${at} is at ${head}, its cells at ${cells[at]}`));
            });
          }
        }
      },
      { viewport: { width: 1920, height: 1080 } },
    ));

  test("texts of twice the size, with panels below the picture", async () => {
    await withInspector(target, SIGNPOST, async (inspector) => {
      const { page } = inspector;
      await page.getByRole("button", { name: "View", exact: true }).click();
      await page.getByLabel("Size of texts").selectOption("200");
      await page.getByLabel("below the picture").check();
      await page.keyboard.press("Escape");
      for (const { id } of PANELS.filter((panel) => panel.id !== "model")) {
        await inspector.openPanel(id);
        const { overflow } = await page.evaluate(() => ({ overflow: document.documentElement.scrollWidth - innerWidth }));
        assert.ok(overflow <= 0, `panel ${id} is ${overflow} pixels too wide`);
      }
    });
  });
}

/** Returns faults of the layout. Runs in the page. */
function findFaults() {
  /** @type {string[]} */
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) {
    faults.push(`the page is ${root.scrollWidth}x${root.scrollHeight} in a window of ${innerWidth}x${innerHeight}`);
  }
  /** The part of an element that its ancestors do not cut off. @param {Element} element */
  const visiblePart = (element) => {
    const box = element.getBoundingClientRect();
    let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
    let isScrolled = false;
    for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(ancestor);
      if (overflowX !== "visible" || overflowY !== "visible") {
        const outer = ancestor.getBoundingClientRect();
        isScrolled ||= overflowX === "auto" || overflowX === "scroll" || overflowY === "auto" || overflowY === "scroll";
        [left, top, right, bottom] = [Math.max(left, outer.left), Math.max(top, outer.top), Math.min(right, outer.right), Math.min(bottom, outer.bottom)];
      }
    }
    return { left, top, right, bottom, isWhole: right - left >= box.width - 1 && bottom - top >= box.height - 1, isScrolled };
  };
  const nameOf = (/** @type {Element} */ element) => `${element.tagName.toLowerCase()} "${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40)}"`;
  const controls = [...document.querySelectorAll("button, input, select, textarea, summary, [role=tab]")];
  for (const control of controls) {
    const style = getComputedStyle(control);
    const box = control.getBoundingClientRect();
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || box.width < 2 || box.height < 2 || style.pointerEvents === "none") {
      continue;
    }
    const { left, top, right, bottom, isWhole, isScrolled } = visiblePart(control);
    if (right - left < 2 || bottom - top < 2) {
      if (!isScrolled) {
        faults.push(`${nameOf(control)} cannot be seen`);
      }
      continue;
    }
    if (!isWhole && !isScrolled) {
      faults.push(`${nameOf(control)} is cut off`);
    }
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isReached = hit && (control.contains(hit) || hit.contains(control) || (control instanceof HTMLInputElement && [...(control.labels ?? [])].some((label) => label.contains(hit))));
    if (!isReached && isWhole) {
      faults.push(`${nameOf(control)} is below ${hit ? nameOf(hit) : "nothing"}`);
    }
  }
  return faults;
}
