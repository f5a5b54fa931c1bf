// The npm packages that build and test the page, pinned by `package-lock.json`.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = dirname(fileURLToPath(import.meta.url));

/** Installs the packages unless the pinned versions are there. Returns whether they are. */
export function hasPackages() {
  const { devDependencies } = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8"));
  const isThere = () =>
    Object.entries(devDependencies).every(([name, version]) => {
      const path = join(FOLDER, "node_modules", name, "package.json");
      return existsSync(path) && JSON.parse(readFileSync(path, "utf8")).version === version;
    });
  if (isThere()) {
    return true;
  }
  const options = { cwd: FOLDER, timeout: 180_000, shell: process.platform === "win32" };
  spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { ...options, stdio: ["ignore", "ignore", "inherit"] });
  return isThere();
}
