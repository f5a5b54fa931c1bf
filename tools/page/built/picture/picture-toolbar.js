// picture/picture-toolbar.tsx
import { hex } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { CHANNELS } from "pspge/picture/picture-pixels.js";
import { Button, Icon, IconButton, Options } from "pspge/widgets/controls.js";
import { Menu } from "pspge/widgets/menu.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var VIEWS = [
  ["color", "Colour"],
  ["depth", "Depth"]
];
var MOMENTS = [
  [false, "Before"],
  [true, "After"]
];
var MARKS = [
  ["covered", "Covered", "Mark the pixels that the draw covers", "highlight"],
  ["changed", "Changed", "Mark the pixels that the event changes", "changed"],
  ["result", "Result", "Mark the pixels that the draw covers, those in red that it does not change", "result"]
];
var HEATS = { off: "none", overdraw: "Overdraw", cost: "Cost" };
function Sources({ app, selection }) {
  const { store } = app;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Buffers, { app, target: selection.target }),
    /* @__PURE__ */ jsx(Group, { label: "Colour or depth", children: VIEWS.map(([id, title]) => /* @__PURE__ */ jsx(Press, { isPressed: selection.view === id, title: `${title} (${keyOf("depth")})`, "data-view": id, onClick: () => store.set({ view: id }), children: title }, id)) }),
    /* @__PURE__ */ jsx(Group, { label: "Moment", children: MOMENTS.map(([after, title]) => /* @__PURE__ */ jsx(Press, { isPressed: selection.after === after, title: `${title} the event (${keyOf("flip")} flips)`, "data-after": after ? "1" : "0", onClick: () => store.set({ after }), children: title }, title)) })
  ] });
}
function Toolbar({ app, view, selection, scale, channel, setChannel, marks, toggleMarks, heat, setHeat }) {
  const isOn = channel !== "color" || heat !== "off";
  return /* @__PURE__ */ jsxs("div", { class: "toolbar", role: "group", "aria-label": "Settings of the picture", children: [
    /* @__PURE__ */ jsx(Sources, { app, selection }),
    /* @__PURE__ */ jsx(Group, { label: "Marked pixels", children: MARKS.map(([kind, title, text, action]) => /* @__PURE__ */ jsx(Press, { isPressed: marks === kind, title: `${text} (${keyOf(action)})`, "data-kind": kind, "aria-label": title, onClick: () => toggleMarks(kind), children: /* @__PURE__ */ jsx(Icon, { name: kind }) }, kind)) }),
    /* @__PURE__ */ jsxs(Menu, { label: /* @__PURE__ */ jsx(Icon, { name: "more" }), title: "More settings of the picture", menuClass: "menu picture-menu", button: { class: `icon-button${isOn ? " is-on" : ""}`, "aria-label": "More settings of the picture" }, children: [
      /* @__PURE__ */ jsxs("label", { children: [
        "Channel",
        /* @__PURE__ */ jsx("select", { value: channel, disabled: selection.view === "depth", onChange: (event) => setChannel(event.currentTarget.value), children: /* @__PURE__ */ jsx(Options, { choices: CHANNELS }) })
      ] }),
      /* @__PURE__ */ jsxs("label", { title: `Heat map (${keyOf("heat")})`, children: [
        "Heat map",
        /* @__PURE__ */ jsx("select", { value: heat, onChange: (event) => setHeat(event.currentTarget.value), children: /* @__PURE__ */ jsx(Options, { choices: HEATS }) })
      ] })
    ] }),
    /* @__PURE__ */ jsxs(Group, { label: "Zoom", className: "zoom-group", children: [
      /* @__PURE__ */ jsx(IconButton, { name: "minus", label: `Zoom out (${keyOf("zoomOut")})`, onClick: () => view.zoom(-1) }),
      /* @__PURE__ */ jsx(Button, { class: "zoom-text mono", title: "Zoom; click for 1:1", onClick: () => view.setScale(1), children: Number.isInteger(1 / scale) ? `1:${1 / scale}` : `${Number(scale.toFixed(2))}:1` }),
      /* @__PURE__ */ jsx(IconButton, { name: "plus", label: `Zoom in (${keyOf("zoomIn")})`, onClick: () => view.zoom(1) }),
      /* @__PURE__ */ jsx(IconButton, { name: "fit", label: `Show the whole picture (${keyOf("fit")})`, onClick: () => view.fit() })
    ] })
  ] });
}
function Group({ label, className = "", children }) {
  return /* @__PURE__ */ jsx("span", { class: `button-group ${className}`.trim(), role: "group", "aria-label": label, children });
}
function Press({ isPressed, ...props }) {
  return /* @__PURE__ */ jsx(Button, { class: "toggle", "aria-pressed": isPressed, ...props });
}
function Buffers({ app, target }) {
  const { buffers = [], screen = null } = app.events ?? {};
  const isChosen = (buffer) => target !== null && JSON.stringify(buffer) === JSON.stringify(target);
  const name = ({ address, format, width, height }) => `${hex(address)} ${format} ${width}×${height}`;
  const index = buffers.findIndex(isChosen);
  const chosen = target === null ? "draw" : isChosen(screen) ? "screen" : index >= 0 ? String(index) : "custom";
  const choose = (value) => app.store.set({ target: value === "draw" ? null : (value === "screen" ? screen : buffers[Number(value)]) ?? null });
  return /* @__PURE__ */ jsxs("select", { "aria-label": "Buffer", title: "The buffer that is shown", class: "source-select", value: chosen, onChange: (event) => choose(event.currentTarget.value), children: [
    /* @__PURE__ */ jsx("option", { value: "draw", children: "Target" }),
    screen && /* @__PURE__ */ jsx("option", { value: "screen", children: `Screen: ${name(screen)}` }),
    /* @__PURE__ */ jsx("optgroup", { label: "Buffers of the run", children: buffers.map((buffer, at) => /* @__PURE__ */ jsx("option", { value: String(at), children: name(buffer) }, at)) }),
    target && chosen === "custom" && /* @__PURE__ */ jsx("option", { value: "custom", children: name(target) })
  ] });
}
export {
  Sources,
  Toolbar
};
