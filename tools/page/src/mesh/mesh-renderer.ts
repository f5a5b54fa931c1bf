// The part of a mesh's view that talks to WebGL.

import { CORNER_BYTES, type MeshGeometry, STYLES } from "pspge/mesh/mesh-geometry.js";
import type { Colors } from "pspge/mesh/mesh-overlay.js";
import type { Matrix } from "pspge/mesh/orbit.js";

/** RGBA. */
export interface Pixels {
  width: number;
  height: number;
  pixels: Uint8Array;
}

export interface MeshOptions {
  fill: boolean;
  edges: boolean;
  points: boolean;
  normals: boolean;
  /** Whether primitives are shown that are not drawn. */
  undrawn: boolean;
  /** Whether the picture is shown under the primitives in screen space. */
  backdrop: boolean;
  coloring: "fate" | "color" | "texture";
}

const VERTEX_SHADER = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 texcoord;
layout(location = 2) in vec4 color;
layout(location = 3) in vec2 info;
uniform mat4 view;
uniform mat4 projection;
uniform bool showUndrawn;
uniform float pointSize;
out vec3 viewPosition;
out vec2 uv;
out vec4 vertexColor;
out vec3 edge;
flat out int style;
void main() {
  vec4 at = view * vec4(position, 1.0);
  viewPosition = at.xyz;
  uv = texcoord;
  vertexColor = color;
  edge = vec3(mod(info.x, 2.0), mod(floor(info.x / 2.0), 2.0), floor(info.x / 4.0));
  style = int(info.y + 0.5);
  bool hidden = style > 1 && !showUndrawn;
  gl_Position = hidden ? vec4(2.0, 2.0, 2.0, 1.0) : projection * at;
  gl_PointSize = pointSize;
}`;

const FRAGMENT_SHADER = `#version 300 es
precision highp float;
in vec3 viewPosition;
in vec2 uv;
in vec4 vertexColor;
in vec3 edge;
flat in int style;
uniform vec4 styles[${STYLES.length}];
uniform vec4 lineColor;
uniform int coloring;
uniform int shape;
uniform bool fill;
uniform bool edges;
uniform bool light;
uniform float density;
uniform sampler2D image;
out vec4 result;
bool inPattern(int pattern, vec2 at) {
  vec2 cell = mod(at, 8.0);
  if (pattern == 1) return (cell.x < 4.0) == (cell.y < 4.0);
  if (pattern == 2) return distance(cell, vec2(4.0)) < 2.6;
  if (pattern == 3) return mod(at.x + at.y, 8.0) < 3.5;
  if (pattern == 4) return mod(at.x - at.y, 8.0) < 3.5;
  if (pattern == 5) return cell.x < 2.0 || cell.y < 2.0;
  if (pattern == 6) return cell.y < 3.0;
  return true;
}
void main() {
  if (shape == 2) { result = lineColor; return; }
  if (shape == 1) {
    if (distance(gl_PointCoord, vec2(0.5)) > 0.5) discard;
    result = lineColor.a > 0.0 ? lineColor : styles[style];
    return;
  }
  vec4 color = styles[style];
  if (coloring == 1) color = vec4(vertexColor.rgb, 1.0);
  if (coloring == 2) color = vec4(texture(image, uv).rgb, 1.0);
  vec3 normal = normalize(cross(dFdx(viewPosition), dFdy(viewPosition)));
  if (light) color.rgb *= 0.55 + 0.45 * abs(normal.z);
  bool isFilled = fill && inPattern(style, gl_FragCoord.xy / density);
  vec3 width = fwidth(edge) * density;
  vec3 distanceToEdge = edge / max(width, vec3(1e-6));
  float nearest = min(distanceToEdge.x, min(distanceToEdge.y, distanceToEdge.z));
  bool isEdge = edges && nearest < 0.7;
  if (!isFilled && !isEdge) discard;
  vec3 edgeColor = fill ? mix(color.rgb, lineColor.rgb, 0.45) : styles[style].rgb;
  result = vec4(isEdge ? edgeColor : color.rgb, 1.0);
}`;

/** Shapes as the fragment shader numbers them. */
const SHAPE = { triangle: 0, point: 1, line: 2 };
interface DrawSetup {
  view: Matrix;
  projection: Matrix;
  colors: Colors;
  /** Device pixels of a CSS pixel. */
  density: number;
  options: MeshOptions;
}

/** Creates the part that talks to WebGL, null without it. */
export function createRenderer(canvas: HTMLCanvasElement): Renderer | null {
  const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) {
    return null;
  }
  try {
    return new Renderer(gl);
  } catch {
    return null;
  }
}

class Renderer {
  private program: WebGLProgram;
  private buffers: Record<"triangles" | "lines" | "dots" | "points" | "normals" | "quad", WebGLBuffer>;
  private images = new Map<string, { texture: WebGLTexture; width: number; height: number }>();
  private uniforms = new Map<string, WebGLUniformLocation | null>();

  constructor(private gl: WebGL2RenderingContext) {
    const buffer = () => gl.createBuffer();
    this.program = linkProgram(gl);
    this.buffers = { triangles: buffer(), lines: buffer(), dots: buffer(), points: buffer(), normals: buffer(), quad: buffer() };
  }

  load(geometry: MeshGeometry) {
    const { gl } = this;
    const contents: [WebGLBuffer | null, AllowSharedBufferSource][] = [
      [this.buffers.triangles, geometry.triangles],
      [this.buffers.lines, geometry.lines],
      [this.buffers.dots, geometry.dots],
      [this.buffers.points, geometry.points],
      [this.buffers.normals, geometry.normals],
    ];
    for (const [buffer, bytes] of contents) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
    }
  }

  setImage(name: string, pixels: Pixels | null) {
    const { gl } = this;
    const old = this.images.get(name);
    if (old) {
      gl.deleteTexture(old.texture);
    }
    this.images.delete(name);
    if (!pixels) {
      return;
    }
    const texture = gl.createTexture();
    if (!texture) {
      return;
    }
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, pixels.width, pixels.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels.pixels);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    this.images.set(name, { texture, width: pixels.width, height: pixels.height });
  }

  uniform(name: string) {
    let location = this.uniforms.get(name);
    if (location === undefined) {
      location = this.gl.getUniformLocation(this.program, name);
      this.uniforms.set(name, location);
    }
    return location;
  }

  draw(geometry: MeshGeometry, setup: DrawSetup) {
    const { gl } = this;
    const { options, colors, density } = setup;
    const isFlat = geometry.space === "screen";
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.program);
    gl.uniformMatrix4fv(this.uniform("view"), false, setup.view);
    gl.uniformMatrix4fv(this.uniform("projection"), false, setup.projection);
    gl.uniform4fv(this.uniform("styles"), colors.styles);
    gl.uniform1f(this.uniform("density"), density);
    gl.uniform1i(this.uniform("image"), 0);
    gl.uniform1i(this.uniform("showUndrawn"), 1);
    gl.disable(gl.DEPTH_TEST);
    if (isFlat && options.backdrop) {
      this.drawBackdrop();
    }
    if (!isFlat) {
      gl.enable(gl.DEPTH_TEST);
    }
    gl.uniform1i(this.uniform("showUndrawn"), Number(options.undrawn));
    gl.uniform1i(this.uniform("light"), Number(!isFlat && options.coloring !== "color"));
    gl.uniform1i(this.uniform("fill"), Number(options.fill));
    gl.uniform1i(this.uniform("edges"), Number(options.edges));
    const hasTexture = this.bindImage("texture");
    const colorings = { fate: 0, color: 1, texture: hasTexture ? 2 : 0 };
    gl.uniform1i(this.uniform("coloring"), colorings[options.coloring]);
    gl.uniform4fv(this.uniform("lineColor"), colors.line);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    if (options.fill || options.edges) {
      this.drawCorners(this.buffers.triangles, gl.TRIANGLES, SHAPE.triangle, geometry.trianglePrimitives.length * 3);
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.uniform4f(this.uniform("lineColor"), 0, 0, 0, 0);
    gl.uniform1f(this.uniform("pointSize"), 6 * density);
    this.drawCorners(this.buffers.dots, gl.POINTS, SHAPE.point, geometry.dotPrimitives.length);
    gl.uniform4fv(this.uniform("lineColor"), colors.styles.subarray(0, 4));
    this.drawCorners(this.buffers.lines, gl.LINES, SHAPE.line, geometry.linePrimitives.length * 2);
    gl.uniform4fv(this.uniform("lineColor"), colors.point);
    gl.uniform1f(this.uniform("pointSize"), 5 * density);
    if (options.points) {
      this.drawPlain(this.buffers.points, gl.POINTS, SHAPE.point, geometry.points.length / 3);
    }
    gl.uniform4fv(this.uniform("lineColor"), colors.normal);
    if (options.normals) {
      this.drawPlain(this.buffers.normals, gl.LINES, SHAPE.line, geometry.normals.length / 3);
    }
  }

  /** Takes an image. Returns whether it exists. */
  bindImage(name: string): boolean {
    const image = this.images.get(name);
    this.gl.activeTexture(this.gl.TEXTURE0);
    this.gl.bindTexture(this.gl.TEXTURE_2D, image?.texture ?? null);
    return Boolean(image);
  }

  drawBackdrop() {
    const { gl } = this;
    const image = this.images.get("backdrop");
    if (!image || !this.bindImage("backdrop")) {
      return;
    }
    const { width, height } = image;
    const corners = [[0, 0], [1, 0], [0, 1], [0, 1], [1, 0], [1, 1]].flatMap(([u, v]) => [u * width, v * height, 0, u, v, 0, 0]);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.quad);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.STREAM_DRAW);
    gl.uniform1i(this.uniform("coloring"), 2);
    gl.uniform1i(this.uniform("light"), 0);
    gl.uniform1i(this.uniform("fill"), 1);
    gl.uniform1i(this.uniform("edges"), 0);
    this.drawCorners(this.buffers.quad, gl.TRIANGLES, SHAPE.triangle, 6);
  }

  /** Draws corners in the layout of the geometry. */
  drawCorners(buffer: WebGLBuffer | null, mode: number, shape: number, count: number) {
    if (count === 0) {
      return;
    }
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.uniform1i(this.uniform("shape"), shape);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, CORNER_BYTES, 0);
    gl.vertexAttribPointer(1, 2, gl.FLOAT, false, CORNER_BYTES, 12);
    gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, CORNER_BYTES, 20);
    gl.vertexAttribPointer(3, 2, gl.UNSIGNED_BYTE, false, CORNER_BYTES, 24);
    [0, 1, 2, 3].forEach((attribute) => gl.enableVertexAttribArray(attribute));
    gl.drawArrays(mode, 0, count);
  }

  /** Draws positions without anything else. */
  drawPlain(buffer: WebGLBuffer | null, mode: number, shape: number, count: number) {
    if (count === 0) {
      return;
    }
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.uniform1i(this.uniform("shape"), shape);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 12, 0);
    [1, 2, 3].forEach((attribute) => gl.disableVertexAttribArray(attribute));
    [1, 2, 3].forEach((attribute) => gl.vertexAttrib4f(attribute, 0, 0, 0, 0));
    gl.drawArrays(mode, 0, count);
  }
}

function linkProgram(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  const shaders: [number, string][] = [
    [gl.VERTEX_SHADER, VERTEX_SHADER],
    [gl.FRAGMENT_SHADER, FRAGMENT_SHADER],
  ];
  for (const [kind, source] of shaders) {
    const shader = gl.createShader(kind);
    if (!shader) {
      throw new Error("WebGL makes no shader");
    }
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error(`WebGL links no program: ${logs.join(" ")}`);
  }
  return program;
}
