// Edits of whole events: skip one, or run a draw alone.

/** @typedef {import("pspge/app-types.js").App} App */

/**
 * Adds or removes the edit that leaves an event out.
 * @param {App} app
 * @param {number} event
 */
export function toggleSkip(app, event) {
  const { store } = app;
  const edit = `--skip event:${event}`;
  const index = store.get().edits.indexOf(edit);
  if (event >= (app.events?.count ?? 0)) {
    return;
  }
  index < 0 ? store.addEdit(edit) : store.removeEdit(index);
  app.announce(index < 0 ? `Event ${event} is skipped.` : `Event ${event} runs again.`);
}

/**
 * Adds or removes the edit that runs a draw alone.
 * @param {App} app
 * @param {number} event
 */
export function toggleSolo(app, event) {
  const { store } = app;
  const draw = app.events?.events[event]?.draw ?? null;
  if (draw === null) {
    app.announce("Only draws run alone.");
    return;
  }
  const edit = `--solo ${draw}`;
  const { edits } = store.get();
  const others = edits.filter((other) => !other.startsWith("--solo "));
  store.setEdits(edits.includes(edit) ? others : [...others, edit]);
  app.announce(edits.includes(edit) ? "All draws run again." : `Draw ${draw} runs alone.`);
}
