// Exports models and frames and checks what was written with the Khronos glTF validator: neither errors nor warnings, and
// the counts that `pspge info` gives.
//
//     node tools/validate-gltf.mjs [INPUT...]
//
// Without INPUT: the bundled samples, and where PSPGE_CORPUS is set, all its models and recorded frames.
// The validator is the npm package gltf-validator. It is looked for in target/gltf-validator and installed there when it
// is missing; where that cannot be done, nothing is checked, and the script says so and succeeds.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = "gltf-validator@2.0.0-dev.3.10";
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");

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
    const binary = join(target, "debug", process.platform === "win32" ? "pspge.exe" : "pspge");
    const run = spawnSync(binary, args, { encoding: "utf8", maxBuffer: 1 << 28 });
    if (run.error) throw run.error;
    return run;
}

// INPUT and all its members, and theirs.
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
    if (process.argv.length > 2) return process.argv.slice(2);
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

// The JSON of a .glb.
function json(bytes) {
    return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString("utf8"));
}

// What differs between a file and `pspge info`.
function differences(report, gltf, info) {
    const bones = (gltf.nodes ?? []).filter((node) => node.extras?.bone !== undefined).length;
    const { meshes, triangles, vertices } = info.exported ?? info;
    const counts = [
        ["triangles", report.info.totalTriangleCount, triangles],
        ["vertices", report.info.totalVertexCount, vertices],
        // Of a frame each draw is a mesh; it has no bones, and nothing moves.
        ...(info.exported ? [["meshes", gltf.meshes.length, meshes]] : []),
        ["bones", bones, info.bones ?? 0],
        ["animations", report.info.animationCount, info.animations ?? 0],
    ];
    return counts.filter(([, found, expected]) => found !== expected)
        .map(([name, found, expected]) => `${found} ${name}, but info says ${expected}`);
}

const check = validator();
if (!check) {
    console.log(`SKIPPED: ${PACKAGE} is neither in ${join(target, "gltf-validator")} nor to be had from npm`);
    process.exit(0);
}
const build = spawnSync("cargo", ["build", "--quiet", "--locked", "--package", "pspge-tools"], { cwd: root, stdio: "inherit" });
if (build.status !== 0) process.exit(1);
const out = join(target, "validate-gltf");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
let failed = 0;
let checked = 0;
for (const [input, info] of inputs().flatMap(members)) {
    // Containers without a model of their own, textures, skeletons, animations.
    const drawn = info.exported ?? info;
    if (!(info.draws > 0)) continue;
    const stem = basename(input).replace(/[^A-Za-z0-9.-]/g, "_");
    for (const ending of ["glb", "gltf"]) {
        const path = join(out, `${stem}.${ending}`);
        const run = pspge("export", input, "-o", path);
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
            if (ending === "glb") problems.push(...differences(report, json(bytes), info));
        }
        checked += 1;
        if (problems.length > 0) failed += 1;
        const counts = report
            ? `${report.info.totalTriangleCount} triangles, ${report.info.totalVertexCount} vertices, ` +
              `${report.info.animationCount} animations`
            : "";
        console.log(`${problems.length > 0 ? "FAILED" : "ok"}: ${basename(input)} as ${ending}: ${counts}`);
        for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
    }
}
console.log(`${checked} files, ${failed} with errors, warnings or other counts`);
process.exit(failed > 0 || checked === 0 ? 1 : 0);
