// Counts what a person does: a step is a click, a key, a choice in a list, a text typed into a field, or a file dropped.

import { eventually } from "./inspector.mjs";

/** @typedef {import("playwright-core").Locator} Locator */

export class Steps {
  /** @param {import("./inspector.mjs").Inspector} inspector */
  constructor(inspector) {
    this.inspector = inspector;
    this.count = 0;
  }

  /** @param {Locator} control */
  async click(control) {
    this.count += 1;
    await control.click();
  }

  /** Clicks the button with a name. @param {string | RegExp} name */
  async press(name, place = /** @type {{getByRole: Locator["getByRole"]}} */ (this.inspector.page)) {
    await this.click(place.getByRole("button", typeof name === "string" ? { name, exact: true } : { name }).first());
  }

  /** @param {string} key */
  async key(key) {
    this.count += 1;
    await this.inspector.press(key);
  }

  /** Opens a panel by its key, and returns it. @param {string} id */
  async panel(id) {
    this.count += 1;
    return this.inspector.openPanel(id);
  }

  /** Types a text into a field and confirms it. @param {Locator} field @param {string} text */
  async type(field, text) {
    this.count += 1;
    await field.fill(text);
    await field.press("Enter");
  }

  /** @param {Locator} list @param {string} option */
  async choose(list, option) {
    this.count += 1;
    await list.selectOption(option);
  }

  /** @param {number} event */
  async event(event) {
    this.count += 1;
    await this.inspector.selectEvent(event);
  }

  /** Double-clicks an event in the list. @param {number} event */
  async openEvent(event) {
    this.count += 1;
    await this.inspector.page.getByTitle(new RegExp(`^Event ${event}(,|$)`)).dblclick();
  }

  /** @param {number} x @param {number} y */
  async pixel(x, y) {
    this.count += 1;
    await this.inspector.clickPixel(x, y);
  }

  /** Moves the mouse to a pixel. @param {number} x @param {number} y */
  async point(x, y) {
    this.count += 1;
    const place = await this.inspector.placeOf(x, y);
    await this.inspector.page.mouse.move(place.x, place.y);
  }

  /** Drops a file. @param {string} name @param {Uint8Array} bytes */
  async drop(name, bytes) {
    this.count += 1;
    await this.inspector.drop(name, bytes);
  }

  /** Clicks what saves a file, and returns the file's name. @param {() => Promise<void>} act */
  async saved(act) {
    const [download] = await Promise.all([this.inspector.page.waitForEvent("download"), act()]);
    return download.suggestedFilename();
  }

  /** Waits until a text matches. @param {Locator} place @param {RegExp} pattern */
  async see(place, pattern) {
    await eventually(async () => {
      const text = (await place.allInnerTexts()).join("\n");
      if (!pattern.test(text)) {
        throw new Error(`expected ${pattern} in: ${text.slice(0, 600)}`);
      }
    });
  }
}
