// Small helpers to build the page's elements. Text is only ever added as text nodes, so that names from files cannot
// inject markup.

/**
 * @typedef {Node | string | number | boolean | null | undefined | Child[]} Child
 * @typedef {Record<string, any>} Props
 */

/** Characters that do not show and those that change the direction of text: a name could look like another one. */
const DECEPTIVE = /[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Returns a text with such characters written out, such as \u202e.
 * @param {string} text
 * @returns {string}
 */
export function honest(text) {
  return text.replace(DECEPTIVE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Members that have to be set as properties: their attributes are only the initial values. */
const PROPERTIES = new Set(["value", "checked", "selected", "indeterminate", "disabled", "hidden", "open"]);

/**
 * Creates an element. Props are attributes, or listeners if their name starts with "on"; children are appended as text
 * or nodes, and null is skipped.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  append(element, children);
  // Props come last: the value of a select needs its options.
  for (const [name, value] of Object.entries(props ?? {})) {
    setProp(element, name, value);
  }
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {any} value
 */
function setProp(element, name, value) {
  if (name.startsWith("on") && typeof value === "function") {
    element.addEventListener(name.slice(2).toLowerCase(), value);
  } else if (value === null || value === undefined) {
    return;
  } else if (PROPERTIES.has(name) && name in element) {
    /** @type {any} */ (element)[name] = value;
  } else if (name.startsWith("aria-") || (name === "title" && typeof value === "string")) {
    element.setAttribute(name, honest(String(value)));
  } else if (value === true) {
    element.setAttribute(name, "");
  } else if (value !== false) {
    element.setAttribute(name, String(value));
  }
}

/**
 * @param {Node} parent
 * @param {Child[]} children
 */
function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || typeof child === "boolean") {
      continue;
    }
    if (Array.isArray(child)) {
      append(parent, child);
    } else {
      parent.appendChild(child instanceof Node ? child : document.createTextNode(honest(String(child))));
    }
  }
}

/**
 * Replaces all children of an element.
 * @param {Element} parent
 * @param {...Child} children
 */
export function replace(parent, ...children) {
  const fragment = document.createDocumentFragment();
  append(fragment, children);
  parent.replaceChildren(fragment);
}

/**
 * Formats a number in hexadecimal, such as 0x0880001c.
 * @param {number | null | undefined} number
 * @param {number} [digits]
 * @returns {string}
 */
export function hex(number, digits = 8) {
  if (number === null || number === undefined) {
    return "–";
  }
  return `0x${(number >>> 0).toString(16).padStart(digits, "0")}`;
}

/**
 * Formats a number with thin spaces between groups of three digits.
 * @param {number} number
 * @returns {string}
 */
