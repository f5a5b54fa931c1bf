// Files: opening them by a button or by dropping them, and saving results.

import { h } from "pspge/base/dom.js";

export interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}

/** Returns the last part of a path. */
export function fileName(path: string): string {
  return path.split(/[/\\]/).pop() || path;
}

/** Asks for files that belong together, or for one of some type, and returns them; none if the user chooses none. */
export function chooseFiles(accept?: string): Promise<NamedBytes[]> {
  const input = h("input", accept === undefined ? { type: "file", multiple: true } : { type: "file", accept });
  return new Promise((resolve, reject) => {
    input.addEventListener("cancel", () => resolve([]));
    input.addEventListener("change", () => readFiles(input.files).then(resolve, reject));
    input.click();
  });
}

function readFiles(files: FileList | null | undefined): Promise<NamedBytes[]> {
  return Promise.all([...(files ?? [])].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}

/** Opens files that are dropped anywhere on the page. Those that are dropped together belong together. */
export function acceptDrops(open: (files: NamedBytes[]) => Promise<unknown>) {
  const hasFiles = (event: DragEvent) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  let depth = 0;
  const mark = (change: number) => {
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

/** Saves bytes as a file. */
export function saveFile(name: string, mediaType: string, bytes: Uint8Array) {
  const address = URL.createObjectURL(new Blob([bytes as BlobPart], { type: mediaType }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
