// panels/pass-detail.tsx
import { count, counted, hex } from "pspge/base/dom.js";
import { nodeId } from "pspge/panels/graph-folds.js";
import { openWith } from "pspge/state/wishes.js";
import { Button, Facts, Link, Separated } from "pspge/widgets/controls.js";
import { DrawLinks, EventLink } from "pspge/widgets/links.js";
import { useApp } from "pspge/widgets/panel.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var MOST_LINKS = 24;
function Detail({ document, node, choose, open }) {
  const app = useApp();
  const pass = document.passes.find((other) => `pass-${other.pass}` === node?.id);
  if (!node || pass) {
    return pass ? /* @__PURE__ */ jsx(PassDetail, { document, pass, choose }) : null;
  }
  const { kind, event } = node;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Title, { text: node.title, badges: node.badges }),
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      event !== null && kind !== "fold" && /* @__PURE__ */ jsx(Button, { onClick: () => app.selectEvent(event), children: "Select event" }),
      event === null && kind === "screen" && /* @__PURE__ */ jsx(Button, { onClick: () => app.selectEvent(document.events), children: "Select the end" }),
      kind === "fold" && /* @__PURE__ */ jsx(Button, { title: "Show its nodes (Enter)", onClick: () => open(node), children: "Unfold" })
    ] }),
    node.lines.map((line) => /* @__PURE__ */ jsx("p", { children: line })),
    kind === "fold" && node.passes.length > 0 && /* @__PURE__ */ jsx("p", { class: "muted", children: "Each of these passes only continues the picture of the one before." }),
    /* @__PURE__ */ jsx(Neighbours, { document, id: node.id, nothing: "", choose })
  ] });
}
function Title({ text, badges }) {
  return /* @__PURE__ */ jsxs("h3", { children: [
    text,
    badges.map((badge) => /* @__PURE__ */ jsxs(Fragment, { children: [
      " ",
      /* @__PURE__ */ jsx("span", { class: "badge", children: badge })
    ] }))
  ] });
}
function PassDetail({ document, pass, choose }) {
  const app = useApp();
  const { color, depth, drawn } = pass;
  const target = document.targets.find((other) => other.format && other.address === color.address && other.format === color.format);
  const layout = { ...color, width: target?.width ?? 480, height: target?.height ?? 272, swizzled: false, palette: null };
  const others = document.passes.filter((other) => other !== pass && other.color_written && other.color.address === color.address);
  const depthUse = depth && [depth.is_tested && "tested", depth.is_written && "written"].filter(Boolean).join(" and ");
  const links = others.slice(0, MOST_LINKS).map((other) => /* @__PURE__ */ jsx(Link, { onClick: () => choose(`pass-${other.pass}`), children: `pass ${other.pass}` }));
  const more = others.length > MOST_LINKS && ` and ${others.length - MOST_LINKS} more`;
  const rows = [
    ["draws", /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx(DrawLinks, { draws: [pass.first_draw] }),
      " to ",
      /* @__PURE__ */ jsx(DrawLinks, { draws: [pass.last_draw] }),
      ` (${pass.draws})`
    ] })],
    ["colour", `${targetText(color)}, ${pass.color_written ? "written" : "not written"}`],
    ["also drawn by", others.length > 0 ? /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx(Separated, { items: links }),
      more
    ] }) : null],
    ["depth", depth ? `${hex(depth.address)}, stride ${depth.stride}, ${depthUse || "neither tested nor written"}` : "not used"],
    ["pixels", `${count(pass.pixels)} covered by ${counted(pass.primitives, "primitive")}`],
    ["drawn to", drawn ? `columns ${drawn.left} to ${drawn.right}, rows ${drawn.top} to ${drawn.bottom}` : "no pixel"]
  ];
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Title, { text: `Pass ${pass.pass}`, badges: badgesOf(pass) }),
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      /* @__PURE__ */ jsx(Button, { onClick: () => app.selectEvent(pass.first_event), children: "First draw" }),
      /* @__PURE__ */ jsx(Button, { onClick: () => app.selectEvent(pass.last_event), children: "Last draw" }),
      /* @__PURE__ */ jsx(Button, { title: "List only the events of this pass", onClick: () => app.filterEvents(`pass:${pass.pass}`), children: "Filter events" }),
      /* @__PURE__ */ jsx(Button, { title: "Show its colour buffer in memory", onClick: () => openWith(app, "memory", { layout }), children: "Show in memory" })
    ] }),
    /* @__PURE__ */ jsx(Facts, { rows }),
    /* @__PURE__ */ jsx(Neighbours, { document, id: `pass-${pass.pass}`, nothing: pass.is_read ? "" : "Nothing reads its result.", choose }),
    /* @__PURE__ */ jsx(Titled, { title: "Clears", children: pass.clears.slice(0, 100).map(({ draw, ...planes }) => /* @__PURE__ */ jsxs("li", { children: [
      /* @__PURE__ */ jsx(DrawLinks, { draws: [draw] }),
      ` clears ${[planes.color && "colour", planes.stencil && "stencil", planes.depth && "depth"].filter(Boolean).join(", ") || "nothing"}`
    ] })) }),
    /* @__PURE__ */ jsx(Titled, { title: "Textures", children: pass.textures.slice(0, 200).map((use) => {
      const texture = document.textures[use.texture];
      const sources = [
        ...use.passes.map((from) => /* @__PURE__ */ jsx(Link, { onClick: () => choose(`pass-${from}`), children: `pass ${from}` })),
        ...use.copies.map((event) => /* @__PURE__ */ jsx(EventLink, { event }))
      ];
      return /* @__PURE__ */ jsxs("li", { children: [
        `${texture?.width}×${texture?.height} ${texture?.format} at ${hex(texture?.addresses[0])}`,
        sources.length > 0 && ", from ",
        /* @__PURE__ */ jsx(Separated, { items: sources }),
        ": draws ",
        /* @__PURE__ */ jsx(DrawLinks, { draws: use.draws, most: 8 })
      ] });
    }) })
  ] });
}
function Titled({ title, nothing = "", children }) {
  if (children.length === 0) {
    return nothing ? /* @__PURE__ */ jsx("p", { children: nothing }) : null;
  }
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("h4", { children: title }),
    /* @__PURE__ */ jsx("ul", { children })
  ] });
}
function Neighbours({ document, id, nothing, choose }) {
  const lines = (own, end) => {
    const edges = document.edges.filter((edge) => nodeId(edge[own]) === id && nodeId(edge[end]) !== id);
    return [...Map.groupBy(edges, (edge) => nodeId(edge[end]))].slice(0, 100).map(([name, same]) => {
      const { kind, pass, event } = same[0][end];
      const kinds = new Set(same.map((edge) => edge.kind));
      const bytes = same.reduce((sum, edge) => sum + edge.bytes, 0);
      return /* @__PURE__ */ jsxs("li", { children: [
        /* @__PURE__ */ jsx(Link, { onClick: () => choose(name), children: kind === "pass" ? `pass ${pass}` : event === null ? "the screen at the end" : `${kind}, event ${event}` }),
        `: ${[...kinds].join(", ")}${bytes > 0 ? `, ${counted(bytes, "byte")}` : ""}`
      ] }, name);
    });
  };
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx(Titled, { title: "Reads", children: lines("to", "from") }),
    /* @__PURE__ */ jsx(Titled, { title: "Is read by", nothing, children: lines("from", "to") })
  ] });
}
function range(first, last) {
  return first === last ? String(first) : `${first}–${last}`;
}
function targetText({ address, stride, format }) {
  return `${hex(address)} ${format} ${stride}`;
}
function badgesOf(pass) {
  return [...pass.is_read ? [] : ["not read"], ...pass.is_read && !pass.is_shown ? ["not shown"] : []];
}
export {
  Detail,
  badgesOf,
  range,
  targetText
};
