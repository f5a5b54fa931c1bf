// The line below the picture: position and value of a pixel, and facts on the event and the buffer.

import { colorText, counted, hex } from "pspge/base/dom.js";
import type { PictureAnswer } from "pspge/documents.js";
import { type Picture, storedComponents, valueAt } from "pspge/picture/picture-pixels.js";
import type { PictureView } from "pspge/picture/picture-view.js";
import type { App } from "pspge/state/app-types.js";
import { Swatch } from "pspge/widgets/controls.js";

interface StatusProps {
  app: App;
  view: PictureView;
  /** The answer of the picture. */
  shown: PictureAnswer | null;
  /** Depth at the same moment. */
  depth: Picture | null;
  heat: string;
  /** The number of pixels that the event changes. */
  changes: number | null;
}

/** The line. It tells of the pixel below the mouse, else of the picked one. */
export function Status(props: StatusProps) {
  const { app, view, shown, changes } = props;
  const at = view.hover ?? view.marker;
  const value = at && view.valueAt(...at);
  const row = app.row();
  const [low, high] = view.range;
  const ofEvent = [row && row.draw !== null && `draw ${row.draw} covers ${counted(row.covered, "fragment")}`, row && changes !== null && `changes ${counted(changes, "pixel")}`];
  const facts = [
    ofEvent.filter(Boolean).join(", "),
    shown?.pixels === "depth16" && `black ${hex(low, 4)}, white ${hex(high, 4)}`,
    shown && `${hex(shown.address)} ${shown.format} ${shown.width}×${shown.height}`,
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <div class="status">
      <span class="mono status-position">{at && `x ${at[0]}  y ${at[1]}`}</span>
      <span class="mono status-value">{at && value && <Value {...props} at={at} value={value} />}</span>
      <span class="spacer" />
      <span class="status-facts" title={facts}>{facts}</span>
    </div>
  );
}

function Value({ at, value, view, shown, depth, heat }: StatusProps & { at: [number, number]; value: number[] }) {
  if (shown?.pixels === "depth16") {
    return <>{`depth ${hex(value[0], 4)} (${value[0]})`}</>;
  }
  const stored = storedComponents(value, shown?.format);
  const [depthThere] = valueAt(depth, ...at) ?? [];
  const [x, y] = at;
  const amount = view.heat && x < view.heat.width && y < view.heat.height ? (view.heat.values[y * view.heat.width + x] ?? 0) : null;
  return (
    <>
      <Swatch color={value} />
      {` ${colorText(stored)}`}
      {stored.length > 3 && `  stencil ${stored[3]}`}
      {depthThere !== undefined && `  depth ${hex(depthThere, 4)}`}
      {amount !== null && (heat === "cost" ? `  cost ${amount / 1000}` : `  ${counted(amount, "fragment")}`)}
    </>
  );
}
