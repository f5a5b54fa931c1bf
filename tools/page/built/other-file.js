// other-file.tsx
import { Heads, Mono } from "pspge/controls.js";
import { count, h, hex } from "pspge/dom.js";
import { render } from "pspge/preact.js";
import { Fragment, jsx, jsxs } from "pspge/preact.js";
var SHOWN = 500;
function otherFileArea() {
  const element = h("section", { class: "other-file", "aria-label": "Contents of the file", hidden: true });
  return { element, update: (input) => render(/* @__PURE__ */ jsx(OtherFile, { input }), element) };
}
function OtherFile({ input: { info } }) {
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("h2", { children: "This file holds nothing to draw" }),
    info && /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("p", { children: `It is a file of the format ${info.format}${info.version ? ` ${info.version}` : ""} with ${info.content}. Open a frame dump, a display list or a model instead, or drop one here.` }),
      /* @__PURE__ */ jsxs("p", { class: "muted", children: [
        `${count(info.file_bytes)} bytes, hash `,
        /* @__PURE__ */ jsx(Mono, { children: info.file_hash })
      ] }),
      /* @__PURE__ */ jsx(
        Rows,
        {
          title: "Members",
          rows: info.members,
          columns: [
            ["Name", nameOf],
            ["Format", (row) => row.format ?? row.kind ?? "unknown"],
            ["Offset", (row) => hex(row.offset, 1)],
            ["Bytes", (row) => count(row.length)],
            ["Drawable", (row) => row.drawable ? "yes" : "no"]
          ]
        }
      ),
      /* @__PURE__ */ jsx(
        Rows,
        {
          title: "Textures",
          rows: info.texture_list,
          columns: [
            ["Name", nameOf],
            ["Size", (row) => `${row.width}×${row.height}`],
            ["Format", (row) => row.format],
            ["Palettes", (row) => row.palettes]
          ]
        }
      ),
      /* @__PURE__ */ jsx(
        Rows,
        {
          title: "Bones",
          rows: info.bone_list,
          columns: [
            ["Id", (row) => row.id],
            ["Name", (row) => row.name],
            ["Parent", (row) => row.parent],
            ["Position", (row) => row.position.map((axis) => axis?.toPrecision(5) ?? "no number").join(", ")]
          ]
        }
      ),
      /* @__PURE__ */ jsx(
        Rows,
        {
          title: "Animations",
          rows: info.animation_list,
          columns: [
            ["Name", nameOf],
            ["Frames", (row) => row.frames],
            ["Channels", (row) => row.channels],
            ["Keys", (row) => row.keys]
          ]
        }
      )
    ] })
  ] });
}
function nameOf({ name, index }) {
  return name ?? `number ${index}`;
}
function Rows({ title, rows, columns }) {
  return rows.length === 0 ? null : /* @__PURE__ */ jsxs("table", { children: [
    /* @__PURE__ */ jsx("caption", { children: `${title} (${count(rows.length)})` }),
    /* @__PURE__ */ jsx(Heads, { names: columns.map(([name]) => name) }),
    /* @__PURE__ */ jsxs("tbody", { children: [
      rows.slice(0, SHOWN).map((row) => /* @__PURE__ */ jsx("tr", { children: columns.map(([, cell]) => /* @__PURE__ */ jsx("td", { children: cell(row) })) })),
      rows.length > SHOWN && /* @__PURE__ */ jsx("tr", { children: /* @__PURE__ */ jsx("td", { colSpan: columns.length, children: `${count(rows.length - SHOWN)} more` }) })
    ] })
  ] });
}
export {
  otherFileArea
};
