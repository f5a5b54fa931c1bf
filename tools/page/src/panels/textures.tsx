// The panel of textures: thumbnails of all textures of the run; of the selected one its levels, palette and users.

import { colorText, counted, hex, reveal } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "pspge/base/preact.js";
import type { IndexedTexture, PassesDocument } from "pspge/documents.js";
import { usePictureView } from "pspge/picture/picture-host.js";
import { type Channel, CHANNELS, pictureOf } from "pspge/picture/picture-pixels.js";
import type { PictureView } from "pspge/picture/picture-view.js";
import { SmallPicture } from "pspge/picture/small-pictures.js";
import type { App } from "pspge/state/app-types.js";
import { chooseFiles } from "pspge/state/files.js";
import { drawFilter, loadPasses, runKey } from "pspge/state/run.js";
import { openWith } from "pspge/state/wishes.js";
import { Button, Facts, Link, Select, Separated, Splitter, Swatch, Toggle, useMore, useNarrow } from "pspge/widgets/controls.js";
import { saveCanvas } from "pspge/widgets/export.js";
import { SearchField } from "pspge/widgets/fields.js";
import { DrawLinks } from "pspge/widgets/links.js";
import { Host, panelOf, useAnswer, useApp, useLoaded, usePanel } from "pspge/widgets/panel.js";
import { OnStage, useStage } from "pspge/widgets/stage.js";

type Texture = IndexedTexture;

/** Cards that are built at a time. */
const PAGE = 400;

/** Orders of the cards. */
const ORDERS: Record<string, (a: Texture, b: Texture) => number> = {
  "first use": (a, b) => (a.draws[0] ?? Infinity) - (b.draws[0] ?? Infinity),
  "number of draws": (a, b) => b.draws.length - a.draws.length,
  size: (a, b) => b.width * b.height - a.width * a.height,
  address: (a, b) => (a.addresses[0] ?? 0) - (b.addresses[0] ?? 0),
  format: (a, b) => a.format.localeCompare(b.format),
};

export const create = panelOf({ id: "textures", title: "Textures", className: "textures-panel", label: "Textures" }, TexturesPanel);

function TexturesPanel() {
  const { app, selection } = usePanel();
  const { answer: document, problem } = useLoaded(runKey(app), () => loadPasses(app));
  const [filter, setFilter] = useState("");
  const [order, setOrder] = useState("first use");
  const [onlyRendered, setOnlyRendered] = useState(false);
  const [chosen, setChosen] = useState<Texture | null>(null);
  const [body, isNarrow] = useNarrow(52);
  const [texel, setTexel] = useState<[number, number] | null>(null);
  const view = usePictureView({ label: "Texture", onhover: setTexel });
  const textures = document?.textures ?? [];
  const draw = app.events?.events[selection.event]?.draw ?? null;
  const used = draw === null ? undefined : textures.find(({ draws }) => draws.includes(draw));
  // Another run has the same texture, if its texels, palette and size are the same.
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
  return (
    <>
      <div class="toolbar">
        <SearchField label="Filter" size={16} placeholder="CLUT8, 256x, 0x0900…" title="Part of format, size, address, hash or name" value={filter} onSearch={setFilter} />
        <Select label="Order" choices={Object.keys(ORDERS)} chosen={order} onChoose={setOrder} />
        <Toggle text="Only rendered" isOn={onlyRendered} onChange={setOnlyRendered} title="Only textures whose texels draws of this run have drawn" />
        <p class="panel-summary" aria-live="polite">
          {document && summary}
          {used && used !== chosen && <>{" "}<Link onClick={() => setChosen(used)}>Texture of the selected draw</Link></>}
        </p>
      </div>
      {message !== null && <p class="panel-message">{message}</p>}
      {document && (
        <div class={`textures-body${isNarrow ? " is-narrow" : ""}`} ref={body} hidden={textures.length === 0}>
          <Cards {...{ rows, textures, chosen, used }} choose={setChosen} />
          <Splitter label="Size of the thumbnails" name="textures" usual={40} least={15} most={80} isVertical={!isNarrow} />
          <div class="texture-detail" role="region" aria-label="Selected texture">
            {chosen && <Detail key={textures.indexOf(chosen)} {...{ document, view, texel }} texture={chosen} />}
          </div>
        </div>
      )}
    </>
  );
}

interface CardsProps {
  rows: Texture[];
  textures: Texture[];
  chosen: Texture | null;
  used: Texture | undefined;
  choose: (texture: Texture) => void;
}

