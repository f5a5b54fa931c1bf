// mesh/mesh-view.ts
import { h } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { drawAxes, drawCube, drawFrame, drawLabel, readColors } from "pspge/mesh/mesh-overlay.js";
import { depthAt, nearestPoint, positionAt, shapesOf, styleAt } from "pspge/mesh/mesh-picking.js";
import { createRenderer } from "pspge/mesh/mesh-renderer.js";
import { listenToGestures, multiply, orbitView, perspective, transform, ZOOM_STEP } from "pspge/mesh/orbit.js";
var FIELD_OF_VIEW = 2.4;
var TURN = 0.5;
var SCREEN = [480, 272];
var MeshView = class {
  /** `pick` is called on a click. */
  constructor(pick) {
    this.pick = pick;
    listenToGestures(this.element, {
      turn: (dx, dy) => this.turn(dx, dy),
      move: (dx, dy) => this.move(dx, dy),
      zoom: (factor, x, y) => this.zoom(factor, x, y),
      click: (x, y) => this.click(x, y),
      reset: () => this.frame("all")
    });
    this.element.addEventListener("keydown", (event) => takeKey(event, { ".": () => this.frame("selection") }));
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => this.restore());
    new ResizeObserver(() => this.redraw()).observe(this.element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }
  pick;
  options = { fill: true, edges: true, points: false, normals: false, undrawn: true, backdrop: true, coloring: "fate" };
  geometry = null;
  selection = { vertex: null, primitive: null };
  frames = [];
  framed = null;
  camera = { yaw: 35, pitch: 20, zoom: 1, pan: [0, 0] };
  canvas = h("canvas", { class: "mesh-canvas", "aria-hidden": "true" });
  overlay = h("canvas", { class: "mesh-overlay", "aria-hidden": "true" });
  element = h(
    "div",
    {
      class: "mesh-view",
      tabindex: "0",
      role: "application",
      "aria-label": "View of the mesh. Arrow keys turn, with Shift they move; plus and minus magnify; Home shows everything."
    },
    this.canvas,
    this.overlay
  );
  images = /* @__PURE__ */ new Map();
  renderer = createRenderer(this.canvas);
  isDirty = false;
  /** What the keys of the picture do while this is in its place. */
  keys = {
    zoom: (direction) => this.zoom(ZOOM_STEP ** direction, this.element.clientWidth / 2, this.element.clientHeight / 2),
    fit: () => this.frame("all"),
    pan: (dx, dy) => this.move(dx, dy)
  };
  /** Whether WebGL exists. Without it nothing is drawn. */
  get isAvailable() {
    return this.renderer !== null;
  }
  /** Shows a geometry. `keepsCamera` tells whether the camera stays as it is. */
  setGeometry(geometry, keepsCamera) {
    this.geometry = geometry;
    if (geometry) {
      this.renderer?.load(geometry);
    }
    if (!keepsCamera) {
      Object.assign(this.camera, usualDirection(geometry));
      this.frame("usual");
    }
    this.redraw();
  }
  /** Sets the picture of a texture, or that under the primitives in screen space. */
  setImage(name, pixels) {
    if (pixels) {
      this.images.set(name, pixels);
    } else {
      this.images.delete(name);
    }
    this.renderer?.setImage(name, pixels);
    this.redraw();
  }
  setSelection(selection) {
    this.selection = selection;
    this.redraw();
  }
  setOptions(options) {
    Object.assign(this.options, options);
    this.redraw();
  }
  /** Shows rectangles of the screen space. */
  setFrames(frames) {
    this.frames = frames;
    this.redraw();
  }
  /**
   * Moves the camera so that it shows the drawn primitives, all vertices, or the selected primitive or vertex; `usual`
   * is the screen, the view volume, or the drawn primitives.
   */
  frame(part) {
    const { geometry } = this;
    if (!geometry) {
      return;
    }
    const drawn = geometry.drawnBounds ?? geometry.bounds;
    const parts = { usual: this.usualBounds() ?? drawn, drawn, all: geometry.bounds, selection: this.selectedBounds() };
    if (part === "selection" && !parts.selection) {
      return;
    }
    this.framed = parts[part];
    this.camera.zoom = 1;
    this.camera.pan = [0, 0];
    this.redraw();
  }
  /** The part of clip space and of the screen that is usually looked at. */
  usualBounds() {
    if (this.geometry?.space === "clip") {
      return { min: [-1, -1, -1], max: [1, 1, 1] };
    }
    if (this.geometry?.space !== "screen") {
      return null;
    }
    return { min: [0, 0, 0], max: [SCREEN[0], SCREEN[1], 0] };
  }
  selectedBounds() {
    const corners = this.selectedCorners().flat();
    const { geometry } = this;
    const { vertex } = this.selection;
    if (corners.length === 0 && geometry && vertex !== null) {
      corners.push([...geometry.points.subarray(vertex * 3, vertex * 3 + 3)]);
    }
    const known = corners.filter((corner) => corner.length === 3 && corner.every(Number.isFinite));
    if (known.length === 0) {
      return null;
    }
    const side = (of) => {
      const [x, y, z] = [0, 1, 2].map((axis) => of(...known.map((corner) => corner[axis])));
      return [x, y, z];
    };
    return { min: side(Math.min), max: side(Math.max) };
  }
  turn(dx, dy) {
    if (this.isFlat) {
      this.move(dx, dy);
      return;
    }
    this.camera.yaw = (this.camera.yaw - dx * TURN) % 360;
    this.camera.pitch = Math.max(-90, Math.min(90, this.camera.pitch + dy * TURN));
    this.redraw();
  }
  move(dx, dy) {
    const { clientWidth, clientHeight } = this.element;
    const [x, y] = this.camera.pan;
    this.camera.pan = [x + 2 * dx / clientWidth, y - 2 * dy / clientHeight];
    this.redraw();
  }
  zoom(factor, x, y) {
    const { clientWidth, clientHeight } = this.element;
    const next = Math.max(0.01, Math.min(1e4, this.camera.zoom * factor));
    const ratio = next / this.camera.zoom;
    const at = [2 * x / clientWidth - 1, 1 - 2 * y / clientHeight];
    const [panX, panY] = this.camera.pan;
    this.camera.pan = [at[0] - (at[0] - panX) * ratio, at[1] - (at[1] - panY) * ratio];
    this.camera.zoom = next;
    this.redraw();
  }
  /** Whether the space has no depth. */
  get isFlat() {
    return this.geometry?.space === "screen";
  }
  matrices() {
    const { clientWidth, clientHeight } = this.element;
    const aspect = clientWidth / Math.max(1, clientHeight);
    const { zoom, pan } = this.camera;
    const { min, max } = this.framed ?? { min: [-1, -1, -1], max: [1, 1, 1] };
    const center = [0, 1, 2].map((axis) => (min[axis] + max[axis]) / 2);
    if (this.isFlat) {
      const [width, height] = [Math.max(1, max[0] - min[0]), Math.max(1, max[1] - min[1])];
      const scale = Math.min(2 * aspect / width, 2 / height) * 0.9 * zoom;
      const [x, y] = [scale / aspect, -scale];
      const projection = new Float32Array([x, 0, 0, 0, 0, y, 0, 0, 0, 0, 0, 0, pan[0] - center[0] * x, pan[1] - center[1] * y, 0, 1]);
      return { view: identity(), projection };
    }
    const radius = Math.hypot(...[0, 1, 2].map((axis) => max[axis] - min[axis])) / 2 || 1;
    const all = this.geometry?.bounds ?? { min, max };
    const reach = Math.hypot(...[0, 1, 2].map((axis) => Math.max(Math.abs(all.min[axis] - center[axis]), Math.abs(all.max[axis] - center[axis]))));
    const distance = radius * FIELD_OF_VIEW * 1.05 / Math.min(1, aspect);
    const isMirrored = this.geometry?.space === "clip";
    const flip = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, isMirrored ? -1 : 1, 0, 0, 0, 0, 1]);
    const middle = isMirrored ? [center[0], center[1], -center[2]] : center;
    const near = Math.max(distance - Math.max(radius, reach), distance * 0.01);
    return {
      view: multiply(orbitView(this.camera.yaw, this.camera.pitch, middle, distance), flip),
      projection: perspective(FIELD_OF_VIEW * zoom, aspect, near, distance + Math.max(radius, reach) * 1.1, pan)
    };
  }
  /** Draws the view again with the next frame of the browser. */
  redraw() {
    if (this.isDirty) {
      return;
    }
    this.isDirty = true;
    requestAnimationFrame(() => {
      this.isDirty = false;
      this.draw();
    });
  }
  draw() {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || clientHeight === 0) {
      return;
    }
    const density = window.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.overlay]) {
      const [width, height] = [Math.round(clientWidth * density), Math.round(clientHeight * density)];
      if (canvas.width !== width) {
        canvas.width = width;
      }
      if (canvas.height !== height) {
        canvas.height = height;
      }
    }
    const { view, projection } = this.matrices();
    const colors = readColors(this.element);
    if (this.geometry) {
      this.renderer?.draw(this.geometry, { view, projection, colors, density, options: this.options });
    }
    this.drawOverlay(multiply(projection, view), view, colors, density);
  }
  drawOverlay(matrix, view, colors, density) {
    const context = this.overlay.getContext("2d");
    if (!context) {
      return;
    }
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, this.element.clientWidth, this.element.clientHeight);
    if (!this.geometry) {
      return;
    }
    const project = this.projector(matrix);
    context.font = "11px ui-monospace, monospace";
    if (this.isFlat) {
      this.frames.forEach((frame) => drawFrame(context, project, frame, colors));
    }
    if (this.geometry.space === "clip") {
      drawCube(context, project, colors);
    }
    this.drawSelection(context, project, colors);
    if (!this.isFlat) {
      drawAxes(context, view, this.element.clientHeight, colors);
    }
  }
  /** Returns a function from a position to CSS pixels, null behind the eye. */
  projector(matrix) {
    const { clientWidth, clientHeight } = this.element;
    return (at) => {
      const [x, y, z, w] = transform(matrix, at[0], at[1], at[2]);
      if (!(w > 0)) {
        return null;
      }
      return [(x / w + 1) / 2 * clientWidth, (1 - y / w) / 2 * clientHeight, z / w];
    };
  }
  drawSelection(context, project, colors) {
    context.lineWidth = 2.5;
    for (const shape of this.selectedCorners()) {
      const places = shape.map(project);
      if (places.some((place2) => !place2)) {
        continue;
      }
      const outline = new Path2D();
      places.forEach((place2, nth) => {
        if (!place2) {
          return;
        }
        if (nth === 0) {
          outline.moveTo(place2[0], place2[1]);
        } else {
          outline.lineTo(place2[0], place2[1]);
        }
        if (places.length === 1) {
          outline.arc(place2[0], place2[1], 7, 0, 7);
        }
      });
      outline.closePath();
      context.strokeStyle = colors.halo;
      context.lineWidth = 5;
      context.stroke(outline);
      context.strokeStyle = colors.selection;
      context.lineWidth = 2.5;
      context.stroke(outline);
    }
    const { vertex } = this.selection;
    if (vertex === null || !this.geometry) {
      return;
    }
    const place = project(this.geometry.points.subarray(vertex * 3, vertex * 3 + 3));
    if (!place || !Number.isFinite(place[0] + place[1])) {
      return;
    }
    context.beginPath();
    context.arc(place[0], place[1], 5, 0, 7);
    context.fillStyle = colors.selection;
    context.strokeStyle = colors.halo;
    context.lineWidth = 2;
    context.fill();
    context.stroke();
    drawLabel(context, `vertex ${vertex}`, place[0] + 9, place[1] - 6, colors);
  }
  /** Returns the corners of the shapes of the selected primitive. */
  selectedCorners() {
    const { geometry } = this;
    const { primitive } = this.selection;
    if (!geometry || primitive === null) {
      return [];
    }
    return [
      ...shapesOf(geometry.triangles, geometry.trianglePrimitives, 3, primitive),
      ...shapesOf(geometry.lines, geometry.linePrimitives, 2, primitive),
      ...shapesOf(geometry.dots, geometry.dotPrimitives, 1, primitive)
    ];
  }
  click(x, y) {
    const { geometry } = this;
    if (!geometry) {
      return;
    }
    const { view, projection } = this.matrices();
    const project = this.projector(multiply(projection, view));
    const primitive = this.primitiveAt(geometry, project, x, y);
    this.pick({ vertex: nearestPoint(geometry.points, project, x, y), primitive });
  }
  primitiveAt(geometry, project, x, y) {
    const found = { primitive: null, depth: Infinity };
    const lists = [
      [geometry.triangles, geometry.trianglePrimitives, 3],
      [geometry.lines, geometry.linePrimitives, 2],
      [geometry.dots, geometry.dotPrimitives, 1]
    ];
    for (const [bytes, primitives, corners] of lists) {
      const view = new DataView(bytes);
      for (let nth = 0; nth < primitives.length; nth += 1) {
        if (!this.options.undrawn && styleAt(view, nth * corners) > 1) {
          continue;
        }
        const places = Array.from({ length: corners }, (_, corner) => project(positionAt(view, nth * corners + corner)));
        const depth = depthAt(places, x, y);
        if (depth === null || !this.isFlat && depth >= found.depth) {
          continue;
        }
        found.depth = depth;
        found.primitive = primitives[nth];
      }
    }
    return found.primitive;
  }
  /** Loads everything again after the browser took the graphics context away. */
  restore() {
    this.renderer = createRenderer(this.canvas);
    if (this.geometry) {
      this.renderer?.load(this.geometry);
    }
    this.images.forEach((pixels, name) => this.renderer?.setImage(name, pixels));
    this.redraw();
  }
};
function usualDirection(geometry) {
  const bounds = geometry?.drawnBounds ?? geometry?.bounds;
  if (!bounds || geometry?.space === "clip") {
    return { yaw: 0, pitch: 0 };
  }
  const size = [0, 1, 2].map((axis) => bounds.max[axis] - bounds.min[axis]);
  const largest = Math.max(...size);
  const flat = size.map((side) => side < largest * 1e-3);
  if (flat[2]) {
    return { yaw: 0, pitch: 0 };
  }
  if (flat[0]) {
    return { yaw: 90, pitch: 0 };
  }
  return flat[1] ? { yaw: 0, pitch: 90 } : { yaw: 35, pitch: 20 };
}
function identity() {
  return new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
}
export {
  MeshView
};
