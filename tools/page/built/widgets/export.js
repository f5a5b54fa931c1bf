// widgets/export.tsx
import { useState } from "pspge/base/preact.js";
import { Button } from "pspge/widgets/controls.js";
import { useApp } from "pspge/widgets/panel.js";
import { jsx, jsxs } from "pspge/base/preact.js";
var EXPORTS = [
  ["gltf", "glTF", "The geometry with its textures, for Blender and other tools"],
  ["png", "PNG", "The picture at the selected event"],
  ["dump", "Frame dump", "The run with its edits, for pspge and PPSSPP"],
  ["trim", "Trimmed draw", "A frame dump of the selected draw alone"]
];
function SaveTable({ name, table, ...props }) {
  const app = useApp();
  const save = () => {
    app.save(`${name}.csv`, "text/csv", new TextEncoder().encode(table.current?.csv() ?? ""));
    app.announce(`${name}.csv is saved.`);
  };
  return /* @__PURE__ */ jsx(Button, { title: "Save the rows of this table as comma-separated values", onClick: save, ...props, children: "Save CSV" });
}
async function saveCanvas(app, name, canvas) {
  const blob = await new Promise((resolve) => canvas ? canvas.toBlob(resolve) : resolve(null));
  if (blob) {
    app.save(`${name}.png`, "image/png", new Uint8Array(await blob.arrayBuffer()));
    app.announce(`${name}.png is saved.`);
  }
}
function ExportButtons({ kinds }) {
  const app = useApp();
  const [busy, setBusy] = useState(null);
  const save = async (what) => {
    setBusy(what);
    await app.export(what);
    setBusy(null);
  };
  return /* @__PURE__ */ jsxs("div", { class: "export-buttons", role: "group", "aria-label": "Save", children: [
    /* @__PURE__ */ jsx("span", { class: "muted", children: "Save as" }),
    EXPORTS.filter(([what]) => kinds.includes(what)).map(([what, text, title]) => /* @__PURE__ */ jsx(Button, { title, "data-export": what, disabled: busy === what, onClick: () => void save(what), children: text }, what))
  ] });
}
export {
  ExportButtons,
  SaveTable,
  saveCanvas
};
