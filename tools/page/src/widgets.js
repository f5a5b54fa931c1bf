// Controls that several panels share: tabs, choices, switches, links to events.

import { h } from "pspge/dom.js";
import { rem } from "pspge/layout.js";
import { numberInput } from "pspge/typed-number.js";

/** @typedef {import("pspge/app.js").App} App */

/**
 * @template {string} V
 * @typedef {{value: V, text: string, title?: string}} Choice
 */

/**
 * Creates a row of buttons of which one is chosen. Arrow keys move between them.
 * @template {string} V
 * @param {string} label
 * @param {readonly Choice<V>[]} choices
 * @param {(value: V) => void} onchoose
 */
export function segments(label, choices, onchoose) {
  return chooser({ label, choices, onchoose, groupClass: "segments", groupRole: "radiogroup", role: "radio", state: "aria-checked" });
}

/**
 * Creates tabs.
 * @template {string} V
 * @param {string} label
 * @param {readonly Choice<V>[]} choices
 * @param {(value: V) => void} onchoose
 */
export function tabs(label, choices, onchoose) {
  return chooser({ label, choices, onchoose, groupClass: "subtabs", groupRole: "tablist", role: "tab", state: "aria-selected" });
}

/**
 * @template {string} V
 * @param {{label: string, choices: readonly Choice<V>[], onchoose: (value: V) => void, groupClass: string, groupRole: string, role: string, state: string}} options
 */
function chooser({ label, choices, onchoose, groupClass, groupRole, role, state }) {
  let chosen = /** @type {V} */ (choices[0]?.value);
  /** @type {Map<V, HTMLButtonElement>} */
  const buttons = new Map();
  const mark = () => {
    for (const [value, button] of buttons) {
      button.setAttribute(state, String(value === chosen));
      button.tabIndex = value === chosen ? 0 : -1;
    }
  };
  const choose = (/** @type {V} */ value) => {
    chosen = value;
    mark();
    onchoose(value);
  };
  const step = (/** @type {KeyboardEvent} */ event) => {
    const steps = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 });
    const by = steps[event.key];
    const usable = [...buttons].filter(([, button]) => !button.disabled);
    if (by === undefined || usable.length === 0) {
      return;
    }
    const at = usable.findIndex(([value]) => value === chosen);
    const [value, button] = /** @type {[V, HTMLButtonElement]} */ (usable[(at + by + usable.length) % usable.length]);
    choose(value);
    button.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  for (const { value, text, title } of choices) {
    buttons.set(value, h("button", { type: "button", role, title: title ?? null, onclick: () => choose(value) }, text));
  }
  const element = h("div", { class: groupClass, role: groupRole, "aria-label": label, onkeydown: step }, ...buttons.values());
  mark();
  return {
    element,
    get: () => chosen,
    /** @param {V} value Chosen without calling back. */
    set(value) {
      chosen = value;
      mark();
    },
    /** @param {readonly V[]} values The choices that can be used. */
    enable(values) {
      for (const [value, button] of buttons) {
        button.disabled = !values.includes(value);
      }
    },
    /**
     * @param {V} value
     * @param {string} text
     */
    setText(value, text) {
      const button = buttons.get(value);
      if (button) {
        button.textContent = text;
      }
    },
  };
}

/**
 * Creates a switch with a name.
 * @param {string} text
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} onchange
 * @param {string} [title]
 * @returns {HTMLLabelElement}
 */
export function toggle(text, isOn, onchange, title) {
  const input = h("input", { type: "checkbox", checked: isOn, onchange: () => onchange(input.checked) });
  return h("label", { class: "check", title: title ?? null }, input, " ", text);
}

/**
 * Creates a list to choose from, with a name.
 * @param {string} label
 * @param {readonly Choice<string>[]} choices
 * @param {(value: string) => void} onchange
 */
export function select(label, choices, onchange) {
  const options = choices.map(({ value, text }) => h("option", { value }, text));
  const input = h("select", { "aria-label": label, onchange: () => onchange(input.value) }, ...options);
  return { element: h("label", { class: "field" }, h("span", null, label), " ", input), input };
}

