// Damaged and hostile files are dropped on the page. It says what is wrong with them or shows them, and goes on.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { eventually, withInspector } from "../harness/inspector.mjs";
import { ANEMONE, ROOT, SIGNPOST, signpostDump, TEXTURES, WYVERN } from "../harness/inputs.mjs";
import { damaged, randomNumbers } from "../harness/random.mjs";

/** Files, and those of the page as one file, which starts its engine again after a trap. */
const FILES = { server: process.env.PSPGE_LONG_CHECKS ? 200 : 48, file: 48 };
/** Pages that share the files. */
const PAGES = 4;
/** Panels that look at the files in turns. Diff is left out: it would take them as files to compare with. */
const PANEL_KEYS = ["1", "2", "3", "4", "5", "6", "7", "e"];
const SEED = 20_260_101;

/**
 * @typedef {{name: string, bytes: Uint8Array}} Hostile
 * @typedef {import("../harness/inspector.mjs").Inspector} Inspector
 */

/** Names that are markup, paths, or too long. */
const NAMES = [
  "<img src=x onerror=\"window.isStolen=1\">.ge",
  "\"><script>window.isStolen=1</script>",
  "'; alert(1); '.ppdmp",
  `${"long-".repeat(2000)}name.ge`,
  "../../../../etc/passwd",
  "..\\..\\system32.ge",
  "\u202egnp.ecruos",
  "name\u0000with\u0001controls\n.ge",
  "",
  "#2/1#*",
  "__proto__",
  "%3Cb%3E.ge",
];

/** Returns all files; the same ones in each run. @param {number} count @returns {Hostile[]} */
function hostileFiles(count) {
  const random = randomNumbers(SEED);
  const read = (/** @type {string} */ path) => new Uint8Array(readFileSync(path));
  const samples = [SIGNPOST, signpostDump(), ANEMONE, WYVERN, TEXTURES, join(ROOT, "tools", "sample", "rover.rlb"), join(ROOT, "tools", "sample", "robot.bin"), join(ROOT, "tools", "sample", "reedling.pmo")].map(read);
  const list = samples[0] ?? new Uint8Array();
  /** @type {Hostile[]} */
  const files = [
    { name: "empty.ge", bytes: new Uint8Array() },
    { name: "zero.ppdmp", bytes: new Uint8Array(4096) },
    { name: "random.ppdmp", bytes: Uint8Array.from({ length: 65_536 }, () => random() * 256) },
    { name: "random.ge", bytes: Uint8Array.from({ length: 3000 }, () => 32 + random() * 95) },
    { name: "endless.ge", bytes: Buffer.from("start: NOP | JUMP lo(start)\n") },
    { name: "deep.ge", bytes: Buffer.from("BASE hi(start)\nstart: CALL lo(start)\nEND\n") },
    { name: "many.ge", bytes: Buffer.from(`${"PRIM primitive=TRIANGLES count=65535 | ".repeat(500)}FINISH | END\n`) },
    { name: "large.ge", bytes: Buffer.from("BASE hi(v) | FRAMEBUFWIDTH width=1024 | SCISSOR2 x=1023 y=1023 | REGION2 x=1023 y=1023 | VTYPE position=BITS16 through=1 | VADDR lo(v)\nPRIM primitive=RECTANGLES count=2\nFINISH | END\n.align 4\nv: .s16 -32768 -32768 0 | .s16 32767 32767 0\n") },
    { name: "markup.ge", bytes: Buffer.from("<img src=x onerror='window.isStolen=1'>\n") },
    { name: "include.ge", bytes: Buffer.from('.include "/etc/passwd"\n.incbin "/etc/passwd"\nEND\n') },
    ...NAMES.map((name) => ({ name, bytes: list })),
    ...NAMES.slice(0, 4).map((name) => ({ name, bytes: Uint8Array.from([1, 2, 3]) })),
  ];
  while (files.length < count) {
    const which = files.length % samples.length;
    files.push({ name: `damaged-${files.length}`, bytes: damaged(samples[which] ?? list, random) });
  }
  return files.slice(0, count);
}

