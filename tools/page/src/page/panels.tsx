// The panels with their tabs: which can be seen, and where they stand.

import { debounce, h, reveal } from "pspge/base/dom.js";
import { keyOf, takeKey } from "pspge/base/keys.js";
import { remember, setting } from "pspge/base/layout.js";
import { render } from "pspge/base/preact.js";
import { ALL_TABS, backToTabs, besideTabs, type Dock, dockAt, float, type Floating, leavesOf, type Places, readPlaces, replaceDocked, type Side, TABS } from "pspge/page/docks.js";
import { floatingAt, FloatingFrame, MoveButton } from "pspge/page/floating.js";
import { createPanelDrag } from "pspge/page/panel-drag.js";
import { createPanelModules } from "pspge/page/panel-modules.js";
import type { App, Selection } from "pspge/state/app-types.js";
import { Button, IconButton, Splitter } from "pspge/widgets/controls.js";
import { Host } from "pspge/widgets/panel.js";

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
] as const;
const IDS: readonly string[] = PANELS.map(([id]) => id);

/** Workspaces: the panel that is opened, and those that are kept beside it. Each remembers how its panels were placed. */
export const WORKSPACES = [
  { name: "Usual", panel: "frame", kept: ["state"] },
  { name: "Pixel", panel: "pixel", kept: ["state"] },
  { name: "Mesh", panel: "mesh", kept: ["state"] },
  { name: "Compare", panel: "diff", kept: ["edits"] },
  { name: "Model", panel: "model", kept: ["textures"] },
] as const;

type Workspace = (typeof WORKSPACES)[number];

/** Where a panel can be placed. */
export type Place = Side | "tabs" | "floating";
/** How places at a side are named. */
export const PLACES: Record<Side, string> = { left: "left of", right: "right of", above: "above", below: "below" };

/** Where the chosen panel is, for the menu. */
export interface Placement {
  title: string;
  place: "tabs" | "docked" | "floating";
  others: { value: string; text: string }[];
}

/** Widths of the window from which two and three panels stand side by side. */
const WIDTHS = [1600, 2600];

/** Returns the number of panels that stand side by side in this window. */
export function panelColumns(): number {
  return 1 + WIDTHS.filter((width) => window.innerWidth >= width).length;
}

/** Pause before the panels follow the selection, so that steps through events stay fast. */
const PAUSE = 120;
/** The same for panels beside the chosen one, because their work would delay the next picture while somebody steps through events. */
const PAUSE_BESIDE = 400;

/** Returns the panel that a digit opens. */
export function panelOfDigit(digit: string): string {
  return IDS[Number(digit)] ?? "state";
}

function titleOf(id: string): string {
  return PANELS.find(([known]) => known === id)?.[1] ?? id;
}

