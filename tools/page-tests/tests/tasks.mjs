// Tasks of somebody who looks for a fault, each with the number of its steps. The guide of the inspector has them in a table.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { withInspector } from "../harness/inspector.mjs";
import { ROOT, SCRATCH, SIGNPOST, WYVERN } from "../harness/inputs.mjs";
import { Steps } from "../harness/steps.mjs";

/**
 * @typedef {{name: string, steps: number, elsewhere: number | null}} Row a task, its steps, and those of RenderDoc
 * @typedef {(steps: Steps, inspector: import("../harness/inspector.mjs").Inspector) => Promise<void>} Task
 */

/** The size of the window in which the steps of RenderDoc were counted. */
const VIEWPORT = { width: 1600, height: 1000 };

/** The tasks by their names in the guide. */
const TASKS = /** @type {Record<string, {act: Task, input?: () => string}>} */ ({
  "Which draw made this wrong pixel?": { act: wrongPixel },
  "Which texture is drawn here, and which draws use it?": { act: textureHere },
  "Why is this triangle culled?": { act: culled },
  "In what do two draws differ?": { act: twoDraws },
  "Draw with another depth test": { act: otherTest },
  "Who draws this target, and who reads it?": { act: readers },
  "Save the mesh of a draw": { act: saveMesh },
  "Compare two settings": { act: compareSettings },
  "Share what is seen": { act: share },
  "Which draw costs most?": { act: costliest },
  "How often is this pixel drawn?": { act: overdraw },
  "Change a register, and take it back": { act: editAndUndo },
  "Follow a CALL": { act: followCall, input: listWithCall },
  "See the vertices of a draw": { act: vertices },
  "Play the animation of a model": { act: animate, input: () => WYVERN },
  "Save the page with the frame as one file": { act: oneFile },
  "Go to an event by its number": { act: goTo },
  "Which command set this register?": { act: writer },
  "How deep is this pixel?": { act: depthHere },
  "See the picture before and after a draw": { act: beforeAfter },
  "Which draws show nothing, and why?": { act: nothingShown },
  "Which pixels of a draw fail its tests?": { act: failedPixels },
  "Save the texture of a draw": { act: saveTexture },
  "Who reads and writes this buffer?": { act: usesOfBuffer },
  "Where do two files differ first?": { act: twoFiles },
  "Leave a draw out": { act: leaveOut },
});

/** Returns the rows of the table in the guide. @returns {Row[]} */
function rowsOfGuide() {
  const guide = readFileSync(join(ROOT, "src", "guides", "inspector.md"), "utf8");
  const rows = guide.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+|–) \|$/gm);
  return [...rows].map(([, name = "", steps, elsewhere]) => ({ name, steps: Number(steps), elsewhere: elsewhere === "–" ? null : Number(elsewhere) }));
}

/** @param {import("../harness/targets.mjs").Target} target */
export function taskTests(target) {
  const rows = rowsOfGuide();

  test("the guide lists the tasks, and none takes more steps than elsewhere", () => {
    assert.deepEqual(rows.map(({ name }) => name), Object.keys(TASKS));
    assert.deepEqual(rows.filter(({ steps, elsewhere }) => elsewhere !== null && steps > elsewhere), []);
  });

  for (const [name, { act, input = () => SIGNPOST }] of Object.entries(TASKS)) {
    test(name, () =>
      withInspector(
        target,
        input(),
        async (inspector) => {
          const steps = new Steps(inspector);
          await act(steps, inspector);
          assert.equal(steps.count, rows.find((row) => row.name === name)?.steps, "steps, as in the guide");
        },
        { viewport: VIEWPORT, isOwn: act === twoFiles, permissions: act === share && target.name === "server" ? ["clipboard-read", "clipboard-write"] : [], allows: act === oneFile ? /501/ : undefined },
      ));
  }
}

/** @type {Task} */
async function wrongPixel(steps, inspector) {
  await steps.pixel(250, 150);
  await steps.see(inspector.panel("pixel").locator(".verdict-text"), /^Draw 3 of 11, rectangle 0: written/);
}

