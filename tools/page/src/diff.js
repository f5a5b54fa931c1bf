// The panel that compares two runs: their first difference, and their pictures at the selected event.

import { colorText, counted, h, hex, replace, swatch } from "pspge/dom.js";
import { amplify, comparePictures, differenceSentence, split } from "pspge/picture-difference.js";
import { pictureOf, PictureView } from "pspge/picture-view.js";
import { parseNumber, problemOfNumber, refuse } from "pspge/typed-number.js";
import { VirtualTable } from "pspge/virtual-table.js";
import { button, eventLink, field, fileName, Loader, segments, select, stackWhenNarrow, tabs } from "pspge/widgets.js";

/** @typedef {import("pspge/app.js").App} App */
/** @typedef {import("pspge/store.js").RunSpec} RunSpec */
/** @typedef {import("pspge/store.js").Selection} Selection */
/** @typedef {import("pspge/picture-view.js").Picture} Picture */
/** @typedef {"sides" | "flip" | "slider" | "heat"} Mode */
/** @typedef {"pictures" | "registers" | "values" | "pixel"} Part */

const ARITHMETICS = [
  { value: "hardware", text: "hardware (PSP)" },
  { value: "single", text: "single (emulators)" },
];

/**
 * Creates the panel that compares runs.
 * @param {App} app
 */
export function create(app) {
  const panel = new DiffPanel(app);
  return {
    id: "diff",
    title: "Diff",
    key: "8",
    element: panel.element,
    show() {},
    update: (/** @type {Selection} */ selection, /** @type {Set<string>} */ changed) => panel.update(selection, changed),
  };
}

class DiffPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {import("pspge/documents.js").DiffDocument | null} */
    this.document = null;
    /** @type {Mode} */
    this.mode = "sides";
    /** @type {(Picture | null)[]} */
    this.pictures = [null, null];
    this.isFlipped = false;
    this.column = 0.5;
    this.factor = 0;
    this.left = this.side("A", true);
    this.right = this.side("B", false);
    this.verdict = h("p", { class: "diff-verdict", "aria-live": "polite" });
    this.parts = tabs(
      "Results",
      [
        { value: "pictures", text: "Pictures" },
        { value: "registers", text: "Registers" },
        { value: "values", text: "Values" },
        { value: "pixel", text: "Pixel history" },
      ],
      (part) => this.showPart(part),
    );
    this.modes = segments(
      "Compare",
      [
        { value: "sides", text: "Side by side" },
        { value: "flip", text: "Flip (f)" },
        { value: "slider", text: "Slider" },
        { value: "heat", text: "Heat map" },
      ],
      (mode) => this.setMode(mode),
    );
    this.flipButton = button("Show B", () => this.flip(), "Flip between A and B (f)");
    this.slider = h("input", { type: "range", min: 0, max: 1000, value: 500, "aria-label": "Border between A and B", oninput: () => this.slide() });
    this.amplification = select(
      "Scale",
      [{ value: "0", text: "automatic" }, ...[1, 4, 16, 64].map((factor) => ({ value: String(factor), text: `× ${factor}` }))],
      (value) => {
        this.factor = Number(value);
        this.showPictures();
      },
    );
    this.views = ["A", "B"].map(
      (name, nth) =>
        new PictureView({
          label: name,
          onchange: () => this.follow(nth),
          onhover: (position) => this.showValues(position),
          onpick: (x, y) => app.store.set({ pixel: [x, y] }),
        }),
    );
    this.captions = ["A", "B"].map((name) => h("p", { class: "picture-caption" }, name));
    this.counts = h("p", { class: "diff-counts" });
    this.values = h("p", { class: "diff-values", "aria-live": "off" }, "\u00a0");
    this.figures = this.views.map((view, side) => h("figure", null, this.captions[side], view.element));
    this.stage = h("div", { class: "diff-stage" }, this.figures);
    this.modeControls = h("span", { class: "mode-controls" });
    this.picturePart = h(
      "div",
      { class: "diff-pictures" },
      h("div", { class: "toolbar" }, this.modes.element, this.modeControls),
      this.counts,
      this.stage,
      this.values,
    );
    this.content = h("div", { class: "diff-content", role: "tabpanel" });
    this.table = new VirtualTable({
      label: "Values that differ",
      columns: [
        { title: "value", about: "Path in the description of the draw", width: 46, grows: true, cell: (row) => row.path },
        { title: "A", width: 26, cell: (row) => row.a ?? "none" },
        { title: "B", width: 26, cell: (row) => row.b ?? "none" },
      ],
    });
    this.element = h(
      "section",
      { class: "diff-panel", "aria-label": "Diff", onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event) },
      h(
        "div",
        { class: "diff-sides" },
        this.left.element,
        button("⇄", () => this.swap(), "Swap the sides"),
        this.right.element,
      ),
      this.verdict,
      this.parts.element,
      this.content,
    );
    stackWhenNarrow(this.element, 44);
    new ResizeObserver(() => this.element.classList.toggle("is-wide", this.element.clientWidth > 900)).observe(this.element);
    this.loader = new Loader(app, "diff", this.element);
    this.pictureLoaders = [0, 1].map((side) => new Loader(app, `diff-picture-${side}`, this.stage));
    this.setMode("sides");
    this.showPart("pictures");
  }

  /**
   * Creates the fields of a side.
   * @param {string} name
   * @param {boolean} isRival Whether it is the run to compare with rather than that of the page.
   */
  side(name, isRival) {
    const change = (/** @type {Partial<RunSpec>} */ part) => this.change(isRival, part);
    const input = h("select", { "aria-label": `File of ${name}`, onchange: () => void this.chooseInput(isRival, input.value) });
    const arithmetic = select("Arithmetic", ARITHMETICS, (value) => change({ arithmetic: value === "single" ? "single" : "hardware" }));
    const edits = h("textarea", {
      rows: 2,
      spellcheck: "false",
      "aria-label": `Edits of ${name}, one in a line`,
      placeholder: "no edits",
      onchange: () => change({ edits: lines(edits.value) }),
    });
    const title = isRival ? "A: compared with" : "B: this page";
    const event = isRival ? this.rivalEventField() : null;
    const element = h(
      "fieldset",
      { class: "diff-side" },
      h("legend", null, title),
      h("div", { class: "toolbar" }, h("label", { class: "field" }, h("span", null, "File"), " ", input), arithmetic.element, event),
      edits,
    );
    return { element, input, arithmetic: arithmetic.input, edits };
  }

  /** The field for an event of A, which is then compared with the selected one of B, and a button that takes the selected one. */
  rivalEventField() {
    const { store } = this.app;
    this.rivalEvent = field("Event", { size: 6, placeholder: "same", title: "The event of A to compare with the selected event of B; empty to look for the first difference of the runs" }, (text) => {
      const problem = text === "" ? null : problemOfNumber(text, { least: 0, most: this.app.events?.count ?? 0 });
      refuse(/** @type {HTMLElement} */ (this.rivalEvent?.input), problem);
      if (problem === null) {
        this.setRivalEvent(parseNumber(text));
      }
    });
    const take = () => this.setRivalEvent(store.get().event);
    return [this.rivalEvent.element, button("Take the selected", take, "Compare the selected event with those that are selected next (v)")];
  }

  /** @param {number | null} rivalEvent */
  setRivalEvent(rivalEvent) {
    this.app.store.set({ rivalEvent });
    this.showSides();
  }

  /** The run to compare with: by default, that of the file itself. @returns {RunSpec} */
  rival() {
    const { rival, input, camera, pose } = this.app.store.get();
    const usual = { input, arithmetic: /** @type {const} */ ("hardware"), edits: [], ...(camera && { camera }), ...(pose && { pose }) };
    return rival ? { ...usual, ...rival } : usual;
  }

  /**
   * @param {boolean} isRival
   * @param {Partial<RunSpec>} part
   */
  async change(isRival, part) {
    const { store } = this.app;
    if (isRival) {
      const rival = { ...this.rival(), ...part };
      if (!part.edits?.length || (await store.isPossible(rival))) {
        store.set({ rival });
      }
    } else if (part.edits) {
      await store.setEdits(part.edits);
    } else {
      store.set(/** @type {any} */ (part));
    }
  }

  /**
   * @param {boolean} isRival
   * @param {string} value
   */
  async chooseInput(isRival, value) {
    if (value !== "open") {
      this.change(isRival, { input: Number(value) });
      return;
    }
    if (await this.app.chooseInput(1)) {
      this.change(isRival, { input: 1 });
    }
    this.showSides();
  }

  swap() {
    const { store } = this.app;
    const { input = 0, arithmetic = "hardware", edits = [] } = this.rival();
    const rival = store.run();
    store.set({ input, arithmetic: arithmetic === "single" ? "single" : "hardware", edits, rival });
  }

  /**
   * @param {Selection} selection
   * @param {Set<string>} changed
   */
  update(selection, changed) {
    if (changed.has("theme")) {
      this.views.forEach((view) => view.schedule());
    }
    this.views.forEach((view) => view.setMarker(selection.pixel));
    this.showSides();
    const [a, b] = [this.rival(), this.app.store.run()];
    const { event, rivalEvent } = selection;
    this.loadPictures(a, b);
    if (rivalEvent === null ? isSame(a, b) : rivalEvent === event && isSame(a, b)) {
      this.loader.forget();
      this.document = null;
      const same = "Both sides are the same. Make an edit, choose another arithmetic, drop a second file here, or compare two events: ";
      const next = rivalEvent === null ? "take the selected one as that of A, then select another." : "select another than that of A.";
      replace(this.verdict, same + next);
      this.showPart(this.parts.get());
      return;
    }
    if (this.loader.key === null) {
      replace(this.verdict, "Comparing.");
    }
    void this.loader.load(
      { request: "diff", a, b, events: rivalEvent === null ? null : [rivalEvent, event] },
      ({ json }) => this.setDocument(json.document),
      (message) => {
        this.document = null;
        replace(this.verdict, message);
      },
    );
  }

  showSides() {
    const { app } = this;
    const { rivalEvent } = app.store.get();
    if (this.rivalEvent && document.activeElement !== this.rivalEvent.input) {
      this.rivalEvent.input.value = rivalEvent === null ? "" : String(rivalEvent);
    }
    const files = [
      { value: "0", text: fileName(app.input?.name ?? "the file") },
      app.rival ? { value: "1", text: fileName(app.rival.name) } : null,
      { value: "open", text: app.rival ? "Open another second file…" : "Open a second file…" },
    ];
    for (const [side, run] of /** @type {[typeof this.left, RunSpec][]} */ ([
      [this.left, this.rival()],
      [this.right, app.store.run()],
    ])) {
      replace(
        side.input,
        files.map((file) => file && h("option", { value: file.value }, file.text)),
      );
      side.input.value = String(run.input ?? 0);
      side.arithmetic.value = run.arithmetic ?? "hardware";
      if (document.activeElement !== side.edits) {
        side.edits.value = (run.edits ?? []).join("\n");
      }
    }
  }

  /** @param {import("pspge/documents.js").DiffDocument} document */
  setDocument(document) {
    this.document = document;
    const { app } = this;
    const leftOut = [document.a_is_left_out && "A", document.b_is_left_out && "B"].filter(Boolean);
    replace(
      this.verdict,
      h("strong", null, sentence(document.text)),
      " ",
      document.event !== null && ["Go to ", eventLink(app, document.event), ". "],
      leftOut.length > 0 && `An edit of ${leftOut.join(" and ")} leaves it out. `,
      document.is_other_event && "The events themselves differ. ",
      document.byte_count !== null &&
        document.is_different &&
        `${counted(document.byte_count, "byte")} of memory ${document.byte_count === 1 ? "differs" : "differ"} after it.`,
    );
    this.parts.setText("registers", `Registers (${document.registers.length + document.matrices.length})`);
    this.parts.setText("values", `Values (${document.value_count})`);
    this.parts.enable(document.a_pixel || document.b_pixel ? ["pictures", "registers", "values", "pixel"] : ["pictures", "registers", "values"]);
    this.showPart(this.parts.get());
  }

  /** @param {Part} part */
  showPart(part) {
    const { document } = this;
    if (part === "pictures") {
      replace(this.content, this.picturePart);
      this.showPictures();
    } else if (!document) {
      replace(this.content, h("p", { class: "panel-message" }, "There is no difference to show."));
    } else if (part === "registers") {
      replace(this.content, h("div", { class: "scroll" }, registerTables(document)));
    } else if (part === "values") {
      const { value_count: total, values } = document;
      const rest =
        total > values.length ? `The first ${values.length} of ${total} values that differ.` : counted(total, "value that differs", "values that differ");
      replace(this.content, h("div", { class: "diff-values-part" }, h("p", { class: "muted" }, rest), this.table.element));
      this.table.setItems(values);
      this.table.resize();
    } else {
      const { a_pixel: a, b_pixel: b } = document;
      replace(this.content, h("div", { class: "diff-histories" }, this.history("A", a, b), this.history("B", b, a)));
    }
  }

  /**
   * @param {string} name
   * @param {import("pspge/documents.js").PixelDocument | null} pixel
   * @param {import("pspge/documents.js").PixelDocument | null} other That of the other side.
   */
  history(name, pixel, other) {
    if (!pixel) {
      return h("section", null, h("h3", null, name), h("p", { class: "muted" }, "This run has no such pixel."));
    }
    const results = new Map(other?.entries.map((entry) => [entry.event, entry.after.bits]));
    const color = (/** @type {number[]} */ value) => h("td", { class: "color" }, swatch(value), h("code", null, colorText(value)));
    const rows = pixel.entries.slice(-200).map((entry) => {
      const isOther = other && results.get(entry.event) !== entry.after.bits;
      return h(
        "tr",
        { class: isOther ? "is-changing" : "" },
        h("td", null, eventLink(this.app, entry.event)),
        color(entry.before.color),
        color(entry.after.color),
        h("td", null, isOther && h("strong", null, "Differs: "), entry.verdict),
      );
    });
    const heads = ["event", "before", "after", "effect"].map((text) => h("th", { scope: "col" }, text));
    return h(
      "section",
      null,
      h("h3", null, `${name}: pixel ${pixel.x}, ${pixel.y}`),
      h("p", null, sentence(pixel.verdict)),
      h("table", { class: "plain-table" }, h("thead", null, h("tr", null, heads)), h("tbody", null, rows)),
    );
  }

  /**
   * @param {RunSpec} a
   * @param {RunSpec} b
   */
  loadPictures(a, b) {
    const { event, after, view, target, rivalEvent } = this.app.store.get();
    /** @type {import("pspge/documents.js").PictureSource} */
    const source = target && view === "color" ? { kind: "memory", ...target } : { kind: view };
    for (const [side, run] of [a, b].entries()) {
      void this.pictureLoaders[side]?.load(
        { request: "picture", run, at: { event: side === 0 ? (rivalEvent ?? event) : event, after }, source },
        (answer) => {
          this.pictures[side] = pictureOf(answer);
          this.showPictures();
        },
        () => {
          this.pictures[side] = null;
          this.showPictures();
        },
      );
    }
  }

  /** @param {Mode} mode */
  setMode(mode) {
    this.mode = mode;
    // Both stay in the page, so that the focus does.
    this.figures[1]?.toggleAttribute("hidden", mode !== "sides");
    this.stage.classList.toggle("is-double", mode === "sides");
    const controls = { sides: null, flip: this.flipButton, slider: this.slider, heat: this.amplification.element };
    replace(this.modeControls, controls[mode]);
    this.showPictures();
  }

  showPictures() {
    const [a, b] = this.pictures;
    const [view, other] = this.views;
    if (!view || !other) {
      return;
    }
    view.setHeat(null);
    const caption = (/** @type {string} */ text) => replace(/** @type {Element} */ (this.captions[0]), text);
    caption("A");
    if (!a || !b || a.pixels !== b.pixels) {
      view.setPicture(a ?? null);
      other.setPicture(b ?? null);
      this.counts.textContent = "";
      return;
    }
    const difference = comparePictures(a, b);
    this.counts.textContent = differenceSentence(difference);
    other.setPicture(b);
    if (this.mode === "flip") {
      view.setPicture(this.isFlipped ? b : a);
      caption(this.isFlipped ? "B" : "A");
    } else if (this.mode === "slider") {
      view.setPicture(split(a, b, Math.round(this.column * a.width)));
      caption("A on the left, B on the right");
    } else if (this.mode === "heat" && this.factor > 0) {
      view.setPicture(amplify(a, b, this.factor));
      caption(`Difference of each channel, × ${this.factor}`);
    } else if (this.mode === "heat") {
      view.setPicture(b);
      view.setHeat({ width: difference.width, height: difference.height, values: difference.values, largest: Math.max(1, difference.largest) });
      const what = a.pixels === "depth16" ? "Difference of the depth" : "Largest difference of red, green or blue";
      caption(difference.largest > 0 ? `${what}: violet is 1, yellow is ${difference.largest}` : what);
    } else {
      view.setPicture(a);
    }
  }

  flip() {
    this.isFlipped = !this.isFlipped;
    this.flipButton.textContent = this.isFlipped ? "Show A" : "Show B";
    this.showPictures();
    this.app.announce(this.isFlipped ? "B" : "A");
  }

  slide() {
    this.column = Number(this.slider.value) / 1000;
    this.showPictures();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const isText = event.target instanceof HTMLElement && event.target.matches("textarea, select, input[type=text]");
    if (event.key !== "f" || isText || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    if (this.mode !== "flip") {
      this.modes.set("flip");
      this.setMode("flip");
    }
    this.flip();
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Gives the other view the zoom and the place of a view.
   * @param {number} side
   */
  follow(side) {
    const [from, to] = [this.views?.[side], this.views?.[1 - side]];
    if (!from || !to || this.mode !== "sides") {
      return;
    }
    to.follow(from);
  }

  /** @param {[number, number] | null} position */
  showValues(position) {
    const values = position && this.pictures.map((picture) => (picture ? valueOf(picture, ...position) : null));
    this.values.textContent = position && values ? `${position[0]}, ${position[1]}: A ${values[0] ?? "–"}, B ${values[1] ?? "–"}` : "\u00a0";
  }
}

/**
 * @param {Picture} picture
 * @param {number} x
 * @param {number} y
 */
function valueOf({ width, height, pixels, data }, x, y) {
  if (x >= width || y >= height) {
    return null;
  }
  const at = y * width + x;
  return pixels === "depth16" ? String(data[at]) : colorText([...data.subarray(at * 4, at * 4 + 4)]);
}

/**
 * @param {string} text
 * @returns {string[]}
 */
function lines(text) {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/**
 * @param {RunSpec} a
 * @param {RunSpec} b
 */
function isSame(a, b) {
  const whole = (/** @type {RunSpec} */ run) =>
    JSON.stringify([run.input ?? 0, run.arithmetic ?? "hardware", run.edits ?? [], run.camera ?? null, run.pose ?? null]);
  return whole(a) === whole(b);
}

/**
 * Begins a text with a capital and ends it with a full stop.
 * @param {string} text
 */
function sentence(text) {
  const end = /[.!?]$/.test(text) ? "" : ".";
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}

/** @param {import("pspge/documents.js").DiffDocument} document */
function registerTables(document) {
  const { registers, matrices } = document;
  if (registers.length + matrices.length === 0) {
    return h("p", { class: "panel-message" }, "Registers and matrices are the same at this event.");
  }
  const writer = (/** @type {import("pspge/documents.js").WriterInfo | null} */ info) =>
    info === null
      ? "an edit"
      : info.kind === "command"
        ? `command ${info.command} at ${hex(info.address)}`
        : info.kind === "cpu"
          ? `the CPU, action ${info.record}`
          : "the start of the run";
  const rows = registers.map((row) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, row.register),
      h("td", { class: "value" }, row.a_text),
      h("td", { class: "value" }, row.b_text),
      h("td", null, writer(row.a_writer)),
      h("td", null, writer(row.b_writer)),
    ),
  );
  const elements = matrices.flatMap((matrix) =>
    matrix.elements.map((/** @type {number} */ element, /** @type {number} */ nth) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, `${matrix.matrix}[${element}]`),
        h("td", { class: "value" }, matrix.a[element] ?? "not finite"),
        h("td", { class: "value" }, matrix.b[element] ?? "not finite"),
        h("td", null, writer(matrix.a_writers[nth] ?? null)),
        h("td", null, writer(matrix.b_writers[nth] ?? null)),
      ),
    ),
  );
  const heads = ["register", "A", "B", "written in A by", "written in B by"].map((text) => h("th", { scope: "col" }, text));
  return h("table", { class: "plain-table" }, h("thead", null, h("tr", null, heads)), h("tbody", null, rows, elements));
}
