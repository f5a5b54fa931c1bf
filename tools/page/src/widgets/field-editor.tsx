// Fields of registers: their values, and editors that take the place of a value until another one is chosen.

import { colorText, hex } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { useId, useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import { parseNumber, problemOfNumber } from "pspge/base/typed-number.js";
import type { FieldDescription, FieldRow } from "pspge/documents.js";
import { Swatch } from "pspge/widgets/controls.js";
import { Problem } from "pspge/widgets/fields.js";

/** The largest number that the 24 bits of a float hold. */
const LARGEST_FLOAT = 3.4027e38;
const COLOR = /^#?[0-9a-f]{6}$/i;

/** A value: with a sample if it is a colour, and a box if it is a switch. */
export function FieldValue({ field: { description, value, text } }: { field: FieldRow }) {
  if (description.kind === "color" && Array.isArray(value)) {
    return <><Swatch color={value as number[]} />{text}</>;
  }
  if (description.kind === "flag") {
    return <><span aria-hidden="true">{value ? "☑ " : "☐ "}</span>{value ? "on" : "off"}</>;
  }
  return <>{text}</>;
}

/** Returns a value of a field of some kind as a person reads it: in the base in which the engine writes those of its kind. */
export function valueText(kind: FieldDescription["kind"], value: unknown): string {
  if (Array.isArray(value)) {
    return colorText(value);
  }
  if (typeof value === "boolean") {
    return value ? "on" : "off";
  }
  return kind === "hexadecimal" ? hex(value as number, 1) : String(value ?? "no number");
}

/** A value that becomes an editor when it is clicked. `take` is called with another value, as edits have it. */
export function EditableValue({ place, field, take }: { place: string; field: FieldRow; take: (value: string) => void }) {
  const [isEdited, setEdited] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // The focus comes back to the value.
  useLayoutEffect(() => (isEdited ? () => button.current?.focus() : undefined), [isEdited]);
  const { description, value } = field;
  if (isEdited) {
    return <Editor field={field} take={take} end={() => setEdited(false)} />;
  }
  const edit = () => (description.kind === "flag" ? take(value ? "0" : "1") : setEdited(true));
  return (
    <button ref={button} type="button" class="value mono" title={`${description.description}\nClick to try another value.`} onClick={edit}>
      <span class="visually-hidden">{place}: </span>
      <FieldValue field={field} />
    </button>
  );
}

/** An editor. Enter or a choice takes the value, Escape leaves it. */
function Editor({ field, take, end }: { field: FieldRow; take: (value: string) => void; end: () => void }) {
  const { description, text } = field;
  const id = useId();
  const editor = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const isDone = useRef(false);
  const isByKey = useRef(false);
  const [problem, setProblem] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (editor.current) {
      editor.current.value = text;
      editor.current.focus();
      editor.current.select?.();
    }
  }, []);
  // A value that is refused stays in the field with the reason. Who leaves the field leaves the value as it was.
  const finish = (isTaken: boolean, mayStay = false) => {
    const wanted = editor.current?.value.trim() ?? "";
    const isOther = isTaken && wanted !== "" && wanted !== text;
    const why = isOther ? problemOf(description, wanted) : null;
    setProblem(why);
    if (isDone.current || (why && mayStay)) {
      return;
    }
    isDone.current = true;
    end();
    if (isOther && !why) {
      take(written(description, wanted));
    }
  };
  const press = (event: KeyboardEvent) => {
    isByKey.current = true;
    takeKey(event, { Enter: () => finish(true, true), Escape: () => finish(false) });
  };
  const shared = {
    ref: editor,
    "aria-label": `New value of ${description.name}`,
    "aria-invalid": problem !== null,
    "aria-describedby": problem === null ? undefined : id,
    onPointerDown: () => (isByKey.current = false),
    onKeyDown: press,
    onBlur: () => finish(true),
  };
  if (description.values.length > 0) {
    const names = description.values.map(({ name }) => name);
    return (
      // Each arrow key changes a closed list; only Enter or leaving it takes the choice then.
      <select class="field-editor" {...shared} onChange={() => isByKey.current || finish(true)}>
        {(names.includes(text) ? names : [text, ...names]).map((name) => <option value={name}>{name}</option>)}
      </select>
    );
  }
  const { kind } = description;
  const { least, most } = rangeOf(description);
  const hint = kind === "color" ? "Colour as #rrggbb" : kind === "float" ? "A number" : `${least} to ${most}`;
  return <><input class="field-editor mono" type="text" title={hint} spellcheck={false} size={10} {...shared} /><Problem id={id} text={problem} /></>;
}

function rangeOf({ kind, low, high }: FieldDescription) {
  const count = 2 ** (high - low + 1);
  return kind === "float"
    ? { least: -LARGEST_FLOAT, most: LARGEST_FLOAT, isWhole: false }
    : kind === "signed"
      ? { least: -count / 2, most: count / 2 - 1 }
      : { least: 0, most: count - 1 };
}

/** Returns why a text cannot be the value of a field; null if it can. */
function problemOf(description: FieldDescription, text: string): string | null {
  if (description.values.some(({ name }) => name === text)) {
    return null;
  }
  if (description.kind === "color") {
    return COLOR.test(text) ? null : `“${text}” is no colour. Write it as #rrggbb.`;
  }
  return problemOfNumber(text, rangeOf(description));
}

/** Writes a value as edits have it: in the base in which the page shows the field. */
function written({ kind, values }: FieldDescription, text: string): string {
  if (kind === "color") {
    return `#${text.replace("#", "")}`;
  }
  const number = values.length > 0 ? null : parseNumber(text);
  return number === null ? text : kind === "hexadecimal" ? hex(number, 1) : String(number);
}
