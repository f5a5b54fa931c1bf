// A list that builds only the rows that can be seen, so that it may have 100,000 of them. The focus stays on the list;
// `aria-activedescendant` names the active row.

import { h } from "pspge/dom.js";

/**
 * @typedef {{
 *   label: string,
 *   role?: string,
 *   rowRole?: string,
 *   rowHeight?: number,
 *   render: (index: number) => HTMLElement,
 *   onactive?: (index: number) => void,
 *   onenter?: (index: number) => void,
 *   onkey?: (event: KeyboardEvent, index: number) => boolean,
 * }} Options
 */

let lists = 0;

/** A list of rows of the same height. */
export class VirtualList {
  /** @param {Options} options `rowHeight` is in rem; `onkey` returns whether it has used the key. */
  constructor(options) {
    this.options = options;
    lists += 1;
    this.id = `list-${lists}`;
    this.count = 0;
    this.active = -1;
    /** @type {Map<number, HTMLElement>} */
    this.rows = new Map();
    this.spacer = h("div", { class: "virtual-spacer", role: "presentation" });
    this.element = h(
      "div",
      { class: "virtual-list", role: options.role ?? "listbox", tabindex: 0, "aria-label": options.label, id: this.id },
      this.spacer,
    );
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.height = 20;
  }

  /** Measures a row: its height follows the size of the text. */
  resize() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const height = Math.round((this.options.rowHeight ?? 1.6) * rem);
    const top = this.element.scrollTop / this.height;
    const isChanged = height !== this.height;
    this.height = height;
    this.spacer.style.height = `${this.count * height}px`;
    if (isChanged) {
      this.clear();
      this.element.scrollTop = top * height;
      if (this.active >= 0) {
        this.scrollTo(this.active);
      }
    }
    this.draw();
  }

  /**
   * Sets the number of rows and draws all of them anew.
   * @param {number} count
   */
  setCount(count) {
    this.count = count;
    this.active = Math.min(this.active, count - 1);
    this.element.setAttribute(
      this.options.role === "listbox" || !this.options.role ? "data-count" : "aria-rowcount",
      String(count),
    );
    this.spacer.style.height = `${count * this.height}px`;
    this.refresh();
  }

  /** Draws the rows anew, because their contents have changed. */
  refresh() {
    this.clear();
    this.draw();
  }

  clear() {
    this.spacer.replaceChildren();
    this.rows.clear();
  }

  /** Adds the rows that have come into sight, and removes the others. */
  draw() {
    const { scrollTop, clientHeight } = this.element;
    if (clientHeight === 0) {
      return;
    }
    const first = Math.max(0, Math.floor(scrollTop / this.height) - 4);
    const end = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / this.height) + 4);
    for (const [index, row] of this.rows) {
      if (index < first || index >= end) {
        row.remove();
        this.rows.delete(index);
      }
    }
    for (let index = first; index < end; index += 1) {
      if (!this.rows.has(index)) {
        this.add(index);
      }
    }
    this.markActive();
  }

  /** @param {number} index */
  add(index) {
    const row = this.options.render(index);
    row.classList.add("virtual-row");
    row.style.top = `${index * this.height}px`;
    row.style.height = `${this.height}px`;
    row.id = `${this.id}-${index}`;
    row.dataset.index = String(index);
    if (!row.hasAttribute("role")) {
      row.setAttribute("role", this.options.rowRole ?? "option");
    }
    if (this.options.role && this.options.role !== "listbox") {
      row.setAttribute("aria-rowindex", String(index + 1));
    } else {
      row.setAttribute("aria-posinset", String(index + 1));
      row.setAttribute("aria-setsize", String(this.count));
    }
    this.rows.set(index, row);
    // Rows are kept in their order, because screen readers and find in page follow it.
    const after = [...this.spacer.children].find(
      (other) => Number(/** @type {HTMLElement} */ (other).dataset.index) > index,
    );
    this.spacer.insertBefore(row, after ?? null);
  }

  markActive() {
    for (const [index, row] of this.rows) {
      row.classList.toggle("is-active", index === this.active);
      row.setAttribute("aria-selected", String(index === this.active));
    }
    if (this.rows.has(this.active)) {
      this.element.setAttribute("aria-activedescendant", `${this.id}-${this.active}`);
    } else {
      this.element.removeAttribute("aria-activedescendant");
    }
  }

  /**
   * Makes a row the active one and scrolls to it, without calling `onactive`.
   * @param {number} index
   */
  setActive(index) {
    this.active = index < this.count ? index : -1;
    if (this.active >= 0) {
      this.scrollTo(this.active);
    }
    this.draw();
  }

  /**
   * Scrolls as little as needed to show a row.
   * @param {number} index
   */
  scrollTo(index) {
    const { scrollTop, clientHeight } = this.element;
    const top = index * this.height;
    if (clientHeight === 0) {
      return;
    }
    const isFar = top < scrollTop - clientHeight || top > scrollTop + 2 * clientHeight;
    if (isFar) {
      this.element.scrollTop = top - clientHeight / 2;
    } else if (top < scrollTop) {
      this.element.scrollTop = top;
    } else if (top + this.height > scrollTop + clientHeight) {
      this.element.scrollTop = top + this.height - clientHeight;
    }
  }

  /** @param {number} index */
  activate(index) {
    const wanted = Math.max(0, Math.min(index, this.count - 1));
    if (this.count === 0) {
      return;
    }
    this.setActive(wanted);
    this.options.onactive?.(wanted);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return;
    }
    if (this.active >= 0 && this.options.onkey?.(event, this.active)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const target = {
      ArrowUp: this.active - 1,
      ArrowDown: this.active + 1,
      k: this.active - 1,
      j: this.active + 1,
      PageUp: this.active - page,
      PageDown: this.active + page,
      Home: 0,
      End: this.count - 1,
    }[event.key];
    if (target !== undefined) {
      this.activate(target);
    } else if (event.key === "Enter" && this.active >= 0) {
      this.options.onenter?.(this.active);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {MouseEvent} event */
  click(event) {
    const target = /** @type {Element} */ (event.target);
    const row = /** @type {HTMLElement | null} */ (target.closest(".virtual-row"));
    if (row && !target.closest("button, a, input, select")) {
      this.activate(Number(row.dataset.index));
    }
  }
}
