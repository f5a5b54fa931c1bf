// The list of events: all draws, transfers and actions of the CPU, in groups of their passes, with a filter.

import { count, counted, debounce, h, hex, icon, iconButton, replace } from "pspge/dom.js";
import { parseFilter, TERMS } from "pspge/event-filter.js";
import { groupEvents, listRows } from "pspge/event-groups.js";
import { keyOf } from "pspge/keys.js";
import { placeBelow } from "pspge/layout.js";
import { showThumbnails } from "pspge/thumbnails.js";
import { VirtualList } from "pspge/virtual-list.js";

/** @typedef {import("pspge/app.js").EventRow} EventRow */
/** @typedef {import("pspge/event-groups.js").ListRow} ListRow */

const KIND_NAMES = {
  draw: "draw",
  patch: "patch",
  immediate: "draw of registers",
  transfer: "block transfer",
  cpu: "action of the CPU",
};

/**
 * Creates the list of events.
 * @param {import("pspge/app.js").App} app
 */
export function create(app) {
  const { store } = app;
  /** @type {ListRow[]} */
  let rows = [];
  /** @type {ReturnType<typeof groupEvents>} */
  let parts = [];
  /** @type {Set<number>} Passes whose groups are closed. */
  const closed = new Set();
  let filter = parseFilter("");
  let largestCost = 1;

  const field = h("input", {
    type: "search",
    class: "filter-field",
    placeholder: `Filter (${keyOf("filter")})`,
    "aria-label": "Filter events",
    "aria-describedby": "filter-problems",
    spellcheck: false,
    autocomplete: "off",
  });
  const problems = h("p", { class: "problem", id: "filter-problems", role: "status", hidden: true });
  const matches = h("span", { class: "muted matches" });
  const help = filterHelp((example) => {
    field.value = field.value.trim() === "" ? example : `${field.value.trim()} ${example}`;
    applyFilter();
    field.focus();
  });
  const list = new VirtualList({
    label: "Events",
    role: "treegrid",
    rowRole: "row",
    rowHeight: 1.55,
    render: (index) => renderRow(rows[index]),
    onactive: (index) => selectRow(index),
    onenter: (index) => toggleGroup(index),
    onkey: (event, index) => rowKey(event, index),
  });
  const all = h(
    "span",
    { class: "button-group" },
    iconButton("down", "Open all groups", () => setClosed([])),
    iconButton("right", "Close all groups", () =>
      setClosed(parts.flatMap((part) => ("rows" in part ? [part.pass] : []))),
    ),
  );
  const element = h(
    "section",
    { class: "events", "aria-label": "Events" },
    h("div", { class: "pane-head" }, field, help, all),
    h("div", { class: "events-facts" }, matches),
    problems,
    list.element,
  );

  const announceMatches = debounce(600, () => app.announce(`${matches.textContent}`));
  const applyFilter = () => {
    filter = parseFilter(field.value);
    problems.hidden = filter.problems.length === 0;
    replace(problems, filter.problems.join(". "));
    field.setAttribute("aria-invalid", String(filter.problems.length > 0));
    build();
    if (field.value.trim() !== "") {
      announceMatches();
    }
  };
  field.addEventListener("input", debounce(80, applyFilter));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      focusList();
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (field.value === "") {
        list.element.focus();
      }
      field.value = "";
      applyFilter();
    }
  });

  /** Moves the focus to the list, and to the first match if the selected event is none. */
  function focusList() {
    list.element.focus();
    if (list.active < 0 || rows[list.active]?.kind === "group") {
      const first = rows.findIndex((row) => row.kind === "event");
      if (first >= 0) {
        list.activate(first);
      }
    }
  }

  showThumbnails(app, list.element, (mouse) => {
    const target = /** @type {Element} */ (mouse.target);
    const index = Number(/** @type {HTMLElement | null} */ (target.closest?.(".virtual-row"))?.dataset.index ?? -1);
    const row = rows[index];
    return row?.kind === "event" && row.row.draw !== null && !target.closest("button")
      ? { event: row.row.event, text: tooltip(row.row) }
      : null;
  });

  /** Builds the rows anew, after the events, the filter or the groups have changed. */
  function build() {
    const { buffers = [] } = app.events ?? {};
    const isFiltered = filter.tests.length > 0;
    const isMatch = (/** @type {EventRow} */ row) => filter.tests.every((test) => test(row, buffers));
    rows = listRows(parts, { isMatch, isFiltered, closed });
    const total = app.events?.count ?? 0;
    const matching = isFiltered ? (app.events?.events.filter(isMatch).length ?? 0) : total;
    matches.textContent = !app.events
      ? ""
      : isFiltered
        ? `${count(matching)} of ${counted(total, "event")} match`
        : counted(total, "event");
    list.setCount(rows.length);
    markSelected();
  }

  function markSelected() {
    const { event } = store.get();
    list.setActive(rows.findIndex((row) => eventOf(row) === event));
  }

  /** @param {number} index */
  function selectRow(index) {
    const event = eventOf(rows[index]);
    if (event !== null) {
      app.selectEvent(event);
    }
  }

  /**
   * Returns the number that a row selects: of its event, or of the end; null for groups.
   * @param {ListRow | undefined} row
   */
  function eventOf(row) {
    if (row?.kind === "event") {
      return row.row.event;
    }
    return row?.kind === "end" ? (app.events?.count ?? null) : null;
  }

  /** @param {number} index */
  function toggleGroup(index) {
    const row = rows[index];
    if (row?.kind === "group") {
      row.isOpen ? closed.add(row.group.pass) : closed.delete(row.group.pass);
      build();
      list.setActive(index);
    }
  }

  /** @param {number[]} passes */
  function setClosed(passes) {
    closed.clear();
    for (const pass of passes) {
      closed.add(pass);
    }
    build();
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number} index
   */
  function rowKey(event, index) {
    const row = rows[index];
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") {
      return false;
    }
    const opens = event.key === "ArrowRight";
    if (row?.kind === "group" && row.isOpen !== opens) {
      toggleGroup(index);
      return true;
    }
    if (row?.kind === "event" && row.isInGroup && !opens) {
      const head = rows.findLastIndex((other, position) => position < index && other.kind === "group");
      list.activate(head);
      return true;
    }
    return false;
  }

  /** @param {ListRow | undefined} row */
  function renderRow(row) {
    if (!row) {
      return h("div");
    }
    if (row.kind === "end") {
      return h(
        "div",
        { class: "event-row", role: "row", "aria-level": 1 },
        h("span", { role: "gridcell", class: "event-icon" }, icon("last")),
        h("span", { role: "gridcell", class: "event-text muted" }, "End of the run"),
      );
    }
    return row.kind === "group" ? renderGroup(row) : renderEvent(row);
  }

  /** @param {ListRow & {kind: "group"}} row */
  function renderGroup({ group, isOpen }) {
    const buffer = group.buffer === null ? null : app.events?.buffers[group.buffer];
    const target = buffer ? `${hex(buffer.address)} ${buffer.format}` : "";
    const element = h(
      "div",
      {
        class: "event-group",
        role: "row",
        "aria-level": 1,
        "aria-expanded": String(isOpen),
        title: `Pass ${group.pass}: ${counted(group.draws, "draw")} to ${target}, cost ${count(group.cost)}`,
      },
      h("span", { role: "gridcell", class: "group-name" }, icon(isOpen ? "down" : "right"), `Pass ${group.pass}`),
      h("span", { role: "gridcell", class: "mono muted group-target" }, target),
      h("span", { role: "gridcell", class: "muted" }, counted(group.draws, "draw")),
    );
    element.addEventListener("click", () => toggleGroup(Number(element.dataset.index)));
    return element;
  }

  /** @param {ListRow & {kind: "event"}} listRow */
  function renderEvent({ row, isInGroup }) {
    const bar = h("span", { class: "cost-bar" });
    // The square root keeps small costs visible next to those of full screens.
    bar.style.width = `${Math.ceil(100 * Math.sqrt(row.cost / largestCost))}%`;
    const isSkipped = row.is_left_out;
    const isSolo = store.get().edits.includes(`--solo ${row.draw}`);
    const isOwn = store.get().edits.includes(`--skip event:${row.event}`);
    const skip =
      isSkipped && !isOwn
        ? iconButton("skip", "An edit leaves this event out. Show the edits", () => app.openPanel("edits"), {
            tabindex: -1,
          })
        : iconButton(
            isOwn ? "skip" : "show",
            isOwn ? "Run this event again" : `Skip this event (${keyOf("skip")})`,
            () => toggleSkip(row.event),
            { tabindex: -1, "aria-pressed": String(isOwn) },
          );
    const solo =
      row.draw === null
        ? null
        : iconButton(
            "solo",
            isSolo ? "Run all draws again" : `Run this draw alone (${keyOf("solo")})`,
            () => toggleSolo(row.event),
            { tabindex: -1, "aria-pressed": String(isSolo) },
          );
    const isEmpty = row.draw !== null && row.covered === 0 && !isSkipped;
    return h(
      "div",
      {
        class: `event-row kind-${row.kind}${isSkipped ? " is-left-out" : ""}${isEmpty ? " is-empty" : ""}`,
        role: "row",
        "aria-level": isInGroup ? 2 : 1,
      },
      h(
        "span",
        { role: "gridcell", class: "event-icon", title: row.is_clear ? "clear" : KIND_NAMES[row.kind] },
        icon(row.is_clear ? "clear" : row.kind),
      ),
      h(
        "span",
        {
          role: "gridcell",
          class: "event-number mono",
          title: `Event ${row.event}${row.draw === null ? "" : `, draw ${row.draw}`}`,
        },
        row.draw === null ? `e${row.event}` : row.draw,
      ),
      h(
        "span",
        { role: "gridcell", class: "event-text" },
        isSkipped && h("em", null, "skipped "),
        h("span", { class: "event-words" }, row.text),
        isEmpty && h("em", null, " no pixels"),
      ),
      h(
        "span",
        {
          role: "gridcell",
          class: "event-cost",
          title: `Cost ${count(row.cost)}: as many pixels of a plain draw`,
          "aria-label": `cost ${row.cost}`,
        },
        bar,
      ),
      h("span", { role: "gridcell", class: "event-actions" }, solo, skip),
    );
  }

  /** @param {EventRow} row */
  function tooltip(row) {
    const texture = row.texture ? `, texture ${row.texture.width}×${row.texture.height} ${row.texture.format}` : "";
    return `Event ${row.event}, draw ${row.draw}: ${counted(row.covered, "fragment")}, cost ${count(row.cost)}${texture}`;
  }

  /**
   * Adds or removes the edit that leaves an event out.
   * @param {number} event
   */
  function toggleSkip(event) {
    const edit = `--skip event:${event}`;
    const index = store.get().edits.indexOf(edit);
    if (event >= (app.events?.count ?? 0)) {
      return;
    }
    index < 0 ? store.addEdit(edit) : store.removeEdit(index);
    app.announce(index < 0 ? `Event ${event} is skipped.` : `Event ${event} runs again.`);
  }

  /**
   * Adds or removes the edit that runs a draw alone.
   * @param {number} event
   */
  function toggleSolo(event) {
    const draw = app.events?.events[event]?.draw ?? null;
    if (draw === null) {
      app.announce("Only draws run alone.");
      return;
    }
    const edit = `--solo ${draw}`;
    const { edits } = store.get();
    const others = edits.filter((other) => !other.startsWith("--solo "));
    store.setEdits(edits.includes(edit) ? others : [...others, edit]);
    app.announce(edits.includes(edit) ? "All draws run again." : `Draw ${draw} runs alone.`);
  }

  return {
    element,
    focusFilter: () => (field.focus(), field.select()),
    toggleSkip,
    toggleSolo,
    /** @param {string} text */
    filter(text) {
      field.value = text;
      applyFilter();
      app.announce(`Events: ${matches.textContent}`);
    },
    /**
     * @param {import("pspge/store.js").Selection} selection
     * @param {Set<string>} changed
     */
    update(selection, changed) {
      if (changed.has("events")) {
        const events = app.events?.events ?? [];
        parts = groupEvents(events);
        largestCost = events.reduce((largest, { cost }) => Math.max(largest, cost), 1);
        build();
        return;
      }
      if (changed.has("edits")) {
        list.refresh();
      }
      if (changed.has("event")) {
        showSelected(selection.event);
      }
    },
  };

  /** @param {number} event */
  function showSelected(event) {
    if (eventOf(rows[list.active]) === event) {
      return;
    }
    const pass = app.events?.events[event]?.pass;
    if (pass !== null && pass !== undefined && closed.delete(pass)) {
      build();
      return;
    }
    markSelected();
  }
}

