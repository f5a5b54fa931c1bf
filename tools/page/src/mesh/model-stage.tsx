// The stage of a model: the view that turns around it, with the camera above and the animation below it.

import { useLayoutEffect, useState } from "pspge/base/preact.js";
import type { AnimationInfo } from "pspge/documents.js";
import { type ModelView, USUAL, USUAL_RATE } from "pspge/mesh/model-view.js";
import type { App, Selection } from "pspge/state/app-types.js";
import { Button, Select } from "pspge/widgets/controls.js";
import { NumberField } from "pspge/widgets/fields.js";
import { Host } from "pspge/widgets/panel.js";

/** Viewpoints: name, yaw, pitch, in degrees. */
const PRESETS = [
  ["Front", 0, 0],
  ["Three-quarter", 35, 20],
  ["Left", 90, 0],
  ["Back", 180, 0],
  ["Right", 270, 0],
  ["Top", 0, 90],
  ["Bottom", 0, -90],
] as const;
const SPEEDS = [0.25, 0.5, 1, 2].map((value) => ({ value: String(value), text: `× ${value}` }));

/** Shows the model that is open. */
export function ModelStage({ app, view, selection }: { app: App; view: ModelView; selection: Selection }) {
  useLayoutEffect(() => view.follow(selection));
  const animations = app.input?.info?.animation_list ?? [];
  const inspect = () => {
    const pose = view.pose.peek();
    app.store.set({ camera: { ...view.camera.peek() }, pose: pose && { ...pose } });
    app.announce("The events are those of this camera and pose.");
  };
  return (
    <>
      <div class="toolbar" role="group" aria-label="Camera">
        {PRESETS.map(([name, yaw, pitch]) => (
          <Button key={name} title={`Yaw ${yaw}°, pitch ${pitch}°`} onClick={() => view.setCamera({ yaw, pitch })}>{name}</Button>
        ))}
        <CameraText view={view} />
      </div>
      <div class="picture-stage"><Host element={view.element} /></div>
      {animations.length > 0 && <Timeline view={view} animations={animations} />}
      <div class="toolbar"><InspectView view={view} selection={selection} act={inspect} /></div>
    </>
  );
}

function CameraText({ view }: { view: ModelView }) {
  const { yaw, pitch, zoom } = view.camera.value;
  return <span class="camera-text mono">{`yaw ${Math.round(yaw)}°, pitch ${Math.round(pitch)}°, zoom ${Number(zoom.toFixed(2))}`}</span>;
}

/** The button that makes the events those of the view, and whether they are. */
function InspectView({ view, selection, act }: { view: ModelView; selection: Selection; act: () => void }) {
  const isSame = JSON.stringify([selection.camera ?? USUAL, selection.pose]) === JSON.stringify([view.camera.value, view.pose.value]);
  return (
    <>
      <Button class="primary" title="Make the events, the state and the pixels those of this camera and pose" disabled={isSame} onClick={act}>
        Inspect this view
      </Button>
      <span class="muted">{isSame ? "The events show this camera and pose." : "The events show another camera or pose."}</span>
    </>
  );
}

function Timeline({ view, animations }: { view: ModelView; animations: AnimationInfo[] }) {
  const [speed, setSpeed] = useState("1");
  const pose = view.pose.value;
  const last = view.lastFrame();
  const rate = view.animation()?.frames_per_second;
  const choices = [{ value: "", text: "rest pose" }, ...animations.map(({ index, name }) => ({ value: String(index), text: name ?? `animation ${index}` }))];
  return (
    <div class="toolbar timeline" role="group" aria-label="Pose">
      <Select label="Animation" choices={choices} chosen={pose ? String(pose.animation) : ""} onChoose={(value) => view.setPose(value === "" ? null : { animation: Number(value), frame: 0 })} />
      <Button title="Play or stop the animation (space)" onClick={() => view.togglePlay()}>{view.isPlaying.value ? "Stop" : "Play"}</Button>
      <input type="range" min={0} max={last} step={0.25} value={pose?.frame ?? 0} aria-label="Frame" disabled={!pose} onInput={(event) => view.setFrame(Number(event.currentTarget.value), true)} />
      <NumberField aria-label="Frame number" class="frame-number" value={Number((pose?.frame ?? 0).toFixed(2))} most={last} isWhole={false} disabled={!pose} onEnter={(frame) => view.setFrame(frame, false)} />
      <span class="muted">{pose && `of ${last}, ${rate ? `${rate} in a second` : `${USUAL_RATE} in a second (the file tells no rate)`}`}</span>
      <Select
        label="Speed"
        choices={SPEEDS}
        chosen={speed}
        onChoose={(value) => {
          setSpeed(value);
          view.speed = Number(value);
        }}
      />
    </div>
  );
}
