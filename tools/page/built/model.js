// model.tsx
import { Button, Facts, Heads, NumberField, Select, Tabs } from "pspge/controls.js";
import { counted } from "pspge/dom.js";
import { ExportButtons } from "pspge/export.js";
import { float } from "pspge/mesh-columns.js";
import { ModelView, USUAL, USUAL_RATE } from "pspge/model-view.js";
import { Host, panelOf, usePanel } from "pspge/panel.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/preact.js";
import { Table } from "pspge/virtual-table.js";
import { Fragment, jsx, jsxs } from "pspge/preact.js";
var PRESETS = [
  ["Front", 0, 0],
  ["Three-quarter", 35, 20],
  ["Left", 90, 0],
  ["Back", 180, 0],
  ["Right", 270, 0],
  ["Top", 0, 90],
  ["Bottom", 0, -90]
];
var SPEEDS = [0.25, 0.5, 1, 2].map((value) => ({ value: String(value), text: `× ${value}` }));
var create = panelOf({ id: "model", title: "Model", className: "model-panel", label: "Model" }, ModelPanel);
function ModelPanel() {
  const { app, selection, changed } = usePanel();
  const { input } = app;
  const [view] = useState(() => new ModelView(app));
  const [part, setPart] = useState("animations");
  const opened = useRef(null);
  useLayoutEffect(() => {
    const isOther = opened.current !== input;
    opened.current = input;
    if (isOther || ["camera", "pose", "panel"].some((name) => changed.has(name))) {
      view.open(selection.camera, selection.pose, isOther);
    }
    view.draw(false);
  }, [changed]);
  if (input?.kind !== "model") {
    return /* @__PURE__ */ jsx("p", { class: "panel-message", children: "The file is no model." });
  }
  const { info } = input;
  const { animation_list: animations = [], bone_list: bones = [], texture_list: textures = [] } = info ?? {};
  const takeApart = () => {
    const pose = view.pose.peek();
    app.store.set({ camera: { ...view.camera.peek() }, pose: pose && { ...pose } });
    app.announce("The events are those of this camera and pose.");
  };
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      PRESETS.map(([name, yaw, pitch]) => /* @__PURE__ */ jsx(Button, { title: `Yaw ${yaw}°, pitch ${pitch}°`, onClick: () => view.setCamera({ yaw, pitch }), children: name }, name)),
      /* @__PURE__ */ jsx(CameraText, { view })
    ] }),
    /* @__PURE__ */ jsx(Host, { element: view.element }),
    animations.length > 0 && /* @__PURE__ */ jsx(Timeline, { view, animations }),
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      /* @__PURE__ */ jsx(TakeApart, { view, act: takeApart }),
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
        chosen: part,
        onChoose: setPart
      }
    ),
    /* @__PURE__ */ jsx("div", { class: "model-content", role: "tabpanel", children: info ? /* @__PURE__ */ jsx(Contents, { part, info, view }, part) : /* @__PURE__ */ jsx("p", { class: "panel-message", children: "Nothing is known about this file." }) })
  ] });
}
function CameraText({ view }) {
  const { yaw, pitch, zoom } = view.camera.value;
  return /* @__PURE__ */ jsx("span", { class: "camera-text mono", children: `yaw ${Math.round(yaw)}°, pitch ${Math.round(pitch)}°, zoom ${Number(zoom.toFixed(2))}` });
}
function TakeApart({ view, act }) {
  const { selection } = usePanel();
  const isSame = JSON.stringify([selection.camera ?? USUAL, selection.pose]) === JSON.stringify([view.camera.value, view.pose.value]);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Button, { class: "primary", title: "Make the events, the state and the pixels those of this camera and pose", disabled: isSame, onClick: act, children: "Inspect this view" }),
    /* @__PURE__ */ jsx("span", { class: "muted", children: isSame ? "The events show this camera and pose." : "The events show another camera or pose." })
  ] });
}
function Timeline({ view, animations }) {
  const [speed, setSpeed] = useState("1");
  const pose = view.pose.value;
  const last = view.lastFrame();
  const rate = view.animation()?.frames_per_second;
  const choices = [{ value: "", text: "rest pose" }, ...animations.map(({ index, name }) => ({ value: String(index), text: name ?? `animation ${index}` }))];
  return /* @__PURE__ */ jsxs("div", { class: "toolbar timeline", children: [
    /* @__PURE__ */ jsx(Select, { label: "Animation", choices, chosen: pose ? String(pose.animation) : "", onChoose: (value) => view.setPose(value === "" ? null : { animation: Number(value), frame: 0 }) }),
    /* @__PURE__ */ jsx(Button, { title: "Play or stop the animation (space)", onClick: () => view.togglePlay(), children: view.isPlaying.value ? "Stop" : "Play" }),
    /* @__PURE__ */ jsx("input", { type: "range", min: 0, max: last, step: 0.25, value: pose?.frame ?? 0, "aria-label": "Frame", disabled: !pose, onInput: (event) => view.setFrame(Number(event.currentTarget.value), true) }),
    /* @__PURE__ */ jsx(NumberField, { name: "Frame number", class: "frame-number", value: Number((pose?.frame ?? 0).toFixed(2)), most: last, isWhole: false, disabled: !pose, onEnter: (frame) => view.setFrame(frame, false) }),
    /* @__PURE__ */ jsx("span", { class: "muted", children: pose && `of ${last}, ${rate ? `${rate} in a second` : `${USUAL_RATE} in a second (the file tells no rate)`}` }),
    /* @__PURE__ */ jsx(
      Select,
      {
        label: "Speed",
        choices: SPEEDS,
        chosen: speed,
        onChoose: (value) => {
          setSpeed(value);
          view.speed = Number(value);
        }
      }
    )
  ] });
}
var number = (title, cell, width = 9, about) => ({ title, width, isNumber: true, cell, ...about && { about } });
var ANIMATIONS = [
  number("number", (row) => row.index),
  { title: "name", width: 24, grows: true, cell: (row) => row.name ?? "–" },
  number("frames", (row) => row.frames),
  number("rate", (row) => row.frames_per_second ?? "–", 8, "Frames in a second"),
  number("values", (row) => row.channels, 9, "Animated values"),
  number("keys", (row) => row.keys, 9, "Keys of all values")
];
var TEXTURES = [
  number("number", (row) => row.index),
  { title: "name", width: 24, grows: true, cell: (row) => row.name ?? "–" },
  { title: "size", width: 12, cell: (row) => `${row.width} × ${row.height}` },
  { title: "format", width: 10, cell: (row) => row.format },
  number("palettes", (row) => row.palettes, 10),
  { title: "of", about: "Storage of the palettes' colours", width: 12, cell: (row) => row.palette_format ?? "–" }
];
function boneColumns(bones) {
  const depthOf = (bone) => {
    let depth = 0;
    for (let at = bone; at && at.parent !== null && depth < 64; at = bones[at.parent]) {
      depth += 1;
    }
    return depth;
  };
  const name = (bone) => /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("span", { class: "call-depth", "aria-hidden": "true", style: { width: `${depthOf(bone) * 2}ch` } }),
    bone.name ?? `bone ${bone.id}`
  ] });
  return [
    { title: "bone", about: "Name, below its parent", width: 30, grows: true, cell: name },
    number("id", (row) => row.id, 8),
    number("parent", ({ parent }) => parent === null ? "–" : bones[parent]?.id ?? parent),
    ...[0, 1, 2].map((axis) => number(`rest ${"xyz"[axis]}`, (row) => float(row.position[axis]), 12, "Position at rest, in model space"))
  ];
}
function Contents({ part, info, view }) {
  const bones = useMemo(() => boneColumns(info.bone_list), [info]);
  const table = (label, rows, columns, onActive) => rows.length > 0 ? /* @__PURE__ */ jsx(Table, { label, rows, columns, onActive }) : /* @__PURE__ */ jsx("p", { class: "panel-message", children: `The model has no ${label.toLowerCase()}.` });
  switch (part) {
    case "animations":
      return table("Animations", info.animation_list, ANIMATIONS, ({ index }) => view.setPose({ animation: index, frame: 0 }));
    case "bones":
      return table("Bones", info.bone_list, bones);
    case "textures":
      return table("Textures", info.texture_list, TEXTURES);
    case "parts":
      return /* @__PURE__ */ jsx("div", { class: "scroll", children: /* @__PURE__ */ jsx(Parts, { info }) });
    default:
      return /* @__PURE__ */ jsx("div", { class: "scroll", children: /* @__PURE__ */ jsx(FileFacts, { info }) });
  }
}
function Parts({ info }) {
  const { meshes, groups, materials, levels_of_detail: levels, members } = info;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("p", { class: "muted", children: `${counted(meshes ?? 0, "mesh", "meshes")}, ${counted(groups ?? 0, "group")}, ${counted(materials ?? 0, "material")}. Other levels and groups are drawn by the options --lod, --group and --hidden of the command.` }),
    levels.length > 0 && /* @__PURE__ */ jsxs("table", { class: "plain-table", children: [
      /* @__PURE__ */ jsx(Heads, { names: ["level of detail", "groups", "hidden meshes"] }),
      /* @__PURE__ */ jsx("tbody", { children: levels.map((level) => /* @__PURE__ */ jsxs("tr", { children: [
        /* @__PURE__ */ jsx("th", { scope: "row", children: level.level }),
        /* @__PURE__ */ jsx("td", { children: level.groups.join(", ") }),
        /* @__PURE__ */ jsx("td", { children: level.hidden_meshes })
      ] })) })
    ] }),
    members.length > 0 && /* @__PURE__ */ jsxs("table", { class: "plain-table", children: [
      /* @__PURE__ */ jsx(Heads, { names: ["member", "name", "format", "bytes", ""] }),
      /* @__PURE__ */ jsx("tbody", { children: members.slice(0, 500).map((member) => /* @__PURE__ */ jsxs("tr", { children: [
        /* @__PURE__ */ jsx("th", { scope: "row", children: member.index }),
        /* @__PURE__ */ jsx("td", { children: member.name ?? "–" }),
        /* @__PURE__ */ jsx("td", { children: member.format ?? member.kind ?? "–" }),
        /* @__PURE__ */ jsx("td", { children: member.length }),
        /* @__PURE__ */ jsx("td", { children: member.drawable && "drawable" })
      ] })) })
    ] })
  ] });
}
function FileFacts({ info }) {
  return /* @__PURE__ */ jsx(
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
  );
}
export {
  create
};
