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

/** Widths of the window from which two and three panels stand side by side. */
const WIDTHS = [1600, 2600];

/** Returns the number of panels that stand side by side in this window. */
export function panelColumns() {
  return 1 + WIDTHS.filter((width) => window.innerWidth >= width).length;
}

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
  /** @type {Map<string, Set<string>>} What has changed since each panel was updated. */
  const pending = new Map(PANELS.map(([id = ""]) => [id, new Set(["panel"])]));
  /** The panels in the order in which they were chosen last. */
  let recent = ["state", "mesh", "textures"];
  /** @type {string[]} The panels that can be seen. */
  let visible = [];

  /** Shows the chosen panel, and beside it those that were chosen before, as far as the window is wide enough. */
  function choose() {
    const { panel } = store.get();
    const chosen = PANELS.some(([id]) => id === panel) ? panel : "state";
    recent = [chosen, ...recent.filter((id) => id !== chosen)];
    const possible = recent.filter((id) => id === chosen || id !== "model" || app.input?.kind === "model");
    const shown = possible.slice(0, panelColumns());
    for (const id of shown.filter((id) => !visible.includes(id))) {
      pending.get(id)?.add("panel");
    }
    visible = shown;
    tabs.choose(chosen, shown);
  }

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
        // A panel alone has its tab as title; its heading is for screen readers then.
        place?.replaceChildren(h("h2", { class: "panel-title" }, panel.title), panel.element);
        return panel;
      })
      .catch((error) => {
        // The browser's own message names the address of the module, which holds the token of the server.
        const isMissing = /module|import/i.test(String(error));
        const reason = isMissing ? "the server does not answer" : String(error?.message ?? error);
        const title = PANELS.find(([known]) => known === id)?.[1];
        const again = h("button", { type: "button", onclick: () => void retry(id) }, "Try again");
        const text = `The panel ${title} cannot be loaded: ${reason}.`;
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

  /** Tells the visible panels what has changed. */
  async function updateVisible() {
    if (app.input?.is_runnable) {
      await Promise.all(visible.map(update));
    }
  }

  /** @param {string} id */
  async function update(id) {
    const panel = await panelOf(id);
    const changed = pending.get(id) ?? new Set();
    if (!panel || !visible.includes(id) || changed.size === 0) {
      return;
    }
    pending.set(id, new Set());
    try {
      if (changed.has("panel")) {
        panel.show();
      }
      await panel.update(store.get(), changed);
      panel.element.classList.remove("is-stale");
    } catch (error) {
      changed.forEach((name) => pending.get(id)?.add(name));
      panel.element.classList.add("is-stale");
      app.fail(error);
    }
  }
  const updateSoon = debounce(PAUSE, () => void updateVisible());
  window.addEventListener("resize", () => (choose(), updateSoon()));

  return {
    element: h("section", { class: "side", "aria-label": "Panels" }, tabs.list, tabs.panels),
    /**
     * Follows the selection: another panel at once, all else after a pause.
     * @param {import("pspge/store.js").Selection} _
     * @param {Set<string>} changed
     */
    update(_, changed) {
      for (const names of pending.values()) {
        changed.forEach((name) => name !== "panel" && names.add(name));
      }
      if (changed.has("panel")) {
        choose();
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
      choose();
    },
  };
}
