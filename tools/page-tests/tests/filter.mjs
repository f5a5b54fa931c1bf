// The terms of the filter of events.

import assert from "node:assert/strict";
import { test } from "node:test";

import { eventually, withInspector } from "../harness/inspector.mjs";
import { equalDraws, SIGNPOST } from "../harness/inputs.mjs";

/** Filters with the events that match. */
const FILTERS = /** @type {[string, number[]][]} */ ([
  ["draw:3-5", [3, 4, 5]],
  ["draw:7,9-", [7, 9, 11]],
  ["event:10", [10]],
  ["pass:0", [0, 1]],
  ["kind:transfer", [10]],
  ["-kind:draw", [10]],
  ["is:clear", [0, 2]],
  ["TEXENABLE=1", [5, 6, 7]],
  ["ztest=1 switch:CULLENABLE", [8]],
  ["is:textured", [5, 6, 7]],
  ["-is:textured is:clear", [0, 2]],
  ["register:ZTEST", [3, 4, 5]],
  ["command:TRIANGLES", [1, 8]],
  ["texture:CLUT8", [6, 7]],
  ["texture:0x0880", [6, 7]],
  ["texture:0x04110000", [5]],
  ["target:0x04110000", [0, 1]],
  ["rect:60,60", [0, 2, 9]],
  ["covered:0", []],
  ["covered:>10000", [2, 3, 4, 5]],
  ["covered:2304", [6, 7]],
  ["rectangles draw:8-", [9]],
  ["transfer", [10]],
  ["fate:culled", [8]],
  ["culled", [8]],
  ["fate:dropped", [8]],
  ["fate:killed", [4]],
  ["fate:killed,culled", [4, 8]],
  ["-fate:drawn", [4, 10]],
  ["killed:18000", [4]],
  ["top:2", [2, 3]],
  ["top 3 -is:clear", [3, 4]],
  ["SOURCE_ALPHA", [9]],
  ["sprite -is:textured", [3, 4, 9]],
]);

/** Filters that make no sense, with a part of the message. */
const WRONG = /** @type {[string, RegExp][]} */ ([
  ["nothing:1", /There is no term nothing:/],
  ["draw:x", /no list of numbers/],
  ["kind:poem", /use one of/],
  ["texture:zz", /no address/],
  ["rect:1", /no rectangle/],
  ["cost:much", /no amount/],
  ["draw:", /needs a value/],
  ["FOGENABLE=2", /no state of a switch/],
  ["ZTEST=ALWAYS", /The switches are/],
  ["fate:sad", /fate:sad is unknown/],
  ["top:many", /no number of events/],
]);

/** @param {import("../harness/targets.mjs").Target} target */
export function filterTests(target) {
  test("every term finds its events", async () => {
    await withInspector(target, SIGNPOST, async (inspector) => {
      const field = inspector.page.getByLabel("Filter events");
      const rows = inspector.page.locator(".event-row .event-number");
      for (const [filter, events] of FILTERS) {
        await field.fill(filter);
        await eventually(async () => {
          const titles = await rows.evaluateAll((elements) => elements.map((element) => Number(/Event (\d+)/.exec(element.getAttribute("title") ?? "")?.[1])));
          assert.deepEqual(titles, events, filter);
        });
        assert.match(await inspector.page.locator(".matches").innerText(), new RegExp(`^${events.length} of 12 events`), filter);
      }
      for (const [filter, message] of WRONG) {
        await field.fill(filter);
        await eventually(async () => assert.match(await inspector.page.locator("#filter-problems").innerText(), message, filter));
        assert.equal(await field.getAttribute("aria-invalid"), "true");
      }
      await field.press("Escape");
      await eventually(async () => assert.equal(await inspector.page.locator(".matches").innerText(), "12 events"));
    });
  });

  test("the help of the filter gives examples that it understands", async () => {
    await withInspector(target, SIGNPOST, async (inspector) => {
      const { page } = inspector;
      const examples = page.locator(".filter-help td button");
      const count = await examples.count();
      assert.ok(count >= 12, `${count} examples`);
      for (let index = 0; index < count; index += 1) {
        await page.getByRole("button", { name: "Terms of the filter" }).click();
        await examples.nth(index).click();
        await eventually(async () => assert.match(await page.locator(".matches").innerText(), /of 12 events match/));
        assert.equal(await page.locator("#filter-problems").isVisible(), false);
        await page.keyboard.press("Escape");
      }
    });
  });

  test("rows tell what is drawn, where, and with which texture", () => withInspector(target, SIGNPOST, rowsTellMore, { viewport: { width: 2560, height: 1000 } }));
  test("equal draws in a row are one row", () => withInspector(target, equalDraws(), folding));
  test("events are sorted by what they cost", () => withInspector(target, SIGNPOST, sorting));

  test("groups of passes close and open", async () => {
    await withInspector(target, SIGNPOST, async (inspector) => {
      const rows = inspector.page.locator(".event-row .event-number");
      await inspector.page.getByRole("button", { name: "Close all groups" }).click();
      await eventually(async () => assert.ok((await rows.count()) <= 1, "only events outside passes are left"));
      await inspector.page.locator(".event-group .group-name").first().click();
      await eventually(async () => assert.ok((await rows.count()) >= 2));
      await inspector.page.getByRole("button", { name: "Open all groups" }).click();
      await eventually(async () => assert.equal(await rows.count(), 12));
    });
  });
}