/** @param {import("../harness/targets.mjs").Target} target */
export function hostileTests(target) {
  const files = hostileFiles(FILES[target.name]);
  for (let page = 0; page < PAGES; page += 1) {
    const own = files.filter((_, index) => index % PAGES === page);
    test(`${own.length} hostile files, part ${page + 1} of ${PAGES}`, async () => {
      await withInspector(
        target,
        null,
        async (inspector) => {
          for (const [index, file] of own.entries()) {
            await dropHostile(inspector, file, PANEL_KEYS[index % PANEL_KEYS.length] ?? "1");
          }
          await goOn(inspector);
        },
        // A trap of WebAssembly is shown by the page as an error; the browser may report it, too.
        { isOwn: true },
      );
    });
  }

  const edits = hostileEdits();
  test(`${edits.length} hostile edits`, () => withInspector(target, SIGNPOST, (inspector) => typeEdits(inspector, edits)));

  test("deceptive characters show in all that components write", async () => {
    await withInspector(target, SIGNPOST, async ({ page }) => {
      const shown = await page.evaluate(async () => {
        // The page's own module, by its name in the import map.
        const name = "pspge/base/preact.js";
        const { jsx, render, signal } = await import(name);
        const place = document.createElement("div");
        const text = signal("a\u202eb");
        const draw = (/** @type {string} */ title) => render(jsx("p", { title, "aria-label": title, children: ["c\u200bd ", text] }), place);
        draw("first");
        text.value = "e\u202ef";
        draw("g\u2066h");
        await new Promise((resolve) => setTimeout(resolve, 50));
        const isRefused = [{ title: text }, { dangerouslySetInnerHTML: { __html: "<b>" } }].every((props) => {
          try {
            return !jsx("p", props);
          } catch {
            return true;
          }
        });
        const { textContent, title, ariaLabel } = /** @type {HTMLElement} */ (place.firstElementChild);
        return { textContent, title, ariaLabel, isRefused };
      });
      assert.deepEqual(shown, { textContent: "c\\u200bd e\\u202ef", title: "g\\u2066h", ariaLabel: "g\\u2066h", isRefused: true });
    });
  });
}

/** Edits that are none, or that nobody would make; the same ones in each run. */
const EDITS = [
  "<img src=x onerror='window.isStolen=1'>",
  "--set",
  "--set =",
  "--set ZTEST=",
  "--set ZTEST=ALWAYS@",
  "--set ZTEST=ALWAYS@9-3",
  "--set ZTEST=ALWAYS@99999999999999999999",
  "--set __proto__=1",
  "--set WORLD[99]=1",
  "--set WORLD[0]=NaN",
  "--set WORLD[0]=1e999",
  "--set FRAMEBUFPTR=0xffffffffffff",
  "--set SCISSOR2.x=-1",
  `--set ${"A".repeat(5000)}=1`,
  "--skip",
  "--skip 0-",
  "--skip event:4294967296",
  "--solo -1",
  "--wireframe=x",
  "--output stolen.png",
  "--cache off@x",
  "; rm -rf .",
  "$(touch stolen)",
  "\u202e1=TSETZ tes--",
  "--set ZTEST=ALWAYS --output stolen.png",
];
/** Edits of which damaged copies are typed. */
const GOOD_EDITS = ["--set ZTEST=ALWAYS@4-7", "--set CLEARMODE.color=0@2", "--skip event:10", "--solo 3,5", "--set WORLD[0]=0.5@8", "--set TEXADDR0=0x1f@5"];

/** @returns {string[]} */
function hostileEdits() {
  const random = randomNumbers(SEED);
  const copies = Array.from({ length: 48 }, (_, index) => damaged(Buffer.from(GOOD_EDITS[index % GOOD_EDITS.length] ?? ""), random));
  const texts = copies.map((bytes) => Buffer.from(bytes).toString("latin1").replaceAll(/[\u0000-\u001f]/g, "?").slice(0, 400));
  return [...EDITS, ...texts.filter((text) => text.trim() !== "")];
}

