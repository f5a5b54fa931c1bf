// Types of the page: the engine's answers, the panels, and the parts of the page that panels use.

import type { Signal } from "pspge/base/preact.js";
import type { BufferInfo as Buffer, EventRow, EventsAnswer as Events, ExportKind, InputAnswer as Input, NoteInfo as Note, PartSpec, PixelDocument } from "pspge/documents.js";
import type { Engine } from "pspge/state/engine.js";
import type { Selection, Store } from "pspge/state/store.js";

export type { Buffer, EventRow, Events, Input, Note, Selection };

/** A panel. `update` tells it what has changed. */
export interface Panel {
  id: string;
  title: string;
  element: HTMLElement;
  update: (selection: Selection, changed: Set<string>) => void;
}

/** What the keys of the picture do with a view on the stage. */
export interface StageKeys {
  zoom: (direction: 1 | -1) => void;
  fit: () => void;
  pan: (dx: number, dy: number) => void;
}

/** The parts of the page that panels use. */
export interface App {
  store: Store;
  engine: Engine;
  input: Input | null;
  rival: Input | null;
  events: Events | null;
  openPanel: (id: string) => void;
  chosenPanel: Signal<string>;
  /** The view that the chosen panel shows in the middle of the page, in place of the picture. */
  stage: Signal<{ element: HTMLElement; keys: StageKeys } | null>;
  selectEvent: (event: number, options?: { after?: boolean }) => void;
  fail: (error: unknown) => void;
  /** Waits for something. Its error is shown, and gives undefined. */
  attempt: <T>(work: Promise<T>) => Promise<T | undefined>;
  forgetErrors: () => void;
  announce: (text: string) => void;
  row: () => EventRow | null;
  drawAtOrBefore: (event: number) => EventRow | null;
  eventOfDraw: (draw: number) => number | null;
  eventOfCommand: (command: number) => number | null;
  showCommand: (command: number) => void;
  shownBuffer: () => Buffer | null;
  pixelHistory: () => Promise<PixelDocument | null>;
  filterEvents: (text: string) => void;
  pickPixel: (x: number, y: number, target?: Buffer | null) => void;
  numberToOpen: () => number;
  chooseInput: (number: number) => Promise<boolean>;
  choosePart: (part: PartSpec) => Promise<void>;
  completeInput: (() => Promise<boolean>) | null;
  save: (name: string, mediaType: string, bytes: Uint8Array) => void;
  savePage: () => Promise<void>;
  export: (what: ExportKind, draws?: string | null) => Promise<void>;
}
