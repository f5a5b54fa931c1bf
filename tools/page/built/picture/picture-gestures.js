// picture/picture-gestures.ts
var DRAG_DISTANCE = 3;
var WHEEL_STEP = 40;
function listenToGestures(canvas, actions) {
  let drag = null;
  const positionOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 1) {
      return;
    }
    drag = { x: event.clientX, y: event.clientY, moved: event.button === 1 };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    actions.hover(positionOf(event));
    if (!drag) {
      return;
    }
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (drag.moved || Math.hypot(dx, dy) > DRAG_DISTANCE) {
      drag = { x: event.clientX, y: event.clientY, moved: true };
      canvas.classList.add("is-dragged");
      actions.pan(dx, dy);
    }
  });
  const end = (event) => {
    const isClick = drag !== null && !drag.moved && event.type === "pointerup";
    drag = null;
    canvas.classList.remove("is-dragged");
    if (isClick) {
      actions.pick(positionOf(event));
    }
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => actions.hover(null));
  let turned = 0;
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? WHEEL_STEP : 1);
      if (Math.abs(turned) >= WHEEL_STEP) {
        actions.zoom(turned < 0 ? 1 : -1, positionOf(event));
        turned = 0;
      }
    },
    { passive: false }
  );
}
export {
  listenToGestures
};
