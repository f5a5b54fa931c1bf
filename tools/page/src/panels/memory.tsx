// The panel of memory: any address at the selected event, as a picture or as bytes with their last writers.

import { colorText, hex } from "pspge/base/dom.js";
import { useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import type { DrawReportDocument, State } from "pspge/documents.js";
import { Bytes, WINDOW } from "pspge/panels/memory-bytes.js";
import { Changes, Uses } from "pspge/panels/memory-tables.js";
import { usePictureView } from "pspge/picture/picture-host.js";
import { pictureOf } from "pspge/picture/picture-pixels.js";
import type { App } from "pspge/state/app-types.js";
import { type Layout, takeWish } from "pspge/state/wishes.js";
import { Button, Segments, Select, Toggle } from "pspge/widgets/controls.js";
import { NumberField, TextInput } from "pspge/widgets/fields.js";
import { Host, panelOf, useAnswer, useChanges, usePanel } from "pspge/widgets/panel.js";

/** Formats of pixels with their bits. */
const FORMATS: Record<string, number> = {
  ...{ BGR5650: 16, ABGR5551: 16, ABGR4444: 16, ABGR8888: 32 },
  ...{ CLUT4: 4, CLUT8: 8, CLUT16: 16, CLUT32: 32 },
  ...{ DXT1: 4, DXT3: 8, DXT5: 8, DEPTH16: 16 },
};
const PALETTE_FORMATS = ["BGR5650", "ABGR5551", "ABGR4444", "ABGR8888"] as const;

/** Places that follow the selected draw. */
const PLACES = { color: "Colour buffer", depth: "Depth buffer", texture: "Texture", palette: "Palette", vertices: "Vertices", indices: "Indices" };
type Place = keyof typeof PLACES | "fixed";
const MODES = [
  { value: "picture", text: "Picture" },
  { value: "hex", text: "Bytes" },
  { value: "uses", text: "Uses", title: "The events of the run that read or write the bytes" },
  { value: "changes", text: "Changes", title: "The bytes that differ from another moment" },
] as const;
const MOMENTS = { before: "Before", after: "After" };

/** Most bytes of which the tables tell. */
const MOST_BYTES = 1 << 20;
/** Largest width and height that are shown, as textures and buffers have. */
const MOST = 1024;

const USUAL: Layout = { address: 0x0400_0000, format: "ABGR8888", stride: 512, width: 480, height: 272, swizzled: false, palette: null };

export const create = panelOf({ id: "memory", title: "Memory", className: "memory-panel", label: "Memory" }, MemoryPanel);

function MemoryPanel() {
  const { app, selection } = usePanel();
  const { store } = app;
  const { event, after } = selection;
  const [place, setPlace] = useState<Place>("color");
  const [mode, setMode] = useState<(typeof MODES)[number]["value"]>("picture");
  // What was shown last stays where the selected event has nothing to follow. The bytes may be far from the start of a picture.
  const kept = useRef({ layout: USUAL, address: USUAL.address });
  const [, redraw] = useState({});
  const run = store.run();
  const at = { event, after };
  const row = app.row();
  const isOfVertices = place === "vertices" || place === "indices";
  const hasVertices = isOfVertices && row !== null && row.draw !== null && !row.is_left_out;
  const { answer: stateAnswer } = useAnswer("memory-state", { request: "state", run, event });
  const { answer: draw } = useAnswer("memory-draw", hasVertices ? { request: "draw", run, event } : null);
  const state = stateAnswer?.json.document.state ?? null;
  const followed = state && layoutOf(app, place, state, draw?.json.document.vertex_data ?? null);
  if (followed) {
    kept.current = { layout: followed.format ? { ...kept.current.layout, ...followed } : kept.current.layout, address: followed.address ?? kept.current.address };
  }
  const { layout, address } = kept.current;
  const missing = place !== "fixed" && !followed && state !== null ? PLACES[place].toLowerCase() : null;

  /** Shows another part of memory, and follows the selected draw no more. */
  const change = (part: Partial<Layout>, bytes = part.address ?? address) => {
    kept.current = { layout: { ...layout, ...part }, address: Math.max(0, Math.min(0xffff_fff0, bytes)) };
    setPlace("fixed");
    redraw({});
  };
  const follow = (next: Place) => {
    setPlace(next);
    setMode(next === "vertices" || next === "indices" ? "hex" : "picture");
  };
  useLayoutEffect(() => {
    const wish = takeWish("memory");
    if (wish) {
      setMode(wish.layout ? "picture" : "hex");
      change(wish.layout ?? {}, wish.address);
    }
  }, [useChanges("panel", "wish")]);
  const pick = (picked: number | null) => {
    if (picked !== null) {
      setMode("hex");
      change({}, picked);
    }
  };
  const checkAddress = (text: string) => (parseAddress(text) === null ? `${text} is no address: write it in hexadecimal, such as 0x04000000.` : null);
  const enterAddress = (text: string) => {
    const entered = parseAddress(text) ?? 0;
    change(mode === "hex" ? {} : { address: entered }, entered);
    return hex(entered);
  };
  const paletteFormat = layout.palette?.format ?? "ABGR8888";
  const enterPalette = (text: string) => {
    const entered = parseAddress(text);
    change({ palette: entered === null ? null : { address: entered, format: paletteFormat } });
    return entered === null ? "" : hex(entered);
  };
  const part = isOfVertices ? { address, length: 4096 } : { address: layout.address, length: Math.min(MOST_BYTES, Math.max(1, Math.ceil((layout.stride * layout.height * (FORMATS[layout.format] ?? 32)) / 8))) };
  const size = (label: string, member: "stride" | "width" | "height", most: number) => (
    <NumberField label={label} size={5} least={1} most={most} value={layout[member]} onEnter={(value) => change({ [member]: value })} />
  );
  return (
    <>
      <div class="toolbar">
        <TextInput label="Address" size={11} title="In hexadecimal; offsets below 0x200000 are in VRAM" value={hex(mode === "hex" ? address : layout.address)} check={checkAddress} onEnter={enterAddress} />
        <Segments label="Show as" choices={MODES} chosen={mode} onChoose={setMode} />
        <Segments label="Moment" choices={MOMENTS} chosen={after ? "after" : "before"} onChoose={(moment) => store.set({ after: moment === "after" })} />
        <span class="quick-links">
          {Object.entries(PLACES).map(([value, text]) => (
            <Button key={value} aria-pressed={value === place} title={`Show the ${text.toLowerCase()} of the selected draw, and follow the selection`} onClick={() => follow(value as Place)}>
              {text}
            </Button>
          ))}
        </span>
      </div>
      {mode === "hex" ? (
        <div class="toolbar">
          <Button onClick={() => change({}, address - WINDOW)}>1 MiB back</Button>
          <Button onClick={() => change({}, address + WINDOW)}>1 MiB on</Button>
        </div>
      ) : (
        <div class="toolbar">
          <Select label="Format" choices={Object.keys(FORMATS)} chosen={layout.format} onChoose={(format) => change({ format })} />
          {size("Stride", "stride", 4096)}
          {size("Width", "width", MOST)}
          {size("Height", "height", MOST)}
          <Toggle text="Swizzled" isOn={layout.swizzled} onChange={(swizzled) => change({ swizzled })} title="Stored in blocks of 16 bytes by 8 rows" />
          <span class="palette-fields" hidden={!layout.format.startsWith("CLUT")}>
            <TextInput label="Palette" size={11} title="Address of the palette, in hexadecimal; empty for grey" value={layout.palette ? hex(layout.palette.address) : ""} onEnter={enterPalette} />
            <Select label="of" choices={PALETTE_FORMATS} chosen={paletteFormat} onChoose={(format) => layout.palette && change({ palette: { ...layout.palette, format } })} />
          </span>
        </div>
      )}
      {missing && <p class="panel-message">{`The selected event has no ${missing}.`}</p>}
      <div class="memory-content" hidden={missing !== null}>
        <Picture isShown={mode === "picture"} layout={layout} pick={pick} />
        <Bytes isShown={mode === "hex"} address={address} />
        {mode === "uses" && <Uses part={part} />}
        {mode === "changes" && <Changes part={part} now={at} />}
      </div>
    </>
  );
}

/** Memory as a picture, which keeps its zoom while something else is shown. */
function Picture({ isShown, layout, pick }: { isShown: boolean; layout: Layout; pick: (address: number | null) => void }) {
  const { app, selection } = usePanel();
  const { event, after } = selection;
  const { palette, format, address, ...rest } = layout;
  const [hover, setHover] = useState<[number, number] | null>(null);
  const source = { kind: "memory" as const, address, format: format as "ABGR8888", ...rest, ...(palette && format.startsWith("CLUT") && { palette }) };
  const { answer, problem } = useAnswer("memory-picture", isShown ? { request: "picture", run: app.store.run(), at: { event, after }, source } : null);
  const view = usePictureView({ label: "Memory as a picture", onhover: setHover, onpick: (x, y) => pick(addressOf(layout, x, y)) });
  useLayoutEffect(() => {
    if (answer || problem !== null) {
      view.setPicture(answer && problem === null ? pictureOf(answer) : null);
      view.setLabel(`Memory at ${hex(address)} as ${format}, ${layout.width} by ${layout.height}`);
    }
  }, [answer, problem]);
  const value = hover && view.valueAt(...hover);
  const at = hover && addressOf(layout, ...hover);
  const text = value && (value.length === 1 ? `depth ${value[0]} (${hex(value[0], 4)})` : colorText(value));
  return isShown ? (
    <>
      <Host element={view.element} />
      <p class="memory-facts" aria-live="off">{hover && text ? `${hover.join(", ")}: ${text}${at === null ? "" : ` at ${hex(at)}`}` : "\u00a0"}</p>
    </>
  ) : null;
}

/** Returns the layout of a place of the selected draw, null if it has none. */
function layoutOf(app: App, place: Place, state: State, vertices: DrawReportDocument["vertex_data"]): Partial<Layout> | null {
  const { framebuffer, depth_buffer: depth, texture, palette } = state;
  const buffer = app.drawAtOrBefore(app.store.get().event)?.buffer ?? null;
  const { width, height } = (buffer !== null && app.events?.buffers[buffer]) || { width: 480, height: 272 };
  const plain = { swizzled: false, palette: null, width, height };
  const [level] = texture.enabled ? texture.levels : [];
  const entries = (palette.blocks * 32) / ((FORMATS[palette.format] ?? 16) / 8);
  const ofTexture = level && {
    address: level.address,
    format: texture.format,
    stride: level.buffer_width,
    width: Math.min(MOST, level.width),
    height: Math.min(MOST, level.height),
    swizzled: texture.swizzled,
    palette: texture.format.startsWith("CLUT") ? { address: palette.address, format: palette.format } : null,
  };
  const layouts: Record<Place, Partial<Layout> | null> = {
    fixed: null,
    color: framebuffer.format && { ...plain, address: framebuffer.address, stride: framebuffer.stride, format: framebuffer.format },
    depth: { ...plain, address: depth.address, stride: depth.stride, format: "DEPTH16" },
    texture: ofTexture ?? null,
    palette: { ...plain, address: palette.address, format: palette.format, stride: 16, width: 16, height: Math.max(1, Math.ceil(entries / 16)) },
    vertices: vertices && { address: vertices.address + vertices.first * vertices.stride },
    indices: vertices?.indices ? { address: vertices.indices } : null,
  };
  return layouts[place];
}

/** Reads an address in hexadecimal. Offsets below 2 MiB are in VRAM. */
function parseAddress(text: string): number | null {
  const [, digits] = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(text.replace(/_/g, "")) ?? [];
  const address = digits === undefined ? null : Number.parseInt(digits, 16);
  return address !== null && address < 0x20_0000 ? 0x0400_0000 + address : address;
}

/** Returns the address of a pixel's first byte, null for compressed formats. */
function addressOf({ address, format, stride, swizzled }: Layout, x: number, y: number): number | null {
  const bits = FORMATS[format];
  if (!bits || format.startsWith("DXT")) {
    return null;
  }
  const column = (x * bits) >> 3;
  const rowBytes = (stride * bits) >> 3;
  if (!swizzled) {
    return address + y * rowBytes + column;
  }
  const block = (y >> 3) * (rowBytes >> 4) + (column >> 4);
  return address + block * 128 + (y & 7) * 16 + (column & 15);
}
