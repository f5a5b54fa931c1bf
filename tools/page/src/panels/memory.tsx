// The panel of memory: any address at the selected event, as a picture or as bytes with their last writers.

import { colorText, hex } from "pspge/base/dom.js";
import { type ComponentChild, useLayoutEffect, useRef, useState } from "pspge/base/preact.js";
import type { DrawReportDocument, State } from "pspge/documents.js";
import { HexView, WINDOW } from "pspge/panels/hex-view.js";
import { Changes, Uses } from "pspge/panels/memory-tables.js";
import { usePictureView } from "pspge/picture/picture-host.js";
import { pictureOf } from "pspge/picture/picture-pixels.js";
import type { App } from "pspge/state/app-types.js";
import { fileName } from "pspge/state/files.js";
import { runKey } from "pspge/state/run.js";
import { type Layout, takeWish } from "pspge/state/wishes.js";
import { Button, Segments, Select, Toggle } from "pspge/widgets/controls.js";
import { NumberField, TextInput } from "pspge/widgets/fields.js";
import { EventLink } from "pspge/widgets/links.js";
import { Host, panelOf, useAnswer, useChanges, usePanel } from "pspge/widgets/panel.js";

type Mode = "picture" | "hex" | "uses" | "changes";
type Place = "fixed" | "color" | "depth" | "texture" | "palette" | "vertices" | "indices";

/** Formats of pixels with their bits. */
const FORMATS: Record<string, number> = {
  ...{ BGR5650: 16, ABGR5551: 16, ABGR4444: 16, ABGR8888: 32 },
  ...{ CLUT4: 4, CLUT8: 8, CLUT16: 16, CLUT32: 32 },
  ...{ DXT1: 4, DXT3: 8, DXT5: 8, DEPTH16: 16 },
};
const FORMAT_CHOICES = Object.keys(FORMATS).map((value) => ({ value, text: value }));
const PALETTE_CHOICES = (["BGR5650", "ABGR5551", "ABGR4444", "ABGR8888"] as const).map((value) => ({ value, text: value }));

