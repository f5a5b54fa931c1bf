// The panel that compares two runs: their first difference, and their pictures at the selected event.

import { counted, hex, sentence } from "pspge/base/dom.js";
import { ARITHMETICS } from "pspge/base/edit-text.js";
import { useState } from "pspge/base/preact.js";
import type { DiffDocument, PixelDocument, RunRequest, WriterInfo } from "pspge/documents.js";
import { Pictures, useComparison } from "pspge/panels/diff-pictures.js";
import { fileName } from "pspge/state/files.js";
import type { Selection } from "pspge/state/store.js";
import { Button, Color, Select, SmallTable, Tabs } from "pspge/widgets/controls.js";
import { NumberField, useTyped } from "pspge/widgets/fields.js";
import { EventLink } from "pspge/widgets/links.js";
import { panelOf, useAnswer, usePanel } from "pspge/widgets/panel.js";
import { useStage } from "pspge/widgets/stage.js";
import { type Column, Table } from "pspge/widgets/virtual-table.js";

type Part = "pictures" | "registers" | "values" | "pixel";

const VALUES: Column<DiffDocument["values"][number]>[] = [
  { title: "value", about: "Path in the description of the draw", width: 46, grows: true, cell: (row) => row.path },
  { title: "A", width: 26, cell: (row) => row.a ?? "none" },
  { title: "B", width: 26, cell: (row) => row.b ?? "none" },
];

export const create = panelOf({ id: "diff", title: "Diff", className: "diff-panel", label: "Diff" }, DiffPanel);

/** The run to compare with: by default, that of the file itself. */
function rivalOf({ rival, input, camera, pose }: Selection): RunRequest {
  return { input, arithmetic: "hardware", edits: [], ...(camera && { camera }), ...(pose && { pose }), ...rival };
}

function DiffPanel() {
  const { app, selection } = usePanel();
  const { store } = app;
  const { event, rivalEvent } = selection;
  const [part, setPart] = useState<Part>("pictures");
  const comparison = useComparison();
  const [isOnStage, stageSwitch] = useStage(true);
  const [a, b] = [rivalOf(selection), store.run()];
  const isSameRun = isSame(a, b) && (rivalEvent === null || rivalEvent === event);
  const { answer, problem } = useAnswer("diff", isSameRun ? null : { request: "diff", a, b, events: rivalEvent === null ? null : [rivalEvent, event] });
  const document = (problem === null && answer?.json.document) || null;

  const swap = () => store.set({ input: a.input ?? 0, arithmetic: a.arithmetic === "single" ? "single" : "hardware", edits: a.edits ?? [], rival: b });
  const parts: { value: Part; text: string; isDisabled?: boolean }[] = [
    ...(isOnStage ? [] : [{ value: "pictures", text: "Pictures" } as const]),
    { value: "registers", text: document ? `Registers (${document.registers.length + document.matrices.length})` : "Registers" },
    { value: "values", text: document ? `Values (${document.value_count})` : "Values" },
    { value: "pixel", text: "Pixel history", isDisabled: document !== null && !document.a_pixel && !document.b_pixel },
  ];
  const shown = isOnStage && part === "pictures" ? "registers" : part;
  return (
    <div class="host" onKeyDown={comparison.press}>
      <div class="diff-sides">
        <Side name="A" title="A: compared with" run={a} isRival />
        <Button title="Swap the sides" onClick={swap}>⇄</Button>
        <Side name="B" title="B: this page" run={b} />
      </div>
      <p class="diff-verdict" aria-live="polite">{problem ?? (isSameRun ? sameText(rivalEvent) : document ? <Verdict document={document} /> : "Comparing.")}</p>
      <div class="table-tabs"><Tabs label="Results" choices={parts} chosen={shown} onChoose={setPart} />{stageSwitch}</div>
      <div class="diff-content" role="tabpanel">
        <Pictures a={a} b={b} isShown={isOnStage || shown === "pictures"} isOnStage={isOnStage} {...comparison} />
        {shown !== "pictures" && (document ? <Result part={shown} document={document} /> : <p class="panel-message">There is no difference to show.</p>)}
      </div>
    </div>
  );
}

function sameText(rivalEvent: number | null): string {
  const next = rivalEvent === null ? "take the selected one as that of A, then select another." : "select another than that of A.";
  return `Both sides are the same. Make an edit, choose another arithmetic, drop a second file here, or compare two events: ${next}`;
}

function Verdict({ document }: { document: DiffDocument }) {
  const { event, byte_count: bytes } = document;
  const leftOut = [document.a_is_left_out && "A", document.b_is_left_out && "B"].filter(Boolean);
  return (
    <>
      <strong>{sentence(document.text)}</strong>{" "}
      {event !== null && <>{"Go to "}<EventLink event={event} />{". "}</>}
      {leftOut.length > 0 && `An edit of ${leftOut.join(" and ")} leaves it out. `}
      {document.is_other_event && "The events themselves differ. "}
      {bytes !== null && document.is_different && `${counted(bytes, "byte")} of memory ${bytes === 1 ? "differs" : "differ"} after it.`}
    </>
  );
}

