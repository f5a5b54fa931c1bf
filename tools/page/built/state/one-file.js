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
  const pictures = engine.pictures().filter(({ name }) => store.get().edits.some((edit) => edit.endsWith(`=${name}`)));
  const data = await Promise.all(pictures.map(({ name, bytes }) => embed({ "data-picture": name }, bytes)));
  if (engine.kind !== "http") {
    const member = input.part.member ?? null;
    const files = held.map(({ name, bytes }) => embed({ "data-input": name, ...member !== null && { "data-member": member } }, bytes));
    return ownPage([...await Promise.all(files), ...data], at(input.part));
  }
  const alternatives = { ...input.part, member: null };
  const place = input.kind === "folder" ? null : at(isSamePart(alternatives, WHOLE) ? null : alternatives);
  const page = await fromServer({ run: { input: 0, file: input.file, part: input.part }, at: place });
  const parts = [page, ...data.map((element) => element.outerHTML)];
  return new Uint8Array(await new Blob(parts).arrayBuffer());
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
function ownPage(data, at) {
  const page = document.cloneNode(true);
  const root = page.documentElement;
  for (const name of root.getAttributeNames().filter((name2) => name2 !== "lang")) {
    root.removeAttribute(name);
  }
  page.querySelectorAll("[data-input], [data-picture], meta[name=pspge-at], link[rel=icon]").forEach((element) => element.remove());
  page.querySelector("#app")?.replaceChildren(h("p", { class: "start" }, "The inspector is starting."));
  page.head.append(h("meta", { name: "pspge-at", content: at }));
  page.body.append(...data);
  return new TextEncoder().encode(`<!doctype html>
${root.outerHTML}
`);
}
async function embed(attributes, bytes) {
  return h("script", { type: "application/octet-stream", ...attributes }, base64(await gzip(bytes)));
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