/** @type {Task} */
async function textureHere(steps, inspector) {
  await steps.pixel(380, 84);
  await steps.press(/^draw 5$/, inspector.panel("pixel"));
  const textures = await steps.panel("textures");
  await steps.see(textures.getByRole("region", { name: "Selected texture" }), /0x04110000[^]*Draws\s+5/);
}

/** @type {Task} */
async function culled(steps, inspector) {
  await steps.type(inspector.page.getByLabel("Filter events"), "culled");
  await inspector.expectEvent(8);
  const mesh = await steps.panel("mesh");
  await steps.see(mesh.getByRole("grid", { name: "Primitives" }).locator(".table-row").nth(1), /culled[^]*counter-clockwise/);
}

/** @type {Task} */
async function twoDraws(steps, inspector) {
  await steps.event(3);
  await steps.key("v");
  await steps.event(4);
  await steps.see(inspector.panel("diff").locator(".diff-verdict"), /^Draw 3 and draw 4 differ/);
  await steps.see(inspector.panel("diff"), /ZTEST\s+ALWAYS\s+LESS/);
}

/** @type {Task} */
async function otherTest(steps, inspector) {
  await steps.event(4);
  const state = inspector.panel("state");
  await steps.press(/^ZTEST: LESS/, state);
  await steps.choose(state.getByLabel(/^New value of/), "ALWAYS");
  await inspector.rest();
  assert.deepEqual(await inspector.edits(), ["--set ZTEST=ALWAYS@4"]);
}

/** @type {Task} */
async function readers(steps, inspector) {
  await steps.press(/^0x04110000/, inspector.page.getByRole("treegrid", { name: "Events" }));
  await steps.see(inspector.panel("passes").getByRole("region", { name: "Selected pass" }), /^Pass 0[^]*0x04110000[^]*pass 1: texture/);
}

/** @type {Task} */
async function saveMesh(steps) {
  await steps.event(8);
  await steps.press("Save");
  assert.match(await steps.saved(() => steps.press("Geometry of draw 8 (glTF, .glb)")), /\.glb$/);
}

/** @type {Task} */
async function compareSettings(steps, inspector) {
  const edits = await steps.panel("edits");
  await steps.type(edits.getByLabel("New edit"), "ZTEST=GREATER_EQUAL");
  await steps.press("Compare with the file", edits);
  await steps.see(inspector.panel("diff").locator(".diff-verdict"), /first difference is draw 4, event 4: 18000 pixels/);
}

/** @type {Task} */
async function share(steps, inspector) {
  await steps.press("Save");
  await steps.press("Copy the link to this place");
  if (inspector.address.startsWith("http")) {
    await steps.see(inspector.page.getByRole("button", { name: "Copied" }), /Copied/);
    assert.equal(await inspector.page.evaluate(() => navigator.clipboard.readText()), inspector.page.url());
  }
}

/** @type {Task} */
async function costliest(steps, inspector) {
  await steps.press("What is the costliest draw?", inspector.panel("frame"));
  await inspector.expectEvent(2);
}

/** @type {Task} */
async function overdraw(steps, inspector) {
  await steps.key("m");
  await inspector.rest();
  await steps.point(60, 60);
  await steps.see(inspector.page.locator(".status-value"), /\b5 fragments/);
}

/** @type {Task} */
async function editAndUndo(steps, inspector) {
  await otherTest(steps, inspector);
  await steps.key("z");
  await inspector.rest();
  assert.deepEqual(await inspector.edits(), []);
}

/** Writes a list with a CALL, and returns its path. */
function listWithCall() {
  const path = join(SCRATCH, "call.ge");
  writeFileSync(path, "FRAMEBUFWIDTH width=512 | BASE hi(inner) | CALL lo(inner)\nFINISH | END\n.align 4\ninner: VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=POINTS count=1 | RET\n.align 4\nv: .s16 1 1 0\n");
  return path;
}

