// The transport of requests to the engine: over HTTP to `pspge view`, or to a worker with the engine as WebAssembly.

/**
 * @typedef {import("pspge/documents.js").Request} Request
 * @typedef {import("pspge/documents.js").Answer} Json
 * @typedef {{json: Json, bytes: Uint8Array}} Message
 * @typedef {{open: "input", part: "input", model: "picture", "stored-texture": "picture", export: "file"}} OtherNames Answers that are not named as their requests.
 */
/**
 * The answer to a kind of request.
 * @template {Request["request"]} [N=Request["request"]]
 * @typedef {{json: Extract<Json, {answer: N extends keyof OtherNames ? OtherNames[N] : N}>, bytes: Uint8Array}} Answer
 */
/**
 * @template {Request["request"]} N
 * @typedef {Extract<Request, {request: N}>} Asked A kind of request.
 */
/**
 * @typedef {<N extends Request["request"]>(request: Asked<N> & {request: N}, bytes?: Uint8Array) => Promise<Answer<N>>} Send
 * @typedef {<N extends Request["request"]>(request: Asked<N> & {request: N}) => Promise<Answer<N> | null>} SendLatest
 * @typedef {{
 *   kind: "http" | "worker",
 *   start: () => Promise<InputFile | null>,
 *   request: Send,
 *   latest: (channel: string) => SendLatest,
 * }} Engine
 * @typedef {{files: import("pspge/files.js").NamedBytes[], member: string | null}} InputFile
 */

/** An error that the engine answers, or that prevents its answer. */
export class EngineError extends Error {
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
}

/**
 * Creates the engine that this page comes with: the worker if the page holds WebAssembly, else the server.
 * @returns {Engine}
 */
export function createEngine() {
  const embedded = document.getElementById("pspge-engine");
  return withLatest(withFiles(embedded ? workerTransport() : httpTransport()));
}

/**
 * Names in each request the file that this page has opened, because another page of the same server may have opened another
 * since.
 * @template {{request: Send}} T
 * @param {T} transport
 * @returns {T}
 */
export function withFiles(transport) {
  /** @type {(number | undefined)[]} Numbers of the files, by the number of the input. */
  const files = [];
  /** @param {any} run */
  const withFile = (run) => ({ ...run, file: files[run?.input ?? 0] });
  const isRun = (/** @type {string} */ name) => ["run", "a", "b"].includes(name);
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
    },
  };
}

/**
 * Writes a message: the length of the JSON, the JSON, raw bytes.
 * @param {Request} request
 * @param {Uint8Array} [bytes]
 * @returns {Uint8Array}
 */
export function encodeMessage(request, bytes) {
  const json = new TextEncoder().encode(JSON.stringify(request));
  const message = new Uint8Array(4 + json.length + (bytes?.length ?? 0));
  new DataView(message.buffer).setUint32(0, json.length, true);
  message.set(json, 4);
  if (bytes) {
    message.set(bytes, 4 + json.length);
  }
  return message;
}

/**
 * Reads a message. Its bytes are copied, so that they are aligned for views of larger numbers.
 * @param {Uint8Array} message
 * @returns {Message}
 */
