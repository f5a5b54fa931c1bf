// picture-status.js
import { colorText, counted, h, hex, replace, swatch } from "pspge/dom.js";
import { storedComponents, valueAt } from "pspge/picture-pixels.js";
function createStatus(app, view) {
  const position = h("span", { class: "mono status-position" });
  const value = h("span", { class: "mono status-value" });
  const facts = h("span", { class: "status-facts" });
  function describe(at, components, { shown, depth, heat }) {
    if (shown?.pixels === "depth16") {
      return `depth ${hex(components[0], 4)} (${components[0]})`;
    }
    const stored = storedComponents(components, shown?.format);
    const parts = [` ${colorText(stored)}`, stored.length > 3 ? `  stencil ${stored[3]}` : ""];
    const [depthThere] = valueAt(depth, ...at) ?? [];
    if (depthThere !== void 0) {
      parts.push(`  depth ${hex(depthThere, 4)}`);
    }
    const [x, y] = at;
    if (view.heat && x < view.heat.width && y < view.heat.height) {
      const amount = view.heat.values[y * view.heat.width + x] ?? 0;
      parts.push(heat === "cost" ? `  cost ${amount / 1e3}` : `  ${counted(amount, "fragment")}`);
    }
    return [swatch(components), parts];
  }
  return {
    element: h("div", { class: "status" }, position, value, h("span", { class: "spacer" }), facts),
    /**
     * Shows the pixel below the mouse, else the picked one.
     * @param {{shown: import("pspge/documents.js").PictureAnswer | null, depth: Picture | null, heat: string, changes: number | null}} contents `shown` is the answer
     * of the picture; `changes` is the number of pixels that the event changes
     */
    update(contents) {
      const { shown, changes } = contents;
      const at = view.hover ?? view.marker;
      const components = at && view.valueAt(...at);
      position.textContent = at ? `x ${at[0]}  y ${at[1]}` : "";
      replace(value, at && components ? describe(at, components, contents) : "");
      const row = app.row();
      const [low, high] = view.range;
      facts.textContent = [
        [
          row && row.draw !== null ? `draw ${row.draw} covers ${counted(row.covered, "fragment")}` : "",
          row && changes !== null ? `changes ${counted(changes, "pixel")}` : ""
        ].filter(Boolean).join(", "),
        shown?.pixels === "depth16" ? `black ${hex(low, 4)}, white ${hex(high, 4)}` : "",
        shown ? `${hex(shown.address)} ${shown.format} ${shown.width}×${shown.height}` : ""
      ].filter(Boolean).join(" · ");
      facts.title = facts.textContent;
    }
  };
}
export {
  createStatus
};
