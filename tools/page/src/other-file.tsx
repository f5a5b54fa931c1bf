// A file without anything to run: what it holds, in place of the picture and the panels.

import type { Input } from "pspge/app-types.js";
import { Heads, Mono } from "pspge/controls.js";
import { count, h, hex } from "pspge/dom.js";
import { type ComponentChild, render } from "pspge/preact.js";

/** Rows of a table that are shown; files may hold thousands of members. */
const SHOWN = 500;

/** Creates the area, which `update` fills for a file. */
export function otherFileArea() {
  const element = h("section", { class: "other-file", "aria-label": "Contents of the file", hidden: true });
  return { element, update: (input: Input) => render(<OtherFile input={input} />, element) };
}

function OtherFile({ input: { info } }: { input: Input }) {
  return (
    <>
      <h2>This file holds nothing to draw</h2>
      {info && (
        <>
          <p>
            {`It is a file of the format ${info.format}${info.version ? ` ${info.version}` : ""} with ${info.content}. Open a frame dump, a display list or a model instead, or drop one here.`}
          </p>
          <p class="muted">{`${count(info.file_bytes)} bytes, hash `}<Mono>{info.file_hash}</Mono></p>
          <Rows
            title="Members"
            rows={info.members}
            columns={[
              ["Name", nameOf],
              ["Format", (row) => row.format ?? row.kind ?? "unknown"],
              ["Offset", (row) => hex(row.offset, 1)],
              ["Bytes", (row) => count(row.length)],
              ["Drawable", (row) => (row.drawable ? "yes" : "no")],
            ]}
          />
          <Rows
            title="Textures"
            rows={info.texture_list}
            columns={[
              ["Name", nameOf],
              ["Size", (row) => `${row.width}×${row.height}`],
              ["Format", (row) => row.format],
              ["Palettes", (row) => row.palettes],
            ]}
          />
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
