// Types of the page: the engine's answers, the panels, and the parts of the page that panels use.

/**
 * @typedef {import("pspge/store.js").Selection} Selection
 * @typedef {import("pspge/store.js").Buffer} Buffer
 * @typedef {{
 *   event: number, kind: "draw" | "patch" | "immediate" | "transfer" | "cpu", draw: number | null, command: number,
 *   address: number, text: string, primitive: string | null, vertices: number | null, pass: number | null,
 *   buffer: number | null, texture: {address: number, format: string, width: number, height: number} | null,
 *   covered: number, passed: number, primitives: {all: number, drawn: number, culled: number, flat: number} | null, state: string[], box: {left: number, top: number, right: number, bottom: number} | null, cost: number,
 *   registers: string[], is_left_out: boolean,
 *   clears: {color: boolean, stencil: boolean, depth: boolean} | null, switches: string[],
 * }} EventRow
 * @typedef {{code: string, severity: "information" | "problem", message: string, [member: string]: any}} Note
 * @typedef {{count: number, events: EventRow[], buffers: Buffer[], screen: Buffer | null, notes: Note[], ended: string, is_complete: boolean}} Events
 * @typedef {{name: string, file: number, hash: string, game: string | null, options: string[], info: any, kind: "model" | "frame" | "list" | "other", is_runnable: boolean, notes: Note[]}} Input
 * @typedef {{
 *   id: string, title: string, key: string, element: HTMLElement,
 *   show: () => void, update: (selection: Selection, changed: Set<string>) => void | Promise<void>,
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
 *   pixelHistory: () => Promise<any>,
 *   filterEvents: (text: string) => void,
 *   pickPixel: (x: number, y: number, target?: Buffer | null) => void,
 *   numberToOpen: () => number,
 *   chooseInput: (number: number) => Promise<boolean>,
 *   completeInput: (() => Promise<boolean>) | null,
 *   save: (name: string, mediaType: string, bytes: Uint8Array) => void,
 *   export: (what: "gltf" | "png" | "dump" | "trim") => Promise<void>,
 * }} App
 */

export {};
