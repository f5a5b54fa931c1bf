// headed-list.js
import { VirtualList } from "pspge/virtual-list.js";
var HeadedList = class extends VirtualList {
  /**
   * @param {import("pspge/virtual-list.js").Options} options
   * @param {HTMLElement} header
   */
  constructor(options, header) {
    super(options);
    this.header = header;
    this.element.classList.add("headed-list");
    this.element.prepend(header);
  }
  /** Makes all rows as wide as the header, which can be wider than the list. */
  fit() {
    this.spacer.style.minWidth = "0";
    this.spacer.style.minWidth = `${this.header.scrollWidth}px`;
  }
  /** Measures a row and the header. */
  resize() {
    super.resize();
    if (this.header) {
      this.fit();
    }
  }
  /**
   * Scrolls as little as needed to show a row below the header.
   * @param {number} index
   */
  scrollTo(index) {
    const { scrollTop, clientHeight } = this.element;
    const room = clientHeight - this.header.offsetHeight;
    const top = index * this.height;
    if (clientHeight === 0) {
      return;
    }
    const isFar = top < scrollTop - room || top > scrollTop + 2 * room;
    if (isFar) {
      this.element.scrollTop = top - room / 2;
    } else if (top < scrollTop) {
      this.element.scrollTop = top;
    } else if (top + this.height > scrollTop + room) {
      this.element.scrollTop = top + this.height - room;
    }
  }
};
export {
  HeadedList
};
