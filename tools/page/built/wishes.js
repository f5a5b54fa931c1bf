// wishes.js
var wishes = /* @__PURE__ */ new WeakMap();
function openWith(app, panel, wish) {
  const known = wishes.get(app) ?? /* @__PURE__ */ new Map();
  wishes.set(app, known);
  known.set(panel, wish);
  app.openPanel(panel);
  app.store.publish(/* @__PURE__ */ new Set(["wish"]));
}
function takeWish(app, panel) {
  const wish = wishes.get(app)?.get(panel) ?? null;
  wishes.get(app)?.delete(panel);
  return wish;
}
export {
  openWith,
  takeWish
};
