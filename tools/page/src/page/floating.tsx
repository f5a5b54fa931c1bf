// A panel that floats above the page. Its title moves it, its corner changes its size, and arrow keys do both.

import { ARROWS, takeKey } from "pspge/base/keys.js";
import { rem } from "pspge/base/layout.js";
import { type ComponentChildren, useRef } from "pspge/base/preact.js";
import type { Floating } from "pspge/page/docks.js";
import { IconButton } from "pspge/widgets/controls.js";

/** Sizes in rem: of a panel that begins to float, and the least one. */
const SIZE = { width: 28, height: 22, leastWidth: 14, leastHeight: 8 };
/** Pixels that an arrow key moves a border. */
const STEP = 16;

const clamp = (number: number, least: number, most: number) => Math.max(least, Math.min(most, number));

/** Returns where a panel begins to float: with its title at a place in the window, or over the middle. */
export function floatingAt(id: string, at?: { x: number; y: number }): Floating {
  const [width, height] = [SIZE.width * rem(), SIZE.height * rem()];
  return { id, x: at ? at.x - width / 2 : (window.innerWidth - width) / 2, y: at ? at.y - rem() : (window.innerHeight - height) / 2, width, height };
}

/** Returns a place that is inside the window and large enough. */
function inWindow({ id, ...place }: Floating): Floating {
  const width = clamp(place.width, SIZE.leastWidth * rem(), window.innerWidth);
  const height = clamp(place.height, SIZE.leastHeight * rem(), window.innerHeight);
  return { id, x: clamp(place.x, 0, window.innerWidth - width), y: clamp(place.y, 0, window.innerHeight - height), width, height };
}

/** The frame of a panel that floats. A greater `order` is above a smaller one. */
export function FloatingFrame({ place, order, onChange, children }: { place: Floating; order: number; onChange: (place: Floating) => void; children: ComponentChildren }) {
  const frame = useRef<HTMLDivElement>(null);
  const grip = useRef<{ x: number; y: number } | null>(null);
  const { x, y, width, height } = inWindow(place);
  const style = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`, zIndex: 20 + order };
  const press = (event: PointerEvent) => {
    const target = event.target as Element;
    // This raises it above the others.
    onChange(place);
    if (frame.current && target.closest(".panel-title") && !target.closest("button")) {
      grip.current = { x: event.clientX - x, y: event.clientY - y };
      frame.current.setPointerCapture(event.pointerId);
      event.preventDefault();
    }
  };
  const move = (event: PointerEvent) => {
    if (grip.current) {
      onChange(inWindow({ ...place, x: event.clientX - grip.current.x, y: event.clientY - grip.current.y }));
    }
  };
  /** Takes over the size when the pointer is released, because browsers tell no event when the corner is dragged. */
  const release = () => {
    grip.current = null;
    const { offsetWidth, offsetHeight } = frame.current ?? {};
    if (offsetWidth && offsetHeight && (offsetWidth !== Math.round(width) || offsetHeight !== Math.round(height))) {
      onChange(inWindow({ ...place, width: offsetWidth, height: offsetHeight }));
    }
  };
  return (
    <div ref={frame} class="floating" style={style} onPointerDown={press} onPointerMove={move} onPointerUp={release}>
      {children}
    </div>
  );
}

/** The button that moves a floating panel by arrow keys, and with Shift changes its size. */
export function MoveButton({ title, place, onChange }: { title: string; place: Floating; onChange: (place: Floating) => void }) {
  const press = (event: KeyboardEvent) => {
    const { x, y, width, height } = inWindow(place);
    const actions = Object.entries(ARROWS).flatMap(([key, [across, down]]) => [
      [key, () => onChange(inWindow({ ...place, x: x + across * STEP, y: y + down * STEP }))],
      [`Shift+${key}`, () => onChange(inWindow({ ...place, x, y, width: width + across * STEP, height: height + down * STEP }))],
    ]);
    takeKey(event, Object.fromEntries(actions));
  };
  return <IconButton name="move" label={`Move ${title} with the arrow keys; with Shift, change its size`} onKeyDown={press} />;
}
