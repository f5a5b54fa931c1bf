// The state in plain words: where a draw goes, what it samples, which tests it meets.

import { colorText, h, hex } from "pspge/dom.js";

/**
 * Returns a list of facts that follow from the state.
 * @param {import("pspge/documents.js").State} state
 * @param {import("pspge/app.js").App} app
 * @returns {Node}
 */
export function derivedState(state, app) {
  const { framebuffer, depth_buffer: depth, scissor, viewport, clear } = state;
  const pointer = (/** @type {number} */ address) => h("span", { class: "mono" }, hex(address));
  /** @type {[string, any][]} */
  const facts = [
    ["Draws to", [pointer(framebuffer.address), ` ${framebuffer.format}, rows of ${framebuffer.stride} pixels`]],
    ["Depth in", [pointer(depth.address), ` rows of ${depth.stride}`]],
    ["Scissor", `columns ${scissor.left} to ${scissor.right}, rows ${scissor.top} to ${scissor.bottom}`],
    ["Viewport", viewportText(viewport, state.vertex)],
  ];
  if (clear.enabled) {
    facts.push(["Clears", writesText(state, clear)]);
  } else {
    facts.push(
      ["Samples", textureText(state.texture, app)],
      ["Tests", testsText(state)],
      ["Blending", blendText(state)],
      ["Writes", writesText(state, { color: true, stencil: true, depth: state.depth_test.writes })],
    );
  }
  return h(
    "dl",
    { class: "facts" },
    facts.map(([name, value]) => [h("dt", null, name), h("dd", null, value)]),
  );
}

/**
 * @param {import("pspge/documents.js").Viewport} viewport
 * @param {import("pspge/documents.js").VertexFormat} vertex
 */
function viewportText({ center, scale, offset }, vertex) {
  if (vertex?.through) {
    return "not used: the vertices are in through mode";
  }
  const round = (/** @type {number | null} */ number) => (number === null ? "no number" : Number(number.toFixed(2)));
  const left = (center[0] ?? 0) - Math.abs(scale[0] ?? 0) - (offset[0] ?? 0);
  const top = (center[1] ?? 0) - Math.abs(scale[1] ?? 0) - (offset[1] ?? 0);
  return `${round(2 * Math.abs(scale[0] ?? 0))}×${round(2 * Math.abs(scale[1] ?? 0))} at ${round(left)},${round(top)}, depth ${round((center[2] ?? 0) - (scale[2] ?? 0))} to ${round((center[2] ?? 0) + (scale[2] ?? 0))}`;
}

/**
 * @param {import("pspge/documents.js").TextureState} texture
 * @param {import("pspge/app.js").App} app
 */
function textureText(texture, app) {
  const [level] = texture.levels ?? [];
  if (!texture.enabled || !level) {
    return "no texture";
  }
  const { filter, function: combine, clamp } = texture;
  const open = h(
    "button",
    {
      type: "button",
      class: "link mono",
      title: "Show it in the panel Textures",
      onclick: () => app.openPanel("textures"),
    },
    hex(level.address),
  );
  const smooth = `${filter.minification}${filter.magnify_linear ? ", magnified linearly" : ""}`;
  const edges = clamp.every(Boolean)
    ? "clamped"
    : clamp.some(Boolean)
      ? `clamped in ${clamp[0] ? "s" : "t"}`
      : "repeated";
  return [
    open,
    ` ${level.width}×${level.height} ${texture.format}${texture.swizzled ? " swizzled" : ""}, ${combine.function}${combine.use_alpha ? " with alpha" : ""}, ${smooth}, ${edges}`,
  ];
}

/** @param {import("pspge/documents.js").State} state */
function testsText(state) {
  const { alpha_test: alpha, color_test: color, stencil_test: stencil, depth_test: depth } = state;
  const tests = [
    alpha.enabled && `alpha ${alpha.function} ${alpha.reference}`,
    color.enabled && `colour ${color.function} ${colorText(color.reference)}`,
    stencil.enabled && `stencil ${stencil.function} ${stencil.reference}`,
    depth.enabled && `depth ${depth.function}`,
    state.culling.enabled && "face culling",
  ].filter(Boolean);
  return tests.length > 0 ? tests.join(", ") : "none";
}

/** @param {import("pspge/documents.js").State} state */
function blendText({ blend, fog, dither, logic }) {
  const parts = [];
  if (blend.enabled) {
    parts.push(
      `${blend.equation}: source × ${factorText(blend.source, blend.fixed_source)}, destination × ${factorText(blend.destination, blend.fixed_destination)}`,
    );
  }
  if (fog.enabled) {
    parts.push("fog");
  }
  if (dither.enabled) {
    parts.push("dithering");
  }
  if (logic.enabled) {
    parts.push(`logic operation ${logic.operation}`);
  }
  return parts.length > 0 ? parts.join("; ") : "off";
}

/**
 * @param {string} factor
 * @param {number[]} fixed
 */
function factorText(factor, fixed) {
  return factor === "FIXED" ? `fixed ${colorText(fixed)}` : factor;
}

/**
 * Names the planes that a draw writes.
 * @param {import("pspge/documents.js").State} state
 * @param {{color: boolean, stencil: boolean, depth: boolean}} planes those that its mode lets it write
 */
function writesText({ framebuffer, mask }, { color, stencil, depth }) {
  // The format of 5, 6 and 5 bits has no place for a stencil.
  const hasStencil = stencil && framebuffer.format !== "BGR5650";
  const protectedBits = [...mask.color.map((/** @type {number} */ bits) => (color ? bits : 0)), hasStencil ? mask.stencil : 0];
  const isWhole = protectedBits.every((bits) => bits === 0);
  const written = [color && "colour", hasStencil && "stencil", depth && "depth"].filter(Boolean);
  return `${written.join(", ") || "nothing"}${isWhole ? "" : `; not the bits ${colorText(protectedBits)}`}`;
}
