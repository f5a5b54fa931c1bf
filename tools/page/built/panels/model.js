// panels/model.tsx
import { counted, decimal } from "pspge/base/dom.js";
import { useMemo, useState } from "pspge/base/preact.js";
import { modelViewOf } from "pspge/mesh/model-view.js";
import { StoredTextures } from "pspge/panels/stored-textures.js";
import { Button, Facts, Select, SmallTable, Tabs, Toggle } from "pspge/widgets/controls.js";
import { ExportButtons } from "pspge/widgets/export.js";
import { panelOf, usePanel } from "pspge/widgets/panel.js";
import { Table } from "pspge/widgets/virtual-table.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var create = panelOf({ id: "model", title: "Model", className: "model-panel", label: "Model" }, ModelPanel);
function ModelPanel() {
  const { app } = usePanel();
  const { input } = app;
  const [part, setPart] = useState(null);
  if (input?.kind !== "model") {
    return /* @__PURE__ */ jsx("p", { class: "panel-message", children: "The file is no model." });
  }
  const { info } = input;
  const { animation_list: animations = [], bone_list: bones = [], texture_list: textures = [] } = info ?? {};
  const shown = part ?? (bones.length === 0 && textures.length > 0 ? "textures" : "animations");
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Alternatives, { app, input }),
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      /* @__PURE__ */ jsx(ExportButtons, { kinds: ["gltf", "png", "dump"] }),
      app.completeInput !== null && /* @__PURE__ */ jsx(Button, { title: "Open the model again with files of textures, skeleton or animations", onClick: () => void app.completeInput?.(), children: "Add files" })
    ] }),
    /* @__PURE__ */ jsx(
      Tabs,
      {
        label: "Contents",
        choices: [
          { value: "animations", text: `Animations (${animations.length})` },
          { value: "bones", text: `Bones (${bones.length})` },
          { value: "textures", text: `Textures (${textures.length})` },
          { value: "parts", text: "Parts" },
          { value: "facts", text: "File" }
        ],
        chosen: shown,
        onChoose: setPart
      }
    ),
    /* @__PURE__ */ jsx("div", { class: "model-content", role: "tabpanel", children: info ? /* @__PURE__ */ jsx(Contents, { part: shown, info, app }, shown) : /* @__PURE__ */ jsx("p", { class: "panel-message", children: "Nothing is known about this file." }) })
  ] });
}
function Alternatives({ app, input }) {
  const levels = input.info?.levels_of_detail ?? [];
  const { lod, group, hidden = false } = input.part;
  const level = levels.find((one) => one.level === (lod ?? 0)) ?? levels[0];
  const groups = level?.groups ?? [];
  const hasHidden = levels.some(({ hidden_meshes: meshes }) => meshes > 0);
  if (levels.length < 2 && groups.length < 2 && !hasHidden) {
    return null;
  }
  const choose = (change) => void app.choosePart({ ...input.part, ...change });
  return /* @__PURE__ */ jsxs("div", { class: "toolbar", role: "group", "aria-label": "Parts of the model", children: [
    levels.length > 1 && // Groups and hidden parts belong to a level.
    /* @__PURE__ */ jsx(Select, { label: "Level of detail", choices: levels.map((one) => String(one.level)), chosen: String(level?.level ?? 0), onChoose: (value) => choose({ lod: Number(value), group: null, hidden: false }) }),
    groups.length > 1 && /* @__PURE__ */ jsx(Select, { label: "Group", choices: groups.map(String), chosen: String(group ?? 0), onChoose: (value) => choose({ group: Number(value) }) }),
    hasHidden && /* @__PURE__ */ jsx(Toggle, { text: "Hidden parts", title: "Also draw the hidden parts of the model", isOn: hidden, isDisabled: !hidden && level?.hidden_meshes === 0, onChange: (isOn) => choose({ hidden: isOn }) })
  ] });
}
var number = (title, cell, width = 9, about) => ({ title, width, isNumber: true, cell, ...about && { about } });
var ANIMATIONS = [
  number("number", (row) => row.index),
  { title: "name", width: 14, grows: true, cell: (row) => row.name ?? "–" },
  number("frames", (row) => row.frames),
  number("rate", (row) => row.frames_per_second ?? "–", 8, "Frames in a second"),
  number("values", (row) => row.channels, 9, "Animated values"),
  number("keys", (row) => row.keys, 9, "Keys of all values")
];
function boneColumns(bones) {
  const depthOf = ({ parent }, most = 64) => parent === null || most === 0 || !bones[parent] ? 0 : 1 + depthOf(bones[parent], most - 1);
  const name = (bone) => /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("span", { class: "call-depth", "aria-hidden": "true", style: { width: `${depthOf(bone) * 2}ch` } }),
    bone.name ?? `bone ${bone.id}`
  ] });
  return [
    { title: "bone", about: "Name, below its parent", width: 30, grows: true, cell: name },
    number("id", (row) => row.id, 8),
    number("parent", ({ parent }) => parent === null ? "–" : bones[parent]?.id ?? parent),
    ...[0, 1, 2].map((axis) => number(`rest ${"xyz"[axis]}`, (row) => decimal(row.position[axis]), 12, "Position at rest, in model space"))
  ];
}
function Contents({ part, info, app }) {
  const bones = useMemo(() => boneColumns(info.bone_list), [info]);
  const none = (what) => /* @__PURE__ */ jsx("p", { class: "panel-message", children: `The model has no ${what}.` });
  const { animation_list: animations, bone_list: boneList, texture_list: textures, levels_of_detail: levels } = info;
  const pose = ({ index }) => modelViewOf(app).setPose({ animation: index, frame: 0 });
  switch (part) {
    case "animations":
      return animations.length > 0 ? /* @__PURE__ */ jsx(Table, { label: "Animations", rows: animations, columns: ANIMATIONS, onActive: pose }) : none("animations");
    case "bones":
      return boneList.length > 0 ? /* @__PURE__ */ jsx(Table, { label: "Bones", rows: boneList, columns: bones }) : none("bones");
    case "textures":
      return /* @__PURE__ */ jsx("div", { class: "scroll", children: textures.length > 0 ? /* @__PURE__ */ jsx(StoredTextures, { app, textures }) : none("textures") });
    case "parts":
      return /* @__PURE__ */ jsxs("div", { class: "scroll", children: [
        /* @__PURE__ */ jsx("p", { class: "muted", children: `${counted(info.meshes ?? 0, "mesh", "meshes")}, ${counted(info.groups ?? 0, "group")}, ${counted(info.materials ?? 0, "material")}.` }),
        levels.length > 0 && /* @__PURE__ */ jsx(SmallTable, { heads: ["level of detail", "groups", "hidden meshes"], rows: levels.map((one) => [one.level, one.groups.join(", "), one.hidden_meshes]), hasNames: true })
      ] });
    default:
      return /* @__PURE__ */ jsx("div", { class: "scroll", children: /* @__PURE__ */ jsx(
        Facts,
        {
          rows: [
            ["format", `${info.format}${info.version ? ` ${info.version}` : ""}`],
            ["bytes", info.file_bytes],
            ["hash", info.file_hash],
            ["vertices", info.vertices],
            ["triangles", info.triangles],
            ["draws", info.draws],
            ["other files", info.companions.map(({ file, role }) => `${file} (${role})`).join(", ")],
            ...info.fields.slice(0, 200).map(({ name, value }) => [name, String(value)])
          ]
        }
      ) });
  }
}
export {
  create
};
