// Writes the types of the engine's requests and answers from their JSON Schema, so that the page cannot name a member that they
// lack:
//
//     node tools/page-tests/types.mjs [PROGRAM]
//
// The types go to target/page-types, where `tools/page/tsconfig.json` finds them; the page tests write them, too.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const SCHEMAS = { Request: "pspge.inspect-request/1", Answer: "pspge.inspect-answer/1" };

/**
 * Puts what stands beside a reference into a type of its own. Descriptions and defaults there would make a second type of the
 * same name, so they go.
 *
 * @param {any} schema
 * @returns {any}
 */
function plain(schema) {
  if (Array.isArray(schema)) {
    return schema.map(plain);
  }
  if (schema === null || typeof schema !== "object") {
    return schema;
  }
  const { $ref, ...beside } = schema;
  if ($ref) {
    return beside.properties ? { allOf: [{ $ref }, plain(beside)] } : { $ref };
  }
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, plain(value)]));
}

/** Writes the types, with the schemas of the command `program`. */
export async function writeTypes(/** @type {string} */ program) {
  const { compile } = await import("json-schema-to-typescript");
  const schemas = Object.values(SCHEMAS).map((name) => JSON.parse(execFileSync(program, ["schema", name], { encoding: "utf8" })));
  // Both in one schema, because they share types.
  const union = { title: "Message", oneOf: Object.keys(SCHEMAS).map((name) => ({ $ref: `#/$defs/${name}` })), $defs: {} };
  Object.keys(SCHEMAS).forEach((name, index) => {
    const { $defs, $schema: _, title: __, ...own } = schemas[index];
    Object.assign(union.$defs, $defs, { [name]: own });
  });
  const text = await compile(plain(union), "Message", { additionalProperties: false, bannerComment: "", format: false });
  const folder = join(ROOT, "target", "page-types");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "documents.d.ts"), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeTypes(process.argv[2] ?? "pspge");
}