export function count(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/**
 * Formats a number with its noun: "1 draw", "2 draws".
 * @param {number} number
 * @param {string} noun
 * @param {string} [plural]
 * @returns {string}
 */
export function counted(number, noun, plural = `${noun}s`) {
  return `${count(number)} ${number === 1 ? noun : plural}`;
}

/**
 * Formats a colour of 8-bit components as #rrggbb or #rrggbbaa.
 * @param {readonly number[]} color
 * @returns {string}
 */
export function colorText(color) {
  return `#${color.map((component) => component.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Creates a small sample of a colour. Its alpha is not shown, because it is the stencil.
 * @param {readonly number[]} color
 * @returns {HTMLElement}
 */
export function swatch(color) {
  const [red = 0, green = 0, blue = 0] = color;
  const element = h("span", { class: "swatch", "aria-hidden": true });
  element.style.backgroundColor = `rgb(${red} ${green} ${blue})`;
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Outlines of icons in a box of 16 by 16. */
export const ICONS = {
  draw: "M8 2.5 14 13.5H2Z",
  patch: "M2.5 3.5C6 1.5 10 5.5 13.5 3.5V12.5C10 14.5 6 10.5 2.5 12.5ZM2.5 8C6 6 10 10 13.5 8M8 3.5V12.5",
  immediate: "M8 2v3M8 11v3M2 8h3M11 8h3M8 7v2M7 8h2",
  transfer: "M2 5.5H13M10.5 3 13 5.5 10.5 8M14 10.5H3M5.5 8 3 10.5 5.5 13",
  cpu: "M4.5 4.5H11.5V11.5H4.5ZM6.5 2V4.5M9.5 2V4.5M6.5 11.5V14M9.5 11.5V14M2 6.5H4.5M2 9.5H4.5M11.5 6.5H14M11.5 9.5H14",
  clear: "M2.5 2.5H13.5V13.5H2.5ZM5 8H11",
  skip: "M2 8C4 4.5 6 3.5 8 3.5S12 4.5 14 8C12 11.5 10 12.5 8 12.5S4 11.5 2 8ZM3 13 13 3",
  show: "M2 8C4 4.5 6 3.5 8 3.5S12 4.5 14 8C12 11.5 10 12.5 8 12.5S4 11.5 2 8ZM8 6.5A1.5 1.5 0 1 0 8 9.5 1.5 1.5 0 1 0 8 6.5",
  solo: "M8 2.5A5.5 5.5 0 1 0 8 13.5 5.5 5.5 0 1 0 8 2.5M8 6.5A1.5 1.5 0 1 0 8 9.5 1.5 1.5 0 1 0 8 6.5",
  first: "M4 3V13M12.5 3 6 8 12.5 13Z",
  previous: "M11 3 5 8 11 13Z",
  next: "M5 3 11 8 5 13Z",
  last: "M12 3V13M3.5 3 10 8 3.5 13Z",
  close: "M4 4 12 12M12 4 4 12",
  down: "M4 6 8 10.5 12 6",
  right: "M6 4 10.5 8 6 12",
  undo: "M6 3 3 6 6 9M3 6H10A3.5 3.5 0 0 1 10 13H6",
  redo: "M10 3 13 6 10 9M13 6H6A3.5 3.5 0 0 0 6 13H10",
  theme: "M8 2.5A5.5 5.5 0 1 0 8 13.5ZM8 2.5A5.5 5.5 0 0 1 8 13.5",
  open: "M2 4H6L7.5 5.5H14V12.5H2ZM2 7.5H14",
  dock: "M2 3H14V13H2ZM9.5 3V13",
  "dock-below": "M2 3H14V13H2ZM2 9H14",
  plus: "M8 3V13M3 8H13",
  minus: "M3 8H13",
  fit: "M2 6V2H6M10 2H14V6M14 10V14H10M6 14H2V10",
  note: "M8 2 14.5 13.5H1.5ZM8 6.5V9.5M8 11.2V11.7",
  save: "M8 2V10M4.5 6.5 8 10 11.5 6.5M2.5 13.5H13.5",
  copy: "M5.5 5.5H13.5V13.5H5.5ZM10.5 5.5V2.5H2.5V10.5H5.5",
  more: "M2.5 8H4M7.25 8H8.75M12 8H13.5",
  covered: "M2.5 2.5H10.5V10.5H2.5ZM5.5 13.5H13.5V5.5M4.5 8.5 8.5 4.5M6.5 10.5 10.5 6.5",
  changed: "M8 2.5V13.5H2.5V2.5H13.5V13.5H8M10 6H12M11 5V7M4.25 6H6.25M10 10.5H12",
  pin: "M5.5 2.5H10.5L10 7 12.5 9.5H3.5L6 7ZM8 9.5V14",
  result: "M2.5 2.5H13.5V13.5H2.5ZM13.5 2.5 2.5 13.5M4.5 5.5H7.5M9 10 11.5 12.5M11.5 10 9 12.5",
  edit: "M3 13 3.5 10.5 11 3 13 5 5.5 12.5Z",
};

/**
 * Creates an icon, which only decorates: the control or the text next to it has the name.
 * @param {keyof typeof ICONS} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const element = document.createElementNS(SVG, "svg");
  element.setAttribute("viewBox", "0 0 16 16");
  element.setAttribute("class", `icon icon-${name}`);
  element.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  element.appendChild(path);
  return element;
}

/**
 * Creates a button of an icon. The label is its accessible name and its tooltip.
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Props} [props]
 * @returns {HTMLButtonElement}
 */
export function iconButton(name, label, onclick, props = {}) {
  return h(
    "button",
    { type: "button", class: "icon-button", title: label, "aria-label": label, onclick, ...props },
    icon(name),
  );
}

/**
 * Returns whether keys belong to a text field or another control that uses them, so that shortcuts must not act.
 * @param {EventTarget | null} target
 * @returns {boolean}
 */
export function takesKeys(target) {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
    return true;
  }
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range", "color"].includes(target.type);
}

/**
 * Returns a function that runs the callback once, after calls have paused.
 * @template {any[]} A
 * @param {number} milliseconds
 * @param {(...values: A) => void} callback
 * @returns {(...values: A) => void}
 */
export function debounce(milliseconds, callback) {
  /** @type {number | undefined} */
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => callback(...values), milliseconds);
  };
}

/**
 * Scrolls the boxes around an element as little as needed to show it. `scrollIntoView` would also move the place from
 * which the Tab key goes on, in Chromium from version 148.
 * @param {Element} element
 */
export function reveal(element) {
  for (let box = element.parentElement; box; box = box.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(box);
    const inner = element.getBoundingClientRect();
    const outer = box.getBoundingClientRect();
    if (/auto|scroll/.test(overflowX)) {
      const left = outer.left + box.clientLeft;
      box.scrollLeft += distanceInto(inner.left, inner.right, left, left + box.clientWidth);
    }
    if (/auto|scroll/.test(overflowY)) {
      const top = outer.top + box.clientTop;
      box.scrollTop += distanceInto(inner.top, inner.bottom, top, top + box.clientHeight);
    }
  }
}

/**
 * How far a view has to move to show a range, or as much of it as it can: 0 if it does, or if the range fills it.
 * @param {number} start
 * @param {number} end
 * @param {number} viewStart
 * @param {number} viewEnd
 */
function distanceInto(start, end, viewStart, viewEnd) {
  const isBefore = start < viewStart;
  const isAfter = end > viewEnd;
  if (isBefore === isAfter) {
    return 0;
  }
  const fits = end - start <= viewEnd - viewStart;
  return isBefore === fits ? start - viewStart : end - viewEnd;
}

/**
 * Runs a function that builds the contents of an element anew, and gives the focus back to the control with the same
 * `data-focus`, or to the one before it if that is gone.
 * @param {HTMLElement} holder
 * @param {() => void} build
 */
export function keepFocus(holder, build) {
  const { activeElement } = document;
  const focused = activeElement instanceof HTMLElement && holder.contains(activeElement) ? activeElement : null;
  const controls = () => /** @type {HTMLElement[]} */ ([...holder.querySelectorAll("[data-focus]")]);
  const position = focused ? controls().indexOf(focused) : -1;
  const key = focused?.dataset.focus;
  build();
  if (key === undefined || focused?.isConnected) {
    return;
  }
  const now = controls();
  const same = now.find((control) => control.dataset.focus === key);
  (same ?? now[Math.min(position, now.length - 1)])?.focus({ preventScroll: true });
}
