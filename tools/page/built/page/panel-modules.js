// page/panel-modules.ts
function createPanelModules(app, ids, redraw) {
  const { store } = app;
  const panels = /* @__PURE__ */ new Map();
  const loaded = /* @__PURE__ */ new Map();
  const pending = new Map(ids.map((id) => [id, /* @__PURE__ */ new Set(["panel"])]));
  function panelOf(id) {
    const known = panels.get(id);
    if (known) {
      return known;
    }
    const panel = import(`pspge/panels/${id}.js`).then((module) => {
      const created = module.create(app);
      loaded.set(id, created);
      return created;
    }).catch((error) => {
      const isMissing = /module|import/i.test(String(error));
      loaded.set(id, isMissing ? "the server does not answer" : String(error?.message ?? error));
      return null;
    }).finally(redraw);
    panels.set(id, panel);
    return panel;
  }
  return {
    /** The panel, why it could not be loaded, or undefined before. */
    loaded: (id) => loaded.get(id),
    /** Loads a panel again. Browsers remember that a module has failed, until the page is loaded anew. */
    async retry(id) {
      panels.delete(id);
      if (!await panelOf(id) && await app.attempt(app.engine.request({ request: "input", input: 0 }))) {
        store.writeAddress();
        location.reload();
      }
    },
    /** Notes for a panel, or for all of them, what has changed. */
    note(names, id) {
      for (const name of names) {
        pending.forEach((changed, other) => (id ?? other) === other && changed.add(name));
      }
    },
    /** Tells a panel that can be seen what has changed. */
    async update(id) {
      const panel = await panelOf(id);
      const changed = pending.get(id) ?? /* @__PURE__ */ new Set();
      if (!panel || changed.size === 0) {
        return;
      }
      pending.set(id, /* @__PURE__ */ new Set());
      try {
        panel.update(store.get(), changed);
      } catch (error) {
        app.fail(error);
      }
    }
  };
}
export {
  createPanelModules
};
