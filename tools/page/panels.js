// The panels with their tabs. A panel is loaded when it is shown first, and told what has changed while it is visible.

import { debounce, h } from "pspge/dom.js";
import { keyOf } from "pspge/keys.js";
import { tabList } from "pspge/layout.js";

/** @typedef {import("pspge/app-types.js").App} App */
/** @typedef {import("pspge/app-types.js").Panel} Panel */

/** The panels, in the order of their tabs. All but the last have a digit as their key. */
const PANELS = [
  ["state", "State"],
  ["pixel", "Pixel"],
  ["mesh", "Mesh"],
  ["textures", "Textures"],
  ["memory", "Memory"],
  ["passes", "Passes"],
  ["commands", "Commands"],
  ["diff", "Diff"],
  ["model", "Model"],
  ["edits", "Edits"],
];

/** Pause before the panels follow the selection, so that steps through events stay fast. */
const PAUSE = 120;

/**
 * Returns the panel that a digit opens.
 * @param {string} digit
 * @returns {string}
 */
export function panelOfDigit(digit) {
  return PANELS[Number(digit) - 1]?.[0] ?? "state";
}

/**
 * Creates the panels.
 * @param {App} app
 */
export function createPanels(app) {
  const { store } = app;
  const tabs = tabList({
    label: "Panels",
    tabs: PANELS.map(([id = "", title = ""], index) => ({
      id,
      title,
      hint: index < 9 ? `${title} (${index + 1})` : `${title} (${keyOf("edits")})`,
    })),
    onchoose: (id) => app.openPanel(id),
  });
  /** @type {Map<string, Promise<Panel | null>>} */
  const panels = new Map();
  let pending = new Set(["panel"]);

  /**
   * Returns a panel, which is loaded if it is new. A panel that fails to load shows why.
   * @param {string} id
   * @returns {Promise<Panel | null>}
   */
  function panelOf(id) {
    const known = panels.get(id);
    if (known) {
      return known;
    }
    const place = tabs.panel(id);
    const loaded = import(`pspge/${id}.js`)
      .then((module) => {
        const panel = /** @type {Panel} */ (module.create(app));
        // The heading is for screen readers; sighted users have the tab.
        place?.replaceChildren(h("h2", { class: "visually-hidden" }, panel.title), panel.element);
        return panel;
      })
      .catch(() => {
        // The browser's own message names the address of the module, which holds the token of the server.
        const title = PANELS.find(([known]) => known === id)?.[1];
        const again = h("button", { type: "button", onclick: () => void retry(id) }, "Try again");
        const text = `The panel ${title} cannot be loaded: the server does not answer.`;
        place?.replaceChildren(h("p", { class: "problem", role: "alert" }, text, " ", again));
        return null;
      });
    panels.set(id, loaded);
    return loaded;
  }

  /** Loads a panel again. Browsers remember that a module has failed, until the page is loaded anew. @param {string} id */
  async function retry(id) {
    panels.delete(id);
    if (!(await panelOf(id)) && (await isServerThere())) {
      store.writeAddress();
      location.reload();
    }
    await updateVisible();
  }

  async function isServerThere() {
    try {
      await app.engine.request({ request: "input", input: 0 });
      return true;
    } catch (error) {
      app.fail(error);
      return false;
    }
  }

  /** Tells the visible panel what has changed. */
  async function updateVisible() {
    const { panel: id } = store.get();
    if (!app.input?.is_runnable) {
      return;
    }
    const panel = await panelOf(id);
    if (!panel || store.get().panel !== id) {
      return;
    }
    const changed = pending;
    pending = new Set();
    try {
      if (changed.has("panel")) {
        panel.show();
      }
      await panel.update(store.get(), changed);
      panel.element.classList.remove("is-stale");
    } catch (error) {
      changed.forEach((name) => pending.add(name));
      panel.element.classList.add("is-stale");
      app.fail(error);
    }
  }
  const updateSoon = debounce(PAUSE, () => void updateVisible());

  return {
    element: h("section", { class: "side", "aria-label": "Panels" }, tabs.list, tabs.panels),
    /**
     * Follows the selection: another panel at once, all else after a pause.
     * @param {import("pspge/store.js").Selection} selection
     * @param {Set<string>} changed
     */
    update(selection, changed) {
      for (const name of changed) {
        pending.add(name);
      }
      if (changed.has("panel")) {
        tabs.choose(PANELS.some(([id]) => id === selection.panel) ? selection.panel : "state");
        void updateVisible();
      }
      updateSoon();
    },
    /**
     * Shows the tabs that a file has.
     * @param {import("pspge/app-types.js").Input} input
     */
    setInput(input) {
      tabs.show("model", input.kind === "model");
      tabs.choose(store.get().panel);
    },
  };
}
