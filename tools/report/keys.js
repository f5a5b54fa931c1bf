// The keys of the page: one table for the page and for its help.

import { h, takesKeys } from "pspge/base/dom.js";

/** @typedef {{keys: string[], text: string, group: string, action: string}} Key */

/** @type {Key[]} */
export const KEYS = [
  { keys: ["ArrowDown", "j"], text: "Next result", group: "Results", action: "next" },
  { keys: ["ArrowUp", "k"], text: "Result before", group: "Results", action: "previous" },
  { keys: ["ArrowRight", "l"], text: "Next renderer", group: "Results", action: "nextRenderer" },
  { keys: ["ArrowLeft", "h"], text: "Renderer before", group: "Results", action: "previousRenderer" },
  { keys: ["Home"], text: "First result", group: "Results", action: "first" },
  { keys: ["End"], text: "Last result", group: "Results", action: "last" },
  { keys: ["/"], text: "Filter the results", group: "Results", action: "filter" },
  { keys: ["f", " "], text: "Flip between reference and picture", group: "Pictures", action: "flip" },
  { keys: ["1"], text: "Side by side", group: "Pictures", action: "side" },
  { keys: ["2"], text: "Flip in place", group: "Pictures", action: "flipMode" },
  { keys: ["3"], text: "Slider", group: "Pictures", action: "slider" },
  { keys: ["4"], text: "Heat map", group: "Pictures", action: "heat" },
  { keys: ["d"], text: "Change between colour and depth", group: "Pictures", action: "depth" },
  { keys: ["o"], text: "Outline the worst region, or do not", group: "Pictures", action: "outline" },
  { keys: ["w"], text: "Hide the list of results, or show it", group: "Page", action: "list" },
  { keys: ["?"], text: "Show this help", group: "Page", action: "help" },
  { keys: ["Escape"], text: "Close the help, leave a text field, release the fixed pixel", group: "Page", action: "escape" },
];

/** The keys of a picture that has the focus. The picture listens to them itself. @type {Omit<Key, "action">[]} */
const PICTURE_KEYS = [
  { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], text: "Select the pixel next to it; with Shift, ten pixels further", group: "A picture with the focus" },
  { keys: ["Enter"], text: "Fix the pixel, or release it", group: "A picture with the focus" },
];

/** The names of keys as they are shown. */
const SHOWN = /** @type {Record<string, string>} */ ({
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  " ": "Space",
});

/**
 * Calls the actions of the table when their keys are pressed outside controls that use them.
 * @param {Record<string, () => void>} actions
 */
export function listenToKeys(actions) {
  const table = new Map(KEYS.flatMap(({ keys, action }) => keys.map((key) => [key, action])));
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const hasModifier = event.altKey || event.metaKey || event.ctrlKey || (event.shiftKey && key.length > 1);
    if (event.defaultPrevented || hasModifier || document.querySelector("dialog[open]")) {
      return;
    }
    if ((takesKeys(target) && key !== "Escape") || isOwnKey(target, key)) {
      return;
    }
    const action = actions[table.get(key) ?? ""];
    if (action) {
      event.preventDefault();
      action();
    }
  });
}

/**
 * Returns whether the focused element uses a key itself: arrows in sliders and scrolling regions, space on buttons.
 * @param {EventTarget | null} target
 * @param {string} key
 */
function isOwnKey(target, key) {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  const isArrow = key.startsWith("Arrow") || key === "Home" || key === "End";
  if (isArrow && target.matches("input[type=range], [data-scrolls]")) {
    return true;
  }
  return key === " " && target.matches("button, a, summary, input, [data-scrolls]");
}

/**
 * Creates the dialog that lists the keys.
 * @returns {HTMLDialogElement}
 */
export function keysDialog() {
  const all = [...KEYS, ...PICTURE_KEYS];
  const groups = [...new Set(all.map(({ group }) => group))];
  const close = h("button", { type: "button", onclick: () => element.close() }, "Close");
  const element = h(
    "dialog",
    { class: "dialog", "aria-labelledby": "keys-title" },
    h("div", { class: "dialog-head" }, h("h2", { id: "keys-title" }, "Keys"), close),
    h("div", { class: "key-tables" }, groups.map((group) => keyTable(group, all.filter((key) => key.group === group)))),
  );
  element.addEventListener("click", (event) => {
    if (event.target === element) {
      element.close();
    }
  });
  return element;
}

/**
 * @param {string} group
 * @param {Omit<Key, "action">[]} keys
 */
function keyTable(group, keys) {
  const head = ["Key", "Effect"].map((title) => h("th", { scope: "col" }, title));
  const row = (/** @type {Omit<Key, "action">} */ { keys: names, text }) =>
    h("tr", null, h("td", null, names.map((name) => [h("kbd", null, SHOWN[name] ?? name), " "])), h("td", null, text));
  return h(
    "table",
    { class: "keys" },
    h("caption", null, group),
    h("thead", { class: "visually-hidden" }, h("tr", null, head)),
    h("tbody", null, keys.map(row)),
  );
}
