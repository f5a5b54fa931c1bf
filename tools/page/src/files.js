// Files: opening them by a button or by dropping them, and saving results.

import { h, icon } from "pspge/dom.js";

/** @typedef {{name: string, bytes: Uint8Array}} NamedBytes */

/**
 * Asks for files that belong together and returns them; none if the user chooses none.
 * @returns {Promise<NamedBytes[]>}
 */
export function chooseFiles() {
  const input = h("input", { type: "file", multiple: true });
  return new Promise((resolve, reject) => {
    input.addEventListener("cancel", () => resolve([]));
    input.addEventListener("change", () => readFiles(input.files).then(resolve, reject));
    input.click();
  });
}

/**
 * @param {FileList | null | undefined} files
 * @returns {Promise<NamedBytes[]>}
 */
function readFiles(files) {
  return Promise.all([...(files ?? [])].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}

/**
 * Opens files that are dropped anywhere on the page. Those that are dropped together belong together.
 * @param {(files: NamedBytes[]) => Promise<unknown>} open
 */
export function acceptDrops(open) {
  const hasFiles = (/** @type {DragEvent} */ event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  let depth = 0;
  const mark = (/** @type {number} */ change) => {
    depth = Math.max(0, depth + change);
    document.body.classList.toggle("is-drop-target", depth > 0);
  };
  document.addEventListener("dragenter", (event) => hasFiles(event) && mark(1));
  document.addEventListener("dragleave", (event) => hasFiles(event) && mark(-1));
  document.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    const files = event.dataTransfer?.files;
    mark(-depth);
    if (files && files.length > 0) {
      event.preventDefault();
      void readFiles(files).then(open);
    }
  });
}

/**
 * Saves bytes as a file.
 * @param {string} name
 * @param {string} mediaType
 * @param {Uint8Array} bytes
 */
export function saveFile(name, mediaType, bytes) {
  const address = URL.createObjectURL(new Blob([/** @type {BlobPart} */ (bytes)], { type: mediaType }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Creates the area that is shown until a file is open.
 * @param {import("pspge/app.js").App} app
 * @returns {HTMLElement}
 */
export function startArea(app) {
  return h(
    "section",
    { class: "start-area", "aria-label": "Open a file" },
    h(
      "div",
      { class: "drop-area" },
      icon("open"),
      h("h1", null, "Drop files here"),
      h(
        "p",
        null,
        "A frame dump of PPSSPP (.ppdmp), a display list (.ge), or a model of a PSP game, together with its files of textures, skeleton and animations. They are read on this computer and sent nowhere.",
      ),
      h("button", { type: "button", class: "primary", onclick: () => void app.chooseInput(0) }, "Choose files"),
      h("p", { class: "loading-text", role: "status" }, "Opening the file"),
    ),
  );
}
