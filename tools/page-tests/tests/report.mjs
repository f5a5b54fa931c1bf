// The page of the report of `pspge test`, opened from disk.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

import { watchedPage } from "../harness/browser.mjs";
import { ROOT } from "../harness/inputs.mjs";
import { eventually } from "../harness/inspector.mjs";
import { colorPng, depthPng, fixturePictures, fixtureReport, HEIGHT, HOSTILE, pictureColor, pictureDepth, referenceColor, referenceDepth, RENDERERS, WIDTH, WORST, writeReport } from "../harness/report.mjs";

/** @typedef {import("playwright-core").Page} Page */

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const RULES = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] };
const PURSUIT = "dumps/11216 UCUS98703_0001 Pursuit Force.ppdmp";
/** Longest time for a page with many results to show its list, on a machine with other work. */
const OPENING = 15_000;

/** @type {Promise<string> | null} */
let written = null;

/** Returns the address of the fixture. */
function fixture() {
  written ??= Promise.resolve().then(() => writeReport("report", fixtureReport(), fixturePictures()));
  return written;
}

/**
 * Opens the fixture, does something with it, and closes it. Its problems and foreign requests are an error.
 * @param {Record<string, string>} selection
 * @param {(page: Page) => Promise<void>} use
 * @param {import("../harness/browser.mjs").PageOptions & {address?: string}} [options]
 */
async function withReport(selection, use, { address, ...options } = {}) {
  const url = address ?? (await fixture());
  const { page, problems, close } = await watchedPage(url, options);
  try {
    await page.goto(`${url}#${new URLSearchParams(selection)}`);
    await page.locator(".table-row").first().waitFor({ timeout: OPENING });
    await use(page);
    assert.deepEqual(problems, [], "the page has problems");
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).isStolen), undefined, "no text became markup");
  } finally {
    await close();
  }
}

/** The failed result with all its parts. @param {string} mode @param {Record<string, string>} [other] */
const failed = (mode, other) => ({ case: PURSUIT, renderer: "fast", mode, ...other });

/** Returns the text of an element, with plain spaces. @param {Page} page @param {string} place */
async function textOf(page, place) {
  return (await page.locator(place).first().innerText()).replace(/\s+/g, " ").trim();
}

/** Waits until an element has a text. @param {Page} page @param {string} place @param {RegExp} pattern */
async function expectText(page, place, pattern) {
  await eventually(async () => assert.match(await textOf(page, place), pattern));
}

/** Returns a pixel of the first picture as it is drawn. @param {Page} page @param {number} x @param {number} y @param {number} [pane] */
async function drawn(page, x, y, pane = 0) {
  return page.evaluate(([column = 0, row = 0, number = 0]) => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelectorAll(".pane-canvas")[number]);
    // Chromium warns if the page's own canvas is read often.
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    context?.drawImage(canvas, -column, -row);
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  }, [x, y, pane]);
}

/** Points at a pixel of the first picture. @param {Page} page @param {number} x @param {number} y */
async function pointAt(page, x, y) {
  const box = await page.locator(".pane-canvas").first().boundingBox();
  assert.ok(box, "there is a picture");
  return /** @type {const} */ ([box.x + ((x + 0.5) * box.width) / WIDTH, box.y + ((y + 0.5) * box.height) / HEIGHT]);
}

/** Returns the selected case and renderer. @param {Page} page */
async function selected(page) {
  return [await textOf(page, ".details-title"), await textOf(page, ".details-renderer")];
}

