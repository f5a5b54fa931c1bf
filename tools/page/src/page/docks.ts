// Where panels stand: among the tabs, docked at a side of the tabs or of another panel, or floating above the page.

/** The area of the tabs, which shows the chosen panel, as a part of a dock. */
export const TABS = "tabs";

/** The id of a panel, the area of the tabs, or two parts with a border between them. */
export type Dock = string | Split;

interface Split {
  /** Whether the parts stand side by side; otherwise the first is above. */
  isRow: boolean;
  parts: [Dock, Dock];
}

/** A panel that floats. Places and sizes are in CSS pixels of the window. */
export interface Floating {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** All panels that are not among the tabs. The last one that floats is above the others. */
export interface Places {
  dock: Dock;
  floating: Floating[];
}

export const SIDES = ["left", "right", "above", "below"] as const;
export type Side = (typeof SIDES)[number];

/** All panels among the tabs. */
export const ALL_TABS: Places = { dock: TABS, floating: [] };

/** Returns the parts of a dock that are not split, from left to right and from top to bottom. */
export function leavesOf(dock: Dock): string[] {
  return typeof dock === "string" ? [dock] : dock.parts.flatMap(leavesOf);
}

/** Returns how many parts stand beside the tabs, which take width from them. */
export function besideTabs(dock: Dock): number {
  if (typeof dock === "string") {
    return 0;
  }
  const [tabs, other] = leavesOf(dock.parts[0]).includes(TABS) ? dock.parts : [dock.parts[1], dock.parts[0]];
  return besideTabs(tabs) + (dock.isRow ? columnsOf(other) : 0);
}

function columnsOf(dock: Dock): number {
  if (typeof dock === "string") {
    return 1;
  }
  const [first, second] = dock.parts.map(columnsOf) as [number, number];
  return dock.isRow ? first + second : Math.max(first, second);
}

/** Puts a panel back among the tabs. */
export function backToTabs({ dock, floating }: Places, id: string): Places {
  return { dock: without(dock, id) ?? TABS, floating: floating.filter((other) => other.id !== id) };
}

function without(dock: Dock, id: string): Dock | null {
  if (typeof dock === "string") {
    return dock === id ? null : dock;
  }
  const [first, second] = dock.parts.map((part) => without(part, id)) as [Dock | null, Dock | null];
  return first && second ? { ...dock, parts: [first, second] } : first ?? second;
}

/** Docks a panel at a side of a part. */
export function dockAt(places: Places, id: string, leaf: string, side: Side): Places {
  const { dock, floating } = backToTabs(places, id);
  const split = (part: Dock): Dock => {
    if (typeof part !== "string") {
      return { ...part, parts: [split(part.parts[0]), split(part.parts[1])] };
    }
    const isFirst = side === "left" || side === "above";
    return part === leaf ? { isRow: side === "left" || side === "right", parts: isFirst ? [id, part] : [part, id] } : part;
  };
  return { dock: split(dock), floating };
}

/** Docks a panel in the place of another one, which goes back among the tabs. */
export function replaceDocked(places: Places, id: string, old: string): Places {
  return backToTabs(dockAt(places, id, old, "above"), old);
}

/** Lets a panel float above all others. */
export function float(places: Places, floated: Floating): Places {
  const { dock, floating } = backToTabs(places, floated.id);
  return { dock, floating: [...floating, floated] };
}

/** Reads places as they are remembered. Those that do not name each part once are forgotten. */
export function readPlaces(text: string, ids: readonly string[]): Places {
  try {
    const { dock, floating } = JSON.parse(text) as Places;
    const isDock = (part: Dock): boolean => typeof part === "string" || (part.parts.length === 2 && part.parts.every(isDock));
    if (!isDock(dock)) {
      return ALL_TABS;
    }
    const named = [...leavesOf(dock), ...floating.map(({ id }) => id)];
    const isKnown = named.every((id, at) => (id === TABS || ids.includes(id)) && named.indexOf(id) === at) && leavesOf(dock).includes(TABS);
    const isPlaced = floating.every(({ x, y, width, height }) => [x, y, width, height].every(Number.isFinite));
    return isKnown && isPlaced ? { dock, floating } : ALL_TABS;
  } catch {
    return ALL_TABS;
  }
}
