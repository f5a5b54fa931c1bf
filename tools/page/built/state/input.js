// state/input.ts
import { isSamePart, partOfHash } from "pspge/base/parts.js";
import { EngineError } from "pspge/state/engine.js";
import { chooseFiles, fileName, saveFile } from "pspge/state/files.js";
import { onePage } from "pspge/state/one-file.js";
import { fileOfHash } from "pspge/state/store.js";
function createInput(app, onopen) {
  const { store, engine } = app;
  let held = [];
  async function open(files, number, member = null) {
    const [first, ...more] = files;
    if (!first) {
      return false;
    }
    app.completeInput = async () => {
      const added = await chooseFiles();
      return added.length > 0 && open([...files, ...added], number, member);
    };
    app.announce(`Opening ${files.map(({ name }) => name).join(", ")}.`);
    const others = more.map(({ name, bytes: bytes2 }) => ({ name, length: bytes2.length }));
    const bytes = new Uint8Array(await new Blob(files.map((file) => file.bytes)).arrayBuffer());
    const answer = await app.attempt(engine.request({ request: "open", input: number, name: first.name, member, others }, bytes));
    if (!answer) {
      return false;
    }
    const { json } = answer;
    app.forgetErrors();
    if (number === 0) {
      held = files;
      await take(json, app.input === null);
    } else {
      app.rival = json;
      app.announce(`${json.name} is open to compare with.`);
      store.set({ rival: { ...store.get().rival, input: 1 } });
      store.publish(/* @__PURE__ */ new Set(["rival"]));
    }
    return true;
  }
  async function take(input, isFirst) {
    const address = new URLSearchParams(location.hash.slice(1));
    const named = fileOfHash(location.hash);
    const isNamed = isFirst && location.hash.length > 1 && (named === null || named === input.hash);
    const part = isNamed ? partOfHash(location.hash) : null;
    const shown = part && await openPart(part);
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
  function show(input, hasEvent, hasPanel) {
    const { camera, pose, panel } = store.get();
    if (input.kind === "model") {
      store.set({ camera: camera ?? input.camera, pose: pose ?? input.pose, ...!hasPanel && { panel: "model" } }, { replace: true });
    } else if (panel === "model") {
      store.set({ panel: "frame" }, { replace: true });
    }
    onopen(input, hasEvent);
    store.publish(/* @__PURE__ */ new Set([...Object.keys(store.get()), "events"]));
  }
  async function openPart(part) {
    const answer = await app.attempt(engine.latest("part")({ request: "part", run: { input: 0, part } }));
    if (answer) {
      app.forgetErrors();
    }
    return answer?.json ?? null;
  }
  async function choosePart(part) {
    const before = app.input;
    if (!before || isSamePart(part, before.part)) {
      return;
    }
    const input = await openPart(part);
    if (!input || app.input !== before) {
      return;
    }
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
  async function followAddress() {
    const named = fileOfHash(location.hash);
    const before = app.input;
    if (!before || named !== null && named !== before.hash) {
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
      app.rival = await engine.request({ request: "input", input: 1 }).then(
        ({ json }) => json,
        () => null
      );
      store.publish(/* @__PURE__ */ new Set(["rival"]));
    }
  }
  async function savePage() {
    app.announce("Writing the page.");
    store.writeAddress();
    const name = `${fileName(app.input?.container ?? "").replace(/\.[^.]*$/, "") || "page"}.html`;
    saveFile(name, "text/html", await onePage(app, held));
    app.announce(`${name} is saved.`);
  }
  async function nextFrame() {
    app.announce("Recording the next frame.");
    const response = await fetch("next", { method: "POST" }).catch(() => {
      throw new EngineError("connection", "The server does not answer: `pspge view` has ended.");
    });
    const text = await response.text();
    if (!response.ok) {
      throw new EngineError("emulator", `No frame was recorded: ${text}`);
    }
    const { json } = await engine.request({ request: "input", input: 0 });
    app.forgetErrors();
    await take(json, false);
  }
  async function save(what, draws) {
    const { event, after } = store.get();
    const at = what === "png" || what === "trim" ? { at: { event, after } } : {};
    const { json, bytes } = await engine.request({ request: "export", run: store.run(), what, draws, ...at });
    saveFile(json.name, json.media_type, bytes);
    app.announce(`${json.name} is saved.`);
  }
  return {
    open,
    choosePart,
    followAddress,
    /** Saves the page as one file, with the shown part of the open file. */
    savePage: () => app.attempt(savePage()),
    /** Asks for files and opens them. Returns whether they are open. */
    choose: async (number) => open(await app.attempt(chooseFiles()) ?? [], number),
    /** Lets the server record another frame of the emulator, and shows it. */
    nextFrame: () => app.attempt(nextFrame()),
    /** Opens the file that the page comes with, if there is one. */
    openFirst: () => openFirst().catch((error) => error instanceof EngineError && error.code === "no-file" || app.fail(error)),
    /** Saves a picture or a part of the run; of the geometry, these draws. */
    save: (what, draws = null) => app.attempt(save(what, draws))
  };
}
export {
  createInput
};
