// Types of the page: the engine's answers, the panels, and the parts of the page that panels use.

/**
 * @typedef {import("pspge/store.js").Selection} Selection
 * @typedef {import("pspge/store.js").Buffer} Buffer
 * @typedef {import("pspge/documents.js").EventRow} EventRow
 * @typedef {import("pspge/documents.js").NoteInfo} Note
 * @typedef {import("pspge/documents.js").EventsAnswer} Events
 * @typedef {import("pspge/documents.js").InputAnswer} Input
 * @typedef {{
 *   id: string, title: string, element: HTMLElement,
 *   update: (selection: Selection, changed: Set<string>) => Promise<void>,
 * }} Panel
 * @typedef {{
 *   store: import("pspge/store.js").Store,
 *   engine: import("pspge/engine.js").Engine,
 *   input: Input | null,
 *   rival: Input | null,
 *   events: Events | null,
 *   openPanel: (id: string) => void,
 *   selectEvent: (event: number, options?: {after?: boolean}) => void,
 *   fail: (error: unknown) => void,
 *   forgetErrors: () => void,
 *   announce: (text: string) => void,
 *   row: () => EventRow | null,
 *   drawAtOrBefore: (event: number) => EventRow | null,
 *   eventOfDraw: (draw: number) => number | null,
 *   eventOfCommand: (command: number) => number | null,
 *   showCommand: (command: number) => void,
 *   shownBuffer: () => Buffer | null,
 *   pixelHistory: () => Promise<import("pspge/documents.js").PixelDocument | null>,
 *   filterEvents: (text: string) => void,
 *   pickPixel: (x: number, y: number, target?: Buffer | null) => void,
 *   numberToOpen: () => number,
 *   chooseInput: (number: number) => Promise<boolean>,
 *   completeInput: (() => Promise<boolean>) | null,
 *   save: (name: string, mediaType: string, bytes: Uint8Array) => void,
 *   export: (what: "gltf" | "png" | "dump" | "trim", draws?: string | null) => Promise<void>,
 * }} App
 */

export {};
