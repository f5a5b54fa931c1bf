// The list of events: a table of all draws, transfers and actions of the CPU in groups of their passes, with a filter.

import { count, counted, debounce, h } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { digitWidth } from "pspge/base/layout.js";
import { render, signal } from "pspge/base/preact.js";
import { chooseColumns, chosenColumns, type Column, COLUMNS, type Facts, gridOf, shownColumns, sortEvents } from "pspge/events/event-columns.js";
import { parseFilter } from "pspge/events/event-filter.js";
import { groupEvents, type ListRow, listRows } from "pspge/events/event-groups.js";
import { describeDraw } from "pspge/events/event-names.js";
import { renderRow } from "pspge/events/event-row.js";
import { FilterHelp } from "pspge/events/filter-help.js";
import { createTexturePictures } from "pspge/picture/texture-pictures.js";
import { showThumbnails } from "pspge/picture/thumbnails.js";
import type { App, EventRow, Selection } from "pspge/state/app-types.js";
import { toggleSkip, toggleSolo } from "pspge/state/event-edits.js";
import { IconButton, Link } from "pspge/widgets/controls.js";
import { Menu } from "pspge/widgets/menu.js";
import { VirtualList } from "pspge/widgets/virtual-list.js";

interface Order {
  column: Column;
  isReversed: boolean;
}

