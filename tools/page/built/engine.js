// engine.js
var EngineError = class extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{offset?: number | null, line?: number | null, column?: number | null, others?: import("pspge/documents.js").ErrorInfo["others"], omitted?: number}} [place]
   */
  constructor(code, message, place = {}) {
    super(message);
    this.name = "EngineError";
    this.code = code;
    this.offset = place.offset ?? null;
    this.place = place;
  }
};
function createEngine() {
  const embedded = document.getElementById("pspge-engine");
  return withLatest(withFiles(embedded ? workerTransport() : httpTransport()));
}
function withFiles(transport) {
  const files = [];
  const withFile = (run) => ({ ...run, file: files[run?.input ?? 0] });
  const isRun = (name) => ["run", "a", "b"].includes(name);
  return {
    ...transport,
    async request(request, bytes) {
      const members = Object.entries("run" in request || "a" in request ? request : { ...request, run: {} });
      const named = members.map(([name, value]) => [name, isRun(name) ? withFile(value) : value]);
      const isAboutRun = !["open", "input", "reference"].includes(request.request);
      const answer = await transport.request(isAboutRun ? Object.fromEntries(named) : request, bytes);
      if (answer.json.answer === "input" && "input" in request) {
        files[request.input ?? 0] = answer.json.file;
      }
      return answer;
    }
  };
}
function encodeMessage(request, bytes) {
  const json = new TextEncoder().encode(JSON.stringify(request));
  const message = new Uint8Array(4 + json.length + (bytes?.length ?? 0));
  new DataView(message.buffer).setUint32(0, json.length, true);
  message.set(json, 4);
  if (bytes) {
    message.set(bytes, 4 + json.length);
  }
  return message;
}
function decodeMessage(message) {
  if (message.length < 4) {
    throw new EngineError("protocol", "The answer of the engine is too short.");
  }
  const length = new DataView(message.buffer, message.byteOffset, 4).getUint32(0, true);
  if (length > message.length - 4) {
    throw new EngineError("protocol", "The answer of the engine ends too early.");
  }
  const json = JSON.parse(new TextDecoder().decode(message.subarray(4, 4 + length)));
  return { json, bytes: message.slice(4 + length) };
}
function checked(message) {
  const { json } = message;
  if (json.answer !== "error") {
    return message;
  }
  const { code, message: text, ...place } = json.error;
  throw new EngineError(code, text, place);
}
function withLatest(transport) {
  const channels = /* @__PURE__ */ new Map();
  return {
    ...transport,
    latest(channel) {
      const known = channels.get(channel) ?? latestOf(transport.request);
      channels.set(channel, known);
      return known;
    }
  };
}
function latestOf(send) {
  let waiting = null;
  let isBusy = false;
  const work = async () => {
    isBusy = true;
    while (waiting) {
      const { request, resolve, reject } = waiting;
      waiting = null;
      await send(request).then(resolve, reject);
    }
    isBusy = false;
  };
  return (request) => new Promise((resolve, reject) => {
    waiting?.resolve(null);
    waiting = { request, resolve, reject };
    if (!isBusy) {
      void work();
    }
  });
}
var ALIVE_PAUSE = 6e4;
function httpTransport() {
  setInterval(() => void fetch("alive", { method: "POST" }).catch(() => null), ALIVE_PAUSE);
  const request = async (request2, bytes) => {
    const body = (
      /** @type {BodyInit} */
      encodeMessage(request2, bytes)
    );
    const response = await fetch("api", {
      method: "POST",
      body,
      headers: { "content-type": "application/octet-stream" }
    }).catch(() => {
      throw new EngineError("connection", "The server does not answer: `pspge view` has ended, or is busy. If it has ended, start it again and open the address that it prints");
    });
    if (!response.ok) {
      throw new EngineError("connection", `The server refuses the request: ${response.status} ${response.statusText}.`);
    }
    return checked(decodeMessage(new Uint8Array(await response.arrayBuffer())));
  };
  return { kind: "http", start: async () => null, request };
}
var URGENT = /* @__PURE__ */ new Set(["picture", "model", "coverage"]);
var WORKER = `
let inspector = null;
self.onmessage = async ({ data: { id, engine, message } }) => {
  try {
    if (engine) {
      await wasm_bindgen({ module_or_path: engine });
      inspector = new wasm_bindgen.WebInspector();
      self.postMessage({ id, message: new Uint8Array() });
      return;
    }
    const answer = inspector.handle(message);
    self.postMessage({ id, message: answer }, [answer.buffer]);
  } catch (error) {
    self.postMessage({ id, trap: String(error && error.message || error) });
  }
};
`;
function workerTransport() {
  const jobs = [];
  const opened = /* @__PURE__ */ new Map();
  let program = null;
  let worker = null;
  let isBusy = false;
  const call = (data) => new Promise((resolve, reject) => {
    const target = (
      /** @type {Worker} */
      worker
    );
    const stop = (reason) => {
      target.terminate();
      worker = null;
      reject(
        new EngineError("engine", `The engine stopped at an error inside it (${reason}). It was started again.`)
      );
    };
    target.onmessage = ({ data: answer2 }) => answer2.trap === void 0 ? resolve(answer2.message) : stop(answer2.trap);
    target.onerror = (event) => stop(event.message || "unknown");
    target.postMessage({ id: 0, ...data });
  });
  const ensureWorker = async () => {
    if (worker || !program) {
      return;
    }
    worker = new Worker(program.address);
    await call({ engine: program.engine });
    for (const [input, { request, bytes }] of [...opened]) {
      opened.delete(input);
      await call({ message: encodeMessage(request, bytes) });
      opened.set(input, { request, bytes });
    }
  };
  const answer = async ({ request, bytes }) => {
    await ensureWorker();
    const answer2 = checked(decodeMessage(await call({ message: encodeMessage(request, bytes) })));
    if (request.request === "open" && bytes) {
      opened.set(Number(request.input), { request, bytes });
    }
    return answer2;
  };
  const work = async () => {
    isBusy = true;
    while (jobs.length > 0) {
      const urgent = jobs.findIndex(({ request }) => URGENT.has(request.request));
      const [job] = jobs.splice(Math.max(urgent, 0), 1);
      if (job) {
        await answer(job).then(job.resolve, job.reject);
      }
    }
    isBusy = false;
  };
  return {
    kind: "worker",
    async start() {
      const engine = await gunzip(bytesOf(document.getElementById("pspge-engine")));
      const glue = bytesOf(document.getElementById("pspge-glue"));
      const script = new Blob([
        /** @type {BlobPart} */
        glue,
        "\n",
        WORKER
      ], { type: "text/javascript" });
      program = { engine, address: URL.createObjectURL(script) };
      const inputs = [...document.querySelectorAll("[data-input]")];
      const files = inputs.map(async (input) => ({
        name: input.getAttribute("data-input") ?? "",
        bytes: await gunzip(bytesOf(input))
      }));
      return files.length > 0 ? { files: await Promise.all(files), member: inputs[0]?.getAttribute("data-member") ?? null } : null;
    },
    request: (request, bytes) => new Promise((resolve, reject) => {
      jobs.push({ request, bytes, resolve, reject });
      if (!isBusy) {
        void work();
      }
    })
  };
}
function bytesOf(element) {
  const text = (element?.textContent ?? "").replace(/\s+/g, "");
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) {
    bytes[index] = binary.charCodeAt(index);
  }
  return bytes;
}
async function gunzip(bytes) {
  const stream = new Blob([
    /** @type {BlobPart} */
    bytes
  ]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
export {
  EngineError,
  createEngine,
  decodeMessage,
  encodeMessage,
  latestOf,
  withFiles
};
