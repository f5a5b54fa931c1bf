// The toolbar of the picture: buffer, colour or depth, moment, marked pixels, zoom, and a menu of the rest.

import { hex } from "pspge/base/dom.js";
import { keyOf } from "pspge/base/keys.js";
import type { ComponentChildren } from "pspge/base/preact.js";
import type { MarkKind, Marks } from "pspge/picture/picture-marks.js";
import { type Channel, CHANNELS } from "pspge/picture/picture-pixels.js";
import type { PictureView } from "pspge/picture/picture-view.js";
import type { App, Buffer, Selection } from "pspge/state/app-types.js";
import { Button, Icon, IconButton, Options } from "pspge/widgets/controls.js";
import { Menu } from "pspge/widgets/menu.js";

const VIEWS = [
  ["color", "Colour"],
  ["depth", "Depth"],
] as const;
const MOMENTS = [
  [false, "Before"],
  [true, "After"],
] as const;
const MARKS = [
  ["covered", "Covered", "Mark the pixels that the draw covers", "highlight"],
  ["changed", "Changed", "Mark the pixels that the event changes", "changed"],
  ["result", "Result", "Mark the pixels that the draw covers, those in red that it does not change", "result"],
] as const;
const HEATS = { off: "none", overdraw: "Overdraw", cost: "Cost" };
export type HeatKind = keyof typeof HEATS;

interface ToolbarProps {
  app: App;
  view: PictureView;
  selection: Selection;
  scale: number;
  channel: Channel;
  setChannel: (channel: Channel) => void;
  marks: Marks;
  toggleMarks: (kind: MarkKind) => void;
  heat: HeatKind;
  setHeat: (kind: HeatKind) => void;
}

/** Chooses the buffer, its colour or depth, and the moment. */
export function Sources({ app, selection }: { app: App; selection: Selection }) {
  const { store } = app;
  return (
    <>
      <Buffers app={app} target={selection.target} />
      <Group label="Colour or depth">
        {VIEWS.map(([id, title]) => (
          <Press key={id} isPressed={selection.view === id} title={`${title} (${keyOf("depth")})`} data-view={id} onClick={() => store.set({ view: id })}>
            {title}
          </Press>
        ))}
      </Group>
      <Group label="Moment">
        {MOMENTS.map(([after, title]) => (
          <Press key={title} isPressed={selection.after === after} title={`${title} the event (${keyOf("flip")} flips)`} data-after={after ? "1" : "0"} onClick={() => store.set({ after })}>
            {title}
          </Press>
        ))}
      </Group>
    </>
  );
}

export function Toolbar({ app, view, selection, scale, channel, setChannel, marks, toggleMarks, heat, setHeat }: ToolbarProps) {
  // The button of the menu shows whether a choice in it is not the usual one.
  const isOn = channel !== "color" || heat !== "off";
  return (
    <div class="toolbar" role="group" aria-label="Settings of the picture">
      <Sources app={app} selection={selection} />
      <Group label="Marked pixels">
        {MARKS.map(([kind, title, text, action]) => (
          <Press key={kind} isPressed={marks === kind} title={`${text} (${keyOf(action)})`} data-kind={kind} aria-label={title} onClick={() => toggleMarks(kind)}>
            <Icon name={kind} />
          </Press>
        ))}
      </Group>
      <Menu label={<Icon name="more" />} title="More settings of the picture" menuClass="menu picture-menu" button={{ class: `icon-button${isOn ? " is-on" : ""}`, "aria-label": "More settings of the picture" }}>
        <label>
          Channel
          <select value={channel} disabled={selection.view === "depth"} onChange={(event) => setChannel(event.currentTarget.value as Channel)}>
            <Options choices={CHANNELS} />
          </select>
        </label>
        <label title={`Heat map (${keyOf("heat")})`}>
          Heat map
          <select value={heat} onChange={(event) => setHeat(event.currentTarget.value as HeatKind)}><Options choices={HEATS} /></select>
        </label>
      </Menu>
      <Group label="Zoom" className="zoom-group">
        <IconButton name="minus" label={`Zoom out (${keyOf("zoomOut")})`} onClick={() => view.zoom(-1)} />
        <Button class="zoom-text mono" title="Zoom; click for 1:1" onClick={() => view.setScale(1)}>
          {Number.isInteger(1 / scale) ? `1:${1 / scale}` : `${Number(scale.toFixed(2))}:1`}
        </Button>
        <IconButton name="plus" label={`Zoom in (${keyOf("zoomIn")})`} onClick={() => view.zoom(1)} />
        <IconButton name="fit" label={`Show the whole picture (${keyOf("fit")})`} onClick={() => view.fit()} />
      </Group>
    </div>
  );
}

function Group({ label, className = "", children }: { label: string; className?: string; children: ComponentChildren }) {
  return <span class={`button-group ${className}`.trim()} role="group" aria-label={label}>{children}</span>;
}

/** A button that stays pressed. */
function Press({ isPressed, ...props }: { isPressed: boolean } & Parameters<typeof Button>[0]) {
  return <Button class="toggle" aria-pressed={isPressed} {...props} />;
}

/** The buffers that can be chosen. The chosen one is listed, also if the run has it no more. */
function Buffers({ app, target }: { app: App; target: Buffer | null }) {
  const { buffers = [], screen = null } = app.events ?? {};
  const isChosen = (buffer: Buffer | null) => target !== null && JSON.stringify(buffer) === JSON.stringify(target);
  const name = ({ address, format, width, height }: Buffer) => `${hex(address)} ${format} ${width}×${height}`;
  const index = buffers.findIndex(isChosen);
  const chosen = target === null ? "draw" : isChosen(screen) ? "screen" : index >= 0 ? String(index) : "custom";
  const choose = (value: string) => app.store.set({ target: value === "draw" ? null : ((value === "screen" ? screen : buffers[Number(value)]) ?? null) });
  return (
    <select aria-label="Buffer" title="The buffer that is shown" class="source-select" value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="draw">Target</option>
      {screen && <option value="screen">{`Screen: ${name(screen)}`}</option>}
      <optgroup label="Buffers of the run">{buffers.map((buffer, at) => <option key={at} value={String(at)}>{name(buffer)}</option>)}</optgroup>
      {target && chosen === "custom" && <option value="custom">{name(target)}</option>}
    </select>
  );
}
