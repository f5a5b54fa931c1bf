// widgets.js
import { h } from "pspge/dom.js";
import { rem } from "pspge/layout.js";
import { numberInput } from "pspge/typed-number.js";
function segments(label, choices, onchoose) {
  return chooser({ label, choices, onchoose, groupClass: "segments", groupRole: "radiogroup", role: "radio", state: "aria-checked" });
}
function tabs(label, choices, onchoose) {
  return chooser({ label, choices, onchoose, groupClass: "subtabs", groupRole: "tablist", role: "tab", state: "aria-selected" });
}
function chooser({ label, choices, onchoose, groupClass, groupRole, role, state }) {
  let chosen = (
    /** @type {V} */
    choices[0]?.value
  );
  const buttons = /* @__PURE__ */ new Map();
  const mark = () => {
    for (const [value, button2] of buttons) {
      button2.setAttribute(state, String(value === chosen));
      button2.tabIndex = value === chosen ? 0 : -1;
    }
  };
  const choose = (value) => {
    chosen = value;
    mark();
    onchoose(value);
  };
  const step = (event) => {
    const steps = (
      /** @type {Record<string, number>} */
      { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }
    );
    const by = steps[event.key];
    const usable = [...buttons].filter(([, button3]) => !button3.disabled);
    if (by === void 0 || usable.length === 0) {
      return;
    }
    const at = usable.findIndex(([value2]) => value2 === chosen);
    const [value, button2] = (
      /** @type {[V, HTMLButtonElement]} */
      usable[(at + by + usable.length) % usable.length]
    );
    choose(value);
    button2.focus();
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
      for (const [value, button2] of buttons) {
        button2.disabled = !values.includes(value);
      }
    },
    /**
     * @param {V} value
     * @param {string} text
     */
    setText(value, text) {
      const button2 = buttons.get(value);
      if (button2) {
        button2.textContent = text;
      }
    }
  };
}
function toggle(text, isOn, onchange, title) {
  const input = h("input", { type: "checkbox", checked: isOn, onchange: () => onchange(input.checked) });
  return h("label", { class: "check", title: title ?? null }, input, " ", text);
}
function select(label, choices, onchange) {
  const options = choices.map(({ value, text }) => h("option", { value }, text));
  const input = h("select", { "aria-label": label, onchange: () => onchange(input.value) }, ...options);
  return { element: h("label", { class: "field" }, h("span", null, label), " ", input), input };
}
function field(label, { size = 10, ...props }, onenter) {
  const input = h("input", {
    type: "text",
    size,
    spellcheck: "false",
    autocomplete: "off",
    ...props,
    onchange: () => onenter(input.value.trim())
  });
  return { element: h("label", { class: "field" }, h("span", null, label), " ", input), input };
}
function numberField(label, options, take) {
  const input = numberInput(options, take);
  return { element: h("label", { class: "field" }, h("span", null, label), " ", input), input };
}
function button(text, onclick, title) {
  return h("button", { type: "button", title: title ?? null, onclick }, text);
}
function link(text, onclick, title) {
  return h("button", { type: "button", class: "link", title: title ?? null, onclick }, text);
}
function eventLink(app, event) {
  const row = app.events?.events[event];
  const draw = row?.draw;
  const text = draw === null || draw === void 0 ? `event ${event}` : `draw ${draw}`;
  return link(text, () => app.selectEvent(event), row?.text ?? `Select event ${event}`);
}
var drawEvents = /* @__PURE__ */ new WeakMap();
function eventsOfDraws(app) {
  if (!app.events) {
    return /* @__PURE__ */ new Map();
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
function fileName(path) {
  return path.split(/[/\\]/).pop() || path;
}
function stackWhenNarrow(body, least, splitter = null) {
  new ResizeObserver(() => {
    const isNarrow = body.clientWidth < least * rem();
    if (body.clientWidth > 0 && isNarrow !== body.classList.contains("is-narrow")) {
      body.classList.toggle("is-narrow", isNarrow);
      splitter?.dispatchEvent(new Event("layout"));
    }
  }).observe(body);
}
function drawLinks(app, draws, most = 24) {
  const events = eventsOfDraws(app);
  const linkTo = (draw) => {
    const event = events.get(draw);
    return event === void 0 ? h("span", null, String(draw)) : link(String(draw), () => app.selectEvent(event), `Select draw ${draw}`);
  };
  const list = h("span", { class: "draw-links" }, draws.slice(0, most).map(linkTo));
  const add = (from) => {
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
function drawFilter(draws) {
  const ranges = [];
  for (const draw of draws) {
    const last = ranges[ranges.length - 1];
    if (last && draw === last[1] + 1) {
      last[1] = draw;
    } else {
      ranges.push([draw, draw]);
    }
  }
  return `draw:${ranges.map(([first, last]) => first === last ? first : `${first}-${last}`).join(",")}`;
}
function paint(canvas, width, height, pixels, hasAlpha = false) {
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
function greyOfDepth(bytes) {
  const pixels = new Uint8Array(bytes.length * 2);
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    pixels.fill(bytes[at + 1] ?? 0, at * 2, at * 2 + 3);
    pixels[at * 2 + 3] = 255;
  }
  return pixels;
}
async function requestPicture(app, request, channel = null) {
  const send = channel === null ? app.engine.request : app.engine.latest(channel);
  const answer = await send({ request: "picture", ...request });
  if (!answer) {
    return null;
  }
  const { json, bytes } = answer;
  const pixels = json.pixels === "depth16" ? greyOfDepth(bytes) : bytes;
  return { width: json.width, height: json.height, pixels };
}
var Loader = class {
  /**
   * @param {App} app
   * @param {string} channel
   * @param {HTMLElement} element Marked as busy meanwhile.
   */
  constructor(app, channel, element) {
    this.app = app;
    this.send = app.engine.latest(channel);
    this.element = element;
    this.key = null;
  }
  /**
   * @template {import("pspge/engine.js").Request["request"]} N
   * @param {import("pspge/engine.js").Asked<N> & {request: N}} request
   * @param {(answer: import("pspge/engine.js").Answer<N>) => void} use
   * @param {(message: string) => void} refuse Shows why there is no answer.
   */
  async load(request, use, refuse) {
    const key = JSON.stringify([request, this.app.input?.hash, this.app.rival?.hash]);
    if (key === this.key) {
      return;
    }
    this.key = key;
    this.element.setAttribute("aria-busy", "true");
    try {
      const answer = await /** @type {(request: object) => Promise<any>} */
      this.send(request);
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
};
export {
  Loader,
  button,
  drawFilter,
  drawLinks,
  eventLink,
  eventsOfDraws,
  field,
  fileName,
  greyOfDepth,
  link,
  numberField,
  paint,
  requestPicture,
  segments,
  select,
  stackWhenNarrow,
  tabs,
  toggle
};
