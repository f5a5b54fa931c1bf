// The header: what is open, notes, and settings of the page.

import { counted, h, honest, iconButton, replace } from "pspge/dom.js";
import { groupEvents } from "pspge/event-groups.js";
import { saveCanvas } from "pspge/export.js";
import { drawFilter } from "pspge/widgets.js";
import { allNotes } from "pspge/dialogs.js";
import { keyOf } from "pspge/keys.js";
import { menuButton, setting } from "pspge/layout.js";
import { WORKSPACES } from "pspge/panels.js";

/**
 * @typedef {{
 *   nextFrame: () => Promise<void>,
 *   help: () => void,
 *   notes: () => void,
 *   theme: (theme: "light" | "dark" | "system") => void,
 *   dock: (dock: "right" | "below") => void,
 *   textSize: (percent: number) => void,
 *   arrange: (workspace: typeof WORKSPACES[number]) => void,
 * }} Actions
 */

const KINDS = { model: "model", frame: "frame dump", list: "display list", other: "file" };
const TEXT_SIZES = [80, 90, 100, 110, 125, 150, 175, 200];

/**
 * Creates the header.
 * @param {import("pspge/app.js").App} app
 * @param {Actions} actions
 */
export function createHeader(app, actions) {
  const name = h("h1", { class: "file-name" }, "pspge inspector");
  const facts = h("span", { class: "file-facts" });
  const notes = h("button", { type: "button", class: "notes-button", onclick: actions.notes, hidden: true });
  const edits = h("button", {
    type: "button",
    class: "edits-button",
    onclick: () => app.openPanel("edits"),
    hidden: true,
  });
  const save = menuButton({
    label: "Save",
    title: "Save a picture, a part of the run, or the geometry",
    content: () => saveMenu(app),
  });
  save.hidden = true;
  const toggleTheme = () => actions.theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  const element = h(
    "header",
    { class: "header" },
    h("span", { class: "brand" }, "pspge"),
    name,
    facts,
    notes,
    edits,
    h("span", { class: "spacer" }),
    nextFrameButton(actions),
    h(
      "button",
      {
        type: "button",
        title: "Open a file, or several of one model; with the panel Diff, the one to compare with",
        onclick: () => void app.chooseInput(app.numberToOpen()),
      },
      "Open",
    ),
    save,
    menuButton({ label: "View", title: "Theme, size of texts, place of the panels", content: () => viewMenu(app, actions) }),
    iconButton("theme", "Switch between light and dark", toggleTheme),
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        title: `Help (${keyOf("help")})`,
        "aria-label": "Help",
        onclick: actions.help,
      },
      "?",
    ),
  );
  return {
    element,
    update() {
      const { input, events } = app;
      if (!input) {
        return;
      }
      save.hidden = !input.is_runnable;
      replace(name, input.name.split("/").pop());
      name.title = honest(input.name);
      const draws = events ? events.events.filter(({ draw }) => draw !== null).length : null;
      replace(
        facts,
        [KINDS[input.kind], input.game].filter(Boolean).join(" of "),
        draws === null || !events ? null : [" · ", counted(draws, "draw"), ", ", counted(events.count, "event")],
        " · ",
        h("span", { class: "mono", title: `Hash ${input.hash}` }, String(input.hash).slice(0, 8)),
      );
      const problems = allNotes(app).filter(({ severity }) => severity === "problem").length;
      const others = allNotes(app).length - problems;
      notes.hidden = problems + others === 0;
      notes.classList.toggle("has-problems", problems > 0);
      notes.textContent = problems > 0 ? counted(problems, "problem") : counted(others, "note");
      const { length } = app.store.get().edits;
      edits.hidden = length === 0;
      edits.textContent = counted(length, "edit");
    },
  };
}

/**
 * @param {import("pspge/app.js").App} app
 * @returns {Node[]}
 */
function saveMenu(app) {
  const row = app.row();
  /** @type {["gltf" | "png" | "dump" | "trim", string, boolean][]} */
  const items = [
    ["png", "Picture at this event (PNG)", true],
    ["dump", "Run with its edits (frame dump)", true],
    [
      "trim",
      row?.draw === null || !row ? "This event alone (frame dump)" : `Draw ${row.draw} alone (frame dump)`,
      row !== null,
    ],
    ["gltf", "Geometry (glTF, .glb)", true],
  ];
  const item = (/** @type {string} */ text, /** @type {boolean} */ isPossible, /** @type {() => void} */ act) =>
    h(
      "button",
      { type: "button", class: "menu-item", disabled: !isPossible || !app.input, onclick: (/** @type {Event} */ event) => (closeMenu(event), act()) },
      text,
    );
  const draw = row?.draw ?? null;
  const pass = row ? passOf(app, row.event) : null;
  return [
    ...items.map(([what, text, isPossible]) => item(text, isPossible, () => void app.export(what))),
    draw !== null && item(`Geometry of draw ${draw} (glTF, .glb)`, true, () => void app.export("gltf", String(draw))),
    pass && item(`Geometry of pass ${pass.pass} (glTF, .glb)`, true, () => void app.export("gltf", pass.draws)),
    item("Picture as it is shown, with overlays (PNG)", true, () => void saveCanvas(app, "shown", document.querySelector("section.picture .picture-view canvas"))),
    copyItem(app, "Copy the link to this place", () => location.href),
    copyItem(app, "Copy the command that opens this place", () => commandOf(app)),
    copyItem(app, "Copy the command that writes this place as one file", () => `${commandOf(app)} -o page.html`),
  ].filter((node) => node !== false && node !== null);
}

