// A table that builds only the rows that can be seen. Its header stays in sight, and it scrolls sideways as a whole.

import { h } from "pspge/dom.js";
import { HeadedList } from "pspge/headed-list.js";

/**
 * @template T
 * @typedef {{
 *   title: string,
 *   about?: string,
 *   width: number,
 *   isNumber?: boolean,
 *   grows?: boolean,
 *   cell: (row: T, index: number) => import("pspge/dom.js").Child,
 * }} Column `width` is in characters.
 */

/**
 * @template T
 * @typedef {{
 *   label: string,
 *   columns: Column<T>[],
 *   onactive?: (row: T, index: number) => void,
 *   onenter?: (row: T, index: number) => void,
 *   rowClass?: (row: T, index: number) => string,
 *   missing?: (index: number) => void,
 * }} TableOptions `missing` is called for a row that is to be seen, but of which there is no item yet.
 */

/**
 * A table of many rows.
 * @template T
 */
export class VirtualTable extends HeadedList {
  /** @param {TableOptions<T>} options */
  constructor(options) {
    super(
      {
        label: options.label,
        role: "grid",
        rowRole: "row",
        rowHeight: 1.5,
        render: (index) => this.row(index),
        onactive: (index) => index in this.items && this.table.onactive?.(/** @type {T} */ (this.items[index]), index),
        onenter: (index) => index in this.items && this.table.onenter?.(/** @type {T} */ (this.items[index]), index),
      },
      h("div", { class: "table-header", role: "row" }),
    );
    /** @type {TableOptions<T>} */
    this.table = options;
    /** @type {readonly T[]} */
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
    const width = (/** @type {Column<T>} */ column) => (column.grows ? `minmax(${column.width}ch, 1fr)` : `${column.width}ch`);
    this.element.style.setProperty("--columns", columns.map(width).join(" "));
    const cells = columns.map((column) =>
      h("div", { role: "columnheader", class: column.isNumber ? "is-number" : "", title: column.about ?? column.title }, column.title),
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
    const quoted = (/** @type {string} */ text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const { columns } = this.table;
    const rows = this.items.map((item, index) => columns.map((column) => h("div", null, column.cell(item, index)).textContent ?? ""));
    return [columns.map(({ title }) => title), ...rows].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
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
    const item = /** @type {T} */ (this.items[index]);
    const cells = this.table.columns.map((column) => {
      const content = column.cell(item, index);
      // A text that may be cut off can be read in full as a tooltip.
      const title = typeof content === "string" && content.length > column.width - 3 ? content : null;
      return h("div", { role: "gridcell", class: column.isNumber ? "is-number" : "", title }, content);
    });
    return h("div", { class: `table-row ${this.table.rowClass?.(item, index) ?? ""}` }, cells);
  }
}
