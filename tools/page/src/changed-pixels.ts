// The pixels that differ between two pictures of one buffer.

import type { Overlay } from "pspge/picture-overlay.js";
import type { Picture } from "pspge/picture-pixels.js";

/** Returns the box around the pixels that differ, with a mask of them, and their number. */
export function changedPixels(before: Picture, after: Picture): Overlay & { count: number } {
  const { width, height } = after;
  const none = { left: 0, top: 0, width: 0, height: 0, mask: new Uint8Array(), count: 0 };
  if (before.width !== width || before.height !== height || before.data.length !== after.data.length) {
    return none;
  }
  const [old, now] = [wordsOf(before), wordsOf(after)];
  let [left, top, right, bottom, count] = [width, height, -1, -1, 0];
  for (let index = 0; index < width * height; index += 1) {
    if (old[index] !== now[index]) {
      const [x, y] = [index % width, Math.floor(index / width)];
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
      count += 1;
    }
  }
  if (count === 0) {
    return none;
  }
  const box = { left, top, width: right - left + 1, height: bottom - top + 1 };
  const mask = new Uint8Array(box.width * box.height);
  for (let y = 0; y < box.height; y += 1) {
    for (let x = 0; x < box.width; x += 1) {
      const index = (top + y) * width + left + x;
      mask[y * box.width + x] = old[index] === now[index] ? 0 : 1;
    }
  }
  return { ...box, mask, count };
}

/** Returns one number for each pixel. */
function wordsOf({ pixels, data }: Picture) {
  return pixels === "depth16" ? data : new Uint32Array(data.buffer, data.byteOffset, data.length >> 2);
}
