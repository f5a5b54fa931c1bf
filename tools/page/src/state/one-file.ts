// The page as one file that opens from disk: the server writes it, or this page is one already and writes itself.

import { h } from "pspge/base/dom.js";
import { isSamePart, WHOLE } from "pspge/base/parts.js";
import type { PartSpec } from "pspge/documents.js";
import type { App } from "pspge/state/app-types.js";
import { EngineError } from "pspge/state/engine.js";
import type { NamedBytes } from "pspge/state/files.js";
import { toHash } from "pspge/state/store.js";

/** Bytes that are turned into text at a time. */
const CHUNK = 0x8000;

/** Returns the page as one file, with the shown part of the open file, at the place that is shown. `held` are the files that the page has opened. */
export async function onePage(app: App, held: readonly NamedBytes[]): Promise<Uint8Array> {
  const { input, store, engine } = app;
  if (!input) {
    throw new EngineError("no-file", "No file is open.");
  }
  // The file is not named: that of the new page may be a part of a folder.
  const at = (part: PartSpec | null) => toHash({ ...store.get(), part }, null);
  // The pictures that edits put in place of textures.
  const pictures = engine.pictures().filter(({ name }) => store.get().edits.some((edit) => edit.endsWith(`=${name}`)));
  const data = await Promise.all(pictures.map(({ name, bytes }) => embed({ "data-picture": name }, bytes)));
  if (engine.kind !== "http") {
    const member = input.part.member ?? null;
    const files = held.map(({ name, bytes }) => embed({ "data-input": name, ...(member !== null && { "data-member": member }) }, bytes));
    return ownPage([...(await Promise.all(files)), ...data], at(input.part));
  }
  // The server adds the member, whose path is another one without its folder. A whole folder becomes an archive.
  const alternatives = { ...input.part, member: null };
  const place = input.kind === "folder" ? null : at(isSamePart(alternatives, WHOLE) ? null : alternatives);
  const page = await fromServer({ run: { input: 0, file: input.file, part: input.part }, at: place });
  // Browsers take elements after the end of the page into it.
  const parts = [page, ...data.map((element) => element.outerHTML)];
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

async function fromServer(request: object): Promise<Uint8Array> {
  const response = await fetch("page", { method: "POST", body: JSON.stringify(request) }).catch(() => {
    throw new EngineError("connection", "The server does not answer: `pspge view` has ended.");
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) {
    throw new EngineError("page", `The page was not written: ${new TextDecoder().decode(bytes)}.`);
  }
  return bytes;
}

/** Writes this page with other data in it. */
function ownPage(data: readonly Element[], at: string): Uint8Array {
  const page = document.cloneNode(true) as Document;
  const root = page.documentElement;
  for (const name of root.getAttributeNames().filter((name) => name !== "lang")) {
    root.removeAttribute(name);
  }
  page.querySelectorAll("[data-input], [data-picture], meta[name=pspge-at], link[rel=icon]").forEach((element) => element.remove());
  page.querySelector("#app")?.replaceChildren(h("p", { class: "start" }, "The inspector is starting."));
  page.head.append(h("meta", { name: "pspge-at", content: at }));
  page.body.append(...data);
  return new TextEncoder().encode(`<!doctype html>\n${root.outerHTML}\n`);
}

/** Returns an element that holds bytes in the page. */
async function embed(attributes: Record<string, string>, bytes: Uint8Array): Promise<Element> {
  return h("script", { type: "application/octet-stream", ...attributes }, base64(await gzip(bytes)));
}

function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return btoa(parts.join(""));
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
