// state/pixel-history.ts
function createPixelHistory(app) {
  const { store, engine } = app;
  let kept = null;
  async function load() {
    const { pixel } = store.get();
    const buffer = app.shownBuffer();
    if (!pixel || !app.events) {
      return null;
    }
    const target = buffer && { address: buffer.address, stride: buffer.stride, format: buffer.format };
    const request = { request: "pixel", run: store.run(), x: pixel[0], y: pixel[1], ...target && { target } };
    const key = JSON.stringify(request);
    if (kept?.key !== key) {
      const answer = engine.latest("pixel")(request).then((answer2) => answer2?.json.document ?? null);
      kept = { key, answer };
      const forget = () => {
        kept = kept?.key === key ? null : kept;
      };
      answer.then((document) => document ?? forget(), forget);
    }
    return kept.answer;
  }
  async function step(direction) {
    const document = await app.attempt(load());
    if (!document) {
      return document === null && app.announce("No pixel is picked.");
    }
    const { event } = store.get();
    const changes = document.entries.filter((entry) => entry.written).map((entry) => entry.event);
    const next = direction > 0 ? changes.find((other) => other > event) : changes.findLast((other) => other < event);
    return next === void 0 ? app.announce(`No ${direction > 0 ? "later" : "earlier"} event changes the pixel.`) : app.selectEvent(next);
  }
  return { load, step };
}
export {
  createPixelHistory
};
