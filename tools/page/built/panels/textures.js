// panels/textures.tsx
import { colorText, counted, hex, reveal } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import { usePictureView } from "pspge/picture/picture-host.js";
import { CHANNELS, pictureOf } from "pspge/picture/picture-pixels.js";
import { SmallPicture } from "pspge/picture/small-pictures.js";
import { chooseFiles } from "pspge/state/files.js";
import { drawFilter, loadPasses, runKey } from "pspge/state/run.js";
import { openWith } from "pspge/state/wishes.js";
import { Button, Facts, Link, Select, Separated, Splitter, Swatch, Toggle, useMore, useNarrow } from "pspge/widgets/controls.js";
import { saveCanvas } from "pspge/widgets/export.js";
import { SearchField } from "pspge/widgets/fields.js";
import { DrawLinks } from "pspge/widgets/links.js";
import { Host, panelOf, useAnswer, useApp, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { OnStage, useStage } from "pspge/widgets/stage.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var PAGE = 400;
var ORDERS = {
  "first use": (a, b) => (a.draws[0] ?? Infinity) - (b.draws[0] ?? Infinity),
  "number of draws": (a, b) => b.draws.length - a.draws.length,
  size: (a, b) => b.width * b.height - a.width * a.height,
  address: (a, b) => (a.addresses[0] ?? 0) - (b.addresses[0] ?? 0),
  format: (a, b) => a.format.localeCompare(b.format)
};
var create = panelOf({ id: "textures", title: "Textures", className: "textures-panel", label: "Textures" }, TexturesPanel);
function TexturesPanel() {
  const { app, selection } = usePanel();
  const { answer: document, problem } = useLoaded(runKey(app), () => loadPasses(app));
  const [filter, setFilter] = useState("");
  const [order, setOrder] = useState("first use");
  const [onlyRendered, setOnlyRendered] = useState(false);
  const [chosen, setChosen] = useState(null);
  const [body, isNarrow] = useNarrow(52);
  const [texel, setTexel] = useState(null);
  const view = usePictureView({ label: "Texture", onhover: setTexel });
  const textures = document?.textures ?? [];
  const draw = app.events?.events[selection.event]?.draw ?? null;
  const used = draw === null ? void 0 : textures.find(({ draws }) => draws.includes(draw));
  useLayoutEffect(() => {
    const same = textures.find((other) => other.hash === chosen?.hash && other.palette_hash === chosen?.palette_hash && other.width === chosen?.width);
    setChosen(same ?? used ?? textures[0] ?? null);
  }, [document]);
  const rows = useMemo(() => {
    const found = textures.filter((texture) => (!onlyRendered || texture.rendered) && describe(texture).toLowerCase().includes(filter.trim().toLowerCase()));
    return found.sort(ORDERS[order]);
  }, [document, filter, order, onlyRendered]);
  const total = counted(textures.length, "texture");
  const summary = rows.length === textures.length ? `${total} with ${counted(document?.palettes.length ?? 0, "palette")}.` : `${rows.length} of ${total}.`;
  const message = problem ?? (document && textures.length === 0 ? "No draw of this run uses a texture." : null);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      /* @__PURE__ */ jsx(SearchField, { label: "Filter", size: 16, placeholder: "CLUT8, 256x, 0x0900…", title: "Part of format, size, address, hash or name", value: filter, onSearch: setFilter }),
      /* @__PURE__ */ jsx(Select, { label: "Order", choices: Object.keys(ORDERS), chosen: order, onChoose: setOrder }),
      /* @__PURE__ */ jsx(Toggle, { text: "Only rendered", isOn: onlyRendered, onChange: setOnlyRendered, title: "Only textures whose texels draws of this run have drawn" }),
      /* @__PURE__ */ jsxs("p", { class: "panel-summary", "aria-live": "polite", children: [
        document && summary,
        used && used !== chosen && /* @__PURE__ */ jsxs(Fragment, { children: [
          " ",
          /* @__PURE__ */ jsx(Link, { onClick: () => setChosen(used), children: "Texture of the selected draw" })
        ] })
      ] })
    ] }),
    message !== null && /* @__PURE__ */ jsx("p", { class: "panel-message", children: message }),
    document && /* @__PURE__ */ jsxs("div", { class: `textures-body${isNarrow ? " is-narrow" : ""}`, ref: body, hidden: textures.length === 0, children: [
      /* @__PURE__ */ jsx(Cards, { ...{ rows, textures, chosen, used }, choose: setChosen }),
      /* @__PURE__ */ jsx(Splitter, { label: "Size of the thumbnails", name: "textures", usual: 40, least: 15, most: 80, isVertical: !isNarrow }),
      /* @__PURE__ */ jsx("div", { class: "texture-detail", role: "region", "aria-label": "Selected texture", children: chosen && /* @__PURE__ */ jsx(Detail, { ...{ document, view, texel }, texture: chosen }, textures.indexOf(chosen)) })
    ] })
  ] });
}
function Cards({ rows, textures, chosen, used, choose }) {
  const app = useApp();
  const grid = useRef(null);
  const [shown, more] = useMore(rows, PAGE);
  useLayoutEffect(() => reveal(grid.current?.querySelector("[aria-selected=true]")), [chosen]);
  const press = (event) => {
    const at = chosen ? shown.indexOf(chosen) : -1;
    const go = (index) => () => shown.length > 0 && choose(shown[Math.max(0, Math.min(index, shown.length - 1))]);
    if (grid.current && event.target === grid.current) {
      const columns = getComputedStyle(grid.current).gridTemplateColumns.split(" ").length;
      takeKey(event, { ArrowLeft: go(at - 1), ArrowRight: go(at + 1), ArrowUp: go(at - columns), ArrowDown: go(at + columns), Home: go(0), End: go(shown.length - 1) });
    }
  };
  return /* @__PURE__ */ jsxs("div", { class: "texture-grid", ref: grid, role: "listbox", "aria-label": "Textures", tabIndex: 0, "aria-activedescendant": chosen ? `texture-${textures.indexOf(chosen)}` : void 0, onKeyDown: press, children: [
    shown.map((texture) => {
      const number = textures.indexOf(texture);
      return /* @__PURE__ */ jsxs(
        "div",
        {
          class: `texture-card${texture === used ? " is-used" : ""}`,
          role: "option",
          id: `texture-${number}`,
          "aria-selected": texture === chosen,
          title: describe(texture),
          onClick: () => choose(texture),
          children: [
            /* @__PURE__ */ jsx("span", { class: "preview-frame", children: /* @__PURE__ */ jsx(SmallPicture, { class: "preview checkered", of: texture, request: () => requestOf(app, texture, { max: 96, hasAlpha: true }) }) }),
            /* @__PURE__ */ jsx("span", { class: "card-title", children: texture.name ?? `${texture.width}×${texture.height}` }),
            /* @__PURE__ */ jsx("span", { class: "card-text", children: texture.format }),
            /* @__PURE__ */ jsx("span", { class: "card-text", children: counted(texture.draws.length, "draw") }),
            texture.rendered && /* @__PURE__ */ jsx("span", { class: "badge rendered-badge", title: "Draws of this run have drawn texels of it", children: "rendered" }),
            texture === used && /* @__PURE__ */ jsx("span", { class: "badge used-badge", children: "this draw" })
          ]
        },
        number
      );
    }),
    more
  ] });
}
function eventOf(app, texture) {
  const [draw] = texture.draws;
  return draw === void 0 ? null : app.eventOfDraw(draw);
}
function requestOf(app, texture, options, level = 0) {
  const event = eventOf(app, texture);
  return event === null ? null : { run: app.store.run(), at: { event, after: false }, source: { kind: "texture", level }, ...options };
}
function Detail({ document, texture, view, texel }) {
  const app = useApp();
  const [level, setLevel] = useState("0");
  const [channel, setChannel] = useState(texture.rendered ? "color" : "alpha-blended");
  const [isOnStage, stageSwitch] = useStage(false);
  const number = document.textures.indexOf(texture);
  const request = requestOf(app, texture, { request: "picture" }, Number(level));
  const { answer } = useAnswer("texture", request);
  useEffect(() => view.setChannel(channel), [channel]);
  const isMissing = request === null;
  useEffect(() => {
    if (answer || isMissing) {
      view.setPicture(answer && pictureOf(answer));
    }
    if (answer) {
      view.setLabel(`Texture ${number}, ${texture.format}, ${answer.json.width} by ${answer.json.height}`);
    }
  }, [answer, isMissing]);
  const uses = document.passes.flatMap((pass) => pass.textures);
  const passes = [...new Set(uses.filter((use) => use.texture === number).flatMap((use) => use.passes))];
  const value = texel && view.valueAt(...texel);
  const components = value && ["red", "green", "blue", "alpha"].map((name, at) => `${name} ${value[at]}`);
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("div", { class: "toolbar", children: [
      /* @__PURE__ */ jsx("strong", { children: texture.name ?? `Texture ${number}` }),
      texture.levels > 1 && /* @__PURE__ */ jsx(Select, { label: "Level", choices: [...Array(texture.levels).keys()].map(String), chosen: level, onChoose: setLevel }),
      /* @__PURE__ */ jsx(Select, { label: "Channel", choices: { ...CHANNELS, alpha: "Alpha" }, chosen: channel, onChoose: setChannel }),
      /* @__PURE__ */ jsx(Button, { title: "List only the draws that use this texture", onClick: () => app.filterEvents(drawFilter(texture.draws)), children: "Filter events" }),
      texture.addresses.length > 0 && /* @__PURE__ */ jsx(Button, { title: "Show the stored texels at its first draw", onClick: () => void showInMemory(app, texture), children: "Show in memory" }),
      /* @__PURE__ */ jsx(Button, { title: "Save the texture as it is shown", onClick: () => void saveCanvas(app, `texture-${number}`, view.image), children: "Save PNG" }),
      /* @__PURE__ */ jsx(Button, { title: "Let all draws sample a picture file instead; each side must be a power of two up to 512", onClick: () => void replace(app, texture), children: "Replace…" }),
      texture.rendered && /* @__PURE__ */ jsx(Button, { title: "Show the pass that drew it", onClick: () => openWith(app, "passes", passes[0] === void 0 ? {} : { pass: passes[0] }), children: "Show its passes" }),
      stageSwitch
    ] }),
    /* @__PURE__ */ jsxs(OnStage, { isOn: isOnStage, keys: view, children: [
      /* @__PURE__ */ jsx(Host, { element: view.element }),
      /* @__PURE__ */ jsx("p", { class: "texel", "aria-live": "off", children: texel && components ? `texel ${texel.join(", ")}: ${components.join(", ")}` : " " })
    ] }),
    /* @__PURE__ */ jsx(
      Facts,
      {
        rows: [
          ["size", `${texture.width} × ${texture.height}${texture.levels > 1 ? `, ${texture.levels} levels` : ""}`],
          ["format", `${texture.format}${texture.swizzled ? ", swizzled" : ""}`],
          ["address", texture.addresses.map((at) => hex(at)).join(", ")],
          ["file offset", texture.file_offset === null ? null : hex(texture.file_offset, 6)],
          ["hash", texture.hash],
          ["note", texture.mapped ? null : "Some texels are outside memory and read as 0."]
        ]
      }
    ),
    texture.rendered && passes.length === 0 && /* @__PURE__ */ jsx("p", { children: "Draws of this run have drawn some of its texels." }),
    texture.rendered && passes.length > 0 && /* @__PURE__ */ jsxs("p", { children: [
      "Its texels were drawn by ",
      /* @__PURE__ */ jsx(Separated, { items: passes.map((pass) => /* @__PURE__ */ jsx(Link, { onClick: () => openWith(app, "passes", { pass }), children: `pass ${pass}` })) }),
      "."
    ] }),
    /* @__PURE__ */ jsx("h3", { children: "Draws" }),
    /* @__PURE__ */ jsx("p", { children: /* @__PURE__ */ jsx(DrawLinks, { draws: texture.draws }) }),
    texture.palette_hash && /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsx("h3", { children: "Palette" }),
      /* @__PURE__ */ jsx("div", { class: "palette", children: /* @__PURE__ */ jsx(Palette, { texture }) })
    ] })
  ] });
}
function Palette({ texture }) {
  const app = useApp();
  const { palette_mapping: mapping, palette_format: format, palette_addresses: addresses } = texture;
  const [address] = addresses;
  const event = eventOf(app, texture);
  const isLoaded = address !== void 0 && event !== null && mapping && format;
  const entries = reachableEntries(texture);
  const height = Math.ceil((Math.max(...entries) + 1) / 16);
  const { answer, problem } = useAnswer(
    "palette",
    isLoaded ? { request: "picture", run: app.store.run(), at: { event, after: false }, source: { kind: "memory", address, stride: 16, format, width: 16, height } } : null
  );
  if (!isLoaded || problem !== null) {
    return /* @__PURE__ */ jsx("p", { class: "muted", children: problem ?? "The palette was not loaded from memory during the run." });
  }
  return answer ? /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("p", { class: "muted", children: `${format} from ${addresses.map((at) => hex(at)).join(", ")}, hash ${texture.palette_hash}; entry = (texel >> ${mapping.shift} & ${hex(mapping.mask, 2)}) | ${mapping.start}.` }),
    /* @__PURE__ */ jsx("div", { class: "palette-entries", role: "list", "aria-label": "Entries of the palette", children: entries.map((entry) => {
      const color = [...answer.bytes.subarray(entry * 4, entry * 4 + 4)];
      return /* @__PURE__ */ jsxs("span", { class: "palette-entry", role: "listitem", title: `${entry}: ${colorText(color)}`, children: [
        /* @__PURE__ */ jsx(Swatch, { color }),
        /* @__PURE__ */ jsx("span", { children: entry })
      ] });
    }) })
  ] }) : null;
}
async function replace(app, texture) {
  const [file] = await app.attempt(chooseFiles("image/*")) ?? [];
  const kept = file && await app.attempt(app.engine.request({ request: "keep-picture", name: file.name }, file.bytes));
  if (kept) {
    const places = texture.addresses.map((address) => `--replace-texture ${hex(address)}=`);
    const others = app.store.get().edits.filter((edit) => !places.some((place) => edit.startsWith(place)));
    await app.store.setEdits([...others, ...places.map((place) => place + kept.json.name)]);
  }
}
async function showInMemory(app, texture) {
  const event = eventOf(app, texture);
  const answer = event === null ? null : await app.attempt(app.engine.request({ request: "state", run: app.store.run(), event }));
  if (event === null || !answer) {
    return;
  }
  const { format, width, height, swizzled, addresses, palette_addresses: palettes, palette_format: paletteFormat } = texture;
  const stride = answer.json.document.state.texture.levels[0]?.buffer_width ?? width;
  const palette = palettes.length > 0 && paletteFormat ? { address: palettes[0], format: paletteFormat } : null;
  app.selectEvent(event);
  openWith(app, "memory", { layout: { address: addresses[0], format, stride, width, height, swizzled, palette } });
}
function describe(texture) {
  const { name, format, width, height, hash } = texture;
  const addresses = texture.addresses.map((address) => hex(address)).join(" ");
  return [name, `${width}x${height}`, format, addresses, hash, texture.palette_hash, texture.swizzled && "swizzled"].filter(Boolean).join(", ");
}
function reachableEntries(texture) {
  const { shift, mask, start } = texture.palette_mapping ?? { shift: 0, mask: 255, start: 0 };
  const most = texture.palette_format === "ABGR8888" ? 256 : 512;
  const isWide = texture.format === "CLUT16" || texture.format === "CLUT32";
  const texels = [...Array(texture.format === "CLUT4" ? 16 : 256).keys()];
  const entries = texels.map((texel) => ((isWide ? texel : texel >> shift) & mask | start) % most);
  return [...new Set(entries)].sort((a, b) => a - b);
}
export {
  create
};
