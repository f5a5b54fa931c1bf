// pixel-history.js
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
    const request = (
      /** @type {const} */
      { request: "pixel", run: store.run(), x: pixel[0], y: pixel[1], ...target && { target } }
    );
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
    try {
      const document = await load();
      if (!document) {
        app.announce("No pixel is picked.");
        return;
      }
      const { event } = store.get();
      const changes = document.entries.filter((entry) => entry.written).map((entry) => entry.event);
      const next = direction > 0 ? changes.find((other) => other > event) : changes.findLast((other) => other < event);
      if (next === void 0) {
        app.announce(direction > 0 ? "No later event changes the pixel." : "No earlier event changes the pixel.");
      } else {
        app.selectEvent(next);
      }
    } catch (error) {
      app.fail(error);
    }
  }
  return { load, step };
}
export {
  createPixelHistory
};
