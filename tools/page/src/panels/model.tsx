// The panel of a model: its alternatives, animations, bones, textures and parts. The stage shows the model itself.

import { counted, decimal } from "pspge/base/dom.js";
import { useMemo, useState } from "pspge/base/preact.js";
import type { AnimationInfo, BoneInfo, InfoDocument, PartSpec } from "pspge/documents.js";
import { modelViewOf } from "pspge/mesh/model-view.js";
import { StoredTextures } from "pspge/panels/stored-textures.js";
import type { App, Input } from "pspge/state/app-types.js";
import { Button, Facts, Select, SmallTable, Tabs, Toggle } from "pspge/widgets/controls.js";
import { ExportButtons } from "pspge/widgets/export.js";
import { panelOf, usePanel } from "pspge/widgets/panel.js";
import { type Column, Table } from "pspge/widgets/virtual-table.js";

type Part = "animations" | "bones" | "textures" | "parts" | "facts";

export const create = panelOf({ id: "model", title: "Model", className: "model-panel", label: "Model" }, ModelPanel);

function ModelPanel() {
  const { app } = usePanel();
  const { input } = app;
  const [part, setPart] = useState<Part | null>(null);
  if (input?.kind !== "model") {
    return <p class="panel-message">The file is no model.</p>;
  }
  const { info } = input;
  const { animation_list: animations = [], bone_list: bones = [], texture_list: textures = [] } = info ?? {};
  // A picture is a model, too, but without bones: its textures say more than its animation.
  const shown = part ?? (bones.length === 0 && textures.length > 0 ? "textures" : "animations");
  return (
    <>
      <Alternatives app={app} input={input} />
      <div class="toolbar">
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
        chosen={shown}
        onChoose={setPart}
      />
      <div class="model-content" role="tabpanel">
        {info ? <Contents key={shown} part={shown} info={info} app={app} /> : <p class="panel-message">Nothing is known about this file.</p>}
      </div>
    </>
  );
}

/** Chooses among the levels of detail, groups and hidden parts of a model, if it has several. */
function Alternatives({ app, input }: { app: App; input: Input }) {
  const levels = input.info?.levels_of_detail ?? [];
  const { lod, group, hidden = false } = input.part;
  const level = levels.find((one) => one.level === (lod ?? 0)) ?? levels[0];
  const groups = level?.groups ?? [];
  const hasHidden = levels.some(({ hidden_meshes: meshes }) => meshes > 0);
  if (levels.length < 2 && groups.length < 2 && !hasHidden) {
    return null;
  }
  const choose = (change: Partial<PartSpec>) => void app.choosePart({ ...input.part, ...change });
  return (
    <div class="toolbar" role="group" aria-label="Parts of the model">
      {levels.length > 1 && (
        // Groups and hidden parts belong to a level.
        <Select label="Level of detail" choices={levels.map((one) => String(one.level))} chosen={String(level?.level ?? 0)} onChoose={(value) => choose({ lod: Number(value), group: null, hidden: false })} />
      )}
      {groups.length > 1 && <Select label="Group" choices={groups.map(String)} chosen={String(group ?? 0)} onChoose={(value) => choose({ group: Number(value) })} />}
      {hasHidden && (
        <Toggle text="Hidden parts" title="Also draw the hidden parts of the model" isOn={hidden} isDisabled={!hidden && level?.hidden_meshes === 0} onChange={(isOn) => choose({ hidden: isOn })} />
      )}
    </div>
  );
}

const number = <T,>(title: string, cell: Column<T>["cell"], width = 9, about?: string): Column<T> => ({ title, width, isNumber: true, cell, ...(about && { about }) });

const ANIMATIONS: Column<AnimationInfo>[] = [
  number("number", (row) => row.index),
  { title: "name", width: 14, grows: true, cell: (row) => row.name ?? "–" },
  number("frames", (row) => row.frames),
  number("rate", (row) => row.frames_per_second ?? "–", 8, "Frames in a second"),
  number("values", (row) => row.channels, 9, "Animated values"),
  number("keys", (row) => row.keys, 9, "Keys of all values"),
];

function boneColumns(bones: BoneInfo[]): Column<BoneInfo>[] {
  // A wrong file could have a bone below itself.
  const depthOf = ({ parent }: BoneInfo, most = 64): number => (parent === null || most === 0 || !bones[parent] ? 0 : 1 + depthOf(bones[parent], most - 1));
  const name = (bone: BoneInfo) => (
    <><span class="call-depth" aria-hidden="true" style={{ width: `${depthOf(bone) * 2}ch` }} />{bone.name ?? `bone ${bone.id}`}</>
  );
  return [
    { title: "bone", about: "Name, below its parent", width: 30, grows: true, cell: name },
    number("id", (row) => row.id, 8),
    number("parent", ({ parent }) => (parent === null ? "–" : (bones[parent]?.id ?? parent))),
    ...[0, 1, 2].map((axis) => number<BoneInfo>(`rest ${"xyz"[axis]}`, (row) => decimal(row.position[axis]), 12, "Position at rest, in model space")),
  ];
}

function Contents({ part, info, app }: { part: Part; info: InfoDocument; app: App }) {
  const bones = useMemo(() => boneColumns(info.bone_list), [info]);
  const none = (what: string) => <p class="panel-message">{`The model has no ${what}.`}</p>;
  const { animation_list: animations, bone_list: boneList, texture_list: textures, levels_of_detail: levels } = info;
  const pose = ({ index }: AnimationInfo) => modelViewOf(app).setPose({ animation: index, frame: 0 });
  switch (part) {
    case "animations":
      return animations.length > 0 ? <Table label="Animations" rows={animations} columns={ANIMATIONS} onActive={pose} /> : none("animations");
    case "bones":
      return boneList.length > 0 ? <Table label="Bones" rows={boneList} columns={bones} /> : none("bones");
    case "textures":
      return <div class="scroll">{textures.length > 0 ? <StoredTextures app={app} textures={textures} /> : none("textures")}</div>;
    case "parts":
      return (
        <div class="scroll">
          <p class="muted">{`${counted(info.meshes ?? 0, "mesh", "meshes")}, ${counted(info.groups ?? 0, "group")}, ${counted(info.materials ?? 0, "material")}.`}</p>
          {levels.length > 0 && (
            <SmallTable heads={["level of detail", "groups", "hidden meshes"]} rows={levels.map((one) => [one.level, one.groups.join(", "), one.hidden_meshes])} hasNames />
          )}
        </div>
      );
    default:
      return (
        <div class="scroll">
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
        </div>
      );
  }
}
