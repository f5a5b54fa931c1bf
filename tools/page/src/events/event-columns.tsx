// The columns of the list of events: which there are, which are shown, and by what they sort.

import { count, hex } from "pspge/base/dom.js";
import { remember, setting } from "pspge/base/layout.js";
import type { ComponentChild } from "pspge/base/preact.js";
import { blendOf, effectsOf, killedOf, nameOf, placeOf, testsOf, textureOf } from "pspge/events/event-names.js";
import type { Buffer, EventRow } from "pspge/state/app-types.js";

export interface Facts {
  buffers: Buffer[];
  rank: (event: number) => number;
  largestCost: number;
  /** Returns a small picture of the texture. */
  picture: (row: EventRow) => ComponentChild;
}
export interface Column {
  id: string;
  title: string;
  about: string;
  /** In characters. */
  width: number;
  isNumber?: boolean;
  /** What it sorts by, and shows unless there is a `cell`. */
  key: (row: EventRow, facts: Facts) => string | number;
  cell?: (row: EventRow, facts: Facts) => ComponentChild;
}

/** The setting that holds the chosen columns. */
const SETTING = "event-columns";
/** The name of the column that is always shown. */
const NAME = "name";

const some = (number: number) => (number === 0 ? "" : count(number));

export const COLUMNS: Column[] = [
  { id: "event", title: "#", about: "Number of the event", width: 5.5, isNumber: true, key: ({ event }) => event },
  { id: "draw", title: "Draw", about: "Number of the draw", width: 6, isNumber: true, key: ({ draw }) => draw ?? -1, cell: ({ draw }) => draw },
  { id: NAME, title: "Event", about: "The event", width: 20, key: nameOf },
  {
    id: "target",
    title: "Target",
    about: "Address of the colour buffer that is drawn to",
    width: 11,
    key: ({ buffer }, { buffers }) => (buffer === null ? "" : hex(buffers[buffer]?.address)),
  },
  { id: "texture", title: "Texture", about: "The texture", width: 17, key: textureOf, cell: (row, { picture }) => <>{picture(row)}{textureOf(row)}</> },
  { id: "place", title: "Pixels", about: "Box of the pixels that it covers, or its addresses", width: 20, key: placeOf, cell: placeCell },
  { id: "blend", title: "Blend", about: "How it blends with the target", width: 14, key: blendOf },
  { id: "tests", title: "Tests", about: "Tests of its fragments", width: 22, key: testsOf },
  { id: "effects", title: "Effects", about: "Light, fog, culling, dithering and the like", width: 14, key: effectsOf },
  { id: "vertices", title: "Vertices", about: "Number of vertices", width: 9, isNumber: true, key: ({ vertices }) => vertices ?? 0, cell: ({ vertices }) => some(vertices ?? 0) },
  {
    id: "primitives",
    title: "Culled",
    about: "Primitives that do not reach the rasterizer: culled, or outside the view",
    width: 8,
    isNumber: true,
    key: ({ primitives }) => (primitives ? primitives.all - primitives.drawn : 0),
    cell: ({ primitives }) => primitives && <span title={culledText(primitives)}>{some(primitives.all - primitives.drawn)}</span>,
  },
  { id: "covered", title: "Fragments", about: "Fragments that it covers inside the scissor", width: 10, isNumber: true, key: ({ covered }) => covered, cell: ({ covered }) => some(covered) },
  { id: "passed", title: "Drawn", about: "Fragments that pass all tests", width: 9, isNumber: true, key: ({ passed }) => passed, cell: ({ passed }) => some(passed) },
  { id: "killed", title: "Killed", about: "Fragments that tests kill", width: 9, isNumber: true, key: killedOf, cell: (row) => some(killedOf(row)) },
  {
    id: "registers",
    title: "Registers",
    about: "Registers that were written since the event before",
    width: 10,
    isNumber: true,
    key: ({ registers }) => registers.length,
    cell: ({ registers }) => <span title={registers.join(", ")}>{some(registers.length)}</span>,
  },
  { id: "rank", title: "Rank", about: "Place among all events by cost", width: 6, isNumber: true, key: ({ cost }) => cost, cell: ({ event }, { rank }) => count(rank(event)) },
  { id: "cost", title: "Cost", about: "Cost: as many pixels of a plain draw", width: 7, key: ({ cost }) => cost, cell: costCell },
];

