// picture/picture-source.ts
import { EngineError } from "pspge/state/engine.js";
import { loadPasses } from "pspge/state/run.js";
function createPictureSource(app) {
  const { store, engine } = app;
  const sizes = /* @__PURE__ */ new Map();
  async function describe(event) {
    const { target, view } = store.get();
    if (!target) {
      const isFinished = app.events && app.events.screen && event >= app.events.count;
      return { kind: view === "color" && isFinished ? "screen" : view };
    }
    if (view === "color") {
      const { address: address2, stride: stride2, format, width, height } = target;
      return { kind: "memory", address: address2, stride: stride2, format, width, height };
    }
    const depth = await depthOf(app, target, event);
    const { address, stride } = depth;
    return { kind: "memory", address, stride, format: "DEPTH16", width: Math.min(target.width, stride), height: target.height };
  }
  async function request(channel, at) {
    const run = store.run();
    const source = await describe(at.event);
    const answer = await engine.latest(channel)({ request: "picture", run, at, source });
    if (!answer) {
      return null;
    }
    const { address, stride, format, width, height } = answer.json;
    const key = JSON.stringify([app.input?.hash, address, stride, format]);
    const known = sizes.get(key) ?? { width: 0, height: 0 };
    const largest = { width: Math.max(width, known.width), height: Math.max(height, known.height) };
    sizes.set(key, largest);
    if (address === null || largest.width === width && largest.height === height) {
      return answer;
    }
    const whole = { kind: "memory", address, stride, format, ...largest };
    return engine.latest(channel)({ request: "picture", run, at, source: whole });
  }
  return { request };
}
async function depthOf(app, target, event) {
  const { passes } = await loadPasses(app);
  const pass = passes.findLast(
    ({ color, depth, first_event: first }) => depth !== null && first <= event && color.address === target.address && color.stride === target.stride
  );
  if (!pass?.depth) {
    throw new EngineError("inapplicable", "no draw to this buffer has tested or written depth so far");
  }
  return pass.depth;
}
export {
  createPictureSource
};
