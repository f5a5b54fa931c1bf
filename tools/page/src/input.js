// The input of the page: the file that is inspected, the one to compare with, and what is saved of them.

import { EngineError } from "pspge/engine.js";
import { chooseFiles, fileName, saveFile } from "pspge/files.js";
import { onePage } from "pspge/one-file.js";
import { isSamePart, partOfHash } from "pspge/parts.js";
import { fileOfHash } from "pspge/store.js";

/** @typedef {import("pspge/app-types.js").App} App */
/** @typedef {import("pspge/app-types.js").Input} Input */
/** @typedef {import("pspge/files.js").NamedBytes} NamedBytes */

/**
 * Creates the input.
 * @param {App} app
 * @param {(input: Input, hasEvent: boolean) => void} onopen called with a file or a part that is open now, and whether an event
 * in it is selected already
 */
export function createInput(app, onopen) {
  const { store, engine } = app;
  /** @type {NamedBytes[]} The files that are open, if the page has opened them. */
  let held = [];

  /**
   * Opens a file, or the files of one model: the input to inspect, or input 1 to compare it with. Returns whether it is open.
   * @param {NamedBytes[]} files
   * @param {number} number
   * @param {string | null} [member]
   */
  async function open(files, number, member = null) {
    const [first, ...others] = files;
    if (!first) {
      return false;
    }
    // A model that lacks a file is opened again with it.
    app.completeInput = async () => {
      const more = await chooseFiles();
      return more.length > 0 && open([...files, ...more], number, member);
    };
    try {
      app.announce(`Opening ${files.map(({ name }) => name).join(", ")}.`);
      const request = /** @type {const} */ ({
        request: "open",
        input: number,
        name: first.name,
        member,
        others: others.map(({ name, bytes }) => ({ name, length: bytes.length })),
      });
      const bytes = new Uint8Array(await new Blob(files.map((file) => /** @type {BlobPart} */ (file.bytes))).arrayBuffer());
      const { json } = await engine.request(request, bytes);
      app.forgetErrors();
      if (number === 0) {
        held = files;
        await take(json, app.input === null);
        return true;
      }
      app.rival = json;
      app.announce(`${json.name} is open to compare with.`);
      const { rival } = store.get();
      store.set({ rival: { ...(rival ?? {}), input: 1 } });
      store.publish(new Set(["rival"]));
      return true;
    } catch (error) {
      app.fail(error);
      return false;
    }
  }

  /**
   * Shows a file that the engine has opened.
   * @param {Input} input
   * @param {boolean} isFirst whether the page's address may name a place in it
   */
  async function take(input, isFirst) {
    const address = new URLSearchParams(location.hash.slice(1));
    const named = fileOfHash(location.hash);
    const isNamed = isFirst && location.hash.length > 1 && (named === null || named === input.hash);
    const part = isNamed ? partOfHash(location.hash) : null;
    const shown = part && (await openPart(part));
    app.input = shown ?? input;
    app.events = null;
    if (isNamed) {
      store.readAddress();
      if (!shown) {
        store.set({ part: null }, { replace: true });
      }
    } else {
      if (isFirst && named !== null && named !== input.hash) {
        app.fail(new EngineError("address", "The page's address is of another file, so its place is not shown."));
      }
      store.reset();
    }
    show(app.input, isNamed && address.has("event"), address.has("panel"));
  }

  /**
   * Shows a file or a part that has been opened, and whose place is selected already, as far as there is one.
   * @param {Input} input
   * @param {boolean} hasEvent
   * @param {boolean} hasPanel
   */
  function show(input, hasEvent, hasPanel) {
    const { camera, pose, panel } = store.get();
    if (input.kind === "model") {
      store.set({ camera: camera ?? input.camera, pose: pose ?? input.pose, ...(!hasPanel && { panel: "model" }) }, { replace: true });
    } else if (panel === "model") {
      store.set({ panel: "frame" }, { replace: true });
    }
    onopen(input, hasEvent);
    store.publish(new Set([...Object.keys(store.get()), "events"]));
  }

  /**
   * Opens a part of the file, or the one with which it was opened. Returns null if that fails, after the page has said why, or if
   * another one is wanted since.
   * @param {import("pspge/store.js").Part | null} part
   */
  async function openPart(part) {
    try {
      const answer = await engine.latest("part")({ request: "part", run: { input: 0, part } });
      if (answer) {
        app.forgetErrors();
      }
      return answer && answer.json;
    } catch (error) {
      app.fail(error);
      return null;
    }
  }

  /**
   * Shows another part of the file. Another member starts anew; another level of the same model keeps what is selected.
   * @param {import("pspge/store.js").Part} part
   */
  async function choosePart(part) {
    const before = app.input;
    if (!before || isSamePart(part, before.part)) {
      return;
    }
    const input = await openPart(part);
    if (!input || app.input !== before) {
      return;
    }
    // The place before is a step of the history, however soon Back is pressed.
    store.writeAddress();
    const isAtEnd = store.get().event >= (app.events?.count ?? 0);
    app.input = input;
    if (input.name === before.name) {
      store.set({ part });
      onopen(input, !isAtEnd);
    } else {
      app.events = null;
      store.reset(part);
      show(input, false, false);
    }
    store.writeAddress();
    app.announce(`${input.name} is shown.`);
  }

  /** Follows the browser's history to another place, which may be in another part of the file. */
  async function followAddress() {
    const named = fileOfHash(location.hash);
    const before = app.input;
    if (!before || (named !== null && named !== before.hash)) {
      return;
    }
    const part = partOfHash(location.hash);
    if (isSamePart(part, store.get().part)) {
      store.publish(store.readAddress({ isStep: true }));
      return;
    }
    const input = await openPart(part);
    if (!input) {
      store.writeAddress();
      return;
    }
    const isOther = input.name !== before.name;
    app.input = input;
    app.events = isOther ? null : app.events;
    store.readAddress({ isStep: !isOther });
    show(input, new URLSearchParams(location.hash.slice(1)).has("event"), true);
  }

  /** Opens the file that the page comes with, at the place that it comes with. */
  async function openFirst() {
    const at = document.querySelector("meta[name=pspge-at]")?.getAttribute("content");
    if (at && location.hash.length <= 1) {
      history.replaceState(null, "", at);
    }
    const file = await engine.start();
    if (file) {
      await open(file.files, 0, file.member);
    } else if (engine.kind === "http") {
      await take((await engine.request({ request: "input", input: 0 })).json, true);
      // After a reload the server still has the file to compare with.
      app.rival = await engine.request({ request: "input", input: 1 }).then(
        ({ json }) => json,
        () => null,
      );
      store.publish(new Set(["rival"]));
    }
  }

  return {
    open,
    choosePart,
    followAddress,
    /** Saves the page as one file, with the shown part of the open file. */
    async savePage() {
      try {
        app.announce("Writing the page.");
        store.writeAddress();
        const name = `${fileName(app.input?.container ?? "").replace(/\.[^.]*$/, "") || "page"}.html`;
        saveFile(name, "text/html", await onePage(app, held));
        app.announce(`${name} is saved.`);
      } catch (error) {
        app.fail(error);
      }
    },
    /** Asks for files and opens them. Returns whether they are open. @param {number} number */
    async choose(number) {
      try {
        return await open(await chooseFiles(), number);
      } catch (error) {
        app.fail(error);
        return false;
      }
    },
    /** Lets the server record another frame of the emulator, and shows it. */
    async nextFrame() {
      try {
        app.announce("Recording the next frame.");
        const response = await fetch("next", { method: "POST" }).catch(() => {
          throw new EngineError("connection", "The server does not answer: `pspge view` has ended.");
        });
        const text = new TextDecoder().decode(await response.arrayBuffer());
        if (!response.ok) {
          throw new EngineError("emulator", `No frame was recorded: ${text}`);
        }
        const { json } = await engine.request({ request: "input", input: 0 });
        app.forgetErrors();
        await take(json, false);
      } catch (error) {
        app.fail(error);
      }
    },
    /** Opens the file that the page comes with, if there is one. */
    async openFirst() {
      try {
        await openFirst();
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== "no-file") {
          app.fail(error);
        }
      }
    },
    /**
     * Saves a picture or a part of the run; of the geometry, these draws.
     * @param {"gltf" | "png" | "dump" | "trim"} what
     * @param {string | null} [draws]
     */
    async save(what, draws = null) {
      const { event, after } = store.get();
      try {
        const at = what === "png" || what === "trim" ? { at: { event, after } } : {};
        const { json, bytes } = await engine.request({ request: "export", run: store.run(), what, draws, ...at });
        saveFile(json.name, json.media_type, bytes);
        app.announce(`${json.name} is saved.`);
      } catch (error) {
        app.fail(error);
      }
    },
  };
}