/** Types edits. Each one is taken, or an error says why not, and all stays as it was. @param {Inspector} inspector @param {string[]} edits */
async function typeEdits(inspector, edits) {
  const { page } = inspector;
  const panel = await inspector.openPanel("edits");
  const field = panel.getByLabel("New edit");
  for (const edit of edits) {
    await page.evaluate(() => document.querySelectorAll(".errors .error button[aria-label='Close this message']").forEach((button) => /** @type {HTMLElement} */ (button).click()));
    await field.fill(edit);
    await field.press("Enter");
    const taken = panel.getByRole("list").locator("code");
    await eventually(async () => assert.ok((await inspector.errors()).length > 0 || (await taken.count()) > 0, edit));
    for (const error of await inspector.errors()) {
      assert.ok(error.length > 10 && error.length < 1000, edit);
      assert.doesNotMatch(error.replace(edit, ""), /undefined|\[object |TypeError|RangeError|panicked/, edit);
    }
    if ((await taken.count()) > 0) {
      await panel.getByRole("button", { name: "Remove all" }).click();
      await eventually(async () => assert.equal(await taken.count(), 0, edit));
    }
  }
  await field.fill("");
  await inspector.rest();
  assert.equal(await inspector.colorAt(250, 150), "#c02020ff", "the picture is that of the file");
  assert.equal(await page.evaluate(() => "isStolen" in window), false);
  assert.equal(await page.locator("img").count(), 0);
}

/**
 * @param {Inspector} inspector
 * @param {Hostile} file
 * @param {string} key the panel that looks at it
 */
async function dropHostile(inspector, { name, bytes }, key) {
  const { page } = inspector;
  const title = `${JSON.stringify(name.slice(0, 60))}, ${bytes.length} bytes`;
  await page.evaluate(() => document.querySelectorAll(".errors .error button[aria-label='Close this message']").forEach((button) => /** @type {HTMLElement} */ (button).click()));
  await inspector.leaveField();
  await page.keyboard.press(key);
  await inspector.drop(name, bytes);
  // The file is read before the first request, and a busy machine may do that late.
  const seenName = name.replaceAll("\u202e", "\\u202e");
  const isTaken = () => page.evaluate((wanted) => document.querySelector(".errors .error-text") !== null || document.querySelector("h1.file-name")?.getAttribute("title") === wanted, seenName);
  await eventually(async () => assert.ok(await isTaken()), 10_000).catch(() => null);
  const isAnswered = await inspector.rest({ quiet: 150, patience: 30_000 });
  const seen = await page.evaluate(() => ({
    isStolen: "isStolen" in window,
    images: document.querySelectorAll("img, iframe, object, embed").length,
    scripts: document.querySelectorAll("#app script").length,
    errors: [...document.querySelectorAll(".errors .error-text")].map((element) => element.textContent ?? ""),
    shown: document.querySelector("h1.file-name")?.getAttribute("title") ?? "",
    isWide: document.documentElement.scrollWidth > innerWidth,
    isReversed: /[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText + document.title),
    errorHeight: document.querySelector(".errors")?.getBoundingClientRect().height ?? 0,
  }));
  assert.ok(isAnswered, `${title}: answers come in time`);
  assert.ok(!seen.isStolen && seen.images === 0 && seen.scripts === 0, `${title}: no markup of the file becomes a part of the page`);
  assert.ok(!seen.isReversed, `${title}: the direction of text does not change`);
  assert.ok(seen.errors.length > 0 || seen.shown === seenName, `${title}: it is shown, or an error says why not (${seen.shown.slice(0, 60)})`);
  assert.equal(seen.isWide, false, `${title}: the page is not wider than the window`);
  assert.ok(seen.errorHeight < 360, `${title}: errors leave half of the window free (${seen.errorHeight} pixels)`);
  for (const error of seen.errors) {
    assert.ok(error.length > 10 && error.length < 50_000, `${title}: ${error.length} characters of error`);
    assert.doesNotMatch(error.replace(name, ""), /undefined|\[object |TypeError|RangeError|Cannot read|panicked/, title);
  }
  assert.deepEqual(inspector.watched.problems, [], title);
}

/** A good file opens afterwards. @param {Inspector} inspector */
async function goOn(inspector) {
  await inspector.leaveField();
  await inspector.page.keyboard.press("1");
  await inspector.drop("signpost.ge", readFileSync(SIGNPOST));
  await eventually(async () => assert.equal(await inspector.page.locator("h1.file-name").innerText(), "signpost.ge"));
  await inspector.expectEvent(12);
  await inspector.rest();
  assert.equal(await inspector.colorAt(250, 150), "#c02020ff");
}
