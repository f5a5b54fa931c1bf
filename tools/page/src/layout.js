// Splitters, tabs and remembered settings of the page.

import { h, reveal } from "pspge/dom.js";

/**
 * Returns the font size of the page in CSS pixels, which lengths on canvases follow.
 * @returns {number}
 */
export function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/**
 * Returns a remembered setting.
 * @param {string} name
 * @param {string} usual
 * @returns {string}
 */
export function setting(name, usual) {
  try {
    return localStorage.getItem(`pspge.${name}`) ?? usual;
  } catch {
    return usual;
  }
}

/**
 * Remembers a setting. Browsers that allow no storage forget it.
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(`pspge.${name}`, value);
  } catch {
    // The setting then lasts as long as the page.
  }
}

/**
 * Creates a splitter between two panes. It sets the share of the first pane, in percent of their parent, as a CSS
 * variable of the parent; `fromEnd` measures the pane at the other side. Each `variant` has a share of its own.
 * @param {{label: string, name: string, variant?: () => string, usual: number | (() => number), least: number, most: number, fromEnd?: boolean, isVertical: () => boolean, parent: () => HTMLElement | null}} options
 * @returns {HTMLElement}
 */
export function splitter(options) {
  const { label, name, least, most, fromEnd = false, isVertical, parent } = options;
  const usual = () => (typeof options.usual === "number" ? options.usual : options.usual());
  const element = h("div", {
    class: "splitter",
    role: "separator",
    tabindex: 0,
    "aria-label": label,
    title: `${label}: drag, or arrow keys; double click resets`,
  });
  const key = () => `${name}${options.variant?.() ?? ""}${isVertical() ? "" : "-below"}`;
  let share = usual();
  const apply = (/** @type {number} */ wanted) => {
    share = Math.max(least, Math.min(most, wanted));
    parent()?.style.setProperty(`--${name}`, `${share}%`);
    element.setAttribute("aria-valuenow", String(Math.round(share)));
  };
  element.setAttribute("aria-valuemin", String(least));
  element.setAttribute("aria-valuemax", String(most));
  const load = () => {
    element.setAttribute("aria-orientation", isVertical() ? "vertical" : "horizontal");
    apply(Number(setting(key(), "")) || usual());
  };
  const change = (/** @type {number} */ wanted) => {
    apply(wanted);
    remember(key(), String(share));
  };
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    element.focus();
    element.setPointerCapture(event.pointerId);
    element.classList.add("is-dragged");
  });
  element.addEventListener("pointermove", (event) => {
    const box = parent()?.getBoundingClientRect();
    if (!box || !element.hasPointerCapture(event.pointerId)) {
      return;
    }
    const part = isVertical() ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    change(100 * (fromEnd ? 1 - part : part));
  });
  element.addEventListener("lostpointercapture", () => element.classList.remove("is-dragged"));
  element.addEventListener("dblclick", () => change(usual()));
  element.addEventListener("keydown", (event) => {
    const direction = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (direction !== undefined) {
      change(share + direction * (fromEnd ? -2 : 2));
    } else if (event.key === "Home" || event.key === "End") {
      change(event.key === "Home" ? least : most);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  queueMicrotask(load);
  element.addEventListener("layout", load);
  return element;
}

/**
 * @typedef {{id: string, title: string, hint: string}} Tab
 */

/**
 * Creates a list of tabs with their panels, after the ARIA pattern: arrows move between tabs, and only the chosen one is
 * in the order of Tab.
 * @param {{label: string, tabs: Tab[], onchoose: (id: string) => void}} options
 */
export function tabList({ label, tabs, onchoose }) {
  /** @type {Map<string, {tab: HTMLButtonElement, panel: HTMLElement}>} */
  const parts = new Map();
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": label });
  const panels = h("div", { class: "tab-panels" });
  for (const { id, title, hint } of tabs) {
    const tab = h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${id}`,
        "aria-controls": `panel-${id}`,
        "aria-selected": "false",
        tabindex: -1,
        title: hint,
        draggable: "true",
        onclick: () => onchoose(id),
      },
      title,
    );
    const panel = h("div", {
      class: "tab-panel",
      role: "tabpanel",
      id: `panel-${id}`,
      "aria-labelledby": `tab-${id}`,
      tabindex: -1,
      hidden: true,
    });
    parts.set(id, { tab, panel });
    list.append(tab);
    panels.append(panel);
  }
  list.addEventListener("keydown", (event) => {
    const shown = tabs.map(({ id }) => id).filter((id) => !parts.get(id)?.tab.hidden);
    const current = shown.findIndex((id) => parts.get(id)?.tab === document.activeElement);
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: shown.length - 1 }[event.key];
    if (next === undefined || current < 0) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const id = shown[(next + shown.length) % shown.length] ?? "";
    onchoose(id);
    parts.get(id)?.tab.focus();
  });
  return {
    list,
    panels,
    /** @param {string} id */
    panel: (id) => parts.get(id)?.panel ?? null,
    /**
     * Chooses a tab. Other panels may be shown beside its own.
     * @param {string} chosen
     * @param {string[]} shown the panels that are shown
     */
    choose(chosen, shown) {
      const hadFocus =
        panels.contains(document.activeElement) && !parts.get(chosen)?.panel.contains(document.activeElement);
      for (const [id, { tab, panel }] of parts) {
        tab.setAttribute("aria-selected", String(id === chosen));
        tab.tabIndex = id === chosen ? 0 : -1;
        tab.classList.toggle("is-shown", shown.includes(id));
        panel.hidden = !shown.includes(id);
        if (id === chosen) {
          reveal(tab);
        }
      }
      // The focused control is hidden now; without this the focus would start again at the top of the page.
      if (hadFocus) {
        parts.get(chosen)?.panel.focus({ preventScroll: true });
      }
    },
    /**
     * @param {string} id
     * @param {boolean} isShown
     */
    show(id, isShown) {
      const part = parts.get(id);
      if (part) {
        part.tab.hidden = !isShown;
      }
    },
  };
}

/**
 * Creates a button that opens a small menu next to it.
 * @param {{label: string, title: string, className?: string, content: () => Node[]}} options
 * @returns {HTMLElement}
 */
export function menuButton({ label, title, className = "", content }) {
  const menu = h("div", { class: "menu", popover: "auto" });
  const button = h(
    "button",
    { type: "button", class: `menu-button ${className}`, title, "aria-haspopup": "true", "aria-expanded": "false" },
    label,
  );
  button.addEventListener("click", () => {
    menu.replaceChildren(...content());
    menu.togglePopover();
  });
  menu.addEventListener("toggle", (event) => {
    const isOpen = /** @type {ToggleEvent} */ (event).newState === "open";
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) {
      /** @type {HTMLElement | null} */ (menu.querySelector("button, input, select"))?.focus();
    }
  });
  placeBelow(menu, button);
  return h("span", { class: "menu-holder" }, button, menu);
}

/**
 * Keeps a popover below a button and inside the window, whenever it opens or changes its size.
 * @param {HTMLElement} popover
 * @param {HTMLElement} button
 */
export function placeBelow(popover, button) {
  new ResizeObserver(() => {
    const box = button.getBoundingClientRect();
    popover.style.top = `${box.bottom + 2}px`;
    popover.style.left = `${Math.max(4, Math.min(box.left, window.innerWidth - popover.offsetWidth - 4))}px`;
  }).observe(popover);
}
