// state/files.ts
import { h } from "pspge/base/dom.js";
function fileName(path) {
  return path.split(/[/\\]/).pop() || path;
}
function chooseFiles(accept) {
  const input = h("input", accept === void 0 ? { type: "file", multiple: true } : { type: "file", accept });
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
export {
  acceptDrops,
  chooseFiles,
  fileName,
  saveFile
};
