// Exports models and frames and checks the files with the Khronos glTF validator: no errors, no warnings, and
// the same counts as `pspge info`.
//
//     node tools/validate-gltf.mjs [--program PATH] [INPUT...]
//
// --program is the command pspge; without it, it is built.
// Without INPUT it checks the bundled samples and, if PSPGE_CORPUS is set, all models and recorded frames
// there. The validator is the npm package gltf-validator. It is installed in target/gltf-validator if it is
// not there. If that fails, the script prints SKIPPED and succeeds.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = "gltf-validator@2.0.0-dev.3.10";
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const given = process.argv.slice(2);
const program = given[0] === "--program" ? given.splice(0, 2)[1] : null;
const binary = program ?? join(target, "debug", process.platform === "win32" ? "pspge.exe" : "pspge");

function validator() {
    const home = join(target, "gltf-validator");
    const load = () => createRequire(join(home, "package.json"))("gltf-validator");
    try {
        return load();
    } catch {
        mkdirSync(home, { recursive: true });
        const options = { encoding: "utf8", timeout: 120_000, shell: process.platform === "win32" };
        spawnSync("npm", ["install", "--prefix", home, "--no-audit", "--no-fund", PACKAGE], options);
    }
    try {
        return load();
    } catch {
        return null;
    }
}

function pspge(...args) {
    const run = spawnSync(binary, args, { encoding: "utf8", maxBuffer: 1 << 28 });
    if (run.error) throw run.error;
    return run;
}

// Returns INPUT and all its members, recursively, each with its description.
function members(input) {
    const found = [];
    const open = [input];
    while (open.length > 0) {
        const next = open.shift();
        const info = pspge("info", next, "--json");
        if (info.status !== 0) continue;
        const described = JSON.parse(info.stdout);
        found.push([next, described]);
        const inner = (described.members ?? []).filter((member) => member.format && member.length > 0);
        const depth = next.split("#")[1]?.split("/").length ?? 0;
        if (depth < 3) {
            open.push(...inner.map(({ index }) => (next.includes("#") ? `${next}/${index}` : `${next}#${index}`)));
        }
    }
    return found;
}

function inputs() {
    if (given.length > 0) return given;
    const files = (folder) => (existsSync(folder) ? readdirSync(folder).sort().map((name) => join(folder, name)) : []);
    const found = files(join(root, "tools", "sample"));
    const corpus = process.env.PSPGE_CORPUS;
    if (corpus) {
        for (const folder of files(join(corpus, "models")).filter((path) => statSync(path).isDirectory())) {
            found.push(...files(folder));
        }
        for (const folder of ["frames", "hardware"]) {
            found.push(...files(join(corpus, folder)).filter((path) => path.endsWith(".ppdmp")));
        }
    } else {
        console.log("corpus: none (set PSPGE_CORPUS); only the bundled samples are checked");
    }
    return found;
}

// Returns the JSON of a .glb.
function json(bytes) {
    return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString("utf8"));
}

// Returns the differences between the counts of a file and of `pspge info`.
function differences(report, gltf, info, isMerged) {
    const bones = (gltf.nodes ?? []).filter((node) => node.extras?.bone !== undefined).length;
    const { meshes, triangles, vertices } = info.exported ?? info;
    const counts = [
        ["triangles", report.info.totalTriangleCount, triangles],
        ["vertices", report.info.totalVertexCount, vertices],
        // Only for a frame, where each draw is a mesh unless they are merged.
        ...(info.exported && !isMerged ? [["meshes", gltf.meshes.length, meshes]] : []),
        ["bones", bones, info.bones ?? 0],
        ["animations", report.info.animationCount, info.animations ?? 0],
    ];
    return counts.filter(([, found, expected]) => found !== expected)
        .map(([name, found, expected]) => `${found} ${name}, but info says ${expected}`);
}

// Extensions and options: merged as artists get it, in parts, and placed otherwise. Without PSPGE_LONG_CHECKS, each input
// has two of them, in turn.
const FORMS = [
    ["glb", "--merge", "none"],
    ["gltf"],
    ["glb", "--merge", "material"],
    ["glb", "--scale", "0.01", "--up", "z"],
];

const check = validator();
if (!check) {
    console.log(`SKIPPED: ${PACKAGE} is not in ${join(target, "gltf-validator")} and cannot be installed from npm`);
    process.exit(0);
}
if (!program) {
    const options = ["build", "--quiet", "--locked", "--package", "pspge-tools"];
    const build = spawnSync("cargo", options, { cwd: root, stdio: "inherit" });
    if (build.status !== 0) process.exit(1);
}
const out = join(target, "validate-gltf");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
let failed = 0;
let checked = 0;
for (const [number, [input, info]] of inputs().flatMap(members).entries()) {
    const drawn = info.exported ?? info;
    // Skips containers without a model, textures, skeletons and animations.
    if (!(info.draws > 0)) continue;
    const stem = basename(input).replace(/[^A-Za-z0-9.-]/g, "_");
    const forms = process.env.PSPGE_LONG_CHECKS ? FORMS : [FORMS[number % 4], FORMS[(number + 1) % 4]];
    for (const [ending, ...options] of forms) {
        const path = join(out, [stem, ...options.filter((word) => /^[a-z]+$/.test(word)), ending].join("."));
        const run = pspge("export", input, "-o", path, ...options);
        const problems = [];
        let report;
        if (run.status !== 0) {
            if (run.stderr.includes("nothing to export") && !(drawn.meshes > 0 && drawn.vertices > 0)) continue;
            problems.push(run.stderr.trim());
        } else {
            const bytes = readFileSync(path);
            report = await check.validateBytes(new Uint8Array(bytes), {
                uri: basename(path),
                maxIssues: 0,
                externalResourceFunction: async (uri) =>
                    new Uint8Array(readFileSync(join(dirname(path), decodeURIComponent(uri)))),
            });
            const serious = report.issues.messages.filter((message) => message.severity < 2);
            problems.push(...serious.map((message) => `${message.code} at ${message.pointer}: ${message.message}`));
            if (ending === "glb") problems.push(...differences(report, json(bytes), info, !options.includes("none")));
        }
        checked += 1;
        if (problems.length > 0) failed += 1;
        const counts = report
            ? `${report.info.totalTriangleCount} triangles, ${report.info.totalVertexCount} vertices, ` +
              `${report.info.animationCount} animations`
            : "";
        const form = [ending, ...options].join(" ");
        console.log(`${problems.length > 0 ? "FAILED" : "ok"}: ${basename(input)} as ${form}: ${counts}`);
        for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
    }
}
console.log(`${checked} files, ${failed} with errors, warnings or different counts`);
process.exit(failed > 0 || checked === 0 ? 1 : 0);
