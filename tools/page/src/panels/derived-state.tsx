// The state in plain words: where a draw goes, what it samples, which tests it meets.

import { colorText, decimal, hex } from "pspge/base/dom.js";
import type { ComponentChild } from "pspge/base/preact.js";
import type { State, TextureState, VertexFormat, Viewport } from "pspge/documents.js";
import { Facts, Link, Mono } from "pspge/widgets/controls.js";
import { useApp } from "pspge/widgets/panel.js";

/** Facts that follow from the state. */
export function DerivedState({ state }: { state: State }) {
  const { framebuffer, depth_buffer: depth, scissor, viewport, clear } = state;
  const ofDraws: [string, ComponentChild][] = [
    ["Samples", <Texture texture={state.texture} />],
    ["Tests", testsText(state)],
    ["Blending", blendText(state)],
    ["Writes", writesText(state, { color: true, stencil: true, depth: state.depth_test.writes })],
  ];
  return (
    <Facts
      rows={[
        ["Draws to", <><Mono>{hex(framebuffer.address)}</Mono>{` ${framebuffer.format}, rows of ${framebuffer.stride} pixels`}</>],
        ["Depth in", <><Mono>{hex(depth.address)}</Mono>{` rows of ${depth.stride}`}</>],
        ["Scissor", `columns ${scissor.left} to ${scissor.right}, rows ${scissor.top} to ${scissor.bottom}`],
        ["Viewport", viewportText(viewport, state.vertex)],
        ...(clear.enabled ? [["Clears", writesText(state, clear)] as [string, string]] : ofDraws),
      ]}
    />
  );
}

function viewportText({ center, scale, offset }: Viewport, vertex: VertexFormat): string {
  if (vertex?.through) {
    return "not used: the vertices are in through mode";
  }
  const [[x, y, z], [width, height, depth]] = [center, scale].map((vector) => vector.map((number) => number ?? NaN));
  const corner = [x - Math.abs(width) - (offset[0] ?? 0), y - Math.abs(height) - (offset[1] ?? 0)];
  const text = (number: number) => decimal(Number.isNaN(number) ? null : number);
  const size = `${text(2 * Math.abs(width))}×${text(2 * Math.abs(height))}`;
  return `${size} at ${corner.map(text).join(",")}, depth ${text(z - depth)} to ${text(z + depth)}`;
}

function Texture({ texture: { enabled, levels, format, swizzled, filter, clamp, function: combine } }: { texture: TextureState }) {
  const app = useApp();
  const [level] = levels;
  if (!enabled || !level) {
    return <>no texture</>;
  }
  const smooth = `${filter.minification}${filter.magnify_linear ? ", magnified linearly" : ""}`;
  const edges = clamp.every(Boolean) ? "clamped" : clamp.some(Boolean) ? `clamped in ${clamp[0] ? "s" : "t"}` : "repeated";
  return (
    <>
      <Link class="mono" title="Show it in the panel Textures" onClick={() => app.openPanel("textures")}>{hex(level.address)}</Link>
      {` ${level.width}×${level.height} ${format}${swizzled ? " swizzled" : ""}, ${combine.function}${combine.use_alpha ? " with alpha" : ""}, ${smooth}, ${edges}`}
    </>
  );
}

function testsText(state: State): string {
  const { alpha_test: alpha, color_test: color, stencil_test: stencil, depth_test: depth } = state;
  const tests = [
    alpha.enabled && `alpha ${alpha.function} ${alpha.reference}`,
    color.enabled && `colour ${color.function} ${colorText(color.reference)}`,
    stencil.enabled && `stencil ${stencil.function} ${stencil.reference}`,
    depth.enabled && `depth ${depth.function}`,
    state.culling.enabled && "face culling",
  ];
  return tests.filter(Boolean).join(", ") || "none";
}

function blendText({ blend, fog, dither, logic }: State): string {
  const factor = (name: string, fixed: number[]) => (name === "FIXED" ? `fixed ${colorText(fixed)}` : name);
  const [source, destination] = [factor(blend.source, blend.fixed_source), factor(blend.destination, blend.fixed_destination)];
  const parts = [
    blend.enabled && `${blend.equation}: source × ${source}, destination × ${destination}`,
    fog.enabled && "fog",
    dither.enabled && "dithering",
    logic.enabled && `logic operation ${logic.operation}`,
  ];
  return parts.filter(Boolean).join("; ") || "off";
}

/** Names the planes that a draw writes, of those that its mode lets it write. */
function writesText({ framebuffer, mask }: State, { color, stencil, depth }: { color: boolean; stencil: boolean; depth: boolean }): string {
  // The format of 5, 6 and 5 bits has no place for a stencil.
  const hasStencil = stencil && framebuffer.format !== "BGR5650";
  const protectedBits = [...mask.color.map((bits) => (color ? bits : 0)), hasStencil ? mask.stencil : 0];
  const isWhole = protectedBits.every((bits) => bits === 0);
  const written = [color && "colour", hasStencil && "stencil", depth && "depth"].filter(Boolean);
  return `${written.join(", ") || "nothing"}${isWhole ? "" : `; not the bits ${colorText(protectedBits)}`}`;
}
