// The header: what is open, notes, and settings of the page.

import { counted, h } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import { setting } from "pspge/base/layout.js";
import { quote, wordsOf } from "pspge/base/parts.js";
import { render, useState } from "pspge/base/preact.js";
import { type Group, groupEvents } from "pspge/events/event-groups.js";
import { MembersButton, ShownName } from "pspge/page/members.js";
import { SIDES } from "pspge/page/docks.js";
import { type createPanels, type Place, PLACES, WORKSPACES } from "pspge/page/panels.js";
import type { App } from "pspge/state/app-types.js";
import { allNotes, drawFilter } from "pspge/state/run.js";
import { Button, CopyButton, IconButton, Mono, Options, Select } from "pspge/widgets/controls.js";
import { saveCanvas } from "pspge/widgets/export.js";
import { closeMenu, Menu } from "pspge/widgets/menu.js";

interface Actions {
  members: () => void;
  hasMembers: () => boolean;
  nextFrame: () => Promise<void>;
  help: () => void;
  notes: () => void;
  appearance: (name: "theme" | "dock" | "text-size", value: string) => void;
  panels: Pick<ReturnType<typeof createPanels>, "arrange" | "workspace" | "placement" | "place">;
}

const KINDS = { model: "model", frame: "frame dump", list: "display list", folder: "folder", other: "file" };
const TEXT_SIZES = [80, 90, 100, 110, 125, 150, 175, 200].map((percent) => ({ value: String(percent), text: `${percent} %` }));

/** Creates the header. */
export function createHeader(app: App, actions: Actions) {
  const element = h("header", { class: "header" });
  const update = () => render(<Header app={app} actions={actions} />, element);
  update();
  return { element, update };
}

function Header({ app, actions }: { app: App; actions: Actions }) {
  const { input, events } = app;
  const notes = allNotes(app);
  const problems = notes.filter(({ severity }) => severity === "problem").length;
  const edits = app.store.get().edits.length;
  const draws = events?.events.filter(({ draw }) => draw !== null).length;
  return (
    <>
      <span class="brand">pspge</span>
      <ShownName app={app} />
      <span class="file-facts">
        {input && (
          <>
            {[KINDS[input.kind], input.game].filter(Boolean).join(" of ")}
            {events && ` · ${counted(draws ?? 0, "draw")}, ${counted(events.count, "event")}`}
            {" · "}
            <Mono title={`Hash ${input.hash}`}>{String(input.hash).slice(0, 8)}</Mono>
          </>
        )}
      </span>
      <Button class={`notes-button${problems > 0 ? " has-problems" : ""}`} hidden={!input || notes.length === 0} onClick={actions.notes}>
        {problems > 0 ? counted(problems, "problem") : counted(notes.length, "note")}
      </Button>
      <Button class="edits-button" hidden={edits === 0} onClick={() => app.openPanel("edits")}>{counted(edits, "edit")}</Button>
      <span class="spacer" />
      <MembersButton app={app} isShown={actions.hasMembers()} toggle={actions.members} />
      <NextFrame act={actions.nextFrame} />
      <Button title="Open a file, or several of one model; with the panel Diff, the one to compare with" onClick={() => void app.chooseInput(app.numberToOpen())}>
        Open
      </Button>
      {input && <Menu label="Save" title="Save a picture, a part of the run, or the geometry">{() => <SaveMenu app={app} />}</Menu>}
      <Menu label="View" title="Theme, size of texts, place of the panels">{() => <ViewMenu app={app} actions={actions} />}</Menu>
      <IconButton name="theme" label="Switch between light and dark" onClick={() => actions.appearance("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark")} />
      <Button class="icon-button" title={`Help (${keyOf("help")})`} aria-label="Help" onClick={actions.help}>?</Button>
    </>
  );
}