/** The thumbnails, as a list in which arrow keys move. */
function Cards({ rows, textures, chosen, used, choose }: CardsProps) {
  const app = useApp();
  const grid = useRef<HTMLDivElement>(null);
  const [shown, more] = useMore(rows, PAGE);
  useLayoutEffect(() => reveal(grid.current?.querySelector("[aria-selected=true]")), [chosen]);
  const press = (event: KeyboardEvent) => {
    const at = chosen ? shown.indexOf(chosen) : -1;
    const go = (index: number) => () => shown.length > 0 && choose(shown[Math.max(0, Math.min(index, shown.length - 1))]);
    if (grid.current && event.target === grid.current) {
      const columns = getComputedStyle(grid.current).gridTemplateColumns.split(" ").length;
      takeKey(event, { ArrowLeft: go(at - 1), ArrowRight: go(at + 1), ArrowUp: go(at - columns), ArrowDown: go(at + columns), Home: go(0), End: go(shown.length - 1) });
    }
  };
  return (
    <div class="texture-grid" ref={grid} role="listbox" aria-label="Textures" tabIndex={0} aria-activedescendant={chosen ? `texture-${textures.indexOf(chosen)}` : undefined} onKeyDown={press}>
      {shown.map((texture) => {
        const number = textures.indexOf(texture);
        return (
          <div
            key={number}
            class={`texture-card${texture === used ? " is-used" : ""}`}
            role="option"
            id={`texture-${number}`}
            aria-selected={texture === chosen}
            title={describe(texture)}
            onClick={() => choose(texture)}
          >
            <span class="preview-frame"><SmallPicture class="preview checkered" of={texture} request={() => requestOf(app, texture, { max: 96, hasAlpha: true })} /></span>
            <span class="card-title">{texture.name ?? `${texture.width}×${texture.height}`}</span>
            <span class="card-text">{texture.format}</span>
            <span class="card-text">{counted(texture.draws.length, "draw")}</span>
            {texture.rendered && <span class="badge rendered-badge" title="Draws of this run have drawn texels of it">rendered</span>}
            {texture === used && <span class="badge used-badge">this draw</span>}
          </div>
        );
      })}
      {more}
    </div>
  );
}

/** Returns the event of a texture's first draw. */
function eventOf(app: App, texture: Texture): number | null {
  const [draw] = texture.draws;
  return draw === undefined ? null : app.eventOfDraw(draw);
}

/** Returns the request for a texture's picture at its first draw. */
function requestOf<T extends object>(app: App, texture: Texture, options: T, level = 0) {
  const event = eventOf(app, texture);
  return event === null ? null : { run: app.store.run(), at: { event, after: false }, source: { kind: "texture", level } as const, ...options };
}

