// Buttons that save what the page shows: as glTF, as a picture, as a frame dump.

import { h } from "pspge/dom.js";

/** @typedef {import("pspge/app.js").App} App */
/** @typedef {"gltf" | "png" | "dump" | "trim"} What */

const EXPORTS = /** @type {[What, string, string][]} */ ([
  ["gltf", "glTF", "The geometry with its textures, for Blender and other tools"],
  ["png", "PNG", "The picture at the selected event"],
  ["dump", "Frame dump", "The run with its edits, for pspge and PPSSPP"],
  ["trim", "Trimmed draw", "A frame dump of the selected draw alone"],
]);

/**
 * Creates buttons that save the run.
 * @param {App} app
 * @param {readonly What[]} kinds
 * @returns {HTMLElement}
 */
export function exportButtons(app, kinds) {
  const buttons = EXPORTS.filter(([what]) => kinds.includes(what)).map(([what, text, title]) => {
    const save = async () => {
      button.disabled = true;
      await app.export(what);
      button.disabled = false;
    };
    const button = h("button", { type: "button", title, "data-export": what, onclick: () => void save() }, text);
    return button;
  });
  return h("div", { class: "export-buttons", role: "group", "aria-label": "Save" }, h("span", { class: "muted" }, "Save as"), buttons);
}
