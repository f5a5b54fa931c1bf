// state/wishes.ts
var wishes = {};
function openWith(app, panel, wish) {
  wishes[panel] = wish;
  app.openPanel(panel);
  app.store.publish(/* @__PURE__ */ new Set(["wish"]));
}
function takeWish(panel) {
  const wish = wishes[panel];
  delete wishes[panel];
  return wish;
}
export {
  openWith,
  takeWish
};