/** The columns in the order in which they appear as the list gets wider. */
const BY_USE = ["event", NAME, "cost", "texture", "place", "killed", "draw", "rank", "passed", "blend", "tests", "target", "primitives", "vertices", "registers", "effects", "covered"];

function placeCell(row: EventRow): ComponentChild {
  const isEmpty = row.draw !== null && row.covered === 0 && !row.is_left_out;
  return isEmpty ? <em>no pixels</em> : placeOf(row);
}

function culledText({ all, drawn, culled, flat }: { all: number; drawn: number; culled: number; flat: number }): string {
  return `Of ${count(all)} primitives: ${count(drawn)} drawn, ${count(culled)} culled, ${count(flat)} without area, ${count(all - drawn - culled - flat)} outside the view`;
}

function costCell({ cost }: EventRow, { largestCost }: Facts): ComponentChild {
  // The square root keeps small costs visible next to those of full screens.
  const width = `${Math.min(100, Math.ceil(100 * Math.sqrt(cost / largestCost)))}%`;
  return (
    <span class="cost-track" title={`Cost ${count(cost)}: as many pixels of a plain draw`} role="img" aria-label={`cost ${cost}`}>
      <span class="cost-bar" style={{ width }} />
    </span>
  );
}

/** Returns the chosen columns; null if they follow the width of the list. */
export function chosenColumns(): string[] | null {
  const text = setting(SETTING, "");
  return text === "" ? null : [NAME, ...text.split(",")];
}

/** Chooses the columns, or with null as many as there is room for. */
export function chooseColumns(ids: string[] | null) {
  remember(SETTING, ids === null ? "" : ids.join(",") || NAME);
}

/**
 * Returns the columns that are shown in a list of a width in characters. `hasTargets` says whether the run draws to several
 * buffers.
 */
export function shownColumns(room: number, hasTargets: boolean): Column[] {
  const chosen = chosenColumns();
  if (chosen) {
    return COLUMNS.filter(({ id }) => chosen.includes(id));
  }
  let used = 0;
  const shown = BY_USE.filter((id) => id !== "target" || hasTargets).filter((id, index) => {
    used += COLUMNS.find((column) => column.id === id)?.width ?? 0;
    return index < 2 || used <= room;
  });
  return COLUMNS.filter(({ id }) => shown.includes(id));
}

/** Returns the widths of columns as those of a grid. */
export function gridOf(columns: Column[]): string {
  return columns.map(({ id, width }) => (id === NAME ? `minmax(${width}ch, 1fr)` : `${width}ch`)).join(" ");
}

/**
 * Sorts events by a column: texts and numbers of events rise, amounts fall, so that the most is first.
 */
export function sortEvents(events: EventRow[], { id, key }: Column, facts: Facts, isReversed: boolean): EventRow[] {
  const rises = id === "event" || id === "draw";
  const order = (a: string | number, b: string | number) => {
    // Events without the fact come last.
    const missing = Number(a === "" || a === -1) - Number(b === "" || b === -1);
    const isBefore = typeof a === "number" && typeof b === "number" && !rises ? a > b : a < b;
    return missing || (a === b ? 0 : isBefore !== isReversed ? -1 : 1);
  };
  const keyed = events.map((row) => ({ row, key: key(row, facts) }));
  return keyed.sort((a, b) => order(a.key, b.key) || a.row.event - b.row.event).map(({ row }) => row);
}
