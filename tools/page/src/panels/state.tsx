// The panel State: all registers before an event, who wrote them, and editors for their values.

import { counted } from "pspge/base/dom.js";
import { editOf } from "pspge/base/edit-text.js";
import { useState } from "pspge/base/preact.js";
import type { EventRow, RegisterRow, StateAnswer } from "pspge/documents.js";
import { DerivedState } from "pspge/panels/derived-state.js";
import { Matrices } from "pspge/panels/matrices.js";
import { Heads, Mono, Select, Toggle } from "pspge/widgets/controls.js";
import { EditableValue, FieldValue, valueText } from "pspge/widgets/field-editor.js";
import { Writer } from "pspge/widgets/links.js";
import { panelOf, useAnswer, usePanel } from "pspge/widgets/panel.js";

const SCOPES = { this: "this event", from: "from here on", all: "all events" };

/** What the rows of registers share. */
interface Shared {
  answer: StateAnswer;
  row: EventRow | null;
  /** Values of the file itself by the names of their registers and fields, if edits set others. */
  originals: Map<string, unknown>;
  /** Why nothing can be edited; null if it can. */
  against: string | null;
  addEdit: (name: string, value: string) => void;
}

export const create = panelOf({ id: "state", title: "State", className: "panel state-panel" }, StatePanel);

function StatePanel() {
  const { app, selection } = usePanel();
  const { store } = app;
  const [search, setSearch] = useState("");
  const [onlyChanged, setOnlyChanged] = useState(false);
  const [hideZero, setHideZero] = useState(false);
  const [scope, setScope] = useState<keyof typeof SCOPES>("this");
  const [isMatrixOpen, setMatrixOpen] = useState(false);
  // Groups that somebody has closed stay so, also when a search hides them for a while.
  const [closed] = useState(() => new Set<string>());
  const event = Math.min(selection.event, app.events?.count ?? 0);
  const others = selection.edits.filter((edit) => !edit.startsWith("--set "));
  const { answer } = useAnswer("state", { request: "state", run: store.run(), event });
  const isSet = others.length < selection.edits.length;
  const unset = useAnswer("state of the file", isSet ? { request: "state", run: { ...store.run(), edits: others }, event } : null);
  // The row of the state that is shown: that of the selected event may still be under way.
  const row = answer ? (app.events?.events[answer.request.event ?? 0] ?? null) : null;

  /** Returns the events of an edit, as its text has them; null if it could be on none. */
  const editScope = () => {
    const here = !row || row.kind === "cpu" ? null : row.draw === null ? `event:${row.event}` : String(row.draw);
    // A range of events could hold actions of the CPU, which have no registers; a range of draws cannot.
    const next = row && app.events?.events.find((other) => other.event >= row.event && other.draw !== null)?.draw;
    const later = scope === "from" && typeof next === "number" ? `${next}-` : null;
    const places = [row?.draw !== null && later ? null : here, later].filter(Boolean);
    return scope === "all" ? "" : places.length > 0 ? `@${places.join(",")}` : null;
  };
  const events = editScope();
  const subject = row ? "An action of the CPU uses no registers" : "Nothing is drawn at the end of the run";
  const against = events === null ? `${subject}, so no value can be changed here. “Edits change” above can name other events.` : null;
  const addEdit = (name: string, value: string) => {
    const edit = `--set ${name}=${value}${events}`;
    void store.addEdit(edit).then((isTaken) => isTaken && app.announce(`Edit: ${edit}`));
  };

  const { previous_event: previous = null, changes = [] } = answer?.json.document ?? {};
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isShown = (register: RegisterRow) =>
    (!onlyChanged || register.before !== null) &&
    (!hideZero || !register.is_zero) &&
    words.every((word) => `${register.name} ${register.text} ${register.meaning}`.toLowerCase().includes(word));
  const groups = (answer?.json.groups ?? [])
    .map(({ name, registers }) => ({ name, registers: registers.filter(isShown) }))
    .filter(({ registers }) => registers.length > 0);
  const registersOfFile = unset.answer?.json.groups.flatMap(({ registers }) => registers) ?? [];
  const originals = new Map(registersOfFile.flatMap(({ name, fields }) => fields.map(({ description, value }) => [`${name}.${description.name}`, value])));

  return (
    <>
      <div class="pane-head">
        <input type="search" placeholder="Search registers" aria-label="Search registers" spellcheck={false} value={search} onInput={(typed) => setSearch(typed.currentTarget.value)} />
        <Toggle text="only changed" isOn={onlyChanged} onChange={setOnlyChanged} />
        <Toggle text="hide zero" isOn={hideZero} onChange={setHideZero} />
        <Select class="check" label="edits change" name="Events that an edit changes" title="Events that an edit changes" choices={SCOPES} chosen={scope} onChoose={setScope} />
      </div>
      <div class="scroll">
        {answer && (
          <>
            <p class="state-heading">
              <strong>{row ? `State at event ${row.event}` : "State at the end of the run"}</strong>
              {` · ${changes.length === 0 ? "no register" : counted(changes.length, "register")} changed since ${previous ? `event ${previous.event}` : "the start"}`}
            </p>
            <div class="derived"><DerivedState state={answer.json.document.state} /></div>
            <p class="muted" role="status" hidden={against === null}>{against}</p>
            <div class="state-groups">
              {groups.map(({ name, registers }) => (
                <Group key={name} name={name} registers={registers} answer={answer.json} {...{ row, closed, originals, against, addEdit }} />
              ))}
            </div>
            {groups.length === 0 && <p class="muted">No register matches.</p>}
            <details class="group" onToggle={(toggled) => setMatrixOpen(toggled.currentTarget.open)}>
              <summary>Matrices</summary>
              <div class="matrices">
                {isMatrixOpen && <Matrices document={answer.json.document} addEdit={against === null ? addEdit : null} />}
              </div>
            </details>
          </>
        )}
      </div>
    </>
  );
}

