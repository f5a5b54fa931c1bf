// A file without anything to run: what it holds, in place of the picture and the panels.

import { count, h, hex, replace } from "pspge/dom.js";

/** Rows of a table that are shown; files may hold thousands of members. */
const SHOWN = 500;

/**
 * Creates the area, which `update` fills for a file.
 */
export function otherFileArea() {
  const element = h("section", { class: "other-file", "aria-label": "Contents of the file", hidden: true });
  return {
    element,
    /** @param {import("pspge/app.js").Input} input */
    update(input) {
      const { info } = input;
      if (!info) {
        replace(element, h("h2", null, "This file holds nothing to draw"));
        return;
      }
      replace(
        element,
        h("h2", null, "This file holds nothing to draw"),
        h(
          "p",
          null,
          `It is a file of the format ${info.format}${info.version ? ` ${info.version}` : ""} with ${info.content}. Open a frame dump, a display list or a model instead, or drop one here.`,
        ),
        h(
          "p",
          { class: "muted" },
          `${count(info.file_bytes)} bytes, hash `,
          h("span", { class: "mono" }, info.file_hash),
        ),
        table("Members", info.members, [
          ["Name", nameOf],
          ["Format", (row) => row.format ?? row.kind ?? "unknown"],
          ["Offset", (row) => hex(row.offset, 1)],
          ["Bytes", (row) => count(row.length)],
          ["Drawable", (row) => (row.drawable ? "yes" : "no")],
        ]),
        table("Textures", info.texture_list, [
          ["Name", nameOf],
          ["Size", (row) => `${row.width}×${row.height}`],
          ["Format", (row) => row.format],
          ["Palettes", (row) => row.palettes],
        ]),
        table("Bones", info.bone_list, [
          ["Id", (row) => row.id],
          ["Name", (row) => row.name ?? ""],
          ["Parent", (row) => row.parent ?? ""],
          [
            "Position",
            (row) =>
              row.position.map((axis) => axis?.toPrecision(5) ?? "no number").join(", "),
          ],
        ]),
        table("Animations", info.animation_list, [
          ["Name", nameOf],
          ["Frames", (row) => row.frames],
          ["Channels", (row) => row.channels],
          ["Keys", (row) => row.keys],
        ]),
      );
    },
  };
}

/** @param {{name: string | null, index: number}} row */
function nameOf({ name, index }) {
  return name ?? `number ${index}`;
}

/**
 * @template T
 * @param {string} title
 * @param {T[]} rows
 * @param {[string, (row: T) => string | number][]} columns
 */
function table(title, rows, columns) {
  if (rows.length === 0) {
    return null;
  }
  const more = rows.length - SHOWN;
  return h(
    "table",
    null,
    h("caption", null, `${title} (${count(rows.length)})`),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        columns.map(([name]) => h("th", { scope: "col" }, name)),
      ),
    ),
    h(
      "tbody",
      null,
      rows.slice(0, SHOWN).map((row) =>
        h(
          "tr",
          null,
          columns.map(([, cell]) => h("td", null, cell(row))),
        ),
      ),
      more > 0 && h("tr", null, h("td", { colspan: columns.length }, `${count(more)} more`)),
    ),
  );
}
