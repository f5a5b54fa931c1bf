// The geometry of one draw in one of its spaces, as buffers for WebGL.
//
// A vertex is skipped if its position is not finite (null in the document), or has no place in the space. A primitive is
// skipped if one of its vertices is.

import type { DrawReportDocument, ImmediateVertexInfo, PrimitiveInfo, VertexStagesInfo } from "pspge/documents.js";

export type Space = "model" | "world" | "view" | "clip" | "screen";
export interface Bounds {
  min: [number, number, number];
  max: [number, number, number];
}

export interface MeshGeometry {
  space: Space;
  /** Three coordinates for each vertex of the draw; NaN if the vertex has none. */
  points: Float32Array;
  /** Corners of triangles, each of `CORNER_BYTES`. */
  triangles: ArrayBuffer;
  /** Number of the primitive of each triangle, as its position in the document. */
  trianglePrimitives: Uint32Array;
  /** Ends of lines, in the same layout. */
  lines: ArrayBuffer;
  linePrimitives: Uint32Array;
  /** Points as primitives, in the same layout. */
  dots: ArrayBuffer;
  dotPrimitives: Uint32Array;
  /** Ends of lines along the normals; empty if the space has none. */
  normals: Float32Array;
  /** Around the primitives that are drawn. */
  drawnBounds: Bounds | null;
  /** Around all vertices. */
  bounds: Bounds | null;
  /** Number of vertices without a finite position. */
  notFinite: number;
  /** Number of vertices that have no place in the space because they are behind the eye. */
  behind: number;
  /** Number of primitives that cannot be shown. */
  skipped: number;
}

/** Bytes of a corner: position (3 floats), texture coordinates (2 floats), colour (4), edge bits (1), style (1), padding (2). */
export const CORNER_BYTES = 28;

/** The styles in which primitives are shown, by their fate. */
export const STYLES = [
  { id: "drawn", name: "drawn", fates: ["drawn"] },
  { id: "clipped", name: "drawn, clipped at the near plane", fates: [] },
  { id: "killed", name: "killed by tests", fates: ["killed"] },
  { id: "culled", name: "culled", fates: ["culled"] },
  { id: "outside", name: "dropped or outside", fates: ["dropped", "outside-screen", "outside-buffer", "outside-scissor"] },
  { id: "empty", name: "without pixels", fates: ["no-area", "no-pixel"] },
  { id: "unknown", name: "not counted", fates: ["unknown"] },
] as const;

/** Returns the number of the style of a fate. The first two are of primitives that are drawn: whole, or clipped at the near plane. */
export function styleOf(fate: string, isClipped: boolean): number {
  if (fate === "drawn" && isClipped) {
    return 1;
  }
  const index = STYLES.findIndex((style) => (style.fates as readonly string[]).includes(fate));
  return index < 0 ? STYLES.length - 1 : index;
}

/** Returns the spaces in which a draw has positions. */
export function spacesOf(report: DrawReportDocument): Space[] {
  const some = ["model", "world", "view", "clip"] as const;
  return [...some.filter((space) => report.vertices.some((vertex) => vertex[space])), "screen"];
}

/** Builds the geometry of a draw in a space. */
export function buildGeometry(report: DrawReportDocument, space: Space): MeshGeometry {
  const { points, notFinite, behind } = vertexPoints(report, space);
  const texture = report.state.texture;
  const size = texture.levels[0] ?? { width: 1, height: 1 };
  const scale = report.state.vertex.through ? [1 / size.width, 1 / size.height] : [1, 1];
  const builder = new Builder(scale, hasLines(report));
  let skipped = 0;
  report.primitives.forEach((primitive, position: number) => {
    const shapes =
      space === "screen" && primitive.parts.length > 0
        ? primitive.parts.map((part) => ({ fate: part.fate, corners: part.vertices.map(partCorner) }))
        : shapesOf(report, points, primitive);
    const added = shapes.filter((shape: Shape) => builder.add(shape.corners, styleOf(shape.fate, primitive.clipped), position));
    if (added.length === 0) {
      skipped += 1;
    }
  });
  return {
    space,
    points,
    ...builder.finish(),
    normals: space === "model" ? normalLines(report, points) : new Float32Array(0),
    bounds: boundsOf(points),
    notFinite,
    behind,
    skipped,
  };
}

interface Corner {
  at: number[];
  color: number[];
  /** s, t and q. */
  texture: (number | null)[];
}

