// panels/derived-state.tsx
import { colorText, decimal, hex } from "pspge/base/dom.js";
import { Facts, Link, Mono } from "pspge/widgets/controls.js";
import { useApp } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
function DerivedState({ state }) {
  const { framebuffer, depth_buffer: depth, scissor, viewport, clear } = state;
  const ofDraws = [
    ["Samples", /* @__PURE__ */ jsx(Texture, { texture: state.texture })],
    ["Tests", testsText(state)],
    ["Blending", blendText(state)],
    ["Writes", writesText(state, { color: true, stencil: true, depth: state.depth_test.writes })]
  ];
  return /* @__PURE__ */ jsx(
    Facts,
    {
      rows: [
        ["Draws to", /* @__PURE__ */ jsxs(Fragment, { children: [
          /* @__PURE__ */ jsx(Mono, { children: hex(framebuffer.address) }),
          ` ${framebuffer.format}, rows of ${framebuffer.stride} pixels`
        ] })],
        ["Depth in", /* @__PURE__ */ jsxs(Fragment, { children: [
          /* @__PURE__ */ jsx(Mono, { children: hex(depth.address) }),
          ` rows of ${depth.stride}`
        ] })],
        ["Scissor", `columns ${scissor.left} to ${scissor.right}, rows ${scissor.top} to ${scissor.bottom}`],
        ["Viewport", viewportText(viewport, state.vertex)],
        ...clear.enabled ? [["Clears", writesText(state, clear)]] : ofDraws
      ]
    }
  );
}
function viewportText({ center, scale, offset }, vertex) {
  if (vertex?.through) {
    return "not used: the vertices are in through mode";
  }
  const [[x, y, z], [width, height, depth]] = [center, scale].map((vector) => vector.map((number) => number ?? NaN));
  const corner = [x - Math.abs(width) - (offset[0] ?? 0), y - Math.abs(height) - (offset[1] ?? 0)];
  const text = (number) => decimal(Number.isNaN(number) ? null : number);
  const size = `${text(2 * Math.abs(width))}×${text(2 * Math.abs(height))}`;
  return `${size} at ${corner.map(text).join(",")}, depth ${text(z - depth)} to ${text(z + depth)}`;
}
function Texture({ texture: { enabled, levels, format, swizzled, filter, clamp, function: combine } }) {
  const app = useApp();
  const [level] = levels;
  if (!enabled || !level) {
    return /* @__PURE__ */ jsx(Fragment, { children: "no texture" });
  }
  const smooth = `${filter.minification}${filter.magnify_linear ? ", magnified linearly" : ""}`;
  const edges = clamp.every(Boolean) ? "clamped" : clamp.some(Boolean) ? `clamped in ${clamp[0] ? "s" : "t"}` : "repeated";
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Link, { class: "mono", title: "Show it in the panel Textures", onClick: () => app.openPanel("textures"), children: hex(level.address) }),
    ` ${level.width}×${level.height} ${format}${swizzled ? " swizzled" : ""}, ${combine.function}${combine.use_alpha ? " with alpha" : ""}, ${smooth}, ${edges}`
  ] });
}
function testsText(state) {
  const { alpha_test: alpha, color_test: color, stencil_test: stencil, depth_test: depth } = state;
  const tests = [
    alpha.enabled && `alpha ${alpha.function} ${alpha.reference}`,
    color.enabled && `colour ${color.function} ${colorText(color.reference)}`,
    stencil.enabled && `stencil ${stencil.function} ${stencil.reference}`,
    depth.enabled && `depth ${depth.function}`,
    state.culling.enabled && "face culling"
  ];
  return tests.filter(Boolean).join(", ") || "none";
}
function blendText({ blend, fog, dither, logic }) {
  const factor = (name, fixed) => name === "FIXED" ? `fixed ${colorText(fixed)}` : name;
  const [source, destination] = [factor(blend.source, blend.fixed_source), factor(blend.destination, blend.fixed_destination)];
  const parts = [
    blend.enabled && `${blend.equation}: source × ${source}, destination × ${destination}`,
    fog.enabled && "fog",
    dither.enabled && "dithering",
    logic.enabled && `logic operation ${logic.operation}`
  ];
  return parts.filter(Boolean).join("; ") || "off";
}
function writesText({ framebuffer, mask }, { color, stencil, depth }) {
  const hasStencil = stencil && framebuffer.format !== "BGR5650";
  const protectedBits = [...mask.color.map((bits) => color ? bits : 0), hasStencil ? mask.stencil : 0];
  const isWhole = protectedBits.every((bits) => bits === 0);
  const written = [color && "colour", hasStencil && "stencil", depth && "depth"].filter(Boolean);
  return `${written.join(", ") || "nothing"}${isWhole ? "" : `; not the bits ${colorText(protectedBits)}`}`;
}
export {
  DerivedState
};
