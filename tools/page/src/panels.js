// The panels with their tabs. A panel is loaded when it is shown first, and told what has changed while it is visible.

import { debounce, h, iconButton } from "pspge/dom.js";
import { keyOf } from "pspge/keys.js";
import { remember, setting, tabList } from "pspge/layout.js";

/** @typedef {import("pspge/app-types.js").App} App */
/** @typedef {import("pspge/app-types.js").Panel} Panel */

/** The panels, in the order of their tabs. Those between the first and the last have a digit as their key. */
const PANELS = [
  ["frame", "Frame"],
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

/** Workspaces: the panel that is opened, and those that are kept beside it. */
export const WORKSPACES = /** @type {const} */ ([
  { name: "Pixel", panel: "pixel", kept: ["state"] },
  { name: "Mesh", panel: "mesh", kept: ["state"] },
  { name: "Compare", panel: "diff", kept: ["edits"] },
  { name: "Model", panel: "model", kept: ["mesh"] },
]);

/** The setting that names the panels that are kept. */
const KEPT = "kept-panels";

/** Widths of the window from which two and three panels stand side by side. */
const WIDTHS = [1600, 2600];

/** Returns the number of panels that stand side by side in this window. */
export function panelColumns() {
  return 1 + WIDTHS.filter((width) => window.innerWidth >= width).length;
}

/** The type of a tab that is dragged. */
const DRAGGED = "application/x-pspge-panel";

/** Pause before the panels follow the selection, so that steps through events stay fast. */
const PAUSE = 120;
/** The same for panels beside the chosen one, whose work would delay the next picture of who steps on. */
const PAUSE_BESIDE = 400;

/**
 * Returns the panel that a digit opens.
 * @param {string} digit
 * @returns {string}
 */
export function panelOfDigit(digit) {
  return PANELS[Number(digit)]?.[0] ?? "state";
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
      hint: `${title} (${index > 0 && index < 10 ? index : keyOf(id)})`,
    })),
    onchoose: (id) => app.openPanel(id),
  });
  /** @type {Map<string, Promise<Panel | null>>} */
  const panels = new Map();
  /** @type {Map<string, Set<string>>} What has changed since each panel was updated. */
  const pending = new Map(PANELS.map(([id = ""]) => [id, new Set(["panel"])]));
  /** The panels in the order in which they were chosen last. */
  let recent = ["frame", "state", "mesh", "textures"];
  /** @type {string[]} The panels that can be seen. */
  let visible = [];
  /** The panels that stay beside the chosen one. */
  let kept = setting(KEPT, "state").split(",").filter((id) => PANELS.some(([known]) => known === id));
  /** @type {Map<string, HTMLElement>} The buttons that keep a panel. */
  const keepers = new Map();

  /** @param {string[]} ids */
  function keep(ids) {
    kept = ids;
    remember(KEPT, ids.join(","));
    for (const [id, button] of keepers) {
      button.setAttribute("aria-pressed", String(kept.includes(id)));
    }
    choose();
    updateSoon();
  }

  /** Keeps a panel beside others, or no more. @param {string} id */
  function toggleKept(id) {
    const isKept = !kept.includes(id);
    keep(isKept ? [...kept, id] : kept.filter((other) => other !== id));
    app.announce(`The panel ${PANELS.find(([known]) => known === id)?.[1]} ${isKept ? "stays beside others where there is room" : "gives way to others"}.`);
  }

  /** Shows the chosen panel, and beside it those that are kept or were chosen before, as far as the window is wide enough. */
  function choose() {
    const { panel } = store.get();
    const chosen = PANELS.some(([id]) => id === panel) ? panel : "state";
    recent = [chosen, ...recent.filter((id) => id !== chosen)];
    const wanted = [...new Set([chosen, ...kept, ...recent])];
    const possible = wanted.filter((id) => id === chosen || id !== "model" || app.input?.kind === "model");
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
        const label = `Keep ${panel.title} beside other panels (${keyOf("keep")})`;
        const keeper = iconButton("pin", label, () => toggleKept(id), { "aria-pressed": String(kept.includes(id)) });
        keepers.set(id, keeper);
        place?.replaceChildren(h("div", { class: "panel-title" }, h("h2", null, panel.title), keeper), panel.element);
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

  /** Tells the chosen panel what has changed, and soon those beside it. */
  async function updateVisible() {
    updateBeside();
    await update(recent[0] ?? "state");
  }
  const updateBeside = debounce(PAUSE_BESIDE, () => visible.forEach((id) => void update(id)));

  /** @param {string} id */
  async function update(id) {
    const panel = app.input?.is_runnable && visible.includes(id) ? await panelOf(id) : null;
    const changed = pending.get(id) ?? new Set();
    if (!panel || changed.size === 0) {
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

  tabs.list.addEventListener("dragstart", (event) => {
    const id = /** @type {HTMLElement} */ (event.target).id.replace("tab-", "");
    event.dataTransfer?.setData(DRAGGED, id);
  });
  tabs.panels.addEventListener("dragover", (event) => event.dataTransfer?.types.includes(DRAGGED) && event.preventDefault());
  tabs.panels.addEventListener("drop", (event) => {
    const id = event.dataTransfer?.getData(DRAGGED);
    if (id) {
      event.preventDefault();
      // Those that were kept longest give way.
      keep([id, ...kept.filter((other) => other !== id)].slice(0, Math.max(1, panelColumns() - 1)));
    }
  });

  return {
    element: h("section", { class: "side", "aria-label": "Panels" }, tabs.list, tabs.panels),
    /** Keeps the chosen panel beside others, or no more. */
    toggleKept: () => toggleKept(recent[0] ?? "state"),
    /** Arranges the panels for a task. @param {typeof WORKSPACES[number]} workspace */
    arrange({ panel, kept: beside }) {
      keep([...beside]);
      app.openPanel(panel);
    },
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
