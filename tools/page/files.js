// Files: opening them by a button or by dropping them, and saving results.

import { h, icon } from "pspge/dom.js";

/**
 * Asks for a file and returns it; null if the user chooses none.
 * @returns {Promise<{name: string, bytes: Uint8Array} | null>}
 */
export function chooseFile() {
  const input = h("input", { type: "file" });
  return new Promise((resolve, reject) => {
    input.addEventListener("cancel", () => resolve(null));
    input.addEventListener("change", () => {
      const [file] = input.files ?? [];
      file ? readFile(file).then(resolve, reject) : resolve(null);
    });
    input.click();
  });
}

/** @param {File} file */
async function readFile(file) {
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/**
 * Opens files that are dropped anywhere on the page.
 * @param {(name: string, bytes: Uint8Array) => Promise<void>} open
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
    const [file] = event.dataTransfer?.files ?? [];
    mark(-depth);
    if (file) {
      event.preventDefault();
      void readFile(file).then(({ name, bytes }) => open(name, bytes));
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
  const open = async () => {
    try {
      const file = await chooseFile();
      if (file) {
        await app.openFile(file.name, file.bytes);
      }
    } catch (error) {
      app.fail(error);
    }
  };
  return h(
    "section",
    { class: "start-area", "aria-label": "Open a file" },
    h(
      "div",
      { class: "drop-area" },
      icon("open"),
      h("h1", null, "Drop a file here"),
      h(
        "p",
        null,
        "A frame dump of PPSSPP (.ppdmp), a display list (.ge), or a model of a PSP game. It is read on this computer and sent nowhere.",
      ),
      h("button", { type: "button", class: "primary", onclick: () => void open() }, "Choose a file"),
      h("p", { class: "loading-text", role: "status" }, "Opening the file"),
    ),
  );
}
