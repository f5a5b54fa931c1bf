// Mouse, touch and keyboard gestures of a view that is turned, moved and magnified, and the matrices of its camera.

import { ARROWS, takeKey } from "pspge/base/keys.js";

/** Distances and places are in CSS pixels. */
interface Gestures {
  turn: (dx: number, dy: number) => void;
  move?: (dx: number, dy: number) => void;
  /** Magnifies the view around a place in the element. */
  zoom: (factor: number, x: number, y: number) => void;
  /** A press without a drag at a place in the element. */
  click?: (x: number, y: number) => void;
  /** Shows everything again. */
  reset?: () => void;
  /** Called after the last change of a gesture. */
  rest?: () => void;
}

/** A pointer that moves no further than this, in CSS pixels, clicks. */
const CLICK_DISTANCE = 4;
/** CSS pixels that an arrow key turns or moves. */
const KEY_STEP = 24;
/** Magnification by a key or by 100 units of the wheel. */
export const ZOOM_STEP = 1.2;
/** Milliseconds without a turn of the wheel after which its gesture has ended. */
const WHEEL_REST = 200;

/** Listens to the gestures of an element, which should be focusable. */
export function listenToGestures(element: HTMLElement, gestures: Gestures) {
  listenToPointer(element, gestures);
  listenToWheel(element, gestures);
  element.addEventListener("keydown", (event) => event.target === element && pressKey(event, element, gestures));
}

function listenToPointer(element: HTMLElement, gestures: Gestures) {
  let drag: { id: number; x: number; y: number; moved: boolean; moves: boolean; start: [number, number] } | null = null;
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
  const end = (event: PointerEvent) => {
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

function listenToWheel(element: HTMLElement, gestures: Gestures) {
  let timer = 0;
  const listener = (event: WheelEvent) => {
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

function pressKey(event: KeyboardEvent, element: HTMLElement, { turn, move = turn, zoom, reset, rest }: Gestures) {
  const act = (gesture: () => void) => () => {
    gesture();
    rest?.();
  };
  const arrows = Object.entries(ARROWS).flatMap(([key, [x, y]]) => [
    [key, act(() => turn(x * KEY_STEP, y * KEY_STEP))],
    [`Shift+${key}`, act(() => move(x * KEY_STEP, y * KEY_STEP))],
  ]);
  const magnify = (factor: number) => act(() => zoom(factor, element.clientWidth / 2, element.clientHeight / 2));
  takeKey(event, {
    ...Object.fromEntries(arrows),
    ...{ "+": magnify(ZOOM_STEP), "=": magnify(ZOOM_STEP), "-": magnify(1 / ZOOM_STEP), _: magnify(1 / ZOOM_STEP) },
    Home: reset && act(reset),
  });
}

/** 16 elements, column by column, as WebGL takes them. */
export type Matrix = Float32Array;

/** Multiplies two matrices: the result applies `b` first. */
export function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Matrix {
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

/**
 * Returns the matrix from a point's space to that of a camera that looks at `center` from a distance. `yaw` is in degrees around
 * the vertical axis, and 0 looks along -z; `pitch` is in degrees above the horizon.
 */
export function orbitView(yaw: number, pitch: number, center: readonly number[], distance: number): Matrix {
  const [y, p] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
  const right = [Math.cos(y), 0, -Math.sin(y)];
  const towards = [Math.sin(y) * Math.cos(p), Math.sin(p), Math.cos(y) * Math.cos(p)];
  const up = [-Math.sin(y) * Math.sin(p), Math.cos(p), -Math.cos(y) * Math.sin(p)];
  const dot = (axis: readonly number[]) => axis[0] * center[0] + axis[1] * center[1] + axis[2] * center[2];
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
    1,
  ]);
}

/**
 * Returns a perspective projection. `scale` is the cotangent of half the vertical field of view, `aspect` the width by the
 * height, and `shift` moves the picture, in halves of its width and height.
 */
export function perspective(scale: number, aspect: number, near: number, far: number, shift: readonly [number, number]): Matrix {
  const depth = far - near;
  return new Float32Array([scale / aspect, 0, 0, 0, 0, scale, 0, 0, -shift[0], -shift[1], -(far + near) / depth, -1, 0, 0, (-2 * far * near) / depth, 0]);
}

/** Applies a matrix to a point. The result is homogeneous. */
export function transform(m: ArrayLike<number>, x: number, y: number, z: number): [number, number, number, number] {
  return [
    m[0] * x + m[4] * y + m[8] * z + m[12],
    m[1] * x + m[5] * y + m[9] * z + m[13],
    m[2] * x + m[6] * y + m[10] * z + m[14],
    m[3] * x + m[7] * y + m[11] * z + m[15],
  ];
}