/** Creates the list of events. */
export function create(app: App) {
  const { store } = app;
  let rows: ListRow[] = [];
  /** The rows of events; those in a closed run have the row of the run. */
  let rowOf = new Map<number, number>();
  let parts: ReturnType<typeof groupEvents> = [];
  /** Passes whose groups are closed. */
  const closed = new Set<number>();
  /** First events of the runs of equal events that are open. */
  const unfolded = new Set<number>();
  /** Places of the events by cost, from 1. */
  let ranks = new Map<number, number>();
  const pictures = createTexturePictures(app);
  let facts: Facts = { buffers: [], rank: (event) => ranks.get(event) ?? Infinity, largestCost: 1, picture: pictures.picture };
  const filter = signal(parseFilter(""));
  const order = signal<Order | null>(null);
  const columns = signal(shownColumns(0, false));
  const matches = signal("");

  const element = h("section", { class: "events", "aria-label": "Events" });
  const header = h("div", { class: "event-header", role: "row" });
  const list = new VirtualList(
    {
      label: "Events",
      role: "treegrid",
      rowHeight: 1.55,
      render: (index) => renderRow({ app, columns: columns.peek(), facts, toggle }, rows[index]),
      onactive: (index) => selectRow(index),
      onenter: (index) => (rows[index]?.kind === "event" ? app.openPanel("commands") : toggle(index)),
      onside: sideways,
    },
    header,
  );
  const head = h("div", { class: "host" });
  element.append(head, list.element);
  const field = () => head.querySelector<HTMLInputElement>(".filter-field");

  const announceMatches = debounce(600, () => app.announce(matches.peek()));
  const applyFilter = () => {
    const text = field()?.value ?? "";
    filter.value = parseFilter(text);
    build();
    if (text.trim() !== "") {
      announceMatches();
    }
  };
  const applySoon = debounce(80, applyFilter);
  const writeFilter = (text: string) => {
    const input = field();
    if (input) {
      input.value = text;
    }
    applyFilter();
  };
  const pressFilter = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const { value } = event.currentTarget;
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      // The pause after the last letter may not be over yet.
      applyFilter();
      focusList();
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (value === "") {
        list.element.focus();
      }
      writeFilter("");
    }
  };
  const addTerm = (example: string) => {
    const value = field()?.value.trim() ?? "";
    writeFilter(value === "" ? example : `${value} ${example}`);
    field()?.focus();
  };

  function Head() {
    const { problems } = filter.value;
    return (
      <>
        <div class="pane-head">
          <input
            type="search"
            class="filter-field"
            placeholder={`Filter (${keyOf("filter")})`}
            aria-label="Filter events"
            aria-describedby="filter-problems"
            aria-invalid={problems.length > 0}
            spellcheck={false}
            autocomplete="off"
            onInput={() => applySoon()}
            onKeyDown={pressFilter}
          />
          <FilterHelp onChoose={addTerm} />
          <span class="button-group" hidden={order.value !== null}>
            <IconButton name="down" label="Open all groups" onClick={() => setClosed([])} />
            <IconButton name="right" label="Close all groups" onClick={() => setClosed(parts.flatMap((part) => ("rows" in part ? [part.pass] : [])))} />
          </span>
        </div>
        <div class="events-facts">
          <span class="muted matches">{matches.value}</span>
          <span class="spacer" />
          <select aria-label="Order of the events" title="Order of the events" value={order.value?.column.id ?? ""} onChange={(event) => sort(event.currentTarget.value)}>
            <option value="">as they run</option>
            {COLUMNS.filter(({ id }) => id !== "event").map(({ id, title }) => <option value={id}>{`by ${title}`}</option>)}
          </select>
          <Menu label="Columns" title="Columns of the list">{() => <ColumnChoices />}</Menu>
        </div>
        <p class="problem" id="filter-problems" role="status" hidden={problems.length === 0}>{problems.join(". ")}</p>
      </>
    );
  }

  function ColumnChoices() {
    const shown = columns.value.map(({ id }) => id);
    const choose = (ids: string[] | null) => {
      chooseColumns(ids);
      fitColumns();
    };
    const others = shown.filter((id) => id !== "name");
    return (
      <fieldset class="menu-group">
        <legend>Columns</legend>
        <label>
          <input type="checkbox" checked={chosenColumns() === null} onChange={(event) => choose(event.currentTarget.checked ? null : others)} />
          As many as fit
        </label>
        {COLUMNS.filter(({ id }) => id !== "name").map(({ id, title, about }) => (
          <label key={id} title={about}>
            <input type="checkbox" value={id} checked={shown.includes(id)} onChange={(event) => choose(event.currentTarget.checked ? [...others, id] : others.filter((other) => other !== id))} />
            {title}
          </label>
        ))}
      </fieldset>
    );
  }

  function ColumnHeads() {
    return (
      <>
        {columns.peek().map(({ id, title, about, isNumber }) => {
          const isOrder = order.peek()?.column.id === id;
          const isReversed = order.peek()?.isReversed;
          return (
            <span key={id} role="columnheader" class={isNumber ? "is-number" : ""} aria-sort={!isOrder ? "none" : isReversed ? "ascending" : "descending"}>
              {/* The list of orders does the same for the keyboard. */}
              <Link tabIndex={-1} title={`${about}. Click to sort`} onClick={() => sort(id)}>{title}{isOrder && (isReversed ? " ▴" : " ▾")}</Link>
            </span>
          );
        })}
      </>
    );
  }

  /** Moves the focus to the list, and to the first match if the selected event is none. */
  function focusList() {
    list.element.focus();
    if (list.active < 0 || rows[list.active]?.kind === "group") {
      const first = rows.findIndex((row) => row.kind === "event" || row.kind === "fold");
      if (first >= 0) {
        list.activate(first);
      }
    }
  }

  /** Builds the rows anew, after the events, the filter or the groups have changed. */
  function build() {
    const events = app.events?.events ?? [];
    const { tests } = filter.peek();
    const isFiltered = tests.length > 0;
    const isMatch = (row: EventRow) => tests.every((test) => test(row, facts));
    const matching = isFiltered ? events.filter(isMatch) : events;
    const by = order.peek();
    rows = by
      ? sortEvents(matching, by.column, facts, by.isReversed).map((row) => ({ kind: "event", row, level: 1 }))
      : listRows(parts, { isMatch, isFiltered, closed, unfolded });
    rowOf = new Map();
    rows.forEach((row, index) => {
      if (row.kind === "fold") {
        row.fold.rows.forEach(({ event }) => rowOf.set(event, index));
      } else if (row.kind !== "group") {
        // The row of an open run comes first, and then those of its events.
        rowOf.set(row.kind === "event" ? row.row.event : events.length, index);
      }
    });
    const total = counted(events.length, "event");
    matches.value = !app.events ? "" : isFiltered ? `${count(matching.length)} of ${total} match` : total;
    list.setCount(rows.length);
    list.setActive(rowOf.get(store.get().event) ?? -1);
  }

  /** Shows as many columns as are chosen, or as there is room for. */
  function fitColumns() {
    const { font, paddingInline } = getComputedStyle(header);
    const room = list.element.clientWidth - 2 * parseFloat(paddingInline);
    columns.value = shownColumns(room / digitWidth(font), (app.events?.buffers.length ?? 0) > 1);
    list.element.style.setProperty("--columns", gridOf(columns.peek()));
    render(<ColumnHeads />, header);
    list.refresh();
    list.fit();
  }

  /** Sorts by a column; again for the other direction, and once more for the order of the run. */
  function sort(id: string) {
    const column = COLUMNS.find((other) => other.id === id);
    const isSame = column !== undefined && order.peek()?.column === column;
    order.value = !column || (isSame && order.peek()?.isReversed) ? null : { column, isReversed: isSame };
    build();
    fitColumns();
    // The first of a new order come into sight, not the selected one.
    if (order.peek()) {
      list.element.scrollTop = 0;
    }
  }

  function selectRow(index: number) {
    const row = rows[index];
    const event = row?.kind === "event" ? row.row.event : row?.kind === "fold" ? row.fold.sum.event : row?.kind === "end" ? app.events?.count : undefined;
    if (event !== undefined) {
      app.selectEvent(event);
      // An event of an open run has its own row; the row of the run stays the active one.
      list.setActive(index);
    }
  }

  /** Opens or closes a pass or a run of equal events. */
  function toggle(index: number) {
    const row = rows[index];
    if (row?.kind !== "group" && row?.kind !== "fold") {
      return;
    }
    if (row.kind === "group") {
      row.isOpen ? closed.add(row.group.pass) : closed.delete(row.group.pass);
    } else {
      const { event } = row.fold.sum;
      row.isOpen ? unfolded.delete(event) : unfolded.add(event);
    }
    build();
    list.setActive(index);
  }

  function setClosed(passes: number[]) {
    closed.clear();
    passes.forEach((pass) => closed.add(pass));
    build();
  }

  /** Returns what an arrow key does with a row: it opens or closes the row, or goes to the one above it. */
  function sideways(index: number, opens: boolean) {
    const row = rows[index];
    if ((row?.kind === "group" || row?.kind === "fold") && row.isOpen !== opens) {
      return () => toggle(index);
    }
    const level = row?.kind === "event" || row?.kind === "fold" ? row.level : 1;
    const isAbove = (other: ListRow) => other.kind === "group" || (other.kind === "fold" && other.level < level);
    return level > 1 && !opens ? () => list.activate(rows.findLastIndex((other, position) => position < index && isAbove(other))) : undefined;
  }

  function showSelected(event: number) {
    const pass = app.events?.events[event]?.pass ?? null;
    if (pass !== null && closed.delete(pass)) {
      build();
      return;
    }
    const active = rows[list.active];
    const isShown = active?.kind === "fold" && active.fold.sum.event === event;
    if (!isShown) {
      list.setActive(rowOf.get(event) ?? -1);
    }
  }

  render(<Head />, head);
  let width = 0;
  new ResizeObserver(() => {
    if (list.element.clientWidth !== width) {
      width = list.element.clientWidth;
      fitColumns();
    }
  }).observe(list.element);
  showThumbnails(app, list.element, (mouse) => {
    const target = mouse.target as Element;
    const index = Number(target.closest?.<HTMLElement>(".virtual-row")?.dataset.index ?? -1);
    const row = rows[index];
    return row?.kind === "event" && row.row.draw !== null && !target.closest("button") ? { event: row.row.event, text: describeDraw(row.row) } : null;
  });

  return {
    element,
    focusFilter: () => (field()?.focus(), field()?.select()),
    toggleSkip: (event: number) => toggleSkip(app, event),
    toggleSolo: (event: number) => toggleSolo(app, event),
    filter(text: string) {
      writeFilter(text);
      app.announce(`Events: ${matches.peek()}`);
    },
    update(selection: Selection, changed: Set<string>) {
      if (changed.has("events")) {
        const events = app.events?.events ?? [];
        parts = groupEvents(events);
        const byCost = [...events].sort((a, b) => b.cost - a.cost);
        ranks = new Map(byCost.map(({ event }, index) => [event, index + 1]));
        facts = { ...facts, buffers: app.events?.buffers ?? [], largestCost: Math.max(1, byCost[0]?.cost ?? 1) };
        pictures.setEvents(events);
        unfolded.clear();
        fitColumns();
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
}
