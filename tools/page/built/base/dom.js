// base/dom.ts
var DECEPTIVE = /[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
function honest(text) {
  return text.replace(DECEPTIVE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
var PROPERTIES = /* @__PURE__ */ new Set(["value", "checked", "selected", "indeterminate", "disabled", "hidden", "open"]);
function h(tag, props, ...children) {
  const element = document.createElement(tag);
  append(element, children);
  for (const [name, value] of Object.entries(props ?? {})) {
    setProp(element, name, value);
  }
  return element;
}
function setProp(element, name, value) {
  if (name.startsWith("on") && typeof value === "function") {
    element.addEventListener(name.slice(2).toLowerCase(), value);
  } else if (value === null || value === void 0) {
    return;
  } else if (PROPERTIES.has(name) && name in element) {
    Object.assign(element, { [name]: value });
  } else if (name.startsWith("aria-") || name === "title" && typeof value === "string") {
    element.setAttribute(name, honest(String(value)));
  } else if (value === true) {
    element.setAttribute(name, "");
  } else if (value !== false) {
    element.setAttribute(name, String(value));
  }
}
function append(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(parent, child);
    } else if (child !== null && child !== void 0 && typeof child !== "boolean") {
      parent.appendChild(child instanceof Node ? child : document.createTextNode(honest(String(child))));
    }
  }
}
function replace(parent, ...children) {
  const fragment = document.createDocumentFragment();
  append(fragment, children);
  parent.replaceChildren(fragment);
}
function hex(number, digits = 8) {
  return number === null || number === void 0 ? "–" : `0x${(number >>> 0).toString(16).padStart(digits, "0")}`;
}
function decimal(number) {
  if (number === null || number === void 0) {
    return "no number";
  }
  const text = String(number);
  return text.length > 11 ? String(Number(number.toPrecision(7))) : text;
}
function count(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
}
function counted(number, noun, plural = `${noun}s`) {
  return `${count(number)} ${number === 1 ? noun : plural}`;
}
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
function sentence(text) {
  const start = /^[a-z]+([ ,:]|\.?$)/.test(text) ? capital(text) : text;
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
function colorText(color) {
  return `#${color.map((component) => component.toString(16).padStart(2, "0")).join("")}`;
}
function swatch(color) {
  const [red = 0, green = 0, blue = 0] = color;
  const element = h("span", { class: "swatch", "aria-hidden": true });
  element.style.backgroundColor = `rgb(${red} ${green} ${blue})`;
  return element;
}
function takesKeys(target) {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) {
    return true;
  }
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range", "color"].includes(target.type);
}
function debounce(milliseconds, callback) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => callback(...values), milliseconds);
  };
}
function reveal(element) {
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
function distanceInto(start, end, viewStart, viewEnd) {
  const isBefore = start < viewStart;
  const isAfter = end > viewEnd;
  if (isBefore === isAfter) {
    return 0;
  }
  const fits = end - start <= viewEnd - viewStart;
  return isBefore === fits ? start - viewStart : end - viewEnd;
}
export {
  capital,
  colorText,
  count,
  counted,
  debounce,
  decimal,
  h,
  hex,
  honest,
  replace,
  reveal,
  sentence,
  swatch,
  takesKeys
};
