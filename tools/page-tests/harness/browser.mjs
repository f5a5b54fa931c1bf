// The browser, which all tests share, and pages that watch for errors and foreign requests.

import { chromium } from "playwright-core";

const ARGUMENTS = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  // Only WebGL needs the rasterizer in software; everything else is faster without.
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
  "--disable-accelerated-2d-canvas",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--force-color-profile=srgb",
  "--font-render-hinting=none",
];

/** @type {Promise<import("playwright-core").Browser> | null} */
let browser = null;

/** Returns the browser, which is started when it is needed first. */
function sharedBrowser() {
  browser ??= chromium.launch({ executablePath: process.env.PAGE_TESTS_BROWSER, args: ARGUMENTS });
  return browser;
}

/** Ends the browser. */
export async function closeBrowser() {
  await (await browser)?.close();
}

/**
 * @typedef {{
 *   viewport?: {width: number, height: number},
 *   colorScheme?: "light" | "dark",
 *   permissions?: string[],
 * }} PageOptions
 * @typedef {{page: import("playwright-core").Page, problems: string[], close: () => Promise<void>}} WatchedPage
 */

/**
 * Opens an empty page of its own. `problems` collects uncaught errors, errors of the console, failed requests, and requests
 * to anything but the page itself.
 * @param {string} address
 * @param {PageOptions} [options]
 * @returns {Promise<WatchedPage>}
 */
export async function watchedPage(address, { viewport = { width: 1280, height: 720 }, colorScheme = "dark", permissions = [] } = {}) {
  const context = await (await sharedBrowser()).newContext({ viewport, colorScheme, permissions, reducedMotion: "reduce", acceptDownloads: true });
  await context.addInitScript(countRequests);
  const page = await context.newPage();
  /** @type {string[]} */
  const problems = [];
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || (message.type() === "warning" && !isOfGraphics(message.text()))) {
      problems.push(`console: ${message.text()}`);
    }
  });
  page.on("requestfailed", (request) => {
    // A page that is left or loaded again ends its requests. A server that fails gives other errors.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") {
      problems.push(`failed: ${short(request.url())} ${request.failure()?.errorText}`);
    }
  });
  page.on("response", (response) => {
    if (response.status() >= 400) {
      problems.push(`status ${response.status()}: ${short(response.url())}`);
    }
  });
  context.on("request", (request) => {
    if (!isOwn(request.url(), address)) {
      problems.push(`foreign request: ${short(request.url())}`);
    }
  });
  return { page, problems, close: () => context.close() };
}

/** Whether a warning is about the software rasterizer of the browser. @param {string} text */
function isOfGraphics(text) {
  return /GPU stall due to ReadPixels|GL Driver Message|WebGL/.test(text);
}

/** @param {string} address */
function short(address) {
  return address.slice(0, 120);
}

/**
 * @param {string} asked
 * @param {string} address
 */
function isOwn(asked, address) {
  const { protocol } = new URL(asked);
  if (protocol === "data:" || protocol === "blob:") {
    return true;
  }
  const own = new URL(address);
  const isInside = asked.startsWith(`${own.origin}${own.pathname}`);
  return own.protocol === "file:" ? asked.split("#")[0] === address.split("#")[0] : isInside;
}

/** Counts the requests of the page to its engine that have no answer yet. Runs in the page, before its own code. */
function countRequests() {
  const counts = { open: 0, all: 0 };
  Object.defineProperty(window, "pageTests", { value: counts });
  const begin = () => {
    counts.open += 1;
    counts.all += 1;
  };
  const end = () => {
    counts.open -= 1;
  };
  const ask = window.fetch;
  window.fetch = async (...args) => {
    begin();
    try {
      const response = await ask(...args);
      const read = response.arrayBuffer.bind(response);
      response.arrayBuffer = () => read().finally(end);
      return response;
    } catch (error) {
      end();
      throw error;
    }
  };
  window.Worker = class extends window.Worker {
    /** @param {ConstructorParameters<typeof Worker>} args */
    constructor(...args) {
      super(...args);
      this.waiting = 0;
      this.addEventListener("message", () => this.done(1));
      this.addEventListener("error", () => this.done(this.waiting));
    }

    /** @param {number} number */
    done(number) {
      this.waiting -= number;
      counts.open -= number;
    }

    /** @param {[any, any?]} args */
    postMessage(...args) {
      this.waiting += 1;
      begin();
      super.postMessage(...args);
    }

    terminate() {
      this.done(this.waiting);
      super.terminate();
    }
  };
}
