// events/events.tsx
import { count, counted, debounce, h } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { digitWidth } from "pspge/base/layout.js";
import { render, signal } from "pspge/base/preact.js";
import { chooseColumns, chosenColumns, COLUMNS, gridOf, shownColumns, sortEvents } from "pspge/events/event-columns.js";
import { parseFilter } from "pspge/events/event-filter.js";
import { groupEvents, listRows } from "pspge/events/event-groups.js";
import { describeDraw } from "pspge/events/event-names.js";
import { renderRow } from "pspge/events/event-row.js";
import { FilterHelp } from "pspge/events/filter-help.js";
import { createTexturePictures } from "pspge/picture/texture-pictures.js";
import { showThumbnails } from "pspge/picture/thumbnails.js";
import { toggleSkip, toggleSolo } from "pspge/state/event-edits.js";
import { IconButton, Link } from "pspge/widgets/controls.js";
import { Menu } from "pspge/widgets/menu.js";
import { VirtualList } from "pspge/widgets/virtual-list.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
function create(app) {
  const { store } = app;
  let rows = [];
  let rowOf = /* @__PURE__ */ new Map();
  let parts = [];
  const closed = /* @__PURE__ */ new Set();
  const unfolded = /* @__PURE__ */ new Set();
  let ranks = /* @__PURE__ */ new Map();
  const pictures = createTexturePictures(app);
  let facts = { buffers: [], rank: (event) => ranks.get(event) ?? Infinity, largestCost: 1, picture: pictures.picture };
  const filter = signal(parseFilter(""));
  const order = signal(null);
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
      onenter: (index) => rows[index]?.kind === "event" ? app.openPanel("commands") : toggle(index),
      onside: sideways
    },
    header
  );
  const head = h("div", { class: "host" });
  element.append(head, list.element);
  const field = () => head.querySelector(".filter-field");
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
  const writeFilter = (text) => {
    const input = field();
    if (input) {
      input.value = text;
    }
    applyFilter();
  };
  const pressFilter = (event) => {
    const { value } = event.currentTarget;
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
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
  const addTerm = (example) => {
    const value = field()?.value.trim() ?? "";
    writeFilter(value === "" ? example : `${value} ${example}`);
    field()?.focus();
  };
  function Head() {
    const { problems } = filter.value;
    return /* @__PURE__ */ jsxs(Fragment, { children: [
      /* @__PURE__ */ jsxs("div", { class: "pane-head", children: [
        /* @__PURE__ */ jsx(
          "input",
          {
            type: "search",
            class: "filter-field",
            placeholder: `Filter (${keyOf("filter")})`,
            "aria-label": "Filter events",
            "aria-describedby": "filter-problems",
            "aria-invalid": problems.length > 0,
            spellcheck: false,
            autocomplete: "off",
            onInput: () => applySoon(),
            onKeyDown: pressFilter
          }
        ),
        /* @__PURE__ */ jsx(FilterHelp, { onChoose: addTerm }),
        /* @__PURE__ */ jsxs("span", { class: "button-group", hidden: order.value !== null, children: [
          /* @__PURE__ */ jsx(IconButton, { name: "down", label: "Open all groups", onClick: () => setClosed([]) }),
          /* @__PURE__ */ jsx(IconButton, { name: "right", label: "Close all groups", onClick: () => setClosed(parts.flatMap((part) => "rows" in part ? [part.pass] : [])) })
        ] })
      ] }),
      /* @__PURE__ */ jsxs("div", { class: "events-facts", children: [
        /* @__PURE__ */ jsx("span", { class: "muted matches", children: matches.value }),
        /* @__PURE__ */ jsx("span", { class: "spacer" }),
        /* @__PURE__ */ jsxs("select", { "aria-label": "Order of the events", title: "Order of the events", value: order.value?.column.id ?? "", onChange: (event) => sort(event.currentTarget.value), children: [
          /* @__PURE__ */ jsx("option", { value: "", children: "as they run" }),
          COLUMNS.filter(({ id }) => id !== "event").map(({ id, title }) => /* @__PURE__ */ jsx("option", { value: id, children: `by ${title}` }))
        ] }),
        /* @__PURE__ */ jsx(Menu, { label: "Columns", title: "Columns of the list", children: () => /* @__PURE__ */ jsx(ColumnChoices, {}) })
      ] }),
      /* @__PURE__ */ jsx("p", { class: "problem", id: "filter-problems", role: "status", hidden: problems.length === 0, children: problems.join(". ") })
    ] });
  }
  function ColumnChoices() {
    const shown = columns.value.map(({ id }) => id);
    const choose = (ids) => {
      chooseColumns(ids);
      fitColumns();
    };
    const others = shown.filter((id) => id !== "name");
    return /* @__PURE__ */ jsxs("fieldset", { class: "menu-group", children: [
      /* @__PURE__ */ jsx("legend", { children: "Columns" }),
      /* @__PURE__ */ jsxs("label", { children: [
        /* @__PURE__ */ jsx("input", { type: "checkbox", checked: chosenColumns() === null, onChange: (event) => choose(event.currentTarget.checked ? null : others) }),
        "As many as fit"
      ] }),
      COLUMNS.filter(({ id }) => id !== "name").map(({ id, title, about }) => /* @__PURE__ */ jsxs("label", { title: about, children: [
        /* @__PURE__ */ jsx("input", { type: "checkbox", value: id, checked: shown.includes(id), onChange: (event) => choose(event.currentTarget.checked ? [...others, id] : others.filter((other) => other !== id)) }),
        title
      ] }, id))
    ] });
  }
  function ColumnHeads() {
    return /* @__PURE__ */ jsx(Fragment, { children: columns.peek().map(({ id, title, about, isNumber }) => {
      const isOrder = order.peek()?.column.id === id;
      const isReversed = order.peek()?.isReversed;
      return /* @__PURE__ */ jsx("span", { role: "columnheader", class: isNumber ? "is-number" : "", "aria-sort": !isOrder ? "none" : isReversed ? "ascending" : "descending", children: /* @__PURE__ */ jsxs(Link, { tabIndex: -1, title: `${about}. Click to sort`, onClick: () => sort(id), children: [
        title,
        isOrder && (isReversed ? " ▴" : " ▾")
      ] }) }, id);
    }) });
  }
  function focusList() {
    list.element.focus();
    if (list.active < 0 || rows[list.active]?.kind === "group") {
      const first = rows.findIndex((row) => row.kind === "event" || row.kind === "fold");
      if (first >= 0) {
        list.activate(first);
      }
    }
  }
  function build() {
    const events = app.events?.events ?? [];
    const { tests } = filter.peek();
    const isFiltered = tests.length > 0;
    const isMatch = (row) => tests.every((test) => test(row, facts));
    const matching = isFiltered ? events.filter(isMatch) : events;
    const by = order.peek();
    rows = by ? sortEvents(matching, by.column, facts, by.isReversed).map((row) => ({ kind: "event", row, level: 1 })) : listRows(parts, { isMatch, isFiltered, closed, unfolded });
    rowOf = /* @__PURE__ */ new Map();
    rows.forEach((row, index) => {
      if (row.kind === "fold") {
        row.fold.rows.forEach(({ event }) => rowOf.set(event, index));
      } else if (row.kind !== "group") {
        rowOf.set(row.kind === "event" ? row.row.event : events.length, index);
      }
    });
    const total = counted(events.length, "event");
    matches.value = !app.events ? "" : isFiltered ? `${count(matching.length)} of ${total} match` : total;
    list.setCount(rows.length);
    list.setActive(rowOf.get(store.get().event) ?? -1);
  }
  function fitColumns() {
    const { font, paddingInline } = getComputedStyle(header);
    const room = list.element.clientWidth - 2 * parseFloat(paddingInline);
    columns.value = shownColumns(room / digitWidth(font), (app.events?.buffers.length ?? 0) > 1);
    list.element.style.setProperty("--columns", gridOf(columns.peek()));
    render(/* @__PURE__ */ jsx(ColumnHeads, {}), header);
    list.refresh();
    list.fit();
  }
  function sort(id) {
    const column = COLUMNS.find((other) => other.id === id);
    const isSame = column !== void 0 && order.peek()?.column === column;
    order.value = !column || isSame && order.peek()?.isReversed ? null : { column, isReversed: isSame };
    build();
    fitColumns();
    if (order.peek()) {
      list.element.scrollTop = 0;
    }
  }
  function selectRow(index) {
    const row = rows[index];
    const event = row?.kind === "event" ? row.row.event : row?.kind === "fold" ? row.fold.sum.event : row?.kind === "end" ? app.events?.count : void 0;
    if (event !== void 0) {
      app.selectEvent(event);
      list.setActive(index);
    }
  }
  function toggle(index) {
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
  function setClosed(passes) {
    closed.clear();
    passes.forEach((pass) => closed.add(pass));
    build();
  }
  function sideways(index, opens) {
    const row = rows[index];
    if ((row?.kind === "group" || row?.kind === "fold") && row.isOpen !== opens) {
      return () => toggle(index);
    }
    const level = row?.kind === "event" || row?.kind === "fold" ? row.level : 1;
    const isAbove = (other) => other.kind === "group" || other.kind === "fold" && other.level < level;
    return level > 1 && !opens ? () => list.activate(rows.findLastIndex((other, position) => position < index && isAbove(other))) : void 0;
  }
  function showSelected(event) {
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
  render(/* @__PURE__ */ jsx(Head, {}), head);
  let width = 0;
  new ResizeObserver(() => {
    if (list.element.clientWidth !== width) {
      width = list.element.clientWidth;
      fitColumns();
    }
  }).observe(list.element);
  showThumbnails(app, list.element, (mouse) => {
    const target = mouse.target;
    const index = Number(target.closest?.(".virtual-row")?.dataset.index ?? -1);
    const row = rows[index];
    return row?.kind === "event" && row.row.draw !== null && !target.closest("button") ? { event: row.row.event, text: describeDraw(row.row) } : null;
  });
  return {
    element,
    focusFilter: () => (field()?.focus(), field()?.select()),
    toggleSkip: (event) => toggleSkip(app, event),
    toggleSolo: (event) => toggleSolo(app, event),
    filter(text) {
      writeFilter(text);
      app.announce(`Events: ${matches.peek()}`);
    },
    update(selection, changed) {
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
    }
  };
}
export {
  create
};