/** The fields of a side: of the run to compare with, or of that of the page. */
function Side({ name, title, run, isRival = false }: { name: string; title: string; run: RunRequest; isRival?: boolean }) {
  const { app, selection } = usePanel();
  const { store } = app;
  const [, redraw] = useState({});
  const [edits, typed] = useTyped<HTMLTextAreaElement>((run.edits ?? []).join("\n"));
  const changeEdits = async (text: string) => {
    const wanted = text.split("\n").map((line) => line.trim()).filter(Boolean);
    const rival = { ...rivalOf(store.get()), edits: wanted };
    if (!isRival) {
      await store.setEdits(wanted);
    } else if (wanted.length === 0 || (await store.isPossible(rival))) {
      store.set({ rival });
    }
  };
  const change = (part: Partial<Pick<Selection, "input" | "arithmetic">>) => store.set(isRival ? { rival: { ...rivalOf(store.get()), ...part } } : part);
  const files = [
    { value: "0", text: fileName(app.input?.name ?? "the file") },
    ...(app.rival ? [{ value: "1", text: fileName(app.rival.name) }] : []),
    { value: "open", text: app.rival ? "Open another second file…" : "Open a second file…" },
  ];
  const chooseInput = async (value: string) => {
    if (value !== "open" || (await app.chooseInput(1))) {
      change({ input: value === "0" ? 0 : 1 });
    }
    redraw({});
  };
  return (
    <fieldset class="diff-side">
      <legend>{title}</legend>
      <div class="toolbar">
        <Select label="File" name={`File of ${name}`} choices={files} chosen={String(run.input ?? 0)} onChoose={(value) => void chooseInput(value)} />
        <Select label="Arithmetic" choices={ARITHMETICS} chosen={run.arithmetic ?? "hardware"} onChoose={(arithmetic) => change({ arithmetic })} />
        {isRival && (
          <>
            <NumberField
              label="Event"
              size={6}
              placeholder="same"
              title="The event of A to compare with the selected event of B; empty to look for the first difference of the runs"
              value={selection.rivalEvent}
              most={app.events?.count ?? 0}
              onEnter={(rivalEvent) => store.set({ rivalEvent })}
              onEmpty={() => store.set({ rivalEvent: null })}
            />
            <Button title="Compare the selected event with those that are selected next (v)" onClick={() => store.set({ rivalEvent: store.get().event })}>
              Take the selected
            </Button>
          </>
        )}
      </div>
      <textarea
        ref={edits}
        rows={2}
        spellcheck={false}
        aria-label={`Edits of ${name}, one in a line`}
        placeholder="no edits"
        {...typed}
        onChange={(event) => void changeEdits(event.currentTarget.value)}
      />
    </fieldset>
  );
}

function Result({ part, document }: { part: Part; document: DiffDocument }) {
  if (part === "registers") {
    return <div class="scroll"><Registers document={document} /></div>;
  }
  if (part === "values") {
    const { value_count: total, values } = document;
    return (
      <div class="diff-values-part">
        <p class="muted">{total > values.length ? `The first ${values.length} of ${total} values that differ.` : counted(total, "value that differs", "values that differ")}</p>
        <Table label="Values that differ" columns={VALUES} rows={values} />
      </div>
    );
  }
  const { a_pixel: a, b_pixel: b } = document;
  return <div class="diff-histories"><History name="A" pixel={a} other={b} /><History name="B" pixel={b} other={a} /></div>;
}

/** The history of a pixel in one of the runs. */
function History({ name, pixel, other }: { name: string; pixel: PixelDocument | null; other: PixelDocument | null }) {
  if (!pixel) {
    return <section><h3>{name}</h3><p class="muted">This run has no such pixel.</p></section>;
  }
  const results = new Map(other?.entries.map((entry) => [entry.event, entry.after.bits]));
  const rows = pixel.entries.slice(-200).map(({ event, before, after, verdict }) => {
    const isOther = other !== null && results.get(event) !== after.bits;
    return [<EventLink event={event} />, <Color value={before.color} />, <Color value={after.color} />, <>{isOther && <strong class="is-changing">Differs: </strong>}{verdict}</>];
  });
  return (
    <section>
      <h3>{`${name}: pixel ${pixel.x}, ${pixel.y}`}</h3>
      <p>{sentence(pixel.verdict)}</p>
      <SmallTable heads={["event", "before", "after", "effect"]} rows={rows} />
    </section>
  );
}

function isSame(a: RunRequest, b: RunRequest): boolean {
  const whole = (run: RunRequest) => JSON.stringify([run.input ?? 0, run.arithmetic ?? "hardware", run.edits ?? [], run.camera ?? null, run.pose ?? null]);
  return whole(a) === whole(b);
}

function Registers({ document: { registers, matrices } }: { document: DiffDocument }) {
  if (registers.length + matrices.length === 0) {
    return <p class="panel-message">Registers and matrices are the same at this event.</p>;
  }
  const value = (text: string | number | null) => <span class="value">{text ?? "no number"}</span>;
  const rows = [
    ...registers.map((row) => [row.register, value(row.a_text), value(row.b_text), writerText(row.a_writer), writerText(row.b_writer)]),
    ...matrices.flatMap(({ matrix, elements, a, b, a_writers: aWriters, b_writers: bWriters }) =>
      elements.map((element, nth) => [`${matrix}[${element}]`, value(a[element]), value(b[element]), writerText(aWriters[nth]), writerText(bWriters[nth])]),
    ),
  ];
  return <SmallTable heads={["register", "A", "B", "written in A by", "written in B by"]} rows={rows} hasNames />;
}

function writerText(writer: WriterInfo | null): string {
  if (!writer) {
    return "an edit";
  }
  const { kind, command, address, record } = writer;
  return kind === "command" ? `command ${command} at ${hex(address)}` : kind === "cpu" ? `the CPU, action ${record}` : "the start of the run";
}
