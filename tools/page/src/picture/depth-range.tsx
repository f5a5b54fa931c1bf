// The range of depths that the picture shows from black to white: a histogram, both ends, automatic, inverted.

import { hex } from "pspge/base/dom.js";
import { useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import type { Picture } from "pspge/picture/picture-pixels.js";
import type { PictureView } from "pspge/picture/picture-view.js";
import { Button, Toggle } from "pspge/widgets/controls.js";
import { NumberField } from "pspge/widgets/fields.js";

type Range = [number, number];

/** Bars of the histogram. */
const BARS = 128;
const LARGEST = 0xffff;

/** The controls of the range of the depth buffer that a view shows. */
export function DepthRange({ view, picture, depths: [low, high], onChange }: { view: PictureView; picture: Picture; depths: Range; onChange: () => void }) {
  const [isInverted, setInverted] = useState(view.isInverted);
  const histogram = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (histogram.current) {
      drawHistogram(histogram.current, picture, [low, high], view.color("--accent"));
    }
  });
  const set = (depths: Range | null) => {
    view.setDepths(depths);
    onChange();
  };
  const end = (label: string, value: number, range: (number: number) => Range) => (
    <NumberField aria-label={label} title={label} size={6} value={value} most={LARGEST} format={(number) => hex(number, 4)} onEnter={(number) => set(range(number))} />
  );
  return (
    <div class="depth-range" role="group" aria-label="Range of depths">
      {end("Depth that is black", low, (number) => [number, Math.max(number, high)])}
      <canvas ref={histogram} class="depth-histogram" width={BARS} height={24} role="img" />
      {end("Depth that is white", high, (number) => [Math.min(number, low), number])}
      <Button title="From the smallest to the largest depth that is drawn; the cleared ends are left out" aria-pressed={view.isAutomatic} onClick={() => set(null)}>
        Automatic
      </Button>
      <Button title="From 0 to 65535" onClick={() => set([0, LARGEST])}>All</Button>
      <Toggle
        text="Invert"
        title="Near and far change places"
        isOn={isInverted}
        onChange={(isOn) => {
          setInverted(isOn);
          view.setInverted(isOn);
          onChange();
        }}
      />
    </div>
  );
}

/** Draws how many pixels have which depth within a range, on a scale of logarithms. */
function drawHistogram(canvas: HTMLCanvasElement, { data }: Picture, [low, high]: Range, color: string) {
  const bars = new Uint32Array(BARS);
  let inside = 0;
  for (const depth of data) {
    if (depth >= low && depth <= high) {
      const bar = Math.floor(((depth - low) * BARS) / (high - low + 1));
      bars[bar] = (bars[bar] ?? 0) + 1;
      inside += 1;
    }
  }
  canvas.setAttribute("aria-label", `Histogram: ${inside} of ${data.length} pixels are within the range`);
  const context = canvas.getContext("2d");
  const most = Math.log1p(bars.reduce((largest, bar) => Math.max(largest, bar), 1));
  context?.clearRect(0, 0, BARS, canvas.height);
  bars.forEach((bar, index) => {
    if (context && bar > 0) {
      const height = Math.max(1, (canvas.height * Math.log1p(bar)) / most);
      context.fillStyle = color;
      context.fillRect(index, canvas.height - height, 1, height);
    }
  });
}
