// Buttons that save what the page shows: as glTF, as a picture, as a frame dump, as a table.

import { useState } from "pspge/base/preact.js";
import type { ExportKind } from "pspge/documents.js";
import type { App } from "pspge/state/app-types.js";
import { Button } from "pspge/widgets/controls.js";
import { useApp } from "pspge/widgets/panel.js";

const EXPORTS: [ExportKind, string, string][] = [
  ["gltf", "glTF", "The geometry with its textures, for Blender and other tools"],
  ["png", "PNG", "The picture at the selected event"],
  ["dump", "Frame dump", "The run with its edits, for pspge and PPSSPP"],
  ["trim", "Trimmed draw", "A frame dump of the selected draw alone"],
];

/** A button that saves a table. */
export function SaveTable({ name, table, ...props }: { name: string; table: { current: { csv: () => string } | null }; hidden?: boolean }) {
  const app = useApp();
  const save = () => {
    app.save(`${name}.csv`, "text/csv", new TextEncoder().encode(table.current?.csv() ?? ""));
    app.announce(`${name}.csv is saved.`);
  };
  return <Button title="Save the rows of this table as comma-separated values" onClick={save} {...props}>Save CSV</Button>;
}

/** Saves a canvas as a picture. */
export async function saveCanvas(app: App, name: string, canvas: HTMLCanvasElement | null) {
  const blob = await new Promise<Blob | null>((resolve) => (canvas ? canvas.toBlob(resolve) : resolve(null)));
  if (blob) {
    app.save(`${name}.png`, "image/png", new Uint8Array(await blob.arrayBuffer()));
    app.announce(`${name}.png is saved.`);
  }
}

/** Buttons that save the run. */
export function ExportButtons({ kinds }: { kinds: readonly ExportKind[] }) {
  const app = useApp();
  const [busy, setBusy] = useState<ExportKind | null>(null);
  const save = async (what: ExportKind) => {
    setBusy(what);
    await app.export(what);
    setBusy(null);
  };
  return (
    <div class="export-buttons" role="group" aria-label="Save">
      <span class="muted">Save as</span>
      {EXPORTS.filter(([what]) => kinds.includes(what)).map(([what, text, title]) => (
        <Button key={what} title={title} data-export={what} disabled={busy === what} onClick={() => void save(what)}>{text}</Button>
      ))}
    </div>
  );
}
