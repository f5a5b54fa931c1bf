// Tables of a part of memory: the events that use it, and the bytes that differ between two moments.

import { count, counted, hex } from "pspge/base/dom.js";
import { useMemo, useRef } from "pspge/base/preact.js";
import type { Moment, MemoryUseInfo } from "pspge/documents.js";
import { Button } from "pspge/widgets/controls.js";
import { SaveTable } from "pspge/widgets/export.js";
import { NumberField } from "pspge/widgets/fields.js";
import { EventLink } from "pspge/widgets/links.js";
import { useAnswer, usePanel } from "pspge/widgets/panel.js";
import { type Column, Table } from "pspge/widgets/virtual-table.js";

export interface Part {
  address: number;
  length: number;
}
interface Change {
  address: number;
  before: Uint8Array;
  after: Uint8Array;
}

/** Bytes of a change that the table shows. */
const SHOWN = 16;
/** Equal bytes between two changes that are still one row. */
const GAP = 4;

/** The words for uses: those that read, and those that write. */
const USES: Record<string, [string, string]> = {
  texture: ["samples as texture", ""],
  palette: ["uses as palette", ""],
  vertices: ["reads as vertices", ""],
  indices: ["reads as indices", ""],
  copy: ["copies from", "copies to"],
  screen: ["shows", ""],
  color: ["blends with", "draws colour"],
  stencil: ["tests stencil", ""],
  depth: ["tests depth", "draws depth"],
  cpu: ["", "the CPU writes"],
};

const USE_COLUMNS: Column<MemoryUseInfo>[] = [
  { title: "event", about: "Number of the event", width: 8, isNumber: true, cell: ({ event }) => event ?? "end" },
  { title: "who", about: "The draw, or another event", width: 16, cell: ({ event }) => (event === null ? "the end" : <EventLink event={event} />) },
  { title: "use", about: "How it uses the bytes", width: 22, grows: true, cell: (row) => USES[row.kind]?.[row.is_write ? 1 : 0] || row.kind },
  { title: "bytes", about: "How many of the bytes", width: 10, isNumber: true, cell: (row) => row.bytes },
];
/** What is shown until an answer is there. A new list each time would be drawn each time. */
const NONE: never[] = [];

/** The events of the run that read or write a part of memory. */
export function Uses({ part }: { part: Part }) {
  const { app, selection } = usePanel();
  const table = useRef<{ csv: () => string }>(null);
  const { answer, problem } = useAnswer("memory-uses", { request: "memory", run: app.store.run(), at: { event: 0 }, uses: true, ...part });
  const uses = answer?.json.document.uses ?? NONE;
  const writes = uses.filter((use) => use.is_write).length;
  const { address = 0, length = 0 } = answer?.request ?? {};
  const summary = answer && `${counted(writes, "write")} and ${counted(uses.length - writes, "read")} of ${counted(length, "byte")} at ${hex(address)}.`;
  return (
    <div class="memory-table">
      <div class="toolbar">
        <p class="panel-summary" aria-live="polite">{problem ?? summary}</p>
        <SaveTable name={`uses-${hex(part.address)}`} table={table} />
      </div>
      <Table
        label="Events that use the bytes"
        columns={USE_COLUMNS}
        rows={uses}
        state={selection.event}
        onEnter={({ event }) => event !== null && app.selectEvent(event)}
        rowClass={(row) => `${row.is_write ? "is-changing" : ""} ${row.event === selection.event ? "is-event" : ""}`}
        tableRef={table}
      />
    </div>
  );
}

const bytesText = (bytes: Uint8Array) => [...bytes.subarray(0, SHOWN)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ") + (bytes.length > SHOWN ? " …" : "");
const CHANGE_COLUMNS: Column<Change>[] = [
  { title: "address", about: "Address of the first byte", width: 12, cell: (row) => hex(row.address) },
  { title: "bytes", about: "Number of bytes", width: 8, isNumber: true, cell: (row) => row.before.length },
  { title: "before", about: "The bytes before the other event", width: 48, cell: (row) => bytesText(row.before) },
  { title: "now", about: "The bytes at the moment that the panel shows", width: 48, grows: true, cell: (row) => bytesText(row.after) },
];

/** The bytes of a part of memory that differ between the moment before an event and the shown one. */
export function Changes({ part, now }: { part: Part; now: Moment }) {
  const { app, selection } = usePanel();
  const { store } = app;
  const table = useRef<{ csv: () => string }>(null);
  const event = selection.rivalEvent ?? 0;
  const at = (moment: Moment) => ({ request: "memory", run: store.run(), at: moment, ...part }) as const;
  const before = useAnswer("memory-changes-before", at({ event, after: false }));
  const after = useAnswer("memory-changes-now", at(now));
  const address = before.answer?.request.address ?? 0;
  const found = useMemo(() => {
    const [old, current] = [before.answer?.bytes, after.answer?.bytes];
    if (!old || !current || old.length !== current.length) {
      return null;
    }
    const differing = old.reduce((sum, byte, nth) => sum + Number(byte !== current[nth]), 0);
    return { rows: changesOf(address, old, current), summary: `${counted(differing, "byte")} of ${count(old.length)} at ${hex(address)} ${differing === 1 ? "differs" : "differ"}.` };
  }, [before.answer, after.answer]);
  return (
    <div class="memory-table">
      <div class="toolbar">
        <NumberField label="Compare with the moment before event" size={7} value={event} most={app.events?.count ?? 0} onEnter={(rivalEvent) => store.set({ rivalEvent })} />
        <Button title="Compare with the moment before the selected event" onClick={() => store.set({ rivalEvent: store.get().event })}>
          Take the selected
        </Button>
        <SaveTable name={`changes-${hex(part.address)}`} table={table} />
      </div>
      <p class="panel-summary" aria-live="polite">{before.problem ?? after.problem ?? found?.summary}</p>
      <Table label="Bytes that differ" columns={CHANGE_COLUMNS} rows={found?.rows ?? NONE} tableRef={table} />
    </div>
  );
}

/** Lists the bytes that differ, with a few equal ones between them. */
function changesOf(address: number, before: Uint8Array, now: Uint8Array): Change[] {
  const ranges: [number, number][] = [];
  for (let at = 0; at < before.length; at += 1) {
    if (before[at] === now[at]) {
      continue;
    }
    const last = ranges.at(-1);
    if (last && at - last[1] <= GAP) {
      last[1] = at + 1;
    } else {
      ranges.push([at, at + 1]);
    }
  }
  return ranges.map(([start, end]) => ({ address: address + start, before: before.subarray(start, end), after: now.subarray(start, end) }));
}
