// The list of events: all draws, transfers and actions of the CPU, in groups of their passes, with a filter.

import { count, counted, debounce, h, iconButton, replace } from "pspge/dom.js";
import { toggleSkip, toggleSolo } from "pspge/event-edits.js";
import { parseFilter } from "pspge/event-filter.js";
import { groupEvents, listRows, ORDERS, sortedRows } from "pspge/event-groups.js";
import { describeDraw, renderRow } from "pspge/event-row.js";
import { filterHelp } from "pspge/filter-help.js";
import { keyOf } from "pspge/keys.js";
import { showThumbnails } from "pspge/thumbnails.js";
import { VirtualList } from "pspge/virtual-list.js";

/** @typedef {import("pspge/app.js").EventRow} EventRow */
/** @typedef {import("pspge/event-groups.js").ListRow} ListRow */

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
    render: (index) => renderRow(app, rows[index], { largestCost, isSorted: order.value !== "", toggleGroup }),
    onactive: (index) => selectRow(index),
    onenter: (index) => toggleGroup(index),
    onkey: (event, index) => rowKey(event, index),
  });
  const order = h(
    "select",
    { "aria-label": "Order of the events", title: "Order of the events", onchange: () => sort() },
    h("option", { value: "" }, "as they run"),
    Object.keys(ORDERS).map((name) => h("option", { value: name }, `by ${name}`)),
  );
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
    h("div", { class: "events-facts" }, matches, h("span", { class: "spacer" }), order),
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
      // The pause after the last letter may not be over yet.
      applyFilter();
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
      ? { event: row.row.event, text: describeDraw(row.row) }
      : null;
  });

  /** Builds the rows anew, after the events, the filter or the groups have changed. */
  function build() {
    const { buffers = [] } = app.events ?? {};
    const isFiltered = filter.tests.length > 0;
    const isMatch = (/** @type {EventRow} */ row) => filter.tests.every((test) => test(row, buffers));
    const amount = ORDERS[order.value];
    all.hidden = amount !== undefined;
    rows = amount
      ? sortedRows(app.events?.events ?? [], isMatch, amount)
      : listRows(parts, { isMatch, isFiltered, closed });
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

  /** Sorts the events. The first of a new order come into sight, not the selected one. */
  function sort() {
    build();
    if (order.value !== "") {
      list.element.scrollTop = 0;
    }
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

  return {
    element,
    focusFilter: () => (field.focus(), field.select()),
    toggleSkip: (/** @type {number} */ event) => toggleSkip(app, event),
    toggleSolo: (/** @type {number} */ event) => toggleSolo(app, event),
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
