// The pictures of both sides of a comparison: side by side, in turn, or their difference.

import { colorText, takesKeys } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { useLayoutEffect, useMemo, useState } from "pspge/base/preact.js";
import type { PictureSource, RunRequest } from "pspge/documents.js";
import type { Heat } from "pspge/picture/heat-map.js";
import { amplify, comparePictures, differenceSentence, split } from "pspge/picture/picture-difference.js";
import { usePictureView } from "pspge/picture/picture-host.js";
import { type Picture, pictureOf, valueAt } from "pspge/picture/picture-pixels.js";
import { Sources } from "pspge/picture/picture-toolbar.js";
import type { PictureView } from "pspge/picture/picture-view.js";
import { Button, Segments, Select } from "pspge/widgets/controls.js";
import { Host, useAnswer, usePanel } from "pspge/widgets/panel.js";
import { OnStage } from "pspge/widgets/stage.js";

const MODES = { sides: "Side by side", flip: "Flip (f)", slider: "Slider", heat: "Heat map" };

const SCALES = [{ value: "0", text: "automatic" }, ...[1, 4, 16, 64].map((factor) => ({ value: String(factor), text: `× ${factor}` }))];

/** How the pictures are compared, and the key that flips between them. */
export function useComparison() {
  const { app } = usePanel();
  const [mode, setMode] = useState<keyof typeof MODES>("sides");
  const [isFlipped, setFlipped] = useState(false);
  const flip = () => {
    setMode("flip");
    setFlipped(!isFlipped);
    app.announce(isFlipped ? "A" : "B");
  };
  const press = (event: KeyboardEvent) => takeKey(event, takesKeys(event.target) ? {} : { f: flip });
  return { mode, setMode, isFlipped, flip, press };
}

interface PicturesProps extends ReturnType<typeof useComparison> {
  a: RunRequest;
  b: RunRequest;
  isShown: boolean;
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
  useLayoutEffect(() => [first, second].forEach((shown) => shown.setMarker(pixel)), [pixel]);
  const difference = useMemo(() => (left && right && left.pixels === right.pixels ? comparePictures(left, right) : null), [left, right]);
  const shown = useMemo((): { caption: string; picture: Picture | null; heat?: Heat } => {
    if (left && right && difference && mode === "slider") {
      return { caption: "A on the left, B on the right", picture: split(left, right, Math.round(column * left.width)) };
    }
    if (left && right && difference && mode === "heat") {
      const { largest } = difference;
      const what = left.pixels === "depth16" ? "Difference of the depth" : "Largest difference of red, green or blue";
      return scale === "0"
        ? { caption: largest > 0 ? `${what}: violet is 1, yellow is ${largest}` : what, picture: right, heat: { ...difference, largest: Math.max(1, largest) } }
        : { caption: `Difference of each channel, × ${scale}`, picture: amplify(left, right, Number(scale)) };
    }
    return difference && mode === "flip" && isFlipped ? { caption: "B", picture: right } : { caption: "A", picture: left };
  }, [left, right, mode, scale, column, isFlipped]);
  useLayoutEffect(() => {
    first.setHeat(shown.heat ?? null);
    first.setPicture(shown.picture);
    second.setPicture(right);
  }, [shown, right]);
  const valueOf = (picture: Picture | null) => {
    const value = hover && valueAt(picture, ...hover);
    return !value ? "–" : value.length === 1 ? value[0] : colorText(value);
  };
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
          <figure><p class="picture-caption">{shown.caption}</p><Host element={first.element} /></figure>
          {/* Both stay in the page, so that the focus does. */}
          <figure hidden={!isDouble}><p class="picture-caption">B</p><Host element={second.element} /></figure>
        </div>
        <p class="diff-values" aria-live="off">{hover ? `${hover.join(", ")}: A ${valueOf(left)}, B ${valueOf(right)}` : "\u00a0"}</p>
      </div>
    </OnStage>
  );
}

/** Loads the picture of a side. */
function usePicture(channel: string, run: RunRequest, event: number, after: boolean, source: PictureSource): Picture | null {
  const { answer, problem } = useAnswer(channel, { request: "picture", run, at: { event, after }, source });
  return useMemo(() => (answer && problem === null ? pictureOf(answer) : null), [answer, problem]);
}
