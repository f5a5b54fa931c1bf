// state/one-file.ts
import { h } from "pspge/base/dom.js";
import { isSamePart, WHOLE } from "pspge/base/parts.js";
import { EngineError } from "pspge/state/engine.js";
import { toHash } from "pspge/state/store.js";
var CHUNK = 32768;
async function onePage(app, held) {
  const { input, store, engine } = app;
  if (!input) {
    throw new EngineError("no-file", "No file is open.");
  }
  const at = (part) => toHash({ ...store.get(), part }, null);
  if (engine.kind !== "http") {
    return ownPage(held, input.part.member ?? null, at(input.part));
  }
  const alternatives = { ...input.part, member: null };
  const place = input.kind === "folder" ? null : at(isSamePart(alternatives, WHOLE) ? null : alternatives);
  return fromServer({ run: { input: 0, file: input.file, part: input.part }, at: place });
}
async function fromServer(request) {
  const response = await fetch("page", { method: "POST", body: JSON.stringify(request) }).catch(() => {
    throw new EngineError("connection", "The server does not answer: `pspge view` has ended.");
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) {
    throw new EngineError("page", `The page was not written: ${new TextDecoder().decode(bytes)}.`);
  }
  return bytes;
}
async function ownPage(files, member, at) {
  const page = document.cloneNode(true);
  const root = page.documentElement;
  for (const name of root.getAttributeNames().filter((name2) => name2 !== "lang")) {
    root.removeAttribute(name);
  }
  page.querySelectorAll("[data-input], meta[name=pspge-at], link[rel=icon]").forEach((element) => element.remove());
  page.querySelector("#app")?.replaceChildren(h("p", { class: "start" }, "The inspector is starting."));
  page.head.append(h("meta", { name: "pspge-at", content: at }));
  for (const { name, bytes } of files) {
    const attributes = { type: "application/octet-stream", "data-input": name, ...member !== null && { "data-member": member } };
    page.body.append(h("script", attributes, base64(await gzip(bytes))));
  }
  return new TextEncoder().encode(`<!doctype html>
${root.outerHTML}
`);
}
function base64(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return btoa(parts.join(""));
}
async function gzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
export {
  onePage
};
