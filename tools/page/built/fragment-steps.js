// fragment-steps.js
import { colorText, h, hex, swatch } from "pspge/dom.js";
import { storedComponents } from "pspge/picture-pixels.js";
var TESTS = (
  /** @type {Record<string, string>} */
  {
    scissor: "Scissor",
    "depth-range": "Depth range",
    alpha: "Alpha test",
    color: "Colour test",
    stencil: "Stencil test",
    depth: "Depth test"
  }
);
var COMPARISONS = (
  /** @type {Record<string, string>} */
  {
    EQUAL: "=",
    NOT_EQUAL: "≠",
    LESS: "<",
    LESS_EQUAL: "≤",
    GREATER: ">",
    GREATER_EQUAL: "≥"
  }
);
function fragmentSteps(fragment, app, entry) {
  const { steps } = fragment;
  const show = () => {
    app.selectEvent(entry.event);
    app.store.set({ primitive: fragment.number, panel: "mesh" });
  };
  const title = h(
    "p",
    { class: "fragment-title" },
    h(
      "button",
      { type: "button", class: "link", title: "Show it in the panel Mesh", onclick: show },
      `${fragment.shape} ${fragment.number}`
    ),
    entry.isOnly ? "" : `: ${fragment.verdict}`
  );
  const rows = [
    ["Interpolated", interpolated(steps)],
    ...textureRows(steps),
    ...colorRows(steps),
    ...steps.tests.map(testRow),
    ...storeRows(steps, entry.format)
  ];
  return h(
    "div",
    { class: "fragment" },
    title,
    verticesTable(fragment.vertices),
    h(
      "table",
      { class: "steps" },
      h(
        "tbody",
        null,
        rows.filter(([, value]) => value !== null).map(([name, value]) => h("tr", null, h("th", { scope: "row" }, name), h("td", null, value)))
      )
    )
  );
}
function color(value) {
  return [swatch(value), h("span", { class: "mono" }, colorText(value))];
}
function verticesTable(vertices) {
  const number = (value) => value === null ? "no number" : String(Number(value.toFixed(4)));
  const numberCell = (value) => h("td", { class: "mono" }, number(value));
  const hasQ = vertices.some(({ texture }) => texture[2] !== 1);
  const hasFog = vertices.some(({ fog }) => fog !== 1);
  const head = ["vertex", "x", "y", "depth", "colour", "s", "t", hasQ && "q", hasFog && "fog"].filter(Boolean);
  const row = ({ position, texture, color: vertexColor, fog }, index) => h(
    "tr",
    null,
    h("th", { scope: "row" }, index),
    position.map(numberCell),
    h("td", null, color(vertexColor)),
    texture.slice(0, hasQ ? 3 : 2).map(numberCell),
    hasFog && numberCell(fog)
  );
  return h(
    "table",
    { class: "vertices" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        head.map((name) => h("th", { scope: "col" }, name))
      )
    ),
    h("tbody", null, vertices.map(row))
  );
}
function interpolated({ interpolated: { depth, color: primary, secondary, fog }, line_alpha: lineAlpha, clear }) {
  const values = (parts) => parts.map(({ value }) => value);
  const clamped = [depth, ...primary].some(({ unclamped, value }) => unclamped !== value);
  return [
    color(values(primary)),
    ` depth `,
    h("span", { class: "mono" }, hex(depth.value, 4)),
    values(secondary).some(Boolean) && [" secondary ", color(values(secondary))],
    ` fog ${fog.value}`,
    clamped && ` (clamped; before: depth ${depth.unclamped}, colour ${primary.map((part) => part.unclamped).join(", ")})`,
    lineAlpha !== null && ` line alpha ${lineAlpha}`,
    clear && " in clear mode"
  ];
}
function textureRows({ texture, texture_function: combine }) {
  if (!texture) {
    return [];
  }
  const { coordinates, lod, levels } = texture;
  const number = (value) => value === null ? "no number" : Number(value.toPrecision(6));
  const texel = ({ position, address, palette_entry: entry, weight, color: value, stale }) => h(
    "tr",
    null,
    h("td", { class: "mono" }, `${position[0]},${position[1]}`),
    h("td", { class: "mono" }, hex(address)),
    h("td", { class: "mono" }, entry === null ? "–" : entry),
    h("td", { class: "mono" }, `${weight}/256`),
    h(
      "td",
      null,
      color(value),
      stale && ` of the texture at ${hex(stale.texture)}, cached since draw ${stale.draw} or before: TEXFLUSH is missing`
    )
  );
  const level = ({ level: level2, position, texels, color: value }) => [
    h("p", null, `Level ${level2} at ${position[0] / 16}, ${position[1] / 16}: `, color(value)),
    h(
      "table",
      { class: "texels" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          ["texel", "address", "palette", "weight", "colour"].map((name) => h("th", { scope: "col" }, name))
        )
      ),
      h("tbody", null, texels.map(texel))
    )
  ];
  const rows = [
    [
      "Texture",
      [
        h(
          "p",
          null,
          `s ${number(coordinates[0])}, t ${number(coordinates[1])}, level of detail ${(lod.computed + lod.bias) / 16}${lod.fraction ? `, ${lod.fraction}/16 of the next level` : ""}, ${lod.linear ? "linear" : "nearest"}: `,
          color(texture.color)
        ),
        levels.map(level)
      ]
    ]
  ];
  if (combine) {
    const { function: name, use_alpha: useAlpha, double, primary, texel: sample, environment, result } = combine;
    rows.push([
      "Combined",
      [
        `${name}${useAlpha ? " with alpha" : ""}${double ? ", doubled" : ""}: `,
        color(primary),
        " and ",
        color(sample),
        name === "BLEND" && [" with ", color(environment)],
        " → ",
        color(result)
      ]
    ]);
  }
  return rows;
}
function colorRows({ secondary, fog }) {
  return [
    ["Secondary", secondary && ["+ ", color(secondary.added), " → ", color(secondary.result)]],
    ["Fog", fog && [`${fog.coefficient}/255 of the fragment, rest `, color(fog.fog_color), " → ", color(fog.result)]]
  ];
}
function testRow({ test, function: comparison, value, reference, last, mask, passed }) {
  const digits = { alpha: 2, stencil: 2, color: 6, depth: 4, "depth-range": 4 }[
    /** @type {string} */
    test
  ] ?? 8;
  const isScissor = test === "scissor";
  const operand = (number) => isScissor ? `${number & 65535},${number >>> 16}` : hex(number, digits);
  const masked = mask === null || mask === void 0 ? "" : ` (bits ${hex(mask, digits)})`;
  const text = last !== null && last !== void 0 ? `${operand(value)} in ${operand(reference)} to ${operand(last)}` : `${operand(value)} ${comparison === null ? "" : COMPARISONS[comparison]} ${comparison === "ALWAYS" || comparison === "NEVER" ? "" : operand(reference)}${masked}`;
  return [
    TESTS[test] ?? test,
    h(
      "span",
      { class: passed ? "passes" : "fails" },
      h("span", { class: "mono" }, text),
      passed ? " ✓ passes" : " ✗ fails"
    )
  ];
}
function storeRows(steps, format) {
  const { stencil, blend, dither, logic, depth_write: depthWrite, color_write: colorWrite, before, after } = steps;
  const stored = (value) => storedComponents(value, format);
  const pixel = ({ color: value, stencil: alpha, depth }) => [
    color(stored([...value, alpha])),
    ` depth `,
    h("span", { class: "mono" }, hex(depth, 4))
  ];
  const protectedBits = colorWrite?.protected?.some(Boolean);
  return [
    ["Stencil", stencil && `${stencil.operation}: ${hex(stencil.before, 2)} → ${hex(stencil.after, 2)}`],
    ["Blending", blend && blendText(blend)],
    ["Dithering", dither && [`${dither.offset >= 0 ? "+" : ""}${dither.offset} → `, color(dither.result)]],
    [
      "Logic",
      logic && [
        `${logic.operation}: `,
        color(logic.source),
        " and ",
        color(logic.destination),
        " → ",
        color(logic.result)
      ]
    ],
    [
      "Depth write",
      depthWrite === null || depthWrite === void 0 ? null : h("span", { class: "mono" }, hex(depthWrite, 4))
    ],
    [
      "Colour write",
      colorWrite && [
        color(stored(colorWrite.value)),
        protectedBits && ` without the bits ${colorText(stored(colorWrite.protected))}`
      ]
    ],
    ["Pixel", [pixel(before), " → ", pixel(after)]]
  ];
}
function blendText({
  equation,
  source_factor: sourceFactor,
  destination_factor: destinationFactor,
  source,
  destination,
  source_values: sources,
  destination_values: destinations,
  result
}) {
  const values = (numbers) => numbers.join(", ");
  return [
    h("p", null, `${equation}`),
    h("p", null, "source ", color(source), ` × ${sourceFactor} (${values(sources)})`),
    h("p", null, "destination ", color(destination), ` × ${destinationFactor} (${values(destinations)})`),
    h("p", null, `→ ${values(result)} before clamping`)
  ];
}
export {
  fragmentSteps
};
