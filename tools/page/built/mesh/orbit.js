// mesh/orbit.ts
import { ARROWS, takeKey } from "pspge/base/keys.js";
var CLICK_DISTANCE = 4;
var KEY_STEP = 24;
var ZOOM_STEP = 1.2;
var WHEEL_REST = 200;
function listenToGestures(element, gestures) {
  listenToPointer(element, gestures);
  listenToWheel(element, gestures);
  element.addEventListener("keydown", (event) => event.target === element && pressKey(event, element, gestures));
}
function listenToPointer(element, gestures) {
  let drag = null;
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("pointerdown", (event) => {
    if (drag) {
      return;
    }
    const moves = Boolean(gestures.move) && (event.button !== 0 || event.shiftKey);
    drag = { id: event.pointerId, x: event.clientX, y: event.clientY, moved: false, moves, start: [event.clientX, event.clientY] };
    element.setPointerCapture(event.pointerId);
    element.focus({ preventScroll: true });
    event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (!drag || drag.id !== event.pointerId) {
      return;
    }
    const [startX, startY] = drag.start;
    drag.moved ||= Math.hypot(event.clientX - startX, event.clientY - startY) > CLICK_DISTANCE;
    if (!drag.moved) {
      return;
    }
    const change = drag.moves && gestures.move ? gestures.move : gestures.turn;
    change(event.clientX - drag.x, event.clientY - drag.y);
    drag.x = event.clientX;
    drag.y = event.clientY;
  });
  const end = (event) => {
    if (!drag || drag.id !== event.pointerId) {
      return;
    }
    const { moved } = drag;
    drag = null;
    if (moved) {
      gestures.rest?.();
      return;
    }
    if (event.type !== "pointerup") {
      return;
    }
    const { left, top } = element.getBoundingClientRect();
    gestures.click?.(event.clientX - left, event.clientY - top);
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}
function listenToWheel(element, gestures) {
  let timer = 0;
  const listener = (event) => {
    event.preventDefault();
    const { left, top } = element.getBoundingClientRect();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 100 : event.deltaY / 3;
    const step = Math.max(-3, Math.min(3, lines));
    gestures.zoom(ZOOM_STEP ** -step, event.clientX - left, event.clientY - top);
    clearTimeout(timer);
    timer = window.setTimeout(() => gestures.rest?.(), WHEEL_REST);
  };
  element.addEventListener("wheel", listener, { passive: false });
}
function pressKey(event, element, { turn, move = turn, zoom, reset, rest }) {
  const act = (gesture) => () => {
    gesture();
    rest?.();
  };
  const arrows = Object.entries(ARROWS).flatMap(([key, [x, y]]) => [
    [key, act(() => turn(x * KEY_STEP, y * KEY_STEP))],
    [`Shift+${key}`, act(() => move(x * KEY_STEP, y * KEY_STEP))]
  ]);
  const magnify = (factor) => act(() => zoom(factor, element.clientWidth / 2, element.clientHeight / 2));
  takeKey(event, {
    ...Object.fromEntries(arrows),
    ...{ "+": magnify(ZOOM_STEP), "=": magnify(ZOOM_STEP), "-": magnify(1 / ZOOM_STEP), _: magnify(1 / ZOOM_STEP) },
    Home: reset && act(reset)
  });
}
function multiply(a, b) {
  const product = new Float32Array(16);
  for (let column = 0; column < 4; column += 1) {
    for (let row = 0; row < 4; row += 1) {
      let sum = 0;
      for (let k = 0; k < 4; k += 1) {
        sum += a[k * 4 + row] * b[column * 4 + k];
      }
      product[column * 4 + row] = sum;
    }
  }
  return product;
}
function orbitView(yaw, pitch, center, distance) {
  const [y, p] = [yaw * Math.PI / 180, pitch * Math.PI / 180];
  const right = [Math.cos(y), 0, -Math.sin(y)];
  const towards = [Math.sin(y) * Math.cos(p), Math.sin(p), Math.cos(y) * Math.cos(p)];
  const up = [-Math.sin(y) * Math.sin(p), Math.cos(p), -Math.cos(y) * Math.sin(p)];
  const dot = (axis) => axis[0] * center[0] + axis[1] * center[1] + axis[2] * center[2];
  return new Float32Array([
    right[0],
    up[0],
    towards[0],
    0,
    right[1],
    up[1],
    towards[1],
    0,
    right[2],
    up[2],
    towards[2],
    0,
    -dot(right),
    -dot(up),
    -dot(towards) - distance,
    1
  ]);
}
function perspective(scale, aspect, near, far, shift) {
  const depth = far - near;
  return new Float32Array([scale / aspect, 0, 0, 0, 0, scale, 0, 0, -shift[0], -shift[1], -(far + near) / depth, -1, 0, 0, -2 * far * near / depth, 0]);
}
function transform(m, x, y, z) {
  return [
    m[0] * x + m[4] * y + m[8] * z + m[12],
    m[1] * x + m[5] * y + m[9] * z + m[13],
    m[2] * x + m[6] * y + m[10] * z + m[14],
    m[3] * x + m[7] * y + m[11] * z + m[15]
  ];
}
export {
  ZOOM_STEP,
  listenToGestures,
  multiply,
  orbitView,
  perspective,
  transform
};
