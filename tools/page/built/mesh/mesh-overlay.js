// mesh/mesh-overlay.ts
import { STYLES } from "pspge/mesh/mesh-geometry.js";
function readColors(element) {
  const style = getComputedStyle(element);
  const text = (name) => style.getPropertyValue(`--mesh-${name}`).trim() || "#888888";
  const color = (name) => parseColor(text(name));
  return {
    styles: new Float32Array(STYLES.flatMap(({ id }) => color(id))),
    line: color("edge"),
    point: color("point"),
    normal: color("normal"),
    text: text("text"),
    halo: text("halo"),
    selection: text("selection"),
    axes: ["x", "y", "z"].map((axis) => text(`axis-${axis}`))
  };
}
function parseColor(text) {
  const bits = Number.parseInt(text.replace("#", ""), 16) || 0;
  return [(bits >> 16 & 255) / 255, (bits >> 8 & 255) / 255, (bits & 255) / 255, 1];
}
function drawLabel(context, text, x, y, colors) {
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = colors.halo;
  context.strokeText(text, x, y);
  context.fillStyle = colors.text;
  context.fillText(text, x, y);
}
function drawFrame(context, project, frame, colors) {
  const first = project([frame.left, frame.top, 0]);
  const last = project([frame.right + 1, frame.bottom + 1, 0]);
  if (!first || !last) {
    return;
  }
  context.lineWidth = 1;
  context.strokeStyle = colors.text;
  context.setLineDash(frame.name === "screen" ? [] : [5, 4]);
  context.strokeRect(first[0] + 0.5, first[1] + 0.5, last[0] - first[0] - 1, last[1] - first[1] - 1);
  context.setLineDash([]);
  drawLabel(context, frame.name, first[0] + 4, frame.name === "screen" ? first[1] - 4 : first[1] + 13, colors);
}
var CUBE_EDGES = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [1, 2, 4].filter((bit) => !(corner & bit)).map((bit) => [corner, corner | bit]));
function drawCube(context, project, colors) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => project([bits & 1 ? 1 : -1, bits & 2 ? 1 : -1, bits & 4 ? 1 : -1]));
  context.lineWidth = 1;
  context.strokeStyle = colors.text;
  context.beginPath();
  for (const [a, b] of CUBE_EDGES) {
    const [from, to] = [corners[a], corners[b]];
    if (!from || !to) {
      continue;
    }
    context.moveTo(from[0], from[1]);
    context.lineTo(to[0], to[1]);
  }
  context.stroke();
  const near = corners[2];
  if (near) {
    drawLabel(context, "near plane", near[0] + 4, near[1] - 4, colors);
  }
}
function drawAxes(context, view, height, colors) {
  const [x, y] = [34, height - 34];
  const axes = ["x", "y", "z"].map((name, axis) => ({ name, color: colors.axes[axis], dx: view[axis * 4], dy: -view[axis * 4 + 1], z: view[axis * 4 + 2] }));
  axes.sort((a, b) => a.z - b.z);
  context.lineWidth = 2;
  for (const { name, color, dx, dy } of axes) {
    context.strokeStyle = color;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + dx * 20, y + dy * 20);
    context.stroke();
    drawLabel(context, name, x + dx * 27 - 3, y + dy * 27 + 4, colors);
    context.lineWidth = 2;
  }
}
export {
  drawAxes,
  drawCube,
  drawFrame,
  drawLabel,
  readColors
};
