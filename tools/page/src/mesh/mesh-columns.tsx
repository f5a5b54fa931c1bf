// The columns of the tables of a mesh: vertices in memory, their stages, and primitives.

import { decimal, hex } from "pspge/base/dom.js";
import type { ComponentChild } from "pspge/base/preact.js";
import type { DrawReportDocument, FragmentCounts, PrimitiveInfo, SourceVertexInfo, VertexStagesInfo } from "pspge/documents.js";
import { Color } from "pspge/widgets/controls.js";
import type { Column } from "pspge/widgets/virtual-table.js";

type Vector = readonly (number | null)[] | null | undefined;

/** Columns for the components of a vector, which some rows may not have. */
function vector<T>(name: string, components: string, vectorOf: (row: T) => Vector, about: string): Column<T>[] {
  return [...components].map((component, at) => ({
    title: `${name} ${component}`,
    about: `${about}, ${component}`,
    width: 12,
    isNumber: true,
    cell: (row) => {
      const values = vectorOf(row);
      return values ? decimal(values[at]) : "–";
    },
  }));
}

/** Returns the columns of the vertices as they are in memory. */
export function memoryColumns(report: DrawReportDocument): Column<SourceVertexInfo>[] {
  const { normal, texcoord, color: colors, position, weight, weights } = report.state.vertex;
  const count = Math.max(1, report.source_vertices[0]?.frames.length ?? 0);
  const frames = Array.from({ length: count }, (_, frame): Column<SourceVertexInfo>[] => {
    const prefix = count > 1 ? `${frame}: ` : "";
    const of = (member: "position" | "normal" | "texcoord" | "weights") => (row: SourceVertexInfo) => row.frames[frame]?.[member];
    const colorColumn: Column<SourceVertexInfo> = { title: `${prefix}colour`, about: `Colour, stored as ${colors}`, width: 14, cell: (row) => <Color value={row.frames[frame]?.color ?? []} /> };
    return [
      ...vector(`${prefix}pos`, "xyz", of("position"), `Position, stored as ${position}`),
      ...(normal === "NONE" ? [] : vector(`${prefix}normal`, "xyz", of("normal"), `Normal, stored as ${normal}`)),
      ...(texcoord === "NONE" ? [] : vector(`${prefix}tex`, "uv", of("texcoord"), `Texture coordinate, stored as ${texcoord}`)),
      ...(colors === "NONE" ? [] : [colorColumn]),
      ...vector(`${prefix}weight`, "01234567".slice(0, weights), of("weights"), `Weight, stored as ${weight}`),
    ];
  });
  const isChanged = count > 1 || weights > 0;
  return [
    { title: "vertex", about: "Number of the vertex in the draw", width: 8, isNumber: true, cell: (row) => row.number },
    { title: "index", about: "Index in the vertex data; none if an earlier draw left the vertex", width: 8, isNumber: true, cell: (row) => row.index ?? "–" },
    { title: "address", about: "Address of the first byte", width: 12, cell: (row) => hex(row.address) },
    ...frames.flat(),
    ...(isChanged ? vector<SourceVertexInfo>("model", "xyz", (row) => row.model.position, "Position after morphing and skinning") : []),
  ];
}

/** The positions of a vertex before the screen. Draws in through mode lack them. */
const SPACES: Parameters<typeof vector<VertexStagesInfo>>[] = [
  ["model", "xyz", (row) => row.model?.position, "Position in model space, after morphing and skinning"],
  ["world", "xyz", (row) => row.world, "Position in world space"],
  ["view", "xyz", (row) => row.view, "Position in view space"],
  ["clip", "xyzw", (row) => row.clip, "Position in clip space"],
];