function partCorner(vertex: ImmediateVertexInfo): Corner {
  return { at: vertex.position.map(finite), color: vertex.color, texture: vertex.texture };
}

interface Shape {
  fate: string;
  corners: Corner[];
}

/** Returns the shapes of a primitive: one, or the two triangles that single arithmetic merged to a rectangle. */
function shapesOf(report: DrawReportDocument, points: Float32Array, primitive: PrimitiveInfo): Shape[] {
  const corners = primitive.vertices.map((number: number) => {
    const vertex = report.vertices[number];
    return {
      at: [points[number * 3], points[number * 3 + 1], points[number * 3 + 2]],
      color: vertex?.color ?? [128, 128, 128, 255],
      texture: vertex?.texture ?? [0, 0, 1],
    };
  });
  const shape = (some: Corner[]) => ({ fate: primitive.fate, corners: some });
  return corners.length > 3 ? [shape(corners.slice(0, 3)), shape(corners.slice(3))] : [shape(corners)];
}

/** Returns whether primitives of two vertices are lines rather than rectangles. */
function hasLines(report: DrawReportDocument): boolean {
  const type = report.patch ? report.state.patch.primitive : report.primitive;
  return String(type).startsWith("LINE");
}

function vertexPoints(report: DrawReportDocument, space: Space) {
  const count = report.vertices.length;
  const points = new Float32Array(count * 3).fill(Number.NaN);
  let [notFinite, behind] = [0, 0];
  for (let number = 0; number < count; number += 1) {
    const place = placeOf(report.vertices[number], space);
    if (place === "behind") {
      behind += 1;
    } else if (!place?.every(Number.isFinite)) {
      notFinite += 1;
    } else {
      points.set(place, number * 3);
    }
  }
  return { points, notFinite, behind };
}

/** Range tests of which one that fails means that the position on the screen has no meaning. */
const NOWHERE = ["near", "w-not-positive", "outside-screen"];

function placeOf(vertex: VertexStagesInfo | undefined, space: Space): number[] | "behind" | null {
  if (!vertex) {
    return null;
  }
  if (space === "model") {
    return vertex.model?.position.map(finite) ?? null;
  }
  if (space === "screen") {
    if (vertex.outcode.some((test: string) => NOWHERE.includes(test))) {
      return "behind";
    }
    return [...vertex.pixel.map(finite), vertex.depth];
  }
  if (space !== "clip") {
    return vertex[space]?.map(finite) ?? null;
  }
  if (!vertex.clip) {
    return null;
  }
  const [x, y, z, w] = vertex.clip.map(finite);
  return w > 0 ? [x / w, y / w, z / w] : Number.isFinite(w) ? "behind" : null;
}

function finite(value: number | null): number {
  return value ?? Number.NaN;
}

function boundsOf(points: Float32Array): Bounds | null {
  const bounds = new BoundsBuilder();
  for (let at = 0; at < points.length; at += 3) {
    bounds.add(points[at], points[at + 1], points[at + 2]);
  }
  return bounds.finish();
}

function normalLines(report: DrawReportDocument, points: Float32Array): Float32Array {
  const bounds = boundsOf(points);
  if (!bounds) {
    return new Float32Array(0);
  }
  const diagonal = Math.hypot(...[0, 1, 2].map((axis) => bounds.max[axis] - bounds.min[axis]));
  const length = diagonal * 0.03 || 1;
  const lines: number[] = [];
  report.vertices.forEach((vertex, number: number) => {
    const normal = vertex.model?.normal.map(finite) ?? [0, 0, 0];
    const size = Math.hypot(...normal);
    const at = points.subarray(number * 3, number * 3 + 3);
    if (!(size > 0) || !at.every(Number.isFinite)) {
      return;
    }
    lines.push(...at, ...[0, 1, 2].map((axis) => at[axis] + (normal[axis] / size) * length));
  });
  return new Float32Array(lines);
}

class BoundsBuilder {
  private min: [number, number, number] = [Infinity, Infinity, Infinity];
  private max: [number, number, number] = [-Infinity, -Infinity, -Infinity];

  add(x: number, y: number, z: number) {
    if (!Number.isFinite(x + y + z)) {
      return;
    }
    const at = [x, y, z];
    for (let axis = 0; axis < 3; axis += 1) {
      if (at[axis] < this.min[axis]) {
        this.min[axis] = at[axis];
      }
      if (at[axis] > this.max[axis]) {
        this.max[axis] = at[axis];
      }
    }
  }

