// A table that builds only the rows that can be seen. Its header stays in sight, and it scrolls sideways as a whole.

import { h } from "pspge/base/dom.js";
import { type ComponentChild, render, useLayoutEffect, useState } from "pspge/base/preact.js";
import { Host, InPanel, usePanel } from "pspge/widgets/panel.js";
import { VirtualList } from "pspge/widgets/virtual-list.js";

export interface Column<T> {
  title: string;
  about?: string;
  /** In characters. */
  width: number;
  isNumber?: boolean;
  /** Whether it names the row. */
  isHead?: boolean;
  grows?: boolean;
  cell: (row: T, index: number) => ComponentChild;
}

/** What a table shows and tells. */
interface Options<T> {
  columns: Column<T>[];
  onActive?: (row: T, index: number) => void;
  onEnter?: (row: T, index: number) => void;
  rowClass?: (row: T, index: number) => string;
  /** Called for a row that is to be seen, but of which there is no item yet. */
  missing?: (index: number) => void;
}

/** A table of many rows. `around` puts what cells need around them. */
export class VirtualTable<T> extends VirtualList {
  table: Options<T> = { columns: [] };
  items: readonly T[] = [];
  around: (cells: ComponentChild) => ComponentChild = (cells) => cells;

  constructor(label: string) {
    super(
      {
        label,
        role: "grid",
        rowHeight: 1.5,
        render: (index) => this.row(index),
        onactive: (index) => index in this.items && this.table.onActive?.(this.items[index] as T, index),
        onenter: (index) => index in this.items && this.table.onEnter?.(this.items[index] as T, index),
      },
      h("div", { class: "table-header", role: "row" }),
    );
    this.element.classList.add("virtual-table");
  }

  /** Shows the columns. */
  showColumns() {
    const { columns } = this.table;
    const width = (column: Column<T>) => (column.grows ? `minmax(${column.width}ch, 1fr)` : `${column.width}ch`);
    this.element.style.setProperty("--columns", columns.map(width).join(" "));
    const heads = columns.map(({ title, about, isNumber }) => (
      <div role="columnheader" class={isNumber ? "is-number" : ""} title={about ?? title}>{title}</div>
    ));
    render(heads, this.header);
    this.refresh();
    this.fit();
  }

  /** Shows these rows. */
  setItems(items: readonly T[]) {
    this.items = items;
    this.setCount(items.length);
    this.fit();
  }

  /** Returns all rows as comma-separated values, the titles of the columns first. */
  csv(): string {
    const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const { columns } = this.table;
    const rows = this.items.map((item, index) => columns.map((column) => this.fill(h("div"), column.cell(item, index)).textContent ?? ""));
    return [columns.map(({ title }) => title), ...rows].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
  }

  private row(index: number): HTMLElement {
    if (!(index in this.items)) {
      this.table.missing?.(index);
      return this.fill(h("div", { class: "table-row is-loading" }), <div role="gridcell">…</div>);
    }
    const item = this.items[index] as T;
    const cells = this.table.columns.map((column) => {
      const content = column.cell(item, index);
      // A text that may be cut off can be read in full as a tooltip.
      const title = typeof content === "string" && content.length > column.width - 3 ? content : undefined;
      return <div role={column.isHead ? "rowheader" : "gridcell"} class={column.isNumber ? "is-number" : ""} title={title}>{content}</div>;
    });
    return this.fill(h("div", { class: `table-row ${this.table.rowClass?.(item, index) ?? ""}` }), cells);
  }

  private fill(element: HTMLElement, content: ComponentChild): HTMLElement {
    render(this.around(content), element);
    return element;
  }
}

interface TableProps<T> extends Options<T> {
  label: string;
  rows: readonly T[];
  /** The number of the active row. */
  active?: number;
  /** What else the rows show: they are drawn anew when it is another one. */
  state?: unknown;
  /** Gets the table, for those that save it. */
  tableRef?: { current: Pick<VirtualTable<T>, "csv"> | null };
}

/** A table of many rows, as a component. */
export function Table<T>({ label, rows, active = -1, state, tableRef, ...options }: TableProps<T>) {
  const panel = usePanel();
  const [table] = useState(() => new VirtualTable<T>(label));
  table.table = options;
  table.around = (cells) => <InPanel panel={panel}>{cells}</InPanel>;
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
  return <Host element={table.element} />;
}
