// The selection, and the page's address that names it, so that a link to a result can be shared.

/**
 * @typedef {import("pspge-report/types.js").Mode} Mode
 * @typedef {import("pspge-report/types.js").Buffer} Buffer
 * @typedef {import("pspge-report/types.js").Pixel} Pixel
 * @typedef {{case: string | null, renderer: string | null, mode: Mode, buffer: Buffer | null, pixel: Pixel | null}} Selection
 * `buffer` is null until the user chooses one; `pixel` is the fixed one.
 */

/** The modes of the pictures, in the order of their buttons. @type {readonly {id: Mode, name: string}[]} */
export const MODES = [
  { id: "side", name: "Side by side" },
  { id: "flip", name: "Flip" },
  { id: "slider", name: "Slider" },
  { id: "heat", name: "Heat map" },
];

/** Pause before the address is written: browsers limit how often that is allowed. */
const PAUSE = 150;

/**
 * Writes a selection as the hash of an address.
 * @param {Selection} selection
 * @returns {string}
 */
export function toHash({ case: name, renderer, mode, buffer, pixel }) {
  const parts = new URLSearchParams();
  const put = (/** @type {string} */ key, /** @type {unknown} */ value) => {
    if (value !== null && value !== undefined) {
      parts.append(key, String(value));
    }
  };
  put("case", name);
  put("renderer", renderer);
  put("mode", mode);
  put("buffer", buffer);
  put("x", pixel?.[0]);
  put("y", pixel?.[1]);
  return `#${parts}`;
}

/**
 * Reads the hash of an address. Parts that make no sense are left out.
 * @param {string} hash
 * @returns {Selection}
 */
export function fromHash(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const whole = (/** @type {string} */ name) => {
    const text = parts.get(name) ?? "";
    return /^\d{1,5}$/.test(text) ? Number(text) : null;
  };
  const [x, y] = [whole("x"), whole("y")];
  const buffer = parts.get("buffer");
  return {
    case: parts.get("case"),
    renderer: parts.get("renderer"),
    mode: MODES.find(({ id }) => id === parts.get("mode"))?.id ?? "side",
    buffer: buffer === "color" || buffer === "depth" ? buffer : null,
    pixel: x !== null && y !== null ? [x, y] : null,
  };
}

/**
 * Returns a function that writes a selection to the page's address, after a pause.
 * @returns {(selection: Selection) => void}
 */
export function createAddressWriter() {
  /** @type {number | undefined} */
  let timer;
  return (selection) => {
    clearTimeout(timer);
    timer = setTimeout(() => history.replaceState(null, "", toHash(selection)), PAUSE);
  };
}
