// The ways from a result to other tools: the inspector's page, and commands to copy.

import { shellWord, visible } from "pspge-report/text.js";
import { h } from "pspge/base/dom.js";
import { initialSelection, toHash } from "pspge/state/store.js";

/**
 * @typedef {import("pspge-report/types.js").Result} Result
 * @typedef {import("pspge-report/types.js").Pixel} Pixel
 */

/** Time for which a button says that it has copied. */
const COPIED = 1500;

/**
 * Returns the event that explains a result best: that of the divergence, else the last one of the suspects.
 * @param {Result} result
 * @returns {number | null}
 */
function eventOf({ explanation }) {
  if (!explanation) {
    return null;
  }
  const { divergence, suspects, first_event: first } = explanation;
  const last = suspects.length > 0 ? Math.max(...suspects.map(({ event }) => event)) : null;
  return divergence?.event ?? last ?? first?.event ?? null;
}

/**
 * Returns the address of the inspector with the file of a result, in the inspector's own form.
 * @param {string | null} inspector
 * @param {Result} result
 * @param {number | null} [event]
 * @returns {string | null}
 */
export function inspectorAddress(inspector, result, event = eventOf(result)) {
  if (inspector === null || !URL.canParse(inspector, location.href)) {
    return null;
  }
  const url = new URL(inspector, location.href);
  if (!["file:", "http:", "https:"].includes(url.protocol)) {
    return null;
  }
  const { explanation, hash } = result;
  const selection = {
    ...initialSelection(),
    // The inspector chooses an event if its address has none.
    event: /** @type {number} */ (event),
    pixel: /** @type {Pixel | null} */ (explanation ? [explanation.pixel.x, explanation.pixel.y] : null),
    panel: explanation ? "pixel" : "state",
    view: explanation?.buffer ?? "color",
  };
  url.hash = toHash(selection, hash);
  return url.href;
}

/**
 * Returns the commands that look into a result.
 * @param {Result} result
 * @param {Pixel | null} pixel the fixed pixel
 * @returns {string[]}
 */
export function commandsOf({ input, explanation }, pixel) {
  const word = shellWord(input);
  const place = pixel ?? (explanation ? [explanation.pixel.x, explanation.pixel.y] : null);
  return [`pspge view ${word}`, ...(place ? [`pspge pixel ${word} ${place.join(",")}`] : [])];
}

/**
 * Returns a command with a button that copies it.
 * @param {string} command
 * @returns {HTMLElement}
 */
export function commandLine(command) {
  const name = command.split(" ").slice(0, 2).join(" ");
  const status = h("span", { class: "muted copied", role: "status" });
  const onclick = async () => {
    status.textContent = (await copy(command)) ? "Copied" : "Select the text and copy it";
    setTimeout(() => (status.textContent = ""), COPIED);
  };
  const button = h("button", { type: "button", "aria-label": `Copy ${name}`, onclick }, "Copy");
  return h("div", { class: "command" }, button, h("code", null, visible(command)), status);
}

/**
 * Copies a text. Returns whether that was possible.
 * @param {string} text
 * @returns {Promise<boolean>}
 */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOfField(text);
  }
}

/**
 * Copies a text from a field, for browsers that give files no clipboard.
 * @param {string} text
 */
function copyOfField(text) {
  const focused = document.activeElement;
  const field = h("textarea", { class: "visually-hidden", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) {
    focused.focus({ preventScroll: true });
  }
  return isCopied;
}
