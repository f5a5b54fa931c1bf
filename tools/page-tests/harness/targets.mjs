// The two forms of the page: that of a server, and one file.

import { spawn } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

import { PROGRAM, pspge, SCRATCH } from "./inputs.mjs";

/**
 * @typedef {{
 *   name: "server" | "file",
 *   missing: string | null,
 *   address: (input: string | null, options?: {isOwn?: boolean}) => Promise<string>,
 *   mustDrop: boolean,
 *   close: () => Promise<void>,
 * }} Target `address` returns the address of the page with an input; with `isOwn` no other test uses its server.
 */

/** Milliseconds until a server has to have started. */
const START = 60_000;

/** Returns the page of servers; one for each input. @returns {Target} */
export function serverTarget() {
  /** @type {Set<import("node:child_process").ChildProcess>} */
  const servers = new Set();
  /** @type {Map<string | null, Promise<string>>} */
  const shared = new Map();
  const start = (/** @type {string | null} */ input, onend = () => {}) => startServer(input, servers, onend);
  const stop = () => servers.forEach((server) => server.kill());
  process.once("exit", stop);
  return {
    name: "server",
    missing: null,
    mustDrop: false,
    address(input, { isOwn = false } = {}) {
      if (isOwn) {
        return start(input);
      }
      // A server ends some minutes after its last page was closed, which other tests may take.
      const known = shared.get(input) ?? start(input, () => shared.delete(input));
      shared.set(input, known);
      return known;
    },
    async close() {
      stop();
    },
  };
}

/**
 * @param {string | null} input
 * @param {Set<import("node:child_process").ChildProcess>} servers
 * @param {() => void} onend called when the server has ended
 * @returns {Promise<string>}
 */
function startServer(input, servers, onend) {
  // The page shows the name of its input, which must not depend on the folder of the checkout.
  const isEmulator = input?.startsWith("ws://") ?? false;
  const args = ["view", ...(input ? [isEmulator ? input : basename(input)] : []), "--no-open", "--port", "0"];
  const server = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "pipe"], ...(input && !isEmulator && { cwd: dirname(input) }) });
  servers.add(server);
  let errors = "";
  server.stderr.on("data", (data) => (errors += data));
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ reason) => reject(new Error(`pspge ${args.join(" ")}: ${reason}\n${errors}`));
    const timer = setTimeout(() => fail("no address was printed"), START);
    createInterface({ input: server.stdout }).once("line", (line) => {
      clearTimeout(timer);
      resolve(line.trim());
    });
    server.once("exit", (status) => {
      clearTimeout(timer);
      onend();
      fail(`ended with status ${status}`);
    });
  });
}

/** Returns the page as one file for each input. `missing` says why there is none. @returns {Target} */
export function fileTarget() {
  const given = process.env.PAGE_TESTS_WEB;
  /** @type {Map<string | null, string>} */
  const written = new Map();
  const write = (/** @type {string | null} */ input) => {
    const path = join(SCRATCH, `${written.size}-${input ? basename(input) : "empty"}.html`);
    const { status, stderr } = pspge("view", ...(input ? [input] : []), "-o", path);
    if (status !== 0) {
      throw new Error(stderr.trim());
    }
    written.set(input, pathToFileURL(path).href);
  };
  let missing = null;
  try {
    given ? written.set(null, pathToFileURL(given).href) : write(null);
  } catch (error) {
    missing = error instanceof Error ? error.message : String(error);
  }
  return {
    name: "file",
    missing,
    mustDrop: Boolean(given),
    async address(input) {
      const wanted = given ? null : input;
      if (!written.has(wanted)) {
        write(wanted);
      }
      return written.get(wanted) ?? "";
    },
    async close() {},
  };
}
