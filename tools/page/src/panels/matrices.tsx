// The matrices of a state as tables.

import { decimal } from "pspge/base/dom.js";
import type { ComponentChild } from "pspge/base/preact.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";
import type { MatrixChange, StateDocument, WriterInfo } from "pspge/documents.js";
import { TextInput } from "pspge/widgets/fields.js";

/** The matrices: name in documents, name in edits, title. */
const MATRICES = [
  ["world", "WORLD", "World"],
  ["view", "VIEW", "View"],
  ["projection", "PROJECTION", "Projection"],
  ["texture", "TEXTURE", "Texture"],
] as const;
const BONE_ELEMENTS = 12;

interface Shared {
  /** Takes the name of an element and its new value; null if nothing can be edited. */
  addEdit: ((name: string, value: string) => void) | null;
  writerLink: (writer: WriterInfo) => ComponentChild;
}

/** The tables of all matrices. */
export function Matrices({ document, ...shared }: { document: StateDocument } & Shared) {
  const { matrices } = document.state;
  const table = (name: string, edit: string, title: string, rows: (number | null)[][], first: number) => (
    <Matrix
      key={title}
      {...{ title, rows, edit, first }}
      change={document.matrix_changes.find((change) => change.matrix === name)}
      writer={document.matrix_writers[name]?.[first]}
      {...shared}
    />
  );
  return (
    <>
      {MATRICES.map(([name, edit, title]) => table(name, edit, title, matrices[name], 0))}
      {matrices.bones.map((rows, bone) => table("bones", "BONE", `Bone ${bone}`, rows, bone * BONE_ELEMENTS))}
    </>
  );
}

interface MatrixProps extends Shared {
  title: string;
  rows: (number | null)[][];
  edit: string;
  /** The number of the first element. */
  first: number;
  change: MatrixChange | undefined;
  writer: WriterInfo | undefined;
}

function Matrix({ title, rows, edit, first, change, writer, addEdit, writerLink }: MatrixProps) {
  const cell = (value: number | null, element: number) => {
    const before = change?.elements.includes(element) ? change.before[element] : undefined;
    const text = decimal(value);
    const name = `${edit}[${element}]`;
    const check = (typed: string) => (typed === "" || typed === text ? null : problemOfNumber(typed, { isWhole: false }));
    const enter = (typed: string) => (typed === "" || typed === text ? text : addEdit?.(name, String(parseNumber(typed))));
    return (
      <td class={`mono${before === undefined ? "" : " is-changed"}`} title={before === undefined ? "" : `before: ${decimal(before)}`}>
        {before !== undefined && <span class="change-mark">●</span>}
        {addEdit ? <TextInput class="matrix-element mono" aria-label={name} value={text} check={check} onEnter={enter} /> : text}
      </td>
    );
  };
  return (
    <table class="matrix">
      <caption>{title} {writer && writerLink(writer)}</caption>
      <tbody>{rows.map((row, line) => <tr>{row.map((value, column) => cell(value, first + line * row.length + column))}</tr>)}</tbody>
    </table>
  );
}
