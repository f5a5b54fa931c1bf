// Wishes of one panel to another: to open with something special, such as an address.

/** @typedef {import("pspge/app.js").App} App */

/** @type {WeakMap<App, Map<string, Record<string, any>>>} */
const wishes = new WeakMap();

/**
 * Opens a panel and tells it what to show.
 * @param {App} app
 * @param {string} panel
 * @param {Record<string, any>} wish
 */
export function openWith(app, panel, wish) {
  const known = wishes.get(app) ?? new Map();
  wishes.set(app, known);
  known.set(panel, wish);
  app.openPanel(panel);
  app.store.publish(new Set(["wish"]));
}

/**
 * Returns what a panel shall show, once.
 * @param {App} app
 * @param {string} panel
 * @returns {Record<string, any> | null}
 */
export function takeWish(app, panel) {
  const wish = wishes.get(app)?.get(panel) ?? null;
  wishes.get(app)?.delete(panel);
  return wish;
}
