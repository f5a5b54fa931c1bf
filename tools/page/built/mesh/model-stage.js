// mesh/model-stage.tsx
import { useLayoutEffect, useState } from "pspge/base/preact.js";
import { USUAL, USUAL_RATE } from "pspge/mesh/model-view.js";
import { Button, Select } from "pspge/widgets/controls.js";
import { NumberField } from "pspge/widgets/fields.js";
import { Host } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var PRESETS = [
  ["Front", 0, 0],
  ["Three-quarter", 35, 20],
  ["Left", 90, 0],
  ["Back", 180, 0],
  ["Right", 270, 0],
  ["Top", 0, 90],
  ["Bottom", 0, -90]
];
var SPEEDS = [0.25, 0.5, 1, 2].map((value) => ({ value: String(value), text: `× ${value}` }));
function ModelStage({ app, view, selection }) {
  useLayoutEffect(() => view.follow(selection));
  const animations = app.input?.info?.animation_list ?? [];
  const inspect = () => {
    const pose = view.pose.peek();
    app.store.set({ camera: { ...view.camera.peek() }, pose: pose && { ...pose } });
    app.announce("The events are those of this camera and pose.");
  };
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "toolbar", role: "group", "aria-label": "Camera", children: [
      PRESETS.map(([name, yaw, pitch]) => /* @__PURE__ */ jsx(Button, { title: `Yaw ${yaw}°, pitch ${pitch}°`, onClick: () => view.setCamera({ yaw, pitch }), children: name }, name)),
      /* @__PURE__ */ jsx(CameraText, { view })
    ] }),
    /* @__PURE__ */ jsx("div", { class: "picture-stage", children: /* @__PURE__ */ jsx(Host, { element: view.element }) }),
    animations.length > 0 && /* @__PURE__ */ jsx(Timeline, { view, animations }),
    /* @__PURE__ */ jsx("div", { class: "toolbar", children: /* @__PURE__ */ jsx(InspectView, { view, selection, act: inspect }) })
  ] });
}
function CameraText({ view }) {
  const { yaw, pitch, zoom } = view.camera.value;
  return /* @__PURE__ */ jsx("span", { class: "camera-text mono", children: `yaw ${Math.round(yaw)}°, pitch ${Math.round(pitch)}°, zoom ${Number(zoom.toFixed(2))}` });
}
function InspectView({ view, selection, act }) {
  const isSame = JSON.stringify([selection.camera ?? USUAL, selection.pose]) === JSON.stringify([view.camera.value, view.pose.value]);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Button, { class: "primary", title: "Make the events, the state and the pixels those of this camera and pose", disabled: isSame, onClick: act, children: "Inspect this view" }),
    /* @__PURE__ */ jsx("span", { class: "muted", children: isSame ? "The events show this camera and pose." : "The events show another camera or pose." })
  ] });
}
function Timeline({ view, animations }) {
  const [speed, setSpeed] = useState("1");
  const pose = view.pose.value;
  const last = view.lastFrame();
  const rate = view.animation()?.frames_per_second;
  const choices = [{ value: "", text: "rest pose" }, ...animations.map(({ index, name }) => ({ value: String(index), text: name ?? `animation ${index}` }))];
  return /* @__PURE__ */ jsxs("div", { class: "toolbar timeline", role: "group", "aria-label": "Pose", children: [
    /* @__PURE__ */ jsx(Select, { label: "Animation", choices, chosen: pose ? String(pose.animation) : "", onChoose: (value) => view.setPose(value === "" ? null : { animation: Number(value), frame: 0 }) }),
    /* @__PURE__ */ jsx(Button, { title: "Play or stop the animation (space)", onClick: () => view.togglePlay(), children: view.isPlaying.value ? "Stop" : "Play" }),
    /* @__PURE__ */ jsx("input", { type: "range", min: 0, max: last, step: 0.25, value: pose?.frame ?? 0, "aria-label": "Frame", disabled: !pose, onInput: (event) => view.setFrame(Number(event.currentTarget.value), true) }),
    /* @__PURE__ */ jsx(NumberField, { "aria-label": "Frame number", class: "frame-number", value: Number((pose?.frame ?? 0).toFixed(2)), most: last, isWhole: false, disabled: !pose, onEnter: (frame) => view.setFrame(frame, false) }),
    /* @__PURE__ */ jsx("span", { class: "muted", children: pose && `of ${last}, ${rate ? `${rate} in a second` : `${USUAL_RATE} in a second (the file tells no rate)`}` }),
    /* @__PURE__ */ jsx(
      Select,
      {
        label: "Speed",
        choices: SPEEDS,
        chosen: speed,
        onChoose: (value) => {
          setSpeed(value);
          view.speed = Number(value);
        }
      }
    )
  ] });
}
export {
  ModelStage
};
