// pixel.js
import { colorText, counted, h, hex, keepFocus, replace, reveal, swatch } from "pspge/dom.js";
import { fragmentSteps } from "pspge/fragment-steps.js";
import { keyOf } from "pspge/keys.js";
import { storedComponents } from "pspge/picture-pixels.js";
import { numberInput, parseNumber } from "pspge/typed-number.js";
var MEMBERS = ["panel", "pixel", "target", "edits", "arithmetic", "input", "events", "camera", "pose"];
var SHOWN = 200;
function create(app) {
  const { store } = app;
  let document_ = null;
  let isOnlyWritten = false;
  let shownEntries = SHOWN;
  const size = () => app.shownBuffer() ?? { width: 1, height: 1 };
  const column = numberInput({ most: () => size().width - 1, class: "coordinate", "aria-label": "Column" }, pick);
  const row = numberInput({ most: () => size().height - 1, class: "coordinate", "aria-label": "Row" }, pick);
  const target = h("span", { class: "muted" });
  const onlyWritten = h("input", { type: "checkbox" });
  const verdict = h("div", { class: "verdict", role: "status" });
  const entries = h("ol", { class: "history" });
  const hint = h(
    "p",
    { class: "muted" },
    "Click a pixel in the picture, or write its column and row above. The arrow keys with Ctrl move it."
  );
  const element = h(
    "div",
    { class: "panel pixel-panel" },
    h(
      "div",
      { class: "pane-head" },
      h("label", null, "x ", column),
      h("label", null, "y ", row),
      target,
      h("span", { class: "spacer" }),
      h("label", { class: "check" }, onlyWritten, "only changes")
    ),
    h("div", { class: "scroll" }, verdict, hint, entries)
  );
  function pick() {
    const [x, y] = [parseNumber(column.value), parseNumber(row.value)];
    if (x !== null && y !== null) {
      store.set({ pixel: [x, y] });
    }
  }
  onlyWritten.addEventListener("change", () => {
    isOnlyWritten = onlyWritten.checked;
    showEntries();
    markSelected();
  });
  function showVerdict() {
    if (!document_) {
      return;
    }
    const { before, after, writer, verdict: text, is_complete: isComplete, entries: all, draws } = document_;
    const link = writer === null ? null : eventLink(writer, drawOf(writer), "Show the event that wrote it");
    const written = all.filter((entry) => entry.written).length;
    replace(
      verdict,
      h("p", { class: "verdict-text" }, capital(verdictOf(text)), "."),
      h("p", null, valueText(before), " → ", valueText(after), link && [" last written by ", link]),
      h(
        "p",
        { class: "muted" },
        `${counted(all.length, "event")} of a run with ${counted(draws, "draw")} touched the pixel, ${written} wrote it. `,
        h("kbd", null, keyOf("nextPixelEvent")),
        " and ",
        h("kbd", null, keyOf("previousPixelEvent")),
        " step through these."
      ),
      isComplete ? null : h("p", { class: "problem" }, "A limit ended the explanations, so that events may be missing.")
    );
  }
  function drawOf(event) {
    return app.events?.events[event]?.draw ?? null;
  }
  function eventLink(event, draw, title) {
    return h(
      "button",
      {
        type: "button",
        class: "link",
        title,
        "data-focus": `event ${event}`,
        onclick: () => app.selectEvent(event, { after: true })
      },
      draw === null ? `event ${event}` : `draw ${draw}`
    );
  }
  function showEntries() {
    if (!document_) {
      return;
    }
    const listed = document_.entries.filter((entry) => entry.written || !isOnlyWritten);
    const writer = document_.writer;
    const newest = listed.toReversed();
    const more = newest.length - shownEntries;
    const shown = [
      newest.slice(0, shownEntries).map(
        (entry, index) => entryElement(entry, {
          isWriter: entry.event === writer,
          isOpen: writer === null ? index === 0 : entry.event === writer
        })
      ),
      more > 0 && h(
        "li",
        null,
        h(
          "button",
          { type: "button", "data-focus": "more", onclick: () => (shownEntries += SHOWN, showEntries()) },
          `Show ${Math.min(more, SHOWN)} earlier of ${more}`
        )
      )
    ];
    keepFocus(entries, () => replace(entries, shown));
  }
  function markSelected() {
    const { event } = store.get();
    for (
      const item of
      /** @type {NodeListOf<HTMLElement>} */
      entries.querySelectorAll(".entry")
    ) {
      const isSelected = item.dataset.event === String(event);
      item.classList.toggle("is-selected", isSelected);
      item.setAttribute("aria-current", String(isSelected));
      if (isSelected) {
        item.querySelector("details")?.setAttribute("open", "");
        reveal(item);
      }
    }
  }
  function entryElement(entry, { isWriter, isOpen }) {
    const kind = entry.kind === "draw" ? entry.primitive : entry.kind === "cpu" ? `action of the CPU: ${entry.action}` : "block transfer";
    const change = entry.written ? [
      swatch(entry.before.color),
      h("span", { class: "mono" }, `${storedText(entry.before.color)} → `),
      swatch(entry.after.color),
      h("span", { class: "mono" }, storedText(entry.after.color))
    ] : h("span", { class: "muted" }, "not written");
    const item = h(
      "li",
      { class: `entry${entry.written ? " is-written" : " is-kept"}`, "data-event": entry.event },
      h(
        "div",
        { class: "entry-head" },
        eventLink(entry.event, entry.draw, "Select this event"),
        h("span", { class: "muted" }, ` ${kind}`),
        isWriter && h("span", { class: "badge" }, "last writer"),
        h("span", { class: "spacer" }),
        h("span", { class: "entry-change" }, change)
      ),
      h("p", { class: "entry-verdict" }, capital(withoutDraw(verdictOf(entry.verdict))), "."),
      entry.from === null || entry.from === void 0 ? null : h("p", { class: "muted" }, "copied from ", h("span", { class: "mono" }, hex(entry.from)))
    );
    if (entry.fragments.length > 0) {
      item.append(fragmentsElement(entry, isOpen));
    }
    return item;
  }
  function fragmentsElement(entry, isOpen) {
    const { fragments } = entry;
    const holder = h("div", { class: "fragments" });
    const build = () => {
      if (holder.childElementCount === 0) {
        replace(
          holder,
          fragments.map(
            (fragment) => fragmentSteps(fragment, app, {
              event: entry.event,
              isOnly: fragments.length === 1,
              format: document_?.target.format ?? ""
            })
          )
        );
      }
    };
    const details = h(
      "details",
      null,
      h(
        "summary",
        null,
        fragments.length === 1 ? "Its fragment, step by step" : `${fragments.length} fragments, step by step`
      ),
      holder
    );
    details.addEventListener("toggle", () => details.open && build());
    if (isOpen) {
      build();
      details.open = true;
    }
    return details;
  }
  function valueText({ bits, color }) {
    return [swatch(color), h("span", { class: "mono", title: `stored as ${hex(bits)}` }, storedText(color))];
  }
  function storedText(color) {
    return colorText(storedComponents(color, document_?.target.format));
  }
  function verdictOf(text) {
    return document_?.target.format === "BGR5650" ? text.replace(/(#[0-9a-f]{6})[0-9a-f]{2}\b/g, "$1") : text;
  }
  return {
    id: "pixel",
    title: "Pixel",
    key: "2",
    element,
    show() {
    },
    /**
     * @param {import("pspge/store.js").Selection} selection
     * @param {Set<string>} changed
     */
    async update(selection, changed) {
      const { pixel } = selection;
      column.value = pixel ? String(pixel[0]) : "";
      row.value = pixel ? String(pixel[1]) : "";
      const buffer = app.shownBuffer();
      target.textContent = buffer ? `in ${hex(buffer.address)} ${buffer.format}` : "";
      hint.hidden = pixel !== null;
      if (!pixel) {
        document_ = null;
        verdict.replaceChildren();
        entries.replaceChildren();
        return;
      }
      if (![...changed].some((name) => MEMBERS.includes(name)) && !changed.has("event")) {
        return;
      }
      element.classList.add("is-loading");
      try {
        const loaded = await app.pixelHistory();
        if (!loaded) {
          return;
        }
        if (loaded !== document_) {
          shownEntries = SHOWN;
          document_ = loaded;
          showVerdict();
          showEntries();
        }
        markSelected();
      } finally {
        element.classList.remove("is-loading");
      }
    }
  };
}
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, "");
}
function withoutDraw(verdict) {
  return verdict.replace(/^(?:draw|event) \d+(?: of \d+)?[,:] /i, "");
}
export {
  create
};
