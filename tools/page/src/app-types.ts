// Types of the page: the engine's answers, the panels, and the parts of the page that panels use.

import type { EventRow, EventsAnswer, InputAnswer, NoteInfo, PartSpec, PixelDocument } from "pspge/documents.js";
import type { Engine } from "pspge/engine.js";
import type { ModelView } from "pspge/model-view.js";
import type { Buffer, Selection, Store } from "pspge/store.js";

export type { Buffer, EventRow, Selection };
export type Note = NoteInfo;
export type Events = EventsAnswer;
export type Input = InputAnswer;

/** A panel. `update` tells it what has changed. */
export interface Panel {
  id: string;
  title: string;
  element: HTMLElement;
  update: (selection: Selection, changed: Set<string>) => void;
}

/** The parts of the page that panels use. */
export interface App {
  store: Store;
  engine: Engine;
  input: Input | null;
  rival: Input | null;
  events: Events | null;
  openPanel: (id: string) => void;
  selectEvent: (event: number, options?: { after?: boolean }) => void;
  fail: (error: unknown) => void;
  forgetErrors: () => void;
  announce: (text: string) => void;
  /** The view of the model that is open. */
  modelView: () => ModelView;
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
  export: (what: "gltf" | "png" | "dump" | "trim", draws?: string | null) => Promise<void>;
}
