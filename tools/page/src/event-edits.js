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
  if (event >= (app.events?.count ?? 0)) {
    return;
  }
  const isNew = !store.get().edits.includes(edit);
  const changed = isNew ? store.addEdit(edit) : store.removeEdit(edit);
  void changed.then((isTaken) => isTaken && app.announce(`Event ${event} ${isNew ? "is skipped" : "runs again"}.`));
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
  const isNew = !edits.includes(edit);
  void store
    .setEdits(isNew ? [...others, edit] : others)
    .then((isTaken) => isTaken && app.announce(isNew ? `Draw ${draw} runs alone.` : "All draws run again."));
}
