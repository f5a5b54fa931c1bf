// The steps of one fragment, from its primitive to the stored pixel, in the order of the hardware.

import { capital, colorText, decimal, hex } from "pspge/base/dom.js";
import type { ComponentChild } from "pspge/base/preact.js";
import type { BlendRecord, FragmentInfo, FragmentRecord, ImmediateVertexInfo, LevelRecord, PixelValue, TestRecord, TextureFunctionRecord, TextureRecord } from "pspge/documents.js";
import { TESTS } from "pspge/mesh/mesh-columns.js";
import { storedComponents } from "pspge/picture/picture-pixels.js";
import { Color, Link, Mono, SmallTable } from "pspge/widgets/controls.js";
import { useApp } from "pspge/widgets/panel.js";

const COMPARISONS: Record<string, string> = {
  EQUAL: "=",
  NOT_EQUAL: "≠",
  LESS: "<",
  LESS_EQUAL: "≤",
  GREATER: ">",
  GREATER_EQUAL: "≥",
};

/** The table of a fragment's steps. `format` is that of the pixel. */
export function FragmentSteps({ fragment, event, isOnly, format }: { fragment: FragmentInfo; event: number; isOnly: boolean; format: string }) {
  const app = useApp();
  const { steps, shape, number, verdict, vertices } = fragment;
  const show = () => {
    app.selectEvent(event);
    app.store.set({ primitive: number, panel: "mesh" });
  };
  return (
    <div class="fragment">
      <p class="fragment-title"><Link title="Show it in the panel Mesh" onClick={show}>{`${shape} ${number}`}</Link>{!isOnly && `: ${verdict}`}</p>
      <Vertices vertices={vertices} />
      <table class="steps">
        <tbody>
          {rowsOf(steps, format).map(([name, value]) => value && <tr><th scope="row">{name}</th><td>{value}</td></tr>)}
        </tbody>
      </table>
    </div>
  );
}

function Vertices({ vertices }: { vertices: ImmediateVertexInfo[] }) {
  // q and fog are 1 in most draws, and then say nothing.
  const hasQ = vertices.some(({ texture }) => texture[2] !== 1);
  const hasFog = vertices.some(({ fog }) => fog !== 1);
  const heads = ["vertex", "x", "y", "depth", "colour", "s", "t", ...(hasQ ? ["q"] : []), ...(hasFog ? ["fog"] : [])];
  const rows = vertices.map(({ position, texture, color, fog }, index) => [
    index,
    ...position.map(decimal),
    <Color value={color} />,
    ...texture.slice(0, hasQ ? 3 : 2).map(decimal),
    ...(hasFog ? [decimal(fog)] : []),
  ]);
  return <SmallTable class="vertices" heads={heads} rows={rows} hasNames />;
}

function Interpolated({ steps: { interpolated, line_alpha: lineAlpha, clear } }: { steps: FragmentRecord }) {
  const { depth, color: primary, secondary, fog } = interpolated;
  const values = (parts: { value: number }[]) => parts.map(({ value }) => value);
  const clamped = [depth, ...primary].some(({ unclamped, value }) => unclamped !== value);
  return (
    <>
      <Color value={values(primary)} /> depth <Mono>{hex(depth.value, 4)}</Mono>
      {values(secondary).some(Boolean) && <>{" secondary "}<Color value={values(secondary)} /></>}
      {` fog ${fog.value}`}
      {clamped && ` (clamped; before: depth ${depth.unclamped}, colour ${primary.map((part) => part.unclamped).join(", ")})`}
      {lineAlpha !== null && ` line alpha ${lineAlpha}`}
      {clear && " in clear mode"}
    </>
  );
}

