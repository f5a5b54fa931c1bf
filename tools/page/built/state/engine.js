// state/engine.ts
var EngineError = class extends Error {
  constructor(code, message, place = {}) {
    super(message);
    this.code = code;
    this.place = place;
  }
  code;
  place;
};
function messageOf(error) {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
function createEngine() {
  const given = /* @__PURE__ */ new Map();
  const { send, start, kind } = document.getElementById("pspge-engine") ? workerTransport(given) : httpTransport();
  const named = withFiles(send);
  const channels = /* @__PURE__ */ new Map();
  const request = async (asked, bytes) => {
    const answer = await named(asked, bytes);
    if (answer.json.answer === "keep-picture" && bytes) {
      const { name } = answer.json;
      given.set(`picture ${name}`, { request: { request: "keep-picture", name }, bytes });
    }
    return answer;
  };
  return {
    kind,
    async start() {
      const files = await start();
      for (const { name, bytes } of await embedded("picture")) {
        await request({ request: "keep-picture", name }, bytes);
      }
      return files;
    },
    pictures: () => [...given.values()].flatMap(({ request: request2, bytes }) => request2.request === "keep-picture" ? [{ name: request2.name, bytes }] : []),
    // An answer is of the kind that belongs to the request.
    request,
    latest(channel) {
      const known = channels.get(channel) ?? latestOf(request);
      channels.set(channel, known);
      return known;
    }
  };
}
function withFiles(send) {
  const files = [];
  const withFile = (run) => ({ ...run, file: files[run?.input ?? 0] });
  return async (request, bytes) => {
    const isAboutRun = !["open", "input", "reference", "keep-picture"].includes(request.request);
    const runs = !isAboutRun ? {} : "a" in request ? { a: withFile(request.a), b: withFile(request.b) } : { run: withFile("run" in request ? request.run : {}) };
    const answer = await send({ ...request, ...runs }, bytes);
    if (answer.json.answer === "input" && "input" in request) {
      files[request.input ?? 0] = answer.json.file;
    }
    return answer;
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
function latestOf(send) {
  let waiting = null;
  let isBusy = false;
  const work = async () => {
    isBusy = true;
    while (waiting) {
      const { start } = waiting;
      waiting = null;
      await start();
    }
    isBusy = false;
  };
  return (request) => new Promise((resolve, reject) => {
    waiting?.drop();
    waiting = { start: () => send(request).then(resolve, reject), drop: () => resolve(null) };
    if (!isBusy) {
      void work();
    }
  });
}
var ALIVE_PAUSE = 6e4;
function httpTransport() {
  setInterval(() => void fetch("alive", { method: "POST" }).catch(() => null), ALIVE_PAUSE);
  const send = async (request, bytes) => {
    const body = encodeMessage(request, bytes);
    const response = await fetch("api", { method: "POST", body, headers: { "content-type": "application/octet-stream" } }).catch(() => {
      throw new EngineError("connection", "The server does not answer: `pspge view` has ended, or is busy. If it has ended, start it again and open the address that it prints");
    });
    if (!response.ok) {
      throw new EngineError("connection", `The server refuses the request: ${response.status} ${response.statusText}.`);
    }
    return checked(decodeMessage(new Uint8Array(await response.arrayBuffer())));
  };
  return { kind: "http", start: async () => null, send };
}
var URGENT = /* @__PURE__ */ new Set(["picture", "model", "coverage"]);
var WORKER = `
let inspector = null;
self.onmessage = async ({ data: { engine, message } }) => {
  try {
    if (engine) {
      await wasm_bindgen({ module_or_path: engine });
      inspector = new wasm_bindgen.WebInspector();
      self.postMessage({ message: new Uint8Array() });
      return;
    }
    const answer = inspector.handle(message);
    self.postMessage({ message: answer }, [answer.buffer]);
  } catch (error) {
    self.postMessage({ trap: String(error && error.message || error) });
  }
};
`;
function workerTransport(given) {
  const jobs = [];
  let program = null;
  let worker = null;
  let isBusy = false;
  const call = (target, data) => new Promise((resolve, reject) => {
    const stop = (reason) => {
      target.terminate();
      worker = null;
      reject(new EngineError("engine", `The engine stopped at an error inside it (${reason}). It was started again.`));
    };
    target.onmessage = ({ data: answer2 }) => answer2.trap === void 0 ? resolve(answer2.message) : stop(answer2.trap);
    target.onerror = (event) => stop(event.message || "unknown");
    target.postMessage(data);
  });
  const startedWorker = async () => {
    if (worker || !program) {
      return worker ?? Promise.reject(new EngineError("engine", "The engine has not been started."));
    }
    const started = new Worker(program.address);
    worker = started;
    await call(started, { engine: program.engine });
    for (const [place, { request, bytes }] of [...given]) {
      given.delete(place);
      await call(started, { message: encodeMessage(request, bytes) });
      given.set(place, { request, bytes });
    }
    return started;
  };
  const answer = async (request, bytes) => {
    const target = await startedWorker();
    const message = await call(target, { message: encodeMessage(request, bytes) });
    const found = checked(decodeMessage(message));
    if (bytes && request.request === "open") {
      given.set(`file ${request.input}`, { request, bytes });
    }
    return found;
  };
  const work = async () => {
    isBusy = true;
    while (jobs.length > 0) {
      const urgent = jobs.findIndex(({ isUrgent }) => isUrgent);
      const [job] = jobs.splice(Math.max(urgent, 0), 1);
      await job?.start();
    }
    isBusy = false;
  };
  return {
    kind: "worker",
    async start() {
      const engine = await gunzip(bytesOf(document.getElementById("pspge-engine")));
      const glue = bytesOf(document.getElementById("pspge-glue"));
      const script = new Blob([glue, "\n", WORKER], { type: "text/javascript" });
      program = { engine, address: URL.createObjectURL(script) };
      const files = await embedded("input");
      return files.length > 0 ? { files, member: document.querySelector("[data-input]")?.getAttribute("data-member") ?? null } : null;
    },
    send: (request, bytes) => new Promise((resolve, reject) => {
      jobs.push({ isUrgent: URGENT.has(request.request), start: () => answer(request, bytes).then(resolve, reject) });
      if (!isBusy) {
        void work();
      }
    })
  };
}
function embedded(what) {
  const elements = [...document.querySelectorAll(`[data-${what}]`)];
  return Promise.all(elements.map(async (element) => ({ name: element.getAttribute(`data-${what}`) ?? "", bytes: await gunzip(bytesOf(element)) })));
}
function bytesOf(element) {
  const binary = atob((element?.textContent ?? "").replace(/\s+/g, ""));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) {
    bytes[index] = binary.charCodeAt(index);
  }
  return bytes;
}
async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
export {
  EngineError,
  createEngine,
  messageOf
};