/** Creates the panels. */
export function createPanels(app: App) {
  const { store } = app;
  const element = h("section", { class: "side", "aria-label": "Panels" });
  /** The panels in the order in which they were chosen last. */
  let recent = ["frame", "state", "mesh", "textures"];
  /** The panels that can be seen, those among the tabs first. */
  let visible: string[] = [];
  let workspace: Workspace = WORKSPACES.find(({ name }) => name === setting("workspace", "")) ?? WORKSPACES[0];
  /** The panels that stay beside the chosen one. */
  let kept: string[] = [];
  let places: Places = ALL_TABS;
  /** A workspace remembers its own places. */
  const key = (name: string) => `${name}-${workspace.name}`;
  const load = () => {
    kept = setting(key("kept"), workspace.kept.join(",")).split(",").filter((id) => IDS.includes(id));
    places = readPlaces(setting(key("places"), ""), IDS);
  };
  load();

  const hasTab = (id: string) => id !== "model" || app.input?.kind === "model";
  const part = (name: "tab" | "panel", id: string) => document.getElementById(`${name}-${id}`);
  const floating = h("div", { class: "floating-panels" });
  const draw = () => {
    render(<Side />, element);
    render(<FloatingPanels />, floating);
  };
  const drag = createPanelDrag(IDS, draw);
  const modules = createPanelModules(app, IDS, draw);

  function Side() {
    const press = (event: KeyboardEvent) => {
      const shown = IDS.filter(hasTab);
      const current = shown.findIndex((id) => part("tab", id) === document.activeElement);
      const go = (next: number) => () => {
        const id = shown[(next + shown.length) % shown.length];
        app.openPanel(id);
        part("tab", id)?.focus();
      };
      takeKey(event, { ArrowLeft: go(current - 1), ArrowRight: go(current + 1), Home: go(0), End: go(-1) });
    };
    return (
      <>
        <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={press} {...drag.whole((id) => setPlaces(backToTabs(places, id)))}>
          {PANELS.map(([id, title], index) => (
            <Button
              key={id}
              role="tab"
              id={`tab-${id}`}
              class={visible.includes(id) ? "is-shown" : ""}
              aria-controls={`panel-${id}`}
              aria-selected={id === recent[0]}
              tabIndex={id === recent[0] ? 0 : -1}
              title={`${title} (${index > 0 && index < 10 ? index : keyOf(id)}); drag it to a place where it stays`}
              hidden={!hasTab(id)}
              {...drag.source(id)}
              onClick={() => app.openPanel(id)}
            >
              {title}
            </Button>
          ))}
        </div>
        <div class="dock"><Docked dock={shownDock()} path="" /></div>
      </>
    );
  }

  /** A part of the dock, with a border that can be moved between two parts. */
  function Docked({ dock, path }: { dock: Dock; path: string }) {
    if (typeof dock !== "string") {
      const [first, second] = dock.parts;
      return (
        <div class="dock-split" data-direction={dock.isRow ? "row" : "column"}>
          <Docked dock={first} path={`${path}0`} />
          <Splitter label="Border between panels" name="dock" variant={`-${key(path)}`} usual={50} least={10} most={90} isVertical={dock.isRow} />
          <Docked dock={second} path={`${path}1`} />
        </div>
      );
    }
    const target = drag.part(dock, (id, side) => dropAt(id, dock, side));
    return dock === TABS ? (
      <div class="tab-panels" {...target}>
        {IDS.filter((id) => !isPlaced(id)).map((id) => <PanelBox key={id} id={id} />)}
      </div>
    ) : (
      <div class="docked" {...target}><PanelBox id={dock} /></div>
    );
  }

  function FloatingPanels() {
    // Their order in the page stays, because elements that are moved lose the focus.
    return (
      <>
        {IDS.flatMap((id) => {
          const order = places.floating.findIndex((place) => place.id === id);
          const place = places.floating[order];
          return place && hasTab(id) ? [<FloatingFrame key={id} {...{ place, order }} onChange={raise}><PanelBox id={id} /></FloatingFrame>] : [];
        })}
      </>
    );
  }

  function PanelBox({ id }: { id: string }) {
    return (
      <div class="tab-panel" role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`} tabIndex={-1} hidden={!visible.includes(id)}>
        <Contents id={id} />
      </div>
    );
  }

  /** A panel with its title, or why it could not be loaded. */
  function Contents({ id }: { id: string }) {
    const panel = modules.loaded(id);
    if (typeof panel === "string") {
      return (
        <p class="problem" role="alert">{`The panel ${titleOf(id)} cannot be loaded: ${panel}.`} <Button onClick={() => void modules.retry(id).then(updateVisible)}>Try again</Button></p>
      );
    }
    const place = places.floating.find((other) => other.id === id);
    return panel ? (
      <>
        {/* A panel alone among the tabs has its tab as title; its heading is for screen readers then. */}
        <div class="panel-title" {...(place ? {} : drag.source(id))}>
          <h2>{panel.title}</h2>
          {place && <MoveButton title={panel.title} place={place} onChange={raise} />}
          {isPlaced(id) ? (
            <IconButton name="close" label={`Put ${panel.title} back among the tabs`} onClick={() => placePanel(id, "tabs")} />
          ) : (
            <IconButton name="pin" label={`Keep ${panel.title} beside other panels (${keyOf("keep")})`} aria-pressed={kept.includes(id)} onClick={() => toggleKept(id)} />
          )}
        </div>
        <Host element={panel.element} />
      </>
    ) : null;
  }

  function isPlaced(id: string) {
    return leavesOf(places.dock).includes(id) || places.floating.some((place) => place.id === id);
  }

  /** The dock without panels that the open file does not have. */
  function shownDock(): Dock {
    return IDS.filter((id) => !hasTab(id)).reduce(backToTabs, places).dock;
  }

  function dropAt(id: string, leaf: string, side: Side | "in") {
    if (id === leaf) {
      return;
    }
    if (side !== "in") {
      setPlaces(dockAt(places, id, leaf, side));
    } else if (leaf !== TABS) {
      setPlaces(replaceDocked(places, id, leaf));
    } else {
      // Those that were kept longest give way.
      setPlaces(backToTabs(places, id), [id, ...kept.filter((other) => other !== id)].slice(0, Math.max(1, panelColumns() - 1)));
    }
  }

  function setPlaces(next: Places, ids: readonly string[] = kept) {
    rememberPlaces(next, ids);
    choose();
    updateSoon();
  }

  function rememberPlaces(next: Places, ids: readonly string[] = kept) {
    [places, kept] = [next, [...ids]];
    remember(key("places"), JSON.stringify(places));
    remember(key("kept"), kept.join(","));
  }

  /** Moves a panel that floats, above the others. */
  function raise(place: Floating) {
    rememberPlaces(float(places, place));
    draw();
  }

  /** Places a panel at a side of another one or of the tabs. */
  function placePanel(id: string, place: Place, leaf = TABS) {
    const next = place === "tabs" ? backToTabs(places, id) : place === "floating" ? float(places, floatingAt(id)) : dockAt(places, id, leaf, place);
    setPlaces(next);
    app.announce(`The panel ${titleOf(id)} ${place === "tabs" ? "is among the tabs" : place === "floating" ? "floats" : `stands ${PLACES[place]} ${leaf === TABS ? "the tabs" : titleOf(leaf)}`}.`);
  }

  /** Keeps a panel beside others, or no more. */
  function toggleKept(id: string) {
    const isKept = !kept.includes(id);
    setPlaces(places, isKept ? [...kept, id] : kept.filter((other) => other !== id));
    app.announce(`The panel ${titleOf(id)} ${isKept ? "stays beside others where there is room" : "gives way to others"}.`);
  }

  /** Shows the chosen panel, and beside it those that are kept or were chosen before, as far as the window is wide enough. */
  function choose() {
    const { panel } = store.get();
    const chosen = IDS.includes(panel) ? panel : "state";
    const isOther = chosen !== recent[0];
    recent = [chosen, ...recent.filter((id) => id !== chosen)];
    const above = places.floating.find(({ id }) => id === chosen);
    places = above ? float(places, above) : places;
    const wanted = [...new Set([chosen, ...kept, ...recent, ...IDS])];
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
    // The focus follows to a panel that was opened from another one. If the focused control is hidden now, the focus would start
    // again at the top of the page.
    if (focused && !part("panel", chosen)?.contains(focused) && (isOther || !focused.checkVisibility())) {
      part("panel", chosen)?.focus({ preventScroll: true });
    }
  }

  /** Tells the chosen panel what has changed, and soon those beside it. */
  async function updateVisible() {
    updateBeside();
    await update(recent[0] ?? "state");
  }
  const updateBeside = debounce(PAUSE_BESIDE, () => visible.forEach((id) => void update(id)));

  async function update(id: string) {
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
    arrange(chosen: Workspace) {
      if (chosen === workspace) {
        rememberPlaces(ALL_TABS, chosen.kept);
      } else {
        workspace = chosen;
        remember("workspace", workspace.name);
        load();
      }
      // Who opens another panel shows the places, too.
      if (store.get().panel === chosen.panel) {
        choose();
        updateSoon();
      }
      app.openPanel(chosen.panel);
    },
    workspace: () => workspace,
    /** The chosen panel, where it is placed, and the parts beside which it can be docked. */
    placement(): Placement {
      const id = recent[0] ?? "state";
      const others = leavesOf(places.dock).filter((leaf) => leaf !== id && (leaf === TABS || hasTab(leaf)));
      const place = places.floating.some((other) => other.id === id) ? "floating" : isPlaced(id) ? "docked" : "tabs";
      return { title: titleOf(id), place, others: others.map((leaf) => ({ value: leaf, text: leaf === TABS ? "the tabs" : titleOf(leaf) })) };
    },
    place: (place: Place, leaf: string) => placePanel(recent[0] ?? "state", place, leaf),
    /** Follows the selection: another panel at once, all else after a pause. */
    update(_: Selection, changed: Set<string>) {
      modules.note([...changed].filter((name) => name !== "panel"));
      if (changed.has("panel")) {
        choose();
        void updateVisible();
      }
      updateSoon();
    },
    /** Shows the tabs that the open file has. */
    showTabs: choose,
  };
}
