// The panel of memory: any address at the selected event, as a picture or as bytes with their last writers.

import { h, hex, replace } from "pspge/dom.js";
import { HexView, WINDOW } from "pspge/hex-view.js";
import { ChangesTable, UsesTable } from "pspge/memory-tables.js";
import { pictureOf, PictureView } from "pspge/picture-view.js";
import { takeWish } from "pspge/wishes.js";
import { button, eventLink, field, fileName, Loader, numberField, segments, select, toggle } from "pspge/widgets.js";

/** @typedef {import("pspge/app.js").App} App */
/** @typedef {import("pspge/store.js").Selection} Selection */
/** @typedef {{address: number, format: string, stride: number, width: number, height: number, swizzled: boolean, palette: import("pspge/documents.js").PaletteName | null}} Layout */
/** @typedef {"picture" | "hex" | "uses" | "changes"} Mode */
/** @typedef {"fixed" | "color" | "depth" | "texture" | "palette" | "vertices" | "indices"} Place */

/** Formats of pixels with their bits. */
const FORMATS = /** @type {Record<string, number>} */ ({
  BGR5650: 16,
  ABGR5551: 16,
  ABGR4444: 16,
  ABGR8888: 32,
  CLUT4: 4,
  CLUT8: 8,
  CLUT16: 16,
  CLUT32: 32,
  DXT1: 4,
  DXT3: 8,
  DXT5: 8,
  DEPTH16: 16,
});
const PALETTE_FORMATS = /** @type {const} */ (["BGR5650", "ABGR5551", "ABGR4444", "ABGR8888"]);

/** Places that follow the selected draw. */
const PLACES = /** @type {[Place, string][]} */ ([
  ["color", "Colour buffer"],
  ["depth", "Depth buffer"],
  ["texture", "Texture"],
  ["palette", "Palette"],
  ["vertices", "Vertices"],
  ["indices", "Indices"],
]);

/** Most bytes of which the tables tell. */
const MOST_BYTES = 1 << 20;

/** Largest width and height that are shown, as textures and buffers have. */
const MOST = 1024;

/**
 * Creates the panel of memory.
 * @param {App} app
 */
export function create(app) {
  const panel = new MemoryPanel(app);
  return {
    id: "memory",
    title: "Memory",
    key: "5",
    element: panel.element,
    show() {},
    update: (/** @type {Selection} */ selection, /** @type {Set<string>} */ changed) => panel.update(selection, changed),
  };
}

class MemoryPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Place} */
    this.place = "color";
    /** @type {Mode} */
    this.mode = "picture";
    /** @type {Layout} */
    this.layout = { address: 0x0400_0000, format: "ABGR8888", stride: 512, width: 480, height: 272, swizzled: false, palette: null };
    /** The state of the selected event. @type {import("pspge/documents.js").State | null} */
    this.state = null;
    /** @type {import("pspge/documents.js").VertexData | null} */
    this.vertexData = null;
    this.moment = "";
    /** The address of the bytes: a pixel of the picture may be far from its start. */
    this.hexAddress = this.layout.address;
    this.moments = segments(
      "Moment",
      [
        { value: "before", text: "Before" },
        { value: "after", text: "After" },
      ],
      (moment) => app.store.set({ after: moment === "after" }),
    );
    this.modes = segments(
      "Show as",
      [
        { value: "picture", text: "Picture" },
        { value: "hex", text: "Bytes" },
        { value: "uses", text: "Uses", title: "The events of the run that read or write the bytes" },
        { value: "changes", text: "Changes", title: "The bytes that differ from another moment" },
      ],
      (mode) => this.setMode(mode),
    );
    this.places = PLACES.map(([place, text]) => ({
      place,
      element: button(text, () => this.follow(place), `Show the ${text.toLowerCase()} of the selected draw, and follow the selection`),
    }));
    this.address = field("Address", { size: 11, title: "In hexadecimal; offsets below 0x200000 are in VRAM" }, (text) => this.enterAddress(text));
    this.format = select(
      "Format",
      Object.keys(FORMATS).map((value) => ({ value, text: value })),
      (format) => this.change({ format }),
    );
    const number = (/** @type {string} */ label, /** @type {"stride" | "width" | "height"} */ member, /** @type {number} */ most) =>
      numberField(label, { size: 5, least: 1, most: () => most }, (value) => this.change({ [member]: value }));
    this.stride = number("Stride", "stride", 4096);
    this.width = number("Width", "width", MOST);
    this.height = number("Height", "height", MOST);
    this.swizzled = toggle("Swizzled", false, (swizzled) => this.change({ swizzled }), "Stored in blocks of 16 bytes by 8 rows");
    this.palette = field("Palette", { size: 11, title: "Address of the palette, in hexadecimal; empty for grey" }, (text) => this.enterPalette(text));
    this.paletteFormat = select(
      "of",
      PALETTE_FORMATS.map((value) => ({ value, text: value })),
      () => this.layout.palette && this.change({ palette: { ...this.layout.palette, format: this.shownPaletteFormat() } }),
    );
    this.view = new PictureView({ label: "Memory as a picture", onhover: (position) => this.showPixel(position), onpick: (x, y) => this.pickPixel(x, y) });
    this.hex = new HexView({
      fetch: (address, length) => this.fetch(address, length),
      select: (event) => app.selectEvent(event),
      onactive: (address) => this.showFacts(address),
    });
    this.uses = new UsesTable(app);
    this.changes = new ChangesTable(app);
    this.facts = h("p", { class: "memory-facts", "aria-live": "off" }, "\u00a0");
    this.message = h("p", { class: "panel-message", hidden: true });
    this.pictureControls = h(
      "div",
      { class: "toolbar" },
      this.format.element,
      this.stride.element,
      this.width.element,
      this.height.element,
      this.swizzled,
      h("span", { class: "palette-fields" }, this.palette.element, this.paletteFormat.element),
    );
    this.hexControls = h(
      "div",
      { class: "toolbar" },
      button("1 MiB back", () => this.go(this.hexAddress - WINDOW)),
      button("1 MiB on", () => this.go(this.hexAddress + WINDOW)),
    );
    this.content = h("div", { class: "memory-content" });
    this.element = h(
      "section",
      { class: "memory-panel", "aria-label": "Memory" },
      h(
        "div",
        { class: "toolbar" },
        this.address.element,
        this.modes.element,
        this.moments.element,
        h(
          "span",
          { class: "quick-links" },
          this.places.map(({ element }) => element),
        ),
      ),
      this.pictureControls,
      this.hexControls,
      this.message,
      this.content,
      this.facts,
    );
    this.stateLoader = new Loader(app, "memory-state", this.element);
    this.drawLoader = new Loader(app, "memory-draw", this.element);
    this.pictureLoader = new Loader(app, "memory-picture", this.element);
    this.setMode("picture");
  }

  /**
   * @param {Selection} selection
   * @param {Set<string>} changed
   */
  update(selection, changed) {
    const wish = takeWish(this.app, "memory");
    if (wish) {
      this.place = "fixed";
      Object.assign(this.layout, wish.layout);
      this.hexAddress = wish.layout?.address ?? wish.address;
      this.modes.set(wish.layout ? "picture" : "hex");
      this.setMode(wish.layout ? "picture" : "hex");
    }
    const moment = JSON.stringify([this.app.store.run(), this.at(), this.app.input?.hash]);
    if (moment !== this.moment) {
      this.moment = moment;
      this.hex.forget();
    }
    if (changed.has("theme")) {
      this.view.schedule();
    }
    this.moments.set(selection.after ? "after" : "before");
    const run = this.app.store.run();
    void this.stateLoader.load(
      { request: "state", run, event: selection.event },
      ({ json }) => {
        this.state = json.document.state;
        this.apply();
      },
      () => {},
    );
    if (this.place === "vertices" || this.place === "indices") {
      this.loadVertexData();
    }
    this.apply();
  }

  /** The moment that is shown. */
  at() {
    const { event, after } = this.app.store.get();
    return { event, after };
  }

  loadVertexData() {
    const row = this.app.row();
    if (!row || row.draw === null || row.is_left_out) {
      this.vertexData = null;
      this.drawLoader.forget();
      return;
    }
    void this.drawLoader.load(
      { request: "draw", run: this.app.store.run(), event: row.event },
      ({ json }) => {
        this.vertexData = json.document.vertex_data;
        this.apply();
      },
      () => {},
    );
  }

  /** @param {Place} place */
  follow(place) {
    this.place = place;
    const mode = place === "vertices" || place === "indices" ? "hex" : "picture";
    this.modes.set(mode);
    this.setMode(mode);
    if (mode === "hex") {
      this.loadVertexData();
    }
    this.apply();
  }

  /** Takes the layout of the place that is followed, and shows it. */
  apply() {
    const layout = this.layoutOf(this.place);
    if (layout?.format) {
      Object.assign(this.layout, layout);
    }
    if (layout?.address !== undefined) {
      this.hexAddress = layout.address;
    }
    for (const { place, element } of this.places) {
      element.setAttribute("aria-pressed", String(place === this.place));
    }
    const isMissing = this.place !== "fixed" && !layout && Boolean(this.state);
    this.message.hidden = !isMissing;
    this.content.hidden = isMissing;
    this.message.textContent = isMissing ? `The selected event has no ${PLACES.find(([place]) => place === this.place)?.[1].toLowerCase()}.` : "";
    this.showFields();
    this.load();
  }

  /**
   * Returns the layout of a place of the selected draw, null if it has none.
   * @param {Place} place
   * @returns {Partial<Layout> | null}
   */
  layoutOf(place) {
    const { state } = this;
    if (!state) {
      return null;
    }
    const plain = { swizzled: false, palette: null };
    const buffer = this.app.drawAtOrBefore(this.app.store.get().event)?.buffer;
    const size = (buffer !== null && buffer !== undefined && this.app.events?.buffers[buffer]) || { width: 480, height: 272 };
    const { width, height } = size;
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
        const [level] = state.texture.levels;
        const { format, swizzled, enabled } = state.texture;
        const { address: paletteAddress, format: paletteFormat } = state.palette;
        const palette = format.startsWith("CLUT") ? { address: paletteAddress, format: paletteFormat } : null;
        if (!enabled || !level) {
          return null;
        }
        return {
          address: level.address,
          stride: level.buffer_width,
          width: Math.min(MOST, level.width),
          height: Math.min(MOST, level.height),
          format,
          swizzled,
          palette,
        };
      }
      case "palette": {
        const { address, blocks, format } = state.palette;
        const entries = (blocks * 32) / ((FORMATS[format] ?? 16) / 8);
        return { ...plain, address, format, stride: 16, width: 16, height: Math.max(1, Math.ceil(entries / 16)) };
      }
      case "vertices":
        return this.vertexData && { address: this.vertexData.address + this.vertexData.first * this.vertexData.stride };
      case "indices":
        return this.vertexData?.indices ? { address: this.vertexData.indices } : null;
      default:
        return null;
    }
  }

  showFields() {
    const { layout } = this;
    this.address.input.value = hex(this.mode === "hex" ? this.hexAddress : layout.address);
    this.format.input.value = layout.format;
    this.stride.input.value = String(layout.stride);
    this.width.input.value = String(layout.width);
    this.height.input.value = String(layout.height);
    /** @type {HTMLInputElement} */ (this.swizzled.querySelector("input")).checked = layout.swizzled;
    this.palette.input.value = layout.palette ? hex(layout.palette.address) : "";
    this.paletteFormat.input.value = layout.palette?.format ?? "ABGR8888";
    /** @type {HTMLElement} */ (this.palette.element.parentElement).hidden = !layout.format.startsWith("CLUT");
  }

  /** @param {Partial<Layout>} change */
  change(change) {
    Object.assign(this.layout, change);
    this.place = "fixed";
    this.apply();
  }

  /** @param {string} text */
  enterAddress(text) {
    const address = parseAddress(text);
    if (address === null) {
      this.app.fail(new Error(`${text} is no address: write it in hexadecimal, such as 0x04000000.`));
      this.showFields();
      return;
    }
    this.go(address);
  }

  /** @param {string} text */
  enterPalette(text) {
    const address = parseAddress(text);
    this.change({ palette: address === null ? null : { address, format: this.shownPaletteFormat() } });
  }

  shownPaletteFormat() {
    return PALETTE_FORMATS.find((format) => format === this.paletteFormat.input.value) ?? "ABGR8888";
  }

  /** @param {number} wanted */
  go(wanted) {
    const address = Math.max(0, Math.min(0xffff_fff0, wanted));
    this.hexAddress = address;
    this.change(this.mode === "hex" ? {} : { address });
  }

  /** @param {Mode} mode */
  setMode(mode) {
    this.mode = mode;
    // The tables tell of the bytes of the picture.
    this.pictureControls.hidden = mode === "hex";
    this.hexControls.hidden = mode !== "hex";
    this.facts.textContent = "\u00a0";
    replace(this.content, { picture: this.view, hex: this.hex, uses: this.uses, changes: this.changes }[mode].element);
    this.hex.list.resize();
    this.showFields();
    this.load();
  }

  load() {
    if (!this.moment) {
      return;
    }
    if (this.mode === "hex") {
      if (this.hex.target !== this.hexAddress || this.hex.list.active < 0) {
        this.hex.show(this.hexAddress);
      }
      return;
    }
    if (this.mode === "uses") {
      this.uses.show(this.part());
      return;
    }
    if (this.mode === "changes") {
      this.changes.show(this.part(), this.at());
      return;
    }
    const { palette, ...layout } = this.layout;
    const kind = /** @type {const} */ ("memory");
    const source = { kind, ...layout, ...(palette && layout.format.startsWith("CLUT") && { palette }) };
    void this.pictureLoader.load(
      { request: "picture", run: this.app.store.run(), at: this.at(), source },
      (answer) => {
        this.view.setPicture(pictureOf(answer));
        this.view.setLabel(`Memory at ${hex(layout.address)} as ${layout.format}, ${layout.width} by ${layout.height}`);
      },
      () => this.view.setPicture(null),
    );
  }

  /** The bytes of which the tables tell: those of the picture, or of the vertices or indices. */
  part() {
    const { address, format, stride, height } = this.layout;
    if (this.place === "vertices" || this.place === "indices") {
      return { address: this.hexAddress, length: 4096 };
    }
    const bytes = Math.ceil((stride * height * (FORMATS[format] ?? 32)) / 8);
    return { address, length: Math.min(MOST_BYTES, Math.max(1, bytes)) };
  }

  /**
   * @param {number} address
   * @param {number} length
   */
  async fetch(address, length) {
    try {
      return await this.app.engine.request({ request: "memory", run: this.app.store.run(), at: this.at(), address, length });
    } catch (error) {
      this.app.fail(error);
      return null;
    }
  }

  /** @param {[number, number] | null} position */
  showPixel(position) {
    const value = position && this.view.valueAt(...position);
    if (!position || !value) {
      this.facts.textContent = "\u00a0";
      return;
    }
    const address = addressOf(this.layout, ...position);
    const text = value.length === 1 ? `depth ${value[0]} (${hex(value[0], 4)})` : `#${value.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    this.facts.textContent = `${position[0]}, ${position[1]}: ${text}${address === null ? "" : ` at ${hex(address)}`}`;
  }

  /**
   * Shows the bytes of a pixel.
   * @param {number} x
   * @param {number} y
   */
  pickPixel(x, y) {
    const address = addressOf(this.layout, x, y);
    if (address !== null) {
      this.modes.set("hex");
      this.setMode("hex");
      this.go(address);
    }
  }

  /** @param {number} address The first byte of the selected row. */
  showFacts(address) {
    const row = this.hex.target >= address && this.hex.target < address + 16 ? this.hex.target : address;
    const facts = this.hex.factsOf(row);
    if (!facts) {
      return;
    }
    const { writer, source, isMapped } = facts;
    const when = this.app.store.get().after ? "up to and with" : "before";
    const file = source && ` It was loaded from ${fileName(source.file)} at ${hex(source.file_offset + row - source.address, 6)}.`;
    const text = writer
      ? [`${hex(row)} was written last by `, eventLink(this.app, writer.event), `.`]
      : isMapped
        ? `No event ${when} the selected one wrote ${hex(row)}.`
        : `There is no memory at ${hex(row)}.`;
    replace(this.facts, text, file);
  }
}

/**
 * Reads an address in hexadecimal. Offsets below 2 MiB are in VRAM.
 * @param {string} text
 * @returns {number | null}
 */
export function parseAddress(text) {
  const found = /^(?:0x)?([0-9a-f]{1,8})$/i.exec(text.replace(/_/g, ""));
  if (!found) {
    return null;
  }
  const address = Number.parseInt(found[1] ?? "", 16);
  return address < 0x20_0000 ? 0x0400_0000 + address : address;
}

/**
 * Returns the address of a pixel's first byte, null for compressed formats.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {number | null}
 */
export function addressOf({ address, format, stride, swizzled }, x, y) {
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
