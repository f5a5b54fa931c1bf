// Splitters, places of menus and remembered settings of the page.

import { h } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";

/** Returns the font size of the page in CSS pixels, which lengths on canvases follow. */
export function rem(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

const measure = document.createElement("canvas").getContext("2d");

/** Returns the width of the digit 0 in a font, which is the unit ch of CSS, in CSS pixels. */
export function digitWidth(font: string): number {
  if (measure) {
    measure.font = font;
  }
  return measure?.measureText("0").width ?? 8;
}

/** Returns a remembered setting. */
export function setting(name: string, usual: string): string {
  try {
    return localStorage.getItem(`pspge.${name}`) ?? usual;
  } catch {
    return usual;
  }
}

/** Remembers a setting. Browsers that allow no storage forget it. */
export function remember(name: string, value: string) {
  try {
    localStorage.setItem(`pspge.${name}`, value);
  } catch {
    // The setting then lasts as long as the page.
  }
}

interface SplitterOptions {
  label: string;
  name: string;
  /** Each variant has a share of its own. */
  variant?: () => string;
  /** In percent, like the two bounds. */
  usual: number | (() => number);
  least: number;
  most: number;
  /** Measures the pane at the other side. */
  fromEnd?: boolean;
  isVertical: () => boolean;
  parent: () => HTMLElement | null;
}

/** Creates a splitter between two panes. It sets the share of the first pane of their parent as a CSS variable of the parent. */
export function splitter(options: SplitterOptions): HTMLElement {
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
  const apply = (wanted: number) => {
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
  const change = (wanted: number) => {
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
  const step = (by: number) => () => change(share + (fromEnd ? -by : by));
  const keys = { ArrowLeft: step(-2), ArrowUp: step(-2), ArrowRight: step(2), ArrowDown: step(2), Home: () => change(least), End: () => change(most) };
  element.addEventListener("keydown", (event) => takeKey(event, keys));
  queueMicrotask(load);
  element.addEventListener("layout", load);
  return element;
}

/** Keeps a popover below a button and inside the window, whenever it opens or changes its size. */
export function placeBelow(popover: HTMLElement, button: HTMLElement) {
  new ResizeObserver(() => {
    const box = button.getBoundingClientRect();
    popover.style.top = `${box.bottom + 2}px`;
    popover.style.left = `${Math.max(4, Math.min(box.left, window.innerWidth - popover.offsetWidth - 4))}px`;
  }).observe(popover);
}
