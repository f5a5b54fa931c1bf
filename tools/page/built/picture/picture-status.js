// picture/picture-status.tsx
import { colorText, counted, hex } from "pspge/base/dom.js";
import { storedComponents, valueAt } from "pspge/picture/picture-pixels.js";
import { Swatch } from "pspge/widgets/controls.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
function Status(props) {
  const { app, view, shown, changes } = props;
  const at = view.hover ?? view.marker;
  const value = at && view.valueAt(...at);
  const row = app.row();
  const [low, high] = view.range;
  const ofEvent = [row && row.draw !== null && `draw ${row.draw} covers ${counted(row.covered, "fragment")}`, row && changes !== null && `changes ${counted(changes, "pixel")}`];
  const facts = [
    ofEvent.filter(Boolean).join(", "),
    shown?.pixels === "depth16" && `black ${hex(low, 4)}, white ${hex(high, 4)}`,
    shown && `${hex(shown.address)} ${shown.format} ${shown.width}×${shown.height}`
  ].filter(Boolean).join(" · ");
  return /* @__PURE__ */ jsxs("div", { class: "status", children: [
    /* @__PURE__ */ jsx("span", { class: "mono status-position", children: at && `x ${at[0]}  y ${at[1]}` }),
    /* @__PURE__ */ jsx("span", { class: "mono status-value", children: at && value && /* @__PURE__ */ jsx(Value, { ...props, at, value }) }),
    /* @__PURE__ */ jsx("span", { class: "spacer" }),
    /* @__PURE__ */ jsx("span", { class: "status-facts", title: facts, children: facts })
  ] });
}
function Value({ at, value, view, shown, depth, heat }) {
  if (shown?.pixels === "depth16") {
    return /* @__PURE__ */ jsx(Fragment, { children: `depth ${hex(value[0], 4)} (${value[0]})` });
  }
  const stored = storedComponents(value, shown?.format);
  const [depthThere] = valueAt(depth, ...at) ?? [];
  const [x, y] = at;
  const amount = view.heat && x < view.heat.width && y < view.heat.height ? view.heat.values[y * view.heat.width + x] ?? 0 : null;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Swatch, { color: value }),
    ` ${colorText(stored)}`,
    stored.length > 3 && `  stencil ${stored[3]}`,
    depthThere !== void 0 && `  depth ${hex(depthThere, 4)}`,
    amount !== null && (heat === "cost" ? `  cost ${amount / 1e3}` : `  ${counted(amount, "fragment")}`)
  ] });
}
export {
  Status
};