/**
 * Returns the pass of an event with its draws.
 * @param {import("pspge/app.js").App} app
 * @param {number} event
 */
function passOf(app, event) {
  const groups = groupEvents(app.events?.events ?? []).flatMap((part) => ("rows" in part ? [part] : []));
  const group = groups.find(({ rows }) => rows.some((row) => row.event === event));
  const draws = group?.rows.flatMap(({ draw }) => (draw === null ? [] : [draw])) ?? [];
  return group && draws.length > 0 ? { pass: group.pass, draws: drawFilter(draws).replace("draw:", "") } : null;
}

/**
 * Returns the command that opens the page at this place, quoted for a shell.
 * @param {import("pspge/app.js").App} app
 */
function commandOf(app) {
  const quoted = (/** @type {string} */ text) => (/^[\w./:@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return `pspge view ${quoted(app.input?.name ?? "FILE")} --at ${quoted(location.hash)}`;
}

/**
 * Creates an item of a menu that copies a text, and says so in its place.
 * @param {import("pspge/app.js").App} app
 * @param {string} label
 * @param {() => string} text
 */
function copyItem(app, label, text) {
  const copy = async () => {
    app.store.writeAddress();
    try {
      await navigator.clipboard.writeText(text());
      item.textContent = "Copied";
      app.announce("Copied.");
      setTimeout(() => (item.textContent = label), 1500);
    } catch {
      app.fail(new Error(`The browser does not let the page copy. Copy it yourself: ${text()}`));
    }
  };
  const item = h("button", { type: "button", class: "menu-item", onclick: () => void copy() }, label);
  return item;
}

/**
 * Creates the button that records another frame, if the page was opened on a running emulator.
 * @param {Actions} actions
 */
function nextFrameButton(actions) {
  const emulator = document.querySelector("meta[name=pspge-emulator]")?.getAttribute("content");
  if (!emulator) {
    return null;
  }
  const button = h(
    "button",
    {
      type: "button",
      title: `Record the next frame of the game in the emulator at ${honest(emulator)}`,
      onclick: async () => {
        button.disabled = true;
        await actions.nextFrame();
        button.disabled = false;
      },
    },
    "Next frame",
  );
  return button;
}

/** @param {Event} event */
function closeMenu(event) {
  const menu = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.currentTarget).closest("[popover]"));
  menu?.hidePopover();
}

/**
 * @param {import("pspge/app.js").App} app
 * @param {Actions} actions
 * @returns {Node[]}
 */
function viewMenu(app, actions) {
  const choices = (
    /** @type {string} */ label,
    /** @type {string} */ name,
    /** @type {string} */ usual,
    /** @type {[string, string][]} */ options,
    /** @type {(value: any) => void} */ act,
  ) =>
    h(
      "fieldset",
      { class: "menu-group" },
      h("legend", null, label),
      options.map(([value, text]) =>
        h(
          "label",
          null,
          h("input", {
            type: "radio",
            name: `view-${name}`,
            checked: setting(name, usual) === value,
            onchange: () => act(value),
          }),
          text,
        ),
      ),
    );
  const sizes = h(
    "select",
    {
      "aria-label": "Size of texts",
      value: setting("text-size", "100"),
      onchange: () => actions.textSize(Number(sizes.value)),
    },
    TEXT_SIZES.map((percent) => h("option", { value: percent }, `${percent} %`)),
  );
  const workspaces = WORKSPACES.filter(({ panel }) => panel !== "model" || app.input?.kind === "model");
  const arrange = (/** @type {Event} */ event, /** @type {typeof WORKSPACES[number]} */ workspace) => (closeMenu(event), actions.arrange(workspace));
  return [
    h(
      "fieldset",
      { class: "menu-group" },
      h("legend", null, "Workspace"),
      workspaces.map((workspace) =>
        h("button", { type: "button", class: "menu-item", title: `The panels ${[workspace.panel, ...workspace.kept].join(" and ")}, side by side from 1600 pixels of width on`, onclick: (/** @type {Event} */ event) => arrange(event, workspace) }, workspace.name),
      ),
    ),
    choices(
      "Theme",
      "theme",
      "system",
      [
        ["system", "as the system"],
        ["light", "light"],
        ["dark", "dark"],
      ],
      actions.theme,
    ),
    choices(
      "Panels",
      "dock",
      "right",
      [
        ["right", "right of the picture"],
        ["below", "below the picture"],
      ],
      actions.dock,
    ),
    h("fieldset", { class: "menu-group" }, h("legend", null, "Texts"), sizes),
  ];
}
