// The panel Frame: the run at a glance. Passes, the costliest draws, problems, and questions to start with.

import { allNotes } from "pspge/dialogs.js";
import { count, counted, h, hex, iconButton, keepFocus, replace } from "pspge/dom.js";
import { groupEvents } from "pspge/event-groups.js";
import { nameOf } from "pspge/event-names.js";
import { keyOf } from "pspge/keys.js";
import { button, eventLink, paint, requestPicture } from "pspge/widgets.js";
import { takeWish } from "pspge/wishes.js";

/** @typedef {import("pspge/app-types.js").App} App */
/** @typedef {import("pspge/event-groups.js").Group} Group */

/** How many passes and draws are listed. */
const PASSES = 12;
const COSTLIEST = 5;
const PROBLEMS = 8;
/** Longest note, because addresses have to stay short. */
const NOTE_MOST = 200;
/** Largest width and height of the small pictures, in pixels of the buffer. */
const SIZE = 96;

/**
 * Creates the panel.
 * @param {App} app
 */
export function create(app) {
  const content = h("div", { class: "scroll" });
  const element = h("div", { class: "panel frame-panel" }, content);

  function show() {
    const events = app.events?.events ?? [];
    const passes = /** @type {Group[]} */ (groupEvents(events).filter((part) => "rows" in part));
    const draws = events.filter(({ draw }) => draw !== null).sort((a, b) => b.cost - a.cost);
    const total = events.reduce((sum, { cost }) => sum + cost, 0);
    const facts = [counted(draws.length, "draw"), counted(passes.length, "pass", "passes"), counted(events.length, "event")];
    replace(
      content,
      h("p", null, h("strong", null, facts.join(", ")), `. The run: ${app.events?.ended ?? ""}${app.events?.is_complete ? "" : "; it is not complete"}.`),
      questions(draws[0]),
      h("h2", null, "Notes"),
      notes(),
      h("h2", null, "Passes"),
      passList(passes, total),
      h("h2", null, "Costliest draws"),
      costliest(draws, total),
      h("h2", null, "Problems"),
      problems(),
    );
  }

  /** The notes on events, which travel in the address of the page, and a field for another one. */
  function notes() {
    const { store } = app;
    const { notes: known, event } = store.get();
    const rows = known.map((note) => {
      const text = h("input", { type: "text", value: note.text, maxlength: NOTE_MOST, "aria-label": `Note on event ${note.event}`, onchange: () => set(known.map((other) => (other === note ? { ...note, text: text.value } : other))) });
      return h("li", null, eventLink(app, note.event), " ", text, iconButton("close", "Remove this note", () => set(known.filter((other) => other !== note))));
    });
    const set = (/** @type {typeof known} */ changed) => store.set({ notes: changed });
    const add = () => {
      const text = field.value.trim();
      if (text !== "") {
        set([...known, { event: store.get().event, text }]);
      }
    };
    const field = h("input", {
      type: "text",
      class: "note-field",
      maxlength: NOTE_MOST,
      placeholder: "What is to be seen here?",
      "aria-label": "New note on the selected event",
      onkeydown: (/** @type {KeyboardEvent} */ key) => key.key === "Enter" && add(),
    });
    return h(
      "div",
      { class: "frame-notes" },
      rows.length > 0 && h("ul", null, rows),
      h("p", null, h("label", null, `Event ${event}: `, field), " ", button("Add", add, "Keep this note and the event in the address of the page (b)")),
    );
  }

  /** @param {import("pspge/app-types.js").EventRow | undefined} worst the costliest draw */
  function questions(worst) {
    const buffer = app.shownBuffer();
    const middle = /** @type {const} */ ([(buffer?.width ?? 0) >> 1, (buffer?.height ?? 0) >> 1]);
    return h(
      "div",
      { class: "frame-questions", role: "group", "aria-label": "Questions" },
      button("Which draws made this pixel?", () => app.pickPixel(...middle), "Picks the pixel in the middle; click another one in the picture"),
      button("Which draws show nothing, and why?", () => app.filterEvents("fate:killed,empty"), "Lists the draws without a fragment that passes all tests"),
      button("What is the costliest draw?", () => worst && (app.filterEvents("top:20"), app.selectEvent(worst.event), app.openPanel("state")), "Lists the 20 events that cost most, and selects the first"),
    );
  }

  /**
   * @param {Group[]} passes
   * @param {number} total
   */
  function passList(passes, total) {
    const rows = passes.slice(0, PASSES).map((pass) => {
      const last = pass.rows.findLast(({ draw }) => draw !== null);
      const buffer = pass.buffer === null ? null : app.events?.buffers[pass.buffer];
      const canvas = h("canvas", { class: "frame-picture", "aria-hidden": true, width: 0, height: 0 });
      if (last) {
        void picture(canvas, last.event);
      }
      return h(
        "li",
        null,
        h(
          "button",
          { type: "button", class: "frame-pass", title: "Select the last draw of this pass", onclick: () => last && app.selectEvent(last.event) },
          canvas,
          h("span", null, h("strong", null, `Pass ${pass.pass}`), ` · ${counted(pass.draws, "draw")} · ${share(pass.cost, total)} of the cost`),
          h("span", { class: "mono muted" }, buffer ? `${hex(buffer.address)} ${buffer.format} ${buffer.width}×${buffer.height}` : ""),
        ),
      );
    });
    const rest = passes.length - rows.length;
    return h("ol", { class: "frame-passes" }, rows, rest > 0 && h("li", null, button(`${count(rest)} more passes`, () => app.openPanel("passes"))));
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {number} event
   */
  async function picture(canvas, event) {
    // A small picture is a help only: its errors would be in the way.
    const request = /** @type {const} */ ({ run: app.store.run(), at: { event, after: true }, source: { kind: "color" }, max: SIZE });
    const answer = await requestPicture(app, request).catch(() => null);
    if (answer && answer.width > 0) {
      paint(canvas, answer.width, answer.height, answer.pixels);
    }
  }

  /**
   * @param {import("pspge/app-types.js").EventRow[]} draws the costliest first
   * @param {number} total
   */
  function costliest(draws, total) {
    const rows = draws.slice(0, COSTLIEST);
    return h(
      "ol",
      { class: "frame-draws" },
      rows.map((row) => h("li", null, eventLink(app, row.event), ` ${nameOf(row)} · ${share(row.cost, total)}`)),
    );
  }

  function problems() {
    const found = allNotes(app).filter(({ severity }) => severity === "problem");
    if (found.length === 0) {
      return h("p", { class: "muted" }, "None: nothing is missing, guessed or left out.");
    }
    const rest = found.length - PROBLEMS;
    return h(
      "ul",
      null,
      found.slice(0, PROBLEMS).map(({ message, count: times }) => h("li", null, message, times > 1 && ` (${counted(times, "time")})`)),
      rest > 0 && h("li", null, `${count(rest)} more in the notes above.`),
    );
  }

  return {
    id: "frame",
    title: "Frame",
    key: keyOf("frame"),
    element,
    show() {},
    /**
     * @param {import("pspge/store.js").Selection} _
     * @param {Set<string>} changed
     */
    update(_, changed) {
      if (app.events && (changed.has("events") || content.childElementCount === 0)) {
        show();
      } else if (app.events && ["notes", "event"].some((name) => changed.has(name))) {
        // A text that is being written stays.
        const text = content.querySelector("input.note-field");
        if (changed.has("notes") || !(text instanceof HTMLInputElement) || text.value === "") {
          keepFocus(content, () => content.querySelector(".frame-notes")?.replaceWith(notes()));
        }
      }
      if (takeWish(app, "frame")?.isNote) {
        /** @type {HTMLElement | null} */ (content.querySelector("input.note-field"))?.focus();
      }
    },
  };
}

/**
 * @param {number} part
 * @param {number} whole
 */
function share(part, whole) {
  const percent = (100 * part) / Math.max(1, whole);
  return percent < 1 ? "less than 1 %" : `${Math.round(percent)} %`;
}
