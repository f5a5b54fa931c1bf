// files.js
import { h, icon } from "pspge/dom.js";
function chooseFiles() {
  const input = h("input", { type: "file", multiple: true });
  return new Promise((resolve, reject) => {
    input.addEventListener("cancel", () => resolve([]));
    input.addEventListener("change", () => readFiles(input.files).then(resolve, reject));
    input.click();
  });
}
function readFiles(files) {
  return Promise.all([...files ?? []].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}
function acceptDrops(open) {
  const hasFiles = (event) => [...event.dataTransfer?.types ?? []].includes("Files");
  let depth = 0;
  const mark = (change) => {
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
function saveFile(name, mediaType, bytes) {
  const address = URL.createObjectURL(new Blob([
    /** @type {BlobPart} */
    bytes
  ], { type: mediaType }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1e4);
}
function startArea(app) {
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
        "A frame dump of PPSSPP (.ppdmp), a display list (.ge), or a model of a PSP game, together with its files of textures, skeleton and animations. They are read on this computer and sent nowhere."
      ),
      h("button", { type: "button", class: "primary", onclick: () => void app.chooseInput(0) }, "Choose files"),
      h("p", { class: "loading-text", role: "status" }, "Opening the file")
    )
  );
}
export {
  acceptDrops,
  chooseFiles,
  saveFile,
  startArea
};