function Detail({ document, texture, view, texel }: { document: PassesDocument; texture: Texture; view: PictureView; texel: [number, number] | null }) {
  const app = useApp();
  const [level, setLevel] = useState("0");
  // The alpha of texels that draws have drawn is a stencil.
  const [channel, setChannel] = useState<Channel>(texture.rendered ? "color" : "alpha-blended");
  const [isOnStage, stageSwitch] = useStage(false);
  const number = document.textures.indexOf(texture);
  const request = requestOf(app, texture, { request: "picture" } as const, Number(level));
  const { answer } = useAnswer("texture", request);
  useEffect(() => view.setChannel(channel), [channel]);
  const isMissing = request === null;
  useEffect(() => {
    // The picture of the texture before stays until this one is there.
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
  return (
    <>
      <div class="toolbar">
        <strong>{texture.name ?? `Texture ${number}`}</strong>
        {texture.levels > 1 && <Select label="Level" choices={[...Array(texture.levels).keys()].map(String)} chosen={level} onChoose={setLevel} />}
        <Select label="Channel" choices={{ ...CHANNELS, alpha: "Alpha" }} chosen={channel} onChoose={setChannel} />
        <Button title="List only the draws that use this texture" onClick={() => app.filterEvents(drawFilter(texture.draws))}>Filter events</Button>
        {texture.addresses.length > 0 && <Button title="Show the stored texels at its first draw" onClick={() => void showInMemory(app, texture)}>Show in memory</Button>}
        <Button title="Save the texture as it is shown" onClick={() => void saveCanvas(app, `texture-${number}`, view.image)}>Save PNG</Button>
        <Button title="Let all draws sample a picture file instead; each side must be a power of two up to 512" onClick={() => void replace(app, texture)}>Replace…</Button>
        {texture.rendered && (
          <Button title="Show the pass that drew it" onClick={() => openWith(app, "passes", passes[0] === undefined ? {} : { pass: passes[0] })}>
            Show its passes
          </Button>
        )}
        {stageSwitch}
      </div>
      <OnStage isOn={isOnStage} keys={view}>
        <Host element={view.element} />
        <p class="texel" aria-live="off">{texel && components ? `texel ${texel.join(", ")}: ${components.join(", ")}` : "\u00a0"}</p>
      </OnStage>
      <Facts
        rows={[
          ["size", `${texture.width} × ${texture.height}${texture.levels > 1 ? `, ${texture.levels} levels` : ""}`],
          ["format", `${texture.format}${texture.swizzled ? ", swizzled" : ""}`],
          ["address", texture.addresses.map((at) => hex(at)).join(", ")],
          ["file offset", texture.file_offset === null ? null : hex(texture.file_offset, 6)],
          ["hash", texture.hash],
          ["note", texture.mapped ? null : "Some texels are outside memory and read as 0."],
        ]}
      />
      {texture.rendered && passes.length === 0 && <p>Draws of this run have drawn some of its texels.</p>}
      {texture.rendered && passes.length > 0 && (
        <p>Its texels were drawn by <Separated items={passes.map((pass) => <Link onClick={() => openWith(app, "passes", { pass })}>{`pass ${pass}`}</Link>)} />.</p>
      )}
      <h3>Draws</h3>
      <p><DrawLinks draws={texture.draws} /></p>
      {texture.palette_hash && <><h3>Palette</h3><div class="palette"><Palette texture={texture} /></div></>}
    </>
  );
}

/** The entries of the palette that texels can reach. */
function Palette({ texture }: { texture: Texture }) {
  const app = useApp();
  const { palette_mapping: mapping, palette_format: format, palette_addresses: addresses } = texture;
  const [address] = addresses;
  const event = eventOf(app, texture);
  const isLoaded = address !== undefined && event !== null && mapping && format;
  const entries = reachableEntries(texture);
  const height = Math.ceil((Math.max(...entries) + 1) / 16);
  const { answer, problem } = useAnswer(
    "palette",
    isLoaded ? { request: "picture", run: app.store.run(), at: { event, after: false }, source: { kind: "memory", address, stride: 16, format, width: 16, height } } : null,
  );
  if (!isLoaded || problem !== null) {
    return <p class="muted">{problem ?? "The palette was not loaded from memory during the run."}</p>;
  }
  return answer ? (
    <>
      <p class="muted">
        {`${format} from ${addresses.map((at) => hex(at)).join(", ")}, hash ${texture.palette_hash}; entry = (texel >> ${mapping.shift} & ${hex(mapping.mask, 2)}) | ${mapping.start}.`}
      </p>
      <div class="palette-entries" role="list" aria-label="Entries of the palette">
        {entries.map((entry) => {
          const color = [...answer.bytes.subarray(entry * 4, entry * 4 + 4)];
          return (
            <span class="palette-entry" role="listitem" title={`${entry}: ${colorText(color)}`}><Swatch color={color} /><span>{entry}</span></span>
          );
        })}
      </div>
    </>
  ) : null;
}

/** Puts a picture file in place of a texture, by edits that the panel Edits takes back. */
async function replace(app: App, texture: Texture) {
  const [file] = (await app.attempt(chooseFiles("image/*"))) ?? [];
  const kept = file && (await app.attempt(app.engine.request({ request: "keep-picture", name: file.name }, file.bytes)));
  if (kept) {
    const places = texture.addresses.map((address) => `--replace-texture ${hex(address)}=`);
    const others = app.store.get().edits.filter((edit) => !places.some((place) => edit.startsWith(place)));
    await app.store.setEdits([...others, ...places.map((place) => place + kept.json.name)]);
  }
}

/** Shows the texels in the panel Memory. The state at the first draw knows the length of their rows. */
async function showInMemory(app: App, texture: Texture) {
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

/** Returns the facts by which textures are filtered, as text. */
function describe(texture: Texture): string {
  const { name, format, width, height, hash } = texture;
  const addresses = texture.addresses.map((address) => hex(address)).join(" ");
  return [name, `${width}x${height}`, format, addresses, hash, texture.palette_hash, texture.swizzled && "swizzled"].filter(Boolean).join(", ");
}

/** Returns the entries of the palette that texels of level 0 can select, rising. */
function reachableEntries(texture: Texture): number[] {
  const { shift, mask, start } = texture.palette_mapping ?? { shift: 0, mask: 255, start: 0 };
  const most = texture.palette_format === "ABGR8888" ? 256 : 512;
  // Texels of 16 and 32 bits reach all entries that the mask allows.
  const isWide = texture.format === "CLUT16" || texture.format === "CLUT32";
  const texels = [...Array(texture.format === "CLUT4" ? 16 : 256).keys()];
  const entries = texels.map((texel) => (((isWide ? texel : texel >> shift) & mask) | start) % most);
  return [...new Set(entries)].sort((a, b) => a - b);
}
