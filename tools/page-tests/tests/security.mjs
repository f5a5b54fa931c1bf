// The server answers only the page that it has printed the address of.

import assert from "node:assert/strict";
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { test } from "node:test";

import { SIGNPOST } from "../harness/inputs.mjs";
import { decodeMessage, encodeMessage } from "../harness/messages.mjs";

/** @typedef {{status: number, headers: import("node:http").IncomingHttpHeaders, body: Buffer}} Reply */

/**
 * Sends a request as it is, also with a path that a browser would clean up.
 * @param {URL} address
 * @param {{path?: string, method?: string, headers?: Record<string, string>, body?: Uint8Array}} options
 * @returns {Promise<Reply>}
 */
function send(address, { path = address.pathname, method = "GET", headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: address.hostname, port: address.port, path, method, headers, setHost: !("host" in headers) }, (response) => {
      /** @type {Buffer[]} */
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** @param {import("../harness/targets.mjs").Target} target */
export function securityTests(target) {
  const address = async () => new URL(await target.address(SIGNPOST));
  const input = encodeMessage({ request: "input" });

  test("the address is on the loopback interface and has a random word", async () => {
    const [first, second] = [await address(), new URL(await target.address(SIGNPOST, { isOwn: true }))];
    for (const { hostname, pathname } of [first, second]) {
      assert.equal(hostname, "127.0.0.1");
      assert.match(pathname, /^\/[0-9a-f]{32}\/$/);
    }
    assert.notEqual(first.pathname, second.pathname);
    const others = Object.values(networkInterfaces()).flat().filter((other) => other && !other.internal && other.family === "IPv4");
    for (const other of others) {
      const isOpen = await new Promise((resolve) => {
        const socket = connect({ host: other?.address ?? "", port: Number(first.port), timeout: 2000 });
        socket.once("connect", () => resolve(true)).once("error", () => resolve(false)).once("timeout", () => resolve(false));
        socket.once("close", () => socket.destroy());
      });
      assert.equal(isOpen, false, `another interface: ${other?.address}`);
    }
  });

  test("requests of others are refused", async () => {
    const url = await address();
    const { host, pathname } = url;
    const api = `${pathname}api`;
    const wrong = `/${"0".repeat(32)}/`;
    const refused = /** @type {[string, Parameters<typeof send>[1]][]} */ ([
      ["no word", { path: "/" }],
      ["no word, a file", { path: "/app.js" }],
      ["a wrong word", { path: wrong }],
      ["a wrong word, a request", { path: `${wrong}api`, method: "POST", body: input }],
      ["a part of the word", { path: `${pathname.slice(0, -2)}/` }],
      ["the word later in the path", { path: `/x${pathname}` }],
      ["a foreign host", { headers: { host: "evil.example" } }],
      ["a foreign host with this port", { headers: { host: `evil.example:${url.port}` } }],
      ["another port", { headers: { host: "127.0.0.1:1" } }],
      ["another spelling of the address", { headers: { host: `2130706433:${url.port}` } }],
      ["a foreign origin", { path: api, method: "POST", headers: { host, origin: "http://evil.example" }, body: input }],
      ["the origin null", { path: api, method: "POST", headers: { host, origin: "null" }, body: input }],
      ["another scheme", { path: api, method: "POST", headers: { host, origin: `https://${host}` }, body: input }],
      ["another port of this machine", { path: api, method: "POST", headers: { host, origin: "http://127.0.0.1:1" }, body: input }],
      ["an origin that starts like ours", { path: api, method: "POST", headers: { host, origin: `http://${host}.evil.example` }, body: input }],
      ["a foreign page asks first", { path: api, method: "OPTIONS", headers: { host, origin: "http://evil.example", "access-control-request-method": "POST" } }],
    ]);
    for (const [name, options] of refused) {
      const { status, headers, body } = await send(url, options);
      assert.equal(status, 403, name);
      assert.equal(headers["access-control-allow-origin"], undefined, name);
      assert.ok(body.length < 200, `${name}: tells little`);
    }
    const own = await send(url, { path: api, method: "POST", headers: { host, origin: url.origin }, body: input });
    assert.equal(own.status, 200, "the page itself is answered");
    assert.equal(decodeMessage(own.body).json.answer, "input");
  });

  test("no path leads to other files", async () => {
    const url = await address();
    const names = [
      "../Cargo.toml", "../../Cargo.toml", "..%2fCargo.toml", "%2e%2e/Cargo.toml", "..%5cCargo.toml", ".../Cargo.toml", "//etc/passwd", "/etc/passwd", "%2fetc%2fpasswd",
      "index.html", "tsconfig.json", "src/app.js", "src%2fapp.js", "built/app.js", "engine/glue.js", "engine%2fglue.js", "signpost.ge", "app.js%00.css", "app.js/", "nothing.js", ".", "..", "%00", "a".repeat(5000), "%ff%fe",
    ];
    for (const name of names) {
      const { status, body } = await send(url, { path: url.pathname + name });
      assert.ok(status >= 400 && status < 500, `${name}: ${status}`);
      assert.ok(body.length < 200, name);
      assert.doesNotMatch(body.toString(), /root:|\[package\]|wasm_bindgen|FRAMEBUFPTR/, name);
    }
    for (const method of ["PUT", "DELETE", "PATCH", "TRACE"]) {
      const { status } = await send(url, { path: `${url.pathname}app.js`, method });
      assert.ok(status >= 400 && status < 500, `${method}: ${status}`);
    }
    const get = await send(url, { path: `${url.pathname}api` });
    assert.equal(get.status, 405, "requests are posted");
  });

  test("what is no request is a typed error", async () => {
    const url = await address();
    const text = (/** @type {string} */ json) => {
      const message = Buffer.alloc(4 + Buffer.byteLength(json));
      message.writeUInt32LE(Buffer.byteLength(json), 0);
      message.write(json, 4);
      return message;
    };
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const messages = /** @type {[string, Uint8Array][]} */ ([
      ["nothing", Buffer.alloc(0)],
      ["three bytes", Buffer.from([1, 2, 3])],
      ["a length only", Buffer.from([5, 0, 0, 0])],
      ["a huge length", Buffer.from([255, 255, 255, 255, 1])],
      ["no JSON", Buffer.from([4, 0, 0, 0, 1, 2, 3, 4])],
      ["no UTF-8", Buffer.from([2, 0, 0, 0, 0xff, 0xfe])],
      ["an HTML page", Buffer.from("<html></html>")],
      ["null", text("null")],
      ["an array", text("[]")],
      ["a deep array", text(deep)],
      ["no kind", text("{}")],
      ["an unknown kind", text('{"request":"shutdown"}')],
      ["an unknown member", text('{"request":"input","surprise":1}')],
      ["an input that is not there", text('{"request":"input","input":7}')],
      ["a negative event", text('{"request":"state","event":-1}')],
      ["a far event", text('{"request":"state","event":4294967295}')],
      ["a huge picture", text('{"request":"picture","at":{"event":0,"after":true},"source":{"kind":"memory","address":67108864,"stride":4294967295,"format":"ABGR8888","width":4294967295,"height":4294967295}}')],
      ["too much memory", text('{"request":"memory","at":{"event":0,"after":true},"address":0,"length":4294967295}')],
      ["a huge model", text('{"request":"model","width":4294967295,"height":4294967295}')],
      ["not a number", text('{"request":"pixel","x":1e400,"y":0}')],
      ["a wrong edit", text('{"request":"events","run":{"edits":["--set"]}}')],
      ["another option as an edit", text('{"request":"events","run":{"edits":["--output stolen.png"]}}')],
    ]);
    for (const [name, body] of messages) {
      const { status, body: answer } = await send(url, { path: `${url.pathname}api`, method: "POST", body });
      assert.equal(status, 200, name);
      const { json } = decodeMessage(answer);
      assert.equal(json.answer, "error", name);
      assert.match(json.error.code, /^[a-z][a-z-]+$/, name);
      assert.ok(json.error.message.length > 5, name);
    }
    const { body } = await send(url, { path: `${url.pathname}api`, method: "POST", body: input });
    assert.equal(decodeMessage(body).json.answer, "input", "the server goes on");
  });

  test("the page has a policy that keeps it to itself", async () => {
    const url = await address();
    const [first, second] = [await send(url, {}), await send(url, {})];
    const policy = String(first.headers["content-security-policy"]);
    const directives = new Map(policy.split(";").map((directive) => {
      const [name = "", ...values] = directive.trim().split(/\s+/);
      return [name, values];
    }));
    assert.deepEqual(directives.get("default-src"), ["'none'"]);
    assert.deepEqual(directives.get("frame-ancestors"), ["'none'"]);
    assert.deepEqual(directives.get("base-uri"), ["'none'"]);
    assert.deepEqual(directives.get("form-action"), ["'none'"]);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.notEqual(policy, second.headers["content-security-policy"], "each page has its own nonce");
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
    assert.ok(nonce.length >= 16 && first.body.toString().includes(`nonce="${nonce}"`));
    for (const { headers } of [first, await send(url, { path: `${url.pathname}app.js` })]) {
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.equal(headers["referrer-policy"], "no-referrer");
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers["cross-origin-resource-policy"], "same-origin");
    }
    assert.doesNotMatch(first.body.toString(), /\son\w+=|style="|javascript:|https?:\/\//);
  });
}
