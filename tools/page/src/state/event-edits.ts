// Edits of whole events: skip one, or run a draw alone.

import type { App } from "pspge/state/app-types.js";

/** Adds or removes the edit that leaves an event out. */
export function toggleSkip(app: App, event: number) {
  const { store } = app;
  const edit = `--skip event:${event}`;
  if (event >= (app.events?.count ?? 0)) {
    return;
  }
  const isNew = !store.get().edits.includes(edit);
  const changed = isNew ? store.addEdit(edit) : store.removeEdit(edit);
  void changed.then((isTaken) => isTaken && app.announce(`Event ${event} ${isNew ? "is skipped" : "runs again"}.`));
}

/** Adds or removes the edit that runs a draw alone. */
export function toggleSolo(app: App, event: number) {
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
  const changed = store.setEdits(isNew ? [...others, edit] : others);
  void changed.then((isTaken) => isTaken && app.announce(isNew ? `Draw ${draw} runs alone.` : "All draws run again."));
}
