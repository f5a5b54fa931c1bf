// The pictures of both sides of a comparison: side by side, in turn, or their difference.

import { colorText } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useState } from "pspge/base/preact.js";
import type { PictureSource, RunRequest } from "pspge/documents.js";
import { amplify, comparePictures, differenceSentence, split } from "pspge/picture/picture-difference.js";
import { usePictureView } from "pspge/picture/picture-host.js";
import { type Picture, pictureOf } from "pspge/picture/picture-pixels.js";
import { Sources } from "pspge/picture/picture-toolbar.js";
import type { PictureView } from "pspge/picture/picture-view.js";
import { Button, Segments, Select } from "pspge/widgets/controls.js";
import { Host, useAnswer, usePanel } from "pspge/widgets/panel.js";
import { OnStage } from "pspge/widgets/stage.js";

export type Mode = "sides" | "flip" | "slider" | "heat";

const MODES: { value: Mode; text: string }[] = [
  { value: "sides", text: "Side by side" },
  { value: "flip", text: "Flip (f)" },
  { value: "slider", text: "Slider" },
  { value: "heat", text: "Heat map" },
];

const SCALES = [{ value: "0", text: "automatic" }, ...[1, 4, 16, 64].map((factor) => ({ value: String(factor), text: `× ${factor}` }))];

interface PicturesProps {
  a: RunRequest;
  b: RunRequest;
  isShown: boolean;
  mode: Mode;
  setMode: (mode: Mode) => void;
  isFlipped: boolean;
  flip: () => void;
  press: (key: KeyboardEvent) => void;
  isOnStage: boolean;
}

/** The pictures of both sides at the selected event. */
export function Pictures({ a, b, isShown, mode, setMode, isFlipped, flip, press, isOnStage }: PicturesProps) {
  const { app, selection } = usePanel();
  const { event, after, view, target, rivalEvent, pixel } = selection;
  const [column, setColumn] = useState(0.5);
  const [scale, setScale] = useState("0");
  const [hover, setHover] = useState<[number, number] | null>(null);
  const source: PictureSource = target && view === "color" ? { kind: "memory", ...target } : { kind: view };
  const left = usePicture("diff-picture-0", a, rivalEvent ?? event, after, source);
  const right = usePicture("diff-picture-1", b, event, after, source);
  const isDouble = mode === "sides";
  const options = { onhover: setHover, onpick: (x: number, y: number) => app.store.set({ pixel: [x, y] }) };
  // Both views have the same zoom and the same place.
  const first: PictureView = usePictureView({ ...options, label: "A", onchange: () => isDouble && second.follow(first) });
  const second: PictureView = usePictureView({ ...options, label: "B", onchange: () => isDouble && first.follow(second) });
  useLayoutEffect(() => {
    first.setMarker(pixel);
    second.setMarker(pixel);
  }, [pixel]);
  const difference = useMemo(() => (left && right && left.pixels === right.pixels ? comparePictures(left, right) : null), [left, right]);
  const factor = Number(scale);
  let caption = "A";
  let shown = left;
  if (difference && left && right) {
    if (mode === "flip") {
      caption = isFlipped ? "B" : "A";
      shown = isFlipped ? right : left;
    } else if (mode === "slider") {
      caption = "A on the left, B on the right";
    } else if (mode === "heat" && factor > 0) {
      caption = `Difference of each channel, × ${factor}`;
    } else if (mode === "heat") {
      const what = left.pixels === "depth16" ? "Difference of the depth" : "Largest difference of red, green or blue";
      caption = difference.largest > 0 ? `${what}: violet is 1, yellow is ${difference.largest}` : what;
      shown = right;
    }
  }
  useLayoutEffect(() => {
    const isHeat = difference && mode === "heat" && factor === 0;
    first.setHeat(isHeat ? { width: difference.width, height: difference.height, values: difference.values, largest: Math.max(1, difference.largest) } : null);
    second.setPicture(right);
    if (difference && left && right && mode === "slider") {
      first.setPicture(split(left, right, Math.round(column * left.width)));
    } else if (difference && left && right && mode === "heat" && factor > 0) {
      first.setPicture(amplify(left, right, factor));
    } else {
      first.setPicture(shown);
    }
  }, [left, right, mode, factor, column, isFlipped]);
  const values = hover && [left, right].map((picture) => (picture && valueOf(picture, ...hover)) ?? "–");
  return (
    <OnStage isOn={isOnStage} keys={first}>
      <div class="diff-pictures" hidden={!isShown} onKeyDown={press}>
        <div class="toolbar">
          {isOnStage && <Sources app={app} selection={selection} />}
          <Segments label="Compare" choices={MODES} chosen={mode} onChoose={setMode} />
          <span class="mode-controls">
            {mode === "flip" && <Button title="Flip between A and B (f)" onClick={flip}>{isFlipped ? "Show A" : "Show B"}</Button>}
            {mode === "slider" && <input type="range" min={0} max={1000} value={column * 1000} aria-label="Border between A and B" onInput={(moved) => setColumn(Number(moved.currentTarget.value) / 1000)} />}
            {mode === "heat" && <Select label="Scale" choices={SCALES} chosen={scale} onChoose={setScale} />}
          </span>
        </div>
        <p class="diff-counts">{difference && differenceSentence(difference)}</p>
        <div class={`diff-stage${isDouble ? " is-double" : ""}`}>
          <figure><p class="picture-caption">{caption}</p><Host element={first.element} /></figure>
          {/* Both stay in the page, so that the focus does. */}
          <figure hidden={!isDouble}><p class="picture-caption">B</p><Host element={second.element} /></figure>
        </div>
        <p class="diff-values" aria-live="off">{hover && values ? `${hover[0]}, ${hover[1]}: A ${values[0]}, B ${values[1]}` : "\u00a0"}</p>
      </div>
    </OnStage>
  );
}

/** Loads the picture of a side. */
function usePicture(channel: string, run: RunRequest, event: number, after: boolean, source: PictureSource): Picture | null {
  const { answer, problem } = useAnswer(channel, { request: "picture", run, at: { event, after }, source });
  return useMemo(() => (answer && problem === null ? pictureOf(answer) : null), [answer, problem]);
}

function valueOf({ width, height, pixels, data }: Picture, x: number, y: number): string | null {
  if (x >= width || y >= height) {
    return null;
  }
  const at = y * width + x;
  return pixels === "depth16" ? String(data[at]) : colorText([...data.subarray(at * 4, at * 4 + 4)]);
}
