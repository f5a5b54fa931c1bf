// panels/diff-pictures.tsx
import { colorText, takesKeys } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { useLayoutEffect, useMemo, useState } from "pspge/base/preact.js";
import { amplify, comparePictures, differenceSentence, split } from "pspge/picture/picture-difference.js";
import { usePictureView } from "pspge/picture/picture-host.js";
import { pictureOf, valueAt } from "pspge/picture/picture-pixels.js";
import { Sources } from "pspge/picture/picture-toolbar.js";
import { Button, Segments, Select } from "pspge/widgets/controls.js";
import { Host, useAnswer, usePanel } from "pspge/widgets/panel.js";
import { OnStage } from "pspge/widgets/stage.js";
import { jsx, jsxs } from "pspge/base/preact.js";
var MODES = { sides: "Side by side", flip: "Flip (f)", slider: "Slider", heat: "Heat map" };
var SCALES = [{ value: "0", text: "automatic" }, ...[1, 4, 16, 64].map((factor) => ({ value: String(factor), text: `× ${factor}` }))];
function useComparison() {
  const { app } = usePanel();
  const [mode, setMode] = useState("sides");
  const [isFlipped, setFlipped] = useState(false);
  const flip = () => {
    setMode("flip");
    setFlipped(!isFlipped);
    app.announce(isFlipped ? "A" : "B");
  };
  const press = (event) => takeKey(event, takesKeys(event.target) ? {} : { f: flip });
  return { mode, setMode, isFlipped, flip, press };
}
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
  useLayoutEffect(() => [first, second].forEach((shown2) => shown2.setMarker(pixel)), [pixel]);
  const difference = useMemo(() => left && right && left.pixels === right.pixels ? comparePictures(left, right) : null, [left, right]);
  const shown = useMemo(() => {
    if (left && right && difference && mode === "slider") {
      return { caption: "A on the left, B on the right", picture: split(left, right, Math.round(column * left.width)) };
    }
    if (left && right && difference && mode === "heat") {
      const { largest } = difference;
      const what = left.pixels === "depth16" ? "Difference of the depth" : "Largest difference of red, green or blue";
      return scale === "0" ? { caption: largest > 0 ? `${what}: violet is 1, yellow is ${largest}` : what, picture: right, heat: { ...difference, largest: Math.max(1, largest) } } : { caption: `Difference of each channel, × ${scale}`, picture: amplify(left, right, Number(scale)) };
    }
    return difference && mode === "flip" && isFlipped ? { caption: "B", picture: right } : { caption: "A", picture: left };
  }, [left, right, mode, scale, column, isFlipped]);
  useLayoutEffect(() => {
    first.setHeat(shown.heat ?? null);
    first.setPicture(shown.picture);
    second.setPicture(right);
  }, [shown, right]);
  const valueOf = (picture) => {
    const value = hover && valueAt(picture, ...hover);
    return !value ? "–" : value.length === 1 ? value[0] : colorText(value);
  };
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
        /* @__PURE__ */ jsx("p", { class: "picture-caption", children: shown.caption }),
        /* @__PURE__ */ jsx(Host, { element: first.element })
      ] }),
      /* @__PURE__ */ jsxs("figure", { hidden: !isDouble, children: [
        /* @__PURE__ */ jsx("p", { class: "picture-caption", children: "B" }),
        /* @__PURE__ */ jsx(Host, { element: second.element })
      ] })
    ] }),
    /* @__PURE__ */ jsx("p", { class: "diff-values", "aria-live": "off", children: hover ? `${hover.join(", ")}: A ${valueOf(left)}, B ${valueOf(right)}` : " " })
  ] }) });
}
function usePicture(channel, run, event, after, source) {
  const { answer, problem } = useAnswer(channel, { request: "picture", run, at: { event, after }, source });
  return useMemo(() => answer && problem === null ? pictureOf(answer) : null, [answer, problem]);
}
export {
  Pictures,
  useComparison
};
