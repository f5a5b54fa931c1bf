// panels/diff-pictures.tsx
import { colorText } from "pspge/base/dom.js";
import { useLayoutEffect, useMemo, useState } from "pspge/base/preact.js";
import { amplify, comparePictures, differenceSentence, split } from "pspge/picture/picture-difference.js";
import { usePictureView } from "pspge/picture/picture-host.js";
import { pictureOf } from "pspge/picture/picture-pixels.js";
import { Sources } from "pspge/picture/picture-toolbar.js";
import { Button, Segments, Select } from "pspge/widgets/controls.js";
import { Host, useAnswer, usePanel } from "pspge/widgets/panel.js";
import { OnStage } from "pspge/widgets/stage.js";
import { jsx, jsxs } from "pspge/base/preact.js";
var MODES = [
  { value: "sides", text: "Side by side" },
  { value: "flip", text: "Flip (f)" },
  { value: "slider", text: "Slider" },
  { value: "heat", text: "Heat map" }
];
var SCALES = [{ value: "0", text: "automatic" }, ...[1, 4, 16, 64].map((factor) => ({ value: String(factor), text: `× ${factor}` }))];
function Pictures({ a, b, isShown, mode, setMode, isFlipped, flip, press, isOnStage }) {
  const { app, selection } = usePanel();
  const { event, after, view, target, rivalEvent, pixel } = selection;
  const [column, setColumn] = useState(0.5);
  const [scale, setScale] = useState("0");
  const [hover, setHover] = useState(null);
  const source = target && view === "color" ? { kind: "memory", ...target } : { kind: view };
  const left = usePicture("diff-picture-0", a, rivalEvent ?? event, after, source);
  const right = usePicture("diff-picture-1", b, event, after, source);
  const isDouble = mode === "sides";
  const options = { onhover: setHover, onpick: (x, y) => app.store.set({ pixel: [x, y] }) };
  const first = usePictureView({ ...options, label: "A", onchange: () => isDouble && second.follow(first) });
  const second = usePictureView({ ...options, label: "B", onchange: () => isDouble && first.follow(second) });
  useLayoutEffect(() => {
    first.setMarker(pixel);
    second.setMarker(pixel);
  }, [pixel]);
  const difference = useMemo(() => left && right && left.pixels === right.pixels ? comparePictures(left, right) : null, [left, right]);
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
  return /* @__PURE__ */ jsx(OnStage, { isOn: isOnStage, keys: first, children: /* @__PURE__ */ jsxs("div", { class: "diff-pictures", hidden: !isShown, onKeyDown: press, children: [
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      isOnStage && /* @__PURE__ */ jsx(Sources, { app, selection }),
      /* @__PURE__ */ jsx(Segments, { label: "Compare", choices: MODES, chosen: mode, onChoose: setMode }),
      /* @__PURE__ */ jsxs("span", { class: "mode-controls", children: [
        mode === "flip" && /* @__PURE__ */ jsx(Button, { title: "Flip between A and B (f)", onClick: flip, children: isFlipped ? "Show A" : "Show B" }),
        mode === "slider" && /* @__PURE__ */ jsx("input", { type: "range", min: 0, max: 1e3, value: column * 1e3, "aria-label": "Border between A and B", onInput: (moved) => setColumn(Number(moved.currentTarget.value) / 1e3) }),
        mode === "heat" && /* @__PURE__ */ jsx(Select, { label: "Scale", choices: SCALES, chosen: scale, onChoose: setScale })
      ] })
    ] }),
    /* @__PURE__ */ jsx("p", { class: "diff-counts", children: difference && differenceSentence(difference) }),
    /* @__PURE__ */ jsxs("div", { class: `diff-stage${isDouble ? " is-double" : ""}`, children: [
      /* @__PURE__ */ jsxs("figure", { children: [
        /* @__PURE__ */ jsx("p", { class: "picture-caption", children: caption }),
        /* @__PURE__ */ jsx(Host, { element: first.element })
      ] }),
      /* @__PURE__ */ jsxs("figure", { hidden: !isDouble, children: [
        /* @__PURE__ */ jsx("p", { class: "picture-caption", children: "B" }),
        /* @__PURE__ */ jsx(Host, { element: second.element })
      ] })
    ] }),
    /* @__PURE__ */ jsx("p", { class: "diff-values", "aria-live": "off", children: hover && values ? `${hover[0]}, ${hover[1]}: A ${values[0]}, B ${values[1]}` : " " })
  ] }) });
}
function usePicture(channel, run, event, after, source) {
  const { answer, problem } = useAnswer(channel, { request: "picture", run, at: { event, after }, source });
  return useMemo(() => answer && problem === null ? pictureOf(answer) : null, [answer, problem]);
}
function valueOf({ width, height, pixels, data }, x, y) {
  if (x >= width || y >= height) {
    return null;
  }
  const at = y * width + x;
  return pixels === "depth16" ? String(data[at]) : colorText([...data.subarray(at * 4, at * 4 + 4)]);
}
export {
  Pictures
};
