// export.js
import { h } from "pspge/dom.js";
var EXPORTS = (
  /** @type {[What, string, string][]} */
  [
    ["gltf", "glTF", "The geometry with its textures, for Blender and other tools"],
    ["png", "PNG", "The picture at the selected event"],
    ["dump", "Frame dump", "The run with its edits, for pspge and PPSSPP"],
    ["trim", "Trimmed draw", "A frame dump of the selected draw alone"]
  ]
);
function tableButton(app, table) {
  const save = () => {
    const { name, csv } = table();
    app.save(`${name}.csv`, "text/csv", new TextEncoder().encode(csv));
    app.announce(`${name}.csv is saved.`);
  };
  return h("button", { type: "button", title: "Save the rows of this table as comma-separated values", onclick: save }, "Save CSV");
}
async function saveCanvas(app, name, canvas) {
  const blob = await new Promise((resolve) => canvas ? canvas.toBlob(resolve) : resolve(null));
  if (blob) {
    app.save(`${name}.png`, "image/png", new Uint8Array(await blob.arrayBuffer()));
    app.announce(`${name}.png is saved.`);
  }
}
function exportButtons(app, kinds) {
  const buttons = EXPORTS.filter(([what]) => kinds.includes(what)).map(([what, text, title]) => {
    const save = async () => {
      button.disabled = true;
      await app.export(what);
      button.disabled = false;
    };
    const button = h("button", { type: "button", title, "data-export": what, onclick: () => void save() }, text);
    return button;
  });
  return h("div", { class: "export-buttons", role: "group", "aria-label": "Save" }, h("span", { class: "muted" }, "Save as"), buttons);
}
export {
  exportButtons,
  saveCanvas,
  tableButton
};
