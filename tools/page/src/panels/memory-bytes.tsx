// Memory as bytes in hexadecimal, with their characters and their last writers.

import { hex } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useState } from "pspge/base/preact.js";
import type { Answer } from "pspge/state/engine.js";
import { fileName } from "pspge/state/files.js";
import { runKey } from "pspge/state/run.js";
import { EventLink } from "pspge/widgets/links.js";
import { usePanel } from "pspge/widgets/panel.js";
import { type Column, Table } from "pspge/widgets/virtual-table.js";

/** Bytes of a row. */
const ROW = 16;
/** Bytes that are asked for at a time. */
const CHUNK = 4096;
/** Bytes of which rows are listed: browsers limit the height of a list. */
export const WINDOW = 1 << 20;
/** Colours of writers, after which they repeat. */
const HUES = 8;

/** Bytes of a row that stand close together. */
const GROUPS = [0, 4, 8, 12];
const HEADS = GROUPS.map((group) => [0, 1, 2, 3].map((nth) => byteText(group + nth, true)).join(" ")).join("  ");

/** `mapped` has a 1 for each byte that exists. */
type Chunk = Pick<Answer<"memory">["json"]["document"], "writers" | "sources"> & Record<"bytes" | "mapped", Uint8Array>;
/** A chunk, as far as it is there: at the moment of the run that was asked for, and at the one that was shown before. */
interface Known {
  moment: string;
  now: Chunk | null;
  before: Chunk | null;
  isFailed: boolean;
}

/** Bytes around an address. Those that have changed since the moment before are marked, also after something else was shown. */
export function Bytes({ isShown, address: target }: { isShown: boolean; address: number }) {
  const { app, selection } = usePanel();
  const { event, after } = selection;
  const run = app.store.run();
  const moment = runKey(app, event, after);
  const [chunks] = useState(() => new Map<number, Known>());
  const [, redraw] = useState({});
  const [chosen, choose] = useState(target);
  const start = (target & ~(WINDOW - 1)) >>> 0;
  const rows = useMemo(() => Array.from({ length: WINDOW / ROW }, (_, row) => start + row * ROW), [start]);
  useLayoutEffect(() => choose(target), [isShown, target]);

  /** Returns what is known of the chunk of an address, and asks for it if that is of another moment. */
  const knownAt = (address: number): Known => {
    const first = (address & ~(CHUNK - 1)) >>> 0;
    const known = chunks.get(first);
    if (known?.moment === moment) {
      return known;
    }
    const asked: Known = { moment, now: null, before: known?.now ?? known?.before ?? null, isFailed: false };
    chunks.set(first, asked);
    const answer = app.attempt(app.engine.request({ request: "memory", run, at: { event, after }, address: first, length: CHUNK }));
    void answer.then((found) => {
      Object.assign(asked, found ? { now: chunkOf(first, found) } : { isFailed: true });
      redraw({});
    });
    return asked;
  };
  const writersOf = (address: number, length: number) => {
    const { now, before } = knownAt(address);
    return (now ?? before)?.writers.filter((writer) => writer.address < address + length && writer.address + writer.length > address) ?? [];
  };
  /** Shows bytes as texts. Neighbours with the same marks are one element, and a gap between others belongs to none. */
  const runs = (address: number, length: number, gap: string, textOf: (value: number, isMapped: boolean) => string) => {
    const { now, before } = knownAt(address);
    const chunk = now ?? before;
    const writers = writersOf(address, length);
    const found: { mark: string; text: string }[] = [];
    for (let at = address; chunk && at < address + length; at += 1) {
      const offset = at % CHUNK;
      const isMapped = chunk.mapped[offset] === 1;
      const writer = writers.find((part) => at >= part.address && at < part.address + part.length);
      const marks = [
        writer ? `writer-${writer.event % HUES}` : isMapped ? "" : "is-unmapped",
        at === target && "is-target",
        before && chunk.bytes[offset] !== before.bytes[offset] && "is-changed",
      ];
      const mark = marks.filter(Boolean).join(" ");
      const text = textOf(chunk.bytes[offset], isMapped);
      const last = found.at(-1);
      if (last?.mark === mark) {
        last.text += gap + text;
      } else {
        found.push({ mark, text });
      }
    }
    return found.map(({ mark, text }, nth) => <>{nth > 0 && gap}<span class={mark}>{text}</span></>);
  };
  const bytesOf = (address: number) => {
    const { now, before, isFailed } = knownAt(address);
    if (isFailed || !(now ?? before)) {
      return <span class="muted">{isFailed ? "not known" : "…"}</span>;
    }
    return <span class="hex-bytes">{GROUPS.map((group, nth) => <>{nth > 0 && "  "}{runs(address + group, 4, " ", byteText)}</>)}</span>;
  };
  const linksOf = (address: number) => {
    const events = [...new Set(writersOf(address, ROW).map((writer) => writer.event))];
    // Links inside the rows of a list are no stops of Tab: the line below the list has them, too.
    const links = events.slice(0, 3).map((writer) => <EventLink event={writer} class={`writer-${writer % HUES}`} tabIndex={-1} />);
    return <span class="hex-writers">{links}{events.length > 3 && ` +${events.length - 3}`}</span>;
  };
  const columns: Column<number>[] = [
    { title: "address", width: 12, isHead: true, cell: (address) => hex(address) },
    { title: HEADS, about: "The bytes", width: 53, cell: bytesOf },
    { title: "characters", width: 19, cell: (address) => runs(address, ROW, "", characterOf) },
    { title: "last writers", width: 20, grows: true, cell: linksOf },
  ];
  return isShown ? (
    <>
      <div class="memory-bytes">
        <Table
          label="Bytes"
          columns={columns}
          rows={rows}
          active={(chosen - start) / ROW | 0}
          onActive={(row) => choose(target >= row && target < row + ROW ? target : row)}
        />
      </div>
      <p class="memory-facts" aria-live="off"><ByteFacts chunk={knownAt(chosen).now} byte={chosen} after={after} /></p>
    </>
  ) : null;
}

/** Tells who wrote a byte, and from where it was loaded. */
function ByteFacts({ chunk, byte, after }: { chunk: Chunk | null; byte: number; after: boolean }) {
  if (!chunk) {
    return <>{"\u00a0"}</>;
  }
  const isIn = (part: { address: number; length: number }) => byte >= part.address && byte < part.address + part.length;
  const [writer, source] = [chunk.writers.find(isIn), chunk.sources.find(isIn)];
  const nobody = chunk.mapped[byte % CHUNK] === 1 ? `No event ${after ? "up to and with" : "before"} the selected one wrote ${hex(byte)}.` : `There is no memory at ${hex(byte)}.`;
  return (
    <>
      {writer ? <>{`${hex(byte)} was written last by `}<EventLink event={writer.event} />.</> : nobody}
      {source && ` It was loaded from ${fileName(source.file)} at ${hex(source.file_offset + byte - source.address, 6)}.`}
    </>
  );
}

function chunkOf(start: number, { json, bytes }: Answer<"memory">): Chunk {
  const { mapped: parts, writers, sources } = json.document;
  const mapped = new Uint8Array(CHUNK);
  parts.forEach(({ address, length }) => mapped.fill(1, address - start, address - start + length));
  return { bytes, mapped, writers, sources };
}

function byteText(value: number, isMapped: boolean) {
  return isMapped ? value.toString(16).padStart(2, "0") : "--";
}

function characterOf(value: number, isMapped: boolean) {
  return !isMapped ? " " : value >= 0x20 && value < 0x7f ? String.fromCharCode(value) : "·";
}
