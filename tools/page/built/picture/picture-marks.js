// picture/picture-marks.ts
import { pictureOf } from "pspge/picture/picture-pixels.js";
var NONE = { overlay: null, changes: null };
async function loadMarks(app, source, marks) {
  const row = app.row();
  if (!row || marks === "none") {
    return NONE;
  }
  if (marks !== "result") {
    return marks === "covered" ? loadCovered(app, row) : loadChanged(source, row.event);
  }
  const [covered, changed] = await Promise.all([loadCovered(app, row), loadChanged(source, row.event)]);
  return covered && changed && { overlay: covered.overlay && withLost(covered.overlay, changed.overlay), changes: changed.changes };
}
function withLost(covered, changed) {
  const lost = covered.mask.map((marked, index) => {
    const x = covered.left + index % covered.width - (changed?.left ?? 0);
    const y = covered.top + Math.floor(index / covered.width) - (changed?.top ?? 0);
    const isInside = changed !== null && x >= 0 && y >= 0 && x < changed.width && y < changed.height;
    return Number(marked !== 0 && !(isInside && changed.mask[y * changed.width + x]));
  });
  return { ...covered, lost };
}
async function loadCovered(app, row) {
  if (row.draw === null || row.is_left_out || !isOwnBuffer(app, row)) {
    return NONE;
  }
  const request = { request: "coverage", run: app.store.run(), event: row.event };
  const answer = await app.engine.latest("coverage")(request);
  if (!answer) {
    return null;
  }
  const { left, top, width, height } = answer.json;
  return { overlay: { left, top, width, height, mask: answer.bytes }, changes: null };
}
async function loadChanged(source, event) {
  const moments = [false, true].map((after2) => source.request(`changed-${after2}`, { event, after: after2 }));
  const [before, after] = await Promise.all(moments);
  if (!before || !after) {
    return null;
  }
  const { count, ...overlay } = changedPixels(pictureOf(before), pictureOf(after));
  return { overlay, changes: count };
}
function isOwnBuffer(app, row) {
  const { target } = app.store.get();
  const own = row.buffer === null ? null : app.events?.buffers[row.buffer];
  return !target || own?.address === target.address && own.stride === target.stride;
}
function changedPixels(before, after) {
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
function wordsOf({ pixels, data }) {
  return pixels === "depth16" ? data : new Uint32Array(data.buffer, data.byteOffset, data.length >> 2);
}
export {
  loadMarks
};