/** The button that records another frame, if the page was opened on a running emulator. */
function NextFrame({ act }: { act: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const emulator = document.querySelector("meta[name=pspge-emulator]")?.getAttribute("content");
  const record = async () => {
    setBusy(true);
    await act();
    setBusy(false);
  };
  return emulator ? (
    <Button title={`Record the next frame of the game in the emulator at ${emulator}`} disabled={isBusy} onClick={() => void record()}>Next frame</Button>
  ) : null;
}

function SaveMenu({ app }: { app: App }) {
  const row = app.row();
  const draw = row?.draw ?? null;
  const pass = row && passOf(app, row.event);
  const item = (text: string, act: () => void, isPossible = true) => (
    <Button class="menu-item" disabled={!isPossible} onClick={(event) => (closeMenu(event), act())}>{text}</Button>
  );
  const copy = (label: string, text: () => string) => (
    <CopyButton
      app={app}
      class="menu-item"
      label={label}
      text={() => (app.store.writeAddress(), text())}
      onRefused={(refused) => app.fail(new Error(`The browser does not let the page copy. Copy it yourself: ${refused}`))}
    />
  );
  const page = item("The page as one file (HTML)", () => void app.savePage());
  if (!app.input?.is_runnable) {
    return page;
  }
  return (
    <>
      {item("Picture at this event (PNG)", () => void app.export("png"))}
      {item("Run with its edits (frame dump)", () => void app.export("dump"))}
      {item(draw === null ? "This event alone (frame dump)" : `Draw ${draw} alone (frame dump)`, () => void app.export("trim"), row !== null)}
      {item("Geometry (glTF, .glb)", () => void app.export("gltf"))}
      {draw !== null && item(`Geometry of draw ${draw} (glTF, .glb)`, () => void app.export("gltf", String(draw)))}
      {pass && item(`Geometry of pass ${pass.pass} (glTF, .glb)`, () => void app.export("gltf", pass.draws))}
      {item("Picture as it is shown, with overlays (PNG)", () => void saveCanvas(app, "shown", document.querySelector("section.picture .picture-stage canvas")))}
      {page}
      {copy("Copy the link to this place", () => location.href)}
      {copy("Copy the command that opens this place", () => commandOf(app))}
      {copy("Copy the command that writes this place as one file", () => `${commandOf(app)} -o page.html`)}
    </>
  );
}

/** Returns the pass of an event with its draws. */
function passOf(app: App, event: number) {
  const groups = groupEvents(app.events?.events ?? []).filter((part): part is Group => "rows" in part);
  const group = groups.find(({ rows }) => rows.some((row) => row.event === event));
  const draws = group?.rows.flatMap(({ draw }) => (draw === null ? [] : [draw])) ?? [];
  return group && draws.length > 0 ? { pass: group.pass, draws: drawFilter(draws).replace("draw:", "") } : null;
}

/** Returns the command that opens the page at this place, quoted for a shell. */
function commandOf(app: App): string {
  const { container, part } = app.input ?? {};
  const name = part?.member ? `${container}#${part.member}` : container;
  return `pspge view ${wordsOf(app.input, name).map(quote).join(" ")} --at ${quote(location.hash)}`;
}

function ViewMenu({ app, actions }: { app: App; actions: Actions }) {
  const workspaces = WORKSPACES.filter(({ panel }) => panel !== "model" || app.input?.kind === "model");
  return (
    <>
      <fieldset class="menu-group">
        <legend>Workspace</legend>
        {workspaces.map((workspace) => (
          <Button
            class="menu-item"
            title={`The panels ${[workspace.panel, ...workspace.kept].join(" and ")}, side by side from 1600 pixels of width on. It remembers how you place panels; choose it again to reset it.`}
            aria-pressed={workspace === actions.panels.workspace()}
            onClick={(event) => (closeMenu(event), actions.panels.arrange(workspace))}
          >
            {workspace.name}
          </Button>
        ))}
      </fieldset>
      <PanelPlace panels={actions.panels} />
      <Choices label="Theme" name="theme" usual="system" choices={{ system: "as the system", light: "light", dark: "dark" }} act={actions.appearance} />
      <Choices label="Panels" name="dock" usual="right" choices={{ right: "right of the picture", below: "below the picture" }} act={actions.appearance} />
      <fieldset class="menu-group">
        <legend>Texts</legend>
        <select aria-label="Size of texts" value={setting("text-size", "100")} onChange={(event) => actions.appearance("text-size", event.currentTarget.value)}>
          <Options choices={TEXT_SIZES} />
        </select>
      </fieldset>
    </>
  );
}

/** Places the chosen panel, as dragging its tab does. */
function PanelPlace({ panels }: { panels: Actions["panels"] }) {
  const [leaf, setLeaf] = useState("tabs");
  const [, redraw] = useState({});
  const { title, place, others } = panels.placement();
  const beside = others.some(({ value }) => value === leaf) ? leaf : "tabs";
  const choose = (chosen: string) => {
    if (chosen !== "docked") {
      panels.place(chosen as Place, beside);
      redraw({});
    }
  };
  const sides = SIDES.map((side) => ({ value: side, text: `dock ${PLACES[side]}` }));
  const choices = [{ value: "tabs", text: "among the tabs" }, ...(place === "docked" ? [{ value: "docked", text: "docked" }] : []), ...sides, { value: "floating", text: "floating" }];
  return (
    <fieldset class="menu-group">
      <legend>Place of {title}</legend>
      <Select label="Place" name={`Place of ${title}`} choices={choices} chosen={place} onChoose={choose} />
      {others.length > 1 && <Select label="beside" name="Dock beside" choices={others} chosen={beside} onChoose={setLeaf} />}
    </fieldset>
  );
}

function Choices({ label, name, usual, choices, act }: { label: string; name: "theme" | "dock"; usual: string; choices: Record<string, string>; act: Actions["appearance"] }) {
  return (
    <fieldset class="menu-group">
      <legend>{label}</legend>
      {Object.entries(choices).map(([value, text]) => (
        <label>
          <input type="radio" name={`view-${name}`} checked={setting(name, usual) === value} onChange={() => act(name, value)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
