// widgets/virtual-table.tsx
import { h } from "pspge/base/dom.js";
import { render, useLayoutEffect, useState } from "pspge/base/preact.js";
import { Host, InPanel, usePanel } from "pspge/widgets/panel.js";
import { VirtualList } from "pspge/widgets/virtual-list.js";
import { jsx } from "pspge/base/preact.js";
var VirtualTable = class extends VirtualList {
  table = { columns: [] };
  items = [];
  around = (cells) => cells;
  constructor(label) {
    super(
      {
        label,
        role: "grid",
        rowHeight: 1.5,
        render: (index) => this.row(index),
        onactive: (index) => index in this.items && this.table.onActive?.(this.items[index], index),
        onenter: (index) => index in this.items && this.table.onEnter?.(this.items[index], index)
      },
      h("div", { class: "table-header", role: "row" })
    );
    this.element.classList.add("virtual-table");
  }
  /** Shows the columns. */
  showColumns() {
    const { columns } = this.table;
    const width = (column) => column.grows ? `minmax(${column.width}ch, 1fr)` : `${column.width}ch`;
    this.element.style.setProperty("--columns", columns.map(width).join(" "));
    const heads = columns.map(({ title, about, isNumber }) => /* @__PURE__ */ jsx("div", { role: "columnheader", class: isNumber ? "is-number" : "", title: about ?? title, children: title }));
    render(heads, this.header);
    this.refresh();
    this.fit();
  }
  /** Shows these rows. */
  setItems(items) {
    this.items = items;
    this.setCount(items.length);
    this.fit();
  }
  /** Returns all rows as comma-separated values, the titles of the columns first. */
  csv() {
    const quoted = (text) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const { columns } = this.table;
    const rows = this.items.map((item, index) => columns.map((column) => this.fill(h("div"), column.cell(item, index)).textContent ?? ""));
    return [columns.map(({ title }) => title), ...rows].map((row) => `${row.map(quoted).join(",")}\r
`).join("");
  }
  row(index) {
    if (!(index in this.items)) {
      this.table.missing?.(index);
      return this.fill(h("div", { class: "table-row is-loading" }), /* @__PURE__ */ jsx("div", { role: "gridcell", children: "…" }));
    }
    const item = this.items[index];
    const cells = this.table.columns.map((column) => {
      const content = column.cell(item, index);
      const title = typeof content === "string" && content.length > column.width - 3 ? content : void 0;
      return /* @__PURE__ */ jsx("div", { role: column.isHead ? "rowheader" : "gridcell", class: column.isNumber ? "is-number" : "", title, children: content });
    });
    return this.fill(h("div", { class: `table-row ${this.table.rowClass?.(item, index) ?? ""}` }), cells);
  }
  fill(element, content) {
    render(this.around(content), element);
    return element;
  }
};
function Table({ label, rows, active = -1, state, tableRef, ...options }) {
  const panel = usePanel();
  const [table] = useState(() => new VirtualTable(label));
  table.table = options;
  table.around = (cells) => /* @__PURE__ */ jsx(InPanel, { panel, children: cells });
  if (tableRef) {
    tableRef.current = table;
  }
  useLayoutEffect(() => table.showColumns(), [options.columns]);
  useLayoutEffect(() => table.setItems(rows), [rows]);
  useLayoutEffect(() => table.refresh(), [state]);
  useLayoutEffect(() => {
    if (table.active !== active) {
      table.setActive(active);
    }
  }, [rows, active]);
  return /* @__PURE__ */ jsx(Host, { element: table.element });
}
export {
  Table,
  VirtualTable
};