/** Places that follow the selected draw. */
const PLACES: [Place, string][] = [
  ["color", "Colour buffer"],
  ["depth", "Depth buffer"],
  ["texture", "Texture"],
  ["palette", "Palette"],
  ["vertices", "Vertices"],
  ["indices", "Indices"],
];
const MODES: { value: Mode; text: string; title?: string }[] = [
  { value: "picture", text: "Picture" },
  { value: "hex", text: "Bytes" },
  { value: "uses", text: "Uses", title: "The events of the run that read or write the bytes" },
  { value: "changes", text: "Changes", title: "The bytes that differ from another moment" },
];
const MOMENTS = [
  { value: "before", text: "Before" },
  { value: "after", text: "After" },
] as const;

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
  const [mode, setMode] = useState<Mode>("picture");
  const [facts, setFacts] = useState<ComponentChild>(null);
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
  const isMissing = place !== "fixed" && !followed && state !== null;

  const chooseMode = (next: Mode) => {
    setMode(next);
    setFacts(null);
  };
  /** Shows another part of memory, and follows the selected draw no more. */
  const change = (part: Partial<Layout>, bytes = address) => {
    kept.current = { layout: { ...layout, ...part }, address: bytes };
    setPlace("fixed");
    redraw({});
  };
  const go = (wanted: number, isBytes = mode === "hex") => {
    const next = Math.max(0, Math.min(0xffff_fff0, wanted));
    change(isBytes ? {} : { address: next }, next);
  };
  const follow = (next: Place) => {
    setPlace(next);
    chooseMode(next === "vertices" || next === "indices" ? "hex" : "picture");
  };
  useLayoutEffect(() => {
    const wish = takeWish("memory");
    if (wish) {
      chooseMode(wish.layout ? "picture" : "hex");
      change(wish.layout ?? {}, wish.layout?.address ?? wish.address);
    }
  }, [useChanges("panel", "wish")]);
  const checkAddress = (text: string) => (parseAddress(text) === null ? `${text} is no address: write it in hexadecimal, such as 0x04000000.` : null);
  const enterAddress = (text: string) => {
    const entered = parseAddress(text) ?? 0;
    go(entered);
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
        <Segments label="Show as" choices={MODES} chosen={mode} onChoose={chooseMode} />
        <Segments label="Moment" choices={MOMENTS} chosen={after ? "after" : "before"} onChoose={(moment) => store.set({ after: moment === "after" })} />
        <span class="quick-links">
          {PLACES.map(([value, text]) => (
            <Button key={value} aria-pressed={value === place} title={`Show the ${text.toLowerCase()} of the selected draw, and follow the selection`} onClick={() => follow(value)}>
              {text}
            </Button>
          ))}
        </span>
      </div>
      {mode === "hex" ? (
        <div class="toolbar">
          <Button onClick={() => go(address - WINDOW)}>1 MiB back</Button>
          <Button onClick={() => go(address + WINDOW)}>1 MiB on</Button>
        </div>
      ) : (
        <div class="toolbar">
          <Select label="Format" choices={FORMAT_CHOICES} chosen={layout.format} onChoose={(format) => change({ format })} />
          {size("Stride", "stride", 4096)}
          {size("Width", "width", MOST)}
          {size("Height", "height", MOST)}
          <Toggle text="Swizzled" isOn={layout.swizzled} onChange={(swizzled) => change({ swizzled })} title="Stored in blocks of 16 bytes by 8 rows" />
          <span class="palette-fields" hidden={!layout.format.startsWith("CLUT")}>
            <TextInput label="Palette" size={11} title="Address of the palette, in hexadecimal; empty for grey" value={layout.palette ? hex(layout.palette.address) : ""} onEnter={enterPalette} />
            <Select label="of" choices={PALETTE_CHOICES} chosen={paletteFormat} onChoose={(format) => layout.palette && change({ palette: { ...layout.palette, format } })} />
          </span>
        </div>
      )}
      {isMissing && <p class="panel-message">{`The selected event has no ${PLACES.find(([other]) => other === place)?.[1].toLowerCase()}.`}</p>}
      <div class="memory-content" hidden={isMissing}>
        <Picture
          isShown={mode === "picture"}
          layout={layout}
          tell={setFacts}
          pick={(picked) => {
            chooseMode("hex");
            go(picked, true);
          }}
        />
        <Bytes isShown={mode === "hex"} address={address} tell={setFacts} />
        {mode === "uses" && <Uses part={part} />}
        {mode === "changes" && <Changes part={part} now={at} />}
      </div>
      <p class="memory-facts" aria-live="off">{facts ?? "\u00a0"}</p>
    </>
  );
}

/** Memory as a picture, which keeps its zoom while something else is shown. */
function Picture({ isShown, layout, tell, pick }: { isShown: boolean; layout: Layout; tell: (facts: ComponentChild) => void; pick: (address: number) => void }) {
  const { app, selection } = usePanel();
  const { palette, format, address, ...rest } = layout;
  const source = { kind: "memory" as const, address, format: format as "ABGR8888", ...rest, ...(palette && format.startsWith("CLUT") && { palette }) };
  const { answer, problem } = useAnswer("memory-picture", isShown ? { request: "picture", run: app.store.run(), at: { event: selection.event, after: selection.after }, source } : null);
  const view = usePictureView({
    label: "Memory as a picture",
    onpick(x, y) {
      const picked = addressOf(layout, x, y);
      if (picked !== null) {
        pick(picked);
      }
    },
    onhover(position) {
      const value = position && view.valueAt(...position);
      if (!position || !value) {
        tell(null);
        return;
      }
      const [depth = 0] = value;
      const at = addressOf(layout, ...position);
      tell(`${position[0]}, ${position[1]}: ${value.length === 1 ? `depth ${depth} (${hex(depth, 4)})` : colorText(value)}${at === null ? "" : ` at ${hex(at)}`}`);
    },
  });
  useLayoutEffect(() => {
    if (answer || problem !== null) {
      view.setPicture(answer && problem === null ? pictureOf(answer) : null);
      view.setLabel(`Memory at ${hex(address)} as ${format}, ${layout.width} by ${layout.height}`);
    }
  }, [answer, problem]);
  return isShown ? <Host element={view.element} /> : null;
}

