// The panels with their tabs. A panel is loaded when it is shown first, and told what has changed while it is visible.

import { debounce, h, reveal } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { remember, setting } from "pspge/base/layout.js";
import { render } from "pspge/base/preact.js";
import type { App, Panel, Selection } from "pspge/state/app-types.js";
import { Button, IconButton } from "pspge/widgets/controls.js";
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

/** Workspaces: the panel that is opened, and those that are kept beside it. */
export const WORKSPACES = [
  { name: "Pixel", panel: "pixel", kept: ["state"] },
  { name: "Mesh", panel: "mesh", kept: ["state"] },
  { name: "Compare", panel: "diff", kept: ["edits"] },
  { name: "Model", panel: "model", kept: ["textures"] },
] as const;

/** The setting that names the panels that are kept. */
const KEPT = "kept-panels";

/** Widths of the window from which two and three panels stand side by side. */
const WIDTHS = [1600, 2600];

/** Returns the number of panels that stand side by side in this window. */
export function panelColumns(): number {
  return 1 + WIDTHS.filter((width) => window.innerWidth >= width).length;
}

/** The type of a tab that is dragged. */
const DRAGGED = "application/x-pspge-panel";

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
  const panels = new Map<string, Promise<Panel | null>>();
  /** What has been loaded, and why the others have not. */
  const loaded = new Map<string, Panel | string>();
  /** What has changed since each panel was updated. */
  const pending = new Map(IDS.map((id) => [id, new Set(["panel"])]));
  /** The panels in the order in which they were chosen last. */
  let recent = ["frame", "state", "mesh", "textures"];
  /** The panels that can be seen. */
  let visible: string[] = [];
  /** The panels that stay beside the chosen one. */
  let kept = setting(KEPT, "state").split(",").filter((id) => IDS.includes(id));

  const hasTab = (id: string) => id !== "model" || app.input?.kind === "model";
  const part = (name: "tab" | "panel", id: string) => element.querySelector<HTMLElement>(`#${name}-${id}`);
  const draw = () => render(<Side />, element);

  function Side() {
    const press = (event: KeyboardEvent) => {
      const shown = IDS.filter(hasTab);
      const current = shown.findIndex((id) => part("tab", id) === document.activeElement);
      const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: shown.length - 1 }[event.key];
      if (next === undefined || current < 0) {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      const id = shown[(next + shown.length) % shown.length] ?? "";
      app.openPanel(id);
      part("tab", id)?.focus();
    };
    const drop = (event: DragEvent) => {
      const id = event.dataTransfer?.getData(DRAGGED);
      if (id) {
        event.preventDefault();
        // Those that were kept longest give way.
        keep([id, ...kept.filter((other) => other !== id)].slice(0, Math.max(1, panelColumns() - 1)));
      }
    };
    return (
      <>
        <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={press}>
          {PANELS.map(([id, title], index) => (
            <Button
              key={id}
              role="tab"
              id={`tab-${id}`}
              class={visible.includes(id) ? "is-shown" : ""}
              aria-controls={`panel-${id}`}
              aria-selected={id === recent[0]}
              tabIndex={id === recent[0] ? 0 : -1}
              title={`${title} (${index > 0 && index < 10 ? index : keyOf(id)})`}
              hidden={!hasTab(id)}
              draggable
              onDragStart={(event) => event.dataTransfer?.setData(DRAGGED, id)}
              onClick={() => app.openPanel(id)}
            >
              {title}
            </Button>
          ))}
        </div>
        <div class="tab-panels" onDragOver={(event) => event.dataTransfer?.types.includes(DRAGGED) && event.preventDefault()} onDrop={drop}>
          {IDS.map((id) => (
            <div key={id} class="tab-panel" role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`} tabIndex={-1} hidden={!visible.includes(id)}>
              <Contents id={id} />
            </div>
          ))}
        </div>
      </>
    );
  }

  /** A panel with its title, or why it could not be loaded. */
  function Contents({ id }: { id: string }) {
    const panel = loaded.get(id);
    if (typeof panel === "string") {
      return (
        <p class="problem" role="alert">{`The panel ${titleOf(id)} cannot be loaded: ${panel}.`} <Button onClick={() => void retry(id)}>Try again</Button></p>
      );
    }
    return panel ? (
      <>
        {/* A panel alone has its tab as title; its heading is for screen readers then. */}
        <div class="panel-title">
          <h2>{panel.title}</h2>
          <IconButton name="pin" label={`Keep ${panel.title} beside other panels (${keyOf("keep")})`} aria-pressed={kept.includes(id)} onClick={() => toggleKept(id)} />
        </div>
        <Host element={panel.element} />
      </>
    ) : null;
  }

  function keep(ids: readonly string[]) {
    kept = [...ids];
    remember(KEPT, ids.join(","));
    choose();
    updateSoon();
  }

  /** Keeps a panel beside others, or no more. */
  function toggleKept(id: string) {
    const isKept = !kept.includes(id);
    keep(isKept ? [...kept, id] : kept.filter((other) => other !== id));
    app.announce(`The panel ${titleOf(id)} ${isKept ? "stays beside others where there is room" : "gives way to others"}.`);
  }

  /** Shows the chosen panel, and beside it those that are kept or were chosen before, as far as the window is wide enough. */
  function choose() {
    const { panel } = store.get();
    const chosen = IDS.includes(panel) ? panel : "state";
    recent = [chosen, ...recent.filter((id) => id !== chosen)];
    const wanted = [...new Set([chosen, ...kept, ...recent])];
    const shown = wanted.filter((id) => id === chosen || hasTab(id)).slice(0, panelColumns());
    for (const id of shown.filter((id) => !visible.includes(id))) {
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
    // The focused control is hidden now; without this the focus would start again at the top of the page.
    if (hadFocus) {
      part("panel", chosen)?.focus({ preventScroll: true });
    }
  }

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
      .finally(draw);
    panels.set(id, panel);
    return panel;
  }

  /** Loads a panel again. Browsers remember that a module has failed, until the page is loaded anew. */
  async function retry(id: string) {
    panels.delete(id);
    if (!(await panelOf(id)) && (await app.attempt(app.engine.request({ request: "input", input: 0 })))) {
      store.writeAddress();
      location.reload();
    }
    await updateVisible();
  }


  /** Tells the chosen panel what has changed, and soon those beside it. */
  async function updateVisible() {
    updateBeside();
    await update(recent[0] ?? "state");
  }
  const updateBeside = debounce(PAUSE_BESIDE, () => visible.forEach((id) => void update(id)));

  async function update(id: string) {
    const panel = app.input?.is_runnable && visible.includes(id) ? await panelOf(id) : null;
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
  }
  const updateSoon = debounce(PAUSE, () => void updateVisible());
  window.addEventListener("resize", () => (choose(), updateSoon()));
  draw();

  return {
    element,
    /** Keeps the chosen panel beside others, or no more. */
    toggleKept: () => toggleKept(recent[0] ?? "state"),
    /** Arranges the panels for a task. */
    arrange({ panel, kept: beside }: (typeof WORKSPACES)[number]) {
      keep(beside);
      app.openPanel(panel);
    },
    /** Follows the selection: another panel at once, all else after a pause. */
    update(_: Selection, changed: Set<string>) {
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
    showTabs: choose,
  };
}
