// The transport of requests to the engine: over HTTP to `pspge view`, or to a worker with the engine as WebAssembly.

import type { Answer as Json, ErrorInfo, Request, RunRequest } from "pspge/documents.js";
import type { NamedBytes } from "pspge/state/files.js";

interface Message {
  json: Json;
  bytes: Uint8Array;
}
type Name = Request["request"];
/** Answers that are not named as their requests. */
interface OtherNames {
  open: "input";
  part: "input";
  model: "picture";
  "stored-texture": "picture";
  export: "file";
}
/** The answer to a kind of request. */
export interface Answer<N extends Name = Name> {
  json: Extract<Json, { answer: N extends keyof OtherNames ? OtherNames[N] : N }>;
  bytes: Uint8Array;
}
/** A kind of request. */
export type Asked<N extends Name> = Extract<Request, { request: N }>;
type Plain = (request: Request, bytes?: Uint8Array) => Promise<Message>;
/** Files and pictures that the engine was given, by their places in it. */
type Given = Map<string, { request: Request; bytes: Uint8Array }>;
interface Transport {
  kind: "http" | "worker";
  start: () => Promise<{ files: NamedBytes[]; member: string | null } | null>;
  send: Plain;
}
export interface Engine extends Omit<Transport, "send"> {
  /** The pictures that the engine keeps for edits, by the names that edits give them. */
  pictures: () => NamedBytes[];
  request: <N extends Name>(request: Asked<N> & { request: N }, bytes?: Uint8Array) => Promise<Answer<N>>;
  latest: (channel: string) => <N extends Name>(request: Asked<N> & { request: N }) => Promise<Answer<N> | null>;
}

/** An error that the engine answers, or that prevents its answer. */
export class EngineError extends Error {
  constructor(
    public code: string,
    message: string,
    public place: Partial<Omit<ErrorInfo, "code" | "message">> = {},
  ) {
    super(message);
  }
}

/** Returns the text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}

/** Creates the engine that this page comes with: the worker if the page holds WebAssembly, else the server. */
export function createEngine(): Engine {
  const given: Given = new Map();
  const { send, start, kind } = document.getElementById("pspge-engine") ? workerTransport(given) : httpTransport();
  const named = withFiles(send);
  const channels = new Map<string, ReturnType<typeof latestOf>>();
  const request: Plain = async (asked, bytes) => {
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
    pictures: () => [...given.values()].flatMap(({ request, bytes }) => (request.request === "keep-picture" ? [{ name: request.name, bytes }] : [])),
    // An answer is of the kind that belongs to the request.
    request: request as Engine["request"],
    latest(channel) {
      const known = channels.get(channel) ?? latestOf(request);
      channels.set(channel, known);
      return known as ReturnType<Engine["latest"]>;
    },
  };
}

/**
 * Names in each request the file that this page has opened, because another page of the same server may have opened another
 * since.
 */
function withFiles(send: Plain): Plain {
  /** Numbers of the files, by the number of the input. */
  const files: (number | undefined)[] = [];
  const withFile = (run?: RunRequest) => ({ ...run, file: files[run?.input ?? 0] });
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

/** Writes a message: the length of the JSON, the JSON, raw bytes. */
function encodeMessage(request: Request, bytes?: Uint8Array): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(request));
  const message = new Uint8Array(4 + json.length + (bytes?.length ?? 0));
  new DataView(message.buffer).setUint32(0, json.length, true);
  message.set(json, 4);
  if (bytes) {
    message.set(bytes, 4 + json.length);
  }
  return message;
}

/** Reads a message. Its bytes are copied, so that they are aligned for views of larger numbers. */
function decodeMessage(message: Uint8Array): Message {
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

/** Returns an answer, or throws the error that it holds. */
function checked(message: Message): Message {
  const { json } = message;
  if (json.answer !== "error") {
    return message;
  }
  const { code, message: text, ...place } = json.error;
  throw new EngineError(code, text, place);
}

/** Sends at most one request at a time. While one is under way, only the newest waits; those it replaces resolve to null. */
function latestOf(send: Plain): (request: Request) => Promise<Message | null> {
  let waiting: { start: () => Promise<void>; drop: () => void } | null = null;
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
  return (request) =>
    new Promise((resolve, reject) => {
      waiting?.drop();
      waiting = { start: () => send(request).then(resolve, reject), drop: () => resolve(null) };
      if (!isBusy) {
        void work();
      }
    });
}

/** Pause after which the page tells the server that it is still open: a server without pages ends. */
const ALIVE_PAUSE = 60_000;

function httpTransport(): Transport {
  setInterval(() => void fetch("alive", { method: "POST" }).catch(() => null), ALIVE_PAUSE);
  const send: Plain = async (request, bytes) => {
    const body = encodeMessage(request, bytes) as BodyInit;
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

/** Requests for which a person waits with the mouse in hand; they overtake others. */
const URGENT = new Set(["picture", "model", "coverage"]);

/** The worker's part of the transport: it follows the glue in one classic script. */
const WORKER = `
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

/** Creates a worker. After a restart it is given everything again. */
function workerTransport(given: Given): Transport {
  const jobs: { isUrgent: boolean; start: () => Promise<void> }[] = [];
  let program: { engine: Uint8Array; address: string } | null = null;
  let worker: Worker | null = null;
  let isBusy = false;

  /** Sends one message and waits for the answer; a trap ends the worker. */
  const call = (target: Worker, data: { engine: Uint8Array } | { message: Uint8Array }): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      const stop = (reason: string) => {
        target.terminate();
        worker = null;
        reject(new EngineError("engine", `The engine stopped at an error inside it (${reason}). It was started again.`));
      };
      target.onmessage = ({ data: answer }) => (answer.trap === undefined ? resolve(answer.message) : stop(answer.trap));
      target.onerror = (event) => stop(event.message || "unknown");
      target.postMessage(data);
    });

  const startedWorker = async (): Promise<Worker> => {
    if (worker || !program) {
      return worker ?? Promise.reject(new EngineError("engine", "The engine has not been started."));
    }
    const started = new Worker(program.address);
    worker = started;
    await call(started, { engine: program.engine });
    for (const [place, { request, bytes }] of [...given]) {
      // A file that stops the engine is not given again and again.
      given.delete(place);
      await call(started, { message: encodeMessage(request, bytes) });
      given.set(place, { request, bytes });
    }
    return started;
  };

  const answer: Plain = async (request, bytes) => {
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
      const script = new Blob([glue as BlobPart, "\n", WORKER], { type: "text/javascript" });
      program = { engine, address: URL.createObjectURL(script) };
      const files = await embedded("input");
      return files.length > 0 ? { files, member: document.querySelector("[data-input]")?.getAttribute("data-member") ?? null } : null;
    },
    send: (request, bytes) =>
      new Promise((resolve, reject) => {
        jobs.push({ isUrgent: URGENT.has(request.request), start: () => answer(request, bytes).then(resolve, reject) });
        if (!isBusy) {
          void work();
        }
      }),
  };
}

/** Returns the files that the page holds as inputs or as pictures. */
function embedded(what: "input" | "picture"): Promise<NamedBytes[]> {
  const elements = [...document.querySelectorAll(`[data-${what}]`)];
  return Promise.all(elements.map(async (element) => ({ name: element.getAttribute(`data-${what}`) ?? "", bytes: await gunzip(bytesOf(element)) })));
}

/** Returns the bytes of an embedded script element. */
function bytesOf(element: Element | null): Uint8Array {
  const binary = atob((element?.textContent ?? "").replace(/\s+/g, ""));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) {
    bytes[index] = binary.charCodeAt(index);
  }
  return bytes;
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
