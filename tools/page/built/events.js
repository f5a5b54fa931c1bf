// events.js
import { count, counted, debounce, h, iconButton, replace } from "pspge/dom.js";
import { chooseColumns, chosenColumns, COLUMNS, gridOf, shownColumns, sortEvents } from "pspge/event-columns.js";
import { toggleSkip, toggleSolo } from "pspge/event-edits.js";
import { parseFilter } from "pspge/event-filter.js";
import { groupEvents, listRows } from "pspge/event-groups.js";
import { describeDraw } from "pspge/event-names.js";
import { renderRow } from "pspge/event-row.js";
import { filterHelp } from "pspge/filter-help.js";
import { HeadedList } from "pspge/headed-list.js";
import { keyOf } from "pspge/keys.js";
import { menuButton } from "pspge/layout.js";
import { createTexturePictures } from "pspge/texture-pictures.js";
import { showThumbnails } from "pspge/thumbnails.js";
function create(app) {
  const { store } = app;
  let rows = [];
  let rowOf = /* @__PURE__ */ new Map();
  let parts = [];
  const closed = /* @__PURE__ */ new Set();
  const unfolded = /* @__PURE__ */ new Set();
  let filter = parseFilter("");
  let ranks = /* @__PURE__ */ new Map();
  const pictures = createTexturePictures(app);
  let facts = { buffers: [], rank: (event) => ranks.get(event) ?? Infinity, largestCost: 1, picture: pictures.picture };
  let order = null;
  let columns = shownColumns(0, false);
  const field = h("input", {
    type: "search",
    class: "filter-field",
    placeholder: `Filter (${keyOf("filter")})`,
    "aria-label": "Filter events",
    "aria-describedby": "filter-problems",
    spellcheck: false,
    autocomplete: "off"
  });
  const problems = h("p", { class: "problem", id: "filter-problems", role: "status", hidden: true });
  const matches = h("span", { class: "muted matches" });
  const help = filterHelp((example) => {
    field.value = field.value.trim() === "" ? example : `${field.value.trim()} ${example}`;
    applyFilter();
    field.focus();
  });
  const header = h("div", { class: "event-header", role: "row" });
  const list = new HeadedList(
    {
      label: "Events",
      role: "treegrid",
      rowRole: "row",
      rowHeight: 1.55,
      render: (index) => renderRow(app, rows[index], { columns, facts, toggle }),
      onactive: (index) => selectRow(index),
      onenter: (index) => toggle(index),
      onkey: (event, index) => rowKey(event, index)
    },
    header
  );
  const orders = h(
    "select",
    { "aria-label": "Order of the events", title: "Order of the events", onchange: () => sort(orders.value) },
    h("option", { value: "" }, "as they run"),
    COLUMNS.filter(({ id }) => id !== "event").map(({ id, title }) => h("option", { value: id }, `by ${title}`))
  );
  const columnMenu = menuButton({ label: "Columns", title: "Columns of the list", content: () => columnChoices() });
  const all = h(
    "span",
    { class: "button-group" },
    iconButton("down", "Open all groups", () => setClosed([])),
    iconButton(
      "right",
      "Close all groups",
      () => setClosed(parts.flatMap((part) => "rows" in part ? [part.pass] : []))
    )
  );
  const element = h(
    "section",
    { class: "events", "aria-label": "Events" },
    h("div", { class: "pane-head" }, field, help, all),
    h("div", { class: "events-facts" }, matches, h("span", { class: "spacer" }), orders, columnMenu),
    problems,
    list.element
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
  function focusList() {
    list.element.focus();
    if (list.active < 0 || rows[list.active]?.kind === "group") {
      const first = rows.findIndex((row) => row.kind === "event" || row.kind === "fold");
      if (first >= 0) {
        list.activate(first);
      }
    }
  }
  showThumbnails(app, list.element, (mouse) => {
    const target = (
      /** @type {Element} */
      mouse.target
    );
    const index = Number(
      /** @type {HTMLElement | null} */
      target.closest?.(".virtual-row")?.dataset.index ?? -1
    );
    const row = rows[index];
    return row?.kind === "event" && row.row.draw !== null && !target.closest("button") ? { event: row.row.event, text: describeDraw(row.row) } : null;
  });
  function build() {
    const events = app.events?.events ?? [];
    const isFiltered = filter.tests.length > 0;
    const isMatch = (row) => filter.tests.every((test) => test(row, facts));
    const matching = isFiltered ? events.filter(isMatch) : events;
    all.hidden = order !== null;
    rows = order ? sortEvents(matching, order.column, facts, order.isReversed).map((row) => ({ kind: "event", row, level: 1 })) : listRows(parts, { isMatch, isFiltered, closed, unfolded });
    rowOf = /* @__PURE__ */ new Map();
    rows.forEach((row, index) => {
      if (row.kind === "fold") {
        row.fold.rows.forEach(({ event }) => rowOf.set(event, index));
      } else if (row.kind !== "group") {
        rowOf.set(row.kind === "event" ? row.row.event : events.length, index);
      }
    });
    const total = counted(events.length, "event");
    matches.textContent = !app.events ? "" : isFiltered ? `${count(matching.length)} of ${total} match` : total;
    list.setCount(rows.length);
    list.setActive(rowOf.get(store.get().event) ?? -1);
  }
  function fitColumns() {
    const letter = parseFloat(getComputedStyle(header).fontSize) * 0.56;
    const buffers = app.events?.buffers ?? [];
    columns = shownColumns(list.element.clientWidth / letter - 3, buffers.length > 1);
    list.element.style.setProperty("--columns", gridOf(columns));
    replace(
      header,
      columns.map(({ id, title, about, isNumber }) => {
        const isOrder = order?.column.id === id;
        const sorted = isOrder ? order?.isReversed ? "ascending" : "descending" : "none";
        const button = h("button", { type: "button", class: "link", tabindex: -1, title: `${about}. Click to sort`, onclick: () => sort(id) }, title, isOrder && (order?.isReversed ? " ▴" : " ▾"));
        return h("span", { role: "columnheader", class: isNumber ? "is-number" : "", "aria-sort": sorted }, button);
      })
    );
    list.refresh();
    list.fit();
  }
  let width = 0;
  new ResizeObserver(() => {
    if (list.element.clientWidth !== width) {
      width = list.element.clientWidth;
      fitColumns();
    }
  }).observe(list.element);
  function columnChoices() {
    const shown = columns.map(({ id }) => id);
    const boxes = COLUMNS.filter(({ id }) => id !== "name").map(({ id, title, about }) => {
      const box = h("input", { type: "checkbox", value: id, checked: shown.includes(id), onchange: () => choose(boxes.filter(({ checked }) => checked).map(({ value }) => value)) });
      return Object.assign(box, { label: h("label", { title: about }, box, title) });
    });
    const choose = (ids) => {
      chooseColumns(ids);
      usual.checked = ids === null;
      fitColumns();
      boxes.forEach((box) => box.checked = columns.some(({ id }) => id === box.value));
    };
    const usual = h("input", { type: "checkbox", checked: chosenColumns() === null, onchange: () => choose(usual.checked ? null : shown.filter((id) => id !== "name")) });
    return [h("fieldset", { class: "menu-group" }, h("legend", null, "Columns"), h("label", null, usual, "As many as fit"), boxes.map(({ label }) => label))];
  }
  function sort(id) {
    const column = COLUMNS.find((other) => other.id === id);
    const isSame = column !== void 0 && order?.column === column;
    order = !column || isSame && order?.isReversed ? null : { column, isReversed: isSame };
    orders.value = order?.column.id ?? "";
    build();
    fitColumns();
    if (order) {
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
    if (row?.kind === "group") {
      row.isOpen ? closed.add(row.group.pass) : closed.delete(row.group.pass);
    } else if (row?.kind === "fold") {
      const { event } = row.fold.sum;
      row.isOpen ? unfolded.delete(event) : unfolded.add(event);
    } else {
      return;
    }
    build();
    list.setActive(index);
  }
  function setClosed(passes) {
    closed.clear();
    for (const pass of passes) {
      closed.add(pass);
    }
    build();
  }
  function rowKey(event, index) {
    const row = rows[index];
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") {
      return false;
    }
    const opens = event.key === "ArrowRight";
    if ((row?.kind === "group" || row?.kind === "fold") && row.isOpen !== opens) {
      toggle(index);
      return true;
    }
    const level = row?.kind === "event" || row?.kind === "fold" ? row.level : 1;
    if (level > 1 && !opens) {
      const isAbove = (other) => other.kind === "group" || other.kind === "fold" && other.level < level;
      list.activate(rows.findLastIndex((other, position) => position < index && isAbove(other)));
      return true;
    }
    return false;
  }
  return {
    element,
    focusFilter: () => (field.focus(), field.select()),
    toggleSkip: (event) => toggleSkip(app, event),
    toggleSolo: (event) => toggleSolo(app, event),
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
  function showSelected(event) {
    const pass = app.events?.events[event]?.pass;
    if (pass !== null && pass !== void 0 && closed.delete(pass)) {
      build();
      return;
    }
    const active = rows[list.active];
    const isShown = active?.kind === "fold" && active.fold.sum.event === event;
    if (!isShown) {
      list.setActive(rowOf.get(event) ?? -1);
    }
  }
}
export {
  create
};