/** Returns the steps with their names. Those without contents are left out. */
function rowsOf(steps: FragmentRecord, format: string): [string, ComponentChild][] {
  const { texture, texture_function: combine, secondary, fog, stencil, blend, dither, logic, depth_write: depth, color_write: color } = steps;
  const stored = (value: number[]) => <Color value={storedComponents(value, format)} />;
  const pixel = ({ color: value, stencil: alpha, depth: far }: PixelValue) => <>{stored([...value, alpha])} depth <Mono>{hex(far, 4)}</Mono></>;
  return [
    ["Interpolated", <Interpolated steps={steps} />],
    ["Texture", texture && <Sampled texture={texture} />],
    ["Combined", combine && <Combined {...combine} />],
    ["Secondary", secondary && <>{"+ "}<Color value={secondary.added} /> → <Color value={secondary.result} /></>],
    ["Fog", fog && <>{`${fog.coefficient}/255 of the fragment, rest `}<Color value={fog.fog_color} /> → <Color value={fog.result} /></>],
    ...steps.tests.map(testRow),
    ["Stencil", stencil && `${stencil.operation}: ${hex(stencil.before, 2)} → ${hex(stencil.after, 2)}`],
    ["Blending", blend && <Blend blend={blend} />],
    ["Dithering", dither && <>{`${dither.offset >= 0 ? "+" : ""}${dither.offset} → `}<Color value={dither.result} /></>],
    ["Logic", logic && <>{`${logic.operation}: `}<Color value={logic.source} /> and <Color value={logic.destination} /> → <Color value={logic.result} /></>],
    ["Depth write", typeof depth === "number" && <Mono>{hex(depth, 4)}</Mono>],
    ["Colour write", color && <>{stored(color.value)}{color.protected.some(Boolean) && ` without the bits ${colorText(storedComponents(color.protected, format))}`}</>],
    ["Pixel", <>{pixel(steps.before)} → {pixel(steps.after)}</>],
  ];
}

function Sampled({ texture: { coordinates, lod, levels, color } }: { texture: TextureRecord }) {
  const fraction = lod.fraction ? `, ${lod.fraction}/16 of the next level` : "";
  return (
    <>
      <p>
        {`s ${decimal(coordinates[0])}, t ${decimal(coordinates[1])}, level of detail ${(lod.computed + lod.bias) / 16}${fraction}, ${lod.linear ? "linear" : "nearest"}: `}
        <Color value={color} />
      </p>
      {levels.map((level) => <Level level={level} />)}
    </>
  );
}

function Combined({ function: name, use_alpha: useAlpha, double, primary, texel, environment, result }: TextureFunctionRecord) {
  return (
    <>
      {`${name}${useAlpha ? " with alpha" : ""}${double ? ", doubled" : ""}: `}
      <Color value={primary} /> and <Color value={texel} />
      {name === "BLEND" && <>{" with "}<Color value={environment} /></>} → <Color value={result} />
    </>
  );
}

function Level({ level: { level, position, texels, color } }: { level: LevelRecord }) {
  const rows = texels.map(({ position: at, address, palette_entry: entry, weight, color: value, stale }) => [
    at.join(","),
    hex(address),
    entry ?? "–",
    `${weight}/256`,
    <><Color value={value} />{stale && ` of the texture at ${hex(stale.texture)}, cached since draw ${stale.draw} or before: TEXFLUSH is missing`}</>,
  ]);
  return (
    <>
      <p>{`Level ${level} at ${position[0] / 16}, ${position[1] / 16}: `}<Color value={color} /></p>
      <SmallTable class="texels" heads={["texel", "address", "palette", "weight", "colour"]} rows={rows} />
    </>
  );
}

function testRow({ test, function: comparison, value, reference, last, mask, passed }: TestRecord): [string, ComponentChild] {
  const digits: number = { alpha: 2, stencil: 2, color: 6, depth: 4, "depth-range": 4 }[test as string] ?? 8;
  const operand = (number: number) => (test === "scissor" ? `${number & 0xffff},${number >>> 16}` : hex(number, digits));
  const masked = typeof mask === "number" ? ` (bits ${hex(mask, digits)})` : "";
  const compared = comparison === "ALWAYS" || comparison === "NEVER" ? comparison : `${comparison === null ? "" : COMPARISONS[comparison]} ${operand(reference)}`;
  const text = typeof last === "number" ? `${operand(value)} in ${operand(reference)} to ${operand(last)}` : `${operand(value)} ${compared}${masked}`;
  return [
    capital(TESTS.find(([name]) => name === test.replace("-", "_"))?.[1] ?? test),
    <span class={passed ? "passes" : "fails"}><Mono>{text}</Mono>{passed ? " ✓ passes" : " ✗ fails"}</span>,
  ];
}

function Blend({ blend }: { blend: BlendRecord }) {
  return (
    <>
      <p>{blend.equation}</p>
      <p>{"source "}<Color value={blend.source} />{` × ${blend.source_factor} (${blend.source_values.join(", ")})`}</p>
      <p>{"destination "}<Color value={blend.destination} />{` × ${blend.destination_factor} (${blend.destination_values.join(", ")})`}</p>
      <p>{`→ ${blend.result.join(", ")} before clamping`}</p>
    </>
  );
}