/** @param {import("../harness/inspector.mjs").Inspector} inspector */
async function rowsTellMore(inspector) {
  const row = (/** @type {number} */ event) => inspector.page.locator(".event-row", { has: inspector.page.locator(`.event-number[title^="Event ${event}"]:text-is("${event}")`) });
  const cells = async (/** @type {number} */ event) => (await row(event).getByRole("gridcell").allInnerTexts()).map((text) => text.trim().replace(/\s+/g, " ")).filter(Boolean);
  await chooseColumns(inspector, ["event", "texture", "place", "blend", "tests", "vertices", "primitives", "covered", "passed", "killed", "rank"]);
  assert.deepEqual((await cells(2)).slice(0, 3), ["2", "Clear colour, stencil, depth 480×272", "480×272 at 0,0"]);
  assert.deepEqual(await cells(3), ["3", "Sprite 200×160", "200×160 at 100,40", "depth always", "2", "32 000", "32 000", "2"]);
  // All of its fragments are behind the red square.
  assert.deepEqual((await cells(4)).slice(0, 2), ["4", "Sprite 200×90 all killed"]);
  assert.deepEqual((await cells(4)).slice(-2), ["18 000", "3"]);
  assert.deepEqual((await cells(6)).slice(0, 4), ["6", "Sprite 48×48", "4×4 CLUT8", "48×48 at 20,210"]);
  assert.deepEqual((await cells(7)).slice(0, 4), ["7", "Sprite 48×48", "4×4 CLUT8", "48×48 at 80,210"]);
  assert.deepEqual((await cells(8)).slice(0, 2), ["8", "5 triangles"]);
  assert.equal(await row(8).locator(".event-primitives [title]").getAttribute("title"), "Of 5 primitives: 2 drawn, 1 culled, 1 without area, 1 outside the view");
  assert.deepEqual((await cells(9)).slice(0, 4), ["9", "4 sprites", "60×60 at 20,20", "alpha"]);
  assert.deepEqual((await cells(10)).slice(0, 2), ["10", "Block transfer of 64×64 pixels of 4 bytes"]);
  // The textures of the same texels with two palettes have their own pictures.
  const colors = () => inspector.page.locator(".event-row .texture-picture").evaluateAll((canvases) => canvases.map((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL()));
  await eventually(async () => assert.equal(new Set(await colors()).size, 3));
  // The row, the field and the panel have one number.
  await row(10).click();
  await inspector.expectEvent(10);
  await inspector.openPanel("state");
  await inspector.panel("state").getByText("State at event 10").waitFor();
  // The choice is remembered.
  await inspector.page.reload();
  await inspector.page.getByRole("columnheader", { name: "Tests" }).waitFor();
}

/**
 * Shows these columns, besides the names of the events.
 * @param {import("../harness/inspector.mjs").Inspector} inspector
 * @param {string[]} ids
 */
async function chooseColumns({ page }, ids) {
  await page.getByRole("button", { name: "Columns" }).click();
  const boxes = page.locator(".events .menu input[value]:not([value=on])");
  for (let index = 0; index < (await boxes.count()); index += 1) {
    await boxes.nth(index).setChecked(ids.includes((await boxes.nth(index).getAttribute("value")) ?? ""));
  }
  await page.keyboard.press("Escape");
}

/** Equal draws fold, with the copies of the CPU between them. @param {import("../harness/inspector.mjs").Inspector} inspector */
async function folding(inspector) {
  const { page } = inspector;
  const numbers = async () => (await page.locator(".event-row .event-number").allInnerTexts()).map(Number);
  const fold = page.locator(".event-row.is-fold");
  await eventually(async () => assert.deepEqual(await numbers(), [0, 5, 6]));
  assert.match(await fold.innerText(), /5 sprites\s*in 5 draws/);
  assert.equal(await fold.getAttribute("aria-expanded"), "false");
  // A closed run stands for all of its events.
  await inspector.selectEvent(3);
  assert.match((await fold.getAttribute("class")) ?? "", /is-active/);
  await page.getByRole("treegrid", { name: "Events" }).focus();
  await page.keyboard.press("ArrowRight");
  await eventually(async () => assert.deepEqual(await numbers(), [0, 0, 1, 2, 3, 4, 5, 6]));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await inspector.expectEvent(1);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await eventually(async () => assert.deepEqual(await numbers(), [0, 5, 6]));
  // An order by columns has one row for each event.
  await page.getByRole("button", { name: "Cost", exact: true }).click();
  await eventually(async () => assert.equal((await numbers()).length, 7));
}

/** @param {import("../harness/inspector.mjs").Inspector} inspector */
async function sorting(inspector) {
  const order = inspector.page.getByLabel("Order of the events");
  const numbers = async () => (await inspector.page.locator(".event-row .event-number").allInnerTexts()).map(Number);
  await order.selectOption("cost");
  await eventually(async () => assert.equal((await numbers())[0], 2, "the clear of the screen costs most"));
  assert.equal(await inspector.page.locator(".event-group").count(), 0);
  await order.selectOption("covered");
  await eventually(async () => assert.deepEqual((await numbers()).slice(0, 2), [2, 3]));
  // A click on a head sorts, reverses, and goes back to the order of the run.
  const cost = inspector.page.getByRole("columnheader", { name: "Cost" });
  for (const sorted of ["descending", "ascending", "none", "descending"]) {
    await cost.getByRole("button").click();
    assert.equal(await cost.getAttribute("aria-sort"), sorted);
  }
  // Keys in the list go through this order.
  await inspector.page.locator(".event-row").first().click();
  await inspector.expectEvent(2);
  await inspector.page.keyboard.press("ArrowDown");
  await inspector.expectEvent(3);
  await order.selectOption("");
  await eventually(async () => assert.deepEqual(await numbers(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
}