  finish(): Bounds | null {
    return this.min[0] <= this.max[0] ? { min: this.min, max: this.max } : null;
  }
}

/** Collects the corners of one kind of shape. */
class Corners {
  private capacity = 256;
  private buffer = new ArrayBuffer(this.capacity * CORNER_BYTES);
  private view = new DataView(this.buffer);
  private count = 0;
  private primitives: number[] = [];

  /** Adds a shape of a primitive. */
  push(corners: Corner[], barycentric: number[], style: number, scale: number[], primitive: number) {
    corners.forEach((corner, nth) => this.add(corner, barycentric[nth], style, scale));
    this.primitives.push(primitive);
  }

  /** Adds a corner. Its three barycentric coordinates are bits, so that the style has room beside them. */
  private add(corner: Corner, barycentric: number, style: number, scale: number[]) {
    if (this.count === this.capacity) {
      this.grow();
    }
    const at = this.count * CORNER_BYTES;
    const { view } = this;
    corner.at.forEach((value, axis) => view.setFloat32(at + axis * 4, value, true));
    const [s, t, q] = corner.texture.map(finite);
    view.setFloat32(at + 12, (s / q) * scale[0] || 0, true);
    view.setFloat32(at + 16, (t / q) * scale[1] || 0, true);
    corner.color.forEach((value, channel) => view.setUint8(at + 20 + channel, value));
    view.setUint8(at + 24, barycentric);
    view.setUint8(at + 25, style);
    this.count += 1;
  }

  private grow() {
    this.capacity *= 2;
    const larger = new ArrayBuffer(this.capacity * CORNER_BYTES);
    new Uint8Array(larger).set(new Uint8Array(this.buffer));
    this.buffer = larger;
    this.view = new DataView(larger);
  }

  finish() {
    return { bytes: this.buffer.slice(0, this.count * CORNER_BYTES), primitives: new Uint32Array(this.primitives) };
  }
}

/** Sorts primitives by shape. */
class Builder {
  private triangles = new Corners();
  private lines = new Corners();
  private dots = new Corners();
  private drawn = new BoundsBuilder();

  /** `scale` is that of texture coordinates; `hasLines` tells whether primitives of two vertices are lines rather than rectangles. */
  constructor(
    private scale: number[],
    private hasLines: boolean,
  ) {}

  /** Adds a primitive. Returns whether all corners have a place. */
  add(corners: Corner[], style: number, primitive: number): boolean {
    if (corners.length === 0 || !corners.every((corner) => corner.at.every(Number.isFinite))) {
      return false;
    }
    if (style <= 1) {
      corners.forEach(({ at: [x, y, z] }) => this.drawn.add(x, y, z));
    }
    if (corners.length === 1) {
      this.dots.push(corners, [0], style, this.scale, primitive);
    } else if (corners.length === 2 && this.hasLines) {
      this.lines.push(corners, [0, 0], style, this.scale, primitive);
    } else if (corners.length === 2) {
      this.addRectangle(corners, style, primitive);
    } else {
      this.triangles.push(corners, [1, 2, 4], style, this.scale, primitive);
    }
    return true;
  }

  private addRectangle([first, last]: Corner[], style: number, primitive: number) {
    // As on the hardware, colour and depth are those of the last corner.
    const corner = (x: Corner, y: Corner) => ({
      at: [x.at[0], y.at[1], last.at[2]],
      color: last.color,
      texture: [quotient(x.texture, 0), quotient(y.texture, 1), 1],
    });
    const [a, b, c, d] = [corner(first, first), corner(last, first), corner(last, last), corner(first, last)];
    // The coordinate opposite to the diagonal is 1 everywhere, which hides that edge.
    this.triangles.push([a, b, c], [3, 2, 6], style, this.scale, primitive);
    this.triangles.push([a, c, d], [5, 6, 4], style, this.scale, primitive);
  }

  finish() {
    const [triangles, lines, dots] = [this.triangles, this.lines, this.dots].map((list) => list.finish());
    return {
      triangles: triangles.bytes,
      trianglePrimitives: triangles.primitives,
      lines: lines.bytes,
      linePrimitives: lines.primitives,
      dots: dots.bytes,
      dotPrimitives: dots.primitives,
      drawnBounds: this.drawn.finish(),
    };
  }
}

function quotient(texture: (number | null)[], coordinate: number): number {
  return finite(texture[coordinate]) / finite(texture[2]);
}
