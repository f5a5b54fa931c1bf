// page/header.tsx
import { counted, h } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { setting } from "pspge/base/layout.js";
import { quote, wordsOf } from "pspge/base/parts.js";
import { render, useState } from "pspge/base/preact.js";
import { groupEvents } from "pspge/events/event-groups.js";
import { MembersButton, ShownName } from "pspge/page/members.js";
import { SIDES } from "pspge/page/docks.js";
import { PLACES, WORKSPACES } from "pspge/page/panels.js";
import { allNotes, drawFilter } from "pspge/state/run.js";
import { Button, CopyButton, IconButton, Mono, Options, Select } from "pspge/widgets/controls.js";
import { saveCanvas } from "pspge/widgets/export.js";
import { closeMenu, Menu } from "pspge/widgets/menu.js";
import { Fragment, jsx, jsxs } from "pspge/base/preact.js";
var KINDS = { model: "model", frame: "frame dump", list: "display list", folder: "folder", other: "file" };
var TEXT_SIZES = [80, 90, 100, 110, 125, 150, 175, 200].map((percent) => ({ value: String(percent), text: `${percent} %` }));
function createHeader(app, actions) {
  const element = h("header", { class: "header" });
  const update = () => render(/* @__PURE__ */ jsx(Header, { app, actions }), element);
  update();
  return { element, update };
}
function Header({ app, actions }) {
  const { input, events } = app;
  const notes = allNotes(app);
  const problems = notes.filter(({ severity }) => severity === "problem").length;
  const edits = app.store.get().edits.length;
  const draws = events?.events.filter(({ draw }) => draw !== null).length;
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsx("span", { class: "brand", children: "pspge" }),
    /* @__PURE__ */ jsx(ShownName, { app }),
    /* @__PURE__ */ jsx("span", { class: "file-facts", children: input && /* @__PURE__ */ jsxs(Fragment, { children: [
      [KINDS[input.kind], input.game].filter(Boolean).join(" of "),
      events && ` · ${counted(draws ?? 0, "draw")}, ${counted(events.count, "event")}`,
      " · ",
      /* @__PURE__ */ jsx(Mono, { title: `Hash ${input.hash}`, children: String(input.hash).slice(0, 8) })
    ] }) }),
    /* @__PURE__ */ jsx(Button, { class: `notes-button${problems > 0 ? " has-problems" : ""}`, hidden: !input || notes.length === 0, onClick: actions.notes, children: problems > 0 ? counted(problems, "problem") : counted(notes.length, "note") }),
    /* @__PURE__ */ jsx(Button, { class: "edits-button", hidden: edits === 0, onClick: () => app.openPanel("edits"), children: counted(edits, "edit") }),
    /* @__PURE__ */ jsx("span", { class: "spacer" }),
    /* @__PURE__ */ jsx(MembersButton, { app, isShown: actions.hasMembers(), toggle: actions.members }),
    /* @__PURE__ */ jsx(NextFrame, { act: actions.nextFrame }),
    /* @__PURE__ */ jsx(Button, { title: "Open a file, or several of one model; with the panel Diff, the one to compare with", onClick: () => void app.chooseInput(app.numberToOpen()), children: "Open" }),
    input && /* @__PURE__ */ jsx(Menu, { label: "Save", title: "Save a picture, a part of the run, or the geometry", children: () => /* @__PURE__ */ jsx(SaveMenu, { app }) }),
    /* @__PURE__ */ jsx(Menu, { label: "View", title: "Theme, size of texts, place of the panels", children: () => /* @__PURE__ */ jsx(ViewMenu, { app, actions }) }),
    /* @__PURE__ */ jsx(IconButton, { name: "theme", label: "Switch between light and dark", onClick: () => actions.appearance("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark") }),
    /* @__PURE__ */ jsx(Button, { class: "icon-button", title: `Help (${keyOf("help")})`, "aria-label": "Help", onClick: actions.help, children: "?" })
  ] });
}
function NextFrame({ act }) {
  const [isBusy, setBusy] = useState(false);
  const emulator = document.querySelector("meta[name=pspge-emulator]")?.getAttribute("content");
  const record = async () => {
    setBusy(true);
    await act();
    setBusy(false);
  };
  return emulator ? /* @__PURE__ */ jsx(Button, { title: `Record the next frame of the game in the emulator at ${emulator}`, disabled: isBusy, onClick: () => void record(), children: "Next frame" }) : null;
}
function SaveMenu({ app }) {
  const row = app.row();
  const draw = row?.draw ?? null;
  const pass = row && passOf(app, row.event);
  const item = (text, act, isPossible = true) => /* @__PURE__ */ jsx(Button, { class: "menu-item", disabled: !isPossible, onClick: (event) => (closeMenu(event), act()), children: text });
  const copy = (label, text) => /* @__PURE__ */ jsx(
    CopyButton,
    {
      app,
      class: "menu-item",
      label,
      text: () => (app.store.writeAddress(), text()),
      onRefused: (refused) => app.fail(new Error(`The browser does not let the page copy. Copy it yourself: ${refused}`))
    }
  );
  const page = item("The page as one file (HTML)", () => void app.savePage());
  if (!app.input?.is_runnable) {
    return page;
  }
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    item("Picture at this event (PNG)", () => void app.export("png")),
    item("Run with its edits (frame dump)", () => void app.export("dump")),
    item(draw === null ? "This event alone (frame dump)" : `Draw ${draw} alone (frame dump)`, () => void app.export("trim"), row !== null),
    item("Geometry (glTF, .glb)", () => void app.export("gltf")),
    draw !== null && item(`Geometry of draw ${draw} (glTF, .glb)`, () => void app.export("gltf", String(draw))),
    pass && item(`Geometry of pass ${pass.pass} (glTF, .glb)`, () => void app.export("gltf", pass.draws)),
    item("Picture as it is shown, with overlays (PNG)", () => void saveCanvas(app, "shown", document.querySelector("section.picture .picture-stage canvas"))),
    page,
    copy("Copy the link to this place", () => location.href),
    copy("Copy the command that opens this place", () => commandOf(app)),
    copy("Copy the command that writes this place as one file", () => `${commandOf(app)} -o page.html`)
  ] });
}
function passOf(app, event) {
  const groups = groupEvents(app.events?.events ?? []).filter((part) => "rows" in part);
  const group = groups.find(({ rows }) => rows.some((row) => row.event === event));
  const draws = group?.rows.flatMap(({ draw }) => draw === null ? [] : [draw]) ?? [];
  return group && draws.length > 0 ? { pass: group.pass, draws: drawFilter(draws).replace("draw:", "") } : null;
}
function commandOf(app) {
  const { container, part } = app.input ?? {};
  const name = part?.member ? `${container}#${part.member}` : container;
  return `pspge view ${wordsOf(app.input, name).map(quote).join(" ")} --at ${quote(location.hash)}`;
}
function ViewMenu({ app, actions }) {
  const workspaces = WORKSPACES.filter(({ panel }) => panel !== "model" || app.input?.kind === "model");
  return /* @__PURE__ */ jsxs(Fragment, { children: [
    /* @__PURE__ */ jsxs("fieldset", { class: "menu-group", children: [
      /* @__PURE__ */ jsx("legend", { children: "Workspace" }),
      workspaces.map((workspace) => /* @__PURE__ */ jsx(
        Button,
        {
          class: "menu-item",
          title: `The panels ${[workspace.panel, ...workspace.kept].join(" and ")}, side by side from 1600 pixels of width on. It remembers how you place panels; choose it again to reset it.`,
          "aria-pressed": workspace === actions.panels.workspace(),
          onClick: (event) => (closeMenu(event), actions.panels.arrange(workspace)),
          children: workspace.name
        }
      ))
    ] }),
    /* @__PURE__ */ jsx(PanelPlace, { panels: actions.panels }),
    /* @__PURE__ */ jsx(Choices, { label: "Theme", name: "theme", usual: "system", choices: { system: "as the system", light: "light", dark: "dark" }, act: actions.appearance }),
    /* @__PURE__ */ jsx(Choices, { label: "Panels", name: "dock", usual: "right", choices: { right: "right of the picture", below: "below the picture" }, act: actions.appearance }),
    /* @__PURE__ */ jsxs("fieldset", { class: "menu-group", children: [
      /* @__PURE__ */ jsx("legend", { children: "Texts" }),
      /* @__PURE__ */ jsx("select", { "aria-label": "Size of texts", value: setting("text-size", "100"), onChange: (event) => actions.appearance("text-size", event.currentTarget.value), children: /* @__PURE__ */ jsx(Options, { choices: TEXT_SIZES }) })
    ] })
  ] });
}
function PanelPlace({ panels }) {
  const [leaf, setLeaf] = useState("tabs");
  const [, redraw] = useState({});
  const { title, place, others } = panels.placement();
  const beside = others.some(({ value }) => value === leaf) ? leaf : "tabs";
  const choose = (chosen) => {
    if (chosen !== "docked") {
      panels.place(chosen, beside);
      redraw({});
    }
  };
  const sides = SIDES.map((side) => ({ value: side, text: `dock ${PLACES[side]}` }));
  const choices = [{ value: "tabs", text: "among the tabs" }, ...place === "docked" ? [{ value: "docked", text: "docked" }] : [], ...sides, { value: "floating", text: "floating" }];
  return /* @__PURE__ */ jsxs("fieldset", { class: "menu-group", children: [
    /* @__PURE__ */ jsxs("legend", { children: [
      "Place of ",
      title
    ] }),
    /* @__PURE__ */ jsx(Select, { label: "Place", name: `Place of ${title}`, choices, chosen: place, onChoose: choose }),
    others.length > 1 && /* @__PURE__ */ jsx(Select, { label: "beside", name: "Dock beside", choices: others, chosen: beside, onChoose: setLeaf })
  ] });
}
function Choices({ label, name, usual, choices, act }) {
  return /* @__PURE__ */ jsxs("fieldset", { class: "menu-group", children: [
    /* @__PURE__ */ jsx("legend", { children: label }),
    Object.entries(choices).map(([value, text]) => /* @__PURE__ */ jsxs("label", { children: [
      /* @__PURE__ */ jsx("input", { type: "radio", name: `view-${name}`, checked: setting(name, usual) === value, onChange: () => act(name, value) }),
      text
    ] }))
  ] });
}
export {
  createHeader
};
