// picture-markers.ts
var DIRECTIONS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1]
];
function drawFrame(context, { originX, originY, scale }, [x, y], { line, color }) {
  context.strokeStyle = color;
  context.lineWidth = line;
  context.strokeRect(originX + x * scale - line / 2, originY + y * scale - line / 2, scale + line, scale + line);
}
function drawMarker(context, place, pixel) {
  const { originX, originY, scale } = place;
  const [middleX, middleY] = [originX + (pixel[0] + 0.5) * scale, originY + (pixel[1] + 0.5) * scale];
  const gap = Math.max(scale / 2, 2) + 2;
  for (const [color, width] of [
    ["#000", 4],
    ["#fff", 2]
  ]) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    for (const [dx, dy] of DIRECTIONS) {
      context.moveTo(middleX + dx * gap, middleY + dy * gap);
      context.lineTo(middleX + dx * (gap + 8), middleY + dy * (gap + 8));
    }
    context.stroke();
  }
  drawFrame(context, place, pixel, { line: 3, color: "#000" });
  drawFrame(context, place, pixel, { line: 1, color: "#fff" });
}
export {
  drawFrame,
  drawMarker
};
