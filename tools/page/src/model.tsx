// The panel of a model: a camera that turns around it, its animations, and its parts.

import { Button, Facts, Heads, NumberField, Select, Tabs } from "pspge/controls.js";
import type { AnimationInfo, BoneInfo, InfoDocument, TextureInfo } from "pspge/documents.js";
import { counted } from "pspge/dom.js";
import { ExportButtons } from "pspge/export.js";
import { float } from "pspge/mesh-columns.js";
import { ModelView, USUAL, USUAL_RATE } from "pspge/model-view.js";
import { Host, panelOf, usePanel } from "pspge/panel.js";
import { useLayoutEffect, useMemo, useRef, useState } from "pspge/preact.js";
import { type Column, Table } from "pspge/virtual-table.js";

type Part = "animations" | "bones" | "textures" | "parts" | "facts";

/** Viewpoints: name, yaw, pitch, in degrees. */
const PRESETS = [
  ["Front", 0, 0],
  ["Three-quarter", 35, 20],
  ["Left", 90, 0],
  ["Back", 180, 0],
  ["Right", 270, 0],
  ["Top", 0, 90],
  ["Bottom", 0, -90],
] as const;
const SPEEDS = [0.25, 0.5, 1, 2].map((value) => ({ value: String(value), text: `× ${value}` }));

export const create = panelOf({ id: "model", title: "Model", className: "model-panel", label: "Model" }, ModelPanel);

function ModelPanel() {
  const { app, selection, changed } = usePanel();
  const { input } = app;
  const [view] = useState(() => new ModelView(app));
  const [part, setPart] = useState<Part>("animations");
  const opened = useRef<typeof input>(null);
  useLayoutEffect(() => {
    const isOther = opened.current !== input;
    opened.current = input;
    if (isOther || ["camera", "pose", "panel"].some((name) => changed.has(name))) {
      view.open(selection.camera, selection.pose, isOther);
    }
    view.draw(false);
  }, [changed]);
  if (input?.kind !== "model") {
    return <p class="panel-message">The file is no model.</p>;
  }
  const { info } = input;
  const { animation_list: animations = [], bone_list: bones = [], texture_list: textures = [] } = info ?? {};
  const takeApart = () => {
    const pose = view.pose.peek();
    app.store.set({ camera: { ...view.camera.peek() }, pose: pose && { ...pose } });
    app.announce("The events are those of this camera and pose.");
  };
  return (
    <>
      <div class="toolbar">
        {PRESETS.map(([name, yaw, pitch]) => (
          <Button key={name} title={`Yaw ${yaw}°, pitch ${pitch}°`} onClick={() => view.setCamera({ yaw, pitch })}>{name}</Button>
        ))}
        <CameraText view={view} />
      </div>
      <Host element={view.element} />
      {animations.length > 0 && <Timeline view={view} animations={animations} />}
      <div class="toolbar">
        <TakeApart view={view} act={takeApart} />
        <ExportButtons kinds={["gltf", "png", "dump"]} />
        {/* The page does not have the bytes of a file that the server came with. */}
        {app.completeInput !== null && (
          <Button title="Open the model again with files of textures, skeleton or animations" onClick={() => void app.completeInput?.()}>Add files</Button>
        )}
      </div>
      <Tabs
        label="Contents"
        choices={[
          { value: "animations", text: `Animations (${animations.length})` },
          { value: "bones", text: `Bones (${bones.length})` },
          { value: "textures", text: `Textures (${textures.length})` },
          { value: "parts", text: "Parts" },
          { value: "facts", text: "File" },
        ]}
        chosen={part}
        onChoose={setPart}
      />
      <div class="model-content" role="tabpanel">
        {info ? <Contents key={part} part={part} info={info} view={view} /> : <p class="panel-message">Nothing is known about this file.</p>}
      </div>
    </>
  );
}

function CameraText({ view }: { view: ModelView }) {
  const { yaw, pitch, zoom } = view.camera.value;
  return <span class="camera-text mono">{`yaw ${Math.round(yaw)}°, pitch ${Math.round(pitch)}°, zoom ${Number(zoom.toFixed(2))}`}</span>;
}

/** The button that makes the events those of the view, and whether they are. */
function TakeApart({ view, act }: { view: ModelView; act: () => void }) {
  const { selection } = usePanel();
  const isSame = JSON.stringify([selection.camera ?? USUAL, selection.pose]) === JSON.stringify([view.camera.value, view.pose.value]);
  return (
    <>
      <Button class="primary" title="Make the events, the state and the pixels those of this camera and pose" disabled={isSame} onClick={act}>
        Inspect this view
      </Button>
      <span class="muted">{isSame ? "The events show this camera and pose." : "The events show another camera or pose."}</span>
    </>
  );
}

function Timeline({ view, animations }: { view: ModelView; animations: AnimationInfo[] }) {
  const [speed, setSpeed] = useState("1");
  const pose = view.pose.value;
  const last = view.lastFrame();
  const rate = view.animation()?.frames_per_second;
  const choices = [{ value: "", text: "rest pose" }, ...animations.map(({ index, name }) => ({ value: String(index), text: name ?? `animation ${index}` }))];
  return (
    <div class="toolbar timeline">
      <Select label="Animation" choices={choices} chosen={pose ? String(pose.animation) : ""} onChoose={(value) => view.setPose(value === "" ? null : { animation: Number(value), frame: 0 })} />
      <Button title="Play or stop the animation (space)" onClick={() => view.togglePlay()}>{view.isPlaying.value ? "Stop" : "Play"}</Button>
      <input type="range" min={0} max={last} step={0.25} value={pose?.frame ?? 0} aria-label="Frame" disabled={!pose} onInput={(event) => view.setFrame(Number(event.currentTarget.value), true)} />
      <NumberField name="Frame number" class="frame-number" value={Number((pose?.frame ?? 0).toFixed(2))} most={last} isWhole={false} disabled={!pose} onEnter={(frame) => view.setFrame(frame, false)} />
      <span class="muted">{pose && `of ${last}, ${rate ? `${rate} in a second` : `${USUAL_RATE} in a second (the file tells no rate)`}`}</span>
      <Select
        label="Speed"
        choices={SPEEDS}
        chosen={speed}
        onChoose={(value) => {
          setSpeed(value);
          view.speed = Number(value);
        }}
      />
    </div>
  );
}