export function decodeMessage(message) {
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

/**
 * Returns an answer, or throws the error that it holds.
 * @param {Message} message
 * @returns {any} The answer of the kind that belongs to the request.
 */
function checked(message) {
  const { json } = message;
  if (json.answer !== "error") {
    return message;
  }
  const { code, message: text, ...place } = json.error;
  throw new EngineError(code, text, place);
}

/**
 * @param {{kind: "http" | "worker", start: () => Promise<InputFile | null>, request: Send}} transport
 * @returns {Engine}
 */
function withLatest(transport) {
  /** @type {Map<string, SendLatest>} */
  const channels = new Map();
  return {
    ...transport,
    latest(channel) {
      const known = channels.get(channel) ?? latestOf(transport.request);
      channels.set(channel, known);
      return known;
    },
  };
}

/**
 * Sends at most one request at a time. While one is under way, only the newest waits; those it replaces resolve to null.
 * @param {Send} send
 * @returns {SendLatest}
 */
export function latestOf(send) {
  /** @type {{request: Request, resolve: (answer: any) => void, reject: (error: unknown) => void} | null} */
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
  return (request) =>
    new Promise((resolve, reject) => {
      waiting?.resolve(null);
      waiting = { request, resolve, reject };
      if (!isBusy) {
        void work();
      }
    });
}

/** Pause after which the page tells the server that it is still open: a server without pages ends. */
const ALIVE_PAUSE = 60_000;

/** @returns {{kind: "http", start: () => Promise<null>, request: Send}} */
function httpTransport() {
  setInterval(() => void fetch("alive", { method: "POST" }).catch(() => null), ALIVE_PAUSE);
  /** @type {Send} */
  const request = async (request, bytes) => {
    const body = /** @type {BodyInit} */ (encodeMessage(request, bytes));
    const response = await fetch("api", {
      method: "POST",
      body,
      headers: { "content-type": "application/octet-stream" },
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

/** Requests for which a person waits with the mouse in hand; they overtake others. */
const URGENT = new Set(["picture", "model", "coverage"]);

/** The worker's part of the transport: it follows the glue in one classic script. */
const WORKER = `
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

/** @returns {{kind: "worker", start: () => Promise<InputFile | null>, request: Send}} */
function workerTransport() {
  /** @typedef {{request: Request, bytes: Uint8Array | undefined, resolve: (answer: any) => void, reject: (error: unknown) => void}} Job */
  /** @type {Job[]} */
  const jobs = [];
  /** @type {Map<number, {request: Request, bytes: Uint8Array}>} Files to open again after a restart. */
  const opened = new Map();
  /** @type {{engine: Uint8Array, address: string} | null} */
  let program = null;
  /** @type {Worker | null} */
  let worker = null;
  let isBusy = false;

  /**
   * Sends one message and waits for the answer; a trap ends the worker.
   * @param {Record<string, unknown>} data
   * @returns {Promise<Uint8Array>}
   */
  const call = (data) =>
    new Promise((resolve, reject) => {
      const target = /** @type {Worker} */ (worker);
      const stop = (/** @type {string} */ reason) => {
        target.terminate();
        worker = null;
        reject(
          new EngineError("engine", `The engine stopped at an error inside it (${reason}). It was started again.`),
        );
      };
      target.onmessage = ({ data: answer }) =>
        answer.trap === undefined ? resolve(answer.message) : stop(answer.trap);
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
      // A file that stops the engine is not opened again and again.
      opened.delete(input);
      await call({ message: encodeMessage(request, bytes) });
      opened.set(input, { request, bytes });
    }
  };

  /**
   * @param {Job} job
   * @returns {Promise<any>}
   */
  const answer = async ({ request, bytes }) => {
    await ensureWorker();
    const answer = checked(decodeMessage(await call({ message: encodeMessage(request, bytes) })));
    if (request.request === "open" && bytes) {
      opened.set(Number(request.input), { request, bytes });
    }
    return answer;
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
      const script = new Blob([/** @type {BlobPart} */ (glue), "\n", WORKER], { type: "text/javascript" });
      program = { engine, address: URL.createObjectURL(script) };
      const inputs = [...document.querySelectorAll("[data-input]")];
      const files = inputs.map(async (input) => ({
        name: input.getAttribute("data-input") ?? "",
        bytes: await gunzip(bytesOf(input)),
      }));
      return files.length > 0 ? { files: await Promise.all(files), member: inputs[0]?.getAttribute("data-member") ?? null } : null;
    },
    request: (request, bytes) =>
      new Promise((resolve, reject) => {
        jobs.push({ request, bytes, resolve, reject });
        if (!isBusy) {
          void work();
        }
      }),
  };
}

/**
 * Returns the bytes of an embedded script element.
 * @param {Element | null} element
 * @returns {Uint8Array}
 */
function bytesOf(element) {
  const text = (element?.textContent ?? "").replace(/\s+/g, "");
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) {
    bytes[index] = binary.charCodeAt(index);
  }
  return bytes;
}

/**
 * @param {Uint8Array} bytes
 * @returns {Promise<Uint8Array>}
 */
async function gunzip(bytes) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
