// page/panels.tsx
import { debounce, h, reveal } from "pspge/base/dom.js";
import { keyOf, takeKey } from "pspge/base/keys.js";
import { remember, setting } from "pspge/base/layout.js";
import { render } from "pspge/base/preact.js";
import { ALL_TABS, backToTabs, besideTabs, dockAt, float, leavesOf, readPlaces, replaceDocked, TABS } from "pspge/page/docks.js";
import { floatingAt, FloatingFrame, MoveButton } from "pspge/page/floating.js";
import { createPanelDrag } from "pspge/page/panel-drag.js";
import { createPanelModules } from "pspge/page/panel-modules.js";
import { Button, IconButton, Splitter } from "pspge/widgets/controls.js";
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
  { name: "Usual", panel: "frame", kept: ["state"] },
  { name: "Pixel", panel: "pixel", kept: ["state"] },
  { name: "Mesh", panel: "mesh", kept: ["state"] },
  { name: "Compare", panel: "diff", kept: ["edits"] },
  { name: "Model", panel: "model", kept: ["textures"] }
];
var PLACES = { left: "left of", right: "right of", above: "above", below: "below" };
var WIDTHS = [1600, 2600];
function panelColumns() {
  return 1 + WIDTHS.filter((width) => window.innerWidth >= width).length;
}
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
  let recent = ["frame", "state", "mesh", "textures"];
  let visible = [];
  let workspace = WORKSPACES.find(({ name }) => name === setting("workspace", "")) ?? WORKSPACES[0];
  let kept = [];
  let places = ALL_TABS;
  const key = (name) => `${name}-${workspace.name}`;
  const load = () => {
    kept = setting(key("kept"), workspace.kept.join(",")).split(",").filter((id) => IDS.includes(id));
    places = readPlaces(setting(key("places"), ""), IDS);
  };
  load();
  const hasTab = (id) => id !== "model" || app.input?.kind === "model";
  const part = (name, id) => document.getElementById(`${name}-${id}`);
  const floating = h("div", { class: "floating-panels" });
  const draw = () => {
    render(/* @__PURE__ */ jsx(Side, {}), element);
    render(/* @__PURE__ */ jsx(FloatingPanels, {}), floating);
  };
  const drag = createPanelDrag(IDS, draw);
  const modules = createPanelModules(app, IDS, draw);
  function Side() {
    const press = (event) => {
      const shown = IDS.filter(hasTab);
      const current = shown.findIndex((id) => part("tab", id) === document.activeElement);
      const go = (next) => () => {
        const id = shown[(next + shown.length) % shown.length];
        app.openPanel(id);
        part("tab", id)?.focus();
      };
      takeKey(event, { ArrowLeft: go(current - 1), ArrowRight: go(current + 1), Home: go(0), End: go(-1) });
    };
    return /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("div", { class: "tabs", role: "tablist", "aria-label": "Panels", onKeyDown: press, ...drag.whole((id) => setPlaces(backToTabs(places, id))), children: PANELS.map(([id, title], index) => /* @__PURE__ */ jsx(
        Button,
        {
          role: "tab",
          id: `tab-${id}`,
          class: visible.includes(id) ? "is-shown" : "",
          "aria-controls": `panel-${id}`,
          "aria-selected": id === recent[0],
          tabIndex: id === recent[0] ? 0 : -1,
          title: `${title} (${index > 0 && index < 10 ? index : keyOf(id)}); drag it to a place where it stays`,
          hidden: !hasTab(id),
          ...drag.source(id),
          onClick: () => app.openPanel(id),
          children: title
        },
        id
      )) }),
      /* @__PURE__ */ jsx("div", { class: "dock", children: /* @__PURE__ */ jsx(Docked, { dock: shownDock(), path: "" }) })
    ] });
  }
  function Docked({ dock, path }) {
    if (typeof dock !== "string") {
      const [first, second] = dock.parts;
      return /* @__PURE__ */ jsxs("div", { class: "dock-split", "data-direction": dock.isRow ? "row" : "column", children: [
        /* @__PURE__ */ jsx(Docked, { dock: first, path: `${path}0` }),
        /* @__PURE__ */ jsx(Splitter, { label: "Border between panels", name: "dock", variant: `-${key(path)}`, usual: 50, least: 10, most: 90, isVertical: dock.isRow }),
        /* @__PURE__ */ jsx(Docked, { dock: second, path: `${path}1` })
      ] });
    }
    const target = drag.part(dock, (id, side) => dropAt(id, dock, side));
    return dock === TABS ? /* @__PURE__ */ jsx("div", { class: "tab-panels", ...target, children: IDS.filter((id) => !isPlaced(id)).map((id) => /* @__PURE__ */ jsx(PanelBox, { id }, id)) }) : /* @__PURE__ */ jsx("div", { class: "docked", ...target, children: /* @__PURE__ */ jsx(PanelBox, { id: dock }) });
  }
  function FloatingPanels() {
    return /* @__PURE__ */ jsx(Fragment, { children: IDS.flatMap((id) => {
      const order = places.floating.findIndex((place2) => place2.id === id);
      const place = places.floating[order];
      return place && hasTab(id) ? [/* @__PURE__ */ jsx(FloatingFrame, { ...{ place, order }, onChange: raise, children: /* @__PURE__ */ jsx(PanelBox, { id }) }, id)] : [];
    }) });
  }
  function PanelBox({ id }) {
    return /* @__PURE__ */ jsx("div", { class: "tab-panel", role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, tabIndex: -1, hidden: !visible.includes(id), children: /* @__PURE__ */ jsx(Contents, { id }) });
  }
  function Contents({ id }) {
    const panel = modules.loaded(id);
    if (typeof panel === "string") {
      return /* @__PURE__ */ jsxs("p", { class: "problem", role: "alert", children: [
        `The panel ${titleOf(id)} cannot be loaded: ${panel}.`,
        " ",
        /* @__PURE__ */ jsx(Button, { onClick: () => void modules.retry(id).then(updateVisible), children: "Try again" })
      ] });
    }
    const place = places.floating.find((other) => other.id === id);
    return panel ? /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsxs("div", { class: "panel-title", ...place ? {} : drag.source(id), children: [
        /* @__PURE__ */ jsx("h2", { children: panel.title }),
        place && /* @__PURE__ */ jsx(MoveButton, { title: panel.title, place, onChange: raise }),
        isPlaced(id) ? /* @__PURE__ */ jsx(IconButton, { name: "close", label: `Put ${panel.title} back among the tabs`, onClick: () => placePanel(id, "tabs") }) : /* @__PURE__ */ jsx(IconButton, { name: "pin", label: `Keep ${panel.title} beside other panels (${keyOf("keep")})`, "aria-pressed": kept.includes(id), onClick: () => toggleKept(id) })
      ] }),
      /* @__PURE__ */ jsx(Host, { element: panel.element })
    ] }) : null;
  }
  function isPlaced(id) {
    return leavesOf(places.dock).includes(id) || places.floating.some((place) => place.id === id);
  }
  function shownDock() {
    return IDS.filter((id) => !hasTab(id)).reduce(backToTabs, places).dock;
  }
  function dropAt(id, leaf, side) {
    if (id === leaf) {
      return;
    }
    if (side !== "in") {
      setPlaces(dockAt(places, id, leaf, side));
    } else if (leaf !== TABS) {
      setPlaces(replaceDocked(places, id, leaf));
    } else {
      setPlaces(backToTabs(places, id), [id, ...kept.filter((other) => other !== id)].slice(0, Math.max(1, panelColumns() - 1)));
    }
  }
  function setPlaces(next, ids = kept) {
    rememberPlaces(next, ids);
    choose();
    updateSoon();
  }
  function rememberPlaces(next, ids = kept) {
    [places, kept] = [next, [...ids]];
    remember(key("places"), JSON.stringify(places));
    remember(key("kept"), kept.join(","));
  }
  function raise(place) {
    rememberPlaces(float(places, place));
    draw();
  }
  function placePanel(id, place, leaf = TABS) {
    const next = place === "tabs" ? backToTabs(places, id) : place === "floating" ? float(places, floatingAt(id)) : dockAt(places, id, leaf, place);
    setPlaces(next);
    app.announce(`The panel ${titleOf(id)} ${place === "tabs" ? "is among the tabs" : place === "floating" ? "floats" : `stands ${PLACES[place]} ${leaf === TABS ? "the tabs" : titleOf(leaf)}`}.`);
  }
  function toggleKept(id) {
    const isKept = !kept.includes(id);
    setPlaces(places, isKept ? [...kept, id] : kept.filter((other) => other !== id));
    app.announce(`The panel ${titleOf(id)} ${isKept ? "stays beside others where there is room" : "gives way to others"}.`);
  }
  function choose() {
    const { panel } = store.get();
    const chosen = IDS.includes(panel) ? panel : "state";
    const isOther = chosen !== recent[0];
    recent = [chosen, ...recent.filter((id) => id !== chosen)];
    const above = places.floating.find(({ id }) => id === chosen);
    places = above ? float(places, above) : places;
    const wanted = [.../* @__PURE__ */ new Set([chosen, ...kept, ...recent, ...IDS])];
    const tabbed = wanted.filter((id) => !isPlaced(id) && (id === chosen || hasTab(id))).slice(0, Math.max(1, panelColumns() - besideTabs(shownDock())));
    const shown = [...tabbed, ...IDS.filter((id) => isPlaced(id) && hasTab(id))];
    shown.filter((id) => !visible.includes(id)).forEach((id) => modules.note(["panel"], id));
    visible = shown;
    const focused = document.activeElement?.closest(".tab-panel") ? document.activeElement : null;
    draw();
    const tab = part("tab", chosen);
    if (tab) {
      reveal(tab);
    }
    if (focused && !part("panel", chosen)?.contains(focused) && (isOther || !focused.checkVisibility())) {
      part("panel", chosen)?.focus({ preventScroll: true });
    }
  }
  async function updateVisible() {
    updateBeside();
    await update(recent[0] ?? "state");
  }
  const updateBeside = debounce(PAUSE_BESIDE, () => visible.forEach((id) => void update(id)));
  async function update(id) {
    if (app.input?.is_runnable && visible.includes(id)) {
      await modules.update(id);
    }
  }
  const updateSoon = debounce(PAUSE, () => void updateVisible());
  window.addEventListener("resize", () => (choose(), updateSoon()));
  drag.elsewhere((id, place) => setPlaces(float(places, floatingAt(id, place))));
  draw();
  return {
    element,
    floating,
    /** Keeps the chosen panel beside others, or no more. */
    toggleKept: () => toggleKept(recent[0] ?? "state"),
    /** Arranges the panels for a task. */
    arrange(chosen) {
      if (chosen === workspace) {
        rememberPlaces(ALL_TABS, chosen.kept);
      } else {
        workspace = chosen;
        remember("workspace", workspace.name);
        load();
      }
      if (store.get().panel === chosen.panel) {
        choose();
        updateSoon();
      }
      app.openPanel(chosen.panel);
    },
    workspace: () => workspace,
    /** The chosen panel, where it is placed, and the parts beside which it can be docked. */
    placement() {
      const id = recent[0] ?? "state";
      const others = leavesOf(places.dock).filter((leaf) => leaf !== id && (leaf === TABS || hasTab(leaf)));
      const place = places.floating.some((other) => other.id === id) ? "floating" : isPlaced(id) ? "docked" : "tabs";
      return { title: titleOf(id), place, others: others.map((leaf) => ({ value: leaf, text: leaf === TABS ? "the tabs" : titleOf(leaf) })) };
    },
    place: (place, leaf) => placePanel(recent[0] ?? "state", place, leaf),
    /** Follows the selection: another panel at once, all else after a pause. */
    update(_, changed) {
      modules.note([...changed].filter((name) => name !== "panel"));
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
  PLACES,
  WORKSPACES,
  createPanels,
  panelColumns,
  panelOfDigit
};
