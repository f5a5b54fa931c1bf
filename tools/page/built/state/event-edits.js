// state/event-edits.ts
function toggleSkip(app, event) {
  const { store } = app;
  const edit = `--skip event:${event}`;
  if (event >= (app.events?.count ?? 0)) {
    return;
  }
  const isNew = !store.get().edits.includes(edit);
  const changed = isNew ? store.addEdit(edit) : store.removeEdit(edit);
  void changed.then((isTaken) => isTaken && app.announce(`Event ${event} ${isNew ? "is skipped" : "runs again"}.`));
}
function toggleSolo(app, event) {
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
export {
  toggleSkip,
  toggleSolo
};
