// picture-toolbar.js
import { h, hex, icon, iconButton, replace } from "pspge/dom.js";
import { keyOf } from "pspge/keys.js";
import { placeBelow } from "pspge/layout.js";
import { CHANNELS } from "pspge/picture-pixels.js";
function createPictureToolbar(app, view, { toggleMarks, setHeat }) {
  const { store } = app;
  const sources = h("select", {
    "aria-label": "Buffer",
    title: "The buffer that is shown",
    class: "source-select",
    onchange: chooseSource
  });
  const views = (
    /** @type {const} */
    [
      ["color", "Colour"],
      ["depth", "Depth"]
    ].map(
      ([id, title]) => toggleButton(title, `${title} (${keyOf("depth")})`, () => store.set({ view: id }), { "data-view": id })
    )
  );
  const moments = (
    /** @type {const} */
    [
      [false, "Before"],
      [true, "After"]
    ].map(
      ([after, title]) => toggleButton(title, `${title} the event (${keyOf("flip")} flips)`, () => store.set({ after }), {
        "data-after": after ? "1" : "0"
      })
    )
  );
  const marks = (
    /** @type {const} */
    [
      ["covered", "Covered", "Mark the pixels that the draw covers", "highlight"],
      ["changed", "Changed", "Mark the pixels that the event changes", "changed"],
      ["result", "Result", "Mark the pixels that the draw covers, those in red that it does not change", "result"]
    ].map(
      ([kind, title, text, action]) => toggleButton(icon(kind), `${text} (${keyOf(action)})`, () => toggleMarks(kind), {
        "data-kind": kind,
        "aria-label": title
      })
    )
  );
  const channels = h(
    "select",
    { onchange: () => chooseChannel() },
    CHANNELS.map(([id, title]) => h("option", { value: id }, title))
  );
  const heats = h(
    "select",
    { onchange: () => setHeat(
      /** @type {HeatKind} */
      heats.value
    ) },
    [
      ["off", "none"],
      ["overdraw", "Overdraw"],
      ["cost", "Cost"]
    ].map(([value, text]) => h("option", { value }, text))
  );
  const menu = h(
    "div",
    { class: "menu picture-menu", popover: "auto" },
    h("label", null, "Channel", channels),
    h("label", { title: `Heat map (${keyOf("heat")})` }, "Heat map", heats)
  );
  const more = iconButton("more", "More settings of the picture", () => menu.togglePopover(), { "aria-haspopup": "true" });
  placeBelow(menu, more);
  const zoomText = h(
    "button",
    { type: "button", class: "zoom-text mono", title: "Zoom; click for 1:1", onclick: () => view.setScale(1) },
    "1:1"
  );
  function chooseSource() {
    const { events } = app;
    const chosen = sources.value;
    const buffer = chosen === "screen" ? events?.screen : events?.buffers[Number(chosen)];
    store.set({ target: chosen === "draw" ? null : buffer ?? null });
  }
  function chooseChannel() {
    view.setChannel(
      /** @type {import("pspge/picture-view.js").Channel} */
      channels.value
    );
    updateMore();
  }
  function updateMore() {
    more.classList.toggle("is-on", channels.value !== "color" || heats.value !== "off");
  }
  return {
    element: h(
      "div",
      { class: "toolbar", role: "group", "aria-label": "Settings of the picture" },
      sources,
      h("span", { class: "button-group", role: "group", "aria-label": "Colour or depth" }, views),
      h("span", { class: "button-group", role: "group", "aria-label": "Moment" }, moments),
      h("span", { class: "button-group", role: "group", "aria-label": "Marked pixels" }, marks),
      h("span", { class: "menu-holder" }, more, menu),
      h(
        "span",
        { class: "button-group zoom-group", role: "group", "aria-label": "Zoom" },
        iconButton("minus", `Zoom out (${keyOf("zoomOut")})`, () => view.zoom(-1)),
        zoomText,
        iconButton("plus", `Zoom in (${keyOf("zoomIn")})`, () => view.zoom(1)),
        iconButton("fit", `Show the whole picture (${keyOf("fit")})`, () => view.fit())
      )
    ),
    /** Lists the buffers of the run. */
    updateSources() {
      replace(sources, sourceOptions(app));
    },
    /** @param {import("pspge/store.js").Selection} selection */
    update(selection) {
      for (const button of views) {
        button.setAttribute("aria-pressed", String(button.dataset.view === selection.view));
      }
      for (const button of moments) {
        button.setAttribute("aria-pressed", String(button.dataset.after === "1" === selection.after));
      }
      channels.disabled = selection.view === "depth";
    },
    /** @param {Marks} chosen */
    setMarks(chosen) {
      for (const button of marks) {
        button.setAttribute("aria-pressed", String(button.dataset.kind === chosen));
      }
    },
    /** @param {HeatKind} kind */
    setHeat(kind) {
      heats.value = kind;
      updateMore();
    },
    updateZoom() {
      const { scale } = view;
      zoomText.textContent = Number.isInteger(1 / scale) ? `1:${1 / scale}` : `${Number(scale.toFixed(2))}:1`;
    }
  };
}
function toggleButton(content, title, onclick, props) {
  return h("button", { type: "button", class: "toggle", title, "aria-pressed": "false", onclick, ...props }, content);
}
function sourceOptions(app) {
  const { buffers = [], screen = null } = app.events ?? {};
  const { target } = app.store.get();
  const isChosen = (buffer) => target !== null && JSON.stringify(buffer) === JSON.stringify(target);
  const name = ({ address, format, width, height }) => `${hex(address)} ${format} ${width}×${height}`;
  const rest = buffers.map(
    (buffer, index) => h("option", { value: String(index), selected: isChosen(buffer) && !isChosen(screen) }, name(buffer))
  );
  const isListed = isChosen(screen) || buffers.some(isChosen);
  return [
    h("option", { value: "draw", selected: target === null }, "Target"),
    screen && h("option", { value: "screen", selected: isChosen(screen) }, `Screen: ${name(screen)}`),
    h("optgroup", { label: "Buffers of the run" }, rest),
    target && !isListed && h("option", { value: "custom", selected: true }, name(target))
  ];
}
export {
  createPictureToolbar
};
