// The modules of panels: each is loaded when its panel is shown first, and told what has changed while it can be seen.

import type { App, Panel } from "pspge/state/app-types.js";

/** Keeps the panels. `redraw` shows one that is loaded, or why it could not be. */
export function createPanelModules(app: App, ids: readonly string[], redraw: () => void) {
  const { store } = app;
  const panels = new Map<string, Promise<Panel | null>>();
  /** What has been loaded, and why the others have not. */
  const loaded = new Map<string, Panel | string>();
  /** What has changed since each panel was updated. */
  const pending = new Map(ids.map((id) => [id, new Set(["panel"])]));

  /** Returns a panel, which is loaded if it is new. A panel that fails to load shows why. */
  function panelOf(id: string): Promise<Panel | null> {
    const known = panels.get(id);
    if (known) {
      return known;
    }
    const panel: Promise<Panel | null> = import(`pspge/panels/${id}.js`)
      .then((module) => {
        const created: Panel = module.create(app);
        loaded.set(id, created);
        return created;
      })
      .catch((error) => {
        // The browser's own message names the address of the module, which holds the token of the server.
        const isMissing = /module|import/i.test(String(error));
        loaded.set(id, isMissing ? "the server does not answer" : String(error?.message ?? error));
        return null;
      })
      .finally(redraw);
    panels.set(id, panel);
    return panel;
  }

  return {
    /** The panel, why it could not be loaded, or undefined before. */
    loaded: (id: string) => loaded.get(id),
    /** Loads a panel again. Browsers remember that a module has failed, until the page is loaded anew. */
    async retry(id: string) {
      panels.delete(id);
      if (!(await panelOf(id)) && (await app.attempt(app.engine.request({ request: "input", input: 0 })))) {
        store.writeAddress();
        location.reload();
      }
    },
    /** Notes for a panel, or for all of them, what has changed. */
    note(names: Iterable<string>, id?: string) {
      for (const name of names) {
        pending.forEach((changed, other) => (id ?? other) === other && changed.add(name));
      }
    },
    /** Tells a panel that can be seen what has changed. */
    async update(id: string) {
      const panel = await panelOf(id);
      const changed = pending.get(id) ?? new Set();
      if (!panel || changed.size === 0) {
        return;
      }
      pending.set(id, new Set());
      try {
        panel.update(store.get(), changed);
      } catch (error) {
        app.fail(error);
      }
    },
  };
}
