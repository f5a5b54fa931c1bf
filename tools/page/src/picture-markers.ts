// Markers over a picture: a frame around a pixel, and a cross at the picked one.

export interface Place {
  originX: number;
  originY: number;
  scale: number;
}

const DIRECTIONS = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

/** Draws a frame around a pixel. */
export function drawFrame(context: CanvasRenderingContext2D, { originX, originY, scale }: Place, [x, y]: [number, number], { line, color }: { line: number; color: string }) {
  context.strokeStyle = color;
  context.lineWidth = line;
  context.strokeRect(originX + x * scale - line / 2, originY + y * scale - line / 2, scale + line, scale + line);
}

/** Draws a frame around the picked pixel, and a cross that points to it. White on black can be seen on every colour. */
export function drawMarker(context: CanvasRenderingContext2D, place: Place, pixel: [number, number]) {
  const { originX, originY, scale } = place;
  const [middleX, middleY] = [originX + (pixel[0] + 0.5) * scale, originY + (pixel[1] + 0.5) * scale];
  const gap = Math.max(scale / 2, 2) + 2;
  for (const [color, width] of ([
    ["#000", 4],
    ["#fff", 2],
  ] as const)) {
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