/** Returns the columns of the vertices on their way to the screen. */
export function stageColumns({ vertices }: DrawReportDocument): Column<VertexStagesInfo>[] {
  return [
    { title: "vertex", about: "Number of the vertex", width: 8, isNumber: true, cell: (row) => row.number },
    ...SPACES.filter(([, , positionOf]) => vertices.some(positionOf)).flatMap((space) => vector(...space)),
    ...vector<VertexStagesInfo>("screen", "xy", (row) => row.pixel, "Column and row in pixels"),
    { title: "depth", about: "Depth", width: 8, isNumber: true, cell: (row) => row.depth },
    { title: "1/w", about: "1/w; 1 in through mode", width: 12, isNumber: true, cell: (row) => decimal(row.reciprocal_w) },
    { title: "fails", about: "The range tests that the vertex fails", width: 22, cell: ({ outcode }) => outcode.join(", ") || "inside" },
    { title: "colour", about: "Colour after lighting", width: 14, cell: (row) => <Color value={row.color} /> },
    { title: "secondary", about: "Secondary colour after lighting", width: 12, cell: (row) => <Color value={row.secondary} /> },
    { title: "fog", about: "Fog factor: 1 is no fog, 0 is full fog", width: 12, isNumber: true, cell: (row) => decimal(row.fog) },
    ...vector<VertexStagesInfo>("texture", "stq", (row) => row.texture, "Texture coordinate, generated or transformed; texels in through mode"),
  ];
}

/** Counts of fragments, in the order of the pipeline. */
const FRAGMENTS = [
  ["covered", "covered", "Pixels that the primitive covers"],
  ["scissor", "scissor", "Killed by the scissor or the drawing region"],
  ["depth_range", "depth range", "Killed by the depth range of MINZ and MAXZ"],
  ["alpha", "alpha", "Killed by the alpha test"],
  ["color", "colour", "Killed by the colour test"],
  ["stencil", "stencil", "Killed by the stencil test"],
  ["depth", "depth", "Killed by the depth test"],
  ["passed", "passed", "Passed all tests"],
  ["changed", "changed", "Changed the pixel or its depth"],
] as const;

/** Returns the columns of primitives. `fate` shows the fate of one. */
export function primitiveColumns(fate: (primitive: PrimitiveInfo) => ComponentChild): Column<PrimitiveInfo>[] {
  return [
    { title: "primitive", about: "Number of the primitive in the draw", width: 11, isNumber: true, cell: (row) => row.number },
    { title: "result", about: "What became of the primitive", width: 19, cell: (row) => fate(row) },
    { title: "reason", about: "The reason for the result", width: 40, grows: true, cell: ({ fate, reason }) => reason.replace(`${fate}: `, "") },
    { title: "vertices", about: "Numbers of its vertices", width: 18, cell: (row) => `${row.vertices.join(" ")}${row.reversed ? " reversed" : ""}` },
    ...FRAGMENTS.map(([member, title, about]) => ({
      title,
      about,
      width: title.length + 3,
      isNumber: true,
      cell: (row: PrimitiveInfo) => (row.fragments[member] === 0 ? "·" : row.fragments[member]),
    })),
  ];
}

/** What kills fragments, in the order of the pipeline, with its name. */
export const TESTS = FRAGMENTS.slice(1, 7).map(([member, title]) => [member, `${title}${["scissor", "depth_range"].includes(member) ? "" : " test"}`] as const);

/** Says in a sentence what became of the fragments of a draw. */
export function fragmentSentence(fragments: FragmentCounts): string {
  const { covered, passed, changed } = fragments;
  if (covered === 0) {
    return "It covers no pixel.";
  }
  const kills = TESTS.filter(([member]) => fragments[member] > 0);
  const fragmentsText = `${covered} ${covered === 1 ? "fragment" : "fragments"}`;
  if (passed === 0 && kills.length === 1) {
    const all = covered === 1 ? "its only fragment" : `all ${fragmentsText}`;
    return `It writes no pixel: the ${kills[0][1]} kills ${all}.`;
  }
  const killed = kills.map(([member, name]) => `the ${name} kills ${fragments[member]}`).join(", ");
  const verdict =
    passed === 0 ? "none passes" : `${passed} ${passed === 1 ? "passes" : "pass"} and ${changed} ${changed === 1 ? "changes" : "change"} a pixel or its depth`;
  return `Of ${fragmentsText}, ${killed ? `${killed}; ` : ""}${verdict}.`;
}
