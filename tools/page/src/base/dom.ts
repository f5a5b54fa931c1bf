// Small helpers to build the page's elements. Text is only ever added as text nodes, so that names from files cannot
// inject markup.

export type Child = Node | string | number | boolean | null | undefined | Child[];
type Props = Record<string, unknown>;

/** Characters that do not show and those that change the direction of text: a name could look like another one. */
const DECEPTIVE = /[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Returns a text with such characters written out, such as \u202e. */
export function honest(text: string): string {
  return text.replace(DECEPTIVE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Members that have to be set as properties: their attributes are only the initial values. */
const PROPERTIES = new Set(["value", "checked", "selected", "indeterminate", "disabled", "hidden", "open"]);

/**
 * Creates an element. Props are attributes, or listeners if their name starts with "on"; children are appended as text
 * or nodes, and null is skipped.
 */
export function h<T extends keyof HTMLElementTagNameMap>(tag: T, props?: Props | null, ...children: Child[]): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  append(element, children);
  // Props come last: the value of a select needs its options.
  for (const [name, value] of Object.entries(props ?? {})) {
    setProp(element, name, value);
  }
  return element;
}

function setProp(element: HTMLElement, name: string, value: unknown) {
  if (name.startsWith("on") && typeof value === "function") {
    element.addEventListener(name.slice(2).toLowerCase(), value as EventListener);
  } else if (value === null || value === undefined) {
    return;
  } else if (PROPERTIES.has(name) && name in element) {
    Object.assign(element, { [name]: value });
  } else if (name.startsWith("aria-") || (name === "title" && typeof value === "string")) {
    element.setAttribute(name, honest(String(value)));
  } else if (value === true) {
    element.setAttribute(name, "");
  } else if (value !== false) {
    element.setAttribute(name, String(value));
  }
}

function append(parent: Node, children: Child[]) {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(parent, child);
    } else if (child !== null && child !== undefined && typeof child !== "boolean") {
      parent.appendChild(child instanceof Node ? child : document.createTextNode(honest(String(child))));
    }
  }
}

/** Replaces all children of an element. */
export function replace(parent: Element, ...children: Child[]) {
  const fragment = document.createDocumentFragment();
  append(fragment, children);
  parent.replaceChildren(fragment);
}

/** Formats a number in hexadecimal, such as 0x0880001c. */
export function hex(number: number | null | undefined, digits = 8): string {
  return number === null || number === undefined ? "–" : `0x${(number >>> 0).toString(16).padStart(digits, "0")}`;
}

/** Formats a number of a document: as it is if that is short, else with the digits that the PSP's numbers have. */
export function decimal(number: number | null | undefined): string {
  if (number === null || number === undefined) {
    // An infinity, or NaN.
    return "no number";
  }
  const text = String(number);
  return text.length > 11 ? String(Number(number.toPrecision(7))) : text;
}

/** Formats a number with thin spaces between groups of three digits. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** Formats a number with its noun: "1 draw", "2 draws". */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${count(number)} ${number === 1 ? noun : plural}`;
}

/** Returns a text with a capital at its start. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Makes a sentence of a text: most of the engine's start small and have no full stop. Names of files stay as they are. */
export function sentence(text: string): string {
  const start = /^[a-z]+([ ,:]|\.?$)/.test(text) ? capital(text) : text;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

/** Formats a colour of 8-bit components as #rrggbb or #rrggbbaa. */
export function colorText(color: readonly number[]): string {
  return `#${color.map((component) => component.toString(16).padStart(2, "0")).join("")}`;
}

/** Creates a small sample of a colour. Its alpha is not shown, because it is the stencil. */
export function swatch(color: readonly number[]): HTMLElement {
  const [red = 0, green = 0, blue = 0] = color;
  const element = h("span", { class: "swatch", "aria-hidden": true });
  element.style.backgroundColor = `rgb(${red} ${green} ${blue})`;
  return element;
}

/** Returns whether keys belong to a text field or another control that uses them, so that shortcuts must not act. */
export function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
    return true;
  }
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range", "color"].includes(target.type);
}

/** Returns a function that runs the callback once, after calls have paused. */
export function debounce<A extends unknown[]>(milliseconds: number, callback: (...values: A) => void): (...values: A) => void {
  let timer: number | undefined;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => callback(...values), milliseconds);
  };
}

/**
 * Scrolls the boxes around an element, if there is one, as little as needed to show it. `scrollIntoView` would also move
 * the place from which the Tab key goes on, in Chromium from version 148.
 */
export function reveal(element: Element | null | undefined) {
  for (let box = element?.parentElement; element && box; box = box.parentElement) {
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

/** How far a view has to move to show a range, or as much of it as it can: 0 if it does, or if the range fills it. */
function distanceInto(start: number, end: number, viewStart: number, viewEnd: number) {
  const isBefore = start < viewStart;
  const isAfter = end > viewEnd;
  if (isBefore === isAfter) {
    return 0;
  }
  const fits = end - start <= viewEnd - viewStart;
  return isBefore === fits ? start - viewStart : end - viewEnd;
}
