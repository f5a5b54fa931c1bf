// mesh/mesh-geometry.ts
var CORNER_BYTES = 28;
var STYLES = [
  { id: "drawn", name: "drawn", fates: ["drawn"] },
  { id: "clipped", name: "drawn, clipped at the near plane", fates: [] },
  { id: "killed", name: "killed by tests", fates: ["killed"] },
  { id: "culled", name: "culled", fates: ["culled"] },
  { id: "outside", name: "dropped or outside", fates: ["dropped", "outside-screen", "outside-buffer", "outside-scissor"] },
  { id: "empty", name: "without pixels", fates: ["no-area", "no-pixel"] },
  { id: "unknown", name: "not counted", fates: ["unknown"] }
];
function styleOf(fate, isClipped) {
  if (fate === "drawn" && isClipped) {
    return 1;
  }
  const index = STYLES.findIndex((style) => style.fates.includes(fate));
  return index < 0 ? STYLES.length - 1 : index;
}
function spacesOf(report) {
  const some = ["model", "world", "view", "clip"];
  return [...some.filter((space) => report.vertices.some((vertex) => vertex[space])), "screen"];
}
function buildGeometry(report, space) {
  const { points, notFinite, behind } = vertexPoints(report, space);
  const texture = report.state.texture;
  const size = texture.levels[0] ?? { width: 1, height: 1 };
  const scale = report.state.vertex.through ? [1 / size.width, 1 / size.height] : [1, 1];
  const builder = new Builder(scale, hasLines(report));
  let skipped = 0;
  report.primitives.forEach((primitive, position) => {
    const shapes = space === "screen" && primitive.parts.length > 0 ? primitive.parts.map((part) => ({ fate: part.fate, corners: part.vertices.map(partCorner) })) : shapesOf(report, points, primitive);
    const added = shapes.filter((shape) => builder.add(shape.corners, styleOf(shape.fate, primitive.clipped), position));
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
    skipped
  };
}
function partCorner(vertex) {
  return { at: vertex.position.map(finite), color: vertex.color, texture: vertex.texture };
}
function shapesOf(report, points, primitive) {
  const corners = primitive.vertices.map((number) => {
    const vertex = report.vertices[number];
    return {
      at: [points[number * 3], points[number * 3 + 1], points[number * 3 + 2]],
      color: vertex?.color ?? [128, 128, 128, 255],
      texture: vertex?.texture ?? [0, 0, 1]
    };
  });
  const shape = (some) => ({ fate: primitive.fate, corners: some });
  return corners.length > 3 ? [shape(corners.slice(0, 3)), shape(corners.slice(3))] : [shape(corners)];
}
function hasLines(report) {
  const type = report.patch ? report.state.patch.primitive : report.primitive;
  return String(type).startsWith("LINE");
}
function vertexPoints(report, space) {
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
var NOWHERE = ["near", "w-not-positive", "outside-screen"];
function placeOf(vertex, space) {
  if (!vertex) {
    return null;
  }
  if (space === "model") {
    return vertex.model?.position.map(finite) ?? null;
  }
  if (space === "screen") {
    if (vertex.outcode.some((test) => NOWHERE.includes(test))) {
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
function finite(value) {
  return value ?? Number.NaN;
}
function boundsOf(points) {
  const bounds = new BoundsBuilder();
  for (let at = 0; at < points.length; at += 3) {
    bounds.add(points[at], points[at + 1], points[at + 2]);
  }
  return bounds.finish();
}
function normalLines(report, points) {
  const bounds = boundsOf(points);
  if (!bounds) {
    return new Float32Array(0);
  }
  const diagonal = Math.hypot(...[0, 1, 2].map((axis) => bounds.max[axis] - bounds.min[axis]));
  const length = diagonal * 0.03 || 1;
  const lines = [];
  report.vertices.forEach((vertex, number) => {
    const normal = vertex.model?.normal.map(finite) ?? [0, 0, 0];
    const size = Math.hypot(...normal);
    const at = points.subarray(number * 3, number * 3 + 3);
    if (!(size > 0) || !at.every(Number.isFinite)) {
      return;
    }
    lines.push(...at, ...[0, 1, 2].map((axis) => at[axis] + normal[axis] / size * length));
  });
  return new Float32Array(lines);
}
var BoundsBuilder = class {
  min = [Infinity, Infinity, Infinity];
  max = [-Infinity, -Infinity, -Infinity];
  add(x, y, z) {
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
  finish() {
    return this.min[0] <= this.max[0] ? { min: this.min, max: this.max } : null;
  }
};
var Corners = class {
  capacity = 256;
  buffer = new ArrayBuffer(this.capacity * CORNER_BYTES);
  view = new DataView(this.buffer);
  count = 0;
  primitives = [];
  /** Adds a shape of a primitive. */
  push(corners, barycentric, style, scale, primitive) {
    corners.forEach((corner, nth) => this.add(corner, barycentric[nth], style, scale));
    this.primitives.push(primitive);
  }
  /** Adds a corner. Its three barycentric coordinates are bits, so that the style has room beside them. */
  add(corner, barycentric, style, scale) {
    if (this.count === this.capacity) {
      this.grow();
    }
    const at = this.count * CORNER_BYTES;
    const { view } = this;
    corner.at.forEach((value, axis) => view.setFloat32(at + axis * 4, value, true));
    const [s, t, q] = corner.texture.map(finite);
    view.setFloat32(at + 12, s / q * scale[0] || 0, true);
    view.setFloat32(at + 16, t / q * scale[1] || 0, true);
    corner.color.forEach((value, channel) => view.setUint8(at + 20 + channel, value));
    view.setUint8(at + 24, barycentric);
    view.setUint8(at + 25, style);
    this.count += 1;
  }
  grow() {
    this.capacity *= 2;
    const larger = new ArrayBuffer(this.capacity * CORNER_BYTES);
    new Uint8Array(larger).set(new Uint8Array(this.buffer));
    this.buffer = larger;
    this.view = new DataView(larger);
  }
  finish() {
    return { bytes: this.buffer.slice(0, this.count * CORNER_BYTES), primitives: new Uint32Array(this.primitives) };
  }
};
var Builder = class {
  /** `scale` is that of texture coordinates; `hasLines` tells whether primitives of two vertices are lines rather than rectangles. */
  constructor(scale, hasLines2) {
    this.scale = scale;
    this.hasLines = hasLines2;
  }
  scale;
  hasLines;
  triangles = new Corners();
  lines = new Corners();
  dots = new Corners();
  drawn = new BoundsBuilder();
  /** Adds a primitive. Returns whether all corners have a place. */
  add(corners, style, primitive) {
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
  addRectangle([first, last], style, primitive) {
    const corner = (x, y) => ({
      at: [x.at[0], y.at[1], last.at[2]],
      color: last.color,
      texture: [quotient(x.texture, 0), quotient(y.texture, 1), 1]
    });
    const [a, b, c, d] = [corner(first, first), corner(last, first), corner(last, last), corner(first, last)];
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
      drawnBounds: this.drawn.finish()
    };
  }
};
function quotient(texture, coordinate) {
  return finite(texture[coordinate]) / finite(texture[2]);
}
export {
  CORNER_BYTES,
  STYLES,
  buildGeometry,
  spacesOf,
  styleOf
};
