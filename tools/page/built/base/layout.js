// base/layout.ts
import { h } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
var measure = document.createElement("canvas").getContext("2d");
function digitWidth(font) {
  if (measure) {
    measure.font = font;
  }
  return measure?.measureText("0").width ?? 8;
}
function setting(name, usual) {
  try {
    return localStorage.getItem(`pspge.${name}`) ?? usual;
  } catch {
    return usual;
  }
}
function remember(name, value) {
  try {
    localStorage.setItem(`pspge.${name}`, value);
  } catch {
  }
}
function splitter(options) {
  const { label, name, least, most, fromEnd = false, isVertical, parent } = options;
  const usual = () => typeof options.usual === "number" ? options.usual : options.usual();
  const element = h("div", {
    class: "splitter",
    role: "separator",
    tabindex: 0,
    "aria-label": label,
    title: `${label}: drag, or arrow keys; double click resets`
  });
  const key = () => `${name}${options.variant?.() ?? ""}${isVertical() ? "" : "-below"}`;
  let share = usual();
  const apply = (wanted) => {
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
  const change = (wanted) => {
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
  const step = (by) => () => change(share + (fromEnd ? -by : by));
  const keys = { ArrowLeft: step(-2), ArrowUp: step(-2), ArrowRight: step(2), ArrowDown: step(2), Home: () => change(least), End: () => change(most) };
  element.addEventListener("keydown", (event) => takeKey(event, keys));
  queueMicrotask(load);
  element.addEventListener("layout", load);
  return element;
}
function placeBelow(popover, button) {
  new ResizeObserver(() => {
    const box = button.getBoundingClientRect();
    popover.style.top = `${box.bottom + 2}px`;
    popover.style.left = `${Math.max(4, Math.min(box.left, window.innerWidth - popover.offsetWidth - 4))}px`;
  }).observe(popover);
}
export {
  digitWidth,
  placeBelow,
  rem,
  remember,
  setting,
  splitter
};
