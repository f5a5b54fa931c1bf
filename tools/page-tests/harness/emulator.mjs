// A server that speaks the protocol of PPSSPP's debugger: JSON messages over a WebSocket.

import { createHash } from "node:crypto";
import { createServer } from "node:http";

/** The constant of the WebSocket handshake. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/**
 * Starts an emulator whose game draws these frame dumps in turn. `refuse` lets it answer the next requests with an error.
 * @param {Buffer[]} dumps
 */
export async function startEmulator(dumps) {
  let count = 0;
  /** @type {string | null} */
  let refusal = null;
  /** @type {Set<import("node:stream").Duplex>} */
  const sockets = new Set();
  const members = (/** @type {string} */ event) => {
    switch (event) {
      case "version":
        return { name: "PPSSPP", version: "v1.20" };
      case "game.status":
        return { game: { id: "TEST00001" }, paused: false };
      case "cpu.status":
        return { stepping: false };
      case "gpu.record.dump":
        return { uri: `data:application/octet-stream;base64,${dumps[count++ % dumps.length]?.toString("base64")}` };
      default:
        return { event: "error", message: "Bad message: unknown event" };
    }
  };
  const server = createServer().on("upgrade", (request, socket) => {
    sockets.add(socket);
    const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${GUID}`).digest("base64");
    const head = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`, "Sec-WebSocket-Protocol: debugger.ppsspp.org"];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    let waiting = Buffer.alloc(0);
    socket.on("error", () => socket.destroy());
    socket.on("data", (data) => {
      waiting = Buffer.concat([waiting, data]);
      for (let frame = firstFrame(waiting); frame; frame = firstFrame(waiting)) {
        waiting = waiting.subarray(frame.length);
        if (frame.kind === 1) {
          const { event, ticket } = JSON.parse(frame.text);
          const answer = refusal && event === "gpu.record.dump" ? { event: "error", message: refusal } : members(event);
          socket.write(textFrame(JSON.stringify({ event, ticket, ...answer })));
        }
      }
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    address: `ws://127.0.0.1:${port}`,
    /** @param {string | null} message */
    refuse: (message) => (refusal = message),
    close() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

/** Returns the first frame of a client, which is masked; `null` if it is not complete. @param {Buffer} bytes */
function firstFrame(bytes) {
  if (bytes.length < 8) {
    return null;
  }
  const short = bytes.readUInt8(1) & 0x7f;
  const [start, size] = short === 126 ? [4, bytes.readUInt16BE(2)] : [2, short];
  const length = start + 4 + size;
  if (bytes.length < length) {
    return null;
  }
  const mask = bytes.subarray(start, start + 4);
  const text = bytes.subarray(start + 4, length).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return { kind: bytes.readUInt8(0) & 0xf, length, text: Buffer.from(text).toString() };
}

/** @param {string} text */
function textFrame(text) {
  const bytes = Buffer.from(text);
  const head = Buffer.alloc(10);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(127, 1);
  head.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([head, bytes]);
}
