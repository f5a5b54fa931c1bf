// The matrices of a state as tables.

import { capital, decimal } from "pspge/base/dom.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";
import type { StateDocument } from "pspge/documents.js";
import { TextInput } from "pspge/widgets/fields.js";
import { Writer } from "pspge/widgets/links.js";

const MATRICES = ["world", "view", "projection", "texture"] as const;
const BONE_ELEMENTS = 12;

interface MatricesProps {
  document: StateDocument;
  /** Takes the name of an element and its new value; null if nothing can be edited. */
  addEdit: ((name: string, value: string) => void) | null;
}
interface MatrixProps extends MatricesProps {
  name: string;
  /** Its name in edits. */
  edit: string;
  title: string;
  rows: (number | null)[][];
  /** The number of the first element. */
  first: number;
}

/** The tables of all matrices. */
export function Matrices(props: MatricesProps) {
  const { matrices } = props.document.state;
  return (
    <>
      {MATRICES.map((name) => <Matrix key={name} name={name} edit={name.toUpperCase()} title={capital(name)} rows={matrices[name]} first={0} {...props} />)}
      {matrices.bones.map((rows, bone) => <Matrix key={bone} name="bones" edit="BONE" title={`Bone ${bone}`} rows={rows} first={bone * BONE_ELEMENTS} {...props} />)}
    </>
  );
}

function Matrix({ name, edit, title, rows, first, document, addEdit }: MatrixProps) {
  const change = document.matrix_changes.find(({ matrix }) => matrix === name);
  const writer = document.matrix_writers[name]?.[first];
  const cell = (value: number | null, element: number) => {
    const before = change?.elements.includes(element) ? change.before[element] : undefined;
    const text = decimal(value);
    const place = `${edit}[${element}]`;
    const check = (typed: string) => (typed === "" || typed === text ? null : problemOfNumber(typed, { isWhole: false }));
    const enter = (typed: string) => (typed === "" || typed === text ? text : addEdit?.(place, String(parseNumber(typed))));
    return (
      <td class={`mono${before === undefined ? "" : " is-changed"}`} title={before === undefined ? "" : `before: ${decimal(before)}`}>
        {before !== undefined && <span class="change-mark">●</span>}
        {addEdit ? <TextInput class="matrix-element mono" aria-label={place} value={text} check={check} onEnter={enter} /> : text}
      </td>
    );
  };
  return (
    <table class="matrix">
      <caption>{title} {writer && <Writer writer={writer} />}</caption>
      <tbody>{rows.map((row, line) => <tr>{row.map((value, column) => cell(value, first + line * row.length + column))}</tr>)}</tbody>
    </table>
  );
}
