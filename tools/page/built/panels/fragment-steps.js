// panels/fragment-steps.tsx
import { capital, colorText, decimal, hex } from "pspge/base/dom.js";
import { TESTS } from "pspge/mesh/mesh-columns.js";
import { storedComponents } from "pspge/picture/picture-pixels.js";
import { Color, Link, Mono, SmallTable } from "pspge/widgets/controls.js";
import { useApp } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var COMPARISONS = {
  EQUAL: "=",
  NOT_EQUAL: "≠",
  LESS: "<",
  LESS_EQUAL: "≤",
  GREATER: ">",
  GREATER_EQUAL: "≥"
};
function FragmentSteps({ fragment, event, isOnly, format }) {
  const app = useApp();
  const { steps, shape, number, verdict, vertices } = fragment;
  const show = () => {
    app.selectEvent(event);
    app.store.set({ primitive: number, panel: "mesh" });
  };
  return /* @__PURE__ */ jsxs("div", { class: "fragment", children: [
    /* @__PURE__ */ jsxs("p", { class: "fragment-title", children: [
      /* @__PURE__ */ jsx(Link, { title: "Show it in the panel Mesh", onClick: show, children: `${shape} ${number}` }),
      !isOnly && `: ${verdict}`
    ] }),
    /* @__PURE__ */ jsx(Vertices, { vertices }),
    /* @__PURE__ */ jsx("table", { class: "steps", children: /* @__PURE__ */ jsx("tbody", { children: rowsOf(steps, format).map(([name, value]) => value && /* @__PURE__ */ jsxs("tr", { children: [
      /* @__PURE__ */ jsx("th", { scope: "row", children: name }),
      /* @__PURE__ */ jsx("td", { children: value })
    ] })) }) })
  ] });
}
function Vertices({ vertices }) {
  const hasQ = vertices.some(({ texture }) => texture[2] !== 1);
  const hasFog = vertices.some(({ fog }) => fog !== 1);
  const heads = ["vertex", "x", "y", "depth", "colour", "s", "t", ...hasQ ? ["q"] : [], ...hasFog ? ["fog"] : []];
  const rows = vertices.map(({ position, texture, color, fog }, index) => [
    index,
    ...position.map(decimal),
    /* @__PURE__ */ jsx(Color, { value: color }),
    ...texture.slice(0, hasQ ? 3 : 2).map(decimal),
    ...hasFog ? [decimal(fog)] : []
  ]);
  return /* @__PURE__ */ jsx(SmallTable, { class: "vertices", heads, rows, hasNames: true });
}
function Interpolated({ steps: { interpolated, line_alpha: lineAlpha, clear } }) {
  const { depth, color: primary, secondary, fog } = interpolated;
  const values = (parts) => parts.map(({ value }) => value);
  const clamped = [depth, ...primary].some(({ unclamped, value }) => unclamped !== value);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Color, { value: values(primary) }),
    " depth ",
    /* @__PURE__ */ jsx(Mono, { children: hex(depth.value, 4) }),
    values(secondary).some(Boolean) && /* @__PURE__ */ jsxs(Fragment, { children: [
      " secondary ",
      /* @__PURE__ */ jsx(Color, { value: values(secondary) })
    ] }),
    ` fog ${fog.value}`,
    clamped && ` (clamped; before: depth ${depth.unclamped}, colour ${primary.map((part) => part.unclamped).join(", ")})`,
    lineAlpha !== null && ` line alpha ${lineAlpha}`,
    clear && " in clear mode"
  ] });
}
function rowsOf(steps, format) {
  const { texture, texture_function: combine, secondary, fog, stencil, blend, dither, logic, depth_write: depth, color_write: color } = steps;
  const stored = (value) => /* @__PURE__ */ jsx(Color, { value: storedComponents(value, format) });
  const pixel = ({ color: value, stencil: alpha, depth: far }) => /* @__PURE__ */ jsxs(Fragment, { children: [
    stored([...value, alpha]),
    " depth ",
    /* @__PURE__ */ jsx(Mono, { children: hex(far, 4) })
  ] });
  return [
    ["Interpolated", /* @__PURE__ */ jsx(Interpolated, { steps })],
    ["Texture", texture && /* @__PURE__ */ jsx(Sampled, { texture })],
    ["Combined", combine && /* @__PURE__ */ jsx(Combined, { ...combine })],
    ["Secondary", secondary && /* @__PURE__ */ jsxs(Fragment, { children: [
      "+ ",
      /* @__PURE__ */ jsx(Color, { value: secondary.added }),
      " → ",
      /* @__PURE__ */ jsx(Color, { value: secondary.result })
    ] })],
    ["Fog", fog && /* @__PURE__ */ jsxs(Fragment, { children: [
      `${fog.coefficient}/255 of the fragment, rest `,
      /* @__PURE__ */ jsx(Color, { value: fog.fog_color }),
      " → ",
      /* @__PURE__ */ jsx(Color, { value: fog.result })
    ] })],
    ...steps.tests.map(testRow),
    ["Stencil", stencil && `${stencil.operation}: ${hex(stencil.before, 2)} → ${hex(stencil.after, 2)}`],
    ["Blending", blend && /* @__PURE__ */ jsx(Blend, { blend })],
    ["Dithering", dither && /* @__PURE__ */ jsxs(Fragment, { children: [
      `${dither.offset >= 0 ? "+" : ""}${dither.offset} → `,
      /* @__PURE__ */ jsx(Color, { value: dither.result })
    ] })],
    ["Logic", logic && /* @__PURE__ */ jsxs(Fragment, { children: [
      `${logic.operation}: `,
      /* @__PURE__ */ jsx(Color, { value: logic.source }),
      " and ",
      /* @__PURE__ */ jsx(Color, { value: logic.destination }),
      " → ",
      /* @__PURE__ */ jsx(Color, { value: logic.result })
    ] })],
    ["Depth write", typeof depth === "number" && /* @__PURE__ */ jsx(Mono, { children: hex(depth, 4) })],
    ["Colour write", color && /* @__PURE__ */ jsxs(Fragment, { children: [
      stored(color.value),
      color.protected.some(Boolean) && ` without the bits ${colorText(storedComponents(color.protected, format))}`
    ] })],
    ["Pixel", /* @__PURE__ */ jsxs(Fragment, { children: [
      pixel(steps.before),
      " → ",
      pixel(steps.after)
    ] })]
  ];
}
function Sampled({ texture: { coordinates, lod, levels, color } }) {
  const fraction = lod.fraction ? `, ${lod.fraction}/16 of the next level` : "";
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("p", { children: [
      `s ${decimal(coordinates[0])}, t ${decimal(coordinates[1])}, level of detail ${(lod.computed + lod.bias) / 16}${fraction}, ${lod.linear ? "linear" : "nearest"}: `,
      /* @__PURE__ */ jsx(Color, { value: color })
    ] }),
    levels.map((level) => /* @__PURE__ */ jsx(Level, { level }))
  ] });
}
function Combined({ function: name, use_alpha: useAlpha, double, primary, texel, environment, result }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    `${name}${useAlpha ? " with alpha" : ""}${double ? ", doubled" : ""}: `,
    /* @__PURE__ */ jsx(Color, { value: primary }),
    " and ",
    /* @__PURE__ */ jsx(Color, { value: texel }),
    name === "BLEND" && /* @__PURE__ */ jsxs(Fragment, { children: [
      " with ",
      /* @__PURE__ */ jsx(Color, { value: environment })
    ] }),
    " → ",
    /* @__PURE__ */ jsx(Color, { value: result })
  ] });
}
function Level({ level: { level, position, texels, color } }) {
  const rows = texels.map(({ position: at, address, palette_entry: entry, weight, color: value, stale }) => [
    at.join(","),
    hex(address),
    entry ?? "–",
    `${weight}/256`,
    /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx(Color, { value }),
      stale && ` of the texture at ${hex(stale.texture)}, cached since draw ${stale.draw} or before: TEXFLUSH is missing`
    ] })
  ]);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("p", { children: [
      `Level ${level} at ${position[0] / 16}, ${position[1] / 16}: `,
      /* @__PURE__ */ jsx(Color, { value: color })
    ] }),
    /* @__PURE__ */ jsx(SmallTable, { class: "texels", heads: ["texel", "address", "palette", "weight", "colour"], rows })
  ] });
}
function testRow({ test, function: comparison, value, reference, last, mask, passed }) {
  const digits = { alpha: 2, stencil: 2, color: 6, depth: 4, "depth-range": 4 }[test] ?? 8;
  const operand = (number) => test === "scissor" ? `${number & 65535},${number >>> 16}` : hex(number, digits);
  const masked = typeof mask === "number" ? ` (bits ${hex(mask, digits)})` : "";
  const compared = comparison === "ALWAYS" || comparison === "NEVER" ? comparison : `${comparison === null ? "" : COMPARISONS[comparison]} ${operand(reference)}`;
  const text = typeof last === "number" ? `${operand(value)} in ${operand(reference)} to ${operand(last)}` : `${operand(value)} ${compared}${masked}`;
  return [
    capital(TESTS.find(([name]) => name === test.replace("-", "_"))?.[1] ?? test),
    /* @__PURE__ */ jsxs("span", { class: passed ? "passes" : "fails", children: [
      /* @__PURE__ */ jsx(Mono, { children: text }),
      passed ? " ✓ passes" : " ✗ fails"
    ] })
  ];
}
function Blend({ blend }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("p", { children: blend.equation }),
    /* @__PURE__ */ jsxs("p", { children: [
      "source ",
      /* @__PURE__ */ jsx(Color, { value: blend.source }),
      ` × ${blend.source_factor} (${blend.source_values.join(", ")})`
    ] }),
    /* @__PURE__ */ jsxs("p", { children: [
      "destination ",
      /* @__PURE__ */ jsx(Color, { value: blend.destination }),
      ` × ${blend.destination_factor} (${blend.destination_values.join(", ")})`
    ] }),
    /* @__PURE__ */ jsx("p", { children: `→ ${blend.result.join(", ")} before clamping` })
  ] });
}
export {
  FragmentSteps
};
