// page/floating.tsx
import { ARROWS, takeKey } from "pspge/base/keys.js";
import { rem } from "pspge/base/layout.js";
import { useRef } from "pspge/base/preact.js";
import { IconButton } from "pspge/widgets/controls.js";
import { jsx } from "pspge/base/preact.js";
var SIZE = { width: 28, height: 22, leastWidth: 14, leastHeight: 8 };
var STEP = 16;
var clamp = (number, least, most) => Math.max(least, Math.min(most, number));
function floatingAt(id, at) {
  const [width, height] = [SIZE.width * rem(), SIZE.height * rem()];
  return { id, x: at ? at.x - width / 2 : (window.innerWidth - width) / 2, y: at ? at.y - rem() : (window.innerHeight - height) / 2, width, height };
}
function inWindow({ id, ...place }) {
  const width = clamp(place.width, SIZE.leastWidth * rem(), window.innerWidth);
  const height = clamp(place.height, SIZE.leastHeight * rem(), window.innerHeight);
  return { id, x: clamp(place.x, 0, window.innerWidth - width), y: clamp(place.y, 0, window.innerHeight - height), width, height };
}
function FloatingFrame({ place, order, onChange, children }) {
  const frame = useRef(null);
  const grip = useRef(null);
  const { x, y, width, height } = inWindow(place);
  const style = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`, zIndex: 20 + order };
  const press = (event) => {
    const target = event.target;
    onChange(place);
    if (frame.current && target.closest(".panel-title") && !target.closest("button")) {
      grip.current = { x: event.clientX - x, y: event.clientY - y };
      frame.current.setPointerCapture(event.pointerId);
      event.preventDefault();
    }
  };
  const move = (event) => {
    if (grip.current) {
      onChange(inWindow({ ...place, x: event.clientX - grip.current.x, y: event.clientY - grip.current.y }));
    }
  };
  const release = () => {
    grip.current = null;
    const { offsetWidth, offsetHeight } = frame.current ?? {};
    if (offsetWidth && offsetHeight && (offsetWidth !== Math.round(width) || offsetHeight !== Math.round(height))) {
      onChange(inWindow({ ...place, width: offsetWidth, height: offsetHeight }));
    }
  };
  return /* @__PURE__ */ jsx("div", { ref: frame, class: "floating", style, onPointerDown: press, onPointerMove: move, onPointerUp: release, children });
}
function MoveButton({ title, place, onChange }) {
  const press = (event) => {
    const { x, y, width, height } = inWindow(place);
    const actions = Object.entries(ARROWS).flatMap(([key, [across, down]]) => [
      [key, () => onChange(inWindow({ ...place, x: x + across * STEP, y: y + down * STEP }))],
      [`Shift+${key}`, () => onChange(inWindow({ ...place, x, y, width: width + across * STEP, height: height + down * STEP }))]
    ]);
    takeKey(event, Object.fromEntries(actions));
  };
  return /* @__PURE__ */ jsx(IconButton, { name: "move", label: `Move ${title} with the arrow keys; with Shift, change its size`, onKeyDown: press });
}
export {
  FloatingFrame,
  MoveButton,
  floatingAt
};
