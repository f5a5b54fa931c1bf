// textures.js
import { counted, h, hex, replace, reveal, swatch } from "pspge/dom.js";
import { saveCanvas } from "pspge/export.js";
import { splitter } from "pspge/layout.js";
import { loadPasses, passesKey, Thumbnails } from "pspge/passes-document.js";
import { CHANNELS, pictureOf, PictureView } from "pspge/picture-view.js";
import { button, drawFilter, drawLinks, eventsOfDraws, field, link, select, stackWhenNarrow, toggle } from "pspge/widgets.js";
import { openWith } from "pspge/wishes.js";
var PAGE = 400;
var ORDERS = (
  /** @type {Record<string, {text: string, by: (a: Texture, b: Texture) => number}>} */
  {
    first: { text: "first use", by: (a, b) => (a.draws[0] ?? Infinity) - (b.draws[0] ?? Infinity) },
    users: { text: "number of draws", by: (a, b) => b.draws.length - a.draws.length },
    size: { text: "size", by: (a, b) => b.width * b.height - a.width * a.height },
    address: { text: "address", by: (a, b) => (a.addresses[0] ?? 0) - (b.addresses[0] ?? 0) },
    format: { text: "format", by: (a, b) => a.format.localeCompare(b.format) }
  }
);
function create(app) {
  const panel = new TexturesPanel(app);
  return {
    id: "textures",
    title: "Textures",
    key: "4",
    element: panel.element,
    show() {
    },
    update: (selection, changed) => panel.update(selection, changed)
  };
}
var TexturesPanel = class {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.document = null;
    this.key = "";
    this.chosen = -1;
    this.level = 0;
    this.order = "first";
    this.shownCards = PAGE;
    this.cards = /* @__PURE__ */ new Map();
    this.thumbnails = new Thumbnails(app);
    this.summary = h("p", { class: "panel-summary", "aria-live": "polite" });
    this.filter = field("Filter", { size: 16, placeholder: "CLUT8, 256x, 0x0900…", title: "Part of format, size, address, hash or name" }, () => {
    });
    this.filter.input.addEventListener("input", () => this.list());
    const orders = Object.entries(ORDERS).map(([value, { text }]) => ({ value, text }));
    const order = select("Order", orders, (value) => {
      this.order = value;
      this.list();
    });
    this.onlyRendered = toggle("Only rendered", false, () => this.list(), "Only textures whose texels draws of this run have drawn");
    this.grid = h("div", {
      class: "texture-grid",
      role: "listbox",
      "aria-label": "Textures",
      tabindex: 0,
      onkeydown: (event) => this.press(event)
    });
    this.detail = h("div", { class: "texture-detail", role: "region", "aria-label": "Selected texture" });
    this.view = new PictureView({ label: "Texture", onhover: (position) => this.showTexel(position) });
    this.texel = h("p", { class: "texel", "aria-live": "off" }, " ");
    this.message = h("p", { class: "panel-message", hidden: true });
    this.body = h("div", { class: "textures-body" });
    const border = splitter({
      label: "Size of the thumbnails",
      name: "textures",
      usual: 40,
      least: 15,
      most: 80,
      isVertical: () => !this.body.classList.contains("is-narrow"),
      parent: () => this.body
    });
    this.body.append(this.grid, border, this.detail);
    stackWhenNarrow(this.body, 52, border);
    this.element = h(
      "section",
      { class: "textures-panel", "aria-label": "Textures" },
      h("div", { class: "toolbar" }, this.filter.element, order.element, this.onlyRendered, this.summary),
      this.message,
      this.body
    );
  }
  /**
   * @param {Selection} selection
   * @param {Set<string>} _changed
   */
  update(selection, _changed) {
    if (!this.app.events) {
      return;
    }
    if (this.key !== passesKey(this.app)) {
      void this.load();
      return;
    }
    this.markUsed(selection.event);
  }
  async load() {
    const key = passesKey(this.app);
    this.key = key;
    this.element.setAttribute("aria-busy", "true");
    try {
      const document = await loadPasses(this.app);
      if (this.key === key) {
        this.show(document);
      }
    } catch (error) {
      this.message.hidden = false;
      this.message.textContent = error instanceof Error ? error.message : String(error);
      this.app.fail(error);
    }
    this.element.removeAttribute("aria-busy");
  }
  /** @param {import("pspge/documents.js").PassesDocument} document */
  show(document) {
    const before = this.document?.textures[this.chosen];
    this.document = document;
    this.message.hidden = document.textures.length > 0;
    this.message.textContent = "No draw of this run uses a texture.";
    this.body.hidden = document.textures.length === 0;
    this.list();
    const same = document.textures.findIndex(
      (texture) => texture.hash === before?.hash && texture.palette_hash === before?.palette_hash && texture.width === before?.width
    );
    const used = this.usedBy(this.app.store.get().event);
    const next = before && same >= 0 ? same : used ?? 0;
    if (document.textures.length > 0) {
      this.choose(next);
    }
    this.markUsed(this.app.store.get().event);
  }
  list() {
    if (!this.document) {
      return;
    }
    const filter = this.filter.input.value.trim().toLowerCase();
    const onlyRendered = (
      /** @type {HTMLInputElement} */
      this.onlyRendered.querySelector("input").checked
    );
    const all = this.document.textures.map((texture, number) => ({ texture, number }));
    const rows = all.filter(({ texture }) => (!onlyRendered || texture.rendered) && describe(texture).toLowerCase().includes(filter));
    rows.sort((a, b) => ORDERS[this.order]?.by(a.texture, b.texture) || a.number - b.number);
    this.thumbnails.clear();
    this.cards.clear();
    const cards = rows.slice(0, this.shownCards).map(({ texture, number }) => this.card(texture, number));
    const rest = rows.length - cards.length;
    const more = rest > 0 && button(`Show ${Math.min(rest, PAGE)} more of ${rest}`, () => {
      this.shownCards += PAGE;
      this.list();
    });
    replace(this.grid, cards, more);
    const total = this.document.textures.length;
    const palettes = this.document.palettes.length;
    this.summary.textContent = rows.length === total ? `${counted(total, "texture")} with ${counted(palettes, "palette")}.` : `${rows.length} of ${counted(total, "texture")}.`;
    this.markUsed(this.app.store.get().event);
  }
  /**
   * @param {Texture} texture
   * @param {number} number
   */
  card(texture, number) {
    const canvas = h("canvas", { class: "preview checkered", width: 1, height: 1, "aria-hidden": true });
    this.thumbnails.add(canvas, () => this.pictureOf(texture, 0, 96));
    const card = h(
      "div",
      {
        class: "texture-card",
        role: "option",
        id: `texture-${number}`,
        "aria-selected": String(number === this.chosen),
        title: describe(texture),
        onclick: () => this.choose(number)
      },
      h("span", { class: "preview-frame" }, canvas),
      h("span", { class: "card-title" }, texture.name ?? `${texture.width}×${texture.height}`),
      h("span", { class: "card-text" }, texture.format),
      h("span", { class: "card-text" }, counted(texture.draws.length, "draw")),
      texture.rendered && h("span", { class: "badge rendered-badge", title: "Draws of this run have drawn texels of it" }, "rendered")
    );
    this.cards.set(number, card);
    return card;
  }
  /**
   * Returns the request for a texture's picture at its first draw.
   * @param {Texture} texture
   * @param {number} level
   * @param {number} [max]
   * @returns {import("pspge/passes-document.js").PictureRequest | null}
   */
  pictureOf(texture, level, max) {
    const event = this.eventOf(texture);
    if (event === null) {
      return null;
    }
    const source = (
      /** @type {const} */
      { kind: "texture", level }
    );
    return { run: this.app.store.run(), at: { event, after: false }, source, hasAlpha: true, ...max && { max } };
  }
  /**
   * @param {Texture} texture
   * @returns {number | null} The event of its first draw.
   */
  eventOf(texture) {
    const draw = texture.draws[0];
    return draw === void 0 ? null : eventsOfDraws(this.app).get(draw) ?? null;
  }
  /**
   * @param {number} event
   * @returns {number | null} The texture that an event uses.
   */
  usedBy(event) {
    const draw = this.app.events?.events[event]?.draw;
    if (draw === null || draw === void 0 || !this.document) {
      return null;
    }
    const number = this.document.textures.findIndex((texture) => includesSorted(texture.draws, draw));
    return number < 0 ? null : number;
  }
  /** @param {number} event */
  markUsed(event) {
    const used = this.usedBy(event);
    for (const [number, card] of this.cards) {
      card.classList.toggle("is-used", number === used);
      card.querySelector(".used-badge")?.remove();
      if (number === used) {
        card.append(h("span", { class: "badge used-badge" }, "this draw"));
      }
    }
    this.usedLink?.remove();
    this.usedLink = used !== null && used !== this.chosen ? link("Texture of the selected draw", () => this.choose(used)) : null;
    if (this.usedLink) {
      this.summary.append(" ", this.usedLink);
    }
  }
  /** @param {number} number */
  choose(number) {
    this.cards.get(this.chosen)?.setAttribute("aria-selected", "false");
    this.chosen = number;
    this.level = 0;
    const card = this.cards.get(number);
    card?.setAttribute("aria-selected", "true");
    this.grid.setAttribute("aria-activedescendant", `texture-${number}`);
    if (card) {
      reveal(card);
    }
    this.showDetail();
    this.markUsed(this.app.store.get().event);
  }
  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.target !== this.grid || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const numbers = [...this.cards.keys()];
    const at = numbers.indexOf(this.chosen);
    const columns = this.columns();
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns, Home: 0, End: numbers.length - 1 }[event.key];
    if (to === void 0) {
      return;
    }
    const number = numbers[Math.max(0, Math.min(to, numbers.length - 1))];
    if (number !== void 0) {
      this.choose(number);
    }
    event.preventDefault();
    event.stopPropagation();
  }
  /** Returns the number of cards in a row of the grid. */
  columns() {
    const cards = [...this.cards.values()];
    const top = cards[0]?.offsetTop;
    const next = cards.findIndex((card) => card.offsetTop !== top);
    return next < 0 ? Math.max(1, cards.length) : next;
  }
  showDetail() {
    const { app } = this;
    const texture = this.document?.textures[this.chosen];
    if (!texture) {
      replace(this.detail);
      return;
    }
    const levels = Array.from({ length: texture.levels }, (_, level2) => ({ value: String(level2), text: `${level2}` }));
    const level = select("Level", levels, (value) => {
      this.level = Number(value);
      void this.loadPicture(texture);
    });
    const channel = select(
      "Channel",
      CHANNELS.map(([value, text]) => ({ value, text: value === "alpha" ? "Alpha" : text })),
      (value) => this.view.setChannel(
        /** @type {import("pspge/picture-view.js").Channel} */
        value
      )
    );
    const usual = texture.rendered ? "color" : "alpha-blended";
    channel.input.value = usual;
    this.view.setChannel(usual);
    this.palette = h("div", { class: "palette" });
    const address = texture.addresses[0];
    const links = [
      button("Filter events", () => this.filterEvents(texture), "List only the draws that use this texture"),
      address !== void 0 && button("Show in memory", () => void this.showInMemory(texture), "Show the stored texels at its first draw"),
      button("Save PNG", () => void saveCanvas(app, `texture-${this.chosen}`, this.view.image), "Save the texture as it is shown"),
      texture.rendered && button("Show its passes", () => this.showPasses(texture), "Show the pass that drew it")
    ];
    replace(
      this.detail,
      h("div", { class: "toolbar" }, h("strong", null, texture.name ?? `Texture ${this.chosen}`), texture.levels > 1 && level.element, channel.element, links),
      this.view.element,
      this.texel,
      facts(texture),
      texture.rendered && h("p", null, this.origin(texture)),
      h("h3", null, "Draws"),
      h("p", null, drawLinks(app, texture.draws)),
      texture.palette_hash && h("h3", null, "Palette"),
      this.palette
    );
    void this.loadPicture(texture);
    if (texture.palette_hash) {
      void this.loadPalette(texture, this.palette);
    }
  }
  /** @param {Texture} texture */
  async loadPicture(texture) {
    const request = this.pictureOf(texture, this.level);
    if (!request) {
      this.view.setPicture(null);
      return;
    }
    const { hasAlpha: _, ...picture } = request;
    try {
      const answer = await this.app.engine.latest("texture")({ request: "picture", ...picture });
      if (answer && this.document?.textures[this.chosen] === texture) {
        this.view.setPicture(pictureOf(answer));
        this.view.setLabel(`Texture ${this.chosen}, ${texture.format}, ${answer.json.width} by ${answer.json.height}`);
      }
    } catch (error) {
      this.app.fail(error);
    }
  }
  /** @param {[number, number] | null} position */
  showTexel(position) {
    const value = position && this.view.valueAt(...position);
    if (!position || !value) {
      this.texel.textContent = " ";
      return;
    }
    const [red = 0, green = 0, blue = 0, alpha = 0] = value;
    this.texel.textContent = `texel ${position[0]}, ${position[1]}: red ${red}, green ${green}, blue ${blue}, alpha ${alpha}`;
  }
  /**
   * Shows the entries of the palette that texels can reach.
   * @param {Texture} texture
   * @param {HTMLElement} parent
   */
  async loadPalette(texture, parent) {
    const address = texture.palette_addresses[0];
    const event = this.eventOf(texture);
    const entries = reachableEntries(texture);
    const { palette_mapping: mapping, palette_format: format } = texture;
    if (address === void 0 || event === null || !mapping || !format) {
      replace(parent, h("p", { class: "muted" }, "The palette was not loaded from memory during the run."));
      return;
    }
    const height = Math.ceil((Math.max(...entries) + 1) / 16);
    const source = (
      /** @type {const} */
      { kind: "memory", address, stride: 16, format, width: 16, height }
    );
    try {
      const { bytes } = await this.app.engine.request({ request: "picture", run: this.app.store.run(), at: { event, after: false }, source });
      const cells = entries.map((entry) => {
        const color = [...bytes.subarray(entry * 4, entry * 4 + 4)];
        const text = `${entry}: #${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
        return h("span", { class: "palette-entry", role: "listitem", title: text }, swatch(color), h("span", null, String(entry)));
      });
      const addresses = texture.palette_addresses.map((at) => hex(at)).join(", ");
      replace(
        parent,
        h(
          "p",
          { class: "muted" },
          `${format} from ${addresses}, hash ${texture.palette_hash}; entry = (texel >> ${mapping.shift} & ${hex(mapping.mask, 2)}) | ${mapping.start}.`
        ),
        h("div", { class: "palette-entries", role: "list", "aria-label": "Entries of the palette" }, cells)
      );
    } catch (error) {
      replace(parent, h("p", { class: "muted" }, error instanceof Error ? error.message : String(error)));
    }
  }
  /**
   * Shows the texels in the panel Memory. The state at the first draw knows the length of their rows.
   * @param {Texture} texture
   */
  async showInMemory(texture) {
    const { app } = this;
    const palette = texture.palette_addresses[0];
    const event = this.eventOf(texture);
    try {
      const answer = event === null ? null : await app.engine.request({ request: "state", run: app.store.run(), event });
      const level = answer?.json.document.state.texture.levels[0];
      const layout = {
        address: texture.addresses[0],
        format: texture.format,
        stride: level?.buffer_width ?? texture.width,
        width: texture.width,
        height: texture.height,
        swizzled: texture.swizzled,
        palette: palette === void 0 || !texture.palette_format ? null : { address: palette, format: texture.palette_format }
      };
      if (event !== null) {
        app.selectEvent(event);
      }
      openWith(app, "memory", { layout });
    } catch (error) {
      app.fail(error);
    }
  }
  /** @param {Texture} texture */
  filterEvents(texture) {
    this.app.filterEvents(drawFilter(texture.draws));
  }
  /** @param {Texture} texture */
  showPasses(texture) {
    const [pass] = this.passesOf(texture);
    openWith(this.app, "passes", pass === void 0 ? {} : { pass });
  }
  /**
   * @param {Texture} texture
   * @returns {number[]} The passes that drew some of its texels.
   */
  passesOf(texture) {
    const { textures = [], passes = [] } = this.document ?? {};
    const number = textures.indexOf(texture);
    const uses = passes.flatMap((pass) => pass.textures);
    return [...new Set(uses.filter((use) => use.texture === number).flatMap((use) => use.passes))];
  }
  /** @param {Texture} texture */
  origin(texture) {
    const passes = this.passesOf(texture);
    if (passes.length === 0) {
      return "Draws of this run have drawn some of its texels.";
    }
    const links = passes.flatMap((pass, nth) => [nth > 0 && ", ", link(`pass ${pass}`, () => openWith(this.app, "passes", { pass }))]);
    return ["Its texels were drawn by ", links, "."];
  }
};
function describe(texture) {
  const { name, format, width, height, hash } = texture;
  const addresses = texture.addresses.map((address) => hex(address)).join(" ");
  return [name, `${width}x${height}`, format, addresses, hash, texture.palette_hash, texture.swizzled && "swizzled"].filter(Boolean).join(", ");
}
function facts(texture) {
  const rows = [
    ["size", `${texture.width} × ${texture.height}${texture.levels > 1 ? `, ${texture.levels} levels` : ""}`],
    ["format", `${texture.format}${texture.swizzled ? ", swizzled" : ""}`],
    ["address", texture.addresses.map((address) => hex(address)).join(", ")],
    ["file offset", texture.file_offset === null ? null : hex(texture.file_offset, 6)],
    ["hash", texture.hash],
    ["note", texture.mapped ? null : "Some texels are outside memory and read as 0."]
  ];
  return h(
    "dl",
    { class: "facts" },
    rows.filter(([, text]) => text).map(([name, text]) => [h("dt", null, name), h("dd", null, text)])
  );
}
function reachableEntries(texture) {
  const { shift, mask, start } = texture.palette_mapping ?? { shift: 0, mask: 255, start: 0 };
  const values = texture.format === "CLUT4" ? 16 : 256;
  const entries = new Set(Array.from({ length: values }, (_, texel) => texel >> shift & mask | start));
  if (texture.format === "CLUT16" || texture.format === "CLUT32") {
    Array.from({ length: 256 }, (_, index) => entries.add(index & mask | start));
  }
  const most = texture.palette_format === "ABGR8888" ? 256 : 512;
  return [...entries].map((entry) => entry % most).sort((a, b) => a - b);
}
function includesSorted(sorted, value) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = low + high >> 1;
    if ((sorted[middle] ?? 0) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return sorted[low] === value;
}
export {
  create,
  reachableEntries
};
