// base/keys.ts
import { takesKeys } from "pspge/base/dom.js";
var KEYS = [
  { keys: ["ArrowDown", "ArrowRight", "j"], text: "Next event", group: "Events", action: "nextEvent" },
  { keys: ["ArrowUp", "ArrowLeft", "k"], text: "Event before", group: "Events", action: "previousEvent" },
  { keys: ["Home"], text: "First event", group: "Events", action: "firstEvent" },
  { keys: ["End"], text: "Last event", group: "Events", action: "lastEvent" },
  { keys: ["n"], text: "Next event that changes the picked pixel", group: "Events", action: "nextPixelEvent" },
  { keys: ["p"], text: "Event before that changes the picked pixel", group: "Events", action: "previousPixelEvent" },
  { keys: ["/"], text: "Filter events", group: "Events", action: "filter" },
  { keys: ["x"], text: "Skip the event, or run it again", group: "Events", action: "skip" },
  { keys: ["o"], text: "Run this draw alone, or all again", group: "Events", action: "solo" },
  { keys: ["v"], text: "Compare this event with those that are selected next", group: "Events", action: "compare" },
  { keys: ["b"], text: "Write a note on the event", group: "Events", action: "note" },
  { keys: ["f"], text: "Flip between before and after the event", group: "Picture", action: "flip" },
  { keys: ["h"], text: "Mark the pixels that the draw covers", group: "Picture", action: "highlight" },
  { keys: ["c"], text: "Mark the pixels that the event changes", group: "Picture", action: "changed" },
  { keys: ["t"], text: "Mark the pixels that the draw covers, apart by whether they change", group: "Picture", action: "result" },
  { keys: ["d"], text: "Flip between colour and depth", group: "Picture", action: "depth" },
  { keys: ["m"], text: "Heat map: off, overdraw, cost", group: "Picture", action: "heat" },
  { keys: ["+", "="], text: "Zoom in", group: "Picture", action: "zoomIn" },
  { keys: ["-"], text: "Zoom out", group: "Picture", action: "zoomOut" },
  { keys: ["0"], text: "Show the whole picture, or the whole model", group: "Picture", action: "fit" },
  { keys: ["Shift+ArrowLeft"], text: "Move the picture left", group: "Picture", action: "panLeft" },
  { keys: ["Shift+ArrowRight"], text: "Move the picture right", group: "Picture", action: "panRight" },
  { keys: ["Shift+ArrowUp"], text: "Move the picture up", group: "Picture", action: "panUp" },
  { keys: ["Shift+ArrowDown"], text: "Move the picture down", group: "Picture", action: "panDown" },
  { keys: ["Ctrl+ArrowLeft"], text: "Pick the pixel to the left", group: "Picture", action: "pixelLeft" },
  { keys: ["Ctrl+ArrowRight"], text: "Pick the pixel to the right", group: "Picture", action: "pixelRight" },
  { keys: ["Ctrl+ArrowUp"], text: "Pick the pixel above", group: "Picture", action: "pixelUp" },
  { keys: ["Ctrl+ArrowDown"], text: "Pick the pixel below", group: "Picture", action: "pixelDown" },
  { keys: [..."123456789"], text: "Open a panel from State on, in the order of the tabs", group: "Page", action: "panel" },
  { keys: ["i"], text: "Open the panel Frame, with the run at a glance", group: "Page", action: "frame" },
  { keys: ["e"], text: "Open the panel Edits", group: "Page", action: "edits" },
  { keys: ["w"], text: "Keep the chosen panel beside others, or no more", group: "Page", action: "keep" },
  { keys: ["z", "Ctrl+z"], text: "Undo the last edit", group: "Page", action: "undo" },
  { keys: ["Z", "Ctrl+y"], text: "Redo the edit", group: "Page", action: "redo" },
  { keys: ["?"], text: "Show this help", group: "Page", action: "help" },
  { keys: ["Escape"], text: "Close a dialog, leave a text field, forget the picked pixel", group: "Page", action: "escape" }
];
var VIEW_KEYS = [
  { keys: ["ArrowLeft", "ArrowRight"], text: "Turn to the side (Mesh, Model); pass before, next pass (Passes)", group: "Views with the focus" },
  { keys: ["ArrowUp", "ArrowDown"], text: "Turn up and down (Mesh, Model); pass above, pass below (Passes)", group: "Views with the focus" },
  { keys: ["Shift+ArrowLeft", "Shift+ArrowRight"], text: "Move to the side (Mesh)", group: "Views with the focus" },
  { keys: ["+", "-"], text: "Zoom", group: "Views with the focus" },
  { keys: ["Home"], text: "Show everything again (Mesh, Model); first pass (Passes)", group: "Views with the focus" },
  { keys: ["0"], text: "Show the whole graph (Passes)", group: "Views with the focus" },
  { keys: ["Enter"], text: "Show the commands of the event (list of events); select the pass's last event (Passes)", group: "Views with the focus" },
  { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], text: "Move a panel that floats, on its button Move; with Shift, change its size", group: "Views with the focus" },
  { keys: ["Space"], text: "Play the animation, or pause it (Model)", group: "Views with the focus" }
];
var SHOWN = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", Z: "Shift z" };
function shownKey(key) {
  const parts = key.split("+").map((part) => SHOWN[part] ?? part);
  return parts.filter(Boolean).join(" ") || key;
}
function keyOf(action) {
  const found = KEYS.find((key) => key.action === action);
  return found ? shownKey(found.keys[0] ?? "") : "";
}
function listenToKeys(actions) {
  const table = new Map(KEYS.flatMap(({ keys, action }) => keys.map((key) => [key, action]))).set("Ctrl+Z", "redo");
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.metaKey || document.querySelector("dialog[open]")) {
      return;
    }
    const name = nameOf(event);
    const isEscape = name === "Escape";
    if (takesKeys(event.target) && !isEscape || isOwnKey(event)) {
      return;
    }
    const action = table.get(name);
    if (action && actions[action]) {
      event.preventDefault();
      actions[action](event.key);
    }
  });
}
var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function takeKey(event, actions) {
  const act = event.altKey || event.metaKey ? void 0 : actions[nameOf(event)];
  if (act) {
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}
function nameOf(event) {
  const shift = event.shiftKey && event.key.length > 1 ? "Shift+" : "";
  return `${event.ctrlKey ? "Ctrl+" : ""}${shift}${event.key}`;
}
function isOwnKey(event) {
  const { target, key } = event;
  const isArrow = key.startsWith("Arrow") || ["Home", "End", "PageUp", "PageDown"].includes(key);
  return target instanceof HTMLInputElement && ["range", "radio"].includes(target.type) && isArrow;
}
export {
  ARROWS,
  KEYS,
  VIEW_KEYS,
  keyOf,
  listenToKeys,
  shownKey,
  takeKey
};