/**
 * Creates a text field with a name. `onenter` is called with its text when it is confirmed.
 * @param {string} label
 * @param {{value?: string, size?: number, title?: string, placeholder?: string, list?: string}} props
 * @param {(text: string) => void} onenter
 */
export function field(label, { size = 10, ...props }, onenter) {
  const input = h("input", {
    type: "text",
    size,
    spellcheck: "false",
    autocomplete: "off",
    ...props,
    onchange: () => onenter(input.value.trim()),
  });
  return { element: h("label", { class: "field" }, h("span", null, label), " ", input), input };
}

/**
 * Creates a field for a number with a name.
 * @param {string} label
 * @param {Parameters<typeof numberInput>[0]} options
 * @param {(number: number) => void} take
 */
export function numberField(label, options, take) {
  const input = numberInput(options, take);
  return { element: h("label", { class: "field" }, h("span", null, label), " ", input), input };
}

/**
 * Creates a button with a text.
 * @param {string} text
 * @param {() => void} onclick
 * @param {string} [title]
 * @returns {HTMLButtonElement}
 */
export function button(text, onclick, title) {
  return h("button", { type: "button", title: title ?? null, onclick }, text);
}

/**
 * Creates a link that acts inside the page.
 * @param {string} text
 * @param {() => void} onclick
 * @param {string} [title]
 * @returns {HTMLButtonElement}
 */
export function link(text, onclick, title) {
  return h("button", { type: "button", class: "link", title: title ?? null, onclick }, text);
}

/**
 * Creates a link to an event, named by its draw if it is one.
 * @param {App} app
 * @param {number} event
 * @returns {HTMLButtonElement}
 */
export function eventLink(app, event) {
  const row = app.events?.events[event];
  const draw = row?.draw;
  const text = draw === null || draw === undefined ? `event ${event}` : `draw ${draw}`;
  return link(text, () => app.selectEvent(event), row?.text ?? `Select event ${event}`);
}

/** @type {WeakMap<object, Map<number, number>>} */
const drawEvents = new WeakMap();

/**
 * Returns the event of each draw of the run.
 * @param {App} app
 * @returns {Map<number, number>}
 */
export function eventsOfDraws(app) {
  if (!app.events) {
    return new Map();
  }
  const known = drawEvents.get(app.events);
  if (known) {
    return known;
  }
  const draws = app.events.events.filter(({ draw }) => draw !== null);
  const events = new Map(draws.map(({ draw, event }) => [Number(draw), event]));
  drawEvents.set(app.events, events);
  return events;
}

/**
 * Returns the last part of a path.
 * @param {string} path
 * @returns {string}
 */
export function fileName(path) {
  return path.split(/[/\\]/).pop() || path;
}

/**
 * Sets the orientation of a panel's panes by its width, and tells its splitter.
 * @param {HTMLElement} body It gets the class is-narrow.
 * @param {number} least Width in rem from which the panes are side by side.
 * @param {HTMLElement | null} [splitter]
 */
export function stackWhenNarrow(body, least, splitter = null) {
  new ResizeObserver(() => {
    const isNarrow = body.clientWidth < least * rem();
    if (body.clientWidth > 0 && isNarrow !== body.classList.contains("is-narrow")) {
      body.classList.toggle("is-narrow", isNarrow);
      splitter?.dispatchEvent(new Event("layout"));
    }
  }).observe(body);
}

/**
 * Creates links to draws: the first ones, and a number of the others that unfolds them.
 * @param {App} app
 * @param {readonly number[]} draws
 * @param {number} [most]
 * @returns {HTMLElement}
 */
export function drawLinks(app, draws, most = 24) {
  const events = eventsOfDraws(app);
  const linkTo = (/** @type {number} */ draw) => {
    const event = events.get(draw);
    return event === undefined ? h("span", null, String(draw)) : link(String(draw), () => app.selectEvent(event), `Select draw ${draw}`);
  };
  const list = h("span", { class: "draw-links" }, draws.slice(0, most).map(linkTo));
  const add = (/** @type {number} */ from) => {
    if (from >= draws.length) {
      return;
    }
    const more = link(`${draws.length - from} more`, () => {
      more.remove();
      list.append(...draws.slice(from, from + 500).map(linkTo));
      add(from + 500);
    });
    list.append(more);
  };
  add(most);
  return list;
}

