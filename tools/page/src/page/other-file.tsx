// A file without anything to run: its textures, bones and animations, in place of the picture and the panels.

import { count, h } from "pspge/base/dom.js";
import { type ComponentChild, render } from "pspge/base/preact.js";
import { StoredTextures } from "pspge/panels/stored-textures.js";
import type { App, Input } from "pspge/state/app-types.js";
import { Heads, Mono } from "pspge/widgets/controls.js";

/** Kinds of content in words. */
const CONTENTS = { model: "a model", textures: "textures", skeleton: "a skeleton", animations: "animations", frame: "a frame", list: "a display list", archive: "members, none of which can be drawn" };
/** Rows of a table that are shown; files may hold thousands of members. */
const SHOWN = 500;

/** Creates the area, which `update` fills for a file. */
export function otherFileArea(app: App) {
  const element = h("section", { class: "other-file", "aria-label": "Contents of the file", hidden: true });
  return { element, update: (input: Input) => render(<OtherFile key={input.name} app={app} input={input} />, element) };
}

function OtherFile({ app, input: { info, kind, has_members: hasMembers } }: { app: App; input: Input }) {
  const advice = hasMembers ? "Choose another member at the left, or open another file." : "Open a frame dump, a display list or a model to see it drawn, or drop one here.";
  if (kind === "folder") {
    return (
      <>
        <h2>A folder of files</h2>
        <p>Choose a file at the left. Its models, frames, lists and textures are shown here.</p>
      </>
    );
  }
  const textures = info?.texture_list ?? [];
  return (
    <>
      <h2>{textures.length > 0 ? "Textures" : "This file holds nothing to draw"}</h2>
      {info && (
        <>
          <p>
            {`It is a file of the format ${info.format}${info.version ? ` ${info.version}` : ""} with ${CONTENTS[info.content]}. ${advice}`}
          </p>
          <p class="muted">{`${count(info.file_bytes)} bytes, hash `}<Mono>{info.file_hash}</Mono></p>
          {textures.length > 0 && <StoredTextures app={app} textures={textures} />}
          <Rows
            title="Bones"
            rows={info.bone_list}
            columns={[
              ["Id", (row) => row.id],
              ["Name", (row) => row.name],
              ["Parent", (row) => row.parent],
              ["Position", (row) => row.position.map((axis) => axis?.toPrecision(5) ?? "no number").join(", ")],
            ]}
          />
          <Rows
            title="Animations"
            rows={info.animation_list}
            columns={[
              ["Name", nameOf],
              ["Frames", (row) => row.frames],
              ["Channels", (row) => row.channels],
              ["Keys", (row) => row.keys],
            ]}
          />
        </>
      )}
    </>
  );
}

function nameOf({ name, index }: { name: string | null; index: number }): string {
  return name ?? `number ${index}`;
}

function Rows<T>({ title, rows, columns }: { title: string; rows: T[]; columns: [string, (row: T) => ComponentChild][] }) {
  return rows.length === 0 ? null : (
    <table>
      <caption>{`${title} (${count(rows.length)})`}</caption>
      <Heads names={columns.map(([name]) => name)} />
      <tbody>
        {rows.slice(0, SHOWN).map((row) => <tr>{columns.map(([, cell]) => <td>{cell(row)}</td>)}</tr>)}
        {rows.length > SHOWN && <tr><td colSpan={columns.length}>{`${count(rows.length - SHOWN)} more`}</td></tr>}
      </tbody>
    </table>
  );
}
