// page/panels.tsx
import { debounce, h, reveal } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { remember, setting } from "pspge/base/layout.js";
import { render } from "pspge/base/preact.js";
import { Button, IconButton } from "pspge/widgets/controls.js";
import { Host } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var PANELS = [
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
  ["edits", "Edits"]
];
var IDS = PANELS.map(([id]) => id);
var WORKSPACES = [
  { name: "Pixel", panel: "pixel", kept: ["state"] },
  { name: "Mesh", panel: "mesh", kept: ["state"] },
  { name: "Compare", panel: "diff", kept: ["edits"] },
  { name: "Model", panel: "model", kept: ["textures"] }
];
var KEPT = "kept-panels";
var WIDTHS = [1600, 2600];
function panelColumns() {
  return 1 + WIDTHS.filter((width) => window.innerWidth >= width).length;
}
var DRAGGED = "application/x-pspge-panel";
var PAUSE = 120;
var PAUSE_BESIDE = 400;
function panelOfDigit(digit) {
  return IDS[Number(digit)] ?? "state";
}
function titleOf(id) {
  return PANELS.find(([known]) => known === id)?.[1] ?? id;
}
function createPanels(app) {
  const { store } = app;
  const element = h("section", { class: "side", "aria-label": "Panels" });
  const panels = /* @__PURE__ */ new Map();
  const loaded = /* @__PURE__ */ new Map();
  const pending = new Map(IDS.map((id) => [id, /* @__PURE__ */ new Set(["panel"])]));
  let recent = ["frame", "state", "mesh", "textures"];
  let visible = [];
  let kept = setting(KEPT, "state").split(",").filter((id) => IDS.includes(id));
  const hasTab = (id) => id !== "model" || app.input?.kind === "model";
  const part = (name, id) => element.querySelector(`#${name}-${id}`);
  const draw = () => render(/* @__PURE__ */ jsx(Side, {}), element);
  function Side() {
    const press = (event) => {
      const shown = IDS.filter(hasTab);
      const current = shown.findIndex((id2) => part("tab", id2) === document.activeElement);
      const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: shown.length - 1 }[event.key];
      if (next === void 0 || current < 0) {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      const id = shown[(next + shown.length) % shown.length] ?? "";
      app.openPanel(id);
      part("tab", id)?.focus();
    };
    const drop = (event) => {
      const id = event.dataTransfer?.getData(DRAGGED);
      if (id) {
        event.preventDefault();
        keep([id, ...kept.filter((other) => other !== id)].slice(0, Math.max(1, panelColumns() - 1)));
      }
    };
    return /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("div", { class: "tabs", role: "tablist", "aria-label": "Panels", onKeyDown: press, children: PANELS.map(([id, title], index) => /* @__PURE__ */ jsx(
        Button,
        {
          role: "tab",
          id: `tab-${id}`,
          class: visible.includes(id) ? "is-shown" : "",
          "aria-controls": `panel-${id}`,
          "aria-selected": id === recent[0],
          tabIndex: id === recent[0] ? 0 : -1,
          title: `${title} (${index > 0 && index < 10 ? index : keyOf(id)})`,
          hidden: !hasTab(id),
          draggable: true,
          onDragStart: (event) => event.dataTransfer?.setData(DRAGGED, id),
          onClick: () => app.openPanel(id),
          children: title
        },
        id
      )) }),
      /* @__PURE__ */ jsx("div", { class: "tab-panels", onDragOver: (event) => event.dataTransfer?.types.includes(DRAGGED) && event.preventDefault(), onDrop: drop, children: IDS.map((id) => /* @__PURE__ */ jsx("div", { class: "tab-panel", role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, tabIndex: -1, hidden: !visible.includes(id), children: /* @__PURE__ */ jsx(Contents, { id }) }, id)) })
    ] });
  }
  function Contents({ id }) {
    const panel = loaded.get(id);
    if (typeof panel === "string") {
      return /* @__PURE__ */ jsxs("p", { class: "problem", role: "alert", children: [
        `The panel ${titleOf(id)} cannot be loaded: ${panel}.`,
        " ",
        /* @__PURE__ */ jsx(Button, { onClick: () => void retry(id), children: "Try again" })
      ] });
    }
    return panel ? /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsxs("div", { class: "panel-title", children: [
        /* @__PURE__ */ jsx("h2", { children: panel.title }),
        /* @__PURE__ */ jsx(IconButton, { name: "pin", label: `Keep ${panel.title} beside other panels (${keyOf("keep")})`, "aria-pressed": kept.includes(id), onClick: () => toggleKept(id) })
      ] }),
      /* @__PURE__ */ jsx(Host, { element: panel.element })
    ] }) : null;
  }
  function keep(ids) {
    kept = [...ids];
    remember(KEPT, ids.join(","));
    choose();
    updateSoon();
  }
  function toggleKept(id) {
    const isKept = !kept.includes(id);
    keep(isKept ? [...kept, id] : kept.filter((other) => other !== id));
    app.announce(`The panel ${titleOf(id)} ${isKept ? "stays beside others where there is room" : "gives way to others"}.`);
  }
  function choose() {
    const { panel } = store.get();
    const chosen = IDS.includes(panel) ? panel : "state";
    recent = [chosen, ...recent.filter((id) => id !== chosen)];
    const wanted = [.../* @__PURE__ */ new Set([chosen, ...kept, ...recent])];
    const shown = wanted.filter((id) => id === chosen || hasTab(id)).slice(0, panelColumns());
    for (const id of shown.filter((id2) => !visible.includes(id2))) {
      pending.get(id)?.add("panel");
    }
    visible = shown;
    const { activeElement } = document;
    const hadFocus = activeElement?.closest(".tab-panel") && !part("panel", chosen)?.contains(activeElement);
    draw();
    const tab = part("tab", chosen);
    if (tab) {
      reveal(tab);
    }
    if (hadFocus) {
      part("panel", chosen)?.focus({ preventScroll: true });
    }
  }
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
    }).finally(draw);
    panels.set(id, panel);
    return panel;
  }
  async function retry(id) {
    panels.delete(id);
    if (!await panelOf(id) && await app.attempt(app.engine.request({ request: "input", input: 0 }))) {
      store.writeAddress();
      location.reload();
    }
    await updateVisible();
  }
  async function updateVisible() {
    updateBeside();
    await update(recent[0] ?? "state");
  }
  const updateBeside = debounce(PAUSE_BESIDE, () => visible.forEach((id) => void update(id)));
  async function update(id) {
    const panel = app.input?.is_runnable && visible.includes(id) ? await panelOf(id) : null;
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
  const updateSoon = debounce(PAUSE, () => void updateVisible());
  window.addEventListener("resize", () => (choose(), updateSoon()));
  draw();
  return {
    element,
    /** Keeps the chosen panel beside others, or no more. */
    toggleKept: () => toggleKept(recent[0] ?? "state"),
    /** Arranges the panels for a task. */
    arrange({ panel, kept: beside }) {
      keep(beside);
      app.openPanel(panel);
    },
    /** Follows the selection: another panel at once, all else after a pause. */
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
    /** Shows the tabs that the open file has. */
    showTabs: choose
  };
}
export {
  WORKSPACES,
  createPanels,
  panelColumns,
  panelOfDigit
};