/**
 * Returns the text of the filter that only these draws pass.
 * @param {readonly number[]} draws rising
 * @returns {string}
 */
export function drawFilter(draws) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const draw of draws) {
    const last = ranges[ranges.length - 1];
    if (last && draw === last[1] + 1) {
      last[1] = draw;
    } else {
      ranges.push([draw, draw]);
    }
  }
  return `draw:${ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(",")}`;
}

/**
 * Copies RGBA pixels to a canvas. Alpha is the stencil of a buffer, so it is only shown if it is asked for.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} pixels
 * @param {boolean} [hasAlpha]
 */
export function paint(canvas, width, height, pixels, hasAlpha = false) {
  canvas.width = width;
  canvas.height = height;
  const image = new ImageData(width, height);
  image.data.set(pixels.subarray(0, image.data.length));
  if (!hasAlpha) {
    for (let at = 3; at < image.data.length; at += 4) {
      image.data[at] = 255;
    }
  }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
}

/**
 * Returns depths as grey pixels.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function greyOfDepth(bytes) {
  const pixels = new Uint8Array(bytes.length * 2);
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    pixels.fill(bytes[at + 1] ?? 0, at * 2, at * 2 + 3);
    pixels[at * 2 + 3] = 255;
  }
  return pixels;
}

/**
 * Asks for a picture and returns it as RGBA, whatever its storage; null if another one replaced it in its channel.
 * @param {App} app
 * @param {Omit<import("pspge/engine.js").Asked<"picture">, "request">} request
 * @param {string | null} [channel] Without one, all requests are answered.
 * @returns {Promise<{width: number, height: number, pixels: Uint8Array} | null>}
 */
export async function requestPicture(app, request, channel = null) {
  const send = channel === null ? app.engine.request : app.engine.latest(channel);
  const answer = await send({ request: "picture", ...request });
  if (!answer) {
    return null;
  }
  const { json, bytes } = answer;
  const pixels = json.pixels === "depth16" ? greyOfDepth(bytes) : bytes;
  return { width: json.width, height: json.height, pixels };
}

/**
 * Loads the answer of a request once, however often it is asked for. Answers that came too late are dropped.
 */
export class Loader {
  /**
   * @param {App} app
   * @param {string} channel
   * @param {HTMLElement} element Marked as busy meanwhile.
   */
  constructor(app, channel, element) {
    this.app = app;
    /** @type {import("pspge/engine.js").SendLatest} */
    this.send = app.engine.latest(channel);
    this.element = element;
    /** @type {string | null} */
    this.key = null;
  }

  /**
   * @template {import("pspge/engine.js").Request["request"]} N
   * @param {import("pspge/engine.js").Asked<N> & {request: N}} request
   * @param {(answer: import("pspge/engine.js").Answer<N>) => void} use
   * @param {(message: string) => void} refuse Shows why there is no answer.
   */
  async load(request, use, refuse) {
    // The files are part of the key: the same request means another answer after another one is opened.
    const key = JSON.stringify([request, this.app.input?.hash, this.app.rival?.hash]);
    if (key === this.key) {
      return;
    }
    this.key = key;
    this.element.setAttribute("aria-busy", "true");
    try {
      const answer = await /** @type {(request: object) => Promise<any>} */ (this.send)(request);
      if (answer && this.key === key) {
        use(answer);
      }
    } catch (error) {
      if (this.key === key) {
        refuse(error instanceof Error ? error.message : String(error));
        this.app.fail(error);
      }
    }
    if (this.key === key) {
      this.element.removeAttribute("aria-busy");
    }
  }

  /** Forgets the answer, so that the next one is asked for. */
  forget() {
    this.key = null;
    this.element.removeAttribute("aria-busy");
  }
}
