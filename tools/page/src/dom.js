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
