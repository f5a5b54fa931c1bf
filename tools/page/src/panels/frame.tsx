// The panel Frame: the run at a glance. Passes, the costliest draws, problems, and questions to start with.

import { count, counted, hex } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useRef } from "pspge/base/preact.js";
import { type Group, groupEvents } from "pspge/events/event-groups.js";
import { nameOf } from "pspge/events/event-names.js";
import { SmallPicture } from "pspge/picture/small-pictures.js";
import type { EventRow } from "pspge/state/app-types.js";
import { allNotes, runKey } from "pspge/state/run.js";
import { takeWish } from "pspge/state/wishes.js";
import { Button, IconButton, Mono, useKeptFocus } from "pspge/widgets/controls.js";
import { TextInput } from "pspge/widgets/fields.js";
import { EventLink } from "pspge/widgets/links.js";
import { panelOf, usePanel } from "pspge/widgets/panel.js";

/** How many passes and draws are listed. */
const PASSES = 12;
const COSTLIEST = 5;
const PROBLEMS = 8;
/** Longest note, because addresses have to stay short. */
const NOTE_MOST = 200;
/** Largest width and height of the small pictures, in pixels of the buffer. */
const SIZE = 96;

export const create = panelOf({ id: "frame", title: "Frame", className: "panel frame-panel" }, FramePanel);

function FramePanel() {
  const { app } = usePanel();
  const events = app.events?.events;
  const { passes, draws, total } = useMemo(() => {
    const all = events ?? [];
    return {
      passes: groupEvents(all).filter((part): part is Group => "rows" in part),
      draws: all.filter(({ draw }) => draw !== null).sort((a, b) => b.cost - a.cost),
      total: all.reduce((sum, { cost }) => sum + cost, 0),
    };
  }, [events]);
  const facts = [counted(draws.length, "draw"), counted(passes.length, "pass", "passes"), counted(events?.length ?? 0, "event")];
  return (
    <div class="scroll">
      <p><strong>{facts.join(", ")}</strong>{`. The run: ${app.events?.ended ?? ""}${app.events?.is_complete ? "" : "; it is not complete"}.`}</p>
      <Questions worst={draws[0]} />
      <h2>Notes</h2>
      <Notes />
      <h2>Passes</h2>
      <ol class="frame-passes">
        {passes.slice(0, PASSES).map((pass) => <Pass key={pass.pass} {...{ pass, total }} />)}
        {passes.length > PASSES && <li><Button onClick={() => app.openPanel("passes")}>{`${count(passes.length - PASSES)} more passes`}</Button></li>}
      </ol>
      <h2>Costliest draws</h2>
      <ol class="frame-draws">
        {draws.slice(0, COSTLIEST).map((row) => (
          <li key={row.event}><EventLink event={row.event} />{` ${nameOf(row)} · ${share(row.cost, total)}`}</li>
        ))}
      </ol>
      <h2>Problems</h2>
      <Problems />
    </div>
  );
}

function Questions({ worst }: { worst: EventRow | undefined }) {
  const { app } = usePanel();
  const pickMiddle = () => {
    const { width, height } = app.shownBuffer() ?? { width: 0, height: 0 };
    app.pickPixel(width >> 1, height >> 1);
  };
  const showWorst = () => {
    if (worst) {
      app.filterEvents("top:20");
      app.selectEvent(worst.event);
      app.openPanel("state");
    }
  };
  const questions: [string, string, () => void][] = [
    ["Which draws made this pixel?", "Picks the pixel in the middle; click another one in the picture", pickMiddle],
    ["Which draws show nothing, and why?", "Lists the draws without a fragment that passes all tests", () => app.filterEvents("fate:killed,empty")],
    ["What is the costliest draw?", "Lists the 20 events that cost most, and selects the first", showWorst],
  ];
  return (
    <div class="frame-questions" role="group" aria-label="Questions">
      {questions.map(([text, title, act]) => <Button key={text} title={title} onClick={act}>{text}</Button>)}
    </div>
  );
}

/** The notes on events, which travel in the address of the page, and a field for another one. */
function Notes() {
  const { app, selection } = usePanel();
  const { notes, event } = selection;
  const field = useRef<HTMLInputElement>(null);
  const list = useKeptFocus<HTMLDivElement>(field);
  const set = (changed: typeof notes) => app.store.set({ notes: changed });
  const add = () => {
    const text = field.current?.value.trim() ?? "";
    if (field.current && text !== "") {
      field.current.value = "";
      // The selection may be ahead of the panel.
      set([...notes, { event: app.store.get().event, text }]);
    }
  };
  useLayoutEffect(() => {
    if (takeWish("frame")?.isNote) {
      field.current?.focus();
    }
  });
  return (
    <div class="frame-notes" {...list}>
      {notes.length > 0 && (
        <ul>
          {notes.map((note) => (
            <li key={`${note.event} ${note.text}`}>
              <EventLink event={note.event} />{" "}
              <TextInput value={note.text} maxLength={NOTE_MOST} aria-label={`Note on event ${note.event}`} onEnter={(text) => set(notes.map((other) => (other === note ? { ...note, text } : other)))} />
              <IconButton name="close" label="Remove this note" onClick={() => set(notes.filter((other) => other !== note))} />
            </li>
          ))}
        </ul>
      )}
      <p>
        <label>
          {`Event ${event}: `}
          <input
            ref={field}
            type="text"
            class="note-field"
            maxLength={NOTE_MOST}
            placeholder="What is to be seen here?"
            aria-label="New note on the selected event"
            onKeyDown={({ key }) => key === "Enter" && add()}
          />
        </label>{" "}
        <Button title="Keep this note and the event in the address of the page (b)" onClick={add}>Add</Button>
      </p>
    </div>
  );
}

function Pass({ pass, total }: { pass: Group; total: number }) {
  const { app } = usePanel();
  const last = pass.rows.findLast(({ draw }) => draw !== null)?.event;
  const buffer = pass.buffer === null ? null : app.events?.buffers[pass.buffer];
  const request = last === undefined ? null : ({ run: app.store.run(), at: { event: last, after: true }, source: { kind: "color" }, max: SIZE } as const);
  return (
    <li>
      <button type="button" class="frame-pass" title="Select the last draw of this pass" onClick={() => last !== undefined && app.selectEvent(last)}>
        <SmallPicture class="frame-picture" of={runKey(app, last)} request={() => request} />
        <span><strong>{`Pass ${pass.pass}`}</strong>{` · ${counted(pass.draws, "draw")} · ${share(pass.cost, total)} of the cost`}</span>
        <Mono class="mono muted">{buffer && `${hex(buffer.address)} ${buffer.format} ${buffer.width}×${buffer.height}`}</Mono>
      </button>
    </li>
  );
}

function Problems() {
  const { app } = usePanel();
  const found = allNotes(app).filter(({ severity }) => severity === "problem");
  if (found.length === 0) {
    return <p class="muted">None: nothing is missing, guessed or left out.</p>;
  }
  return (
    <ul>
      {found.slice(0, PROBLEMS).map(({ message, count: times }) => <li>{message}{times > 1 && ` (${counted(times, "time")})`}</li>)}
      {found.length > PROBLEMS && <li>{`${count(found.length - PROBLEMS)} more in the notes above.`}</li>}
    </ul>
  );
}

function share(part: number, whole: number): string {
  const percent = (100 * part) / Math.max(1, whole);
  return percent < 1 ? "less than 1 %" : `${Math.round(percent)} %`;
}
