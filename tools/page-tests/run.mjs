// Runs the tests of the inspector's page in a browser.
//
//     node tools/page-tests/run.mjs [--program PATH] [--web PATH/pspge.html] [--update] [--only WORDS]
//
// --program  the command `pspge`; by default the newest one below target
// --web      the page as one file without an input, which is tested instead of the files that the program writes
// --update   writes the snapshots of the panels instead of comparing them
// --only     runs only tests whose names contain this text
//
// The tests need Node 20, a Chromium and npm packages. If one is missing, this prints one line and succeeds; with
// PSPGE_PAGE_TESTS=required it fails. PSPGE_CORPUS names a folder with recorded frames, which are tested, too.

import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { changedModules } from "./build.mjs";
import { hasPackages } from "./packages.mjs";
import { writeTypes } from "./types.mjs";

const FOLDER = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(FOLDER));
const NODE = 20;

const OPTIONS = /** @type {const} */ ({
  program: { type: "string" },
  web: { type: "string" },
  update: { type: "boolean", default: false },
  only: { type: "string" },
});

/** Ends the run because something is missing. @param {string} what */
function skip(what) {
  const isRequired = process.env.PSPGE_PAGE_TESTS === "required";
  console.log(`page tests: ${isRequired ? "failed" : "skipped"}, ${what} is missing`);
  process.exit(isRequired ? 1 : 0);
}

/** Returns the path of the first of these programs that exists. @param {string[]} names */
function find(names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  for (const name of names) {
    const paths = /[/\\]/.test(name) ? [name] : folders.map((folder) => join(folder, name));
    const found = paths.find((path) => existsSync(path));
    if (found) {
      return found;
    }
  }
  return null;
}

/** Returns the command `pspge` that was built last. */
function builtProgram() {
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
  const name = process.platform === "win32" ? "pspge.exe" : "pspge";
  const built = ["release", "debug"].map((profile) => join(target, profile, name)).filter((path) => existsSync(path));
  return built.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? null;
}

/** Checks the types of the page. Returns whether they are right. */
function checkTypes() {
  const require = createRequire(join(FOLDER, "package.json"));
  const home = dirname(require.resolve("typescript/package.json"));
  const { bin } = require("typescript/package.json");
  const project = join(ROOT, "tools", "page", "tsconfig.json");
  const checked = spawnSync(process.execPath, [join(home, bin.tsc), "--project", project, "--pretty", "false"], { encoding: "utf8" });
  process.stdout.write(checked.stdout + checked.stderr);
  console.log(`page tests: types of the page are ${checked.status === 0 ? "right" : "wrong"}`);
  return checked.status === 0;
}

/** Checks that the modules in the repository are those that their sources give. Returns whether they are. */
async function checkModules() {
  const changed = await changedModules();
  const result = changed.length === 0 ? "those of their sources" : `out of date, run \`cargo dev web --page\`: ${changed.join(", ")}`;
  console.log(`page tests: the built modules are ${result}`);
  return changed.length === 0;
}

const { values } = parseArgs({ options: OPTIONS });
if (Number(process.versions.node.split(".")[0]) < NODE) {
  skip(`Node ${NODE}`);
}
const browser = process.env.CHROMIUM || find(["chromium-headless-shell", "/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome"]);
if (!browser || !existsSync(browser)) {
  skip("Chromium (CHROMIUM names another one)");
}
const program = values.program ? resolve(values.program) : builtProgram();
if (!program || !existsSync(program)) {
  skip("the program pspge (build it, or name it with --program)");
}
if (!hasPackages()) {
  skip("a package of npm");
}

await writeTypes(program);
const isTyped = checkTypes();
const isBuilt = await checkModules();
const started = performance.now();
const suite = spawnSync(process.execPath, ["--test-reporter=spec", "--test-reporter-destination=stdout", join(FOLDER, "suite.mjs")], {
  stdio: "inherit",
  env: {
    ...process.env,
    PAGE_TESTS_BROWSER: browser ?? "",
    PAGE_TESTS_PROGRAM: program ?? "",
    PAGE_TESTS_WEB: values.web ? resolve(values.web) : "",
    PAGE_TESTS_UPDATE: values.update ? "1" : "",
    PAGE_TESTS_ONLY: values.only ?? "",
  },
});
console.log(`page tests: ${Math.round((performance.now() - started) / 1000)} s`);
process.exit(isTyped && isBuilt && suite.status === 0 ? 0 : 1);
