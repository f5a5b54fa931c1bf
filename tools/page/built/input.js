// input.js
import { EngineError } from "pspge/engine.js";
import { chooseFiles, saveFile } from "pspge/files.js";
import { fileOfHash } from "pspge/store.js";
function createInput(app, onopen) {
  const { store, engine } = app;
  async function open(files, number, member = null) {
    const [first, ...others] = files;
    if (!first) {
      return false;
    }
    app.completeInput = async () => {
      const more = await chooseFiles();
      return more.length > 0 && open([...files, ...more], number, member);
    };
    try {
      app.announce(`Opening ${files.map(({ name }) => name).join(", ")}.`);
      const request = (
        /** @type {const} */
        {
          request: "open",
          input: number,
          name: first.name,
          member,
          others: others.map(({ name, bytes: bytes2 }) => ({ name, length: bytes2.length }))
        }
      );
      const bytes = new Uint8Array(await new Blob(files.map((file) => (
        /** @type {BlobPart} */
        file.bytes
      ))).arrayBuffer());
      const { json } = await engine.request(request, bytes);
      app.forgetErrors();
      if (number === 0) {
        take(json, app.input === null);
        return true;
      }
      app.rival = json;
      app.announce(`${json.name} is open to compare with.`);
      const { rival } = store.get();
      store.set({ rival: { ...rival ?? {}, input: 1 } });
      store.publish(/* @__PURE__ */ new Set(["rival"]));
      return true;
    } catch (error) {
      app.fail(error);
      return false;
    }
  }
  function take(input, isFirst) {
    app.input = input;
    app.events = null;
    const address = new URLSearchParams(location.hash.slice(1));
    const named = fileOfHash(location.hash);
    const isNamed = isFirst && location.hash.length > 1 && (named === null || named === input.hash);
    if (isNamed) {
      store.readAddress();
    } else {
      if (isFirst && named !== null && named !== input.hash) {
        app.fail(new EngineError("address", "The page's address is of another file, so its place is not shown."));
      }
      store.reset();
    }
    if (input.kind === "model" && !address.has("panel")) {
      store.set({ panel: "model" }, { replace: true });
    }
    onopen(input, isNamed && address.has("event"));
    store.publish(/* @__PURE__ */ new Set([...Object.keys(store.get()), "events"]));
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
      take((await engine.request({ request: "input", input: 0 })).json, true);
      app.rival = await engine.request({ request: "input", input: 1 }).then(
        ({ json }) => json,
        () => null
      );
      store.publish(/* @__PURE__ */ new Set(["rival"]));
    }
  }
  return {
    open,
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
        take(json, false);
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
    }
  };
}
export {
  createInput
};