const number = <T,>(title: string, cell: Column<T>["cell"], width = 9, about?: string): Column<T> => ({ title, width, isNumber: true, cell, ...(about && { about }) });

const ANIMATIONS: Column<AnimationInfo>[] = [
  number("number", (row) => row.index),
  { title: "name", width: 24, grows: true, cell: (row) => row.name ?? "–" },
  number("frames", (row) => row.frames),
  number("rate", (row) => row.frames_per_second ?? "–", 8, "Frames in a second"),
  number("values", (row) => row.channels, 9, "Animated values"),
  number("keys", (row) => row.keys, 9, "Keys of all values"),
];

const TEXTURES: Column<TextureInfo>[] = [
  number("number", (row) => row.index),
  { title: "name", width: 24, grows: true, cell: (row) => row.name ?? "–" },
  { title: "size", width: 12, cell: (row) => `${row.width} × ${row.height}` },
  { title: "format", width: 10, cell: (row) => row.format },
  number("palettes", (row) => row.palettes, 10),
  { title: "of", about: "Storage of the palettes' colours", width: 12, cell: (row) => row.palette_format ?? "–" },
];

function boneColumns(bones: BoneInfo[]): Column<BoneInfo>[] {
  const depthOf = (bone: BoneInfo) => {
    let depth = 0;
    for (let at: BoneInfo | undefined = bone; at && at.parent !== null && depth < 64; at = bones[at.parent]) {
      depth += 1;
    }
    return depth;
  };
  const name = (bone: BoneInfo) => (
    <><span class="call-depth" aria-hidden="true" style={{ width: `${depthOf(bone) * 2}ch` }} />{bone.name ?? `bone ${bone.id}`}</>
  );
  return [
    { title: "bone", about: "Name, below its parent", width: 30, grows: true, cell: name },
    number("id", (row) => row.id, 8),
    number("parent", ({ parent }) => (parent === null ? "–" : (bones[parent]?.id ?? parent))),
    ...[0, 1, 2].map((axis) => number<BoneInfo>(`rest ${"xyz"[axis]}`, (row) => float(row.position[axis]), 12, "Position at rest, in model space")),
  ];
}

function Contents({ part, info, view }: { part: Part; info: InfoDocument; view: ModelView }) {
  const bones = useMemo(() => boneColumns(info.bone_list), [info]);
  const table = <T,>(label: string, rows: T[], columns: Column<T>[], onActive?: (row: T) => void) =>
    rows.length > 0 ? <Table label={label} rows={rows} columns={columns} onActive={onActive} /> : <p class="panel-message">{`The model has no ${label.toLowerCase()}.`}</p>;
  switch (part) {
    case "animations":
      return table("Animations", info.animation_list, ANIMATIONS, ({ index }) => view.setPose({ animation: index, frame: 0 }));
    case "bones":
      return table("Bones", info.bone_list, bones);
    case "textures":
      return table("Textures", info.texture_list, TEXTURES);
    case "parts":
      return <div class="scroll"><Parts info={info} /></div>;
    default:
      return <div class="scroll"><FileFacts info={info} /></div>;
  }
}

function Parts({ info }: { info: InfoDocument }) {
  const { meshes, groups, materials, levels_of_detail: levels, members } = info;
  return (
    <>
      <p class="muted">
        {`${counted(meshes ?? 0, "mesh", "meshes")}, ${counted(groups ?? 0, "group")}, ${counted(materials ?? 0, "material")}. Other levels and groups are drawn by the options --lod, --group and --hidden of the command.`}
      </p>
      {levels.length > 0 && (
        <table class="plain-table">
          <Heads names={["level of detail", "groups", "hidden meshes"]} />
          <tbody>
            {levels.map((level) => <tr><th scope="row">{level.level}</th><td>{level.groups.join(", ")}</td><td>{level.hidden_meshes}</td></tr>)}
          </tbody>
        </table>
      )}
      {members.length > 0 && (
        <table class="plain-table">
          <Heads names={["member", "name", "format", "bytes", ""]} />
          <tbody>
            {members.slice(0, 500).map((member) => (
              <tr>
                <th scope="row">{member.index}</th>
                <td>{member.name ?? "–"}</td>
                <td>{member.format ?? member.kind ?? "–"}</td>
                <td>{member.length}</td>
                <td>{member.drawable && "drawable"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function FileFacts({ info }: { info: InfoDocument }) {
  return (
    <Facts
      rows={[
        ["format", `${info.format}${info.version ? ` ${info.version}` : ""}`],
        ["bytes", info.file_bytes],
        ["hash", info.file_hash],
        ["vertices", info.vertices],
        ["triangles", info.triangles],
        ["draws", info.draws],
        ["other files", info.companions.map(({ file, role }) => `${file} (${role})`).join(", ")],
        ...info.fields.slice(0, 200).map(({ name, value }): [string, string] => [name, String(value)]),
      ]}
    />
  );
}
