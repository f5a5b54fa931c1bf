// The page as a person uses it: with mouse and keyboard, and by the names of its controls.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { watchedPage } from "./browser.mjs";
import { ROOT } from "./inputs.mjs";

/** The panels, with the keys that open them. */
export const PANELS = [
  { id: "frame", title: "Frame", key: "i" },
  { id: "state", title: "State", key: "1" },
  { id: "pixel", title: "Pixel", key: "2" },
  { id: "mesh", title: "Mesh", key: "3" },
  { id: "textures", title: "Textures", key: "4" },
  { id: "memory", title: "Memory", key: "5" },
  { id: "passes", title: "Passes", key: "6" },
  { id: "commands", title: "Commands", key: "7" },
  { id: "diff", title: "Diff", key: "8" },
  { id: "model", title: "Model", key: "9" },
  { id: "edits", title: "Edits", key: "e" },
];

/** The folder of pictures of pages whose tests failed. */
export const FAILURES = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"), "page-tests");
let failures = 0;

/** Longest time for something to happen. */
const PATIENCE = 20_000;
/** Time without requests after which the page is at rest; longer than its pauses. */
const QUIET = 200;

/**
 * Calls a check until it passes; after a while, its error counts.
 * @template T
 * @param {() => Promise<T> | T} check
 * @param {number} [patience]
 * @returns {Promise<T>}
 */
export async function eventually(check, patience = PATIENCE) {
  const end = performance.now() + patience;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }
}

/** @typedef {import("./targets.mjs").Target} Target */
/** @typedef {import("./browser.mjs").PageOptions & {hash?: string, isOwn?: boolean, allows?: RegExp}} OpenOptions */

/** A page with an open file. */
export class Inspector {
  /**
   * @param {import("./browser.mjs").WatchedPage} watched
   * @param {string} address
   * @param {RegExp | null} allows
   */
  constructor(watched, address, allows) {
    this.watched = watched;
    this.page = watched.page;
    this.address = address;
    this.allows = allows;
  }

  /**
   * Opens the page with an input, and waits until it rests.
   * @param {Target} target
   * @param {string | null} input
   * @param {OpenOptions} [options] `hash` is the end of the address, `allows` problems that the test expects.
   */
  static async open(target, input, { hash = "", isOwn = false, allows, ...options } = {}) {
    const address = await target.address(input, { isOwn });
    const inspector = new Inspector(await watchedPage(address, options), address, allows ?? null);
    try {
      await inspector.start(target, input, hash);
    } catch (error) {
      throw await inspector.explain(error);
    }
    return inspector;
  }

  /**
   * Loads the page, and waits until it rests.
   * @param {Target} target
   * @param {string | null} input
   * @param {string} hash
   */
  async start(target, input, hash) {
    await this.page.goto(this.address + hash);
    if (target.mustDrop && input) {
      await this.drop(basename(input), readFileSync(input));
    }
    const shown = this.page.locator(input ? "main, .other-file" : ".start-area").filter({ visible: true });
    await shown.first().waitFor({ timeout: PATIENCE });
    await this.rest();
  }

  /**
   * Closes the page after an error, and returns the error with facts about the page.
   * @param {unknown} error
   */
  async explain(error) {
    const message = error instanceof Error ? error.message : String(error);
    const facts = [`page: ${this.page.url()}`, `picture of the page: ${await this.screenshot()}`, ...this.watched.problems];
    await this.watched.close();
    return new Error([message, ...facts].join("\n"), { cause: error });
  }

  /**
   * Waits until no request is under way and the page has had time to send another one. Returns whether that happened in time.
   * @param {{patience?: number, quiet?: number}} [times]
   */
  async rest({ patience = PATIENCE, quiet = QUIET } = {}) {
    return this.page.evaluate(
      ([pause = 0, most = 0]) =>
        new Promise((resolve) => {
          const started = performance.now();
          let since = started;
          let all = -1;
          const look = () => {
            const counts = /** @type {any} */ (window).pageTests;
            const now = performance.now();
            if (counts.open > 0 || counts.all !== all) {
              all = counts.all;
              since = now;
            }
            const isAtRest = now - since > pause;
            isAtRest || now - started > most ? resolve(isAtRest) : setTimeout(look, 15);
          };
          look();
        }),
      [quiet, patience],
    );
  }

  /** Ends the page. Its problems are an error, but for requests under way that fail because it ends. */
  async close() {
    const problems = [...this.watched.problems];
    await this.watched.close();
    const unexpected = problems.filter((problem) => !this.allows?.test(problem));
    assert.deepEqual(unexpected, [], "the page has problems");
  }

  /**
   * Opens a panel by its key and returns it.
   * @param {string} id
   */
  async openPanel(id) {
    const { key } = PANELS.find((panel) => panel.id === id) ?? { key: "1" };
    await this.leaveField();
    await this.page.keyboard.press(key);
    await this.panel(id).waitFor({ state: "visible", timeout: PATIENCE });
    // Its modules are no requests of the page.
    await this.panel(id).locator(":scope > :last-child").waitFor({ timeout: PATIENCE });
    await this.rest();
    return this.panel(id);
  }

  /** @param {string} id */
  panel(id) {
    return this.page.locator(`#panel-${id}`);
  }

