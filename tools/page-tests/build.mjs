// Builds the modules of the page from their sources:
//
//     node tools/page-tests/build.mjs
//
// Each source in `tools/page/src` becomes a module of the same room and name in `tools/page/built`, so that a panel loads when it is
// shown first, and so that a change of one source shows as a change of one module. The modules are part of the repository,
// because the command holds them and building it needs no Node. `cargo dev web` runs this, and the page tests fail if a module
// is not the one that its source gives.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { hasPackages } from "./packages.mjs";

const FOLDER = dirname(fileURLToPath(import.meta.url));
const PAGE = resolve(FOLDER, "../page");
const SOURCES = join(PAGE, "src");
const BUILT = join(PAGE, "built");
/** The modules that hold packages, with those: all others import them from there, so that each is there once. */
const PACKAGES = { "base/preact": ["preact", "@preact/signals"], "base/dagre": ["@dagrejs/dagre", "@dagrejs/graphlib"] };

/** Lists the files in a folder and those below it, by their paths in it. @param {string} folder @returns {string[]} */
export function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

/** Returns the text of each module, built from the sources. @returns {Promise<Map<string, string>>} */
export async function buildModules() {
  const { build } = await import("esbuild");
  const sources = filesIn(SOURCES);
  const isPackages = (/** @type {string} */ name) => Object.keys(PACKAGES).some((module) => name.startsWith(`${module}.`));
  const options = /** @type {const} */ ({
    absWorkingDir: SOURCES,
    outdir: BUILT,
    outbase: SOURCES,
    bundle: true,
    write: false,
    format: "esm",
    target: "es2023",
    charset: "utf8",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
  });
  const own = build({
    ...options,
    entryPoints: sources.filter((name) => !isPackages(name)),
    plugins: [{ name: "modules", setup: (use) => use.onResolve({ filter: /./ }, ({ kind, path }) => (kind === "entry-point" ? null : { path: placeOf(path), external: true })) }],
  });
  const packages = Object.entries(PACKAGES).map(([module, names]) => {
    const licences = names.map((name) => `${name}\n\n${readFileSync(join(FOLDER, "node_modules", name, "LICENSE"), "utf8").trim()}`);
    return build({
      ...options,
      entryPoints: [`${module}.ts`],
      external: ["pspge/*"],
      nodePaths: [join(FOLDER, "node_modules")],
      banner: { js: `/*!\n${licences.join("\n\n")}\n*/` },
      legalComments: "none",
    });
  });
  const files = (await Promise.all([own, ...packages])).flatMap(({ outputFiles }) => outputFiles);
  // A source of types alone gives an empty module, which nobody imports.
  return new Map(files.filter(({ text }) => text !== "").map(({ path, text }) => [relative(BUILT, path).replaceAll("\\", "/"), text]));
}

/** Returns where the page finds an imported module. Those of a package may have further parts, such as `preact/jsx-runtime`. @param {string} path */
function placeOf(path) {
  const [module] = Object.entries(PACKAGES).find(([, names]) => names.some((name) => path === name || path.startsWith(`${name}/`))) ?? [];
  return module ? `pspge/${module}.js` : path;
}

/** Returns the names of the modules in the repository that are not those that their sources give. */
export async function changedModules() {
  const modules = await buildModules();
  const there = filesIn(BUILT);
  const isSame = (/** @type {string} */ name) => there.includes(name) && readFileSync(join(BUILT, name), "utf8") === modules.get(name);
  return [...new Set([...there, ...modules.keys()])].filter((name) => !isSame(name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!hasPackages()) {
    console.error("error: a package of npm is missing");
    process.exit(1);
  }
  const modules = await buildModules();
  rmSync(BUILT, { recursive: true, force: true });
  for (const [name, text] of modules) {
    mkdirSync(dirname(join(BUILT, name)), { recursive: true });
    writeFileSync(join(BUILT, name), text);
  }
}
