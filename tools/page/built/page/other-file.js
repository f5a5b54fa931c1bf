// page/other-file.tsx
import { count, h } from "pspge/base/dom.js";
import { render } from "pspge/base/preact.js";
import { StoredTextures } from "pspge/panels/stored-textures.js";
import { Heads, Mono } from "pspge/widgets/controls.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var CONTENTS = { model: "a model", textures: "textures", skeleton: "a skeleton", animations: "animations", frame: "a frame", list: "a display list", archive: "members, none of which can be drawn" };
var SHOWN = 500;
function otherFileArea(app) {
  const element = h("section", { class: "other-file", "aria-label": "Contents of the file", hidden: true });
  return { element, update: (input) => render(/* @__PURE__ */ jsx(OtherFile, { app, input }, input.name), element) };
}
function OtherFile({ app, input: { info, kind, has_members: hasMembers } }) {
  const advice = hasMembers ? "Choose another member at the left, or open another file." : "Open a frame dump, a display list or a model to see it drawn, or drop one here.";
  if (kind === "folder") {
    return /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("h2", { children: "A folder of files" }),
      /* @__PURE__ */ jsx("p", { children: "Choose a file at the left. Its models, frames, lists and textures are shown here." })
    ] });
  }
  const textures = info?.texture_list ?? [];
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("h2", { children: textures.length > 0 ? "Textures" : "This file holds nothing to draw" }),
    info && /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("p", { children: `It is a file of the format ${info.format}${info.version ? ` ${info.version}` : ""} with ${CONTENTS[info.content]}. ${advice}` }),
      /* @__PURE__ */ jsxs("p", { class: "muted", children: [
        `${count(info.file_bytes)} bytes, hash `,
        /* @__PURE__ */ jsx(Mono, { children: info.file_hash })
      ] }),
      textures.length > 0 && /* @__PURE__ */ jsx(StoredTextures, { app, textures }),
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
