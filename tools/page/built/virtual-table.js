// virtual-table.js
import { h } from "pspge/dom.js";
import { HeadedList } from "pspge/headed-list.js";
var VirtualTable = class extends HeadedList {
  /** @param {TableOptions<T>} options */
  constructor(options) {
    super(
      {
        label: options.label,
        role: "grid",
        rowRole: "row",
        rowHeight: 1.5,
        render: (index) => this.row(index),
        onactive: (index) => index in this.items && this.table.onactive?.(
          /** @type {T} */
          this.items[index],
          index
        ),
        onenter: (index) => index in this.items && this.table.onenter?.(
          /** @type {T} */
          this.items[index],
          index
        )
      },
      h("div", { class: "table-header", role: "row" })
    );
    this.table = options;
    this.items = [];
    this.element.classList.add("virtual-table");
    this.setColumns(options.columns);
  }
  /**
   * Changes the columns.
   * @param {Column<T>[]} columns
   */
  setColumns(columns) {
    this.table = { ...this.table, columns };
    const width = (column) => column.grows ? `minmax(${column.width}ch, 1fr)` : `${column.width}ch`;
    this.element.style.setProperty("--columns", columns.map(width).join(" "));
    const cells = columns.map(
      (column) => h("div", { role: "columnheader", class: column.isNumber ? "is-number" : "", title: column.about ?? column.title }, column.title)
    );
    this.header.replaceChildren(...cells);
    this.clear();
    this.fit();
  }
  /**
   * Shows these rows.
   * @param {readonly T[]} items
   */
  setItems(items) {
    this.items = items;
    this.setCount(items.length);
    this.fit();
  }
  /** Returns all rows as comma-separated values, the titles of the columns first. */
  csv() {
    const quoted = (text) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const { columns } = this.table;
    const rows = this.items.map((item, index) => columns.map((column) => h("div", null, column.cell(item, index)).textContent ?? ""));
    return [columns.map(({ title }) => title), ...rows].map((row) => `${row.map(quoted).join(",")}\r
`).join("");
  }
  /**
   * @param {number} index
   * @returns {HTMLElement}
   */
  row(index) {
    if (!(index in this.items)) {
      this.table.missing?.(index);
      return h("div", { class: "table-row is-loading" }, h("div", { role: "gridcell" }, "…"));
    }
    const item = (
      /** @type {T} */
      this.items[index]
    );
    const cells = this.table.columns.map((column) => {
      const content = column.cell(item, index);
      const title = typeof content === "string" && content.length > column.width - 3 ? content : null;
      return h("div", { role: "gridcell", class: column.isNumber ? "is-number" : "", title }, content);
    });
    return h("div", { class: `table-row ${this.table.rowClass?.(item, index) ?? ""}` }, cells);
  }
};
export {
  VirtualTable
};