export function reportTests() {
  test("the types of the page are right", () => {
    const home = dirname(require.resolve("typescript/package.json"));
    const { bin } = require("typescript/package.json");
    const { status, stdout } = spawnSync(process.execPath, [join(home, bin.tsc), "--project", join(ROOT, "tools", "report", "jsconfig.json"), "--pretty", "false"], { encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });

  test("the head has verdict, totals and changes", async () => {
    await withReport({}, async (page) => {
      assert.equal(await textOf(page, ".verdict"), "5 of 300 cases fail with at least one of 3 renderers, 1 passes unexpectedly");
      assert.match(await textOf(page, ".about"), /300 cases, 4 other files .* near \(8\) · pspge 0\.9\.0/);
      const rows = await page.locator(".totals tbody tr").allInnerTexts();
      const [own = "", fast = "", other = ""] = rows.map((row) => row.replace(/\u202f/g, "").replace(/\s+/g, " "));
      assert.match(own, /^pspge 283 0 0 0 0 7 6 283 of 283 1 of 1 0$/);
      assert.match(fast, /^fast 271 −1 4 \+1 10 1 1 7 6 272 of 286 0 of 1 14306 \+9601$/);
      assert.match(other, /^<b>other<\/b> 271 1 /);
      await page.locator(".changes-box summary").click();
      await expectText(page, ".changes", /Pursuit Force.*: passed → failed, 9 601 px/);
      await page.locator(".changes button").click();
      assert.deepEqual(await selected(page), [PURSUIT, "fast"]);
    });
  });

  test("nothing is said about an earlier run without changes", async () => {
    for (const before of [null, { changes: [], totals: fixtureReport().before.totals }]) {
      const address = writeReport(`report-before-${before === null}`, { ...fixtureReport(), before }, fixturePictures());
      await withReport({}, async (page) => assert.equal(await page.locator(".delta, .changes-box").count(), 0), { address });
    }
  });

  test("an error has its reference, command and log", async () => {
    await withReport({ case: "dumps/crash.ppdmp", renderer: "fast" }, async (page) => {
      assert.equal(await page.locator(".error-log").innerText(), "crashed: signal 11\nlast words\\x1b[2J");
      const { command } = fixtureReport().renderers[1] ?? { command: null };
      assert.ok(command?.includes("{in}"), "the fixture has a command");
      const shown = await page.locator(".part", { has: page.locator(".error-log") }).locator(".command code").innerText();
      assert.match(shown, /crash\.ppdmp/);
      assert.doesNotMatch(shown, /\{in\}|\{out\}/);
      await expectText(page, ".pane-caption", /eference/);
      await eventually(async () => assert.deepEqual(await drawn(page, 10, 10), referenceColor(10, 10)));
    });
  });

  test("rows have small pictures", async () => {
    await withReport({}, async (page) => {
      const sizes = () => page.locator(".case-picture").evaluateAll((images) => images.slice(0, 3).map((image) => /** @type {HTMLImageElement} */ (image).naturalWidth));
      await eventually(async () => assert.ok((await sizes()).filter((width) => width === WIDTH).length >= 2));
    });
  });

  test("results are sorted by badness or name, and filtered", async () => {
    await withReport({}, async (page) => {
      const names = async () => (await page.locator(".case-name").allInnerTexts()).map((name) => name.replace(/^dumps\//, ""));
      const first = (await names()).slice(0, 7);
      assert.deepEqual([...first.slice(0, 5), first[6]], ["crash.ppdmp", "unexpected.ppdmp", PURSUIT.slice(6), "wide.ppdmp", "broken.ppdmp", "1266 ULUS10266_0001 Game 266.ppdmp"]);
      assert.deepEqual(await selected(page), ["dumps/crash.ppdmp", "fast"], "the worst result is selected");
      await page.getByLabel("Order").selectOption("name");
      await page.locator(".results").press("Home");
      assert.match((await names())[1] ?? "", /^1000 /);
      await page.getByLabel("Order").selectOption("badness");

      const filter = page.getByLabel("Filter the results");
      await filter.fill("ucus98703 11928");
      await eventually(async () => assert.deepEqual(await names(), [PURSUIT.slice(6)], "by case and fact"));
      await filter.fill("signal 11");
      await eventually(async () => assert.deepEqual(await names(), ["crash.ppdmp"], "by message"));
      await expectText(page, ".shown-count", /^1 of 300 cases$/);
      await filter.fill("no such case");
      await expectText(page, ".empty", /No result/);
      await filter.fill("");
      await page.getByRole("button", { name: /unexpected pass 1/ }).click();
      await eventually(async () => assert.deepEqual(await names(), ["unexpected.ppdmp"], "by outcome"));
      await page.getByRole("button", { name: /unexpected pass 1/ }).click();
      await page.getByRole("button", { name: /failed 5/ }).click();
      await page.getByLabel("Renderer", { exact: true }).selectOption(RENDERERS[2] ?? "");
      await eventually(async () => assert.deepEqual(await names(), [PURSUIT.slice(6)], "by renderer"));
      assert.equal(await page.locator(".table-header .cell").count(), 1, "one column");
    });
  });

  test("keys go through results and renderers", async () => {
    await withReport({}, async (page) => {
      const press = (/** @type {string} */ key) => page.keyboard.press(key);
      await press("ArrowDown");
      assert.deepEqual(await selected(page), ["dumps/unexpected.ppdmp", "fast"]);
      await press("j");
      assert.deepEqual(await selected(page), [PURSUIT, "fast"]);
      await press("ArrowRight");
      assert.deepEqual(await selected(page), [PURSUIT, "<b>other</b>"]);
      await press("h");
      await press("k");
      assert.deepEqual(await selected(page), ["dumps/unexpected.ppdmp", "fast"]);
      await press("/");
      await page.keyboard.type("jjj");
      assert.equal(await page.getByLabel("Filter the results").inputValue(), "jjj", "keys of a text field are its own");
      await press("Escape");
      await press("?");
      assert.match(await textOf(page, "dialog[open]"), /Next result.*Flip between reference and picture/);
      await press("Escape");
      assert.equal(await page.locator("dialog[open]").count(), 0);
      await page.getByLabel("Filter the results").fill("");
      await expectText(page, ".shown-count", /^300 cases$/);
      await press("Escape");
      await press("End");
      await expectText(page, ".details-title", /Game 293\.ppdmp$/);
      await press("w");
      assert.equal(await page.locator(".side").isVisible(), false, "the list is hidden");
    });
  });

  test("flip swaps the pictures in place", async () => {
    await withReport(failed("flip"), async (page) => {
      const { x, y } = WORST;
      await expectText(page, ".pane-caption", /^Reference \(f flips\)$/);
      assert.deepEqual(await drawn(page, x, y), referenceColor(x, y));
      const before = await page.locator(".pane-canvas").first().boundingBox();
      await page.keyboard.press("f");
      await expectText(page, ".pane-caption", /^Picture/);
      assert.deepEqual(await drawn(page, x, y), pictureColor(x, y));
      assert.deepEqual(await page.locator(".pane-canvas").first().boundingBox(), before, "the place is the same");
      await page.keyboard.press("Space");
      await expectText(page, ".pane-caption", /^Reference/);
    });
  });

  test("the slider divides the pictures", async () => {
    await withReport(failed("slider"), async (page) => {
      await expectText(page, ".pane-caption", /^Reference on the left/);
      const range = page.getByLabel(/^Divider/);
      await range.fill("250");
      const edge = () => page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector(".pane-divider")).style.left);
      assert.equal(await edge(), "25%");
      await range.focus();
      await page.keyboard.press("ArrowRight");
      assert.equal(await edge(), "25.1%");
      assert.deepEqual(await selected(page), [PURSUIT, "fast"], "arrows of the slider are its own");
      const box = await page.locator(".pane-divider").first().boundingBox();
      const [x] = await pointAt(page, 360, 10);
      assert.ok(box);
      await page.mouse.move(box.x + box.width / 2, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(x, box.y + 20);
      await page.mouse.up();
      assert.equal(Math.round(Number.parseFloat(await edge())), 75);
    });
  });

  test("pictures, difference and heat map have the right pixels", async () => {
    await withReport(failed("side"), async (page) => {
      await expectText(page, ".pane:nth-child(2) .pane-caption", /^Difference × 8$/);
      const shot = async (/** @type {number} */ pane) => page.evaluate((number) => /** @type {HTMLCanvasElement} */ (document.querySelectorAll(".pane-canvas")[number]).toDataURL().split(",")[1], pane);
      const [reference, picture] = [await shot(0), await shot(2)].map((text) => PNG.sync.read(Buffer.from(text ?? "", "base64")));
      const pixels = fixturePictures().slice(0, 2).map((png) => PNG.sync.read(png));
      const equal = (/** @type {PNG | undefined} */ a, /** @type {PNG | undefined} */ b) => pixelmatch(a?.data ?? Buffer.alloc(0), b?.data ?? Buffer.alloc(0), undefined, WIDTH, HEIGHT, { threshold: 0 });
      assert.deepEqual([equal(reference, pixels[1]), equal(picture, pixels[0])], [0, 0]);
      assert.deepEqual(await drawn(page, 205, 110, 1), [8 * (1 + ((205 + 110) & 31)), 0, 0], "the difference");

      await page.keyboard.press("4");
      await expectText(page, ".legend", /logarithmic 1 4 16 64 255/);
      const expected = await page.evaluate(async () => {
        // @ts-expect-error The import map of the page has it.
        const { heatColor } = await import("pspge/picture/heat-map.js");
        return [28, 1].map((value) => heatColor(0.25 + (0.75 * Math.log(value)) / Math.log(255)));
      });
      assert.equal(1 + ((205 + 110) & 31), 28);
      assert.deepEqual(await drawn(page, 205, 110), expected[0]);
      assert.deepEqual(await drawn(page, 216, 104), expected[1], "the smallest difference");
      const [red, green, blue] = await drawn(page, 10, 10);
      assert.ok(red === green && green === blue, "equal pixels are grey");
    });
  });

  test("the magnifier shows colours, and a click fixes the pixel", async () => {
    await withReport(failed("flip"), async (page) => {
      const values = () => textOf(page, ".values");
      await expectText(page, ".zoom-place", /^x 231 y 140$/);
      await page.mouse.move(...(await pointAt(page, 210, 120)));
      await expectText(page, ".zoom-place", /^x 210 y 120$/);
      const [before, now] = [referenceColor(210, 120), pictureColor(210, 120)];
      assert.equal(await values(), `R G B Reference ${before.join(" ")} Picture ${now.join(" ")} Difference +${(now[0] ?? 0) - (before[0] ?? 0)} 0 0`);
      await page.mouse.click(...(await pointAt(page, 210, 120)));
      await page.mouse.move(...(await pointAt(page, 10, 10)));
      await expectText(page, ".zoom-position", /^x 210 y 120 fixed/);
      await page.locator(".pane-canvas").first().focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Shift+ArrowDown");
      await expectText(page, ".zoom-position", /^x 211 y 130 fixed/);
      assert.deepEqual(await selected(page), [PURSUIT, "fast"], "arrows of the picture are its own");
      await expectText(page, ".commands", /pspge pixel '.*Pursuit Force\.ppdmp' 211,130/);
      await page.keyboard.press("Escape");
      await expectText(page, ".zoom-position", /click to fix/);
    });
  });

  test("the magnifier shows depths of 16 bits", async () => {
    await withReport(failed("flip", { buffer: "depth" }), async (page) => {
      const { x, y } = WORST;
      await expectText(page, ".zoom-place", /^x 231 y 140$/);
      const [before, now] = [referenceDepth(x, y), pictureDepth(x, y)];
      assert.equal(await textOf(page, ".values"), `Depth Reference ${before} Picture ${now} Difference −${before - now}`);
      await page.keyboard.press("d");
      await expectText(page, ".values", /^R G B/);
    });
  });

  test("PNG files are read exactly", async () => {
    await withReport({}, async (page) => {
      const read = (/** @type {Buffer} */ png) =>
        page.evaluate(async (text) => {
          // @ts-expect-error The import map of the page has it.
          const { readPng } = await import("pspge-report/png.js");
          const { width, height, pixels, data } = await readPng(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
          return { width, height, pixels, data: [...data] };
        }, png.toString("base64"));
      const depth = (/** @type {number} */ x, /** @type {number} */ y) => (x * 7919 + y * 104_729) & 0xffff;
      const expected = Array.from({ length: 13 * 9 }, (_, index) => depth(index % 13, Math.floor(index / 13)));
      for (const filter of [0, 1, 2, 3, 4]) {
        assert.deepEqual(await read(depthPng(13, 9, depth, filter)), { width: 13, height: 9, pixels: "depth16", data: expected }, `filter ${filter}`);
      }
      // A file by hand shows that the order of the bytes is right, too.
      const chunk = (/** @type {string} */ type, /** @type {Buffer} */ data) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(data.length);
        return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
      };
      const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 1, 16, 0, 0, 0, 0]);
      const rows = deflateSync(Buffer.from([0, 0x12, 0x34, 0xfe, 0xdc]));
      const byHand = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header), chunk("IDAT", rows)]);
      assert.deepEqual((await read(byHand)).data, [0x1234, 0xfedc]);
      assert.deepEqual((await read(colorPng(2, 1, (x) => [x, 254, 7]))).data, [0, 254, 7, 255, 1, 254, 7, 255]);
      await assert.rejects(read(Buffer.from("nothing")), /no PNG/);
    });
  });

  test("missing, wide and broken pictures are named", async () => {
    await withReport({ case: "dumps/wide.ppdmp", renderer: "fast" }, async (page) => {
      await expectText(page, ".pictures-status", /The reference has 480×272 pixels, the picture 512×272\. The common part is compared/);
      await page.keyboard.press("j");
      await expectText(page, ".pictures-status", /^Picture 7 cannot be read: it is no PNG/);
      await page.keyboard.press("j");
      assert.equal(await page.locator(".pictures").isVisible(), false, "figures alone");
      assert.match(await textOf(page, ".figures"), /Differing pixels 50 \(0\.0383 %\)/);
    });
  });

  test("the address names the selection", async () => {
    await withReport({}, async (page) => {
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await page.keyboard.press("2");
      await expectText(page, ".zoom-place", /^x 231 y 140$/);
      await page.mouse.click(...(await pointAt(page, 300, 50)));
      const wanted = { case: PURSUIT, renderer: "fast", mode: "flip", x: "300", y: "50" };
      await eventually(async () => assert.deepEqual(await page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1)))), wanted));
      await page.reload();
      await expectText(page, ".zoom-position", /^x 300 y 50 fixed/);
      assert.deepEqual(await selected(page), [PURSUIT, "fast"]);
      await page.evaluate((hash) => (location.hash = hash), String(new URLSearchParams({ case: HOSTILE, renderer: "fast" })));
      await expectText(page, ".details-title", /onerror/);
    });
  });

  test("links lead to the inspector, and commands can be copied", async () => {
    await withReport(
      failed("side"),
      async (page) => {
        const href = (await page.getByRole("link", { name: "Open in the inspector" }).getAttribute("href")) ?? "";
        assert.equal(new URL(href).pathname.split("/").pop(), "inspector.html");
        const { hash } = new URL(href);
        const read = await page.evaluate(async (text) => {
          // @ts-expect-error The import map of the page has it.
          const { fileOfHash, fromHash } = await import("pspge/state/store.js");
          return { file: fileOfHash(text), ...fromHash(text) };
        }, hash);
        const { file, event, after, pixel, panel } = read;
        assert.deepEqual({ file, event, after, pixel, panel }, { file: "0123456789abcdef", event: 815, after: true, pixel: [WORST.x, WORST.y], panel: "pixel" });
        await page.getByRole("button", { name: "Copy pspge pixel" }).click();
        await expectText(page, ".command:nth-child(2) .copied", /^Copied$/);
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `pspge pixel '/frames/${PURSUIT}' ${WORST.x},${WORST.y}`);
        assert.match(await textOf(page, ".parts"), /The worst region is 120×80 pixels at 200,100; 9 600 pixels in it differ.*first differs from pspge's after draw 41, event 815.*\(found in 9 runs\)/);
        await page.locator(".history summary").click();
        assert.equal(await page.locator(".history li").count(), 3);
      },
      { permissions: ["clipboard-read", "clipboard-write"] },
    );
    const address = writeReport("report-alone", { ...fixtureReport(), inspector: null }, fixturePictures());
    await withReport(failed("side"), async (page) => assert.equal(await page.locator("a").count(), 0, "no inspector"), { address });
  });

  test("hostile names stay text", async () => {
    await withReport({ case: HOSTILE, renderer: "fast" }, async (page) => {
      assert.equal(await textOf(page, ".details-title"), HOSTILE.replace("\u001b", "\\x1b").replace("\u202e", "\\u202e"));
      assert.equal(await textOf(page, ".details-message"), "<script>window.isStolen=1</script>");
      assert.equal(await page.locator("img:not(.case-picture), main script, main b, main i, header b").count(), 0);
      const word = "$'/frames/<img src=x onerror=\"window.isStolen=1\">\\'; $(rm)\\x1b[2J\\u202egnp.ppdmp'";
      assert.equal(await textOf(page, ".command code"), `pspge view ${word}`);
      const { stdout } = spawnSync("bash", ["-c", `printf %s ${word}`], { encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8" } });
      if (stdout) {
        assert.equal(stdout, `/frames/${HOSTILE}`, "a shell reads the name as it is");
      }
    });
  });

  for (const [width, height] of /** @type {const} */ ([[1280, 720], [3840, 2160]])) {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      test(`axe finds nothing at ${width}×${height}, ${colorScheme}`, async () => {
        await withReport(
          failed("side"),
          async (page) => {
            await expectText(page, ".zoom-place", /^x 231/);
            await page.evaluate(AXE);
            const check = async (/** @type {string} */ part) => {
              const found = await page.evaluate(async (runOnly) => {
                const { violations } = await /** @type {any} */ (window).axe.run(document, { runOnly, resultTypes: ["violations"] });
                return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.slice(0, 3).map((/** @type {any} */ { html, any }) => `${html.slice(0, 120)} ${any[0]?.message}`).join(" | ")}`);
              }, RULES);
              assert.deepEqual(found, [], part);
              assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${part}: the page does not scroll sideways`);
            };
            await check("side by side");
            await page.keyboard.press("3");
            await check("slider");
            await page.keyboard.press("4");
            await check("heat map");
            await page.keyboard.press("Home");
            await check("an error");
            await page.locator(".changes-box summary").click();
            await page.keyboard.press("?");
            await check("changes and help");
          },
          { viewport: { width, height }, colorScheme },
        );
      });
    }
  }

  test("the list stays in place when results are selected", async () => {
    await withReport({}, async (page) => {
      const places = () => page.evaluate(() => [".head", ".side", ".results", ".details-head", ".details-scroll"].map((place) => JSON.stringify(document.querySelector(place)?.getBoundingClientRect())));
      const before = await places();
      for (let step = 0; step < 8; step += 1) {
        await page.keyboard.press("j");
        assert.deepEqual(await places(), before);
      }
    });
  });

  test("2,000 cases with 300 pairs of pictures open quickly", async () => {
    const report = fixtureReport();
    const [renderer] = report.renderers;
    const example = report.results.find(({ case: name, renderer: own }) => name === PURSUIT && own === "fast");
    const pair = fixturePictures().slice(0, 2);
    const pictures = Array.from({ length: 300 }, () => pair).flat();
    const results = Array.from({ length: 2000 }, (_, index) => ({
      ...example,
      case: `case ${index}`,
      renderer: renderer?.name,
      outcome: index < 300 ? "failed" : "passed",
      pictures: index < 300 ? { picture: 2 * index, reference: 2 * index + 1, depth: null, depth_reference: null } : null,
    }));
    const address = writeReport("report-large", { ...report, before: null, renderers: [renderer], cases: 2000, results }, pictures);
    await withReport({}, async (page) => {
      assert.ok((await page.locator(".table-row").count()) < 60, "rows out of sight are not built");
      const started = performance.now();
      for (let step = 0; step < 20; step += 1) {
        await page.keyboard.press("j");
      }
      await expectText(page, ".details-title", /^case 20$/);
      await expectText(page, ".zoom-place", /^x 231/);
      assert.ok(performance.now() - started < 10_000, "keys are answered");
    }, { address });
  });
}