/** @type {Task} */
async function followCall(steps, inspector) {
  await steps.openEvent(0);
  const commands = inspector.panel("commands");
  await steps.click(commands.locator(".table-row", { hasText: "CALL" }).getByRole("button"));
  await steps.see(commands.locator(".command-stack"), /List › 0x[0-9a-f]+ \(\d+\) › VTYPE/);
}

/** @type {Task} */
async function vertices(steps, inspector) {
  await steps.event(8);
  const mesh = await steps.panel("mesh");
  await steps.see(mesh.locator(".mesh-summary"), /^Draw 8, triangles: 5 primitives/);
  await mesh.locator(".mesh-canvas").waitFor();
}

/** @type {Task} */
async function animate(steps, inspector) {
  await steps.click(inspector.panel("model").getByRole("grid", { name: /^Animations/ }).locator(".table-row").nth(2));
  await steps.press("Play");
  await steps.see(inspector.page.locator(".timeline"), /Stop/);
}

/** @type {Task} */
async function oneFile(steps, inspector) {
  await steps.press("Save");
  const item = () => steps.press("The page as one file (HTML)");
  const message = inspector.page.locator(".errors .error-text");
  // A checkout without the engine says how to get it.
  const download = inspector.page.waitForEvent("download").then((file) => file.suggestedFilename());
  await item();
  assert.match(await Promise.race([download, message.waitFor().then(() => message.innerText())]), /^signpost\.html$|run `cargo dev web`/);
  download.catch(() => null);
}

/** @type {Task} */
async function goTo(steps, inspector) {
  await steps.event(7);
  await inspector.expectEvent(7);
}

/** @type {Task} */
async function writer(steps, inspector) {
  await steps.event(4);
  const state = inspector.panel("state");
  await steps.click(state.getByRole("row", { name: /ZTEST/ }).filter({ hasText: "LESS" }).getByTitle(/^Written by command 82/));
  await steps.see(inspector.panel("commands").locator(".table-row.is-active"), /82[^]*ZTEST LESS/);
}

/** @type {Task} */
async function depthHere(steps, inspector) {
  await steps.point(250, 150);
  await steps.see(inspector.page.locator("section.picture"), /depth 0x2000/);
}

/** @type {Task} */
async function beforeAfter(steps, inspector) {
  await steps.event(3);
  assert.match(await inspector.pictureLabel(), /after event 3$/);
  await steps.key("f");
  await steps.see(inspector.page.getByRole("button", { name: "Before", pressed: true }), /Before/);
}

/** @type {Task} */
async function nothingShown(steps, inspector) {
  await steps.press("Which draws show nothing, and why?", inspector.panel("frame"));
  await steps.see(inspector.page.locator(".event-row"), /Sprite 200×90\s*all killed/);
}

/** @type {Task} */
async function failedPixels(steps, inspector) {
  await steps.event(4);
  await steps.key("t");
  await steps.see(inspector.page.getByRole("button", { name: "Result", pressed: true }), /^$/);
}

/** @type {Task} */
async function saveTexture(steps) {
  await steps.event(7);
  const textures = await steps.panel("textures");
  assert.match(await steps.saved(() => steps.press("Save PNG", textures)), /^texture-\d+\.png$/);
}

/** @type {Task} */
async function usesOfBuffer(steps) {
  const memory = await steps.panel("memory");
  await steps.click(memory.getByRole("radio", { name: "Uses" }));
  await steps.see(memory.getByRole("grid", { name: "Events that use the bytes" }), /draws colour/);
}

/** @type {Task} */
async function twoFiles(steps, inspector) {
  const diff = await steps.panel("diff");
  await steps.drop("mended.ge", Buffer.from(readFileSync(SIGNPOST, "utf8").replace("ZTEST LESS", "ZTEST GREATER")));
  await steps.see(diff.locator(".diff-verdict"), /first difference is draw 4, event 4/);
}

/** @type {Task} */
async function leaveOut(steps, inspector) {
  await steps.event(3);
  await steps.key("x");
  await inspector.rest();
  assert.deepEqual(await inspector.edits(), ["--skip event:3"]);
}
