// files.tsx
import { Button, Icon } from "pspge/controls.js";
import { h } from "pspge/dom.js";
import { render } from "pspge/preact.js";
import { jsx, jsxs } from "pspge/preact.js";
function fileName(path) {
  return path.split(/[/\\]/).pop() || path;
}
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
  const address = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1e4);
}
function startArea(app) {
  const element = h("section", { class: "start-area", "aria-label": "Open a file" });
  render(
    /* @__PURE__ */ jsxs("div", { class: "drop-area", children: [
      /* @__PURE__ */ jsx(Icon, { name: "open" }),
      /* @__PURE__ */ jsx("h1", { children: "Drop files here" }),
      /* @__PURE__ */ jsx("p", { children: "A frame dump of PPSSPP (.ppdmp), a display list (.ge), or a model of a PSP game, together with its files of textures, skeleton and animations. They are read on this computer and sent nowhere." }),
      /* @__PURE__ */ jsx(Button, { class: "primary", onClick: () => void app.chooseInput(0), children: "Choose files" }),
      /* @__PURE__ */ jsx("p", { class: "loading-text", role: "status", children: "Opening the file" })
    ] }),
    element
  );
  return element;
}
export {
  acceptDrops,
  chooseFiles,
  fileName,
  saveFile,
  startArea
};
