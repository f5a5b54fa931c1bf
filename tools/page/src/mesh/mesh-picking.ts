// Finds the vertex and the primitive at a place of the view of a mesh.

import { CORNER_BYTES } from "pspge/mesh/mesh-geometry.js";
import type { Project } from "pspge/mesh/mesh-overlay.js";

/** CSS pixels within which a click finds a vertex, a point or a line. */
const PICK_DISTANCE = 9;

export function positionAt(view: DataView, corner: number): number[] {
  const at = corner * CORNER_BYTES;
  return [view.getFloat32(at, true), view.getFloat32(at + 4, true), view.getFloat32(at + 8, true)];
}

export function styleAt(view: DataView, corner: number): number {
  return view.getUint8(corner * CORNER_BYTES + 25);
}

export function shapesOf(bytes: ArrayBuffer, primitives: Uint32Array, corners: number, primitive: number): number[][][] {
  const view = new DataView(bytes);
  const shapes: number[][][] = [];
  for (let nth = primitives.indexOf(primitive); nth >= 0 && primitives[nth] === primitive; nth += 1) {
    shapes.push(Array.from({ length: corners }, (_, corner) => positionAt(view, nth * corners + corner)));
  }
  return shapes;
}

/** Returns the depth of a shape at a place, null if it is elsewhere. */
export function depthAt(places: ([number, number, number] | null)[], x: number, y: number): number | null {
  const [a, b, c] = places;
  if (!a) {
    return null;
  }
  if (places.length === 1) {
    return Math.hypot(a[0] - x, a[1] - y) < PICK_DISTANCE ? a[2] : null;
  }
  if (!b) {
    return null;
  }
  if (places.length === 2) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const along = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
    const off = Math.hypot(a[0] + dx * along - x, a[1] + dy * along - y);
    return off < PICK_DISTANCE ? a[2] + (b[2] - a[2]) * along : null;
  }
  if (!c) {
    return null;
  }
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  if (area === 0) {
    return null;
  }
  const u = ((b[0] - x) * (c[1] - y) - (c[0] - x) * (b[1] - y)) / area;
  const v = ((c[0] - x) * (a[1] - y) - (a[0] - x) * (c[1] - y)) / area;
  const w = 1 - u - v;
  return u >= 0 && v >= 0 && w >= 0 ? u * a[2] + v * b[2] + w * c[2] : null;
}

/** Returns the number of the vertex in front that is near enough. */
export function nearestPoint(points: Float32Array, project: Project, x: number, y: number): number | null {
  const found: { number: number | null; depth: number } = { number: null, depth: Infinity };
  for (let number = 0; number * 3 < points.length; number += 1) {
    const place = project(points.subarray(number * 3, number * 3 + 3));
    if (!place || !(Math.hypot(place[0] - x, place[1] - y) < PICK_DISTANCE) || place[2] >= found.depth) {
      continue;
    }
    found.number = number;
    found.depth = place[2];
  }
  return found.number;
}