/** Memory as bytes, which keep the marks of those that have changed while something else is shown. */
function Bytes({ isShown, address, tell }: { isShown: boolean; address: number; tell: (facts: ComponentChild) => void }) {
  const { app, selection } = usePanel();
  const { event, after } = selection;
  const run = app.store.run();
  const moment = runKey(app, event, after);
  const latest = useRef({ run, at: { event, after } });
  latest.current = { run, at: { event, after } };
  const showFacts = (row: number) => {
    const byte = bytes.target >= row && bytes.target < row + 16 ? bytes.target : row;
    const known = bytes.factsOf(byte);
    if (!known) {
      return;
    }
    const { writer, source, isMapped } = known;
    const when = latest.current.at.after ? "up to and with" : "before";
    tell(
      <>
        {writer ? (
          <>
            {`${hex(byte)} was written last by `}
            <EventLink event={writer.event} />.
          </>
        ) : isMapped ? (
          `No event ${when} the selected one wrote ${hex(byte)}.`
        ) : (
          `There is no memory at ${hex(byte)}.`
        )}
        {source && ` It was loaded from ${fileName(source.file)} at ${hex(source.file_offset + byte - source.address, 6)}.`}
      </>,
    );
  };
  const [bytes] = useState<HexView>(
    () =>
      new HexView({
        fetch: (start, length) =>
          app.engine.request({ request: "memory", ...latest.current, address: start, length }).catch((error) => {
            app.fail(error);
            return null;
          }),
        select: (writer) => app.selectEvent(writer),
        onactive: showFacts,
      }),
  );
  const shownMoment = useRef(moment);
  useLayoutEffect(() => {
    if (isShown && shownMoment.current !== moment) {
      shownMoment.current = moment;
      bytes.forget();
    }
  }, [isShown, moment]);
  useLayoutEffect(() => {
    if (isShown) {
      bytes.show(address);
    }
  }, [isShown, address]);
  return isShown ? <Host element={bytes.element} /> : null;
}

/** Returns the layout of a place of the selected draw, null if it has none. */
function layoutOf(app: App, place: Place, state: State, vertices: DrawReportDocument["vertex_data"]): Partial<Layout> | null {
  const plain = { swizzled: false, palette: null };
  const buffer = app.drawAtOrBefore(app.store.get().event)?.buffer ?? null;
  const { width, height } = (buffer !== null && app.events?.buffers[buffer]) || { width: 480, height: 272 };
  switch (place) {
    case "color": {
      const { address, stride, format } = state.framebuffer;
      return format && { ...plain, address, stride, format, width, height };
    }
    case "depth": {
      const { address, stride } = state.depth_buffer;
      return { ...plain, address, stride, format: "DEPTH16", width, height };
    }
    case "texture": {
      const { format, swizzled, enabled, levels } = state.texture;
      const [level] = levels;
      if (!enabled || !level) {
        return null;
      }
      const { address, format: paletteFormat } = state.palette;
      return {
        address: level.address,
        stride: level.buffer_width,
        width: Math.min(MOST, level.width),
        height: Math.min(MOST, level.height),
        format,
        swizzled,
        palette: format.startsWith("CLUT") ? { address, format: paletteFormat } : null,
      };
    }
    case "palette": {
      const { address, blocks, format } = state.palette;
      const entries = (blocks * 32) / ((FORMATS[format] ?? 16) / 8);
      return { ...plain, address, format, stride: 16, width: 16, height: Math.max(1, Math.ceil(entries / 16)) };
    }
    case "vertices":
      return vertices && { address: vertices.address + vertices.first * vertices.stride };
    case "indices":
      return vertices?.indices ? { address: vertices.indices } : null;
    default:
      return null;
  }
}

/** Reads an address in hexadecimal. Offsets below 2 MiB are in VRAM. */
function parseAddress(text: string): number | null {
  const found = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(text.replace(/_/g, ""));
  if (!found) {
    return null;
  }
  const address = Number.parseInt(found[1] ?? "", 16);
  return address < 0x20_0000 ? 0x0400_0000 + address : address;
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
