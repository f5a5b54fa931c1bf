// The run that the page shows: what tells it from others, its passes, and filters of its draws.

import type { PassesDocument } from "pspge/documents.js";
import type { App, Note } from "pspge/state/app-types.js";

/** Returns a text that is the same as long as the run and these values are. */
export function runKey(app: App, ...values: unknown[]): string {
  return JSON.stringify([...values, app.store.run(), app.input?.hash]);
}

let known: { key: string; document: Promise<PassesDocument> } | null = null;

/** Returns the passes of the current run. Panels share the answer. */
export function loadPasses(app: App): Promise<PassesDocument> {
  const key = runKey(app);
  if (known?.key !== key) {
    const document = app.engine.request({ request: "passes", run: app.store.run() }).then(({ json }) => json.document);
    const asked = { key, document };
    known = asked;
    document.catch(() => (known = known === asked ? null : known));
  }
  return known.document;
}

/** Returns the notes on the file and on the run. */
export function allNotes(app: App): Note[] {
  return [...(app.input?.notes ?? []), ...(app.events?.notes ?? [])];
}

/** Returns the text of the filter that only these draws pass. They are in rising order. */
export function drawFilter(draws: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const draw of draws) {
    const last = ranges.at(-1);
    if (last && draw === last[1] + 1) {
      last[1] = draw;
    } else {
      ranges.push([draw, draw]);
    }
  }
  return `draw:${ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(",")}`;
}