  /** Leaves a text field, whose keys are no shortcuts. */
  async leaveField() {
    if (await this.page.evaluate(() => document.activeElement?.matches("input, select, textarea") ?? false)) {
      await this.page.keyboard.press("Escape");
    }
    if (await this.page.evaluate(() => document.activeElement?.matches("input, select, textarea") ?? false)) {
      await this.page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    }
  }

  /** Presses a key outside text fields. @param {string} key */
  async press(key) {
    await this.leaveField();
    await this.page.keyboard.press(key);
  }

  /** Returns the number of the selected event. */
  async event() {
    return Number(await this.page.getByLabel("Number of the event").inputValue());
  }

  /** Checks the selected event. @param {number} event */
  async expectEvent(event) {
    await eventually(async () => assert.equal(await this.event(), event, "the selected event"));
  }

  /** Selects an event by its number. @param {number} event */
  async selectEvent(event) {
    const field = this.page.getByLabel("Number of the event");
    await field.fill(String(event));
    await field.press("Enter");
    await this.expectEvent(event);
    await this.leaveField();
    await this.rest();
  }

  /** The canvas of the picture. */
  canvas() {
    return this.page.locator("section.picture .picture-view canvas");
  }

  /** Returns the description of the picture. */
  async pictureLabel() {
    return (await this.canvas().getAttribute("aria-label")) ?? "";
  }

  /**
   * Returns the place of a pixel of the picture in the window. It reads the status line and the zoom, as a person does.
   * @param {number} x
   * @param {number} y
   */
  async placeOf(x, y) {
    const box = await this.canvas().boundingBox();
    assert.ok(box, "there is a picture");
    const [middleX, middleY] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    await this.page.mouse.move(middleX, middleY);
    const [, zoom = "1", part = "1"] = /^([\d.]+):(\d+)$/.exec(await this.page.locator(".zoom-text").innerText()) ?? [];
    const scale = Number(zoom) / Number(part);
    const at = await eventually(async () => {
      const found = /x (\d+)\s+y (\d+)/.exec(await this.page.locator(".status-position").innerText());
      assert.ok(found, "the status line names the pixel under the mouse");
      return [Number(found[1]), Number(found[2])];
    });
    // The middle of the pixel under the mouse can be up to a pixel away, so the place is corrected once.
    const place = { x: middleX + (x - (at[0] ?? 0)) * scale, y: middleY + (y - (at[1] ?? 0)) * scale };
    return place;
  }

  /**
   * Clicks a pixel of the picture.
   * @param {number} x
   * @param {number} y
   */
  async clickPixel(x, y) {
    const place = await this.placeOf(x, y);
    await this.page.mouse.click(place.x, place.y);
    await eventually(async () => {
      const panel = this.panel("pixel");
      assert.deepEqual([await panel.getByLabel("Column").inputValue(), await panel.getByLabel("Row").inputValue()], [String(x), String(y)], "the picked pixel");
    });
    await this.rest();
  }

  /**
   * Returns the colour of a pixel as the status line tells it.
   * @param {number} x
   * @param {number} y
   */
  async colorAt(x, y) {
    const place = await this.placeOf(x, y);
    await this.page.mouse.move(place.x, place.y);
    return eventually(async () => {
      assert.match(await this.page.locator(".status-position").innerText(), new RegExp(`x ${x}\\s+y ${y}$`));
      const [, color = ""] = /(#[0-9a-f]{8})/.exec(await this.page.locator(".status-value").innerText()) ?? [];
      return color;
    });
  }

  /** Returns the texts of the errors that the page shows. */
  errors() {
    return this.page.locator(".errors .error-text").allInnerTexts();
  }

  /** Saves a picture of the page for a person, and returns its path. */
  async screenshot() {
    const path = join(FAILURES, `${failures}.png`);
    failures += 1;
    await this.page.screenshot({ path }).catch(() => null);
    return path;
  }

  /** Returns the edits that the address of the page names. */
  async edits() {
    return this.page.evaluate(() => new URLSearchParams(location.hash.slice(1)).getAll("edit"));
  }

  /** Returns a part of the address. @param {string} name */
  async addressPart(name) {
    return this.page.evaluate((wanted) => new URLSearchParams(location.hash.slice(1)).get(wanted), name);
  }

  /**
   * Drops a file on the page.
   * @param {string} name
   * @param {Uint8Array} bytes
   */
  drop(name, bytes) {
    return this.dropAll([{ name, bytes }]);
  }

  /**
   * Drops files on the page together.
   * @param {{name: string, bytes: Uint8Array}[]} files
   */
  async dropAll(files) {
    await this.page.evaluate(
      (dropped) => {
        const transfer = new DataTransfer();
        for (const { name, text } of dropped) {
          transfer.items.add(new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], name));
        }
        for (const type of ["dragenter", "dragover", "drop"]) {
          document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
        }
      },
      files.map(({ name, bytes }) => ({ name, text: Buffer.from(bytes).toString("base64") })),
    );
  }
}

/**
 * Opens a page, does something with it, and closes it. Its problems are an error.
 * @param {Target} target
 * @param {string | null} input
 * @param {(inspector: Inspector) => Promise<void>} use
 * @param {OpenOptions} [options]
 */
export async function withInspector(target, input, use, options) {
  const inspector = await Inspector.open(target, input, options);
  try {
    await use(inspector);
  } catch (error) {
    throw await inspector.explain(error);
  }
  await inspector.close();
}
