// A list that builds only the rows that can be seen, so that it may have 100,000 of them. The focus stays on the list;
// `aria-activedescendant` names the active row.

import { h } from "pspge/base/dom.js";
import { takeKey } from "pspge/base/keys.js";
import { rem } from "pspge/base/layout.js";

interface Options {
  label: string;
  role: "grid" | "treegrid";
  /** In rem. */
  rowHeight: number;
  render: (index: number) => HTMLElement;
  onactive?: (index: number) => void;
  onenter?: (index: number) => void;
  /** Returns what the arrow keys to the left and to the right do. */
  onside?: (index: number, isRight: boolean) => (() => void) | undefined;
}

let lists = 0;

/** A list of rows of the same height, below a header that stays in sight and scrolls sideways with the rows. */
export class VirtualList {
  private id = `list-${(lists += 1)}`;
  count = 0;
  active = -1;
  protected rows = new Map<number, HTMLElement>();
  private height = 20;
  private spacer = h("div", { class: "virtual-spacer", role: "presentation" });
  element: HTMLElement;

  constructor(
    private options: Options,
    protected header: HTMLElement,
  ) {
    const { label, role } = options;
    this.element = h("div", { class: "virtual-list", role, tabindex: 0, "aria-label": label, id: this.id }, header, this.spacer);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Makes all rows as wide as the header, which can be wider than the list. */
  fit() {
    this.spacer.style.minWidth = "0";
    this.spacer.style.minWidth = `${this.header.scrollWidth}px`;
  }

  /** Measures a row, whose height follows the size of the text, and the header. */
  private resize() {
    const height = Math.round(this.options.rowHeight * rem());
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
    this.fit();
  }

  /** Sets the number of rows and draws all of them anew. */
  setCount(count: number) {
    this.count = count;
    this.active = Math.min(this.active, count - 1);
    this.element.setAttribute("aria-rowcount", String(count));
    this.spacer.style.height = `${count * this.height}px`;
    this.refresh();
  }

  /** Draws the rows anew, because their contents have changed. */
  refresh() {
    this.clear();
    this.draw();
  }

  private clear() {
    this.spacer.replaceChildren();
    this.rows.clear();
  }

  /** Adds the rows that have come into sight, and removes the others. */
  private draw() {
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

  private add(index: number) {
    const row = this.options.render(index);
    row.classList.add("virtual-row");
    row.style.top = `${index * this.height}px`;
    row.style.height = `${this.height}px`;
    row.id = `${this.id}-${index}`;
    row.dataset.index = String(index);
    row.setAttribute("role", "row");
    row.setAttribute("aria-rowindex", String(index + 1));
    this.rows.set(index, row);
    // Rows are kept in their order, because screen readers and find in page follow it.
    const after = [...this.spacer.children].find((other) => Number((other as HTMLElement).dataset.index) > index);
    this.spacer.insertBefore(row, after ?? null);
  }

  protected markActive() {
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

  /** Makes a row the active one and scrolls to it, without calling `onactive`. */
  setActive(index: number) {
    this.active = index < this.count ? index : -1;
    if (this.active >= 0) {
      this.scrollTo(this.active);
    }
    this.draw();
  }

  /** Scrolls as little as needed to show a row below the header. */
  private scrollTo(index: number) {
    const { scrollTop, clientHeight } = this.element;
    const room = clientHeight - this.header.offsetHeight;
    const top = index * this.height;
    if (clientHeight === 0) {
      return;
    }
    const isFar = top < scrollTop - room || top > scrollTop + 2 * room;
    this.element.scrollTop = isFar ? top - room / 2 : Math.min(top, Math.max(scrollTop, top + this.height - room));
  }

  activate(index: number) {
    if (this.count > 0) {
      const wanted = Math.max(0, Math.min(index, this.count - 1));
      this.setActive(wanted);
      this.options.onactive?.(wanted);
    }
  }

  private key(event: KeyboardEvent) {
    if (event.target !== this.element) {
      return;
    }
    const { active, count, options } = this;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const go = (index: number) => () => this.activate(index);
    const isRow = active >= 0;
    takeKey(event, {
      ArrowUp: go(active - 1),
      ArrowDown: go(active + 1),
      k: go(active - 1),
      j: go(active + 1),
      PageUp: go(active - page),
      PageDown: go(active + page),
      Home: go(0),
      End: go(count - 1),
      Enter: isRow ? () => options.onenter?.(active) : undefined,
      ArrowLeft: isRow ? options.onside?.(active, false) : undefined,
      ArrowRight: isRow ? options.onside?.(active, true) : undefined,
    });
  }

  protected click(event: MouseEvent) {
    const target = event.target as Element;
    const row = target.closest<HTMLElement>(".virtual-row");
    if (row && !target.closest("button, a, input, select")) {
      this.activate(Number(row.dataset.index));
    }
  }
}
