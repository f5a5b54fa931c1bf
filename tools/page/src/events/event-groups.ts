// The rows of the list of events: passes, runs of equal events, events, and the end of the run.

import type { EventRow } from "pspge/state/app-types.js";

export interface Group {
  pass: number;
  rows: EventRow[];
  draws: number;
  cost: number;
  buffer: number | null;
}
/** Equal events in a row. */
export interface Fold {
  rows: EventRow[];
  /** 0 for copies. */
  draws: number;
  /** The first event with the sums of all. */
  sum: EventRow;
}
export type ListRow =
  | { kind: "group"; group: Group; isOpen: boolean }
  | { kind: "fold"; fold: Fold; isOpen: boolean; level: number }
  | { kind: "event"; row: EventRow; level: number }
  | { kind: "end" };

/** How many equal draws, and copies by the CPU, become one row. */
const EQUAL_DRAWS = 4;
const COPIES = 2;

/**
 * Sorts events into groups of consecutive events of one pass. Events without a pass belong to the group around them, or
 * stand alone between groups.
 */
export function groupEvents(events: EventRow[]): (Group | EventRow)[] {
  const parts: (Group | EventRow)[] = [];
  let loose: EventRow[] = [];
  let group: Group | undefined;
  for (const row of events) {
    if (row.pass === null) {
      loose.push(row);
      continue;
    }
    if (group?.pass === row.pass) {
      group.rows.push(...loose, row);
    } else {
      parts.push(...loose);
      group = { pass: row.pass, rows: [row], draws: 0, cost: 0, buffer: row.buffer };
      parts.push(group);
    }
    loose = [];
  }
  parts.push(...loose);
  for (const part of parts) {
    if ("rows" in part) {
      part.draws = part.rows.filter(({ draw }) => draw !== null).length;
      part.cost = part.rows.reduce((sum, { cost }) => sum + cost, 0);
    }
  }
  return parts;
}

/** Returns what equal draws have in common; null for other events. */
function likenessOf({ kind, primitive, buffer, texture, state, clears, is_left_out }: EventRow) {
  const isPlain = kind === "draw" && clears === null && !is_left_out;
  return isPlain ? `${primitive} ${buffer} ${texture?.address} ${texture?.format} ${texture?.width} ${state.join()}` : null;
}

/** Folds equal draws in a row, with the copies by the CPU between them, and copies in a row. */
function foldEvents(rows: EventRow[]): (Fold | EventRow)[] {
  const parts: (Fold | EventRow)[] = [];
  for (let start = 0; start < rows.length; ) {
    const { end, draws } = runFrom(rows, start);
    const isFold = draws >= EQUAL_DRAWS || (draws === 0 && end - start >= COPIES);
    const taken = rows.slice(start, isFold ? end : start + 1);
    const [first] = taken;
    if (first) {
      parts.push(isFold ? { rows: taken, draws, sum: sumOf(first, taken) } : first);
    }
    start += taken.length;
  }
  return parts;
}

/** Returns the end of the equal events from `start` on, and how many draws are among them. */
function runFrom(rows: EventRow[], start: number) {
  const first = rows[start] as EventRow;
  const likeness = likenessOf(first);
  const isCopy = first.kind === "cpu" && !first.is_left_out;
  let [end, draws] = [start + 1, isCopy ? 0 : 1];
  if (!isCopy && likeness === null) {
    return { end, draws };
  }
  for (let at = start + 1; at < rows.length; at += 1) {
    const row = rows[at] as EventRow;
    const isOther = row.kind !== "cpu" || row.is_left_out;
    if (isOther && (isCopy || likenessOf(row) !== likeness)) {
      break;
    }
    if (isOther || isCopy) {
      draws += isCopy ? 0 : 1;
      end = at + 1;
    }
  }
  return { end, draws };
}

function sumOf(first: EventRow, rows: EventRow[]): EventRow {
  const draws = rows.filter(({ draw }) => draw !== null);
  const add = (of: (row: EventRow) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const primitives = (["all", "drawn", "culled", "flat"] as const).map((name) => [name, add((row) => row.primitives?.[name] ?? 0)]);
  return {
    ...first,
    vertices: draws.length > 0 ? add((row) => row.vertices ?? 0) : null,
    covered: add(({ covered }) => covered),
    passed: add(({ passed }) => passed),
    cost: add(({ cost }) => cost),
    registers: [...new Set(rows.flatMap(({ registers }) => registers))],
    primitives: draws.length > 0 ? Object.fromEntries(primitives) : null,
    box: rows.reduce((around: EventRow["box"], { box }) => (around && box ? boxAround(around, box) : (around ?? box)), null),
  };
}

function boxAround(a: NonNullable<EventRow["box"]>, b: NonNullable<EventRow["box"]>) {
  return { left: Math.min(a.left, b.left), top: Math.min(a.top, b.top), right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom) };
}

interface Shown {
  isMatch: (row: EventRow) => boolean;
  isFiltered: boolean;
  /** The passes whose groups are closed. */
  closed: Set<number>;
  /** The first events of open folds. */
  unfolded: Set<number>;
}

/** Returns the rows of the list: groups, the events of open ones that match, and the end of the run. */
export function listRows(parts: (Group | EventRow)[], { isMatch, isFiltered, closed, unfolded }: Shown): ListRow[] {
  const rows: ListRow[] = [];
  let loose: EventRow[] = [];
  const add = (events: EventRow[], level: number) => {
    for (const part of foldEvents(isFiltered ? events.filter(isMatch) : events)) {
      if (!("rows" in part)) {
        rows.push({ kind: "event", row: part, level });
        continue;
      }
      const isOpen = unfolded.has(part.sum.event);
      rows.push({ kind: "fold", fold: part, isOpen, level });
      if (isOpen) {
        part.rows.forEach((row) => rows.push({ kind: "event", row, level: level + 1 }));
      }
    }
  };
  for (const part of parts) {
    if (!("rows" in part)) {
      loose.push(part);
      continue;
    }
    add(loose, 1);
    loose = [];
    if (isFiltered && !part.rows.some(isMatch)) {
      continue;
    }
    const isOpen = !closed.has(part.pass);
    rows.push({ kind: "group", group: part, isOpen });
    if (isOpen) {
      add(part.rows, 2);
    }
  }
  add(loose, 1);
  if (!isFiltered && parts.length > 0) {
    rows.push({ kind: "end" });
  }
  return rows;
}
