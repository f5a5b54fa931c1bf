// The list of results: a row for each case, a cell for each renderer. Only rows in sight are built.

import { outcomeOf } from "pspge-report/outcomes.js";
import { worstCell } from "pspge-report/results.js";
import { short, visible } from "pspge-report/text.js";
import { h } from "pspge/base/dom.js";
import { VirtualList } from "pspge/widgets/virtual-list.js";

/**
 * @typedef {import("pspge-report/types.js").Result} Result
 * @typedef {import("pspge-report/results.js").Row} Row
 * @typedef {import("pspge-report/types.js").Report["renderers"]} Renderers
 */

/** Columns from which cells have no room for words. */
const MANY = 3;

/** Widths of cells in rem, with words and without. */
const [WIDE, NARROW] = [11.5, 5.2];

/**
 * Returns the width of the cells of all renderers, in rem.
 * @param {number} count
 */
export function cellsWidth(count) {
  return count * (count >= MANY ? NARROW : WIDE);
}

/** The list of results. */
export class ResultList extends VirtualList {
  /**
   * @param {Renderers} renderers
   * @param {(row: Row, column: number) => void} onselect
   */
  constructor(renderers, onselect) {
    super(
      {
        label: "Results",
        role: "grid",
        rowHeight: 2.7,
        render: (index) => this.row(/** @type {Row} */ (this.items[index])),
        onactive: (index) => onselect(/** @type {Row} */ (this.items[index]), this.column),
      },
      h("div", { class: "table-header", role: "row" }),
    );
    this.renderers = renderers;
    /** @type {readonly Row[]} */
    this.items = [];
    /** @type {readonly number[]} */
    this.columns = [];
    /** The column of the selected cell. */
    this.column = 0;
    this.element.classList.add("results");
  }

  /**
   * Shows rows and columns.
   * @param {readonly Row[]} rows
   * @param {readonly number[]} columns
   */
  setRows(rows, columns) {
    this.items = rows;
    this.columns = columns;
    const isNarrow = columns.length >= MANY;
    this.element.classList.toggle("is-narrow", isNarrow);
    this.element.style.setProperty("--columns", `minmax(0, 1fr) repeat(${columns.length}, ${isNarrow ? `${NARROW}rem` : `${WIDE}rem`})`);
    const titles = columns.map((column) => visible(this.renderers[column]?.name ?? ""));
    this.header.replaceChildren(
      h("div", { role: "columnheader" }, "Case"),
      ...titles.map((title) => h("div", { role: "columnheader", class: "cell", title }, title)),
    );
    this.setCount(rows.length);
  }

  /**
   * Selects a cell without telling.
   * @param {string | null} name
   * @param {number} column
   */
  select(name, column) {
    this.column = column;
    this.setActive(this.items.findIndex((row) => row.case === name));
  }

  /**
   * Selects another renderer. Returns whether there is one.
   * @param {number} step
   */
  changeColumn(step) {
    const column = this.columns[this.columns.indexOf(this.column) + step];
    if (step === 0 || column === undefined) {
      return step !== 0;
    }
    this.column = column;
    if (this.active >= 0) {
      this.activate(this.active);
    }
    return true;
  }

  /** @param {Row} row */
  row(row) {
    const worst = worstCell(row, this.columns);
    const renderer = this.columns.length > 1 && worst ? `${worst.result.renderer}: ` : "";
    const message = worst?.result.message ? visible(renderer + worst.result.message) : "";
    const name = visible(row.case);
    return h(
      "div",
      { class: "table-row" },
      h("div", { role: "rowheader", class: "case", title: message ? `${name}\n${message}` : name }, thumbnail(worst?.result.pictures ?? null), h("div", { class: "case-name" }, nameParts(name)), h("div", { class: "case-message" }, message)),
      this.columns.map((column) => this.cell(row.cells[column] ?? null, column)),
    );
  }

  /**
   * @param {Result | null} result
   * @param {number} column
   */
  cell(result, column) {
    const props = { role: "gridcell", class: "cell", "data-column": column };
    if (!result) {
      return h("div", props, h("span", { class: "visually-hidden" }, "no result"));
    }
    const { name, mark } = outcomeOf(result.outcome);
    const differing = result.picture?.differing_pixels || result.depth?.differing_pixels || 0;
    const pixels = differing > 0 && result.outcome !== "passed" ? h("span", { class: "cell-pixels" }, `${short(differing)}`, h("span", { class: "cell-word" }, " px")) : null;
    return h(
      "div",
      { ...props, class: `cell outcome-${result.outcome}`, title: `${visible(result.renderer)}: ${name}` },
      h("span", { class: "mark", "aria-hidden": "true" }, mark),
      h("span", { class: "cell-word" }, ` ${name}`),
      pixels,
    );
  }

  markActive() {
    super.markActive();
    for (const [index, row] of this.rows) {
      for (const cell of row.querySelectorAll("[data-column]")) {
        const isSelected = index === this.active && /** @type {HTMLElement} */ (cell).dataset.column === String(this.column);
        cell.setAttribute("aria-selected", String(isSelected));
      }
    }
  }

  /** @param {MouseEvent} event */
  click(event) {
    const target = /** @type {Element} */ (event.target);
    const cell = /** @type {HTMLElement | null} */ (target.closest("[data-column]"));
    const row = /** @type {HTMLElement | null} */ (target.closest(".virtual-row"));
    if (cell) {
      this.column = Number(cell.dataset.column);
    } else if (row) {
      const item = this.items[Number(row.dataset.index)];
      this.column = (item && worstCell(item, this.columns)?.column) ?? this.column;
    }
    super.click(event);
  }
}

/**
 * Returns the name of a case with its folder in grey.
 * @param {string} name
 */
function nameParts(name) {
  const at = name.lastIndexOf("/") + 1;
  return [at > 0 && h("span", { class: "muted" }, name.slice(0, at)), name.slice(at)];
}

/**
 * Returns a small picture of a result; that of its reference if the renderer has drawn none.
 * @param {import("pspge-report/types.js").Pictures | null} pictures
 */
function thumbnail(pictures) {
  const number = pictures?.picture ?? pictures?.reference ?? null;
  const text = number === null ? null : document.getElementById(`picture-${number}`)?.textContent?.trim();
  return text ? h("img", { class: "case-picture", alt: "", src: `data:image/png;base64,${text}` }) : null;
}