/**
 * Creates the button with the help of the filter.
 * @param {(example: string) => void} onchoose
 */
function filterHelp(onchoose) {
  const table = h(
    "table",
    null,
    h(
      "thead",
      { class: "visually-hidden" },
      h("tr", null, h("th", { scope: "col" }, "Term"), h("th", { scope: "col" }, "Meaning")),
    ),
    h(
      "tbody",
      null,
      TERMS.map(({ example, text }) => {
        const choose = () => {
          popup.hidePopover();
          onchoose(example);
        };
        return h(
          "tr",
          null,
          h("td", null, h("button", { type: "button", class: "link mono", onclick: choose }, example)),
          h("td", null, text),
        );
      }),
    ),
  );
  const popup = h(
    "div",
    { class: "menu filter-help", popover: "auto" },
    h(
      "p",
      null,
      "Words and terms; an event has to meet all of them. A minus in front negates: ",
      h("code", { class: "nowrap" }, "-is:clear"),
      ".",
    ),
    table,
  );
  const button = h(
    "button",
    {
      type: "button",
      class: "icon-button",
      title: "Terms of the filter",
      "aria-label": "Terms of the filter",
      "aria-haspopup": "true",
    },
    "?",
  );
  button.addEventListener("click", () => popup.togglePopover());
  placeBelow(popup, button);
  return h("span", { class: "menu-holder" }, button, popup);
}
