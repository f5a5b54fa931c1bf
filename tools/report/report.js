// The page: reads the data, builds its parts, and keeps the selection.

import { createAddressWriter, fromHash } from "pspge-report/address.js";
import { Details } from "pspge-report/details.js";
import { createFilter } from "pspge-report/filter.js";
import { createHead } from "pspge-report/head.js";
import { keysDialog, listenToKeys } from "pspge-report/keys.js";
import { cellsWidth, ResultList } from "pspge-report/list.js";
import { filteredRows, rowsOf, shownColumns, worstCell } from "pspge-report/results.js";
import { followSystemTheme } from "pspge-report/theme.js";
import { h } from "pspge/base/dom.js";

/** @typedef {import("pspge-report/address.js").Selection} Selection */

/** @returns {import("pspge-report/types.js").Report} */
function readReport() {
  return JSON.parse(document.getElementById("report")?.textContent ?? "null");
}

/** Builds the page. */
function start() {
  followSystemTheme();
  const report = readReport();
  const { renderers } = report;
  const rows = rowsOf(report);
  const rowOf = new Map(rows.map((row) => [row.case, row]));
  const writeAddress = createAddressWriter();
  let selection = fromHash(location.hash);

  const columnOf = (/** @type {string | null} */ name) => renderers.findIndex((renderer) => renderer.name === name);

  /** Shows the selection. */
  const show = () => {
    const row = rowOf.get(selection.case ?? "");
    const column = columnOf(selection.renderer);
    const result = row?.cells[column] ?? null;
    details.show(result, selection, row ? "This renderer has no result of the case." : rows.length > 0 ? "Select a result." : "There are no results.");
  };

  /** Changes the selection. @param {Partial<Selection>} partial */
  const change = (partial) => {
    const isOther = (partial.case ?? selection.case) !== selection.case || (partial.renderer ?? selection.renderer) !== selection.renderer;
    // Another result has its own buffer and pixel.
    selection = { ...selection, ...(isOther && { buffer: null, pixel: null }), ...partial };
    writeAddress(selection);
    show();
  };

  /**
   * Selects a result by names, as a link does.
   * @param {string} name
   * @param {string} renderer
   */
  const select = (name, renderer) => {
    change({ case: name, renderer });
    list.select(name, columnOf(renderer));
  };

  const list = new ResultList(renderers, (row, column) => change({ case: row.case, renderer: renderers[column]?.name ?? null }));
  const details = new Details(report, change);
  const empty = h("p", { class: "empty muted", hidden: true }, "No result matches the filter.");
  const filter = createFilter(report, (now) => applyFilter(now));
  const help = keysDialog();

  /** @param {import("pspge-report/results.js").Filter} now */
  const applyFilter = (now) => {
    const columns = shownColumns(renderers.length, now);
    const found = filteredRows(rows, columns, now);
    const column = columns.includes(list.column) ? list.column : (columns[0] ?? 0);
    list.setRows(found, columns);
    filter.tell(found.length, rows.length);
    empty.hidden = found.length > 0;
    // The selected result stays in the details if the filter hides it.
    list.select(selection.case, column);
    if (now.renderer !== null && selection.case !== null && column !== columnOf(selection.renderer)) {
      change({ renderer: renderers[column]?.name ?? null });
    }
  };

  /** Takes the selection of the address, or the worst result. */
  const readAddress = () => {
    selection = fromHash(location.hash);
    if (selection.case === null) {
      const [first] = list.items;
      const worst = first && worstCell(first, list.columns);
      selection = { ...selection, case: first?.case ?? null, renderer: worst?.result.renderer ?? null };
    } else if (columnOf(selection.renderer) < 0) {
      const row = rowOf.get(selection.case);
      const worst = row && worstCell(row, list.columns);
      selection = { ...selection, renderer: worst?.result.renderer ?? null };
    }
    list.select(selection.case, Math.max(0, columnOf(selection.renderer)));
    show();
  };

  const side = h("section", { class: "side", "aria-label": "List of results" }, filter.element, list.element, empty);
  side.style.setProperty("--cells", String(cellsWidth(renderers.length)));
  const main = h("main", { class: "main" }, side, details.element);
  const head = createHead(report, rows, { onhelp: () => help.showModal(), onselect: select });
  document.getElementById("app")?.replaceChildren(head, main, help);

  list.column = Math.max(0, columnOf(selection.renderer));
  applyFilter(filter.get());
  readAddress();
  addEventListener("hashchange", readAddress);

  const { pictures } = details;
  listenToKeys({
    next: () => list.activate(list.active + 1),
    previous: () => list.activate(list.active - 1),
    nextRenderer: () => list.changeColumn(1),
    previousRenderer: () => list.changeColumn(-1),
    first: () => list.activate(0),
    last: () => list.activate(list.count - 1),
    filter: () => filter.search.select(),
    flip: () => pictures.flip(),
    side: () => change({ mode: "side" }),
    flipMode: () => change({ mode: "flip" }),
    slider: () => change({ mode: "slider" }),
    heat: () => change({ mode: "heat" }),
    depth: () => pictures.changeBuffer(),
    outline: () => pictures.toggleOutline(),
    list: () => main.classList.toggle("is-wide"),
    help: () => help.showModal(),
    escape: () => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLSelectElement) {
        activeElement.blur();
      } else {
        change({ pixel: null });
      }
    },
  });
}

start();
