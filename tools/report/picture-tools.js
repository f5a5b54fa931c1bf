// The controls of the pictures: mode, buffer, factor of the difference, and outline.

import { MODES } from "pspge-report/address.js";
import { h } from "pspge/base/dom.js";

/**
 * @typedef {import("pspge-report/types.js").Mode} Mode
 * @typedef {import("pspge-report/types.js").Buffer} Buffer
 */

/** Factors of the difference that can be chosen. */
const FACTORS = [1, 4, 16, 64, 256];
const BUFFERS = /** @type {const} */ ([
  ["color", "Colour"],
  ["depth", "Depth"],
]);

/**
 * Creates the controls.
 * @param {{
 *   onmode: (mode: Mode) => void,
 *   onbuffer: (buffer: Buffer) => void,
 *   onfactor: () => void,
 *   onflip: () => void,
 *   onoutline: () => void,
 * }} actions
 */
export function createTools({ onmode, onbuffer, onfactor, onflip, onoutline }) {
  const button = (/** @type {string} */ name, /** @type {() => void} */ onclick) => h("button", { type: "button", "aria-pressed": "false", onclick }, name);
  const modes = MODES.map(({ id, name }) => ({ id, element: button(name, () => onmode(id)) }));
  const buffers = BUFFERS.map(([id, name]) => ({ id, element: button(name, () => onbuffer(id)) }));
  const modeGroup = h("span", { class: "button-group", role: "group", "aria-label": "Mode of the pictures" }, modes.map(({ element }) => element));
  const bufferGroup = h("span", { class: "button-group", role: "group", "aria-label": "Buffer" }, buffers.map(({ element }) => element));
  const factor = h(
    "select",
    { "aria-label": "Factor of the difference", onchange: onfactor },
    h("option", { value: "auto" }, "Difference: auto"),
    FACTORS.map((number) => h("option", { value: number }, `Difference × ${number}`)),
  );
  const flip = h("button", { type: "button", onclick: onflip }, "Flip");
  const outline = h("input", { type: "checkbox", checked: true, onchange: onoutline });
  const outlineLabel = h("label", { class: "check" }, outline, "Outline the region");
  return {
    element: h("div", { class: "picture-tools" }, modeGroup, bufferGroup, factor, flip, h("span", { class: "spacer" }), outlineLabel),
    outline,
    /** Returns the chosen factor; null if it follows the picture. */
    factor: () => (factor.value === "auto" ? null : Number(factor.value)),
    hasBuffers: () => !bufferGroup.hidden,
    /**
     * Shows the state of the controls.
     * @param {{mode: Mode, buffer: Buffer, hasBoth: boolean, hasRegion: boolean}} state
     */
    update({ mode, buffer, hasBoth, hasRegion }) {
      modes.forEach(({ id, element }) => element.setAttribute("aria-pressed", String(id === mode)));
      buffers.forEach(({ id, element }) => element.setAttribute("aria-pressed", String(id === buffer)));
      bufferGroup.hidden = !hasBoth;
      factor.hidden = mode !== "side";
      flip.hidden = mode !== "flip";
      outlineLabel.hidden = !hasRegion;
    },
  };
}