function Group({ name, registers, closed, ...shared }: { name: string; registers: RegisterRow[]; closed: Set<string> } & Shared) {
  const changed = registers.filter(({ before }) => before !== null).length;
  return (
    <details class="group" open={!closed.has(name)} onToggle={({ currentTarget }) => (currentTarget.open ? closed.delete(name) : closed.add(name))}>
      <summary>
        {name}
        {changed > 0 && <span class="badge" title="Registers that have changed since the event before">{`${changed} changed`}</span>}
      </summary>
      <table class="registers">
        <colgroup><col class="name-column" /><col /><col class="writer-column" /></colgroup>
        <Heads class="visually-hidden" names={["Register", "Fields", "Writer"]} />
        <tbody>{registers.map((register) => <Register key={register.name} register={register} {...shared} />)}</tbody>
      </table>
    </details>
  );
}

function Register({ register, answer, row, originals, against, addEdit }: { register: RegisterRow } & Shared) {
  const { selection } = usePanel();
  const isChanged = register.before !== null;
  const change = answer.document.changes.find((other) => other.register === register.name);
  const reason = register.fixed ?? against;
  const isOnly = register.fields.length === 1;
  return (
    <tr class={isChanged ? "is-changed" : register.is_zero ? "is-zero" : ""}>
      <th scope="row" title={register.meaning}>
        {isChanged && <span class="change-mark" title={`Changed; before: ${register.before_text || register.before}`}>●</span>}
        {register.name}
      </th>
      <td class="fields">
        {register.fields.length === 0 && <Mono>{register.text}</Mono>}
        {register.fields.map((field) => {
          const { description } = field;
          const before = change?.fields?.[description.name]?.before;
          const place = isOnly ? register.name : `${register.name}.${description.name}`;
          const edit = editOf(selection.edits, place, row);
          const original = `${register.name}.${description.name}`;
          return (
            <span key={description.name} class={`field${before === undefined ? "" : " is-changed"}`}>
              {!isOnly && <span class="field-name" title={description.description}>{description.name}</span>}
              {edit !== null && (
                <span class="badge" title={`${edit}; the value of the file comes first`}>
                  {originals.has(original) ? `${valueText(description.kind, originals.get(original))} →` : "edited"}
                </span>
              )}
              {reason === null ? (
                <EditableValue place={place} field={field} take={(value) => addEdit(place, value)} />
              ) : <span class="value mono" title={`${description.description}\n${reason}`}><FieldValue field={field} /></span>}
              {before !== undefined && <span class="was" title="The value before">{` was ${valueText(description.kind, before)}`}</span>}
            </span>
          );
        })}
      </td>
      <td class="writer"><Writer writer={register.writer} /></td>
    </tr>
  );
}
